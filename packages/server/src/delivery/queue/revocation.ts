// What follows when a subscription stops: its change is answered only when no worker can begin to send any more, and
// the open deliveries of a revoked one are settled in batches. Until they are, they are read as failed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { trustMs } from './claim.js'
import { isOpen } from './due-deliveries.js'

/** What the commit that stops a subscription announces. */
export const SUBSCRIPTION_STOPPED = 'webhook subscription stopped'

/** The word in `lastError` of what was open when its subscription was revoked. */
export const revokedError = 'subscription_revoked'

const batchMax = 1_000

/**
 * Waits until nothing more can be sent for a subscription whose stop is committed. The commit waited for claims that
 * were being made, and later ones see the stop; an earlier one is trusted for a while, so what counts is how long ago
 * the last one was. Mostly that is long enough, and nothing is waited for.
 */
export async function waitUntilStopped(database: Database, tenantId: string, subscriptionId: string): Promise<void> {
  const leftMs = trustMs - (await lastClaimAgoMs(database, tenantId, subscriptionId).catch(() => 0))
  if (leftMs > 0) await sleep(leftMs)
}

async function lastClaimAgoMs(database: Database, tenantId: string, subscriptionId: string): Promise<number> {
  const [row] = await database.query<{ ago_ms: number }>(
    sql`select extract(epoch from clock_timestamp() - claimed_at)::float8 * 1000 as ago_ms from webhook_queues
      where tenant_id = ${tenantId}::uuid and subscription_id = ${subscriptionId}::uuid and claimed_at > '-infinity'`,
    { prepared: true },
  )
  return row?.ago_ms ?? Number.POSITIVE_INFINITY
}

/**
 * Settles a batch of open deliveries of revoked subscriptions. Says whether there may be more. What a worker still
 * holds is not part of a batch: it would come again and again, and keep the rest waiting.
 */
export async function settleRevoked(database: Database, now: Sql): Promise<boolean> {
  const isFree = sql`(w.leased_until is null or w.leased_until <= ${now})`
  const [row] = await database.query<{ settled: number }>(
    sql`with batch as (
      select d.tenant_id, d.subscription_id, d.id
      from webhook_queues q cross join lateral (
        select w.tenant_id, w.subscription_id, w.id from webhook_deliveries w
        where w.tenant_id = q.tenant_id and w.subscription_id = q.subscription_id and w.${isOpen} and ${isFree}
        order by w.tenant_id, w.subscription_id, w.is_fresh, w.next_attempt_at, w.id limit ${raw(String(batchMax))}
      ) d where q.is_revoked limit ${raw(String(batchMax))}
    ),
    settled as (
      update webhook_deliveries d set status = 'FAILED', last_error = ${revokedError}, next_attempt_at = null,
        claim = null, leased_until = null
      from batch b where d.tenant_id = b.tenant_id and d.subscription_id = b.subscription_id and d.id = b.id
        and d.${isOpen} and (d.leased_until is null or d.leased_until <= ${now})
      returning 1
    )
    select count(*)::int as settled from settled`,
  )
  return (row?.settled ?? 0) >= batchMax
}
