// Lists of one tenant's records, for any entity: pages, joined pages and counts. What goes to a caller stays the text
// that was stored.
import { type Entity, limits } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { filled, fixed, raw, type Sql, sql } from '../database/sql.js'
import { type Condition, conditionsSql } from './conditions.js'
import { newestFirst, type Order, type PageOptions, type Place, pageSql, plannedRows, withinBytes } from './order.js'
import { Reader, type Stored } from './reader.js'
import { recordColumns } from './record-text.js'
import { searchPage } from './search-query.js'
import { tsqueryOf } from './search-words.js'
import { sortedSearchPage } from './sorted-search.js'

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

export class ListReader extends Reader {
  /** Asking for one more than a page tells whether another page follows. */
  async list(entity: Entity, options: ListOptions): Promise<Stored[]> {
    const page = pageOptions(entity, this.tenantId, options)
    if (options.q !== undefined) return search(this.database, page, options)
    const rows = boundedRows(pageSql(page), options)
    if (isPlain(options))
      return (await this.database.read<[string, number, string | null]>(rows)).map(([id, version, record]) =>
        stored({ id, version, record }),
      )
    // Filters and orders differ in how much they leave, so each such list is planned for its own values.
    return (await this.database.query<ListRow>(rows)).map(stored)
  }

  /** The same for a page without search, joined by the database: half the work of fifty rows one by one. */
  async joined(entity: Entity, options: Omit<ListOptions, 'q'>): Promise<JoinedPage> {
    const page = pageOptions(entity, this.tenantId, { ...options, limit: options.limit + 1 })
    const isPlainList = isPlain(options)
    const ask = (statement: Sql) => this.askJoined(statement, isPlainList)
    const whole = await ask(isPlainList ? plainSql(page, options) : wholeSql(page, options))
    // Hardly ever: then the page ends with the row that fills it.
    const [text, id, bytes, more, value = null] = whole[0] === null ? await ask(boundedSql(page, options)) : whole
    return { text: withoutLast(text ?? '', bytes, more), last: id === null ? null : placeIn(page.order, id, value) }
  }

  private async askJoined(statement: Sql, isPlainList: boolean): Promise<JoinedRow> {
    if (isPlainList) return (await this.database.read<JoinedRow>(statement))[0] ?? nothing
    const [row] = await this.database.query<JoinedColumns>(statement)
    return row ? [row.text, row.id, row.bytes, row.more, row.value] : nothing
  }

  /** How many there are, whatever the page; one more than `limits.countMax` means that nobody counted on. */
  async count(
    entity: Entity,
    { conditions = [], q, number }: Pick<ListOptions, 'conditions' | 'q' | 'number'>,
  ): Promise<number> {
    const tsquery = q === undefined ? undefined : tsqueryOf(q, number)
    if (q !== undefined && tsquery === undefined) return 0
    const matches = tsquery === undefined ? raw('') : sql` and search @@ ${tsquery}::tsquery`
    const where = sql`tenant_id = ${this.tenantId}${matches}${conditionsSql(entity, conditions)}`
    return countRows(this.database, sql`from ${raw(entity.table)} where ${where}`)
  }
}

/** Its text, null where it is not whole; the last id of the page when another follows. */
type JoinedRow = [
  text: string | null,
  id: string | null,
  /** Of the text, and of the record in it that is of the next page. */
  bytes: number | null,
  more: number | null,
  /** What the list is sorted by in the last row of the page. */
  value?: string | null | undefined,
]
interface JoinedColumns extends Record<string, unknown> {
  text: string | null
  id: string | null
  bytes: number | null
  more: number | null
  value?: string | null
}
const nothing: JoinedRow = ['', null, 0, null]

/** Without the record that was only read to know that there is one, and the comma before it. */
function withoutLast(text: string, bytes: number | null, more: number | null): string {
  if (bytes === null || more === null) return text
  const left = bytes - more - 1
  return text.length === bytes ? text.slice(0, left) : Buffer.from(text).toString('utf8', 0, left)
}

/**
 * Without a text when the rows have more bytes than a page holds: to count them one by one costs a fifth more. The
 * record of the next page is in the text too: to leave it out costs the database more than to send it.
 */
function wholeSql(page: PageOptions, { limit, bytesMax = Number.MAX_SAFE_INTEGER }: Omit<ListOptions, 'q'>): Sql {
  const size = sql`${limit}::int`
  return sql`
    select case when octet_length(text) <= ${bytesMax}::bigint then text end as text, id, octet_length(text) as bytes,
      more${raw(isById(page) ? '' : ', value')}
    from (
      select coalesce(string_agg(record, ','), '') as text, ${lastAt(page, size)},
        (array_agg(octet_length(record)))[${limit + 1}::int] as more
      from (${pageSql(page)}) as page
    ) as joined`
}

/** The same for a plain list, whose statement is always the same: it is put together once, and then only filled. */
function plainSql(page: PageOptions, { limit, bytesMax = Number.MAX_SAFE_INTEGER }: Omit<ListOptions, 'q'>): Sql {
  const { entity, tenantId, after } = page
  const most = plannedRows(page.limit)
  const ofEntity = plainStatements.get(entity) ?? new Map<number, PlainStatements>()
  const known = ofEntity.get(most) ?? {
    first: plainStatement(page, undefined, most),
    next: plainStatement(page, blank, most),
  }
  plainStatements.set(entity, ofEntity.set(most, known))
  const values: Readonly<Record<string, unknown>> = {
    tenant: tenantId,
    [blank.id]: after?.id,
    [most]: page.limit,
    [most - 1]: limit,
    [BYTES]: bytesMax,
  }
  return filled(after ? known.next : known.first, (value) => values[String(value)])
}

type PlainStatements = { readonly first: Sql; readonly next: Sql }

const blank: Place = { id: 'after', value: null }
const BYTES = -1
const plainStatements = new WeakMap<Entity, Map<number, PlainStatements>>()

const plainStatement = (page: PageOptions, after: Place | undefined, most: number): Sql =>
  fixed(wholeSql({ ...page, tenantId: 'tenant', after, limit: most }, { limit: most - 1, bytesMax: BYTES }))

function boundedSql(page: PageOptions, options: Omit<ListOptions, 'q'>): Sql {
  const isOnPage = sql`place <= ${options.limit}::int`
  const length = sql`count(record) filter (where ${isOnPage})`
  return sql`
    select string_agg(record, ',') filter (where ${isOnPage}) as text, ${lastAt(page, length)},
      null as bytes, null as more
    from (select *, row_number() over () as place
      from (${boundedRows(pageSql(page), options)}) as page) as placed`
}

/** The row at the end of a page of this length, when others follow. */
const lastAt = (page: PageOptions, length: Sql): Sql =>
  sql`case when count(*) > ${length} then (array_agg(id))[${length}] end as id${valueAt(page, length)}`

/** What the row at this place is sorted by. */
const valueAt = (page: PageOptions, place: Sql): Sql =>
  isById(page) ? raw('') : sql`, (array_agg(record))[${place}]::json ->> ${raw(`'${page.order.field}'`)} as value`

/** Newest first, its id says what a row is sorted by. */
const isById = ({ order }: PageOptions): boolean => order.field === newestFirst.field

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
