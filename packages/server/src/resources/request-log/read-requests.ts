// Reads the log of requests: newest first to browse, or past a place to follow it without missing one.
import type { RequestLogEntry } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import type { Position } from '../../store/event-log.js'
import { firstIdAt, timeOf } from '../../store/id.js'
import { recentBefore, recentFirst } from '../generic/recent-first.js'

export interface RequestFilter {
  readonly failed?: unknown
  readonly createdSince?: string | undefined
  readonly createdBefore?: string | undefined
}

/** An entry with its place in the order of those who follow. */
export interface PlacedEntry extends Position {
  readonly entry: RequestLogEntry
}

interface EntryRow extends Record<string, unknown> {
  id: string
  place: string
  method: RequestLogEntry['method']
  path: string
  status: number
  ms: number
  actor_type: RequestLogEntry['actor']['type']
  actor_id: string
  request_id: string
  error_code: string | null
  error_reason: string | null
  error_field: string | null
}

// The text of the transaction has a name of its own, or the rows would be ordered by it: 10 before 9.
const columns = raw(`id, xact::text as place, method, path, status, ms, actor_type, actor_id, request_id, error_code,
  error_reason, error_field`)

/** Newest first. */
export async function requestsBelow(
  database: Database,
  tenantId: string,
  filter: RequestFilter,
  { below, rows, now }: { readonly below: string | undefined; readonly rows: number; readonly now: Date },
): Promise<RequestLogEntry[]> {
  const { createdBefore } = filter
  const begin = below === undefined ? now : timeOf(below)
  const recentFrom = firstIdAt(recentBefore(begin, createdBefore === undefined ? undefined : new Date(createdBefore)))
  const found = await recentFirst({ below, recentFrom, rows }, (span, limit) =>
    database.query<EntryRow>(
      sql`select ${columns} ${requestsOf(tenantId, filter)}
          ${span.from === undefined ? raw('') : sql`and id >= ${span.from}::uuid`}
          ${span.below === undefined ? raw('') : sql`and id < ${span.below}::uuid`}
        order by id desc limit ${limit}`,
    ),
  )
  return found.map((row) => toPlaced(row).entry)
}

/** The rows of a tenant that fit, from `from` on. */
export const requestsOf = (tenantId: string, { failed, createdSince, createdBefore }: RequestFilter): Sql =>
  sql`from request_log where tenant_id = ${tenantId}::uuid${failed === true ? raw(' and status >= 400') : raw('')}
    ${createdSince === undefined ? raw('') : sql`and id >= ${firstIdAt(new Date(createdSince))}::uuid`}
    ${createdBefore === undefined ? raw('') : sql`and id < ${firstIdAt(new Date(createdBefore))}::uuid`}`

/** Oldest first, and only what no open transaction can come before any more. */
export async function requestsAfter(
  database: Database,
  tenantId: string,
  { failed }: RequestFilter,
  after: Position,
  limit: number,
): Promise<PlacedEntry[]> {
  const rows = await database.query<EntryRow>(
    sql`select ${columns} ${requestsOf(tenantId, { failed })}
        and (xact, id) > (${String(after.xact)}::xid8, ${after.id}::uuid)
        and xact < pg_snapshot_xmin(pg_current_snapshot())
      order by request_log.xact, request_log.id limit ${limit}`,
    { prepared: true },
  )
  return rows.map(toPlaced)
}

/** Where an entry stands; undefined when it is unknown or no longer kept. */
export async function placeOfRequest(database: Database, tenantId: string, id: string): Promise<Position | undefined> {
  const [row] = await database.read<[string]>(
    sql`select xact::text from request_log where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`,
  )
  return row && { xact: Number(row[0]), id }
}

const toPlaced = (row: EntryRow): PlacedEntry => ({
  xact: Number(row.place),
  id: row.id,
  entry: {
    id: row.id,
    createdAt: timeOf(row.id).toISOString(),
    method: row.method,
    path: row.path,
    status: row.status,
    ms: row.ms,
    actor: { type: row.actor_type, id: row.actor_id },
    requestId: row.request_id,
    error: row.error_code === null ? null : { code: row.error_code, reason: row.error_reason, field: row.error_field },
  },
})
