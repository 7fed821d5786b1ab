// The lock that lets one server at a time use a folder. It outlives no crash: a dead owner's lock is taken over by the
// next start, and of several that try at the same instant exactly one succeeds.

import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../database/error-code.js'
import { findProcess, numberSpace } from './running-process.js'

interface LockOwner {
  id: string
  pid: number
  startedAt: string
  numberSpace: string
  since: string
}

type LockAttempt = { kind: 'taken'; id: string; release(): Promise<void> } | { kind: 'held'; owner: LockOwner }

const beatMs = 2_000
const silenceMs = 5_000
const draftMsMax = 60_000

/**
 * The lock is a folder `server.lock` that holds one file, named after its owner. Renaming a folder onto another
 * succeeds only while the other is absent or empty, and decides the race; a dead owner's file is removed by its own
 * name, so whoever comes late cannot remove the file of the one that was quicker. (A single lock file cannot be taken
 * over safely: between reading and replacing it somebody else may have.)
 */
export async function lockFolder(folder: string): Promise<LockAttempt> {
  const lock = join(folder, 'server.lock')
  const id = `${process.pid}-${randomBytes(6).toString('hex')}`
  const draft = `${lock}.${id}`
  await mkdir(draft, { mode: 0o700 })
  try {
    await writeFile(join(draft, id), JSON.stringify(await describeSelf()), { mode: 0o600 })
    for (;;) {
      const { living, dead } = await inspect(lock)
      if (living !== undefined) return { kind: 'held', owner: living }
      for (const each of dead) await unlink(join(lock, each)).catch(ignoreMissing)
      if (!(await renameOnto(draft, lock))) continue
      await sweepDrafts(folder)
      return hold(lock, id)
    }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** The living owner of the folder. It only looks, so that a command beside the server may ask too. */
export async function findLockOwner(folder: string): Promise<LockOwner | undefined> {
  return (await inspect(join(folder, 'server.lock'))).living
}

async function inspect(lock: string): Promise<{ living: LockOwner | undefined; dead: string[] }> {
  const dead: string[] = []
  for (const id of await listOrNothing(lock)) {
    const owner = await readOwner(lock, id)
    if (owner !== undefined && (await isAlive(owner, join(lock, id)))) return { living: owner, dead }
    dead.push(id)
  }
  return { living: undefined, dead }
}

function hold(lock: string, id: string): LockAttempt {
  const file = join(lock, id)
  const beat = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => undefined)
  }, beatMs).unref()
  const release = async () => {
    clearInterval(beat)
    await unlink(file).catch(ignoreMissing)
    // Someone may have moved in between the two lines, and then the folder is theirs.
    await rmdir(lock).catch(() => undefined)
  }
  return { kind: 'taken', id, release }
}

async function describeSelf(): Promise<Omit<LockOwner, 'id'>> {
  const self = await findProcess(process.pid)
  return {
    pid: process.pid,
    startedAt: self?.startedAt ?? '',
    numberSpace: await numberSpace(),
    since: new Date().toISOString(),
  }
}

/** The file was complete before the lock came to be, so one that does not parse is what a power failure left. */
async function readOwner(lock: string, id: string): Promise<LockOwner | undefined> {
  try {
    const owner: Omit<LockOwner, 'id'> = JSON.parse(await readFile(join(lock, id), 'utf8'))
    return { ...owner, id }
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isAlive(owner: LockOwner, file: string): Promise<boolean> {
  if (owner.numberSpace !== (await numberSpace())) return await isBeating(file)
  return (await findProcess(owner.pid))?.startedAt === owner.startedAt
}

/**
 * An owner in another container cannot be asked for by number; it is alive as long as it touches its file. Clocks may
 * differ, so only change counts.
 */
async function isBeating(file: string): Promise<boolean> {
  const before = await modifiedAt(file)
  for (let waitedMs = 0; waitedMs < silenceMs; waitedMs += 100) {
    await delay(100)
    const after = await modifiedAt(file)
    if (after === undefined) return false
    if (after !== before) return true
  }
  return false
}

async function modifiedAt(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs
}

/**
 * Those of starts that were killed before they came to anything; a young one may belong to somebody who is trying just
 * now.
 */
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const isOld = name.startsWith('server.lock.') && Date.now() - ((await modifiedAt(path)) ?? Date.now()) > draftMsMax
    if (isOld) await rm(path, { recursive: true, force: true })
  }
}

async function renameOnto(draft: string, lock: string): Promise<boolean> {
  try {
    await rename(draft, lock)
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

async function listOrNothing(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
