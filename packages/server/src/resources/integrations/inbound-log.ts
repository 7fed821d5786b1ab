// The log of what providers sent: how a request is written down, and how it is read. Secrets are taken out before it is
// stored, because providers put keys of their own into what they send.
import type { InboundEntry, InboundStatus } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import type { InboundRequest, Told } from '../../providers/provider.js'
import { firstIdAt, timeOf } from '../../store/id.js'
import type { Reader } from '../../store/reader.js'
import { recentBefore, recentFirst } from '../generic/recent-first.js'
import type { TouchedRecord } from './inbound-queue.js'

export interface LoggedRequest {
  readonly id: string
  readonly tenantId: string
  readonly connectionId: string
  readonly request: InboundRequest
  readonly told: Pick<Told, 'ids' | 'conversation' | 'naturalKey'>
  readonly decided: string | null
  /** Known when it came: nothing is to be done. */
  readonly settled?: { readonly status: InboundStatus; readonly error: string }
  readonly isSimulated: boolean
  readonly now: Date
}

/** Part of the commit that acknowledges the request. While the connection is paused, it is held. */
export function logRequest(logged: LoggedRequest): Sql {
  const { id, tenantId, connectionId, request, told, decided, settled, isSimulated, now } = logged
  const isPending = settled === undefined
  return sql`insert into inbound_requests (tenant_id, id, connection_id, kind, received_at, is_simulated, provider_ids,
      conversation, natural_key, decided, url, headers, body, status, error, due_at, processed_at)
    select ${tenantId}::uuid, ${id}::uuid, ${connectionId}::uuid, ${request.kind}, ${now}::timestamptz,
      ${isSimulated}::boolean,
      ${JSON.stringify(told.ids)}::jsonb, ${told.conversation}, ${told.naturalKey}::text, ${decided}::text,
      ${request.url},
      ${JSON.stringify(shownHeaders(request.headers))}::json, ${withoutSecrets(request)}::bytea,
      ${settled?.status ?? 'pending'}, ${settled?.error ?? null}::text,
      case when ${isPending}::boolean and c.status <> 'paused' then ${now}::timestamptz end,
      ${isPending ? null : now}::timestamptz
    from not_a_replay, integration_connections c where c.tenant_id = ${tenantId}::uuid and c.id = ${connectionId}::uuid
    returning 1`
}

/** What may be known of how a request came. Nothing that proves or opens anything is among it. */
const shownNames = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'i-twilio-idempotency-token',
  'x-request-id',
])

const shownHeaders = (headers: InboundRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      shownNames.has(name) && value !== undefined ? [[name, value]] : [],
    ),
  )

const secretName = /(auth_?token|api_?key|api_?secret|secret|password|private_?key|access_?token|serverUrlSecret)$/i

/** JSON as it came, but for strings whose names say that they are secrets. */
function withoutSecrets({ headers, body }: InboundRequest): Buffer {
  if (!/json/i.test(headers['content-type'] ?? '')) return body
  try {
    let isChanged = false
    const cleaned = JSON.stringify(JSON.parse(body.toString('utf8')), (name, value) => {
      if (typeof value !== 'string' || !secretName.test(name)) return value
      isChanged = true
      return '[removed]'
    })
    return isChanged ? Buffer.from(cleaned) : body
  } catch {
    return body
  }
}

interface LogRow extends Record<string, unknown> {
  id: string
  connection_id: string
  kind: string
  received_at: Date
  status: InboundStatus
  error: string | null
  attempts: number
  due_at: Date | null
  processed_at: Date | null
  is_simulated: boolean
  provider_ids: Record<string, unknown>
  records: TouchedRecord[]
  headers: Record<string, unknown> | null
  body: Buffer | null
}

export interface LogQuery {
  readonly connectionId: string
  readonly status?: InboundStatus | undefined
  readonly afterId: string | undefined
  readonly limit: number
  /** With headers and body. */
  readonly isWhole: boolean
  readonly now: Date
}

/** Bodies past this many bytes, of a page or of one entry, are cut. */
const SHOWN_BYTES = 64 * 1024

/** Newest first. */
export async function readLog(read: Reader, query: LogQuery): Promise<InboundEntry[]> {
  const { status, afterId, limit, now } = query
  const recentFrom = firstIdAt(recentBefore(afterId === undefined ? now : timeOf(afterId)))
  const rows = await recentFirst({ below: afterId, recentFrom, rows: limit }, (span, most) => {
    const from = span.from === undefined ? raw('') : sql`and id >= ${span.from}::uuid`
    const to = span.below === undefined ? raw('') : sql`and id < ${span.below}::uuid`
    const narrowed = status === undefined ? raw('') : sql`and status = ${status}`
    return findRows(read, query, sql`${from} ${to} ${narrowed} order by id desc limit ${most}`)
  })
  return rows.map(toEntry)
}

/** One entry, whatever its age. */
export async function readLogEntry(
  read: Reader,
  query: Pick<LogQuery, 'connectionId' | 'isWhole'> & { readonly id: string },
): Promise<InboundEntry | undefined> {
  const [row] = await findRows(read, query, sql`and id = ${query.id}::uuid`)
  return row && toEntry(row)
}

const findRows = (
  { database, tenantId }: Reader,
  { connectionId, isWhole }: Pick<LogQuery, 'connectionId' | 'isWhole'>,
  where: Sql,
): Promise<LogRow[]> =>
  database.query<LogRow>(
    sql`select id, connection_id, kind, received_at, status, error, attempts, due_at, processed_at, is_simulated,
      provider_ids,
        records, case when ${isWhole}::boolean then headers end as headers,
        case when ${isWhole}::boolean then substring(body from 1 for ${SHOWN_BYTES}) end as body
      from inbound_requests where tenant_id = ${tenantId}::uuid and connection_id = ${connectionId}::uuid ${where}`,
  )

function toEntry(row: LogRow): InboundEntry {
  return {
    id: row.id,
    connectionId: row.connection_id,
    kind: row.kind,
    receivedAt: row.received_at.toISOString(),
    status: row.status,
    error: row.error,
    attempts: row.attempts,
    nextAttemptAt: row.status === 'pending' ? (row.due_at?.toISOString() ?? null) : null,
    processedAt: row.processed_at?.toISOString() ?? null,
    simulated: row.is_simulated,
    providerIds: row.provider_ids,
    records: distinct(row.records),
    ...(row.headers && { headers: row.headers }),
    ...(row.body && { body: row.body.toString('utf8').replaceAll('\uFFFD', '') }),
  }
}

const distinct = (records: readonly TouchedRecord[]): TouchedRecord[] => [
  ...new Map(records.map((record) => [`${record.entityType} ${record.id}`, record])).values(),
]
