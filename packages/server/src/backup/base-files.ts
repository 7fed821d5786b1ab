// The files of a running cluster as one packed file, and back: each file is a line that tells its path and length,
// followed by its bytes. What PostgreSQL changes meanwhile it mends from its log when the copy is started.
import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { errorCode } from '../database/error-code.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { clusterNumber } from '../embedded-postgres/wal-archive.js'
import { type BackupDraft, type StoredBackup, writePart } from './backup-place.js'
import { openFile } from './check-backup.js'
import type { BasePart } from './manifest.js'

interface Entry {
  readonly path: string
  /** Undefined for a folder. */
  readonly bytes?: number
}

/** Folders whose contents PostgreSQL makes anew, and files that belong to the process. */
const emptied = /^(pg_wal|pg_stat_tmp|pg_subtrans|pg_notify|pg_serial|pg_snapshots|pg_dynshmem|pg_replslot)\//
const leftOut = /^postmaster\.(pid|opts)$|(^|\/)pgsql_tmp|^recovery\.signal$|^backup_label|\.new$/
const CONTROL = 'global/pg_control'
/** It waits until the log up to here is kept. */
const STOP_TIMEOUT = '120s'

/** Copies the cluster while it runs. */
export async function writeBase(database: Database, cluster: string, draft: BackupDraft): Promise<BasePart> {
  return database.withClient(async (client) => {
    await client.query(`select pg_backup_start('parley', true)`)
    let files = 0
    async function* all(): AsyncGenerator<Buffer> {
      for await (const path of walk(cluster, '')) {
        if (path === CONTROL) continue
        yield* entryOf(cluster, path)
        files++
      }
      yield* entryOf(cluster, CONTROL)
      const label = await stopBackup(client)
      yield* textEntry('backup_label', label)
      startWal = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? ''
    }
    let startWal = ''
    const packed = createGzip({ level: 1 })
    const packing = pipeline(all(), packed)
    const [part] = await Promise.all([writePart(draft, 'base.gz', packed), packing])
    const { rows } = await client.query<{ postgres: string; now: Date }>(
      `select current_setting('server_version') as postgres, clock_timestamp() as now`,
    )
    const [about] = rows
    const endedAt = about?.now.toISOString() ?? ''
    const systemId = await clusterNumber(cluster)
    return { ...part, files, startWal, systemId, postgres: about?.postgres ?? '', endedAt }
  })
}

async function stopBackup(client: pg.ClientBase): Promise<string> {
  await client.query(`set statement_timeout = '${STOP_TIMEOUT}'`)
  const { rows } = await client
    .query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)')
    .catch((cause: unknown) => {
      if (errorCode(cause) !== '57014') throw cause
      throw new StartupError(
        `The write-ahead log is not being kept in PARLEY_WAL_ARCHIVE: postgres.log in the data folder says why`,
        { cause },
      )
    })
  return rows[0]?.labelfile ?? ''
}

/** Paths below the root, folders before what is in them. What goes away meanwhile is passed over. */
async function* walk(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(ifAbsent)
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    if (leftOut.test(path) || (emptied.test(path) && path !== 'pg_wal/archive_status')) continue
    if (entry.isDirectory()) {
      yield `${path}/`
      yield* walk(root, path)
    } else if (entry.isFile()) yield path
  }
}

/** As long as it was when it was opened: what was cut off meanwhile is zeros, which the log fills in again. */
async function* entryOf(root: string, path: string): AsyncGenerator<Buffer> {
  if (path.endsWith('/')) return yield headerOf({ path })
  const file = await open(join(root, path), 'r').catch(ifAbsent)
  if (file === undefined) return
  try {
    const { size } = await file.stat()
    yield headerOf({ path, bytes: size })
    let left = size
    while (left > 0) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, CHUNK)), 0, Math.min(left, CHUNK), null)
      const chunk = bytesRead === 0 ? Buffer.alloc(Math.min(left, CHUNK)) : buffer.subarray(0, bytesRead)
      yield chunk
      left -= chunk.length
    }
  } finally {
    await file.close()
  }
}

const CHUNK = 256 * 1024

function* textEntry(path: string, text: string): Generator<Buffer> {
  yield headerOf({ path, bytes: Buffer.byteLength(text) })
  yield Buffer.from(text)
}

const headerOf = (entry: Entry): Buffer => Buffer.from(`${JSON.stringify(entry)}\n`)

/** Writes the files of a backup's cluster into a folder. */
export async function readBase(backup: StoredBackup, { path }: BasePart, folder: string): Promise<void> {
  await pipeline(await openFile(backup, path), createGunzip(), (bytes: AsyncIterable<Buffer>) => unpack(bytes, folder))
}

async function unpack(source: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const reader = readerOf(source)
  for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
    const { path, bytes }: Entry = JSON.parse(line)
    const to = join(folder, path)
    if (!to.startsWith(`${folder}/`)) throw new StartupError(`The backup has a file outside of its folder: ${path}`)
    await mkdir(bytes === undefined ? to : dirname(to), { recursive: true, mode: 0o700 })
    if (bytes === undefined) continue
    const file = await open(to, 'wx', 0o600)
    try {
      for await (const chunk of reader.bytes(bytes)) await file.writeFile(chunk)
    } finally {
      await file.close()
    }
  }
  await stat(join(folder, CONTROL))
}

/** Lines and runs of bytes, by turns. */
function readerOf(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (!done) held = held.length === 0 ? value : Buffer.concat([held, value])
    return !done
  }
  return {
    async line(): Promise<string | undefined> {
      while (!held.includes('\n')) if (!(await more())) return undefined
      const end = held.indexOf('\n')
      const line = held.toString('utf8', 0, end)
      held = held.subarray(end + 1)
      return line
    },
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let left = count; left > 0; ) {
        if (held.length === 0 && !(await more())) throw new Error('The files of the cluster end too early')
        const chunk = held.subarray(0, left)
        held = held.subarray(chunk.length)
        left -= chunk.length
        yield chunk
      }
    },
  }
}

function ifAbsent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
