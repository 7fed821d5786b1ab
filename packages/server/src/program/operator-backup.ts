// `parley-server backup`: a copy of everything, beside running servers.
import { type Command, InvalidArgumentError } from 'commander'
import type { BackupDraft, BackupPlace } from '../backup/backup-place.js'
import { writeBase } from '../backup/base-files.js'
import { removeOldBackups, removeUnneededWal } from '../backup/old-backups.js'
import { withPlace } from '../backup/open-place.js'
import { type WrittenBackup, writeBackup } from '../backup/write-backup.js'
import type { Config } from '../config/config.js'
import { version } from '../config/version.js'
import type { Database } from '../database/pool.js'
import type { Blobs } from '../store/blobs.js'
import { createSealer } from '../store/secret-box.js'
import { secretFor } from './open-database.js'
import { jsonOption, type Printing, print, withDatabase } from './operator-database.js'

/** Where the settings keep recordings, and what is done with them. */
export async function withBlobs<T>(config: Config, use: (blobs: Blobs) => Promise<T>): Promise<T> {
  const { blobPlaceOf, openBlobs } = await import('../recordings/open-blobs.js')
  const onTrouble = (error: Error) => console.error(error.message)
  const opened = await openBlobs(blobPlaceOf(config), { timeoutMs: config.blobTimeoutMs, isSigning: false, onTrouble })
  try {
    return await use(opened.blobs)
  } finally {
    opened.close()
  }
}

export function addBackupCommand(program: Command): void {
  program
    .command('backup <to>')
    .description('copy the database and the recordings, beside running servers, into a folder or s3://bucket/prefix')
    .option('--keep <count>', 'how many backups to keep there, this one included; without it all', count)
    .addOption(jsonOption())
    .action((to: string, options: BackupFlags) =>
      withDatabase((database, config, cluster) =>
        withPlace(to, config.blobTimeoutMs, (place) => backUp({ database, config, cluster }, place, options)),
      ),
    )
}

interface BackupFlags extends Printing {
  readonly keep?: number
}

interface Source {
  readonly database: Database
  readonly config: Config
  /** Where the files of the embedded database are. */
  readonly cluster: string | undefined
}

async function backUp({ database, config, cluster }: Source, place: BackupPlace, options: BackupFlags): Promise<void> {
  const sealer = createSealer(await secretFor(config, database))
  const parts = { database, sealer, place, version, now: new Date() }
  const { walArchive } = config
  const base =
    cluster === undefined || walArchive === undefined
      ? undefined
      : { writeBase: (draft: BackupDraft) => writeBase(database, cluster, draft) }
  const written = await withBlobs(config, (blobs) => writeBackup({ ...parts, ...base, blobs }))
  const removed = options.keep === undefined ? [] : await removeOldBackups(place, options.keep)
  if (removed.length > 0 && walArchive !== undefined) await removeUnneededWal(place, walArchive)
  print(options, { ...summaryOf(written), at: place.address, removed }, textOf(written, place.address, removed))
}

function summaryOf({ name, manifest, missing }: WrittenBackup) {
  const rows = manifest.tables.reduce((sum, part) => sum + part.rows, 0)
  const bytes = manifest.tables.reduce((sum, part) => sum + part.bytes, manifest.recordings.totalBytes)
  return { name, rows, recordings: manifest.recordings.count, bytes, missing }
}

function textOf(written: WrittenBackup, address: string, removed: readonly string[]): string {
  const { name, rows, recordings, bytes, missing } = summaryOf(written)
  return [
    `Wrote and verified ${name} in ${address}: ${rows} rows, ${recordings} recordings, ${bytes} bytes.`,
    ...missing.map((path) => `Not in the store, and so not in the backup: ${path}`),
    ...removed.map((old) => `Removed ${old}.`),
    'The secret is not in it: keep PARLEY_SECRET, or the file `secret` of the data folder, in another safe place.',
  ].join('\n')
}

function count(written: string): number {
  if (!/^[1-9]\d{0,5}$/.test(written)) throw new InvalidArgumentError('It is a whole number, at least 1.')
  return Number(written)
}
