// `parley-server restore --at`: the embedded database as it was at a moment, by a backup and the write-ahead log since.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupPlace } from '../backup/backup-place.js'
import { readBase } from '../backup/base-files.js'
import { type PickedBase, pickBase, settleRecovered } from '../backup/point-in-time.js'
import { requireRestorable } from '../backup/restore-backup.js'
import type { Config } from '../config/config.js'
import { StartupError } from '../database/startup-error.js'
import { findPackage } from '../embedded-postgres/embedded-binaries.js'
import { endReplacement, replaceCluster } from '../embedded-postgres/replace-cluster.js'
import { archiveFolder } from '../embedded-postgres/wal-archive.js'
import { createSealer } from '../store/secret-box.js'
import { knownSecret } from './open-database.js'
import { withBlobs } from './operator-backup.js'
import { prepare, print, withDatabase } from './operator-database.js'
import { type RestoreFlags, requireStopped, restoredText } from './restored-text.js'

export async function restoreAt(
  config: Config,
  place: BackupPlace,
  named: string | undefined,
  options: RestoreFlags,
): Promise<void> {
  const { walArchive, dataDir } = config
  if (config.databaseUrl !== undefined)
    throw new StartupError('--at is for the embedded database. Recover your own server by its own archive.')
  if (walArchive === undefined)
    throw new StartupError('Set PARLEY_WAL_ARCHIVE to the folder that the write-ahead log was kept in.')
  const until = readMoment(options.at ?? '')
  const picked = await pickBase(place, named, until)
  const { name, backup, manifest, base } = picked
  await requireRestorable(backup, manifest, createSealer(await knownSecret(config)))
  await requireUsable(picked, walArchive)
  await requireStopped(config)
  const { force = false, revokeKeys = false, check = false } = options
  if (check) return print(options, { name, createdAt: manifest.createdAt }, `${name} is whole.`)
  const fill = (folder: string) => readBase(backup, base, folder)
  const kept = await replaceCluster({ dataFolder: dataDir, walArchive, until, force, fill })
  await withDatabase(
    async (database) => {
      const parts = { database, until: until ?? new Date(), force, revokeKeys, migrate: () => prepare(database) }
      const settled = await withBlobs(config, (blobs) => settleRecovered(picked, { ...parts, blobs }))
      await endReplacement(dataDir)
      const { missing } = settled
      const about = [
        restoredText(`${name} and the log up to ${until?.toISOString() ?? 'its end'}`, settled),
        ...(missing > 0 ? [`${missing} recordings are named and not there: they came after the backup.`] : []),
        ...(kept ? [`The database that was there is kept in ${kept}. Remove it when you are sure.`] : []),
      ]
      print(options, { name, kept, ...settled }, about.join('\n'))
    },
    { isUnfinished: true },
  )
}

/** Undefined: the end of the log. */
function readMoment(written: string): Date | undefined {
  if (written === 'latest') return undefined
  const moment = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(written) ? new Date(written) : new Date(Number.NaN)
  if (Number.isNaN(moment.getTime()))
    throw new StartupError(`--at is ${written}; expected a time such as 2026-01-31T09:30:00Z, or latest`)
  return moment
}

async function requireUsable({ base }: PickedBase, walArchive: string): Promise<void> {
  const major = (version: string) => version.split('.')[0]
  const { version } = await findPackage()
  if (major(version) !== major(base.postgres))
    throw new StartupError(
      `The backup is of PostgreSQL ${base.postgres}, and this is ${version}: restore it without --at, or with the ` +
        'version of Parley that made it.',
    )
  const first = join(archiveFolder(walArchive, base.systemId), base.startWal)
  await access(first).catch(() => {
    throw new StartupError(`The write-ahead log is not complete: ${first} is missing.`)
  })
}
