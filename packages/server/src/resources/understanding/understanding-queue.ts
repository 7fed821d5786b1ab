// The queue of what is still to be understood, as statements: find the calls that are talked on, claim what is due
// under a lease, and settle it. Times are the database's own, so that nodes agree on them.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { findDue, leaseDue, type TenantQueue, waitingTenants } from '../../queue/tenant-queue.js'

export interface UnderstandingJob {
  readonly tenantId: string
  readonly kind: 'call' | 'sms' | 'voicemail'
  readonly subjectId: string
  /** As it was claimed: what came since is still to be read. */
  readonly generation: number
  readonly attempts: number
  readonly claim: string
}

/** So many calls of one tenant are found at a time; the next look finds the others. */
const FOUND_MAX = 1_000

const talkedOn = raw('call_activity where is_live and segments_revision > understood_revision')
export const understandingQueue: TenantQueue = {
  table: 'understanding_jobs',
  key: ['tenant_id', 'kind', 'subject_id'],
  isWaiting: raw('true'),
}

/** A job that is due, or a call that is talked on. */
export const findDueJob = (): Sql =>
  sql`(${findDue(understandingQueue, raw('now()'))}) union all (select from ${talkedOn} limit 1)`

/** Queues the calls in which something was said since they were last read. */
export async function queueTalkedOn(database: Database): Promise<void> {
  await database.query(
    sql`insert into understanding_jobs (tenant_id, kind, subject_id)
      select tenant_id, 'call', call_id from ${talkedOn} limit ${FOUND_MAX}
      on conflict do nothing`,
    { prepared: true },
  )
}

/** How many jobs of each tenant are under way on this node. */
export type UnderWay = ReadonlyMap<string, number>

/**
 * Takes what is due, up to `perTenant` of each tenant with what it has under way, the longest waiting first: nobody's
 * flood holds up the others.
 */
export async function claimJobs(
  database: Database,
  { leaseMs, room, perTenant, underWay }: { leaseMs: number; room: number; perTenant: number; underWay: UnderWay },
): Promise<UnderstandingJob[]> {
  const claim = randomUUID()
  const [busy, counts] = [[...underWay.keys()], [...underWay.values()]]
  const rows = await database.query<JobRow>(
    sql`with recursive ${waitingTenants(understandingQueue)},
      due as (
        select d.* from waiting w
          left join unnest(${busy}::uuid[], ${counts}::int[]) b (tenant_id, count) on b.tenant_id = w.tenant_id
          cross join lateral (
            select j.tenant_id, j.kind, j.subject_id, j.due_at from understanding_jobs j
            where j.tenant_id = w.tenant_id and j.due_at <= now()
            order by j.due_at limit greatest(0, ${perTenant}::int - coalesce(b.count, 0)) for update skip locked
          ) d
        order by d.due_at limit ${room}::int
      )
      ${leaseDue(understandingQueue, claim, sql`now() + ${leaseMs}::int * interval '1 millisecond'`)}
      returning q.tenant_id, q.kind, q.subject_id, q.generation, q.attempts`,
    { prepared: true },
  )
  return rows.map(({ tenant_id: tenantId, kind, subject_id: subjectId, generation, attempts }) => ({
    tenantId,
    kind,
    subjectId,
    generation,
    attempts,
    claim,
  }))
}

interface JobRow extends Record<string, unknown> {
  readonly tenant_id: string
  readonly kind: UnderstandingJob['kind']
  readonly subject_id: string
  readonly generation: number
  readonly attempts: number
}

const isMine = ({ tenantId, kind, subjectId, claim }: UnderstandingJob): Sql =>
  sql`j.tenant_id = ${tenantId}::uuid and j.kind = ${kind} and j.subject_id = ${subjectId}::uuid
    and j.claim = ${claim}::uuid`

/** Part of the commit that says what was understood; it must touch one row, or the claim was lost. */
export const finishedJob = (job: UnderstandingJob): Sql =>
  sql`delete from understanding_jobs j using not_a_replay where ${isMine(job)} returning 1`

/** After the commit, where that cannot touch the job: it goes, unless there is more to read by now. */
export async function finishJob(database: Database, job: UnderstandingJob): Promise<void> {
  await database.query(
    sql`with gone as (
        delete from understanding_jobs j where ${isMine(job)} and j.generation = ${job.generation}::int returning 1
      )
      update understanding_jobs j set claim = null, attempts = 0, due_at = now()
      where ${isMine(job)} and j.generation <> ${job.generation}::int`,
    { prepared: true },
  )
}

/** Tried again later, and kept with what went wrong. */
export async function postponeJob(
  database: Database,
  job: UnderstandingJob,
  delayMs: number,
  error: Error,
): Promise<void> {
  await database.query(
    sql`update understanding_jobs j
      set claim = null, due_at = now() + ${delayMs}::float8 * interval '1 millisecond',
        error = ${error.message.slice(0, 1_000)}
      where ${isMine(job)}`,
  )
}
