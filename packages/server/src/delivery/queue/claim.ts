// Claiming a fair batch of what is due under a lease, in one statement: it locks the row of each subscription that has
// due work in `webhook_queues`, and takes a few deliveries of each by index. Nothing here sends; settle.ts settles.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/pool.js'
import { planForFewRows, raw, type Sql, sql } from '../../database/sql.js'
import { dueSubscriptions, freshRows, laneRows, oldestFirst, type Place, type WorkerRoom } from './due-deliveries.js'
import { isEventOf } from './event-of-delivery.js'

/** One delivery in the hands of this worker. */
export interface Claimed {
  readonly tenantId: string
  readonly id: string
  readonly subscriptionId: string
  /** Tells whether what is remembered of the subscription is current. */
  readonly subscriptionVersion: number
  readonly eventId: string
  readonly eventType: string
  /** Counted over all cycles, this one included. */
  readonly attempt: number
  /** Counted from 1 within the cycle. */
  readonly attemptOfCycle: number
  readonly trigger: Trigger
  /** The bytes to send, as text; null when the event is no longer there. */
  readonly body: string | null
  /** Of the commit that made the event, where it was traced. */
  readonly traceparent?: string | null
  /** All attempts of the cycle were begun by workers that never settled. */
  readonly isExhausted: boolean
  readonly claim: string
  /** When the claim was asked for, on the clock of `performance`. What it says is true at least from then on. */
  readonly claimedAtMs: number
}

export type Trigger = 'event' | 'retry' | 'replay' | 'test'

/** What a claim found out about a subscription besides its deliveries. */
export interface SubscriptionClaim {
  readonly tenantId: string
  readonly subscriptionId: string
  /** It took as many as it was allowed, so there may be more. */
  readonly isFull: boolean
  /** A throttled subscription: when it is worth looking again. */
  readonly waitMs: number | null
  /** The last first attempt that was taken. */
  readonly place: Place | undefined
}

export interface ClaimOptions extends WorkerRoom {
  readonly tenants: readonly string[]
  readonly leaseMs: number
  readonly attemptsMax: number
  /** Whether traces are continued, which takes a look at the event. */
  readonly isTraced?: boolean
}

/** A delivery as the claim brings it, with what that found out about its subscription. */
type ClaimedRow = Omit<Claimed, 'claim' | 'claimedAtMs'> & {
  most: number
  /** Of this claim, in the order to send it. */
  turn: number
  /** Of a throttled subscription: from when on, seen from now, and at what distance it takes deliveries. */
  baseMs: number | null
  pauseMs: number | null
  placeAt: number | null
}

/**
 * Takes what is due, oldest first within each subscription and lane, and counts the attempt. Returns the deliveries in
 * the order to send them.
 */
export async function claimDeliveries(
  database: Database,
  options: ClaimOptions,
): Promise<{ claimed: Claimed[]; turns: SubscriptionClaim[] }> {
  const claim = randomUUID()
  const claimedAtMs = performance.now()
  const rows = await database.query<ClaimedRow>(claimStatement(options, claim), { prepared: true })
  rows.sort((a, b) => a.turn - b.turn)
  return { claimed: rows.map((row) => toClaimed(row, claim, claimedAtMs)), turns: turnsOf(rows) }
}

/**
 * Says `not in` where an index on open deliveries would fit `in`, and limits the look-up of an event to the one there
 * is, for the reason that `planForFewRows` names.
 */
function claimStatement(options: ClaimOptions, claim: string): Sql {
  const { capacity, leaseMs, attemptsMax, now } = options
  const isFirstLane = sql`d.is_fresh = ${Math.random() < 0.5}::boolean`
  return sql`with ready as materialized (${readySubscriptions(options)}),
    allowed as materialized (
      select r.*, least(r.room, r.spare, greatest(1, t.share / count(*) over (partition by r.tenant_id)))::int as most
      from ready r cross join lateral (
        select least(r.tenant_room, ${capacity}::int / (select count(distinct tenant_id) from ready)) as share
      ) t
    ),
    chosen as materialized (
      select * from (
        select a.tenant_id, a.subscription_id, a.version, a.most, a.base, a.pause, d.row, d.is_exhausted,
          row_number() over (partition by a.subscription_id order by d.place, ${isFirstLane})::int as turn
        from allowed a cross join lateral (${lane(true, options)} union all ${lane(false, options)}) d
      ) due where turn <= most and ${planForFewRows(raw('turn'))} order by turn limit ${capacity}
    ),
    claimed as (
      update webhook_deliveries d
      set claim = ${claim}::uuid, leased_until = ${now} + ${leaseMs}::int * interval '1 ms',
        attempt_count = least(d.attempt_count + 1, d.attempts_before + ${attemptsMax})
      from chosen c where d.ctid = c.row and d.status not in ('SUCCEEDED', 'FAILED', 'DEAD_LETTERED')
        and d.next_attempt_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now})
      returning d.tenant_id, d.id, d.subscription_id, d.event_id, d.event_type, d.attempt_count, d.attempts_before,
        d.replay_count, d.next_attempt_at, d.is_fresh, d.body, d.event_tenant_id,
        c.version, c.most, c.base, c.pause, c.is_exhausted, c.turn
    ),
    taken as (
      select tenant_id, subscription_id, count(*)::int as deliveries, min(base) as base, min(pause) as pause
      from claimed group by 1, 2
    ),
    noted as (
      update webhook_queues q set claimed_at = now(), free_at = t.base + t.deliveries * t.pause
      from taken t where q.tenant_id = t.tenant_id and q.subscription_id = t.subscription_id
    ),
    unflushed as materialized (${unflushed})
    select c.tenant_id as "tenantId", c.id, c.subscription_id as "subscriptionId", c.version as "subscriptionVersion",
      c.event_id as "eventId", c.event_type as "eventType", c.attempt_count as attempt,
      c.attempt_count - c.attempts_before as "attemptOfCycle", ${triggerOf(raw('c'))} as trigger,
      c.is_exhausted as "isExhausted", c.most, c.turn, coalesce(c.body, (
        select e.body from events e
        where ${raw(isEventOf('c'))} limit 1
      )) as body, ${options.isTraced ? traceOf : raw('null')} as traceparent,
      case when c.is_fresh then date_part('epoch', c.next_attempt_at) end as "placeAt",
      (extract(epoch from c.base - ${now}) * 1000)::float8 as "baseMs",
      (extract(epoch from c.pause) * 1000)::float8 as "pauseMs"
    from claimed c, unflushed`
}

const traceOf = raw(`(
        select e.traceparent from events e
        where ${isEventOf('c')} limit 1
      )`)

/**
 * The claim does not wait for the disk. A claim that a crash of the database undoes costs a repeated request at worst,
 * as a crash of the worker would; waiting for the disk at every claim would cost each delivery milliseconds.
 */
const unflushed = raw(`select set_config('synchronous_commit', 'off', true)`)

const triggerOf = (of: Sql): Sql =>
  sql`case when ${of}.attempt_count - ${of}.attempts_before > 1 then 'retry'
    when ${of}.replay_count > 0 then 'replay' when ${of}.body is null then 'event' else 'test' end`

/**
 * Subscriptions that have due work and room. Tenants take turns, whoever holds least first; within a tenant, the one
 * that was served longest ago comes first. A row that another worker holds is passed over: that worker is serving it.
 * What is asked of `q` here is asked again of the row that was locked, so a change that came in between counts. A
 * throttled one may take what its pace has left over (`spare`); the pace is lowered by its small burst, so that no
 * second sees more than was asked for. `free_at` is also set where a subscription is held for a while, throttled or
 * not; the next claim moves it on or takes it away.
 */
function readySubscriptions(options: ClaimOptions): Sql {
  const { capacity, now, tenants } = options
  const due = dueSubscriptions(
    options,
    sql`webhook_queues q join unnest(${tenants}::uuid[]) as w (tenant_id) using (tenant_id)`,
  )
  return sql`select q.tenant_id, q.subscription_id, q.version, c.room, c.tenant_room, c.after_at, c.after_id,
      p.pause, p.base, case when p.pause is null then 1000000
        else floor(extract(epoch from ${now} - p.base) / extract(epoch from p.pause)) + 1 end as spare
    from (${due}) c
      join webhook_queues q on q.tenant_id = c.tenant_id and q.subscription_id = c.subscription_id
      cross join lateral (select greatest(1, q.throttle_per_second / 20) as burst) as t
      cross join lateral (select interval '1 second' / (q.throttle_per_second - t.burst + 1) as pause) as i
      cross join lateral (select i.pause, greatest(q.free_at, ${now} - (t.burst - 1) * i.pause) as base) as p
    where c.has_room and c.turn <= c.tenant_room and q.is_active and (q.free_at is null or q.free_at <= ${now})
    order by c.held + c.turn limit ${capacity} for update of q skip locked`
}

/**
 * The lanes take turns, and which of them begins is left to chance, so that neither a flood of new events nor one of
 * retries makes the other wait.
 */
function lane(isFresh: boolean, { attemptsMax, now }: ClaimOptions): Sql {
  const columns = raw('d.ctid, d.id, d.next_attempt_at, d.attempt_count, d.attempts_before')
  const rows = isFresh ? freshRows(raw('a'), raw('a'), now, columns) : laneRows(false, raw('a'), now, columns)
  return sql`select first.ctid as row, ${raw(String(isFresh))} as is_fresh,
      first.attempt_count - first.attempts_before >= ${attemptsMax} as is_exhausted,
      row_number() over (order by first.next_attempt_at, first.id) as place
    from (${rows} ${oldestFirst} limit a.most) first`
}

/** An object of its own: what the driver makes has a slower shape, and every step of a delivery reads from it. */
const toClaimed = (row: ClaimedRow, claim: string, claimedAtMs: number): Claimed => ({
  tenantId: row.tenantId,
  id: row.id,
  subscriptionId: row.subscriptionId,
  subscriptionVersion: row.subscriptionVersion,
  eventId: row.eventId,
  eventType: row.eventType,
  attempt: row.attempt,
  attemptOfCycle: row.attemptOfCycle,
  trigger: row.trigger,
  body: row.body,
  traceparent: row.traceparent ?? null,
  isExhausted: row.isExhausted,
  claim,
  claimedAtMs,
})

/** Rows come in the order of their turns, so the last place of a subscription counts. */
function turnsOf(rows: readonly ClaimedRow[]): SubscriptionClaim[] {
  const taken = new Map<string, { row: ClaimedRow; count: number; place: Place | undefined }>()
  for (const row of rows) {
    const known = taken.get(row.subscriptionId) ?? { row, count: 0, place: undefined }
    known.count++
    if (row.placeAt !== null) known.place = { at: row.placeAt, id: row.id }
    taken.set(row.subscriptionId, known)
  }
  return [...taken.values()].map(({ row, count, place }) => ({
    tenantId: row.tenantId,
    subscriptionId: row.subscriptionId,
    isFull: count >= row.most,
    waitMs: row.baseMs === null || row.pauseMs === null ? null : row.baseMs + count * row.pauseMs,
    place,
  }))
}

/**
 * A claim is taken at its word for this long; whoever begins to write later asks again. A revocation waits as long
 * before it is answered.
 */
export const trustMs = 1_000
