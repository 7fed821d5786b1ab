// Who is asking: an API key by its hash, remembered in memory while nothing was revoked, or a session cookie of the identity provider.
import type { Environment, Scope } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { ApiError, forbidden } from '../store/api-error.js'
import { isKey } from './api-keys.js'
import type { Caller } from './endpoint.js'
import type { Limit } from './rate-limit.js'
import { defaultSettings, type TenantSettings } from './settings.js'

/** A caller with what decides whether it may call at all. */
export interface Known extends Caller {
  readonly apiEnabled: boolean
  readonly expiresAt: Date | null
  readonly limits: { readonly read?: Limit; readonly write?: Limit }
}

/** One side of an organization, without someone who acts. */
export type Side = Omit<Known, 'actor' | 'scope'>

export interface Directory {
  /** The holder of a key, by its hash, without asking the database. */
  remembered(hash: string, now: Date): Known | undefined
  byKey(hash: string, now: Date): Promise<Known | undefined>
  /** One side of an organization, for a session. */
  byOrganization(organizationId: string, environment: Environment): Promise<Side | undefined>
  /** Forgets everything at once, after a change on this node. */
  forget(): void
  start(): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 500
const FLUSH_MS = 5_000

export function createDirectory(database: Database, onTrouble: (error: Error) => void): Directory {
  const memory = createKeyMemory()
  const used = createUseLog(database)
  const timers: NodeJS.Timeout[] = []
  const alive = (known: Known | undefined, now: Date) => {
    if (known === undefined || (known.expiresAt !== null && known.expiresAt <= now)) return undefined
    used.note(known, now)
    return known
  }
  const poll = async () => {
    const askedAtMs = Date.now()
    memory.hear(await currentRevision(database), askedAtMs)
  }
  return {
    remembered: (hash, now) => alive(memory.recall(hash), now),
    async byKey(hash, now) {
      const found = await findKey(database, hash)
      if (found) memory.keep(hash, found.known, found.revision)
      return alive(found?.known, now)
    },
    byOrganization: (organizationId, environment) => findOrganization(database, organizationId, environment),
    forget: memory.forget,
    async start() {
      await poll()
      for (const [work, everyMs] of [
        [poll, POLL_MS],
        [used.flush, FLUSH_MS],
      ] as const) {
        timers.push(setInterval(() => work().catch(onTrouble), everyMs).unref())
      }
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await used.flush().catch(onTrouble)
    },
  }
}

/** Without word from the database for this long, nothing remembered is trusted. */
const TRUST_MS = 1_000
const REMEMBERED_MAX = 100_000

/** What is known of keys, good only while the revision of all keys, organizations and sides stands still. */
function createKeyMemory() {
  const known = new Map<string, Known>()
  let revision = -1
  let heardAtMs = 0
  let forgotAtMs = 0
  return {
    recall: (hash: string): Known | undefined => (Date.now() - heardAtMs < TRUST_MS ? known.get(hash) : undefined),
    /** A look-up that was overtaken by a change is good for its request and for no other. */
    keep(hash: string, holder: Known, seenRevision: number): void {
      if (seenRevision === revision && known.size < REMEMBERED_MAX) known.set(hash, holder)
    },
    hear(current: number, askedAtMs: number): void {
      // Asked before the change that made us forget, so the answer may still be the revision before it.
      if (askedAtMs <= forgotAtMs) return
      if (current !== revision) known.clear()
      revision = current
      heardAtMs = askedAtMs
    },
    forget(): void {
      known.clear()
      revision = -1
      forgotAtMs = Date.now()
    },
  }
}

/** When keys were last used, written down now and then instead of at every request. */
function createUseLog(database: Database) {
  const lastUsed = new Map<string, { tenantId: string; at: Date }>()
  return {
    note({ actor, tenantId }: Known, at: Date): void {
      lastUsed.set(actor.id, { tenantId, at })
    },
    async flush(): Promise<void> {
      if (lastUsed.size === 0) return
      const rows = [...lastUsed].map(([id, { tenantId, at }]) => ({ id, tenantId, at }))
      lastUsed.clear()
      await database.query(sql`update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ tenantId }) => tenantId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[]) u (id, tenant_id, at)
        where k.tenant_id = u.tenant_id and k.id = u.id`)
    },
  }
}

async function currentRevision(database: Database): Promise<number> {
  const [row] = await database.read<[number]>(sql`select revision from auth_revision`)
  return row?.[0] ?? -1
}

type KeyRow = [string, string, string, Environment, TenantSettings, boolean, Known['limits'], string, Scope, Date | null, number]

async function findKey(database: Database, hash: string): Promise<{ known: Known; revision: number } | undefined> {
  const [row] = await database.read<KeyRow>(sql`
    select t.id, o.id, o.name, t.environment, t.settings, o.api_enabled, o.limits, k.id, k.scope, k.expires_at, (select revision from auth_revision)
    from api_keys k join tenants t on t.id = k.tenant_id join organizations o on o.id = t.organization_id
    where k.hash = ${Buffer.from(hash, 'base64')} and k.revoked_at is null`)
  if (row === undefined) return undefined
  const [tenantId, organizationId, organizationName, environment, settings, apiEnabled, limits, id, scope, expiresAt, revision] = row
  const actor = { type: 'key' as const, id }
  return {
    revision,
    known: {
      tenantId,
      organizationId,
      organizationName,
      environment,
      scope,
      apiEnabled,
      expiresAt,
      limits,
      actor,
      settings: { ...defaultSettings, ...settings },
    },
  }
}

/** One side of an organization; who acts on it, and with which scope, is for the session to say. */
async function findOrganization(database: Database, organizationId: string, environment: Environment): Promise<Side | undefined> {
  const [row] = await database.read<[string, string, TenantSettings, boolean, Known['limits']]>(sql`
    select t.id, o.name, t.settings, o.api_enabled, o.limits from tenants t join organizations o on o.id = t.organization_id
    where o.id = ${organizationId} and t.environment = ${environment}`)
  if (row === undefined) return undefined
  const [tenantId, organizationName, settings, apiEnabled, limits] = row
  return { tenantId, organizationId, organizationName, environment, apiEnabled, expiresAt: null, limits, settings: { ...defaultSettings, ...settings } }
}

export const unauthorized = (): ApiError =>
  new ApiError('unauthorized', 'Send a valid API key as Authorization: Bearer ak_…', undefined, { 'www-authenticate': 'Bearer' })

/** The key of an Authorization header, or why there is none that could be one. */
export function keyOf(authorization: string | undefined): string | ApiError {
  if (authorization === undefined) return unauthorized()
  const [scheme = '', key = '', ...rest] = authorization.trim().split(/ +/)
  if (scheme.toLowerCase() !== 'bearer') {
    return new ApiError('unsupported_auth_scheme', 'Only the Bearer scheme is supported', { supported: ['Bearer'] }, { 'www-authenticate': 'Bearer' })
  }
  return rest.length > 0 || !isKey(key) ? unauthorized() : key
}

export function requireEnabled(known: Known | undefined): Known {
  if (known === undefined) throw unauthorized()
  if (!known.apiEnabled) throw forbidden('organization_disabled', 'This organization is not enabled for the API')
  return known
}
