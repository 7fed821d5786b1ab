// What is published: small, without dependencies, with types that stand on their own, and nothing of Node outside the
// command line.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const sdk = join(root, 'packages/sdk')
const tsc = join(root, 'node_modules/.bin/tsc')
let consumer: string
let packed: string[]

beforeAll(async () => {
  await run(tsc, ['-b', sdk])
  await run(process.execPath, [join(sdk, 'scripts/bundle.mjs')])
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: sdk })
  packed = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
  consumer = await mkdtemp(join(tmpdir(), 'parley-consumer-'))
  for (const path of packed) {
    const target = join(consumer, 'node_modules/@parley/sdk', path)
    await mkdir(dirname(target), { recursive: true })
    await cp(join(sdk, path), target)
  }
})
afterAll(() => rm(consumer, { recursive: true, force: true }))

test('what is generated matches the contract', async () => {
  await run(process.execPath, [join(sdk, 'scripts/generate.mjs'), '--check'])
})

test('the package has what it exports, its command line and its README, and nothing else', () => {
  const kinds = new Set(packed.map((path) => path.replace(/[\w-]+(?=\.(d\.ts|js)$)/, '*')))
  const folders = ['dist', 'dist/cjs'].flatMap((dist) =>
    ['', '/generated', '/resources'].flatMap((folder) => [`${dist}${folder}/*.d.ts`, `${dist}${folder}/*.js`]),
  )
  const others = ['LICENSE', 'README.md', 'bin/parley.mjs', 'dist/cjs/package.json', 'package.json']
  expect([...kinds].sort()).toEqual([...folders, ...others].sort())
  expect(packed).toEqual(
    expect.arrayContaining([
      'dist/index.js',
      'dist/index.d.ts',
      'dist/webhooks.js',
      'dist/webhooks.d.ts',
      'dist/parley.js',
    ]),
  )
})

test('it depends on nothing', async () => {
  const manifest = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('peerDependencies')
  const isScript = /^dist\/(?!parley|cjs).*\.js$/
  const scripts = packed.filter((path) => isScript.test(path))
  for (const path of [...scripts, ...packed.filter((one) => one.endsWith('.d.ts'))]) {
    const text = await readFile(join(sdk, path), 'utf8')
    const imports = [
      ...text.matchAll(/^(?:import|export)\b[^'\n]*from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm),
    ].map(([whole]) => whole)
    expect(imports, path).toEqual([])
    expect(text, path).not.toMatch(/\b(process|Buffer|require|__dirname)\b[.(]/)
  }
  const bundle = await readFile(join(sdk, 'dist/parley.js'), 'utf8')
  const imported = [...bundle.matchAll(/^import .*? from "([^"]+)"/gm)].map(([, name]) => name ?? '')
  expect(imported.filter((name) => !isBuiltin(name ?? ''))).toEqual([])
})

test('every property, method and field says what it is, as an editor shows it', async () => {
  const undocumented: string[] = []
  const sources = await readdir(join(sdk, 'src'), { recursive: true })
  for (const path of sources.filter((one) => /^(client|(resources|generated)\/[\w-]+)\.ts$/.test(one))) {
    const lines = (await readFile(join(sdk, 'dist', path.replace(/ts$/, 'd.ts')), 'utf8')).split('\n')
    lines.forEach((line, index) => {
      const isMethod = /^ {4}(get )?[a-z]\w*(<.*>)?\(.*\): /.test(line)
      const isField = path.startsWith('generated/') && /^ {4,}[a-z]\w*\??: /.test(line)
      if ((isMethod || isField) && !lines[index - 1]?.trimEnd().endsWith('*/'))
        undocumented.push(`${path}: ${line.trim()}`)
    })
  }
  expect(undocumented).toEqual([])
})

test('publint has nothing to say', async () => {
  const { messages, pkg } = await publint({
    pkgDir: join(consumer, 'node_modules/@parley/sdk'),
    strict: true,
    pack: false,
  })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

const program = `
import { Parley, NotFoundError, type ParleyEvent } from '@parley/sdk'
import { verifyWebhook } from '@parley/sdk/webhooks'
export async function use(parley: Parley, body: string, headers: Headers): Promise<number> {
  for await (const record of parley.workRecords.list({ kind: 'job' })) if (record.priority === 'urgent') return record.title.length
  const call = await parley.calls.get('id')
  const kind: 'inbound' | 'outbound' | (string & {}) = call.direction
  const event: ParleyEvent = await verifyWebhook(body, headers, 'whsec_x')
  switch (event.type) {
    case 'call.ended':
      return event.data.duration
    case 'draft.approved':
      return event.data.workRecord.title.length
    default: {
      const later: string = event.type
      return later.length + kind.length
    }
  }
}
export const isGone = (error: unknown) => error instanceof NotFoundError && error.requestId
// @ts-expect-error signals are fired, not created
export const create = (parley: Parley) => parley.signals.create({})
// @ts-expect-error a title is needed
export const untitled = (parley: Parley) => parley.tasks.create({})
`

test.each([
  [
    'Node',
    { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom', 'dom.asynciterable'], types: [] },
  ],
  ['bundlers', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }],
  [
    'Node with require',
    { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom'], types: [], rootDir: '.' },
  ],
  ['Node without the DOM', { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023'], types: ['node'] }],
] as const)('its types stand on their own: %s', async (name, options) => {
  const folder = join(consumer, name.replaceAll(' ', '-'))
  await mkdir(folder)
  const file = name === 'Node with require' ? 'program.cts' : 'program.mts'
  const config = {
    compilerOptions: {
      ...options,
      strict: true,
      noEmit: true,
      target: 'es2022',
      skipLibCheck: name !== 'bundlers',
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [file],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(folder, file), program)
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

test('it is required as well as imported, and both tell the same', async () => {
  const names = 'console.log(Object.keys(all).filter((name) => name !== "module.exports").sort().join())'
  const program = {
    'all.cjs': `const all = { ...require('@parley/sdk'), ...require('@parley/sdk/webhooks') }\n${names}`,
    'all.mjs': `import * as one from '@parley/sdk'\nimport * as two from '@parley/sdk/webhooks'
      const all = { ...one, ...two }\n${names}`,
  }
  const told: string[] = []
  for (const [name, text] of Object.entries(program)) {
    await writeFile(join(consumer, name), text)
    told.push((await run(process.execPath, [join(consumer, name)])).stdout)
  }
  expect(told[0]).toContain('Parley,')
  expect(told[0]).toBe(told[1])
})

test('it is as small as it says', async () => {
  const { stdout } = await run(process.execPath, [join(sdk, 'scripts/bundle.mjs')])
  const sizes = [...stdout.matchAll(/: (\d+) bytes/g)].map(([, bytes]) => Number(bytes))
  expect(sizes).toHaveLength(2)
  expect(sizes[0]).toBeLessThan(8_000)
  expect(sizes[1]).toBeLessThan(1_500)
})

test('its files keep the house rules', async () => {
  const names = (await readdir(join(sdk, 'src'), { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('generated/'),
  )
  for (const name of names) {
    const text = await readFile(join(sdk, 'src', name), 'utf8')
    expect(text, name).toMatch(/^(#!.*\n)?\/\/ /)
    expect(text.split('\n').length, name).toBeLessThanOrEqual(301)
    expect(text, name).not.toMatch(/(: any\b|<any>|as any\b|^export default)/m)
  }
})
