// What a worker does with deliveries that it holds, short of settling them: give them back, keep them for longer, ask
// whether they may still be sent. Every statement is fenced by the claim.
import type { Database } from '../../database/pool.js'
import { planForFewRows, raw, type Sql, sql } from '../../database/sql.js'
import type { Claimed } from './claim.js'

/**
 * Gives back deliveries that were claimed and not begun: as if they had never been claimed. The claim of an exhausted
 * one counted no attempt, so none is taken back.
 */
export async function releaseDeliveries(database: Database, deliveries: readonly Claimed[]): Promise<void> {
  await database.query(
    sql`update webhook_deliveries d
      set claim = null, leased_until = null, attempt_count = d.attempt_count - c.counted from ${claimsOf(deliveries)}`,
    { prepared: true },
  )
}

/** Claims nothing of a subscription for a while; a change of the subscription ends that at once. */
export async function holdSubscription(
  database: Database,
  { tenantId, subscriptionId }: Claimed,
  forMs: number,
  now: Sql,
): Promise<void> {
  const until = sql`${now} + ${forMs}::int * interval '1 ms'`
  await database.query(
    sql`update webhook_queues q set free_at = ${until}
      where q.tenant_id = ${tenantId}::uuid and q.subscription_id = ${subscriptionId}::uuid
        and (q.free_at is null or q.free_at < ${until})`,
    { prepared: true },
  )
}

/** Keeps deliveries that take longer than the lease. */
export async function extendLeases(
  database: Database,
  deliveries: readonly Claimed[],
  leaseMs: number,
  now: Sql,
): Promise<void> {
  await database.query(
    sql`update webhook_deliveries d set leased_until = ${now} + ${leaseMs}::int * interval '1 ms'
      from ${claimsOf(deliveries)}`,
    { prepared: true },
  )
}

/** What goes between `from` and further conditions: deliveries `d` that are held under these claims. */
const claimsOf = (deliveries: readonly Claimed[]): Sql => sql`unnest(
    ${deliveries.map(({ tenantId }) => tenantId)}::uuid[],
    ${deliveries.map(({ subscriptionId }) => subscriptionId)}::uuid[],
    ${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ claim }) => claim)}::uuid[],
    ${deliveries.map(({ attempt }) => attempt)}::int[],
    ${deliveries.map(({ isExhausted }) => (isExhausted ? 0 : 1))}::int[]
  ) as c (tenant_id, subscription_id, id, claim, attempt, counted)
  where ${planForFewRows(raw('c.attempt'))} and d.tenant_id = c.tenant_id
    and d.subscription_id = c.subscription_id and d.id = c.id and d.claim = c.claim`

/**
 * Which deliveries may still be sent: their claim is held, and their subscription wants them. The others are either
 * lost or, where the subscription has stopped, given back. Noted like a claim, because it is trusted like one.
 */
export async function renewClaims(
  database: Database,
  deliveries: readonly Claimed[],
  now: Sql,
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string; is_active: boolean }>(
    sql`with held as materialized (
      select d.tenant_id, d.id, d.subscription_id
      from webhook_deliveries d, ${claimsOf(deliveries)} and d.leased_until > ${now}
    ),
    queues as materialized (
      select q.tenant_id, q.subscription_id, q.is_active from webhook_queues q
      where (q.tenant_id, q.subscription_id) in (select tenant_id, subscription_id from held)
      order by q.tenant_id, q.subscription_id for update
    ),
    noted as (
      update webhook_queues q set claimed_at = now() from queues
      where queues.is_active and q.tenant_id = queues.tenant_id and q.subscription_id = queues.subscription_id
    )
    select held.id, queues.is_active from held join queues using (tenant_id, subscription_id)`,
    { prepared: true },
  )
  const unwanted = new Set(rows.filter((row) => !row.is_active).map(({ id }) => id))
  if (unwanted.size > 0)
    await releaseDeliveries(
      database,
      deliveries.filter(({ id }) => unwanted.has(id)),
    )
  return new Set(rows.filter((row) => row.is_active).map(({ id }) => id))
}
