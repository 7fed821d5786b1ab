// `parley-server backup`, `restore` and `resume`: copies of everything, and the way back.
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import type { LivingKey } from '../backup/after-restore.js'
import type { BackupPlace, StoredBackup } from '../backup/backup-place.js'
import { countHeld, readHold, releaseSending } from '../backup/held-sending.js'
import { readManifest } from '../backup/manifest.js'
import { removeOldBackups } from '../backup/old-backups.js'
import { pickName, withPlace } from '../backup/open-place.js'
import { type Restored, requireRestorable, restoreBackup } from '../backup/restore-backup.js'
import { type WrittenBackup, writeBackup } from '../backup/write-backup.js'
import type { Config } from '../config/config.js'
import type { Database } from '../database/pool.js'
import { StartupError } from '../database/startup-error.js'
import { attachEmbedded } from '../embedded-postgres/embedded.js'
import type { Blobs } from '../store/blobs.js'
import { createSealer } from '../store/secret-box.js'
import { knownSecret, secretFor, settingsFromEnvironment } from './open-database.js'
import { dash, jsonOption, type Printing, prepare, print, table, withDatabase } from './operator-database.js'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** Where the settings keep recordings, and what is done with them. */
async function withBlobs<T>(config: Config, use: (blobs: Blobs) => Promise<T>): Promise<T> {
  const { blobPlaceOf, openBlobs } = await import('../recordings/open-blobs.js')
  const onTrouble = (error: Error) => console.error(error.message)
  const opened = await openBlobs(blobPlaceOf(config), { timeoutMs: config.blobTimeoutMs, isSigning: false, onTrouble })
  try {
    return await use(opened.blobs)
  } finally {
    opened.close()
  }
}

export function addBackupCommands(program: Command): void {
  addBackup(program)
  addRestore(program)
  addResume(program)
}

function addBackup(program: Command): void {
  program
    .command('backup <to>')
    .description('copy the database and the recordings, beside running servers, into a folder or s3://bucket/prefix')
    .option('--keep <count>', 'how many backups to keep there, this one included; without it all', count)
    .addOption(jsonOption())
    .action((to: string, options: BackupFlags) =>
      withDatabase((database, config) =>
        withPlace(to, config.blobTimeoutMs, (place) => backUp(database, config, place, options)),
      ),
    )
}

interface BackupFlags extends Printing {
  readonly keep?: number
}

async function backUp(database: Database, config: Config, place: BackupPlace, options: BackupFlags): Promise<void> {
  const sealer = createSealer(await secretFor(config, database))
  const parts = { database, sealer, place, version, now: new Date() }
  const written = await withBlobs(config, (blobs) => writeBackup({ ...parts, blobs }))
  const removed = options.keep === undefined ? [] : await removeOldBackups(place, options.keep)
  print(options, { ...summaryOf(written), at: place.address, removed }, textOf(written, place.address, removed))
}

function summaryOf({ name, manifest, missing }: WrittenBackup) {
  const rows = manifest.tables.reduce((sum, part) => sum + part.rows, 0)
  const bytes = manifest.tables.reduce((sum, part) => sum + part.bytes, manifest.recordings.totalBytes)
  return { name, rows, recordings: manifest.recordings.count, bytes, missing: missing.map(({ path }) => path) }
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

interface RestoreFlags extends Printing {
  readonly force?: boolean
  readonly revokeKeys?: boolean
  readonly check?: boolean
}

function addRestore(program: Command): void {
  program
    .command('restore <from>')
    .description('fill an empty database from a backup, or from the newest one of the place that holds several')
    .option('--check', 'only read the backup through and say what is in it')
    .option('--force', 'replace what is in the database')
    .option('--revoke-keys', 'revoke all API keys that were alive in the backup')
    .addOption(jsonOption())
    .action((from: string, options: RestoreFlags) => {
      const config = settingsFromEnvironment()
      return withPlace(from, config.blobTimeoutMs, async (place, named) => {
        const name = await pickName(place, named)
        await restore(config, name, place.open(name), options)
      })
    })
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

/** The embedded database belongs to the server that runs on it. */
async function requireStopped({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined && (await attachEmbedded(dataDir)))
    throw new StartupError(`A server runs on ${dataDir}. Stop it first.`)
}

function restoredText(name: string, { rows, recordings, sessions, links, keys, keysRevoked }: Restored): string {
  return [
    `Restored ${name}: ${rows} rows, ${recordings} recordings. Ended ${sessions} sessions and ${links} links.`,
    keysRevoked > 0 ? `Revoked ${keysRevoked} keys:` : `${keys.length} keys are alive; revoke what was revoked since:`,
    table(keyHead, keys.map(keyRow)),
    'Webhooks and texts are held. See how many would be sent: parley-server resume --dry-run',
  ].join('\n')
}

const keyHead = ['ID', 'KEY', 'SCOPE', 'LAST USED', 'ORGANIZATION', 'ENVIRONMENT', 'NAME']
const keyRow = (key: LivingKey): string[] => [
  key.id,
  key.key,
  key.scope,
  dash(key.lastUsedAt),
  key.organization,
  key.environment,
  key.name,
]

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

function count(written: string): number {
  if (!/^[1-9]\d{0,5}$/.test(written)) throw new InvalidArgumentError('It is a whole number, at least 1.')
  return Number(written)
}
