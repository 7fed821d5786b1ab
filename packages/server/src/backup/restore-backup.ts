// Restores a backup into an empty database. Everything that can be known beforehand is checked before anything is
// written: the secret, the version, every checksum, and that nothing is overwritten.
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { compareMigrations } from '../database/migrate.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { raiseTransactionIds } from '../database/transaction-ids.js'
import type { Blobs } from '../store/blobs.js'
import type { Sealer } from '../store/secret-box.js'
import { type Ended, endSessions, type LivingKey, livingKeys, revokeKeys } from './after-restore.js'
import type { StoredBackup } from './backup-place.js'
import { listed, quoted, readTables } from './catalog.js'
import { checkFiles, openFile, recordingsOf } from './check-backup.js'
import { holdSending } from './held-sending.js'
import { fingerprintOf, type Manifest, type TablePart } from './manifest.js'
import { markUnfinished, prepareTables, requireTarget, unmark } from './target-database.js'

export interface RestoreOptions {
  /** Replaces what is in the target. */
  readonly force: boolean
  readonly revokeKeys: boolean
}

export interface RestoreParts extends RestoreOptions {
  readonly backup: StoredBackup
  readonly manifest: Manifest
  readonly database: Database
  readonly blobs: Blobs
  /** Brings the tables up to this version, once they are filled and before anybody serves them. */
  readonly migrate: () => Promise<unknown>
}

export interface Restored extends Ended {
  readonly rows: number
  readonly recordings: number
  /** Those that were alive in the backup. */
  readonly keys: readonly LivingKey[]
  readonly keysRevoked: number
}

/** What can be said against a backup without looking at the target. Nothing has been written by then. */
export async function requireRestorable(backup: StoredBackup, manifest: Manifest, sealer: Sealer): Promise<void> {
  requireSecret(manifest, sealer)
  const { unknown } = await compareMigrations(manifest.migrations)
  if (unknown.length > 0)
    throw new StartupError(
      `The backup was made by a newer Parley, ${manifest.version} (${unknown.join(', ')}). Restore it with that one.`,
    )
  await checkFiles(backup, manifest)
}

export function requireSecret({ secretFingerprint }: Manifest, sealer: Sealer): void {
  if (secretFingerprint === fingerprintOf(sealer)) return
  throw new StartupError(
    'The secret is not the one that the backup is sealed with. Set PARLEY_SECRET to that one, or put its file ' +
      '`secret` into the data folder. Nothing was written.',
  )
}

export async function restoreBackup(parts: RestoreParts): Promise<Restored> {
  const { backup, manifest, database, blobs, migrate } = parts
  const filled = await database.withClient(async (client) => {
    await requireTarget(client, parts.force)
    await markUnfinished(client)
    const finishTables = await prepareTables(client, manifest)
    await requireTables(client, manifest)
    for (const table of manifest.tables) await fillTable(client, backup, table)
    for (const { name, value, isCalled } of manifest.sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), value, isCalled])
    await finishTables()
    await raiseTransactionIds(client, manifest.nextTransaction)
    await client.query('analyze')
    const recordings = await fillBlobs(backup, manifest, blobs)
    await migrate()
    return { recordings, ...(await settle(client, parts, new Date(manifest.createdAt))) }
  })
  return { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), ...filled }
}

/** The last step, whole or not at all: from here on a server may serve it. */
export async function settle(client: pg.ClientBase, options: RestoreOptions, restoredTo: Date) {
  await client.query('begin')
  const ended = await endSessions(client)
  const keys = await livingKeys(client)
  const keysRevoked = options.revokeKeys ? await revokeKeys(client) : 0
  await holdSending(client, restoredTo)
  await unmark(client)
  await client.query('commit')
  return { ...ended, keys, keysRevoked }
}

async function requireTables(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  const known = new Set((await readTables(client)).map(({ name }) => name))
  const unknown = tables.filter(({ table, rows }) => rows > 0 && !known.has(table))
  if (unknown.length > 0)
    throw new StartupError(`The backup has tables that are not known: ${unknown.map(({ table }) => table).join(', ')}.`)
}

async function fillTable(client: pg.ClientBase, backup: StoredBackup, part: TablePart): Promise<void> {
  if (part.rows === 0) return
  const into = client.query(copyFrom(`copy ${quoted(part.table)} (${listed(part.columns)}) from stdin`))
  await pipeline(await openFile(backup, part.path), createGunzip(), into)
}

/** A blob of the same name is the same one, maybe only a part of it. */
async function fillBlobs(backup: StoredBackup, manifest: Manifest, blobs: Blobs): Promise<number> {
  let count = 0
  for await (const { folder, name, path, bytes } of recordingsOf(backup, manifest)) {
    await blobs.remove(folder, name)
    const tooLarge = () => new Error(`${path} is longer than the backup says`)
    await blobs.put(folder, name, await openFile(backup, path), { bytesMax: bytes, tooLarge })
    count++
  }
  return count
}
