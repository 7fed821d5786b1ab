// What an operator may know of organizations and their keys, read across all of them. The API has no way here.
import type { Environment, Scope } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { hashKey } from '../http/gate/api-keys.js'
import type { Limit } from '../http/gate/rate-limit.js'
import { BeingMoved } from '../store/api-error.js'

export interface Limits {
  readonly read?: Limit
  readonly write?: Limit
  readonly items?: Limit
}

export interface OrganizationSummary {
  readonly id: string
  readonly name: string
  readonly apiEnabled: boolean
  readonly activeKeys: number
  readonly createdAt: string
}

export interface OrganizationDetail {
  readonly id: string
  readonly name: string
  readonly apiEnabled: boolean
  readonly createdAt: string
  /** Those of its own; what is absent follows the settings of the server. */
  readonly limits: Limits
  readonly environments: readonly {
    readonly environment: Environment
    /** Not told over the network. */
    readonly tenantId?: string
    readonly activeKeys: number
    readonly lastUsedAt: string | null
  }[]
}

const isActive = (now: Date) =>
  sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz)`

export interface ListedOrganizations {
  readonly name: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** Oldest first, past an id. */
export async function listOrganizations(
  database: Database,
  { name, after, limit }: ListedOrganizations,
): Promise<OrganizationSummary[]> {
  const rows = await database.query<{
    id: string
    name: string
    api_enabled: boolean
    created_at: Date
    active_keys: number
  }>(
    sql`select o.id, o.name, o.api_enabled, o.created_at,
        (select count(*) from tenants t join api_keys k on k.tenant_id = t.id where t.organization_id = o.id
          and ${isActive(new Date())})::int as active_keys
      from organizations o
      where (${after ?? null}::uuid is null or o.id > ${after ?? null}::uuid)
        and (${name ?? null}::text is null or strpos(lower(o.name), lower(${name ?? null}::text)) > 0)
      order by o.id limit ${limit}`,
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    apiEnabled: row.api_enabled,
    activeKeys: row.active_keys,
    createdAt: row.created_at.toISOString(),
  }))
}

export async function showOrganization(database: Database, id: string): Promise<OrganizationDetail | undefined> {
  const rows = await database.query<{
    name: string
    api_enabled: boolean
    created_at: Date
    limits: Limits
    environment: Environment
    tenant_id: string
    active_keys: number
    last_used_at: Date | null
  }>(
    sql`select o.name, o.api_enabled, o.created_at, o.limits, t.environment, t.id as tenant_id,
        (select count(*) from api_keys k where k.tenant_id = t.id and ${isActive(new Date())})::int as active_keys,
        (select max(k.last_used_at) from api_keys k where k.tenant_id = t.id) as last_used_at
      from organizations o join tenants t on t.organization_id = o.id where o.id = ${id} order by t.environment desc`,
  )
  const [first] = rows
  if (first === undefined) return undefined
  return {
    id,
    name: first.name,
    apiEnabled: first.api_enabled,
    createdAt: first.created_at.toISOString(),
    limits: first.limits,
    environments: rows.map((row) => ({
      environment: row.environment,
      tenantId: row.tenant_id,
      activeKeys: row.active_keys,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
  }
}

export interface KeyDetail {
  readonly id: string
  readonly environment: Environment
  readonly name: string
  readonly scope: Scope
  readonly prefix: string
  readonly last4: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

const KEYS_MAX = 10_000

export interface ListedKeys {
  readonly organizationId: string
  readonly environment: Environment | undefined
  readonly isAll: boolean
  readonly now: Date
}

/** Newest first. */
export async function listKeys(database: Database, wanted: ListedKeys): Promise<KeyDetail[]> {
  const rows = await database.query<{
    id: string
    environment: Environment
    name: string
    scope: Scope
    prefix: string
    last4: string
    expires_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
  }>(
    sql`select k.id, t.environment, k.name, k.scope, k.prefix, k.last4, k.expires_at, k.last_used_at, k.revoked_at
      from tenants t join api_keys k on k.tenant_id = t.id
      where t.organization_id = ${wanted.organizationId}
        and (${wanted.environment ?? null}::text is null or t.environment = ${wanted.environment ?? null}::text)
        and (${wanted.isAll}::boolean or (${isActive(wanted.now)}))
      order by k.id desc limit ${KEYS_MAX}`,
  )
  return rows.map(({ expires_at, last_used_at, revoked_at, ...rest }) => ({
    ...rest,
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
    revokedAt: revoked_at?.toISOString() ?? null,
  }))
}

export interface RevokedKey {
  readonly id: string
  readonly name: string
  readonly revokedAt: string
  readonly wasRevoked: boolean
}

/** By its id or by itself. Every node hears of it through the revision of all keys, which the update moves on. */
export async function revokeKey(
  database: Database,
  wanted: { id: string } | { key: string },
  now: Date,
): Promise<RevokedKey | undefined> {
  const isWanted = 'id' in wanted ? sql`id = ${wanted.id}` : sql`hash = ${hashKey(wanted.key)}`
  const revoked = await database.query<{ id: string; name: string }>(
    sql`update api_keys set revoked_at = ${now} where ${isWanted} and revoked_at is null returning id, name`,
  )
  const [fresh] = revoked
  if (fresh) return { ...fresh, revokedAt: now.toISOString(), wasRevoked: false }
  const [known] = await database.query<{ id: string; name: string; revoked_at: Date | null }>(
    sql`select id, name, revoked_at from api_keys where ${isWanted}`,
  )
  if (known === undefined) return undefined
  // The fence of a move has passed the row over.
  if (known.revoked_at === null) throw new BeingMoved()
  return { id: known.id, name: known.name, revokedAt: known.revoked_at.toISOString(), wasRevoked: true }
}
