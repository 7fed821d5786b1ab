// Which deliveries are due, as SQL: found subscription by subscription through the index on open deliveries, so that
// the cost depends on how many subscriptions have work, not on how much work one of them has. Nothing is locked here.
import { raw, type Sql, sql } from '../../database/sql.js'
import type { TenantSlots } from './slots.js'

/**
 * A place in the order of first attempts of a subscription. The time is in seconds with microseconds behind the point,
 * because a `Date` has none.
 */
export interface Place {
  readonly at: number
  readonly id: string
}

/** What this worker can take of a subscription. */
export interface Room {
  readonly deliveries: number
  /**
   * Where to go on with first attempts, where there is a backlog: up to here they are under way, and passing over them
   * again costs as much as claiming. What comes to light before it, by a late commit or a lapsed lease, is for a claim
   * that looks at everything.
   */
  readonly after: Place | undefined
}

/** What a worker can take. */
export interface WorkerRoom {
  /** Deliveries, at most: of one tenant unless `tenantSlots` says less, and of all together. */
  readonly capacity: number
  /** Tenants that hold something already: who holds least comes first. */
  readonly tenantSlots?: ReadonlyMap<string, TenantSlots>
  /** How many of one subscription, unless `rooms` says otherwise. */
  readonly room: number
  readonly rooms: ReadonlyMap<string, Room>
  /** Looks at everything, whatever place was reached. */
  readonly isThorough?: boolean
  readonly now: Sql
}

/** The present in SQL: the database's own clock, which all nodes share, or the one a test brings. */
export const sqlNow = (clock: (() => Date) | undefined): Sql => (clock ? sql`${clock()}::timestamptz` : raw('now()'))

/** A partial index holds these; the words must be the same everywhere. */
export const isOpen = raw(`status in ('PENDING', 'RETRYING')`)

/** The last subscription with open deliveries, of those that `condition` leaves. */
const lastOpen = (condition: Sql): Sql =>
  sql`select tenant_id, subscription_id from webhook_deliveries where ${isOpen} ${condition}
      order by tenant_id desc, subscription_id desc limit 1`

/**
 * The subscriptions that have open deliveries, found by leaping through the index from one to the next. It goes
 * backwards: what a subscription got last is open if anything of it is, while its first entries may all be of
 * deliveries that were settled since the last vacuum.
 */
export const openSubscriptions = sql`open (tenant_id, subscription_id) as (
    (${lastOpen(raw(''))})
    union all
    select n.tenant_id, n.subscription_id from open o
      cross join lateral (${lastOpen(raw('and (tenant_id, subscription_id) < (o.tenant_id, o.subscription_id)'))}) n
  )`

/**
 * The first open delivery past a lane: the one of the next lane that comes due first, so that one look tells whether
 * that lane has anything due.
 */
export const nextLane = (tenantId: Sql, id: Sql, isFresh: Sql): Sql =>
  sql`select tenant_id, subscription_id, is_fresh, next_attempt_at from webhook_deliveries
      where ${isOpen} and (tenant_id, subscription_id, is_fresh) > (${tenantId}, ${id}, ${isFresh})
      order by tenant_id, subscription_id, is_fresh, next_attempt_at limit 1`

/**
 * Of the subscriptions `q` in `from`, those that have due work, with the turn of each within its tenant, whether there
 * is room for it at present, and a delivery that is due. `seen`: one that was due a moment ago. While it is, no index
 * has to be gone through, whatever its depth.
 */
export function dueSubscriptions(options: WorkerRoom, from: Sql, seen = raw('null')): Sql {
  const { tenantSlots = new Map<string, TenantSlots>(), isThorough, rooms, room, capacity, now } = options
  const busy = [...rooms]
  const ids = busy.map(([id]) => id)
  const free = busy.map(([, { deliveries }]) => deliveries)
  const places = busy.map(([, { after }]) => (isThorough ? undefined : after))
  const sharing = [...tenantSlots]
  const held = sharing.map(([, slots]) => slots.held)
  const left = sharing.map(([, slots]) => slots.room)
  const firstFresh = sql`${freshRows(raw('q'), raw('f'), now, raw('d.ctid'))} ${oldestFirst} limit 1`
  const firstRetry = sql`${laneRows(false, raw('q'), now, raw('d.ctid'))} ${oldestFirst} limit 1`
  return sql`select q.tenant_id, q.subscription_id, coalesce(b.room, ${room}::int) as room, f.after_at, f.after_id,
      coalesce(s.room, ${capacity}::int) as tenant_room, coalesce(s.held, 0) as held,
      row_number() over (partition by q.tenant_id, r.has_room order by q.claimed_at) as turn, r.has_room, d.row
    from ${from}
      left join unnest(${sharing.map(([id]) => id)}::uuid[], ${held}::int[], ${left}::int[])
        as s (tenant_id, held, room) on s.tenant_id = q.tenant_id
      left join unnest(
        ${ids}::uuid[], ${free}::int[], ${places.map((place) => place?.at)}::float8[],
        ${places.map((place) => place?.id)}::uuid[]
      ) as b (subscription_id, room, after_at, after_id) on b.subscription_id = q.subscription_id
      cross join lateral (
        select coalesce(to_timestamp(b.after_at), '-infinity') as after_at,
          coalesce(b.after_id, '00000000-0000-0000-0000-000000000000') as after_id
      ) as f
      cross join lateral (
        select (q.free_at is null or q.free_at <= ${now})
          and coalesce(s.room, ${capacity}::int) > 0 and coalesce(b.room, ${room}::int) > 0 as has_room
      ) as r
      cross join lateral (select coalesce(${seen}, (${firstFresh}), (${firstRetry})) as row offset 0) as d
    where q.is_active and d.row is not null`
}

/** The delivery that lies there, if it is one of the subscription `q` and still due. */
export const stillDue = (row: Sql, now: Sql): Sql =>
  sql`(
          select d.ctid from webhook_deliveries d where d.ctid = ${row} and d.tenant_id = q.tenant_id
            and d.subscription_id = q.subscription_id and ${isDue(now)}
        )`

/** Open, its time has come, and no worker holds it. */
const isDue = (now: Sql): Sql =>
  sql`d.${isOpen} and d.next_attempt_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now})`

/**
 * Due rows of one lane of a subscription. The check above takes one of them instead of asking `exists`, which the
 * planner would answer by reading all of them at once.
 */
export const laneRows = (isFresh: boolean, of: Sql, now: Sql, columns: Sql): Sql =>
  sql`select ${columns} from webhook_deliveries d
    where d.tenant_id = ${of}.tenant_id and d.subscription_id = ${of}.subscription_id
      and d.is_fresh is ${raw(String(isFresh))} and ${isDue(now)} and in_index_order(d.id)`

/** Of the lane of first attempts, what lies past the place that was reached. */
export const freshRows = (of: Sql, reached: Sql, now: Sql, columns: Sql): Sql =>
  sql`${laneRows(true, of, now, columns)} and (d.next_attempt_at, d.id) > (${reached}.after_at, ${reached}.after_id)`

/**
 * The order of the index on open deliveries: asking for it leads the planner there, together with `in_index_order`.
 * Without that, all that a subscription with a long backlog has open was read by primary key and sorted.
 *
 * The lane is part of it, and `is`, unlike `=`, does not tell the planner that it is one and the same. Otherwise the
 * index by time has this order too, and with few subscriptions the planner took that: it found out that one has nothing
 * due by reading all that was due of the others.
 */
export const oldestFirst = raw('order by d.is_fresh, d.next_attempt_at, d.id')
