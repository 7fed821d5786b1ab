// Settling: what attempts came to is written in batches, one statement each, fenced by the claim. A worker that was
// thought dead changes nothing any more.
import { limits } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { arrayLiteral, planForFewRows, raw, type Sql, sql } from '../../database/sql.js'
import type { AttemptResult } from '../attempt/attempt.js'
import type { Verdict } from '../attempt/judge.js'
import type { Claimed } from './claim.js'
import { insertFinished } from './finished-deliveries.js'

/** An attempt that has ended, or a delivery that was given up without one. */
export interface Settlement {
  readonly delivery: Claimed
  readonly verdict: Verdict
  /** Undefined when nothing was tried. */
  readonly result: AttemptResult | undefined
  /**
   * How long to wait before the next attempt; the statement adds it to the present, so a gap is never shorter than it
   * should be.
   */
  readonly waitMs: number | null
}

export interface Settled {
  /** How many were refused, because the claim was no longer held. */
  readonly refused: number
  /** Subscriptions that have had nothing but failures for too long. */
  readonly failing: readonly { readonly tenantId: string; readonly subscriptionId: string }[]
}

/** When a subscription counts as failing: nothing but failures for this long, over this many attempts. */
export interface FailurePolicy {
  readonly forMs: number
  readonly attempts: number
}

/** Of each delivery, the last ones: replays without end must not make its row grow without end. */
const attemptsKept = limits.listItems

/** What is counted of each tenant, by the day: deliveries that succeeded. */
export const DELIVERIES = 'deliveries'

/** As many as one statement takes. */
export const settleMax = 500

export async function settleDeliveries(
  database: Database,
  settlements: readonly Settlement[],
  patience: FailurePolicy,
  now: Sql,
): Promise<Settled> {
  const { good, bad } = healthOf(settlements)
  const rows = await database.query<{
    settled: number
    failing_tenants: string[] | null
    failing_subscriptions: string[] | null
  }>(
    sql`with present as materialized (select ${now} as at),
    ended as materialized (${endedRows(settlements)}),
    retried as (
      update webhook_deliveries d set status = e.status, is_fresh = false, claim = null, leased_until = null,
        last_error = e.error, next_attempt_at = present.at + e.wait_ms * interval '1 ms',
        attempts = ${withAttempt(raw('d'), raw('e'))}, last_attempt_at = ${lastAttempt.last_attempt_at},
        last_response_status = ${lastAttempt.last_response_status}, delivered_at = null
      from ended e, present where ${isHeld} and e.status = 'RETRYING' returning 1
    ),
    gone as (
      delete from webhook_deliveries d using ended e where ${isHeld} and e.status <> 'RETRYING'
      returning d.*, e.status as outcome, e.error, e.attempt, e.started_at, e.response_status
    ),
    finished as (${finishing} returning 1),
    counted as (
      insert into stat_changes (tenant_id, quarter, metric, label, value, change)
      select tenant_id, date_trunc('day', present.at, 'UTC'), ${DELIVERIES}, '', 0, count(*) from gone, present
      where outcome = 'SUCCEEDED' group by 1, 2
    ),
    recovered as (
      delete from webhook_failures f using unnest(
        ${good.map(({ tenantId }) => tenantId)}::uuid[], ${good.map(({ id }) => id)}::uuid[]
      ) as g (tenant_id, subscription_id)
      where f.tenant_id = g.tenant_id and f.subscription_id = g.subscription_id
    ),
    failed as (
      insert into webhook_failures as f (tenant_id, subscription_id, since, attempts)
      select b.tenant_id, b.subscription_id, present.at, b.attempts
      from unnest(
        ${bad.map(({ tenantId }) => tenantId)}::uuid[], ${bad.map(({ id }) => id)}::uuid[],
        ${bad.map(({ failures }) => failures)}::int[]
      ) as b (tenant_id, subscription_id, attempts), present
      order by b.tenant_id, b.subscription_id
      on conflict (tenant_id, subscription_id) do update set attempts = f.attempts + excluded.attempts
      returning tenant_id, subscription_id, since, attempts
    ),
    failing as (
      select tenant_id, subscription_id from failed, present where attempts >= ${patience.attempts}::int
        and since <= present.at - ${patience.forMs}::bigint * interval '1 ms'
    )
    select (select count(*) from retried)::int + (select count(*) from finished)::int as settled,
      (select array_agg(tenant_id::text order by subscription_id) from failing) as failing_tenants,
      (select array_agg(subscription_id::text order by subscription_id) from failing) as failing_subscriptions`,
    { prepared: true },
  )
  const { settled = 0, failing_tenants: tenants, failing_subscriptions: subscriptions } = rows[0] ?? {}
  const failing = (subscriptions ?? []).map((subscriptionId, index) => ({
    tenantId: tenants?.[index] ?? '',
    subscriptionId,
  }))
  return { refused: settlements.length - settled, failing }
}

/** Room for one more among those that are kept. */
const latest = (attempts: Sql): Sql =>
  sql`${attempts}[greatest(1, cardinality(${attempts}) - ${raw(String(attemptsKept - 2))}):]`

const isHeld = raw(
  'd.tenant_id = e.tenant_id and d.subscription_id = e.subscription_id and d.id = e.id and d.claim = e.claim',
)

const withAttempt = (d: Sql, e: Sql): Sql =>
  sql`case when ${e}.attempt is null then ${d}.attempts else ${latest(sql`${d}.attempts`)} || ${e}.attempt end`

const lastAttempt = lastAttemptOf('e')

/** Where nothing was tried, the last attempt is the one before. */
function lastAttemptOf(ended: string): { last_attempt_at: Sql; last_response_status: Sql } {
  return {
    last_attempt_at: raw(`coalesce(to_timestamp(${ended}.started_at), d.last_attempt_at)`),
    last_response_status: raw(
      `case when ${ended}.started_at is null then d.last_response_status else ${ended}.response_status end`,
    ),
  }
}

/** What is finished moves to where the history is. */
const finishing = insertFinished(raw('gone d, present'), {
  status: raw('d.outcome'),
  is_fresh: raw('false'),
  claim: raw('null'),
  leased_until: raw('null'),
  last_error: raw('d.error'),
  next_attempt_at: raw('null'),
  attempts: withAttempt(raw('d'), raw('d')),
  ...lastAttemptOf('d'),
  delivered_at: raw(`case when d.outcome = 'SUCCEEDED' then present.at end`),
})

/** One array per column, so that the statement is the same for any number of rows. */
function endedRows(settlements: readonly Settlement[]): Sql {
  const column = (value: (settlement: Settlement) => string | number | null | undefined) =>
    arrayLiteral(settlements.map(value))
  const ids = (value: (delivery: Claimed) => string) => sql`${column(({ delivery }) => value(delivery))}::uuid[]`
  // A line of JSON for each, because it has no line break of its own.
  const attempts = settlements.map(attemptLine).join('\n')
  return sql`select * from unnest(
      ${ids(({ tenantId }) => tenantId)}, ${ids(({ subscriptionId }) => subscriptionId)}, ${ids(({ id }) => id)},
      ${ids(({ claim }) => claim)}, ${column(({ verdict }) => verdict.status)}::text[],
      ${column(({ waitMs }) => waitMs)}::float8[], ${column(({ verdict }) => verdict.lastError)}::text[],
      ${column(({ result }) => result && result.startedAt.getTime() / 1_000)}::float8[],
      ${column((one) => answerOf(one)?.status)}::int[], ${column(({ delivery }) => delivery.attempt)}::int[],
      string_to_array(${attempts}, E'\n', '')::json[]
    ) as e (
      tenant_id, subscription_id, id, claim, status, wait_ms, error, started_at, response_status, number, attempt
    ) where ${planForFewRows(raw('e.number'))}`
}

const answerOf = ({ result }: Settlement) => (result?.kind === 'answered' ? result : undefined)

/** An attempt as the API shows it; empty where nothing was tried. */
function attemptLine(settlement: Settlement): string {
  const { delivery, verdict, result } = settlement
  if (result === undefined) return ''
  const { startedAt, durationMs, timings, signature } = result
  const answer = answerOf(settlement)
  return JSON.stringify({
    number: delivery.attempt,
    startedAt,
    durationMs,
    timings,
    responseStatus: answer?.status ?? null,
    responseBody: answer?.responseBody ?? null,
    error: verdict.lastError,
    trigger: delivery.trigger,
    signature,
  })
}

/**
 * The attempts of settlements that were refused are logged all the same, each where it belongs: the subscriber has seen
 * them. Those that are there already stay.
 */
export async function logAttempts(database: Database, settlements: readonly Settlement[]): Promise<void> {
  for (const table of ['webhook_deliveries', 'finished_deliveries'])
    await database.query(lateAttempts(raw(table), settlements))
}

function lateAttempts(table: Sql, settlements: readonly Settlement[]): Sql {
  return sql`with ended as materialized (${endedRows(settlements)}),
    late as (
      select tenant_id, subscription_id, id, array_agg(attempt) as attempts, array_agg(number) as numbers
      from ended where attempt is not null group by 1, 2, 3
    )
    update ${table} d set attempts = (
      select array_agg(last.one order by last.number) from (
        select distinct on (every.number) every.number, every.one
        from (select one, (one ->> 'number')::int as number from unnest(d.attempts || late.attempts) one) every
        order by every.number desc limit ${raw(String(attemptsKept))}
      ) last
    )
    from late where d.tenant_id = late.tenant_id and d.subscription_id = late.subscription_id and d.id = late.id
      and not late.numbers <@ array(select (one ->> 'number')::int from unnest(d.attempts) one)`
}

interface Health {
  readonly tenantId: string
  readonly id: string
  hasSuccess: boolean
  failures: number
}

/** What the batch says of each subscription: one success outweighs the failures around it. */
function healthOf(settlements: readonly Settlement[]): { good: Health[]; bad: Health[] } {
  const known = new Map<string, Health>()
  for (const { delivery, verdict, result } of settlements) {
    if (result === undefined) continue
    const health = known.get(delivery.subscriptionId) ?? {
      tenantId: delivery.tenantId,
      id: delivery.subscriptionId,
      hasSuccess: false,
      failures: 0,
    }
    if (verdict.status === 'SUCCEEDED') health.hasSuccess = true
    else health.failures++
    known.set(delivery.subscriptionId, health)
  }
  const all = [...known.values()]
  return { good: all.filter(({ hasSuccess }) => hasSuccess), bad: all.filter(({ hasSuccess }) => !hasSuccess) }
}
