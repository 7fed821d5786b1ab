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

export interface Directory {
  /** The holder of a key, by its hash, without asking the database. */
  remembered(hash: string, now: Date): Known | undefined
  byKey(hash: string, now: Date): Promise<Known | undefined>
  /** One side of an organization, for a session. */
  byOrganization(organizationId: string, environment: Environment): Promise<Known | undefined>
  /** Forgets everything at once, after a change on this node. */
  forget(): void
  start(): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 500
/** Without word from the database for this long, nothing remembered is trusted. */
const TRUST_MS = 1_000
const FLUSH_MS = 5_000
const REMEMBERED_MAX = 100_000

type KeyRow = [string, string, string, Environment, TenantSettings, boolean, Known['limits'], string, Scope, Date | null, number]

export function createDirectory(database: Database, onTrouble: (error: Error) => void): Directory {
  const remembered = new Map<string, Known>()
  const lastUsed = new Map<string, { tenantId: string; at: Date }>()
  let revision = -1
  let heardAt = 0
  let polling: NodeJS.Timeout | undefined
  let flushing: NodeJS.Timeout | undefined

  const forget = () => {
    remembered.clear()
    revision = -1
    heardAt = 0
  }

  async function poll(): Promise<void> {
    const askedAt = Date.now()
    const [row] = await database.read<[number]>(sql`select revision from auth_revision`)
    const current = row?.[0] ?? -1
    if (current !== revision) remembered.clear()
    revision = current
    heardAt = askedAt
  }

  async function lookUp(hash: string): Promise<Known | undefined> {
    const [row] = await database.read<KeyRow>(sql`
      select t.id, o.id, o.name, t.environment, t.settings, o.api_enabled, o.limits, k.id, k.scope, k.expires_at, (select revision from auth_revision)
      from api_keys k join tenants t on t.id = k.tenant_id join organizations o on o.id = t.organization_id
      where k.hash = ${Buffer.from(hash, 'base64')} and k.revoked_at is null`)
    if (row === undefined) return undefined
    const [tenantId, organizationId, organizationName, environment, settings, apiEnabled, limits, id, scope, expiresAt, seen] = row
    const known: Known = {
      tenantId,
      organizationId,
      organizationName,
      environment,
      scope,
      apiEnabled,
      expiresAt,
      limits,
      actor: { type: 'key', id },
      settings: { ...defaultSettings, ...settings },
    }
    // A look-up that was overtaken by a change is good for this request and for no other.
    if (seen === revision && remembered.size < REMEMBERED_MAX) remembered.set(hash, known)
    return known
  }

  const touch = (known: Known, now: Date) => {
    lastUsed.set(known.actor.id, { tenantId: known.tenantId, at: now })
    return known
  }
  const isAlive = ({ expiresAt }: Known, now: Date) => expiresAt === null || expiresAt > now

  async function flush(): Promise<void> {
    if (lastUsed.size === 0) return
    const used = [...lastUsed]
    lastUsed.clear()
    const column = <T>(pick: (entry: (typeof used)[number]) => T) => used.map(pick)
    await database.query(sql`update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
      from unnest(${column(([id]) => id)}::uuid[], ${column(([, { tenantId }]) => tenantId)}::uuid[], ${column(([, { at }]) => at)}::timestamptz[]) u (id, tenant_id, at)
      where k.tenant_id = u.tenant_id and k.id = u.id`)
  }

  return {
    remembered(hash, now) {
      const known = Date.now() - heardAt < TRUST_MS ? remembered.get(hash) : undefined
      return known && isAlive(known, now) ? touch(known, now) : undefined
    },
    async byKey(hash, now) {
      const known = await lookUp(hash)
      return known && isAlive(known, now) ? touch(known, now) : undefined
    },
    async byOrganization(organizationId, environment) {
      const [row] = await database.read<[string, string, TenantSettings, boolean, Known['limits']]>(sql`
        select t.id, o.name, t.settings, o.api_enabled, o.limits from tenants t join organizations o on o.id = t.organization_id
        where o.id = ${organizationId} and t.environment = ${environment}`)
      if (row === undefined) return undefined
      const [tenantId, organizationName, settings, apiEnabled, limits] = row
      return {
        tenantId,
        organizationId,
        organizationName,
        environment,
        scope: 'READ',
        apiEnabled,
        expiresAt: null,
        limits,
        actor: { type: 'user', id: organizationId },
        settings: { ...defaultSettings, ...settings },
      }
    },
    forget,
    async start() {
      await poll()
      polling = setInterval(() => poll().catch(onTrouble), POLL_MS)
      flushing = setInterval(() => flush().catch(onTrouble), FLUSH_MS)
      polling.unref()
      flushing.unref()
    },
    async stop() {
      clearInterval(polling)
      clearInterval(flushing)
      await flush().catch(onTrouble)
    },
  }
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
