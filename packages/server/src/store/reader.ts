// Reading records of one tenant, for any entity. What goes to a caller stays the text that was stored; only rules parse
// it.
import { type Entity, limits, type Row } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import type { Fence } from './change.js'
import { expressionType, fieldExpression } from './entity-ddl.js'
import { firstIdAt } from './id.js'
import { newestFirst, type Order, type PageOptions, type Place, pageSql } from './order.js'
import { withinBytes } from './page-bytes.js'
import { recordColumns, recordText } from './record-text.js'
import { searchPage } from './search-query.js'
import { tsqueryOf } from './search-words.js'
import { sortedSearchPage } from './sorted-search.js'

export interface Stored {
  readonly id: string
  readonly version: number
  /** The record as it goes over the wire. */
  readonly text: string
}

/** One condition of a list. `in` takes an array. */
export interface Condition {
  readonly field: string
  readonly op: '=' | 'in' | '>=' | '<'
  readonly value: unknown
}

export interface ListOptions {
  readonly conditions?: readonly Condition[] | undefined
  readonly q?: string | undefined
  /** The telephone number that `q` is, in E.164: rows that hold it are found however they write it. */
  readonly number?: string | undefined
  /** Newest first unless said otherwise. */
  readonly order?: Order | undefined
  /** The last row of the page before. */
  readonly after?: Place | undefined
  readonly limit: number
  /** Rows past this many bytes come without their text, which is then empty. */
  readonly bytesMax?: number | undefined
}

/** A page as one text: the records joined by commas, and the last of them when another page follows. */
export interface JoinedPage {
  readonly text: string
  readonly last: Place | null
}

export interface Reader {
  readonly tenantId: string
  readonly database: Database
  get<E extends Entity>(entity: E, id: string): Promise<Row<E> | undefined>
  stored(entity: Entity, id: string): Promise<Stored | undefined>
  /** Asking for one more than a page tells whether another page follows. */
  list(entity: Entity, options: ListOptions): Promise<Stored[]>
  /** The same for a page without search, joined by the database: half the work of fifty rows one by one. */
  joined(entity: Entity, options: Omit<ListOptions, 'q'>): Promise<JoinedPage>
  /** How many there are, whatever the page; one more than `limits.countMax` means that nobody counted on. */
  count(entity: Entity, options: Pick<ListOptions, 'conditions' | 'q' | 'number'>): Promise<number>
  /** All records with these values, oldest first, up to a limit. */
  find<E extends Entity>(entity: E, where: { [K in keyof Row<E>]?: unknown }, limit?: number): Promise<Row<E>[]>
  /** The secret beside a record, still sealed. */
  sealed(entity: Entity, id: string): Promise<Buffer | undefined>
  /** Must be read before what it guards, so that a change in between is noticed. */
  fence(name: string): Promise<Fence>
  /** The next number of a counter. Gaps are possible: it is taken whether or not the change is made. */
  next(counter: string): Promise<number>
}

const FIND_LIMIT = 1_000

export function readerOf(database: Database, tenantId: string): Reader {
  const reader: Reader = {
    tenantId,
    database,
    async get<E extends Entity>(entity: E, id: string): Promise<Row<E> | undefined> {
      const found = await reader.stored(entity, id)
      return found && JSON.parse(found.text)
    },
    stored: (entity, id) =>
      database.coalesce(`${entity.table} ${tenantId} ${id}`, async () => {
        const [row] = await database.read<[number, string]>(
          sql`select version, ${recordText(entity)} from ${raw(entity.table)} where tenant_id = ${tenantId} and id = ${id}`,
        )
        return row && { id, version: row[0], text: row[1] }
      }),
    async list(entity, options) {
      const page = pageOptions(entity, tenantId, options)
      if (options.q !== undefined) return search(database, page, options)
      const rows = boundedRows(pageSql(page), options)
      if (isPlain(options))
        return (await database.read<[string, number, string | null]>(rows)).map(([id, version, record]) =>
          stored({ id, version, record }),
        )
      // Filters and orders differ in how much they leave, so each such list is planned for its own values.
      return (await database.query<ListRow>(rows)).map(stored)
    },
    async joined(entity, options) {
      const page = pageOptions(entity, tenantId, { ...options, limit: options.limit + 1 })
      const length = sql`count(record) filter (where place <= ${options.limit}::int)`
      const value =
        page.order.field === newestFirst.field
          ? raw('null')
          : sql`(array_agg(record))[${length}]::json ->> ${raw(`'${page.order.field}'`)}`
      const statement = sql`
        select string_agg(record, ',') filter (where place <= ${options.limit}::int) as text, (array_agg(id))[${length}] as id,
          ${value} as value, count(*) > ${length} as has_more
        from (select *, row_number() over () as place from (${boundedRows(pageSql(page), options)}) as page) as placed`
      const [row] = isPlain(options)
        ? (await database.read<JoinedTuple>(statement)).map(([text, id, value, has_more]) => ({
            text,
            id,
            value,
            has_more,
          }))
        : await database.query<JoinedRow>(statement)
      return {
        text: row?.text ?? '',
        last: row?.has_more && row.id !== null ? placeIn(page.order, row.id, row.value) : null,
      }
    },
    async count(entity, { conditions = [], q, number }) {
      const tsquery = q === undefined ? undefined : tsqueryOf(q, number)
      if (q !== undefined && tsquery === undefined) return 0
      const matches = tsquery === undefined ? raw('') : sql` and search @@ ${tsquery}::tsquery`
      return countRows(
        database,
        sql`from ${raw(entity.table)} where tenant_id = ${tenantId}${matches}${conditionsSql(entity, conditions)}`,
      )
    },
    async find<E extends Entity>(entity: E, where: { [K in keyof Row<E>]?: unknown }, limit = FIND_LIMIT) {
      const conditions = Object.entries(where).map(([field, value]) => ({ field, op: '=' as const, value }))
      const rows = await database.read<[string]>(sql`select ${recordText(entity)} from ${raw(entity.table)}
        where tenant_id = ${tenantId}${conditionsSql(entity, conditions)} order by id limit ${limit}::int`)
      return rows.map(([text]): Row<E> => JSON.parse(text))
    },
    async sealed(entity, id) {
      const [row] = await database.read<[Buffer | null]>(
        sql`select sealed from ${raw(entity.table)} where tenant_id = ${tenantId} and id = ${id}`,
      )
      return row?.[0] ?? undefined
    },
    async fence(name) {
      const [row] = await database.read<[number]>(
        sql`select version from fences where tenant_id = ${tenantId} and name = ${name}`,
      )
      return { name, seen: row?.[0] ?? 0 }
    },
    async next(counter) {
      const [row] = await database.query<{ value: number }>(
        sql`insert into counters as c (tenant_id, name, value) values (${tenantId}, ${counter}, 1)
          on conflict (tenant_id, name) do update set value = c.value + 1 returning value`,
        { prepared: true },
      )
      return row?.value ?? 1
    },
  }
  return reader
}

type JoinedTuple = [string | null, string | null, string | null, boolean | null]
type JoinedRow = { text: string | null; id: string | null; value: string | null; has_more: boolean | null }
type ListRow = { id: string; version: number; record: string | null }

const stored = ({ id, version, record }: ListRow): Stored => ({ id, version, text: record ?? '' })

const boundedRows = (rows: Sql, { bytesMax = Number.MAX_SAFE_INTEGER }: Pick<ListOptions, 'bytesMax'>): Sql =>
  withinBytes('id, version', 'record', rows, bytesMax)

/** Newest first and without a condition: always the same statement, which an index answers. */
const isPlain = ({ conditions = [], order }: Pick<ListOptions, 'conditions' | 'order'>): boolean =>
  conditions.length === 0 && order === undefined

/** The place of a row in its order. Newest first, the id says all. */
export const placeIn = ({ field }: Order, id: string, value: string | null): Place => ({
  id,
  value: field === newestFirst.field ? null : value,
})

function pageOptions(
  entity: Entity,
  tenantId: string,
  { conditions = [], order = newestFirst, after, limit }: ListOptions,
): PageOptions {
  const isValued = conditions.some(({ field }) => field === order.field)
  return { entity, tenantId, order, conditions: conditionsSql(entity, conditions), isValued, after, limit }
}

/** Counts the rows of a `from … where …`, one past the limit at most. */
export async function countRows(database: Database, from: Sql): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from (select ${from} limit ${raw(String(limits.countMax + 1))}) as counted`,
  )
  return row?.count ?? 0
}

async function search(database: Database, page: PageOptions, options: ListOptions): Promise<Stored[]> {
  const tsquery = tsqueryOf(options.q ?? '', options.number)
  if (tsquery === undefined) return []
  const { entity, order, after } = page
  const isNewestFirst = order.field === newestFirst.field && order.isDescending
  const rows = isNewestFirst
    ? searchPage({ ...page, table: entity.table, tsquery, beforeId: after?.id, columns: recordColumns(entity) })
    : sortedSearchPage({ ...page, tsquery })
  return (await database.query<ListRow>(boundedRows(rows, options))).map(stored)
}

function conditionsSql(entity: Entity, conditions: readonly Condition[]): Sql {
  return join(
    conditions.map((condition) => sql` and ${conditionSql(entity, condition)}`),
    '',
  )
}

function conditionSql(entity: Entity, { field, op, value }: Condition): Sql {
  // The creation time is in the id, so it needs no column.
  if (field === 'createdAt') return sql`id ${raw(op)} ${firstIdAt(new Date(String(value)))}::uuid`
  if (field === 'updatedAt') return sql`updated_at ${raw(op)} ${value}::timestamptz`
  const type = raw(expressionType(entity, field))
  const column = raw(fieldExpression(entity, field))
  if (value === null) return sql`${column} is null`
  return op === 'in' ? sql`${column} = any (${value}::${type}[])` : sql`${column} ${raw(op)} ${value}::${type}`
}
