// The rows of an organization: how they are made and read, across all organizations. Endpoints of an organization's own
// have no way here.
import {
  canonicalKinds,
  defaultSettings,
  type Environment,
  environments,
  type OrganizationLimits,
  type PlatformOrganization,
  workTypeDefinitions,
} from '@parley/contract'
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import type { Limit } from '../http/gate/rate-limit.js'
import { newRecord } from '../resources/generic/record-values.js'
import { titleOf } from '../resources/work/work-type-definitions.js'
import type { Caller } from '../store/caller.js'
import { newId } from '../store/id.js'
import { searchText } from '../store/search-words.js'

/** Those of an organization's own; what is absent follows the settings of the server. */
export interface StoredLimits {
  readonly read?: Limit
  readonly write?: Limit
  readonly items?: Limit
}

export interface OrganizationInserts {
  readonly tenants: readonly { readonly environment: Environment; readonly tenantId: string }[]
  readonly organization: Sql
  readonly tenantRows: Sql
  readonly kindsOfWork: Sql
}

/**
 * An organization with both of its tenants, each with all kinds of work enabled: parts of one statement, so that there
 * is no half of it. They select from `not_a_replay`.
 */
export function organizationInserts({ id, name }: { id: string; name: string }, now: Date): OrganizationInserts {
  const context = { caller: { organizationId: id }, now }
  const tenants = environments.map((environment) => ({ environment, tenantId: newId(now) }))
  const settings = JSON.stringify(defaultSettings)
  const tenantRows = tenants.map(
    ({ environment, tenantId }) =>
      sql`(${tenantId}::uuid, ${id}::uuid, ${environment}, ${settings}::json, ${now}::timestamptz)`,
  )
  const kinds = tenants.flatMap(({ tenantId }) =>
    canonicalKinds.map((canonicalKind) => {
      const record = newRecord(workTypeDefinitions, context, { canonicalKind, label: titleOf(canonicalKind) })
      return sql`(${tenantId}::uuid, ${record.id}::uuid, 1, ${now}::timestamptz, ${JSON.stringify(record)}::json,
        array_to_tsvector(string_to_array(${searchText([record.label])}, ' ')))`
    }),
  )
  return {
    tenants,
    organization: sql`insert into organizations (id, name, created_at)
      select ${id}::uuid, ${name}, ${now}::timestamptz from not_a_replay returning 1`,
    tenantRows: sql`insert into tenants (id, organization_id, environment, settings, updated_at)
      select v.* from (values ${join(tenantRows, ', ')}) v, not_a_replay returning 1`,
    kindsOfWork: sql`insert into ${raw(workTypeDefinitions.table)} (tenant_id, id, version, updated_at, record, search)
      select v.* from (values ${join(kinds, ', ')}) v, not_a_replay returning 1`,
  }
}

/** Names that differ by case or spaces count as one. */
export async function organizationCalled(
  database: Database,
  name: string,
): Promise<{ id: string; name: string } | undefined> {
  const plain = (text: Sql) => sql`lower(regexp_replace(btrim(${text}), '\\s+', ' ', 'g'))`
  const [found] = await database.query<{ id: string; name: string }>(
    sql`select id, name from organizations where ${plain(sql`name`)} = ${plain(sql`${name}::text`)} order by id
      limit 1`,
  )
  return found
}

interface Row extends Record<string, unknown> {
  id: string
  name: string
  api_enabled: boolean
  limits: StoredLimits
  created_at: Date
  environment: Environment
  active_keys: number
  last_used_at: Date | null
}

/** `page` selects from organizations; `order` is by their id. */
export async function findOrganizations(
  database: Database,
  page: Sql,
  now: Date,
  order = raw('id'),
): Promise<PlatformOrganization[]> {
  const rows = await database.query<Row>(sql`
    select o.id, o.name, o.api_enabled, o.limits, o.created_at, t.environment,
      (select count(*) from api_keys k where k.tenant_id = t.id and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${now}::timestamptz))::int as active_keys,
      (select max(k.last_used_at) from api_keys k where k.tenant_id = t.id) as last_used_at
    from (${page}) o join tenants t on t.organization_id = o.id order by o.${order}, t.environment desc`)
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row])
  return [...found.values()].flatMap((ofOne) => ofOne.slice(0, 1).map((row) => toOrganization(row, ofOne)))
}

const toOrganization = (row: Row, tenants: readonly Row[]): PlatformOrganization => ({
  id: row.id,
  name: row.name,
  apiEnabled: row.api_enabled,
  limits: shownLimits(row.limits),
  environments: tenants.map(({ environment, active_keys, last_used_at }) => ({
    environment,
    activeKeys: active_keys,
    lastUsedAt: last_used_at?.toISOString() ?? null,
  })),
  createdAt: row.created_at.toISOString(),
})

export const shownLimits = ({ read, write, items }: StoredLimits): OrganizationLimits => ({
  read: read ?? null,
  write: write ?? null,
  items: items ?? null,
})

export const findOrganization = async (
  database: Database,
  id: string,
  now: Date,
): Promise<PlatformOrganization | undefined> =>
  (await findOrganizations(database, sql`select * from organizations where id = ${id}::uuid`, now))[0]

export type TenantOfOrganization = Pick<Caller, 'tenantId' | 'organizationId' | 'environment'>

/** Empty when there is no such organization. */
export async function tenantsOf(database: Database, organizationId: string): Promise<TenantOfOrganization[]> {
  const rows = await database.read<[string, Environment]>(
    sql`select id, environment from tenants where organization_id = ${organizationId}::uuid order by environment desc`,
  )
  return rows.map(([tenantId, environment]) => ({ tenantId, organizationId, environment }))
}
