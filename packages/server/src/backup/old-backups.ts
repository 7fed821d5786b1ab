// Removes backups when there are more than are wanted, oldest first. Only complete ones count.
import type { BackupPlace } from './backup-place.js'

/** The names of those that were removed. */
export async function removeOldBackups(place: BackupPlace, keep: number): Promise<string[]> {
  const old = (await place.names()).slice(0, -keep)
  for (const name of old) await place.remove(name)
  return old
}
