// The queue of recordings to be fetched, as statements: put an address in, claim what is due under a lease, and what
// the settler adds to its change. Settling is fenced by the claim, so a worker that was thought dead cannot undo what
// its successor did.
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { findDue, leaseDue, type TenantQueue, waitingTenants } from '../queue/tenant-queue.js'
import { newId } from '../store/id.js'

/** Whose file it is. */
export type FileOwner = { readonly kind: 'voicemail' | 'call' } | { readonly kind: 'sms'; readonly id: string }

export interface ClaimedFetch {
  readonly tenantId: string
  /** The file: of a voicemail or a call it has the id of that. */
  readonly voicemailId: string
  readonly owner: FileOwner['kind']
  /** The SMS that it came with. */
  readonly ownerId: string | null
  /** Sealed. */
  readonly address: Buffer
  /** How often it was begun, this time included. */
  readonly attempts: number
  readonly claim: string
}

/** What the commit of a queued address announces, so that the worker of this process looks at once. */
export const FETCH_QUEUED = 'recording fetch queued'

/** Part of the commit that names the address; one that is waiting gives way to it. */
export const enqueueFetch = (
  tenantId: string,
  voicemailId: string,
  address: Buffer,
  now: Date,
  owner: FileOwner = { kind: 'voicemail' },
): Sql =>
  sql`insert into recording_fetches (tenant_id, voicemail_id, address, due_at, owner, owner_id)
    select ${tenantId}::uuid, ${voicemailId}::uuid, ${address}::bytea, ${now}::timestamptz, ${owner.kind},
      ${owner.kind === 'sms' ? owner.id : null}::uuid from not_a_replay
    on conflict (tenant_id, voicemail_id) do update
      set address = excluded.address, due_at = excluded.due_at, attempts = 0, claim = null, error = null returning 1`

/** Part of the commit that brings the audio some other way: nothing is fetched any more. */
export const cancelFetch = (tenantId: string, voicemailId: string): Sql =>
  sql`update recording_fetches f set due_at = null, claim = null, error = null from not_a_replay
    where f.tenant_id = ${tenantId}::uuid and f.voicemail_id = ${voicemailId}::uuid returning 1`

export const fetchQueue: TenantQueue = {
  table: 'recording_fetches',
  key: ['tenant_id', 'voicemail_id'],
  isWaiting: raw('due_at is not null'),
}

/** A fetch that is due, if there is one. */
export const findDueFetch = (now: Date): Sql => findDue(fetchQueue, sql`${now}::timestamptz`)

/**
 * Takes what is due, one of each tenant, so that nobody's slow carrier holds up the others. Tenants in `busy` are
 * passed over.
 */
export async function claimFetches(
  database: Database,
  now: Date,
  leaseMs: number,
  limit: number,
  busy: readonly string[],
): Promise<ClaimedFetch[]> {
  const claim = newId(now)
  const rows = await database.query<FetchRow>(
    sql`with recursive ${waitingTenants(fetchQueue, sql` and tenant_id <> all (${busy}::uuid[])`)},
      due as (
        select d.tenant_id, d.voicemail_id from waiting w cross join lateral (
          select f.tenant_id, f.voicemail_id, f.due_at from recording_fetches f
          where f.tenant_id = w.tenant_id and f.due_at <= ${now}::timestamptz order by f.due_at limit 1
            for update skip locked
        ) d order by d.due_at limit ${limit}
      )
      ${leaseDue(fetchQueue, claim, sql`${new Date(now.getTime() + leaseMs)}::timestamptz`)}
      returning q.tenant_id, q.voicemail_id, q.address, q.attempts, q.owner, q.owner_id`,
    { prepared: true },
  )
  return rows.map(({ tenant_id: tenantId, voicemail_id: voicemailId, owner_id: ownerId, ...rest }) => ({
    ...rest,
    tenantId,
    voicemailId,
    ownerId,
    claim,
  }))
}

interface FetchRow extends Record<string, unknown> {
  tenant_id: string
  voicemail_id: string
  owner: FileOwner['kind']
  owner_id: string | null
  address: Buffer
  attempts: number
}

const isMine = ({ tenantId, voicemailId, claim }: ClaimedFetch): Sql =>
  sql`f.tenant_id = ${tenantId}::uuid and f.voicemail_id = ${voicemailId}::uuid and f.claim = ${claim}::uuid`

export async function holdsFetch(database: Database, claimed: ClaimedFetch): Promise<boolean> {
  return (await database.read(sql`select 1 from recording_fetches f where ${isMine(claimed)}`)).length > 0
}

/** Part of the commit that settles a fetch; it must touch one row, or the claim was lost. */
export const finishFetch = (claimed: ClaimedFetch, error: string | null): Sql =>
  sql`update recording_fetches f set due_at = null, claim = null, error = ${error}::text from not_a_replay
    where ${isMine(claimed)} returning 1`

export const retryFetch = (claimed: ClaimedFetch, dueAt: Date): Sql =>
  sql`update recording_fetches f set due_at = ${dueAt}::timestamptz, claim = null from not_a_replay
    where ${isMine(claimed)}
    returning 1`
