// The sweep: who has something due. It costs by what is due, not by what is open, because it goes by time: what came
// due since the last sweep, which subscriptions were written since, and what the sweep before found. Where something is
// due for longer, a round over all lanes that have something open, a few at a time, finds it.
import type { Database } from '../../database/pool.js'
import { planForFewRows, raw, type Sql, sql } from '../../database/sql.js'
import { dueSubscriptions, isOpen, nextLane, stillDue, type WorkerRoom } from './due-deliveries.js'
import { lastHeardOf } from './live-workers.js'

/** A tenant that has something due which this worker can take, and how many of its subscriptions have. */
export interface DueTenant {
  readonly tenantId: string
  readonly subscriptions: number
}

export interface SubscriptionId {
  readonly tenantId: string
  readonly id: string
}

/** A subscription that has something due, and where such a delivery lies. */
export interface Found extends SubscriptionId {
  readonly row: string
}

/** Where the sweeps of a worker are. */
export interface SweepPlace {
  /** The moment of the last sweep, on the clock that deliveries come due by; null when that was just now. */
  readonly sweptAt: string | null
  /** What has been found due: there may be more of it, or no room for it yet. */
  readonly found: readonly Found[]
  /** The round goes on past this lane, by so many; with 0 it is left out. */
  readonly after: Lane
  readonly step: number
}

/** First attempts of a subscription, or its others. */
export interface Lane extends SubscriptionId {
  readonly isFresh: boolean
}

const noUuid = '00000000-0000-0000-0000-000000000000'
/** Where a round begins. */
export const start: Lane = { tenantId: noUuid, id: noUuid, isFresh: false }

export interface Sweep {
  readonly due: readonly DueTenant[]
  readonly found: readonly Found[]
  readonly sweptAt: string | null
  /** Where the round goes on; undefined when it has come to its end, was not needed, or was left out. */
  readonly after: Lane | undefined
  /** More came due than a sweep looks at. */
  readonly isFlooded: boolean
  /** When the leases of a worker that is gone have lapsed, the latest of those times. */
  readonly lapsedAt: string | null
}

export interface SweepRow extends Record<string, unknown> {
  due: DueTenant[] | null
  found: Found[] | null
  swept_at: string
  after: Lane | null
  is_flooded: boolean
  lapsed_at: string | null
}

/**
 * How far before the last sweep it looks once more: a commit may have taken its time, and the clock of a node that
 * queues deliveries may be late.
 */
const overlapSeconds = 60
/** Up to here the last sweep was just now. */
export const justNowSeconds = 5
const recentMax = 500
const foundMax = 1_000

/** Whoever holds least comes first. */
export async function findDueTenants(database: Database, options: WorkerRoom, at: SweepPlace): Promise<Sweep> {
  const [row] = await database.query<SweepRow>(sweepStatement(options, at), { prepared: true })
  return toSweep(row)
}

/** The sweep of a worker that has nothing to do, as a question of the watch (`queue/due-watch.ts`). */
export const askSweep = (options: WorkerRoom, at: SweepPlace): Sql =>
  sql`select to_json(swept) from (${sweepStatement(options, at)}) swept`

export const toSweep = (row: SweepRow | undefined): Sweep => ({
  due: row?.due ?? [],
  found: row?.found ?? [],
  sweptAt: row?.swept_at ?? null,
  after: row?.after ?? undefined,
  isFlooded: row?.is_flooded ?? false,
  lapsedAt: row?.lapsed_at ?? null,
})

export function sweepStatement(options: WorkerRoom, { sweptAt, found, after, step }: SweepPlace): Sql {
  const { now } = options
  const since = sinceWhen(sweptAt, now)
  const most = raw(String(recentMax))
  const subscription = raw(`'tenantId', tenant_id, 'id', subscription_id`)
  const roundOnly = (part: Sql, otherwise = '') => (step > 0 ? part : raw(otherwise))
  const reached = sql`(
        select json_build_object(${subscription}, 'isFresh', is_fresh) from round where step = ${step}::int
      )`
  return sql`with recursive recent as materialized (
      select d.tenant_id, d.subscription_id, d.ctid as row, d.next_attempt_at from webhook_deliveries d
      where d.${isOpen} and d.next_attempt_at > ${since} and d.next_attempt_at <= ${now}
      order by d.next_attempt_at desc limit ${most}
    ),
    ${roundOnly(roundAfter(after, step, since))}
    looked as materialized (
      select tenant_id, subscription_id, max(row) as row, count(*) as times from (
        select tenant_id, subscription_id, row from recent
        ${roundOnly(sql`union all select tenant_id, subscription_id, null from round where next_attempt_at <= ${now}`)}
        union all (
          select tenant_id, subscription_id, null from webhook_queues where changed_at > ${since}
          order by changed_at desc limit ${most}
        ) union all select * from unnest(
          ${found.map(({ tenantId }) => tenantId)}::uuid[], ${found.map(({ id }) => id)}::uuid[],
          ${found.map(({ row }) => row)}::tid[]
        )
      ) s group by 1, 2
    ),
    due as materialized (${dueSubscriptions(options, lookedQueues, stillDue(raw('l.row'), now))}),
    tenants as (
      select tenant_id, count(*)::int as subscriptions, min(held) as held from due where has_room group by tenant_id
    ),
    found as (select tenant_id, subscription_id, row from due limit ${raw(String(foundMax))})
    select
      (select json_agg(json_build_object('tenantId', tenant_id, 'subscriptions', subscriptions)
        order by held, tenant_id) from tenants) as due,
      (select json_agg(json_build_object(${subscription}, 'row', row)) from found) as found, (${now})::text as swept_at,
      ${roundOnly(reached, 'null::json')} as after,
      (select count(*) >= ${most} from recent) as is_flooded, (${lastHeardOf(now)})::text as lapsed_at`
}

/** Some lanes more of the round, each by the delivery that comes due first. */
function roundAfter({ tenantId, id, isFresh }: Lane, step: number, since: Sql): Sql {
  const first = nextLane(sql`${tenantId}::uuid`, sql`${id}::uuid`, sql`${isFresh}::boolean`)
  const next = nextLane(raw('r.tenant_id'), raw('r.subscription_id'), raw('r.is_fresh'))
  return sql`round (tenant_id, subscription_id, is_fresh, next_attempt_at, step) as (
      (select n.*, 1 from (${first}) n where ${isOverdue(since)})
      union all
      select n.*, r.step + 1 from round r cross join lateral (${next}) n where r.step < ${step}::int
    ),`
}

/** Whether anything is due that `recent` does not show. If not, there is nothing for a round to find. */
const isOverdue = (since: Sql): Sql =>
  sql`(
          select d.next_attempt_at from webhook_deliveries d where d.${isOpen} and d.next_attempt_at <= (
            select case when count(*) < ${raw(String(recentMax))} then ${since} else min(next_attempt_at) end
            from recent
          ) order by d.next_attempt_at limit 1
        ) is not null`

/**
 * Mostly it is said in the text of the statement: with a time that it does not know, the planner expects so much that
 * it plans each sweep anew.
 */
const sinceWhen = (sweptAt: string | null, now: Sql): Sql =>
  sweptAt === null
    ? sql`${now} - interval '${raw(String(overlapSeconds + justNowSeconds))} s'`
    : sql`least(${sweptAt}::timestamptz, ${now}) - interval '${raw(String(overlapSeconds))} s'`

/**
 * One by one: with more of them to expect, the planner would plan each sweep anew, which costs more than the sweep. By
 * primary key, however few there were when it was planned.
 */
const lookedQueues = sql`(select * from looked where ${planForFewRows(raw('looked.times'))}) l cross join lateral (
        select * from webhook_queues w where w.tenant_id = l.tenant_id and w.subscription_id = l.subscription_id
          and in_index_order(w.subscription_id) limit 1
      ) q`
