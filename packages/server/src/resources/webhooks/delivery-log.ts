// Deliveries as the API shows them: reading rows of the log, with payload and attempts where they are asked for.
import { type Delivery, type DeliveryExpansion, type DeliveryStatus, type EventType, limits } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { isEventOf } from '../../delivery/queue/event-of-delivery.js'
import { revokedError } from '../../delivery/queue/revocation.js'
import { firstIdAt, timeOf } from '../../store/id.js'
import { planFor, withinBytes } from '../../store/order.js'
import type { Reader } from '../../store/reader.js'
import { recentBefore, recentFirst } from '../generic/recent-first.js'
import type { Subscription } from './subscription-rules.js'

export interface FoundDelivery {
  readonly delivery: Delivery
  /** It is finished, and lies where the history is. */
  readonly hasMoved: boolean
  /** What was asked for besides, as fields of the JSON that goes out; null where the page was full before. */
  readonly more: string | null
}

/** What `expand` asks for. */
export const expansionsOf = ({
  expand,
}: {
  readonly expand?: readonly DeliveryExpansion[] | undefined
}): ReadonlySet<DeliveryExpansion> => new Set(expand)

interface Row extends Record<string, unknown> {
  id: string
  event_id: string
  event_type: EventType
  status: DeliveryStatus
  attempt_count: number
  replay_count: number
  next_attempt_at: Date | null
  last_attempt_at: Date | null
  last_response_status: number | null
  last_error: string | null
  created_at: Date
  delivered_at: Date | null
  has_moved: boolean
  more: string | null
}

interface FindOptions {
  readonly bytesMax?: number
  readonly rowsMax?: number
  readonly prepared?: boolean
}

/**
 * `where` goes on after the subscription. Unless it is prepared it is planned for its own values, because statuses
 * differ in how many rows they leave.
 */
export async function findDeliveries(
  { database, tenantId }: Reader,
  subscription: Subscription,
  where: Sql,
  expanded: ReadonlySet<DeliveryExpansion>,
  { bytesMax = limits.pageBytes, rowsMax, prepared = false }: FindOptions = {},
): Promise<FoundDelivery[]> {
  // As it is stored, so that what is shown is what was sent.
  const expand = (name: DeliveryExpansion, json: string) => (expanded.has(name) ? `,"${name}":' || ${json} || '` : '')
  const body = `coalesce(d.body, (select e.body from events e where ${isEventOf('d')} limit 1))`
  const payload = expand('payload', `coalesce(${body}, 'null')`)
  const attempts = expand('attempts', `coalesce(array_to_json(d.attempts)::text, '[]')`)
  const more = `'${payload}${attempts}'`
  const columns =
    'id, event_id, event_type, status, attempt_count, replay_count, next_attempt_at, last_attempt_at, ' +
    'last_response_status, last_error, created_at, delivered_at, has_moved'
  const found = sql`select d.id, d.event_id, d.event_type, d.status, d.attempt_count, d.replay_count,
    d.next_attempt_at, d.last_attempt_at, d.last_response_status, d.last_error,
        d.created_at, d.delivered_at, d.has_moved, ${raw(more)} as more
      from all_deliveries d where d.tenant_id = ${tenantId} and d.subscription_id = ${subscription.id} ${where}`
  const page = rowsMax === undefined ? found : sql`select * from (${found}) page limit ${rowsMax}::int`
  const rows = await database.query<Row>(withinBytes(columns, 'more', page, bytesMax), { prepared })
  return rows.map((row) => ({ delivery: toDelivery(row, subscription), hasMoved: row.has_moved, more: row.more }))
}

/** A page of those that fit `condition`, newest first. */
export const newestDeliveries = (
  read: Reader,
  subscription: Subscription,
  { condition, below, rows, now }: { condition?: Sql | undefined; below: string | undefined; rows: number; now: Date },
  expanded: ReadonlySet<DeliveryExpansion>,
): Promise<readonly FoundDelivery[]> => {
  const recentFrom = firstIdAt(recentBefore(below === undefined ? now : timeOf(below)))
  return recentFirst({ below, recentFrom, rows }, (span, limit, found: readonly FoundDelivery[]) => {
    const from = span.from === undefined ? raw('') : sql`and d.id >= ${span.from}`
    const to = span.below === undefined ? raw('') : sql`and d.id < ${span.below}`
    const where = sql`${condition ?? raw('')} ${from} ${to} order by d.id desc limit ${planFor(limit)}`
    const options = { bytesMax: bytesLeft(found), rowsMax: limit, prepared: condition === undefined }
    return findDeliveries(read, subscription, where, expanded, options)
  })
}

/** What a page has room for besides these. */
const bytesLeft = (found: readonly FoundDelivery[]): number =>
  found.reduce((left, { more }) => left - (more === null ? left : Buffer.byteLength(more)), limits.pageBytes)

const instantOf = (at: Date | null): string | null => at?.toISOString() ?? null

export const openStatuses: readonly DeliveryStatus[] = ['PENDING', 'RETRYING']

function toDelivery(row: Row, subscription: Subscription): Delivery {
  const isOpen = openStatuses.includes(row.status)
  // What a revocation has left open is settled in batches, and is over from the moment of the revocation.
  const isCutOff = isOpen && subscription.revokedAt !== null
  return {
    id: row.id,
    subscriptionId: subscription.id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: isCutOff ? 'FAILED' : row.status,
    attemptCount: row.attempt_count,
    replayCount: row.replay_count,
    nextAttemptAt: isOpen && subscription.status === 'active' ? instantOf(row.next_attempt_at) : null,
    lastAttemptAt: instantOf(row.last_attempt_at),
    lastResponseStatus: row.last_response_status,
    lastError: isCutOff ? revokedError : row.last_error,
    createdAt: row.created_at.toISOString(),
    deliveredAt: instantOf(row.delivered_at),
  }
}

/** The rows that read as one of these statuses. */
export function statusCondition(statuses: readonly DeliveryStatus[], { revokedAt }: Subscription): Sql {
  const stored = revokedAt === null ? statuses : statuses.flatMap((status) => storedWhenRevoked[status])
  // Written out, so that the planner sees which partial index fits.
  return sql`and d.status in (${raw(stored.map((status) => `'${status}'`).join(', ') || 'null')})`
}

const storedWhenRevoked: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  PENDING: [],
  RETRYING: [],
  SUCCEEDED: ['SUCCEEDED'],
  FAILED: ['FAILED', 'PENDING', 'RETRYING'],
  DEAD_LETTERED: ['DEAD_LETTERED'],
}

/** The texts that go out; empty where the page was full before. */
export const presentDeliveries = (found: readonly FoundDelivery[]): string[] =>
  found.map(({ delivery, more }) => (more === null ? '' : `${JSON.stringify(delivery).slice(0, -1)}${more}}`))
