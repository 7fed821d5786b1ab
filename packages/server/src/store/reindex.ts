// Brings the words under which records are found up to date when it is not the record that changed: someone whom it
// names was renamed, or another of its fields is searched now. What is to be done is a row that was committed with its
// cause, so nothing is lost; versions do not change.
import { columnName, columnsOf, type Entity } from '@parley/contract'
import type pg from 'pg'
import type { Database } from '../database/pool.js'
import { compile, raw, type Sql, sql } from '../database/sql.js'
import { wordsOfRecord } from './commit-rows.js'

/** Further words of records, in their order, as they are now. */
export type FurtherWords = (query: Query, tenantId: string, records: readonly Values[]) => Promise<string[][]>
export type Query = <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>
type Values = Readonly<Record<string, unknown>>

export interface ReindexParts {
  readonly database: Database
  readonly entities: readonly Entity[]
  /** By table. */
  readonly furtherWords: Readonly<Record<string, FurtherWords>>
}

interface Job extends Record<string, unknown> {
  tenant_id: string
  table_name: string
  column_name: string
  value: string
  after_id: string
}

/** A writer of one of these rows waits so long: some 20 ms. */
const batchMax = 200
const batchesMax = 50

/** A job that this version knows how to do, if there is one. */
export const findReindexing = (entities: readonly Entity[]): Sql =>
  sql`select from reindexing where table_name = any (${entities.map(({ table }) => table)}::text[]) limit 1`

/** Does what there is to do, up to a bound; true when there may be more. Any number of nodes may do this at once. */
export async function reindex(parts: ReindexParts): Promise<boolean> {
  const waiting = await parts.database.read(findReindexing(parts.entities))
  if (waiting.length === 0) return false
  return parts.database.withClient(async (client) => {
    for (let batch = 0; batch < batchesMax; batch++)
      if (!(await inTransaction(client, (query) => moveOn(parts, query)))) return false
    return true
  })
}

async function inTransaction<T>(client: pg.ClientBase, work: (query: Query) => Promise<T>): Promise<T> {
  await client.query(`begin; set local statement_timeout = '30s'`)
  try {
    const result = await work(async (statement) => (await client.query(compile(statement))).rows)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * One batch of the job that has waited longest. The rows are locked before the names are read: whoever comes second,
 * another job or a writer of the record, reads what the first one could not know yet.
 */
async function moveOn({ entities, furtherWords }: ReindexParts, query: Query): Promise<boolean> {
  const tables = entities.map(({ table }) => table)
  const [job] = await query<Job>(
    sql`select * from reindexing where table_name = any (${tables}::text[]) order by moved_at limit 1
      for update skip locked`,
  )
  const entity = entities.find(({ table }) => table === job?.table_name)
  if (job === undefined || entity === undefined) return false
  const rows = await query<{ id: string; record: Values }>(sql`select id, record from ${raw(entity.table)}
    where tenant_id = ${job.tenant_id} and id > ${job.after_id}${narrowedBy(entity, job)} order by id
      limit ${batchMax} for no key update`)
  const records = rows.map(({ record }) => record)
  const further = (await furtherWords[entity.table]?.(query, job.tenant_id, records)) ?? []
  const words = records.map((record, index) => wordsOfRecord(entity, record, further[index]))
  const ids = rows.map(({ id }) => id)
  // The ids stand there twice: without statistics the planner would otherwise read all rows of the tenant to find
  // these.
  await query(sql`update ${raw(entity.table)} t set search = r.search
    from (select id, array_to_tsvector(string_to_array(words, ' ')) as search
      from unnest(${ids}::uuid[], ${words}::text[]) as n (id, words)) r
    where t.tenant_id = ${job.tenant_id} and t.id = any (${ids}::uuid[]) and t.id = r.id and t.search <> r.search`)
  await settle(query, job, rows.length < batchMax ? undefined : rows.at(-1)?.id)
  return true
}

function narrowedBy(entity: Entity, { column_name: column, value }: Job): Sql {
  if (column === '') return raw('')
  if (!columnsOf(entity).some((field) => columnName(field) === column))
    throw new Error(`${entity.table} has no column ${column} to look for`)
  return sql` and ${raw(`"${column}"`)} = ${value}`
}

function settle(query: Query, job: Job, reachedId: string | undefined): Promise<unknown> {
  const { tenant_id: tenantId, table_name: table, column_name: column, value } = job
  const one = sql`where tenant_id = ${tenantId} and table_name = ${table} and column_name = ${column}
    and value = ${value}`
  if (reachedId === undefined) return query(sql`delete from reindexing ${one}`)
  return query(sql`update reindexing set after_id = ${reachedId}, moved_at = clock_timestamp() ${one}`)
}
