// Brings the embedded database to a moment: by the newest backup before it, and the write-ahead log since.

import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { recoverySettings } from '../embedded-postgres/replace-cluster.js'
import { namedBlobs } from '../recordings/named-blobs.js'
import type { Blobs } from '../store/blobs.js'
import type { BackupPlace, StoredBackup } from './backup-place.js'
import { openFile, recordingsOf } from './check-backup.js'
import { type BasePart, type Manifest, readManifest } from './manifest.js'
import { type Restored, type RestoreOptions, settle } from './restore-backup.js'

export interface PickedBase {
  readonly name: string
  readonly backup: StoredBackup
  readonly manifest: Manifest
  readonly base: BasePart
}

/** The one that was named, or the newest that was complete by then. */
export async function pickBase(
  place: BackupPlace,
  named: string | undefined,
  until: Date | undefined,
): Promise<PickedBase> {
  for (const name of named ? [named] : (await place.names()).reverse()) {
    const backup = place.open(name)
    const manifest = await readManifest(backup)
    const { base } = manifest
    if (base && (until === undefined || new Date(base.endedAt) <= until)) return { name, backup, manifest, base }
  }
  throw new StartupError(
    `No backup at ${place.address} was made with PARLEY_WAL_ARCHIVE set and ended before that moment.`,
  )
}

export interface RecoveredParts extends RestoreOptions {
  readonly database: Database
  readonly blobs: Blobs
  readonly until: Date
  readonly migrate: () => Promise<unknown>
}

/** What is to be done once PostgreSQL has come to the moment. */
export async function settleRecovered(
  { backup, manifest }: PickedBase,
  parts: RecoveredParts,
): Promise<Omit<Restored, 'rows'> & { readonly missing: number }> {
  const { database, blobs } = parts
  await parts.migrate()
  const recordings = await addBlobs(backup, manifest, blobs)
  const settled = await database.withClient(async (client) => {
    for (const name of recoverySettings) await client.query(`alter system reset ${name}`)
    return settle(client, parts, parts.until)
  })
  let missing = 0
  for await (const { folder, name } of namedBlobs(database)) {
    if ((await blobs.size(folder, name)) === undefined) missing++
  }
  return { ...settled, recordings, missing }
}

/** What is there stays: it may be younger than the backup. */
async function addBlobs(backup: StoredBackup, manifest: Manifest, blobs: Blobs): Promise<number> {
  let added = 0
  for await (const { folder, name, path, bytes } of recordingsOf(backup, manifest)) {
    if ((await blobs.size(folder, name)) === bytes) continue
    await blobs.remove(folder, name)
    const tooLarge = () => new Error(`${path} is longer than the backup says`)
    await blobs.put(folder, name, await openFile(backup, path), { bytesMax: bytes, tooLarge })
    added++
  }
  return added
}
