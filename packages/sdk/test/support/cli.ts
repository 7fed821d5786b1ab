// The command line as a user has it: bundled, with a home of its own. A command that is only waited for runs in one
// process with the others; one that is watched, or stopped, has a process of its own.
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { keptOnce } from '../../../server/test/support/run/bundled-programs.js'

const hostScript = fileURLToPath(new URL('cli-host.mjs', import.meta.url))
const bundler = fileURLToPath(new URL('../../scripts/bundle.mjs', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
  /** Waits until standard output or standard error has this. */
  says(text: string | RegExp, withinMs?: number): Promise<void>
}

interface RunOptions {
  readonly input?: string
  readonly env?: Record<string, string>
}

export interface Cli {
  /** A folder for the files of a test; also the home of the user. */
  readonly home: string
  readonly env: Record<string, string>
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  start(args: readonly string[], options?: RunOptions): Running
  remove(): Promise<void>
}

export async function createCli(env: Record<string, string>): Promise<Cli> {
  const home = await mkdtemp(join(tmpdir(), 'parley-cli-'))
  const program = join(home, 'parley.mjs')
  const bundled = await keptOnce('parley.mjs', (file) => promisify(execFile)(process.execPath, [bundler, file]))
  await copyFile(bundled, program)
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, ...env }
  const start: Cli['start'] = (args, { input, env: more } = {}) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...base, ...more }, cwd: home, stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.stdin.end(input ?? '')
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, ...output })))
    return { child, output, ended, says: (text, withinMs = 120_000) => said(output, text, withinMs) }
  }
  const host = hostOf(program, home)
  return {
    home,
    env: base,
    start,
    run: (args, { input = '', env: more } = {}) => host.run({ args, input, env: { ...base, ...more } }),
    async remove() {
      await host.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Starts with the first command, and runs one at a time. */
function hostOf(program: string, cwd: string) {
  let host: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(command: object): Promise<Ended> {
      const ended = last.then(() => ask((host ??= fork(hostScript, [program], { cwd, execArgv: [] })), command))
      last = ended.catch(() => undefined)
      return ended
    },
    async stop() {
      if (host === undefined || !host.connected) return
      const closed = once(host, 'close')
      // To other signals a command listens.
      host.kill('SIGKILL')
      await closed
    },
  }
}

/** Rejects when the host has died of it. */
async function ask(host: ChildProcess, command: object): Promise<Ended> {
  const died = new AbortController()
  const onClose = () => died.abort(new Error('The process that runs the commands has ended'))
  host.once('close', onClose)
  try {
    const answered = once(host, 'message', { signal: died.signal })
    host.send(command)
    return (await answered)[0]
  } finally {
    host.off('close', onClose)
  }
}

async function said(output: Running['output'], text: string | RegExp, withinMs: number): Promise<void> {
  const isThere = () =>
    [output.stdout, output.stderr].some((part) => (typeof text === 'string' ? part.includes(text) : text.test(part)))
  for (const end = Date.now() + withinMs; !isThere(); ) {
    if (Date.now() > end) throw new Error(`It did not say ${text}.\n${output.stdout}\n${output.stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
