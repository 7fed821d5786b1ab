// Reading the event log in the order of the feed: by transaction, then by id, and only below the horizon of open
// transactions, so that nothing can appear before a place that a reader has passed. docs/decisions/0010-event-feed.md
// says why that cannot skip.
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import { PLATFORM_ID } from './caller.js'
import { CLOCK_STEP_BACK_MS, firstEventIdAt } from './id.js'
import { countRows } from './list-reader.js'
import { planFor, withinBytes } from './order.js'
import { searchPage } from './search-query.js'

/** A place in the feed: everything up to and including it has been seen. */
export interface Position {
  readonly xact: number
  readonly id: string
}

export interface LoggedEvent extends Position {
  readonly type: string
  readonly subjectId: string | null
  /** The body as it was stored and is delivered; empty where the page was full before. */
  readonly body: string
}

export interface EventFilter {
  readonly types?: readonly string[] | undefined
  /** Words that the event must hold; the empty one holds in none. */
  readonly tsquery?: string | undefined
  readonly subjectId?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Of all tenants, only those of this environment or organization; the log itself is not narrowed by them. */
  readonly environment?: string | undefined
  readonly organizationId?: string | undefined
}

/** Stands for all tenants, where the log is read across them: in the order of the feed, and whatever the events are. */
export const ALL_TENANTS: unique symbol = Symbol('all tenants')
export type Tenants = string | typeof ALL_TENANTS

/** A condition on `events`, with the `and` that follows it. Of all tenants, each event counts where it was born. */
const ofTenants = (tenants: Tenants): Sql =>
  tenants === ALL_TENANTS ? raw('not moved_in and') : sql`tenant_id = ${tenants} and`

/**
 * A column of one event. Of all tenants it is looked for in each, by the primary key: that costs a moment, and no index
 * of its own.
 */
const ofOneEvent = (tenants: Tenants, eventId: string, column: Sql): Sql =>
  tenants === ALL_TENANTS
    ? sql`select e.found from (select id from tenants union all select ${PLATFORM_ID}::uuid) t cross join lateral (
          select ${column} as found from events
          where tenant_id = t.id and id = ${eventId} and not moved_in limit 1
        ) e limit 1`
    : sql`select ${column} from events where tenant_id = ${tenants} and id = ${eventId} limit 1`

export const isPast = (a: Position, b: Position): boolean => a.xact > b.xact || (a.xact === b.xact && a.id > b.id)

/** Where an event stands in the feed; undefined when it is unknown or has been dropped. */
export async function positionOf(database: Database, tenants: Tenants, eventId: string): Promise<Position | undefined> {
  const [row] = await database.read<[string]>(ofOneEvent(tenants, eventId, raw('xact::text')))
  return row && { xact: Number(row[0]), id: eventId }
}

/** The end of what can be read now: whatever comes to light from here on lies past it. */
export async function currentHorizon(database: Database): Promise<Position> {
  const [row] = await database.read<[string]>(sql`select pg_snapshot_xmin(pg_current_snapshot())::text`)
  return { xact: Number(row?.[0]), id: '' }
}

/** For how long the horizon has not moved, at most: the age of the oldest transaction that has written something. */
export async function horizonAgeSeconds(database: Database): Promise<number> {
  const [row] = await database.read<[number]>(
    sql`select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 from pg_stat_activity
      where backend_xid is not null`,
  )
  return row?.[0] ?? 0
}

/** How much to read at once. */
export interface PageSize {
  readonly rows: number
  readonly bytes: number
}

/** Oldest first, past a position. */
export async function eventsAfter(
  database: Database,
  tenants: Tenants,
  after: Position,
  filter: EventFilter,
  size: PageSize,
): Promise<LoggedEvent[]> {
  const asked: Asked = { tenants, filter, bound: pastSql(after), order: sql`events.xact, events.id`, size }
  return (await find(database, asked, after)).events
}

/** Newest first, before a position or from the end. */
export async function eventsBefore(
  database: Database,
  tenants: Tenants,
  before: Position | undefined,
  filter: EventFilter,
  size: PageSize,
): Promise<LoggedEvent[]> {
  if (filter.tsquery && tenants !== ALL_TENANTS)
    return search(database, tenants, before?.id, filter, filter.tsquery, size)
  const bound = before ? sql`(xact, id) < (${String(before.xact)}::xid8, ${before.id}) and` : sql``
  const asked: Asked = { tenants, filter, bound, order: sql`events.xact desc, events.id desc`, size }
  const { pastXact, events } = await find(database, asked, before)
  const last = events[size.rows - 1]
  if (pastXact === undefined || (last && last.xact > pastXact)) return events
  return (await find(database, asked, 'all of it')).events
}

/** Ids past `after`, from `from` on, and below `below`. */
export interface EventSpan {
  readonly after?: string | undefined
  readonly from?: string | undefined
  readonly below?: string | undefined
}

/** By `occurredAt`, which is the order of ids. Unlike in the feed, what comes to light late may lie before a place. */
export async function eventsByTime(
  database: Database,
  tenantId: string,
  { after, from, below }: EventSpan,
  filter: EventFilter,
  isDescending: boolean,
  size: PageSize,
): Promise<LoggedEvent[]> {
  if (filter.tsquery && isDescending) return search(database, tenantId, below, filter, filter.tsquery, size)
  const bounds = Object.entries({ '>': after, '>=': from, '<': below }).map(([operator, id]) =>
    id === undefined ? raw('') : sql`id ${raw(operator)} ${id} and`,
  )
  const bound = sql`${join(bounds, ' ')} ${idSpan(filter)}`
  const order = raw(isDescending ? 'events.id desc' : 'events.id')
  return (await find(database, { tenants: tenantId, filter, bound, order, size }, 'all of it')).events
}

/**
 * The ids of a span of time. An event of an older version may have occurred before the time of its id, by a clock set
 * back.
 */
function idSpan(filter: EventFilter): Sql {
  const { since } = filter
  const until = untilOf(filter)
  const from = since === undefined ? raw('') : sql`id >= ${firstEventIdAt(new Date(since))} and`
  return until === undefined ? from : sql`${from} id < ${firstEventIdAt(until)} and`
}

export const untilOf = ({ until }: EventFilter): Date | undefined =>
  until === undefined ? undefined : new Date(Date.parse(until) + CLOCK_STEP_BACK_MS)

/** How many events there are, past a position or in all. */
export async function countEvents(
  database: Database,
  tenantId: string,
  after: Position | undefined,
  filter: EventFilter,
): Promise<number> {
  if (filter.tsquery === '') return 0
  const bound = sql`${after ? pastSql(after) : raw('')} ${idSpan(filter)}`
  return countRows(
    database,
    sql`from events where tenant_id = ${tenantId} and ${bound} ${visible}${conditionsOf(filter)}`,
  )
}

const pastSql = ({ xact, id }: Position): Sql => sql`(xact, id) > (${String(xact)}::xid8, ${id}) and`

/** Below the horizon of open transactions. */
export const visible = raw('xact < pg_snapshot_xmin(pg_current_snapshot())')

/**
 * The newest with these words. Words may be anywhere in the log, so they are looked for as in any list, and in the
 * order of ids.
 */
async function search(
  database: Database,
  tenantId: string,
  beforeId: string | undefined,
  filter: EventFilter,
  tsquery: string,
  { rows: limit, bytes }: PageSize,
): Promise<LoggedEvent[]> {
  const conditions = sql` and ${visible}${conditionsOf({ ...filter, tsquery: undefined })}`
  const page = searchPage({ table: 'events', tenantId, tsquery, conditions, beforeId, limit, columns: shown })
  return (await database.query<EventRow>(withinBytes(columns, 'body', page, bytes))).map(toEvent)
}

interface EventRow extends Record<string, unknown> {
  place: string
  id: string
  type: string
  subject_id: string | null
  body: string | null
}

// The text of the transaction has a name of its own: under the column's name it would be what the rows are ordered by,
// and 10 would come before 9.
const shown = 'xact::text as place, type, subject_id, body'
const columns = 'place, id, type, subject_id'
const toEvent = ({ place, id, type, subject_id, body }: EventRow): LoggedEvent => ({
  xact: Number(place),
  id,
  type,
  subjectId: subject_id,
  body: body ?? '',
})

interface Asked {
  readonly tenants: Tenants
  readonly filter: EventFilter
  /** A condition, with the `and` that follows it. */
  readonly bound: Sql
  readonly order: Sql
  readonly size: PageSize
}

/**
 * Leaves out the partitions that are past, where it is known up to which transaction they were written (`pastXact`) and
 * that lies before the position. All of it is seen at one moment: what is not seen of the past by then was not there.
 */
async function find(
  database: Database,
  asked: Asked,
  place: Position | undefined | 'all of it',
): Promise<{ pastXact: number | undefined; events: LoggedEvent[] }> {
  const { filter, size } = asked
  if (filter.tsquery === '') return { pastXact: undefined, events: [] }
  // Words differ in how much they leave, so such a page is planned for its own.
  const prepared = filter.tsquery === undefined
  const rows = place === 'all of it' ? rowsOf(asked) : recentRows(asked, place)
  const found = await database.query<EventRow>(withinBytes(columns, 'body', rows, size.bytes), { prepared })
  const isPastKnown = found[0]?.id === ''
  return {
    pastXact: isPastKnown ? Number(found[0]?.place) : undefined,
    events: found.slice(isPastKnown ? 1 : 0).map(toEvent),
  }
}

/** Where something was left out, a row without an id tells it first. */
function recentRows(asked: Asked, place: Position | undefined): Sql {
  const isBefore = place ? sql` and last_xact < ${String(place.xact)}::xid8` : raw('')
  return sql`with past as materialized (
      select below, last_xact from past_partitions where table_name = 'events'${isBefore}
    ),
    present as materialized (select coalesce((select below from past), '') as first)
    select '' as id, last_xact::text as place, '' as type, null::uuid as subject_id, null as body from past
    union all (${rowsOf(asked, raw('id >= (select first from present) and'))})`
}

const rowsOf = ({ tenants, filter, bound, order, size }: Asked, also = raw('')): Sql =>
  sql`select * from (
      select id, ${raw(shown)} from events
      where ${ofTenants(tenants)} ${also} ${bound} ${visible}${conditionsOf(filter)} order by ${order}
        limit ${planFor(size.rows)}
    ) page limit ${size.rows}::int`

function conditionsOf({ types, tsquery, subjectId, since, until }: EventFilter): Sql {
  const parts = [
    // One type by itself is in the order of an index; of several, the log is read and most of it is dropped.
    ...(types?.length === 1 ? [sql` and type = ${types[0]}`] : types ? [sql` and type = any (${types}::text[])`] : []),
    ...(tsquery === undefined ? [] : [sql` and search @@ ${tsquery}::tsquery`]),
    ...(subjectId ? [sql` and subject_id = ${subjectId}`] : []),
    ...(since ? [sql` and occurred_at >= ${since}`] : []),
    ...(until ? [sql` and occurred_at < ${until}`] : []),
  ]
  return join(parts, '')
}

export const fitsFilter = (filter: EventFilter, event: LoggedEvent): boolean =>
  (filter.types === undefined || filter.types.includes(event.type)) &&
  (filter.subjectId === undefined || event.subjectId === filter.subjectId) &&
  fitsTenant(filter, event)

function fitsTenant({ environment, organizationId }: EventFilter, { body }: LoggedEvent): boolean {
  if (environment === undefined && organizationId === undefined) return true
  const [, organization, its] = headPattern.exec(body) ?? []
  return (environment ?? its) === its && (organizationId ?? organization) === organization
}

/** Every event begins with what it says of itself, as event-text.ts writes it. */
const headPattern =
  /^\{"eventId":"[^"]*","type":"[^"]*","occurredAt":"[^"]*","organizationId":"([^"]*)","environment":"(\w*)"/

/** The body of one event. */
export async function findEvent(database: Database, tenants: Tenants, eventId: string): Promise<string | undefined> {
  const [row] = await database.read<[string]>(ofOneEvent(tenants, eventId, raw('body')))
  return row?.[0]
}
