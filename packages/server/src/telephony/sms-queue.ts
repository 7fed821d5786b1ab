// The queue of texts under way, as statements: put one in, claim what is due under a lease, and what the settler adds
// to its change. Settling is fenced by the claim, so a worker that was thought dead cannot undo what its successor did.
import type { Database } from '../database/pool.js'
import { type Sql, sql } from '../database/sql.js'
import { leaseDue } from '../queue/tenant-queue.js'
import { newId } from '../store/id.js'

export interface ClaimedText {
  readonly tenantId: string
  readonly smsId: string
  readonly step: 'send' | 'follow'
  /** How often this step was begun, this time included. */
  readonly attempts: number
  readonly claim: string
}

/** What is left to do for an SMS: nothing, or a step at a time. */
export type Next =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly step: ClaimedText['step']; readonly dueAt: Date; readonly isNewStep: boolean }

/** What the commit of a queued SMS announces, so that the worker of this process looks at once. */
export const QUEUED = 'sms queued'

/** Part of the commit that makes the SMS. */
export const enqueueText = (tenantId: string, smsId: string, now: Date): Sql =>
  sql`insert into sms_outbox (tenant_id, sms_id, due_at) select ${tenantId}::uuid, ${smsId}::uuid, ${now}::timestamptz
    from not_a_replay returning 1`

const queue = { table: 'sms_outbox', key: ['tenant_id', 'sms_id'] }

/** An SMS that is due, if there is one. */
export const findDueText = (now: Date): Sql =>
  sql`select from sms_outbox where due_at <= ${now}::timestamptz order by due_at limit 1`

/** Takes up to `limit` SMS that are due. */
export async function claimTexts(
  database: Database,
  now: Date,
  leaseMs: number,
  limit: number,
): Promise<ClaimedText[]> {
  const claim = newId(now)
  const rows = await database.query<{ tenant_id: string; sms_id: string; step: ClaimedText['step']; attempts: number }>(
    sql`with due as (
        select tenant_id, sms_id from sms_outbox where due_at <= ${now}::timestamptz order by due_at limit ${limit}
          for update skip locked
      )
      ${leaseDue(queue, claim, sql`${new Date(now.getTime() + leaseMs)}::timestamptz`)}
      returning q.tenant_id, q.sms_id, q.step, q.attempts`,
    { prepared: true },
  )
  return rows.map(({ tenant_id: tenantId, sms_id: smsId, step, attempts }) => ({
    tenantId,
    smsId,
    step,
    attempts,
    claim,
  }))
}

export async function holdsClaim(database: Database, { tenantId, smsId, claim }: ClaimedText): Promise<boolean> {
  const rows = await database.read(
    sql`select 1 from sms_outbox where tenant_id = ${tenantId} and sms_id = ${smsId} and claim = ${claim}`,
  )
  return rows.length > 0
}

/** Part of the commit that settles the SMS; it must touch one row, or the claim was lost. */
export function settleText({ tenantId, smsId, claim, attempts }: ClaimedText, next: Next): Sql {
  const mine = sql`o.tenant_id = ${tenantId} and o.sms_id = ${smsId} and o.claim = ${claim}`
  if (next.kind === 'done') return sql`delete from sms_outbox o using not_a_replay where ${mine} returning 1`
  return sql`update sms_outbox o
    set claim = null, step = ${next.step}, due_at = ${next.dueAt}::timestamptz,
    attempts = ${next.isNewStep ? 0 : attempts}::int
    from not_a_replay where ${mine} returning 1`
}

/** Counting stops here: an operator who sees this many knows enough. */
const COUNTED_MAX = 10_000

/** What waits for its next step, for the operator. */
export async function measureTexts(database: Database, now: Date): Promise<{ due: number; oldestSeconds: number }> {
  const due = sql`from sms_outbox where due_at <= ${now}::timestamptz`
  const [row] = await database.query<{ due: number; oldest: number | null }>(
    sql`select (select count(*) from (select ${due} limit ${COUNTED_MAX}) counted)::int as due,
      extract(epoch from ${now}::timestamptz - (select min(due_at) ${due}))::float8 as oldest`,
  )
  return { due: row?.due ?? 0, oldestSeconds: row?.oldest ?? 0 }
}
