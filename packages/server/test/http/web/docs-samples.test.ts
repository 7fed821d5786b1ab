// The samples of the documentation: every one in TypeScript compiles against the client, every one in Python is Python.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  execFileSync(process.execPath, ['--input-type=module', '--eval', listing()], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }),
)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-samples-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Every sample as `{operation: {language: code}}`. */
function listing(): string {
  const from = (name: string) => JSON.stringify(new URL(`scripts/docs/${name}`, `file://${root}`).href)
  return `import { readReference } from ${from('openapi.mjs')}
    import { samplesOf } from ${from('samples.mjs')}
    const { operations } = readReference(${JSON.stringify(join(root, 'docs/reference/openapi.json'))})
    const named = operations.map((one) => [one.id, Object.fromEntries(samplesOf(one).map((s) => [s.title, s.code]))])
    console.log(JSON.stringify(Object.fromEntries(named)))`
}

test('each of those in TypeScript is taken by the compiler', async () => {
  const written = Object.entries(programs).flatMap(([id, { TypeScript }]) =>
    TypeScript ? [[id, TypeScript] as const] : [],
  )
  expect(written.length).toBeGreaterThan(200)
  for (const [id, code] of written) await writeFile(join(folder, `${id}.ts`), `${code}\n`)
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  const compilerOptions = {
    composite: false,
    incremental: false,
    noEmit: true,
    lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'],
    // `process.env.PARLEY_API_KEY` is how people write it.
    noPropertyAccessFromIndexSignature: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { '@parley/sdk': [join(root, 'packages/sdk/src/index.ts')] },
  }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    { encoding: 'utf8' },
  )
  expect([stdout, status]).toEqual(['', 0])
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('each of those in Python can be read by it, and uses the client where a key is taken', () => {
  const codes = Object.values(programs).map(({ Python }) => Python)
  const { createTask, listPeople, putVoicemailRecording, deleteTask } = programs
  expect(createTask?.['Python']).toMatch(
    /^import os\n\nfrom parley import Parley\n\nparley = Parley\(.*\)\nprint\(parley\.tasks\.create\(\{/,
  )
  expect(listPeople?.['Python']).toMatch(/\nfor one in parley\.people\.list\(\):\n {4}print\(one\)$/)
  expect(putVoicemailRecording?.['Python']).toContain('open("recording.wav", "rb"), content_type="audio/wav"))')
  expect(deleteTask?.['Python']).toMatch(/\nparley\.tasks\.delete\("[0-9a-f-]{36}"\)$/)
  const plain = Object.entries(programs).filter(([, { Python = '', TypeScript }]) =>
    TypeScript ? !Python.includes('from parley import') : false,
  )
  expect(plain.map(([id]) => id)).toEqual([])
  const reader = 'import ast, json, sys\nprint(len([ast.parse(code) for code in json.load(sys.stdin)]))'
  const { stdout, stderr } = spawnSync('python3', ['-c', reader], { input: JSON.stringify(codes), encoding: 'utf8' })
  expect([stderr, Number(stdout)]).toEqual(['', codes.length])
})

test('commands for a shell survive quotes, and name the key by its variable', () => {
  const { curl = '' } = programs['createTask'] ?? {}
  const { stdout } = spawnSync('bash', ['-c', `curl() { printf '%s\\n' "$@"; }\nuuidgen() { echo an-id; }\n${curl}`], {
    encoding: 'utf8',
    env: { ...process.env, PARLEY_API_KEY: 'ak_test_x' },
  })
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'http://127.0.0.1:3000/api/v1/tasks',
    '-H',
    'Authorization: Bearer ak_test_x',
    '-H',
  ])
  expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ title: 'Call Dana back with a price' })
})
