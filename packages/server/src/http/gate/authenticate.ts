// Who is asking: an API key by its hash, remembered while it has not changed, or a session cookie of the identity
// provider.
import { type AgentWrites, defaultSettings, type Environment, type Scope, type TenantSettings } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { raw, sql } from '../../database/sql.js'
import { type Unwatch, watch } from '../../queue/due-watch.js'
import { ApiError, forbidden } from '../../store/api-error.js'
import type { Announcement } from '../../store/change.js'
import type { Caller } from '../endpoint.js'
import { isKey } from './api-keys.js'
import { type AuthChange, concerns, createKeyMemory, type IsConcerned } from './key-memory.js'
import type { Limit } from './rate-limit.js'

/** A caller with what decides whether it may call at all. */
export interface AuthenticatedCaller extends Caller {
  readonly apiEnabled: boolean
  readonly expiresAt: Date | null
  readonly limits: { readonly read?: Limit; readonly write?: Limit; readonly items?: Limit }
  /** What an agent may do with the key; a session has none. */
  readonly agentWrites?: AgentWrites
}

/** A tenant: one environment of an organization, without someone who acts. */
export type Tenant = Omit<AuthenticatedCaller, 'actor' | 'scope'>

export interface Directory {
  /** The holder of a key, by its hash, without asking the database. */
  remembered(hash: string, now: Date): AuthenticatedCaller | undefined
  /** Whether the hash has been a good key here: asking for it is no guess, whoever floods from the same address. */
  isFamiliar(hash: string): boolean
  byKey(hash: string, now: Date): Promise<AuthenticatedCaller | undefined>
  /** The tenant of an organization and environment, for a session. */
  byOrganization(organizationId: string, environment: Environment): Promise<Tenant | undefined>
  /** Forgets at once what changed on this node, and expects the keys that were minted. */
  onAnnouncements(announcements: readonly Announcement[]): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** The keys and organizations of one server. */
export interface ServerDirectory extends Directory {
  /** The latest change that this node has heard of; undefined without word from the server. */
  revision(): number | undefined
}

export interface DirectoryOptions {
  readonly database: Database
  readonly onTrouble: (error: Error) => void
  /** Hears of every change of keys and organizations, on whichever node it was made. */
  readonly onChange: (isConcerned: IsConcerned) => void
  /** The name of this server, where there are several: the node then starts although this one is away. */
  readonly shard?: string
  /** Runs before a change is heard of. */
  readonly beforeHearing?: () => Promise<void>
  /** Whether the keys of an organization may be remembered; otherwise each request looks its key up. */
  readonly mayRemember?: (organizationId: string) => boolean
}

/** Announced with the `AuthChange` that a commit on this node has made. */
export const AUTH_CHANGED = 'keys'
/** Announced with the hash of a key that was made on this node. */
export const KEY_MINTED = 'key minted'

const FLUSH_MS = 5_000

export function createDirectory(options: DirectoryOptions): ServerDirectory {
  const { database, onTrouble, onChange, shard } = options
  const memory = createKeyMemory()
  const used = createUseLog(database)
  let flushing: NodeJS.Timeout | undefined
  let unwatch: Unwatch | undefined
  const alive = (known: AuthenticatedCaller | undefined, now: Date) => {
    if (known === undefined || (known.expiresAt !== null && known.expiresAt <= now)) return undefined
    used.note(known, now)
    return known
  }
  const catchUp = async () => {
    const askedAtMs = Date.now()
    const { revision, changes } = await changesSince(database, memory.revision)
    if (revision !== memory.revision) await options.beforeHearing?.()
    const isConcerned = memory.hear(revision, changes, askedAtMs)
    if (isConcerned) onChange(isConcerned)
  }
  const hear = async (revision: number, askedAtMs: number) => {
    if (revision === memory.revision) memory.hear(memory.revision, [], askedAtMs)
    else await catchUp()
  }
  const forget = (change: AuthChange) => {
    memory.doubt(change)
    onChange((holder) => concerns(change, holder))
  }
  return {
    remembered: (hash, now) => alive(memory.recall(hash), now),
    isFamiliar: memory.isFamiliar,
    revision: () => (memory.isCurrent() ? memory.revision : undefined),
    async byKey(hash, now) {
      const mark = memory.mark()
      const found = await findKey(database, hash, shard)
      const isKept = found && (options.mayRemember?.(found.known.organizationId) ?? true)
      if (found) memory.keep(hash, found.known, isKept ? found.revision : Number.NEGATIVE_INFINITY, mark)
      else memory.drop(hash)
      return alive(found?.known, now)
    },
    byOrganization: (organizationId, environment) => findOrganization(database, organizationId, environment, shard),
    onAnnouncements(announcements) {
      for (const { topic, detail } of announcements) {
        if (topic === KEY_MINTED) memory.expect(detail as string)
        if (topic === AUTH_CHANGED) forget(detail as AuthChange)
      }
    },
    async start() {
      await catchUp().catch((error: Error) => {
        if (shard === undefined) throw error
        onTrouble(error)
      })
      unwatch = watch(database, { ask: () => currentRevision, hear, onTrouble })
      flushing = setInterval(() => used.flush().catch(onTrouble), FLUSH_MS).unref()
    },
    async stop() {
      clearInterval(flushing)
      await unwatch?.()
      await used.flush().catch(onTrouble)
    },
  }
}

/** When keys were last used, written down now and then instead of at every request. */
function createUseLog(database: Database) {
  const lastUsed = new Map<string, { tenantId: string; at: Date }>()
  return {
    note({ actor, tenantId }: AuthenticatedCaller, at: Date): void {
      lastUsed.set(actor.id, { tenantId, at })
    },
    async flush(): Promise<void> {
      if (lastUsed.size === 0) return
      const rows = [...lastUsed].map(([id, { tenantId, at }]) => ({ id, tenantId, at }))
      lastUsed.clear()
      await database.query(sql`update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ tenantId }) => tenantId)}::uuid[],
          ${rows.map(({ at }) => at)}::timestamptz[]) u (id, tenant_id, at)
        where k.tenant_id = u.tenant_id and k.id = u.id`)
    },
  }
}

/** More steps than this at once, and everything is forgotten instead. */
const STEPS_MAX = 1_000

const currentRevision = sql`select revision from auth_revision`

/**
 * How far keys and organizations have come, and the steps since a revision. Read as one: what is not among the steps
 * has not happened yet.
 */
async function changesSince(database: Database, seen: number): Promise<{ revision: number; changes: AuthChange[] }> {
  const rows = await database.read<[number, string | null, string | null]>(sql`
    select r.revision, c.organization_id, c.key_id from auth_revision r left join auth_changes c on c.revision > ${seen}
      limit ${raw(String(STEPS_MAX))}`)
  const changes = rows.flatMap(([, organizationId, keyId]) =>
    organizationId === null ? [] : [{ organizationId, keyId }],
  )
  return { revision: rows[0]?.[0] ?? -1, changes }
}

type KeyRow = [
  string,
  string,
  string,
  Environment,
  TenantSettings,
  boolean,
  AuthenticatedCaller['limits'],
  string,
  Scope,
  Date | null,
  AgentWrites,
  number,
]

async function findKey(
  database: Database,
  hash: string,
  shard: string | undefined,
): Promise<{ known: AuthenticatedCaller; revision: number } | undefined> {
  const [row] = await database.read<KeyRow>(sql`
    select t.id, o.id, o.name, t.environment, t.settings, o.api_enabled, o.limits, k.id, k.scope, k.expires_at,
      k.agent_writes, (select revision from auth_revision)
    from api_keys k join tenants t on t.id = k.tenant_id join organizations o on o.id = t.organization_id
    where k.hash = ${Buffer.from(hash, 'base64')} and k.revoked_at is null`)
  if (row === undefined) return undefined
  const [
    tenantId,
    organizationId,
    organizationName,
    environment,
    settings,
    apiEnabled,
    limits,
    id,
    scope,
    expiresAt,
    agentWrites,
    revision,
  ] = row
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
      agentWrites,
      actor,
      settings: { ...defaultSettings, ...settings },
      ...(shard !== undefined && { shard }),
    },
  }
}

/** A tenant; who acts on it, and with which scope, is for the session to say. */
async function findOrganization(
  database: Database,
  organizationId: string,
  environment: Environment,
  shard: string | undefined,
): Promise<Tenant | undefined> {
  const [row] = await database.read<[string, string, TenantSettings, boolean, AuthenticatedCaller['limits']]>(sql`
    select t.id, o.name, t.settings, o.api_enabled, o.limits from tenants t
      join organizations o on o.id = t.organization_id
    where o.id = ${organizationId} and t.environment = ${environment}`)
  if (row === undefined) return undefined
  const [tenantId, organizationName, settings, apiEnabled, limits] = row
  return {
    tenantId,
    organizationId,
    organizationName,
    environment,
    apiEnabled,
    expiresAt: null,
    limits,
    settings: { ...defaultSettings, ...settings },
    ...(shard !== undefined && { shard }),
  }
}

export const unauthorized = (): ApiError =>
  new ApiError('unauthorized', 'Send a valid API key as Authorization: Bearer ak_…', undefined, {
    'www-authenticate': 'Bearer',
  })

/** The key of an Authorization header, or why there is none that could be one of those wanted here. */
export function keyOf(
  authorization: string | undefined,
  isWanted: (key: string) => boolean = isKey,
  refusal: () => ApiError = unauthorized,
): string | ApiError {
  if (authorization === undefined) return refusal()
  const [scheme = '', key = '', ...rest] = authorization.trim().split(/ +/)
  if (scheme.toLowerCase() !== 'bearer') {
    return new ApiError(
      'unsupported_auth_scheme',
      'Only the Bearer scheme is supported',
      { supported: ['Bearer'] },
      { 'www-authenticate': 'Bearer' },
    )
  }
  return rest.length > 0 || !isWanted(key) ? refusal() : key
}

export function requireEnabled(known: AuthenticatedCaller | undefined): AuthenticatedCaller {
  if (known === undefined) throw unauthorized()
  if (!known.apiEnabled) throw forbidden('organization_disabled', 'This organization is not enabled for the API')
  return known
}
