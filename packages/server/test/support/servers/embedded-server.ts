// Servers with nothing but an embedded database, each in a process of its own that a test can kill, run from a checkout
// as `npm ci --ignore-scripts` leaves one. Everything that is still running or lying around afterwards is removed.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, lstat, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type EmbeddedDatabase, startEmbedded } from '../../../src/embedded-postgres/embedded.js'
import { makeScratchFolder } from '../run/scratch-folder.js'

export const isRoot = process.getuid?.() === 0
/** Whom an ordinary user's server runs as. */
export const ordinary = isRoot ? { uid: 65534, gid: 65534 } : {}
export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

interface Server {
  child: ChildProcess
  pid: number
  lines: string[]
  database: { url: string; folder: string } | undefined
}

let base: string
let folders = 0
const databases: EmbeddedDatabase[] = []
const servers: Server[] = []
const clusters = new Set<string>()

/** To be called once in a test file. */
export function prepareServers(): void {
  beforeAll(async () => {
    base = await makeScratchFolder('embedded-')
    await buildCheckout(join(base, 'pristine'))
    await makeCheckout(join(base, 'checkout'))
  })
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.stop()
    for (const { child } of servers.splice(0)) await kill(child)
    for (const cluster of clusters) await killPostgres(cluster)
    clusters.clear()
  })
  afterAll(async () => {
    await rm(base, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  })
}

/** The module under test, built, and the package of binaries without the links that npm does not pack. */
async function buildCheckout(folder: string): Promise<void> {
  const server = dirname(dirname(dirname(import.meta.dirname)))
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  const options = [
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--skipLibCheck',
    '--outDir',
    folder,
  ]
  execFileSync(process.execPath, [tsc, ...options, join(server, 'src', 'embedded-postgres', 'embedded.ts')], {
    cwd: server,
  })
  const source = dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  const isLink = async (path: string) => (await lstat(path)).isSymbolicLink()
  await cp(source, join(folder, 'node_modules', packageName), {
    recursive: true,
    filter: async (path) => path === source || !(await isLink(path)),
  })
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'serve.js'), serverScript)
}

export async function makeCheckout(folder = newFolder()): Promise<string> {
  await cp(join(base, 'pristine'), folder, { recursive: true })
  return folder
}

const serverScript = `
import { startEmbedded } from './embedded-postgres/embedded.js'
const [folder, ...system] = process.argv.slice(2)
try {
  const database = await startEmbedded(folder, (line) => console.log(line), ...system)
  process.on('SIGTERM', () => database.stop().then(() => process.exit(0)))
  process.on('SIGUSR2', () => process.exit(3))
  console.log('ready ' + JSON.stringify({ url: database.url, folder: database.folder }))
} catch (error) {
  console.log(error.name + ': ' + error.message)
  process.exit(1)
}
`

interface ServeOptions {
  from?: string
  system?: string
  as?: { uid?: number; gid?: number }
}

export function launchServer(
  data: string,
  { from = join(base, 'checkout'), system, as = {} }: ServeOptions = {},
): Server {
  const args = [join(from, 'serve.js'), data, ...(system === undefined ? [] : [system])]
  const child = spawn(process.execPath, args, { cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'inherit'], ...as })
  const server: Server = { child, pid: child.pid ?? 0, lines: [], database: undefined }
  servers.push(server)
  return server
}

/** Settles when the server is ready, or has given up. */
export async function serve(data: string, options: ServeOptions = {}): Promise<Server> {
  const server = launchServer(data, options)
  let text = ''
  await new Promise<void>((resolve) => {
    server.child.on('close', () => resolve())
    server.child.stdout?.on('data', (chunk) => {
      text += chunk
      if (/^ready .*\n/m.test(text)) resolve()
    })
  })
  const lines = text.trim().split('\n')
  server.lines = lines.filter((line) => !line.startsWith('ready '))
  const ready = lines.find((line) => line.startsWith('ready '))
  if (ready !== undefined) server.database = JSON.parse(ready.slice('ready '.length))
  if (server.database !== undefined) clusters.add(server.database.folder)
  return server
}

export async function start(
  data: string,
  say: (line: string) => void = () => undefined,
  system?: string,
): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(data, say, system)
  databases.push(database)
  return database
}

export function newFolder(): string {
  folders += 1
  return join(base, `folder-${folders}`)
}

export async function query(url: string | { url: string }, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: typeof url === 'string' ? url : url.url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function postgresPid(cluster: string): Promise<number> {
  return Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

/** The database of a server that a test has killed for good. */
async function killPostgres(cluster: string): Promise<void> {
  const pid = await postgresPid(cluster).catch(() => 0)
  if (pid === 0 || !commandOf(pid).includes(cluster)) return
  process.kill(pid, 'SIGQUIT')
  await until(() => !isRunning(pid))
}

export function isRunning(pid: number): boolean {
  return ps(pid, 'stat').replace(/^Z.*/, '') !== ''
}

function commandOf(pid: number): string {
  return ps(pid, 'command')
}

export function runsAs(pid: number): number {
  return Number(ps(pid, 'uid'))
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-ww', '-p', String(pid), '-o', `${column}=`], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await delay(20)) {
    if (await condition()) return
  }
  expect.fail('it did not come true within two minutes')
}
