// Retention: removes what is older than it is kept, in bounded batches, each a statement of its own that an index answers. Where there is nothing to remove, a round
// reads a few index pages.
import { limits } from '@parley/contract'
import type { Chore } from './chores.js'
import type { Database } from './database/pool.js'
import { raw, type Sql, sql } from './database/sql.js'
import { firstIdAt } from './store/id.js'

const dayMs = 24 * 60 * 60 * 1_000
const hourMs = 60 * 60 * 1_000
const batchMax = 1_000
const batch = raw(String(batchMax))

export interface RetentionParts {
  readonly database: Database
  readonly clock: () => Date
  readonly days: number
}

/** The chores of retention. Events come after deliveries on purpose: what is left of the deliveries then says which events are still needed. */
export function retentionChores({ database, clock, days }: RetentionParts): Chore[] {
  const remove = async (statement: Sql): Promise<boolean> => {
    const [row] = await database.query<{ removed: number }>(statement)
    return (row?.removed ?? 0) >= batchMax
  }
  const cutoff = () => new Date(clock().getTime() - days * dayMs)
  return [
    {
      name: 'retention of the log',
      everyMs: hourMs,
      async run() {
        const before = cutoff()
        return (await remove(oldDeliveries(before))) || (await remove(oldEvents(before)))
      },
    },
    { name: 'retention of deleted records', everyMs: hourMs, run: () => remove(oldRows('deleted_records', 'deleted_at', cutoff())) },
    {
      name: 'retention of idempotency keys',
      everyMs: hourMs,
      run: () => remove(oldRows('idempotency_keys', 'created_at', new Date(clock().getTime() - limits.idempotencyHours * hourMs))),
    },
    { name: 'retention of replays', everyMs: hourMs, run: () => remove(oldReplays(cutoff())) },
  ]
}

/** Rows of a table that has an index on its age. */
const oldRows = (table: string, column: string, before: Date): Sql =>
  sql`with gone as (
      delete from ${raw(table)} where ctid = any (array(select ctid from ${raw(table)} where ${raw(column)} < ${before}::timestamptz order by ${raw(column)} limit ${batch})) returning 1
    ) select count(*)::int as removed from gone`

/**
 * Deliveries that are finished, and held ones of subscriptions that are disabled or revoked; those of a paused one wait as long as it takes. Ids carry their time, so the
 * index of each subscription leads to the oldest.
 */
function oldDeliveries(before: Date): Sql {
  return sql`with old as materialized (
      select d.tenant_id, d.subscription_id, d.id from webhook_subscriptions s cross join lateral (
        select w.tenant_id, w.subscription_id, w.id from webhook_deliveries w where w.tenant_id = s.tenant_id and w.subscription_id = s.id and w.id < ${firstIdAt(before)}::uuid
          and (w.status not in ('PENDING', 'RETRYING') or s.status = 'disabled') and (w.leased_until is null or w.leased_until < now())
        order by w.id limit ${batch}
      ) d limit ${batch}
    ),
    gone as (delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.subscription_id = old.subscription_id and d.id = old.id returning 1),
    attempts as (delete from webhook_attempts a using old where a.tenant_id = old.tenant_id and a.delivery_id = old.id)
    select count(*)::int as removed from gone`
}

/** An event stays while a delivery of it does: its bytes are what is sent. After the round before, those are the held ones. */
function oldEvents(before: Date): Sql {
  return sql`with old as materialized (
      select e.tenant_id, e.id from events e where e.occurred_at < ${before}::timestamptz
        and not exists (
          select from webhook_queues q join webhook_deliveries d on d.tenant_id = q.tenant_id and d.subscription_id = q.subscription_id
          where q.tenant_id = e.tenant_id and d.id < ${firstIdAt(before)}::uuid and d.event_id = e.id
        )
      order by e.occurred_at limit ${batch}
    ),
    gone as (delete from events e using old where e.tenant_id = old.tenant_id and e.id = old.id returning 1)
    select count(*)::int as removed from gone`
}

function oldReplays(before: Date): Sql {
  return sql`with gone as (
      delete from webhook_replays r using (select tenant_id, id from webhook_replays where status <> 'running' and id < ${firstIdAt(before)}::uuid limit ${batch}) old
      where r.tenant_id = old.tenant_id and r.id = old.id returning 1
    ) select count(*)::int as removed from gone`
}
