// Brings a database up to this version: numbered SQL files, each applied once, whichever node comes first. What can run
// beside a serving node is left to `background-migrations.ts`, except on a new database, where nobody waits and nothing
// is large.
import type pg from 'pg'
import { withLock } from './advisory-lock.js'
import { runBatches, runConcurrently } from './background-migrations.js'
import { type Migration, migrationFolder, readMigrations } from './migration-files.js'
import type { Database } from './pool.js'
import { refuseMarked } from './refused-database.js'
import { StartupError } from './startup-error.js'
import { placeForeignEvents } from './transaction-ids.js'
import { replaceViews, type View } from './views.js'

/** Any number, as long as every node uses the same. */
const MIGRATION_LOCK = 4_827_361
const OLDEST_SERVER = 150_000

export interface Migrating {
  /** The views that are derived from the registry. */
  readonly views?: readonly View[]
  /** What else is derived from it, written again at each start. */
  readonly derive?: (client: pg.ClientBase) => Promise<void>
  readonly folder?: URL
  /** Also waits for the migrations that run beside serving nodes. */
  readonly isComplete?: boolean
  /** For whoever is filling the database, which no server may serve yet. */
  readonly isUnfinished?: boolean
}

/** Applies what is missing, then refreshes the derived views. Returns the names that were applied. */
export async function migrate(
  database: Database,
  { views = [], derive, folder = migrationFolder, isComplete = false, isUnfinished = false }: Migrating = {},
): Promise<string[]> {
  return withLock(database, MIGRATION_LOCK, () =>
    database.withClient(async (client) => {
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::int as version`,
      )
      requireServer(rows[0]?.version ?? 0)
      if (!isUnfinished) await refuseMarked(client)
      const { missing, isNew } = await missingMigrations(client, folder)
      const due = missing.filter(({ kind }) => isNew || isComplete || kind === 'transaction')
      for (const migration of due) await apply(client, migration)
      await replaceViews(client, views)
      await derive?.(client)
      await placeForeignEvents(client)
      return due.map(({ name }) => name)
    }),
  )
}

/**
 * Makes the tables of another database in an empty one: by exactly the migrations that were applied there, which leaves
 * out those that had yet to run beside its nodes.
 */
export async function migrateExactly(client: pg.ClientBase, names: ReadonlySet<string>): Promise<void> {
  const { missing } = await missingMigrations(client, migrationFolder)
  for (const migration of missing) if (names.has(migration.name)) await apply(client, migration)
}

export interface MigrationDifference {
  /** What this version does not know: it comes from a newer one. */
  readonly unknown: readonly string[]
  /** What a start of this version would apply. */
  readonly missing: readonly string[]
}

export async function compareMigrations(names: readonly string[]): Promise<MigrationDifference> {
  const known = await readMigrations(migrationFolder)
  return {
    unknown: names.filter((name) => !known.some((one) => one.name === name)),
    missing: known.flatMap(({ name, kind }) => (kind === 'transaction' && !names.includes(name) ? [name] : [])),
  }
}

/** `version` as the server numbers itself: 150004 is 15.4. */
export function requireServer(version: number): void {
  if (version >= OLDEST_SERVER) return
  throw new StartupError(
    `DATABASE_URL points to PostgreSQL ${Math.floor(version / 10_000)}; Parley needs 15 or later. ` +
      'Upgrade that server or use another one.',
  )
}

async function missingMigrations(
  client: pg.ClientBase,
  folder: URL,
): Promise<{ missing: Migration[]; isNew: boolean }> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map(({ name }) => name))
  const known = await readMigrations(folder)
  const unknown = [...applied].filter((name) => !known.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new StartupError(
      `The database was migrated by a newer Parley (${unknown.join(', ')}). Run that version, ` +
        'or restore a backup made before it.',
    )
  }
  return { missing: known.filter(({ name }) => !applied.has(name)), isNew: applied.size === 0 }
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  try {
    if (migration.kind === 'concurrent') await runConcurrently(client, migration)
    else if (migration.kind === 'batch') await runBatches(client, migration)
    else await inTransaction(client, migration)
  } catch (error) {
    // The code stays, because it tells what the operator can do about it.
    const { message, code } = error as Error & { code?: unknown }
    throw Object.assign(new Error(`Migration ${migration.name} failed: ${message}`, { cause: error }), { code })
  }
}

async function inTransaction(client: pg.ClientBase, { name, text }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
