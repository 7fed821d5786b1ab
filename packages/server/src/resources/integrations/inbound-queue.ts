// The queue within the log of inbound requests, as statements: claim the oldest of each conversation under a lease,
// count steps, settle. Settling is fenced by the claim, so a worker that was thought dead cannot undo what its
// successor did.
import type { InboundStatus } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import { findDue, leaseDue, type TenantQueue, waitingTenants } from '../../queue/tenant-queue.js'
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

export const inboundQueue: TenantQueue = {
  table: 'inbound_requests',
  key: ['tenant_id', 'id'],
  isWaiting: raw(`status = 'pending' and due_at is not null`),
}

/** A request that is due, or one that was held for a connection which is paused no more. */
export const findDueRequest = (now: Date): Sql =>
  sql`(${findDue(inboundQueue, sql`${now}::timestamptz`)}) union all (${findReleasable})`

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
  const rows = await database.query<Row>(
    sql`with recursive ${waitingTenants(inboundQueue)},
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
      ${leaseDue(inboundQueue, claim, sql`${new Date(now.getTime() + leaseMs)}::timestamptz`)}
      returning q.tenant_id as "tenantId", q.id, q.connection_id as "connectionId", q.kind, q.url, q.headers, q.body,
        coalesce((select c.provider from integration_connections c
          where c.tenant_id = q.tenant_id
            and c.id = q.connection_id), '') as provider, q.received_at as "receivedAt", q.decided,
            q.natural_key as "naturalKey", q.step, q.attempts`,
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

/** The connections with held requests, found by leaping through the index from one to the next. */
const heldConnections = raw(`held (tenant_id, connection_id) as (
    (
      select tenant_id, connection_id from inbound_requests where status = 'pending' and due_at is null
      order by tenant_id, connection_id limit 1
    )
    union all
    select n.tenant_id, n.connection_id from held h cross join lateral (
      select tenant_id, connection_id from inbound_requests where status = 'pending' and due_at is null
        and (tenant_id, connection_id) > (h.tenant_id, h.connection_id) order by tenant_id, connection_id limit 1
    ) n
  )`)
const andTheirConnections = raw(`held h
  left join integration_connections c on c.tenant_id = h.tenant_id and c.id = h.connection_id`)
const isReleasable = raw(`c.status is distinct from 'paused'`)
const findReleasable = sql`with recursive ${heldConnections} select from ${andTheirConnections} where ${isReleasable}
  limit 1`

/** What was held for connections that are paused no more becomes due. True when more may be held. */
export async function releaseHeld(database: Database, now: Date): Promise<boolean> {
  const rows = await database.query(
    sql`with recursive ${heldConnections},
      released as (
        select r.tenant_id, r.id from ${andTheirConnections}
        cross join lateral (select r.tenant_id, r.id from inbound_requests r where r.tenant_id = h.tenant_id
          and r.connection_id = h.connection_id and r.status = 'pending' and r.due_at is null order by r.id
          limit ${RELEASED} for update skip locked) r
        where ${isReleasable} limit ${RELEASED}
      )
      update inbound_requests r set due_at = ${now}::timestamptz from released
      where r.tenant_id = released.tenant_id and r.id = released.id returning 1`,
  )
  return rows.length === RELEASED
}
