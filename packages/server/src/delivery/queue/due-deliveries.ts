// Which deliveries are due, as SQL: found subscription by subscription through the index on open deliveries, so that
// the cost depends on how many subscriptions have work, not on how much work one of them has. Nothing is locked here.
import type { Database } from '../../database/pool.js'
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

/**
 * The subscriptions that have open deliveries, found by leaping through the index from one to the next. It goes
 * backwards: what a subscription got last is open if anything of it is, while its first entries may all be of
 * deliveries that were settled since the last vacuum.
 */
export const openSubscriptions = raw(`open (tenant_id, subscription_id) as (
    (
      select tenant_id, subscription_id from webhook_deliveries where status in ('PENDING', 'RETRYING')
      order by tenant_id desc, subscription_id desc limit 1
    )
    union all
    select n.tenant_id, n.subscription_id from open o cross join lateral (
      select tenant_id, subscription_id from webhook_deliveries
      where status in ('PENDING', 'RETRYING') and (tenant_id, subscription_id) < (o.tenant_id, o.subscription_id)
      order by tenant_id desc, subscription_id desc limit 1
    ) n
  )`)

/** A tenant that has something due which this worker can take, and how many of its subscriptions have. */
export interface DueTenant {
  readonly tenantId: string
  readonly subscriptions: number
}

/** Subscriptions by tenant and id, in columns. */
export interface SubscriptionIds {
  readonly tenants: readonly string[]
  readonly ids: readonly string[]
}

/** Where the sweeps of a worker are. */
export interface SweepPlace {
  /** The round over all that have something open goes on below this subscription. */
  readonly below: { readonly tenantId: string; readonly id: string }
  /** What the last sweep found due: there may be more of it. */
  readonly found: SubscriptionIds
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const top = { tenantId: lastUuid, id: lastUuid }
export const sweepStart: SweepPlace = { below: top, found: { tenants: [], ids: [] } }

export interface Sweep {
  readonly due: readonly DueTenant[]
  readonly next: SweepPlace
}

export interface SweepRow extends Record<string, unknown> {
  due: DueTenant[] | null
  tenants: string[] | null
  ids: string[] | null
  last_tenant: string | null
  last_id: string | null
}

/** How many subscriptions with open deliveries one sweep looks at in turn, whether they have something due or not. */
export const roundStep = 20
/** What has come due lately, by an index on time. Also what a commit that took its time brings to light. */
const recentSeconds = 5
const recentMax = 500
const foundMax = 1_000

/**
 * Who has something due; whoever holds least comes first. A sweep costs by what is due, not by what is open: it looks at
 * what came due in the last seconds and at what the sweep before found. All else (a lease that lapsed, a subscription
 * that was resumed elsewhere) is found by a round over everything open, a few subscriptions with each sweep.
 */
export async function findDueTenants(database: Database, options: WorkerRoom, at: SweepPlace): Promise<Sweep> {
  const [row] = await database.query<SweepRow>(sweepStatement(options, at), { prepared: true })
  return toSweep(row)
}

/** The sweep of a worker that has nothing to do, as a question of the watch (`queue/due-watch.ts`). */
export const askSweep = (options: WorkerRoom, at: SweepPlace): Sql =>
  sql`select to_json(swept) from (${sweepStatement(options, at)}) swept`

export function toSweep(row: SweepRow | undefined): Sweep {
  const { due, tenants, ids, last_tenant: tenantId, last_id: id } = row ?? {}
  const below = tenantId && id ? { tenantId, id } : top
  return { due: due ?? [], next: { below, found: { tenants: tenants ?? [], ids: ids ?? [] } } }
}

export function sweepStatement(options: WorkerRoom, { below, found }: SweepPlace): Sql {
  const next = (tenantId: Sql, id: Sql) => sql`select tenant_id, subscription_id from webhook_deliveries
      where ${isOpen} and (tenant_id, subscription_id) < (${tenantId}, ${id})
      order by tenant_id desc, subscription_id desc limit 1`
  return sql`with recursive round (tenant_id, subscription_id, step) as (
      (select n.*, 1 from (${next(sql`${below.tenantId}::uuid`, sql`${below.id}::uuid`)}) n)
      union all
      select n.*, r.step + 1 from round r cross join lateral (${next(raw('r.tenant_id'), raw('r.subscription_id'))}) n
      where r.step < ${raw(String(roundStep))}
    ),
    recent as materialized (
      select d.tenant_id, d.subscription_id from webhook_deliveries d where d.${isOpen}
        and d.next_attempt_at > ${options.now} - interval '${raw(String(recentSeconds))} s'
        and d.next_attempt_at <= ${options.now} order by d.next_attempt_at desc limit ${raw(String(recentMax))}
    ),
    looked as materialized (
      select tenant_id, subscription_id from round union select * from recent
      union select * from unnest(${found.tenants}::uuid[], ${found.ids}::uuid[])
    ),
    due as materialized (${dueSubscriptions(options, raw('join looked using (tenant_id, subscription_id)'))}),
    tenants as (select tenant_id, count(*)::int as subscriptions, min(held) as held from due group by tenant_id),
    found as (select tenant_id, subscription_id from due limit ${raw(String(foundMax))})
    select
      (select json_agg(json_build_object('tenantId', tenant_id, 'subscriptions', subscriptions)
        order by held, tenant_id) from tenants) as due,
      (select array_agg(tenant_id::text) from found) as tenants,
      (select array_agg(subscription_id::text) from found) as ids,
      last.tenant_id::text as last_tenant, last.subscription_id::text as last_id
    from (select 1) one left join round last on last.step = ${raw(String(roundStep))}`
}

/** Subscriptions that have due work and room, with the turn of each within its tenant. `narrowed` says which ones. */
export function dueSubscriptions(options: WorkerRoom, narrowed: Sql): Sql {
  const { tenantSlots = new Map<string, TenantSlots>(), isThorough, rooms, room, capacity, now } = options
  const busy = [...rooms]
  const ids = busy.map(([id]) => id)
  const free = busy.map(([, { deliveries }]) => deliveries)
  const places = busy.map(([, { after }]) => (isThorough ? undefined : after))
  const sharing = [...tenantSlots]
  const held = sharing.map(([, slots]) => slots.held)
  const left = sharing.map(([, slots]) => slots.room)
  const firstFresh = sql`${freshRows(raw('q'), raw('f'), now)} ${oldestFirst} limit 1`
  const firstRetry = sql`${laneRows(false, raw('q'), now)} ${oldestFirst} limit 1`
  return sql`select q.tenant_id, q.subscription_id, coalesce(b.room, ${room}::int) as room, f.after_at, f.after_id,
      coalesce(s.room, ${capacity}::int) as tenant_room, coalesce(s.held, 0) as held,
      row_number() over (partition by q.tenant_id order by q.claimed_at) as turn
    from webhook_queues q ${narrowed}
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
    where q.is_active and (q.free_at is null or q.free_at <= ${now})
      and coalesce(s.room, ${capacity}::int) > 0 and coalesce(b.room, ${room}::int) > 0
      and coalesce((${firstFresh}), (${firstRetry})) is not null`
}

/** Open, its time has come, and no worker holds it. */
const isDue = (now: Sql): Sql =>
  sql`d.${isOpen} and d.next_attempt_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now})`

/**
 * Due rows of one lane of a subscription. The check above takes one of them instead of asking `exists`, which the
 * planner would answer by reading all of them at once.
 */
export function laneRows(isFresh: boolean, of: Sql, now: Sql, columns = raw('d.id')): Sql {
  return sql`select ${columns} from webhook_deliveries d
    where d.tenant_id = ${of}.tenant_id and d.subscription_id = ${of}.subscription_id
      and d.is_fresh = ${raw(String(isFresh))} and ${isDue(now)}`
}

/** Of the lane of first attempts, what lies past the place that was reached. */
export const freshRows = (of: Sql, reached: Sql, now: Sql, columns?: Sql): Sql =>
  sql`${laneRows(true, of, now, columns)} and (d.next_attempt_at, d.id) > (${reached}.after_at, ${reached}.after_id)`

/** The order of the index on open deliveries: asking for it leads the planner there. */
export const oldestFirst = raw('order by d.next_attempt_at, d.id')
