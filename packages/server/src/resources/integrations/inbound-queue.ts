// The queue within the log of inbound requests, as statements: claim the oldest of each conversation under a lease,
// count steps, settle. Settling is fenced by the claim, so a worker that was thought dead cannot undo what its
// successor did.
import type { InboundStatus } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { type Sql, sql } from '../../database/sql.js'
import { newId } from '../../store/id.js'

/** What the commit of a request announces, so that the worker of this process looks at once. */
export const INBOUND_LOGGED = 'inbound request logged'

export interface TouchedRecord {
  readonly entityType: string
  readonly id: string
}

export interface ClaimedRequest {
  readonly tenantId: string
  readonly id: string
  readonly connectionId: string
  /** The provider of its connection; empty when that is gone. */
  readonly provider: string
  readonly kind: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly receivedAt: Date
  readonly decided: string | null
  readonly naturalKey: string | null
  /** How many of its steps are done. */
  readonly step: number
  /** How often it was begun, this time included. */
  readonly attempts: number
  readonly claim: string
}

type Row = Omit<ClaimedRequest, 'claim'> & Record<string, unknown>

/** So that one tenant's flood leaves the others their turn. */
const PER_TENANT = 8

/**
 * Takes what is due: of each conversation the oldest, of each tenant a few. A request may be logged after one with a
 * later id, which is in work by then: it waits for that one.
 */
export async function claimRequests(
  database: Database,
  now: Date,
  leaseMs: number,
  limit: number,
): Promise<ClaimedRequest[]> {
  const claim = newId(now)
  const tenantAfter = (place: Sql) =>
    sql`select tenant_id from inbound_requests where status = 'pending' and due_at is not null${place}
      order by tenant_id limit 1`
  const rows = await database.query<Row>(
    sql`with recursive waiting as (
        (${tenantAfter(sql``)})
        union all
        select (${tenantAfter(sql` and tenant_id > w.tenant_id`)}) from waiting w where w.tenant_id is not null
      ),
      due as (
        select d.tenant_id, d.id from waiting w cross join lateral (
          select r.tenant_id, r.id, r.due_at from inbound_requests r
          where r.tenant_id = w.tenant_id and r.status = 'pending' and r.due_at <= ${now}::timestamptz
            and not exists (select from inbound_requests e where e.tenant_id = r.tenant_id and e.status = 'pending'
              and e.connection_id = r.connection_id and e.conversation = r.conversation and e.id <> r.id
              and (e.id < r.id or (e.claim is not null and e.due_at > ${now}::timestamptz)))
          order by r.due_at, r.id limit ${PER_TENANT} for update skip locked
        ) d order by d.due_at limit ${limit}
      )
      update inbound_requests r set claim = ${claim}::uuid, attempts = r.attempts + 1,
        due_at = ${new Date(now.getTime() + leaseMs)}::timestamptz
      from due where r.tenant_id = due.tenant_id and r.id = due.id
      returning r.tenant_id as "tenantId", r.id, r.connection_id as "connectionId", r.kind, r.url, r.headers, r.body,
        coalesce((select c.provider from integration_connections c
          where c.tenant_id = r.tenant_id
            and c.id = r.connection_id), '') as provider, r.received_at as "receivedAt", r.decided,
            r.natural_key as "naturalKey", r.step, r.attempts`,
    { prepared: true },
  )
  return rows.map((row) => ({ ...row, claim }))
}

const isMine = ({ tenantId, id, claim }: Pick<ClaimedRequest, 'tenantId' | 'id' | 'claim'>): Sql =>
  sql`r.tenant_id = ${tenantId}::uuid and r.id = ${id}::uuid and r.claim = ${claim}::uuid`

/** Part of the commit of a step; it must touch one row, or the step was taken by another. */
export const countStep = (claimed: ClaimedRequest, step: number, touched: readonly TouchedRecord[]): Sql =>
  sql`update inbound_requests r set step = ${step}::int, records = r.records || ${JSON.stringify(touched)}::jsonb
    from not_a_replay where ${isMine(claimed)} and r.step < ${step}::int returning 1`

export interface Settlement {
  readonly status: InboundStatus
  readonly error: string | null
  /** When it is tried again; null when it is done. */
  readonly dueAt: Date | null
  readonly at: Date
}

export async function settleRequest(
  database: Database,
  claimed: ClaimedRequest,
  { status, error, dueAt, at }: Settlement,
): Promise<void> {
  const processedAt = status === 'pending' ? null : at
  await database.query(
    sql`update inbound_requests r
      set status = ${status}, error = ${error}::text, due_at = ${dueAt}::timestamptz, claim = null,
      processed_at = ${processedAt}::timestamptz where ${isMine(claimed)}`,
    { prepared: true },
  )
}

/** Another request that said the same and was taken; its id may be the later one, where both came in one moment. */
export async function findRepeated(
  database: Database,
  { tenantId, id, connectionId, naturalKey }: ClaimedRequest,
): Promise<string | undefined> {
  if (naturalKey === null) return undefined
  const [row] = await database.read<[string]>(
    sql`select id from inbound_requests where tenant_id = ${tenantId}::uuid and connection_id = ${connectionId}::uuid
      and natural_key = ${naturalKey} and id <> ${id}::uuid and status = 'processed' limit 1`,
  )
  return row?.[0]
}

const RELEASED = 500

/** What was held for connections that are paused no more becomes due. True when more may be held. */
export async function releaseHeld(database: Database, now: Date): Promise<boolean> {
  const rows = await database.query(
    sql`with held as (
        select r.tenant_id, r.id from (select distinct tenant_id, connection_id from inbound_requests
            where status = 'pending' and due_at is null) h
        left join integration_connections c on c.tenant_id = h.tenant_id and c.id = h.connection_id
        cross join lateral (select r.tenant_id, r.id from inbound_requests r where r.tenant_id = h.tenant_id
          and r.connection_id = h.connection_id and r.status = 'pending' and r.due_at is null order by r.id
          limit ${RELEASED} for update skip locked) r
        where c.status is distinct from 'paused' limit ${RELEASED}
      )
      update inbound_requests r set due_at = ${now}::timestamptz from held
      where r.tenant_id = held.tenant_id and r.id = held.id returning 1`,
  )
  return rows.length === RELEASED
}
