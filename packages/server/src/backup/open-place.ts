// Opens the place of backups that an operator names: a folder.
import { resolve } from 'node:path'
import { StartupError } from '../database/startup-error.js'
import type { BackupPlace, StoredBackup } from './backup-place.js'
import { folderPlace, splitFolder } from './folder-place.js'

export async function openPlace(address: string): Promise<BackupPlace> {
  return folderPlace(resolve(address))
}

export interface PickedBackup {
  readonly name: string
  readonly backup: StoredBackup
}

/** The one that is named, or the newest of the place. */
export async function pickBackup(address: string): Promise<PickedBackup> {
  const { root, name } = await splitFolder(resolve(address))
  const place = folderPlace(root)
  const picked = name ?? (await place.names()).at(-1)
  if (picked === undefined) throw new StartupError(`There is no complete backup at ${address}.`)
  return { name: picked, backup: place.open(picked) }
}
