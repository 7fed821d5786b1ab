// Brings a database up to this version: numbered SQL files, each applied once, whichever node comes first.
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Database } from './pool.js'
import { sql } from './sql.js'
import { StartupError } from './startup-error.js'

const folder = new URL('../../src/database/migrations/', import.meta.url)
/** Any number, as long as every node uses the same. */
const MIGRATION_LOCK = 4_827_361
const OLDEST_SERVER = 150_000

interface Migration {
  readonly name: string
  readonly text: string
}

/** Applies what is missing, then lets `afterwards` refresh what is derived (views). Returns the names that were applied. */
export async function migrate(database: Database, afterwards: readonly string[]): Promise<string[]> {
  return database.withClient(async (client) => {
    const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
    requireServer(rows[0]?.version ?? 0)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      const missing = await missingMigrations(client)
      for (const migration of missing) await apply(client, migration)
      await refresh(client, afterwards)
      await forgetForeignTransactions(client)
      return missing.map(({ name }) => name)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    }
  })
}

/** Whether the schema is what this version expects, for readiness. */
export async function isMigrated(database: Database): Promise<boolean> {
  const applied = await database.query<{ name: string }>(sql`select name from migrations`)
  const known = await knownMigrations()
  return known.every((name) => applied.some((row) => row.name === name))
}

const knownMigrations = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/** `version` as the server numbers itself: 150004 is 15.4. */
export function requireServer(version: number): void {
  if (version >= OLDEST_SERVER) return
  throw new StartupError(`DATABASE_URL points to PostgreSQL ${Math.floor(version / 10_000)}; Parley needs 15 or later. Upgrade that server or use another one.`)
}

async function missingMigrations(client: pg.ClientBase): Promise<Migration[]> {
  await client.query('create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())')
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map(({ name }) => name))
  const known = await knownMigrations()
  const unknown = [...applied].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new StartupError(`The database was migrated by a newer Parley (${unknown.join(', ')}). Run that version, or restore a backup made before it.`)
  }
  return Promise.all(known.filter((name) => !applied.has(name)).map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') })))
}

async function apply(client: pg.ClientBase, { name, text }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    // The code stays, because it tells what the operator can do about it.
    const { message, code } = error as Error & { code?: unknown }
    throw Object.assign(new Error(`Migration ${name} failed: ${message}`, { cause: error }), { code })
  }
}

/**
 * Events that were restored into a younger cluster carry transaction ids that have not happened here yet: no reader would see them before they do. Then all
 * events there are move before everything that can happen here, in the order of their ids. Only the last event of each tenant is looked at, so a start is cheap.
 */
async function forgetForeignTransactions(client: pg.ClientBase): Promise<void> {
  await client.query(`update events set xact = '0' where xact <> '0' and exists (
    select from tenants t, lateral (select xact from events where tenant_id = t.id order by tenant_id desc, xact desc, id desc limit 1) e
    where e.xact >= pg_snapshot_xmax(pg_current_snapshot()))`)
}

/** Derived objects are replaced only when their text changed, so that starting a node locks nothing. */
async function refresh(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  const text = statements.join(';\n')
  await client.query('create table if not exists derived_schema (only_row boolean primary key default true check (only_row), text text not null)')
  const { rows } = await client.query<{ text: string }>('select text from derived_schema')
  if (rows[0]?.text === text) return
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into derived_schema (text) values ($1) on conflict (only_row) do update set text = excluded.text', [text])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
