// Reading the event log in the order of the feed: by transaction, then by id, and only below the horizon of open transactions, so that nothing
// can appear before a place that a reader has passed. docs/decisions/0010-event-feed.md says why that cannot skip.
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import { searchPage } from './search.js'

/** A place in the feed: everything up to and including it has been seen. */
export interface Position {
  readonly xact: number
  readonly id: string
}

export interface LoggedEvent extends Position {
  readonly type: string
  readonly subjectId: string | null
  /** The body as it was stored and is delivered. */
  readonly body: string
}

export interface EventFilter {
  readonly types?: readonly string[] | undefined
  /** Words that the event must hold; the empty one holds in none. */
  readonly tsquery?: string | undefined
  readonly subjectId?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export const isPast = (a: Position, b: Position): boolean => a.xact > b.xact || (a.xact === b.xact && a.id > b.id)

/** Where an event stands in the feed; undefined when it is unknown or has been dropped. */
export async function positionOf(database: Database, tenantId: string, eventId: string): Promise<Position | undefined> {
  const [row] = await database.read<[string]>(sql`select xact::text from events where tenant_id = ${tenantId} and id = ${eventId}`)
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
    sql`select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 from pg_stat_activity where backend_xid is not null`,
  )
  return row?.[0] ?? 0
}

/** Oldest first, past a position. */
export const eventsAfter = (database: Database, tenantId: string, after: Position, filter: EventFilter, limit: number): Promise<LoggedEvent[]> =>
  find(database, tenantId, filter, sql`(xact, id) > (${String(after.xact)}::xid8, ${after.id}) and`, sql`events.xact, events.id`, limit)

/** Newest first, before a position or from the end. */
export const eventsBefore = (database: Database, tenantId: string, before: Position | undefined, filter: EventFilter, limit: number): Promise<LoggedEvent[]> =>
  filter.tsquery
    ? search(database, tenantId, before?.id, filter, filter.tsquery, limit)
    : find(
        database,
        tenantId,
        filter,
        before ? sql`(xact, id) < (${String(before.xact)}::xid8, ${before.id}) and` : sql``,
        sql`events.xact desc, events.id desc`,
        limit,
      )

/** The newest with these words. Words may be anywhere in the log, so they are looked for as in any list, and in the order of ids. */
async function search(database: Database, tenantId: string, beforeId: string | undefined, filter: EventFilter, tsquery: string, limit: number) {
  const conditions = sql` and ${isSettled}${conditionsOf({ ...filter, tsquery: undefined })}`
  const page = searchPage({ table: 'events', tenantId, tsquery, conditions, beforeId, limit, columns: shown })
  return (await database.query<EventRow>(page)).map(toEvent)
}

interface EventRow extends Record<string, unknown> {
  place: string
  id: string
  type: string
  subject_id: string | null
  body: string
}

// The text of the transaction has a name of its own: under the column's name it would be what the rows are ordered by, and 10 would come before 9.
const shown = 'xact::text as place, type, subject_id, body'
const isSettled = sql`xact < pg_snapshot_xmin(pg_current_snapshot())`
const toEvent = ({ place, id, type, subject_id, body }: EventRow): LoggedEvent => ({ xact: Number(place), id, type, subjectId: subject_id, body })

async function find(database: Database, tenantId: string, filter: EventFilter, bound: Sql, order: Sql, limit: number): Promise<LoggedEvent[]> {
  if (filter.tsquery === '') return []
  const rows = await database.query<EventRow>(
    sql`select id, ${raw(shown)} from events
      where tenant_id = ${tenantId} and ${bound} ${isSettled}${conditionsOf(filter)} order by ${order} limit ${limit}`,
    // Words differ in how much they leave, so such a page is planned for its own.
    { prepared: filter.tsquery === undefined },
  )
  return rows.map(toEvent)
}

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

export const fitsFilter = ({ types, subjectId }: EventFilter, event: LoggedEvent): boolean =>
  (types === undefined || types.includes(event.type)) && (subjectId === undefined || event.subjectId === subjectId)

/** The body of one event. */
export async function findEvent(database: Database, tenantId: string, eventId: string): Promise<string | undefined> {
  const [row] = await database.read<[string]>(sql`select body from events where tenant_id = ${tenantId} and id = ${eventId}`)
  return row?.[0]
}
