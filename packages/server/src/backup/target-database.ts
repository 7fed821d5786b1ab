// The database that a restore or a move fills. It is marked first, so that no server starts on it, then emptied, given
// the tables of the other, filled, and unmarked last. Whatever happens in between, the same command begins anew.
import type pg from 'pg'
import { migrateExactly } from '../database/migrate.js'
import { hasTable, UNFINISHED } from '../database/refused-database.js'
import { StartupError } from '../database/startup-error.js'
import { listed, type Partition, quoted, readTables, replacePartitions } from './catalog.js'

/** Refuses a target that is in use, or that holds something nobody said may go. */
export async function requireTarget(client: pg.ClientBase, force: boolean): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
      where datname = current_database() and application_name = 'parley' and pid <> pg_backend_pid()
        and backend_type = 'client backend'`,
  )
  if ((rows[0]?.others ?? 0) > 0)
    throw new StartupError('Servers are connected to the database that is to be filled. Stop them first.')
  if (force || (await hasTable(client, UNFINISHED)) || !(await hasOrganizations(client))) return
  throw new StartupError(
    'The database that is to be filled has organizations in it. Use another one, or --force to replace everything.',
  )
}

/** A database that was only migrated holds nothing that anybody could miss. */
async function hasOrganizations(client: pg.ClientBase): Promise<boolean> {
  if (!(await hasTable(client, 'organizations'))) {
    const { rows } = await client.query(`select 1 from pg_class where relkind in ('r', 'p')
      and relnamespace = current_schema()::regnamespace limit 1`)
    return rows.length > 0
  }
  return (await client.query('select 1 from organizations limit 1')).rows.length > 0
}

export async function markUnfinished(client: pg.ClientBase): Promise<void> {
  await client.query(`create table if not exists ${UNFINISHED} (begun_at timestamptz not null default now())`)
}

/** Part of the last transaction. */
export async function unmark(client: pg.ClientBase): Promise<void> {
  await client.query(`drop table if exists ${UNFINISHED}`)
}

/** Removes all tables, views, functions and sequences that are ours, and leaves extensions alone. */
export async function emptyDatabase(client: pg.ClientBase): Promise<void> {
  const isOfNoExtension = (kind: string, oid: string) =>
    `not exists (select from pg_depend d
      where d.classid = '${kind}'::regclass and d.objid = ${oid} and d.deptype = 'e')`
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop schema if exists %I cascade', 'analytics') as statement
    union all select format('drop %s if exists %s cascade',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
        c.oid::regclass)
      from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relnamespace = current_schema()::regnamespace
        and not c.relispartition and c.relname <> '${UNFINISHED}' and ${isOfNoExtension('pg_class', 'c.oid')}
    union all select format('drop routine if exists %s cascade', p.oid::regprocedure)
      from pg_proc p where p.pronamespace = current_schema()::regnamespace and ${isOfNoExtension('pg_proc', 'p.oid')}`,
  )
  await together(
    client,
    rows.map(({ statement }) => statement),
  )
}

/** In one transaction: each of its own would wait for the disk. */
async function together(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  await client.query('begin')
  for (const statement of statements) await client.query(statement)
  await client.query('commit')
}

export interface Shape {
  readonly migrations: readonly string[]
  readonly partitions: readonly Partition[]
}

/**
 * Makes the tables of the other database, empty, with nothing that acts when rows come in. Returns what is to be done
 * once they are filled.
 */
export async function prepareTables(
  client: pg.ClientBase,
  { migrations, partitions }: Shape,
): Promise<() => Promise<void>> {
  await emptyDatabase(client)
  await migrateExactly(client, new Set(migrations))
  await replacePartitions(client, partitions)
  const foreignKeys = await dropForeignKeys(client)
  const names = (await readTables(client)).map(({ name }) => name)
  const triggersOff = names.map((name) => `alter table ${quoted(name)} disable trigger user`)
  await together(client, [...triggersOff, `truncate ${listed(names)}`])
  return async () => {
    const filled = await readTables(client)
    const triggersOn = filled.map(({ name }) => `alter table ${quoted(name)} enable trigger user`)
    // A row without its parent is found here.
    await together(client, [...foreignKeys, ...triggersOn])
  }
}

/** Returns the statements that make them again. */
async function dropForeignKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`,
  )
  await together(
    client,
    rows.map(({ drop }) => drop),
  )
  return rows.map(({ add }) => add)
}
