// Removes backups when there are more than are wanted, oldest first, and the write-ahead log that only they needed.
// Only complete ones count.
import { removeOldWal } from '../embedded-postgres/wal-archive.js'
import type { BackupPlace } from './backup-place.js'
import { readManifest } from './manifest.js'

/** The names of those that were removed. */
export async function removeOldBackups(place: BackupPlace, keep: number): Promise<string[]> {
  const old = (await place.names()).slice(0, -keep)
  for (const name of old) await place.remove(name)
  return old
}

/** What is older than the oldest backup that has a base. */
export async function removeUnneededWal(place: BackupPlace, walArchive: string): Promise<void> {
  for (const name of await place.names()) {
    const { base } = await readManifest(place.open(name))
    if (base) return void (await removeOldWal(walArchive, base.systemId, base.startWal))
  }
}
