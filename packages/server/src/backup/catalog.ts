// What a database holds, as its own catalog tells it: tables that have rows, with their partitions, and sequences. No
// table is known by name here, but those that are made anew by whoever needs them.
import pg from 'pg'
import { errorCode } from '../database/error-code.js'
import { MOVED, UNFINISHED } from '../database/refused-database.js'
import { DERIVED } from '../database/views.js'

/** A table with rows of its own: ordinary, or the partition of another. */
export interface Table {
  readonly name: string
  /** Without generated ones. */
  readonly columns: readonly string[]
  /** Empty when there is none. */
  readonly key: readonly string[]
}

/** A partition, parents first. */
export interface Partition {
  readonly name: string
  readonly parent: string
  readonly bound: string
  /** Where it is partitioned itself. */
  readonly by: string | null
  readonly options: readonly string[]
}

export interface SequenceValue {
  readonly name: string
  readonly value: string
  readonly isCalled: boolean
}

const UNDEFINED_TABLE = '42P01'
const notData = [DERIVED, MOVED, UNFINISHED]

/** Of our schema, and of no extension. */
const ours = `c.relnamespace = current_schema()::regnamespace and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** Tables that have partitions: what is written by their name lands in these. */
export async function readPartitionedTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'p' and ${ours} order by c.relname`,
  )
  return rows.map(({ name }) => name)
}

export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; key: string[] }>(
    `select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' order by a.attnum) as columns,
      array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.place) as key
    from pg_class c where c.relkind = 'r' and ${ours} and c.relname <> all ($1::text[]) order by c.relname`,
    [notData],
  )
  return rows
}

const SNAPSHOT_TRIES = 3

/**
 * Begins a transaction that sees one moment, in which no table goes away. One that goes just then is another moment's
 * affair.
 */
export async function beginSnapshot(client: pg.ClientBase): Promise<Table[]> {
  for (let tries = 1; ; tries++) {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('set local statement_timeout = 0')
    const tables = await readTables(client)
    try {
      await client.query(`lock table ${listed(tables.map(({ name }) => name))} in access share mode`)
      return tables
    } catch (error) {
      await client.query('rollback')
      if (errorCode(error) !== UNDEFINED_TABLE || tries === SNAPSHOT_TRIES) throw error
    }
  }
}

export async function readPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `with recursive tree as (
        select c.oid, 0 as depth from pg_class c where c.relkind = 'p' and not c.relispartition and ${ours}
        union all select i.inhrelid, depth + 1 from tree join pg_inherits i on i.inhparent = tree.oid)
      select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
        case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as by, coalesce(c.reloptions, '{}') as options
      from tree join pg_class c on c.oid = tree.oid join pg_inherits i on i.inhrelid = c.oid
        join pg_class p on p.oid = i.inhparent
      where tree.depth > 0 order by tree.depth, c.relname`,
  )
  return rows
}

export async function readSequences(client: pg.ClientBase): Promise<SequenceValue[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'S' and ${ours} order by c.relname`,
  )
  const values: SequenceValue[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ value: string; is_called: boolean }>(
      `select last_value::text as value, is_called from ${quoted(name)}`,
    )
    if (found[0]) values.push({ name, value: found[0].value, isCalled: found[0].is_called })
  }
  return values
}

/** Makes the partitions exactly what they were elsewhere. Those that migrations have made are empty and in the way. */
export async function replacePartitions(client: pg.ClientBase, wanted: readonly Partition[]): Promise<void> {
  for (const { name } of (await readPartitions(client)).reverse()) await client.query(`drop table ${quoted(name)}`)
  for (const partition of wanted) await makePartition(client, partition)
}

export async function makePartition(client: pg.ClientBase, partition: Partition): Promise<void> {
  const { name, parent, bound, by, options } = partition
  await client.query(
    `create table ${quoted(name)} partition of ${quoted(parent)} ${bound} ${by ? `partition by ${by}` : ''}
      ${options.length > 0 ? `with (${options.join(', ')})` : ''}`,
  )
}

export const quoted = (name: string): string => pg.escapeIdentifier(name)
export const listed = (columns: readonly string[]): string => columns.map(quoted).join(', ')
