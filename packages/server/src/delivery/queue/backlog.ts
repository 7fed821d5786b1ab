// What waits to be sent, in two numbers for the operator: how many deliveries are due, and how long the oldest of them
// has been.
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { isOpen, openSubscriptions } from './due-deliveries.js'

export interface Backlog {
  readonly due: number
  readonly oldestMs: number
}

/** Counting stops here for each subscription: an operator who sees this many knows enough. */
const countedMax = 10_000

/** Deliveries of paused and disabled subscriptions wait on purpose and are left out. */
export async function measureBacklog(database: Database, now: Sql): Promise<Backlog> {
  const due = sql`from webhook_deliveries w where w.tenant_id = q.tenant_id
    and w.subscription_id = q.subscription_id and w.${isOpen} and w.next_attempt_at <= ${now}`
  const counted = sql`select count(*) from (select ${due} limit ${raw(String(countedMax))}) counted`
  const oldestOf = (isFresh: boolean) =>
    sql`(select w.next_attempt_at ${due} and w.is_fresh = ${raw(String(isFresh))} order by w.next_attempt_at limit 1)`
  const [row] = await database.query<{ due: number; oldest_ms: number | null }>(
    sql`with recursive ${openSubscriptions}
    select coalesce(sum((${counted})), 0)::int as due,
      (extract(epoch from ${now} - min(least(${oldestOf(true)}, ${oldestOf(false)}))) * 1000)::float8 as oldest_ms
    from open join webhook_queues q using (tenant_id, subscription_id) where q.is_active`,
  )
  return { due: row?.due ?? 0, oldestMs: Math.max(0, row?.oldest_ms ?? 0) }
}
