// The README is a cookbook that works: every snippet is compiled against the published types and run against a live
// service.
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { type Cli, createCli } from './support/cli.js'
import { type Receiver, startReceiver } from './support/receiver.js'
import { until } from './support/until.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const sdk = join(root, 'packages/sdk')

interface Snippet {
  readonly name: string
  readonly language: string
  readonly info: string
  readonly text: string
}

const readme = await readFile(join(sdk, 'README.md'), 'utf8')
const snippets: Snippet[] = [...readme.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', info = '', text = ''], index) => ({
    name: info.endsWith('.ts') ? info : `snippet-${index}.ts`,
    language,
    info,
    text,
  }),
)
const programs = snippets.filter(({ language }) => language === 'ts')
const commands = snippets.filter(({ language, text }) => language === 'sh' && !text.startsWith('npm install'))

let service: Service
let cli: Cli
let receiver: Receiver
let project: string

beforeAll(async () => {
  service = await startService()
  cli = await createCli({ PARLEY_API_KEY: service.api.key, PARLEY_BASE_URL: service.url })
  receiver = await startReceiver()
  project = await compiled()
})
afterAll(async () => {
  await receiver?.down()
  await cli?.remove()
  await service?.stop()
  await rm(project, { recursive: true, force: true })
})

/** A program of its own that has the package installed, with each snippet as a file. */
async function compiled(): Promise<string> {
  await run(join(root, 'node_modules/.bin/tsc'), ['-b', sdk])
  const folder = await mkdtemp(join(tmpdir(), 'parley-readme-'))
  await mkdir(join(folder, 'node_modules/@parley'), { recursive: true })
  await symlink(sdk, join(folder, 'node_modules/@parley/sdk'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const [first] = programs
  const prelude = /^import \{ Parley \}[\s\S]*?^\}\)$/m.exec(first?.text ?? '')?.[0] ?? ''
  for (const { name, text } of programs) {
    const isWhole = text.includes('import { Parley }') || name === 'receive.ts'
    await writeFile(join(folder, name), `${isWhole ? '' : `${prelude}\n`}${text}\nexport {}\n`)
  }
  const options = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    noUncheckedIndexedAccess: true,
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    types: ['node'],
  }
  const typeRoots = [join(root, 'node_modules/@types')]
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...options, typeRoots, skipLibCheck: true }, include: ['*.ts'] }),
  )
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
  return folder
}

test('there is something to run', () => {
  expect(programs.length).toBeGreaterThan(12)
  expect(commands.length).toBeGreaterThan(3)
})

test.each(programs.map((program) => [program.name, program] as const))(
  '%s runs and prints what it says',
  async (name, { text }) => {
    const env = { ...cli.env, PARLEY_API_KEY: (await service.organization('Demo')).sandbox.key }
    const { stdout, stderr } = await run(process.execPath, [join(project, name.replace(/ts$/, 'js'))], {
      env,
      timeout: 120_000,
    })
    expect(stderr).toBe('')
    const promised =
      name === 'receive.ts' ? [] : [...text.matchAll(/\/\/ prints ([^\n—]+)/g)].map(([, line]) => (line ?? '').trim())
    for (const line of promised) expect(stdout.split('\n')).toContain(line)
  },
)

test('the commands work as they are written', async () => {
  const parley = `npx() { shift; "${process.execPath}" "${join(cli.home, 'parley.mjs')}" "$@"; }`
  const listening: ReturnType<typeof spawn>[] = []
  const { sandbox } = await service.organization('Demo')
  const env = { ...cli.env, PARLEY_API_KEY: sandbox.key }
  for (const { info, text } of commands) {
    const script = text.replaceAll('http://localhost:4000/hooks', receiver.url)
    if (info === 'background') {
      const [, args = ''] = /npx parley (.*)/.exec(script) ?? []
      const child = spawn(process.execPath, [join(cli.home, 'parley.mjs'), ...args.split(' ')], { env, stdio: 'pipe' })
      let said = ''
      child.stderr.on('data', (piece: Buffer) => (said += piece))
      listening.push(child)
      await until(() => said.includes('Signing secret'), 'listening')
      continue
    }
    await run('bash', ['-euo', 'pipefail', '-c', `${parley}\n${script}`], { env, cwd: cli.home, timeout: 120_000 })
  }
  await until(() => receiver.got.some(({ body }) => JSON.parse(body).type === 'call.ended'), 'a forwarded event')
  const ended = listening.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of listening) child.kill('SIGINT')
  expect(await Promise.all(ended)).toEqual([0])
  expect((await readFile(join(cli.home, 'tasks.ndjson'), 'utf8')).trim().split('\n')).toHaveLength(1)
})
