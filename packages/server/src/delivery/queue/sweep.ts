// The sweep: who has something due. It costs by what is due, not by what is open, because it goes by time: what came
// due since the last sweep, which subscriptions were written since, and what the sweep before found. A round over all
// that have something open, a few at a time, finds the rest.
import type { Database } from '../../database/pool.js'
import { planForFewRows, raw, type Sql, sql } from '../../database/sql.js'
import { dueSubscriptions, isOpen, nextOpen, type WorkerRoom } from './due-deliveries.js'
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

/** Where the sweeps of a worker are. */
export interface SweepPlace {
  /** The moment of the last sweep, on the clock that deliveries come due by; null when that was just now. */
  readonly sweptAt: string | null
  /** What has been found due: there may be more of it, or no room for it yet. */
  readonly found: readonly SubscriptionId[]
  /** The round goes on below this subscription, by so many; with 0 it is left out. */
  readonly below: SubscriptionId
  readonly step: number
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Where a round begins. */
export const top: SubscriptionId = { tenantId: lastUuid, id: lastUuid }

export interface Sweep {
  readonly due: readonly DueTenant[]
  readonly found: readonly SubscriptionId[]
  readonly sweptAt: string | null
  /** Where the round goes on; undefined when it has come to its end, or was left out. */
  readonly below: SubscriptionId | undefined
  /** More came due than a sweep looks at. */
  readonly isFlooded: boolean
  /** When the leases of a worker that is gone have lapsed, the latest of those times. */
  readonly lapsedAt: string | null
}

export interface SweepRow extends Record<string, unknown> {
  due: DueTenant[] | null
  found: SubscriptionId[] | null
  swept_at: string
  below: SubscriptionId | null
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
  below: row?.below ?? undefined,
  isFlooded: row?.is_flooded ?? false,
  lapsedAt: row?.lapsed_at ?? null,
})

export function sweepStatement(options: WorkerRoom, { sweptAt, found, below, step }: SweepPlace): Sql {
  const { now } = options
  const since = sinceWhen(sweptAt, now)
  const most = raw(String(recentMax))
  const pair = raw(`json_build_object('tenantId', tenant_id, 'id', subscription_id)`)
  return sql`with recursive round (tenant_id, subscription_id, step) as (
      (select n.*, 1 from (${nextOpen(sql`${below.tenantId}::uuid`, sql`${below.id}::uuid`)}) n where ${step}::int > 0)
      union all
      select n.*, r.step + 1 from round r 
        cross join lateral (${nextOpen(raw('r.tenant_id'), raw('r.subscription_id'))}) n
      where r.step < ${step}::int
    ),
    recent as materialized (
      select d.tenant_id, d.subscription_id from webhook_deliveries d where d.${isOpen} and d.next_attempt_at > ${since}
        and d.next_attempt_at <= ${now} order by d.next_attempt_at desc limit ${most}
    ),
    looked as materialized (
      select tenant_id, subscription_id, count(*) as times from (
        select tenant_id, subscription_id from round union all select * from recent union all (
          select tenant_id, subscription_id from webhook_queues where changed_at > ${since}
          order by changed_at desc limit ${most}
        ) union all select * from unnest(
          ${found.map(({ tenantId }) => tenantId)}::uuid[], ${found.map(({ id }) => id)}::uuid[]
        )
      ) s group by 1, 2
    ),
    due as materialized (${dueSubscriptions(options, lookedQueues)}),
    tenants as (
      select tenant_id, count(*)::int as subscriptions, min(held) as held from due where has_room group by tenant_id
    ),
    found as (select tenant_id, subscription_id from due limit ${raw(String(foundMax))})
    select
      (select json_agg(json_build_object('tenantId', tenant_id, 'subscriptions', subscriptions)
        order by held, tenant_id) from tenants) as due,
      (select json_agg(${pair}) from found) as found, (${now})::text as swept_at,
      (select ${pair} from round where round.step = ${step}::int) as below,
      (select count(*) >= ${most} from recent) as is_flooded, (${lastHeardOf(now)})::text as lapsed_at`
}

/**
 * Mostly it is said in the text of the statement: with a time that it does not know, the planner expects so much that it
 * plans each sweep anew.
 */
const sinceWhen = (sweptAt: string | null, now: Sql): Sql =>
  sweptAt === null
    ? sql`${now} - interval '${raw(String(overlapSeconds + justNowSeconds))} s'`
    : sql`least(${sweptAt}::timestamptz, ${now}) - interval '${raw(String(overlapSeconds))} s'`

/** One by one: with more of them to expect, the planner would plan each sweep anew, which costs more than the sweep. */
const lookedQueues = sql`(select * from looked where ${planForFewRows(raw('looked.times'))}) l cross join lateral (
        select * from webhook_queues w where w.tenant_id = l.tenant_id and w.subscription_id = l.subscription_id limit 1
      ) q`
