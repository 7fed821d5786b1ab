// Runs one of PostgreSQL's programs to its end, as the account that owns the database, and shares with the long-running
// one what both need: the environment and the account.

import { type SpawnOptions, spawn } from 'node:child_process'
import { noSpace, StartupError } from '../database/startup-error.js'
import type { Home } from './embedded-home.js'

const commandTimeoutMs = 120_000
const outputCharsMax = 20_000

/** Throws a StartupError with its complaint when the program fails. */
export async function runCommand(program: string, args: string[], home: Home, input = ''): Promise<void> {
  const child = spawn(program, args, {
    ...optionsFor(home),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: commandTimeoutMs,
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-outputCharsMax)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  // A program that stops early leaves the rest of its input unread; its exit code says why.
  child.stdin.on('error', () => undefined).end(input)
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  ).catch((error) => {
    throw explainSpawn(error, home)
  })
  if (code !== 0) throw explainOutput(output, home)
}

/**
 * Nothing is inherited: PGDATA, PGPORT and the like would turn the database into another one. macOS needs LC_ALL to
 * start at all.
 */
export function optionsFor(home: Home): SpawnOptions {
  const options: SpawnOptions = { cwd: home.folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }
  return home.account === undefined ? options : { ...options, uid: home.account.uid, gid: home.account.gid }
}

export function explainSpawn(error: NodeJS.ErrnoException, home: Home): StartupError {
  const who = home.account === undefined ? '' : ` as ${home.account.name}`
  const why = error.code === 'ENOENT' ? 'this system lacks the GNU C library it is built for' : error.message
  return new StartupError(
    `The embedded PostgreSQL cannot be run${who} (${why}): set DATABASE_URL to a PostgreSQL 15 or later`,
    { cause: error },
  )
}

export function explainOutput(output: string, home: Home): StartupError {
  if (output.includes('No space left on device')) return new StartupError(noSpace(home.folder))
  const complaint = firstComplaint(output)
  return new StartupError(
    `The embedded PostgreSQL in ${home.folder} failed (${complaint}): put that right and start ` +
      'again, or set DATABASE_URL to another PostgreSQL',
  )
}

/**
 * The first line that names a failure tells more than those that follow from it; when and by which process it was said
 * tells nothing.
 */
function firstComplaint(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((each) => /FATAL|PANIC|error:|ERROR/.test(each)) ?? lines.at(-1) ?? 'it said nothing'
  return line.replace(/^.*?(FATAL|PANIC|ERROR): +/, '').trim()
}
