// Brings a database up to this version: numbered SQL files, each applied once, whichever node comes first. What can run
// beside a serving node is left to `background-migrations.ts`, except on a new database, where nobody waits and nothing
// is large.
import type pg from 'pg'
import { withLock } from './advisory-lock.js'
import { runBatches, runConcurrently } from './background-migrations.js'
import { type Migration, migrationFolder, readMigrations } from './migration-files.js'
import type { Database } from './pool.js'
import { StartupError } from './startup-error.js'
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
}

/** Applies what is missing, then refreshes the derived views. Returns the names that were applied. */
export async function migrate(
  database: Database,
  { views = [], derive, folder = migrationFolder, isComplete = false }: Migrating = {},
): Promise<string[]> {
  return withLock(database, MIGRATION_LOCK, () =>
    database.withClient(async (client) => {
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::int as version`,
      )
      requireServer(rows[0]?.version ?? 0)
      const { missing, isNew } = await missingMigrations(client, folder)
      const due = missing.filter(({ kind }) => isNew || isComplete || kind === 'transaction')
      for (const migration of due) await apply(client, migration)
      await replaceViews(client, views)
      await derive?.(client)
      await forgetForeignTransactions(client)
      return due.map(({ name }) => name)
    }),
  )
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

/**
 * Events that were restored into a younger cluster carry transaction ids that have not happened here yet: no reader
 * would see them before they do. Then all events there are move before everything that can happen here, in the order of
 * their ids. Only the last event of each tenant is looked at, so a start is cheap.
 */
async function forgetForeignTransactions(client: pg.ClientBase): Promise<void> {
  await client.query(`update events set xact = '0' where xact <> '0' and exists (
    select from tenants t, lateral (
      select xact from events where tenant_id = t.id order by tenant_id desc, xact desc, id desc limit 1
    ) e
    where e.xact >= pg_snapshot_xmax(pg_current_snapshot()))`)
}
