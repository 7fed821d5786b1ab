// `parley-server restore` and `resume`: the way back from a backup, and from there to sending again.
import type { Command } from 'commander'
import type { StoredBackup } from '../backup/backup-place.js'
import { countHeld, readHold, releaseSending } from '../backup/held-sending.js'
import { readManifest } from '../backup/manifest.js'
import { pickName, withPlace } from '../backup/open-place.js'
import { requireRestorable, restoreBackup } from '../backup/restore-backup.js'
import type { Config } from '../config/config.js'
import { createSealer } from '../store/secret-box.js'
import { knownSecret, settingsFromEnvironment } from './open-database.js'
import { withBlobs } from './operator-backup.js'
import { jsonOption, type Printing, prepare, print, withDatabase } from './operator-database.js'
import { restoreAt } from './operator-restore-at.js'
import { type RestoreFlags, requireStopped, restoredText } from './restored-text.js'

export function addRestoreCommands(program: Command): void {
  program
    .command('restore <from>')
    .description('fill an empty database from a backup, or from the newest one of the place that holds several')
    .option('--check', 'only read the backup through and say what is in it')
    .option('--force', 'replace what is in the database')
    .option('--at <time>', 'bring the embedded database to this moment (or: latest), by the log of PARLEY_WAL_ARCHIVE')
    .option('--revoke-keys', 'revoke all API keys that were alive in the backup')
    .addOption(jsonOption())
    .action((from: string, options: RestoreFlags) => {
      const config = settingsFromEnvironment()
      return withPlace(from, config.blobTimeoutMs, async (place, named) => {
        if (options.at !== undefined) return restoreAt(config, place, named, options)
        const name = await pickName(place, named)
        await restore(config, name, place.open(name), options)
      })
    })
  addResume(program)
}

async function restore(config: Config, name: string, backup: StoredBackup, options: RestoreFlags): Promise<void> {
  const sealer = createSealer(await knownSecret(config))
  const manifest = await readManifest(backup)
  await requireRestorable(backup, manifest, sealer)
  const { force = false, revokeKeys = false, check = false } = options
  if (check) return print(options, { name, createdAt: manifest.createdAt }, `${name} is whole.`)
  await requireStopped(config)
  await withDatabase(async (database) => {
    const migrate = () => prepare(database, { isUnfinished: true })
    const parts = { backup, manifest, database, migrate, force, revokeKeys }
    const restored = await withBlobs(config, (blobs) => restoreBackup({ ...parts, blobs }))
    print(options, { name, ...restored }, restoredText(name, restored))
  })
}

function addResume(program: Command): void {
  program
    .command('resume')
    .description('send webhooks and texts again after a restore')
    .option('--dry-run', 'only say how many would be sent')
    .addOption(jsonOption())
    .action((options: Printing & { dryRun?: boolean }) =>
      withDatabase(async (database) => {
        const held = await readHold(database)
        if (held === undefined) return print(options, { held: null }, 'Nothing is held.')
        const counts = await countHeld(database)
        const would = `${counts.deliveries} webhooks and ${counts.texts} texts`
        const isReleased = options.dryRun !== true
        if (isReleased) await releaseSending(database)
        const text = isReleased
          ? `Servers send again within a second: ${would} that were open at ${held.restoredTo}, or came since.`
          : `${would} would be sent that were open at ${held.restoredTo}, or came since. Some of them may have been ` +
            'sent before the restore, and would be sent again.'
        print(options, { held, ...counts, isReleased }, text)
      }),
    )
}
