// The program as an operator runs it, in a process of its own, with nothing but the settings given.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FirstRun } from '../../src/program/first-run.js'
import { programFile } from './run/bundled-programs.js'
import { makeScratchFolder } from './run/scratch-folder.js'
import { type Client, clientOf } from './service.js'

const START_MS = 120_000
const STOP_MS = 120_000

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly pid: number
  /** Where it serves; empty when it has given up. */
  readonly url: string
  readonly dataDir: string
  /** All it has printed so far. */
  output(): string
  firstRun(): Promise<FirstRun>
  /** A client with the first sandbox key. */
  client(): Promise<Client>
  signal(name: NodeJS.Signals): void
  readonly finished: Promise<Finished>
  stop(): Promise<Finished>
}

const children = new Set<ChildProcess>()
const folders: string[] = []

/**
 * To be called when a test file ends: nothing that it started outlives it. Asked to stop, a server also stops its
 * embedded database.
 */
export async function endPrograms(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await closed
      clearTimeout(forced)
    }),
  )
  // A database whose server was killed may write for a moment yet.
  const patiently = { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }
  for (const folder of folders.splice(0)) await rm(folder, patiently)
}

export async function newDataDir(): Promise<string> {
  const folder = await makeScratchFolder('parley-program-')
  folders.push(folder)
  return join(folder, 'data')
}

/** One of the operator's commands, to its end, in a process of its own. */
export const runProgram = async (args: readonly string[], env: Record<string, string>): Promise<Finished> =>
  (await launch(args, env)).finished

export interface Running {
  /** What it has printed so far. */
  output(): string
  signal(name: NodeJS.Signals): void
  readonly finished: Promise<Finished>
}

/** One of the operator's commands, for tests that watch it, or end it before its time. */
export async function startProgram(args: readonly string[], env: Record<string, string>): Promise<Running> {
  const { child, output, finished } = await launch(args, env)
  return { output, signal: (name) => void child.kill(name), finished }
}

const serving = /Serving (http:\/\/[^/"]+)\/api\/v1/

/** Settles when the program serves, or has said something else that is waited for, or has given up. */
export async function serveProgram(env: Record<string, string>, awaited = serving): Promise<Program> {
  const dataDir = env['PARLEY_DATA_DIR'] ?? (await newDataDir())
  const { child, output, finished } = await launch(['serve'], { PORT: '0', ...env, PARLEY_DATA_DIR: dataDir })
  const url = await Promise.race([said(child, output, awaited), finished.then(() => '')])
  const firstRun = async () => JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return {
    pid: child.pid ?? 0,
    url,
    dataDir,
    output,
    firstRun,
    client: async () => clientOf(url, (await firstRun()).keys.test),
    signal,
    finished,
    stop() {
      signal('SIGTERM')
      return finished
    },
  }
}

async function launch(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [await programFile('main'), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (printed.stdout += chunk))
  child.stderr.on('data', (chunk) => (printed.stderr += chunk))
  const finished = once(child, 'close').then(([code, signal]): Finished => {
    children.delete(child)
    return { code, signal, ...printed }
  })
  return { child, output: () => printed.stdout + printed.stderr, finished }
}

function said(child: ChildProcess, output: () => string, awaited: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(
      () => reject(new Error(`The server did not start within ${START_MS} ms:\n${output()}`)),
      START_MS,
    )
    child.stdout?.on('data', () => {
      const found = awaited.exec(output())
      if (found === null) return
      clearTimeout(giveUp)
      resolve(found[1] ?? '')
    })
    child.on('close', () => clearTimeout(giveUp))
  })
}
