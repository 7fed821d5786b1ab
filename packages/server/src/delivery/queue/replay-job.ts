// Replays of many deliveries as jobs: each batch is moved on in one statement together with the place the job has come
// to, so that a crash at any moment neither loses a delivery nor queues one twice.
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { insertRequeued, requeued } from './finished-deliveries.js'

/** What the commit that makes a job announces. */
export const REPLAY_STARTED = 'webhook replay started'

const batchMax = 500

/** A job that is not done, if there is one. */
export const findRunningReplay: Sql = sql`
  select from webhook_replays where status = 'running' order by moved_at limit 1`

/**
 * Moves one running job on by a batch and returns whose queue has more now. It is the job that was moved longest ago,
 * so that a long one does not hold up the others. The job's row is locked meanwhile, so two workers never work on one
 * job. A delivery is looked at once, in the order of ids, so that one which fails again while the job runs is not
 * queued again. A subscription that was disabled or revoked ends the job.
 */
export async function moveReplayOn(database: Database, now: Sql): Promise<{ tenantId: string } | undefined> {
  const [row] = await database.query<{ tenant_id: string }>(
    sql`with job as materialized (
      select r.*, q.is_revoked or s.status = 'disabled' as is_over from webhook_replays r
        join webhook_queues q on q.tenant_id = r.tenant_id and q.subscription_id = r.subscription_id
        join webhook_subscriptions s on s.tenant_id = r.tenant_id and s.id = r.subscription_id
      where r.status = 'running' order by r.moved_at, r.tenant_id, r.id limit 1 for update of r skip locked
    ),
    seen as materialized (
      select d.tenant_id, d.id,
        (job.event_types = '{}' or d.event_type = any (job.event_types)) and not job.is_over as is_wanted
      from job cross join lateral (${candidates(ofFailures)} union all ${candidates(ofAny)}) d
    ),
    here as (
      update webhook_deliveries d set ${requeued(now)}
      from seen join job using (tenant_id) where ${isWanted} returning 1
    ),
    taken as (
      delete from finished_deliveries d using seen join job using (tenant_id) where ${isWanted} returning d.*
    ),
    brought as (${insertRequeued(raw('taken d'), now)} returning 1),
    queued as (select * from here union all select * from brought),
    place as (select count(*) as looked_at, max(id::text)::uuid as cursor from seen)
    update webhook_replays r set queued = r.queued + (select count(*) from queued), moved_at = now(),
      cursor = coalesce(place.cursor, r.cursor),
      status = case when job.is_over then 'canceled' when ${isLast} then 'completed' else 'running' end,
      finished_at = case when job.is_over or ${isLast} then ${now} end
    from job, place where r.tenant_id = job.tenant_id and r.id = job.id
    returning r.tenant_id`,
  )
  return row && { tenantId: row.tenant_id }
}

const isWanted = raw(`seen.is_wanted and d.tenant_id = job.tenant_id and d.subscription_id = job.subscription_id
  and d.id = seen.id and d.status = any (job.statuses)`)
const isLast = raw(`place.looked_at < ${batchMax}`)
const ofFailures = raw(`w.status in ('FAILED', 'DEAD_LETTERED') and 'SUCCEEDED' <> all (job.statuses)`)
const ofAny = raw(`'SUCCEEDED' = any (job.statuses)`)

/**
 * The next rows to look at. Failures have an index of their own, so that a job over them does not read the successes
 * between.
 */
const candidates = (condition: Sql): Sql =>
  sql`(select w.tenant_id, w.id, w.event_type from all_deliveries w
    where w.tenant_id = job.tenant_id and w.subscription_id = job.subscription_id
      and w.id > job.cursor and w.id < job.last and ${condition} and w.status = any (job.statuses)
    order by w.id limit ${raw(String(batchMax))})`
