// The running database: launched in its own process group, so that Ctrl-C and a signal to the server's group reach the
// server alone, and stopped with it. What a killed server has left running is stopped first.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../database/error-code.js'
import { StartupError } from '../database/startup-error.js'
import type { Binaries } from './embedded-binaries.js'
import { explainOutput, explainSpawn, optionsFor } from './embedded-command.js'
import type { Home } from './embedded-home.js'
import { findProcess } from './running-process.js'
import type { Owner } from './unprivileged-account.js'

export interface Postmaster {
  exited: Promise<void>
  stop(): Promise<void>
  /** For the last moment of a process that cannot wait. */
  signalStop(): void
}

interface LaunchPaths {
  socketFolder: string
  logFile: string
  logOwner: Owner
}

/**
 * Fast first: it ends the sessions and writes everything out. Whatever the others leave undone the next start replays
 * from the log.
 */
const stopSignals = [
  { signal: 'SIGINT', withinMs: 10_000 },
  { signal: 'SIGQUIT', withinMs: 3_000 },
  { signal: 'SIGKILL', withinMs: 1_000 },
] as const
const lockRetryMs = 30_000
const recoveryMsMax = 600_000

/** The lock on the folder is held by now, so whatever still runs there belongs to a server that is dead. */
export async function stopLeftover(home: Home, say: (line: string) => void): Promise<void> {
  const pid = (await readPidFile(home))?.pid
  if (pid === undefined || !(await isPostmasterOf(pid, home))) return
  say(`Stopping the database (process ${pid}) that a killed server has left running`)
  for (const { signal, withinMs } of stopSignals) {
    signalOrExplain(pid, signal)
    for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(10)) {
      if (!(await isPostmasterOf(pid, home))) return
    }
  }
  throw new StartupError(
    `The database (process ${pid}) in ${home.cluster} does not stop: restart the machine, or set ` +
      'PARLEY_DATA_DIR to another folder',
  )
}

/** After a crash PostgreSQL takes a second or two to let go of its memory and refuses to start meanwhile. */
export async function launch(
  binaries: Binaries,
  home: Home,
  { socketFolder, logFile, logOwner }: LaunchPaths,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<Postmaster> {
  const log = await open(logFile, 'a+', 0o600)
  try {
    if (process.getuid?.() === 0) await log.chown(logOwner.uid, logOwner.gid)
    const deadline = Date.now() + lockRetryMs
    for (;;) {
      const { size } = await log.stat()
      const child = await spawnPostgres(binaries, home, socketFolder, log)
      if (await becomesReady(child, home, say, signal)) return superviseChild(child)
      signal?.throwIfAborted()
      const output = await readFrom(log, size)
      const isHeld = /lock file .* (already exists|is empty)|is still in use/.test(output)
      if (!isHeld || Date.now() > deadline) throw explainOutput(output, home)
      await delay(100)
    }
  } finally {
    await log.close()
  }
}

async function spawnPostgres(
  binaries: Binaries,
  home: Home,
  socketFolder: string,
  log: FileHandle,
): Promise<ChildProcess> {
  const left = await readPidFile(home)
  // PostgreSQL refuses an empty file of its own for good; a full disk or a power failure can leave one.
  if (left !== undefined && left.pid === undefined) await rm(join(home.cluster, 'postmaster.pid'), { force: true })
  const { env, ...options } = optionsFor(home)
  // The number in a crashed database's file may meanwhile be someone else's, or a zombie's, which PostgreSQL would take
  // for a living database. Named as a grandparent it is passed over, while the check that nobody uses the cluster's
  // shared memory stays in force.
  const disregarded = left?.pid === undefined ? {} : { PG_GRANDPARENT_PID: String(left.pid) }
  const child = spawn(binaries.postgres, ['-D', home.cluster, '-k', socketFolder, '-p', '5432'], {
    ...options,
    env: { ...env, ...disregarded },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  await once(child, 'spawn').catch((error) => {
    throw explainSpawn(error, home)
  })
  return child
}

/** False when it gave up, or was told to. It may take long after an unclean stop, as it replays its log. */
async function becomesReady(
  child: ChildProcess,
  home: Home,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const startedAt = Date.now()
  for (let hasSaid = false; Date.now() - startedAt < recoveryMsMax; await delay(10)) {
    if (hasExited(child)) return false
    if (signal?.aborted) child.kill('SIGINT')
    const file = await readPidFile(home)
    if (file?.pid === child.pid && file?.state === 'ready' && !signal?.aborted) return true
    if (!hasSaid && Date.now() - startedAt > 3_000) {
      hasSaid = true
      say('The database replays its log after an unclean stop; this may take a minute')
    }
  }
  child.kill('SIGQUIT')
  throw new StartupError(
    `The database in ${home.cluster} was not ready within ten minutes: read postgres.log in the ` +
      'data folder, then start again',
  )
}

function superviseChild(child: ChildProcess): Postmaster {
  const exited = new Promise<void>((resolve) => (hasExited(child) ? resolve() : child.once('exit', () => resolve())))
  const stop = async () => {
    for (const { signal, withinMs } of stopSignals) {
      child.kill(signal)
      const patience = new AbortController()
      await Promise.race([exited, delay(withinMs, undefined, { signal: patience.signal }).catch(() => undefined)])
      patience.abort()
      if (hasExited(child)) return
    }
  }
  return { exited, stop, signalStop: () => void child.kill('SIGINT') }
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Its first line is the process, its eighth the state. */
async function readPidFile(home: Home): Promise<{ pid: number | undefined; state: string } | undefined> {
  const text = await readFile(join(home.cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return { pid: Number.isInteger(pid) && pid > 0 ? pid : undefined, state: lines[7]?.trim() ?? '' }
}

/** The whole path is compared, because the number may by now belong to a quite different PostgreSQL. */
async function isPostmasterOf(pid: number, home: Home): Promise<boolean> {
  return (await findProcess(pid))?.command.includes(`postgres -D ${home.cluster} `) ?? false
}

function signalOrExplain(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (cause) {
    if (errorCode(cause) === 'ESRCH') return
    throw new StartupError(
      `A killed server has left its database (process ${pid}) running as another user: stop it with ` +
        `\`sudo kill -INT ${pid}\` and start again`,
      { cause },
    )
  }
}

async function readFrom(log: FileHandle, position: number): Promise<string> {
  const buffer = Buffer.alloc(20_000)
  const { bytesRead } = await log.read(buffer, 0, buffer.length, position)
  return buffer.toString('utf8', 0, bytesRead)
}
