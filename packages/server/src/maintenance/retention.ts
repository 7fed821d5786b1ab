// Retention: removes what is older than it is kept, in bounded batches, each a statement of its own that an index
// answers. Where there is nothing to remove, a round reads a few index pages.
import { limits } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { openSubscriptions } from '../delivery/queue/due-deliveries.js'
import { firstIdAt } from '../store/id.js'
import type { BackgroundJob } from './background-jobs.js'
import { logChores } from './log-retention.js'
import { batch, batchMax, removeByIndex } from './remove-by-index.js'

const dayMs = 24 * 60 * 60 * 1_000
const hourMs = 60 * 60 * 1_000

export interface RetentionParts {
  readonly database: Database
  readonly clock: () => Date
  readonly days: number
}

/**
 * The chores of retention. Each is a chore of its own, so that one which fails does not keep the others from their
 * work.
 */
export function retentionChores({ database, clock, days }: RetentionParts): BackgroundJob[] {
  const remove = async (statement: Sql): Promise<boolean> => (await removeByIndex(database, statement)) >= batchMax
  const before = (ageMs: number) => new Date(clock().getTime() - ageMs)
  const cutoff = () => before(days * dayMs)
  return [
    { name: 'retention of held deliveries', everyMs: hourMs, run: () => remove(heldDeliveries(cutoff())) },
    // After those that are held, so that these are gone by the time their events are looked at.
    ...logChores({ database, clock, days }),
    {
      name: 'retention of deleted records',
      everyMs: hourMs,
      run: () => remove(oldRows('deleted_records', 'deleted_at', sql`${cutoff()}::timestamptz`)),
    },
    { name: 'retention of model calls', everyMs: hourMs, run: () => remove(oldModelCalls(cutoff())) },
    {
      name: 'retention of idempotency keys',
      everyMs: hourMs,
      run: () =>
        remove(
          oldRows('idempotency_keys', 'created_at', sql`${before(limits.idempotencyHours * hourMs)}::timestamptz`),
        ),
    },
    {
      name: 'retention of sessions',
      everyMs: hourMs,
      run: () => remove(oldRows('user_sessions', 'expires_at', sql`${clock()}::timestamptz`)),
    },
    {
      name: 'retention of one-time links',
      everyMs: hourMs,
      run: () => remove(oldRows('one_time_links', 'expires_at', sql`${cutoff()}::timestamptz`)),
    },
    {
      name: 'retention of attempts to sign in',
      everyMs: hourMs,
      run: () => remove(oldRows('sign_in_attempts', 'began_at', sql`${before(hourMs)}::timestamptz`)),
    },
    {
      name: 'retention of merges',
      everyMs: hourMs,
      run: () => remove(oldMerges(before(limits.unmergeDays * dayMs))),
    },
    { name: 'retention of imports', everyMs: hourMs, run: () => remove(oldImports(cutoff())) },
    { name: 'retention of replays', everyMs: hourMs, run: () => remove(oldReplays(cutoff())) },
    { name: 'retention of revoked subscriptions', everyMs: hourMs, run: () => remove(revokedSubscriptions(cutoff())) },
    { name: 'that subscriptions were written', everyMs: hourMs, run: () => remove(writtenQueues) },
    { name: 'retention of dead keys', everyMs: hourMs, run: () => remove(deadKeys(cutoff())) },
    {
      name: 'retention of fences',
      everyMs: hourMs,
      run: () => remove(oldRows('fences', 'touched_at', sql`now() - interval '1 day'`)),
    },
  ]
}

/** Rows of a table that has an index on its age. */
const oldRows = (table: string, column: string, before: Sql): Sql =>
  sql`with gone as (
      delete from ${raw(table)} where ctid = any (array(
        select ctid from ${raw(table)} where ${raw(column)} < ${before} order by ${raw(column)} limit ${batch}
      )) returning 1
    ) select count(*)::int as removed from gone`

/**
 * All old deliveries of disabled subscriptions that still have held ones. Those of a paused one wait as long as it
 * takes, and those of a revoked one are finished soon. Whatever is old goes, so nothing has to be passed over.
 */
const heldDeliveries = (before: Date): Sql =>
  removal(
    sql`with recursive ${openSubscriptions}
      select d.tenant_id, d.subscription_id, d.id from open o join webhook_subscriptions s on s.tenant_id = o.tenant_id
        and s.id = o.subscription_id and s.status = 'disabled'
      cross join lateral (
        select w.tenant_id, w.subscription_id, w.id from webhook_deliveries w where w.tenant_id = s.tenant_id
          and w.subscription_id = s.id and w.id < ${firstIdAt(before)}::uuid
        order by w.id limit ${batch}
      ) d limit ${batch}`,
    raw('(d.leased_until is null or d.leased_until < now())'),
  )

/** Removes deliveries. The condition is checked once more under the lock: one that is replayed at this moment stays. */
const removal = (old: Sql, condition: Sql): Sql =>
  sql`with old as materialized (${old}),
    gone as (
      delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id
        and d.subscription_id = old.subscription_id and d.id = old.id and ${condition} returning 1
    )
    select count(*)::int as removed from gone`

/** Revoked subscriptions whose deliveries are gone, with what the queue kept of them. */
const revokedSubscriptions = (before: Date): Sql =>
  sql`with old as materialized (
      select s.tenant_id, s.id from webhook_subscriptions s where s.revoked_at < ${before}::timestamptz
        and not exists (select from all_deliveries d where d.tenant_id = s.tenant_id and d.subscription_id = s.id)
          limit ${batch}
    ),
    queues as (delete from webhook_queues q using old where q.tenant_id = old.tenant_id and q.subscription_id = old.id),
    failures as (delete from webhook_failures f using old where f.tenant_id = old.tenant_id
      and f.subscription_id = old.id),
    gone as (delete from webhook_subscriptions s using old where s.tenant_id = old.tenant_id and s.id = old.id
      returning 1)
    select count(*)::int as removed from gone`

/** That a subscription was written is told to sweeps for a day. One that is claimed for at this moment has time. */
const writtenQueues = sql`with old as materialized (
      select tenant_id, subscription_id from webhook_queues where changed_at < now() - interval '1 day'
      order by changed_at limit ${batch} for update skip locked
    ),
    forgotten as (
      update webhook_queues q set changed_at = null from old
      where q.tenant_id = old.tenant_id and q.subscription_id = old.subscription_id returning 1
    )
    select count(*)::int as removed from forgotten`

/**
 * What it takes to undo a merge, once that is too late. That an id leads to another stays, unless the merge was undone.
 */
const oldMerges = (before: Date): Sql =>
  sql`with old as materialized (
      select tenant_id, id, status from merges where record is not null and merged_at < ${before}::timestamptz
        and status in ('done', 'undone') order by merged_at limit ${batch}
    ),
    forgotten as (
      delete from moved_references r using (
        select m.tenant_id, m.merge_id, m.table_name, m.record_id from old join moved_references m
          on m.tenant_id = old.tenant_id and m.merge_id = old.id limit ${batch}
      ) g where r.tenant_id = g.tenant_id and r.merge_id = g.merge_id and r.table_name = g.table_name
        and r.record_id = g.record_id returning 1
    ),
    emptied as (select * from old where not exists (
      select from moved_references r where r.tenant_id = old.tenant_id and r.merge_id = old.id)),
    settled as (update merges m set record = null, taken = null from emptied e
      where m.tenant_id = e.tenant_id and m.id = e.id and e.status = 'done' and m.status = 'done' returning 1),
    gone as (delete from merges m using emptied e
      where m.tenant_id = e.tenant_id and m.id = e.id and e.status = 'undone' returning 1)
    select (select count(*) from forgotten)::int + (select count(*) from settled)::int
      + (select count(*) from gone)::int as removed`

/** Keys that were revoked or expired long ago. */
const deadKeys = (before: Date): Sql =>
  sql`with gone as (
      delete from api_keys k using (
        select tenant_id, id from api_keys where least(revoked_at, expires_at) < ${before}::timestamptz limit ${batch}
      ) old
      where k.tenant_id = old.tenant_id and k.id = old.id returning 1
    ) select count(*)::int as removed from gone`

/** With the months that nobody can spend from any more. */
const oldModelCalls = (before: Date): Sql =>
  sql`with gone as (
      delete from model_calls m using (
        select tenant_id, id from model_calls where id < ${firstIdAt(before)}::uuid order by id limit ${batch}
      ) old where m.tenant_id = old.tenant_id and m.id = old.id returning 1
    ),
    spent as (delete from model_budgets where month < ${before.toISOString().slice(0, 7)})
    select count(*)::int as removed from gone`

/** Imports that ended, with what was refused of them. Their files went when they ended. */
const oldImports = (before: Date): Sql =>
  sql`with gone as (
      delete from imports i using (
        select tenant_id, id from imports where status in ('completed', 'failed', 'canceled')
          and id < ${firstIdAt(before)}::uuid limit ${batch}
      ) old where i.tenant_id = old.tenant_id and i.id = old.id returning i.tenant_id, i.id
    ),
    errors as (delete from import_errors e using gone where e.tenant_id = gone.tenant_id and e.import_id = gone.id)
    select count(*)::int as removed from gone`

function oldReplays(before: Date): Sql {
  return sql`with gone as (
      delete from webhook_replays r using (
        select tenant_id, id from webhook_replays
        where status <> 'running' and id < ${firstIdAt(before)}::uuid limit ${batch}
      ) old
      where r.tenant_id = old.tenant_id and r.id = old.id returning 1
    ) select count(*)::int as removed from gone`
}
