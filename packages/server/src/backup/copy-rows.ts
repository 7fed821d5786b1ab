// Brings the rows of one database into another, again and again: all of them at first, then what has changed since. A
// row that was written carries the transaction that wrote it, so that no log of changes is needed: whatever a moment
// did not see was written by a transaction that was not over then.
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { listed, makePartition, quoted, readPartitions, readSequences, type Table } from './catalog.js'

export interface Databases {
  /** In a transaction that sees one moment. */
  readonly source: pg.ClientBase
  readonly target: pg.ClientBase
}

/** The oldest transaction that the source's moment may not have seen. */
export async function horizonOf(source: pg.ClientBase): Promise<string> {
  const { rows } = await source.query<{ xmin: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as xmin')
  return rows[0]?.xmin ?? ''
}

/** Copies all rows into empty tables. */
export async function copyAll({ source, target }: Databases, tables: readonly Table[]): Promise<void> {
  await inTransaction(target, async () => {
    for (const table of tables) await copyTable({ source, target }, table)
  })
}

/** Makes the target what the source is at its moment, when it was what the source was at the moment of `since`. */
export async function copyChanges(databases: Databases, tables: readonly Table[], since: string): Promise<void> {
  await followPartitions(databases)
  await inTransaction(databases.target, async () => {
    for (const table of tables)
      await (table.key.length > 0 ? copyChanged(databases, table, since) : copyAnew(databases, table))
  })
}

export async function copySequences({ source, target }: Databases): Promise<void> {
  for (const { name, value, isCalled } of await readSequences(source))
    await target.query('select setval($1::regclass, $2::bigint, $3)', [quoted(name), value, isCalled])
}

/** Partitions are made and dropped while a copy runs. */
async function followPartitions({ source, target }: Databases): Promise<void> {
  const [wanted, known] = [await readPartitions(source), await readPartitions(target)]
  for (const { name } of known) {
    if (!wanted.some((one) => one.name === name)) await target.query(`drop table if exists ${quoted(name)}`)
  }
  for (const partition of wanted) {
    if (known.some((one) => one.name === partition.name)) continue
    await makePartition(target, partition)
    await target.query(`alter table ${quoted(partition.name)} disable trigger user`)
  }
}

async function copyAnew(databases: Databases, table: Table): Promise<void> {
  await databases.target.query(`truncate ${quoted(table.name)}`)
  await copyTable(databases, table)
}

async function copyTable({ source, target }: Databases, { name, columns }: Table): Promise<void> {
  await pipeline(
    source.query(copyTo(`copy ${quoted(name)} (${listed(columns)}) to stdout`)),
    target.query(copyFrom(`copy ${quoted(name)} (${listed(columns)}) from stdin`)),
  )
}

/**
 * Rows that were changed or removed leave before new ones come in, so that what one row gave up another may have. A
 * transaction of long ago may be taken for one of now; then its rows are copied once more, which changes nothing.
 */
async function copyChanged(databases: Databases, table: Table, since: string): Promise<void> {
  const { source, target } = databases
  const [name, columns] = [quoted(table.name), listed(table.columns)]
  await target.query(`create temp table changed_rows on commit drop as select ${columns} from ${name} limit 0`)
  const into = target.query(copyFrom(`copy changed_rows (${columns}) from stdin`))
  const changed = `select ${columns} from ${name} where age(xmin) <= age('${since}'::xid8::xid)`
  await pipeline(source.query(copyTo(`copy (${changed}) to stdout`)), into)
  const sameKey = table.key.map((column) => `t.${quoted(column)} = c.${quoted(column)}`).join(' and ')
  await target.query(`delete from ${name} t using changed_rows c where ${sameKey}`)
  const gone = (await countRows(target, name)) + into.rowCount - (await countRows(source, name))
  if (gone > 0) await removeGone(databases, table, sameKey)
  await target.query(`insert into ${name} (${columns}) select ${columns} from changed_rows`)
  await target.query('drop table if exists changed_rows, kept_keys')
}

/** Which rows are gone is known by their keys alone. */
async function removeGone({ source, target }: Databases, table: Table, sameKey: string): Promise<void> {
  const [name, key] = [quoted(table.name), listed(table.key)]
  await target.query(`create temp table kept_keys on commit drop as select ${key} from ${name} limit 0`)
  await pipeline(
    source.query(copyTo(`copy (select ${key} from ${name}) to stdout`)),
    target.query(copyFrom(`copy kept_keys (${key}) from stdin`)),
  )
  await target.query('analyze kept_keys')
  await target.query(`delete from ${name} t where not exists (select from kept_keys c where ${sameKey})`)
}

/** How many rows there are, and the tables that have more or fewer of them in the target. */
export async function compareCounts({ source, target }: Databases, tables: readonly Table[]) {
  const differing: string[] = []
  let rows = 0
  for (const { name } of tables) {
    const count = await countRows(source, quoted(name))
    if (count !== (await countRows(target, quoted(name)))) differing.push(name)
    rows += count
  }
  return { rows, differing }
}

async function countRows(client: pg.ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*)::text as count from ${name}`)
  return Number(rows[0]?.count)
}

async function inTransaction<T>(client: pg.ClientBase, use: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    const result = await use()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
