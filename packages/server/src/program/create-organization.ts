// Setting up organizations and keys: what the first start and the operator's commands do, without going through the
// API.
import type { AgentWrites, Environment, Scope } from '@parley/contract'
import { withLock } from '../database/advisory-lock.js'
import type { Database } from '../database/pool.js'
import { join, raw, type Sql, sql } from '../database/sql.js'
import { type MintedKey, mintKey } from '../http/gate/api-keys.js'
import type { Limit } from '../http/gate/rate-limit.js'
import { organizationCalled, organizationInserts } from '../platform/organization-rows.js'
import type { MadeLink } from '../resources/sign-in/one-time-links.js'
import { newId } from '../store/id.js'

/** A key that is minted together with its organization. */
export interface FirstKey {
  readonly environment: Environment
  readonly minted: MintedKey
}

/** Someone who owns an organization from its beginning, and the link that signs them in. */
export interface FirstOwner {
  readonly userId: string
  readonly link: MadeLink
}

/**
 * Makes an organization with both of its tenants, each with all kinds of work enabled. One statement: there is no half
 * of it.
 */
export async function createOrganization(
  database: Database,
  { id: organizationId, name }: { id: string; name: string },
  now: Date,
  keys: readonly FirstKey[] = [],
  owner?: FirstOwner,
): Promise<void> {
  const { tenants, organization, tenantRows, kindsOfWork } = organizationInserts({ id: organizationId, name }, now)
  await database.query(sql`
    with not_a_replay as (select 1),
    organization as (${organization}),
    tenant_rows as (${tenantRows}),
    keys as (insert into api_keys (tenant_id, id, name, scope, hash, prefix, last4)
      select * from (values ${join(keyRows(tenants, keys, now), ', ')})
        k (tenant_id, id, name, scope, hash, prefix, last4)
      where tenant_id is not null)
    ${owner ? sql`, ${ownerParts(organizationId, owner, now)}` : raw('')}
    ${kindsOfWork}`)
}

/** Nobody knows yet how the owner is called. */
export const OWNER_NAME = 'Owner'

/** Parts of a statement: the user, the membership, and the link. */
export const ownerParts = (organizationId: string, { userId, link }: FirstOwner, now: Date): Sql =>
  sql`owner as (insert into users (id, name, created_at) values (${userId}, ${OWNER_NAME}, ${now})),
    membership as (insert into memberships (organization_id, user_id, role, joined_at)
      values (${organizationId}, ${userId}, 'owner', ${now})),
    link as (${link.insert()})`

/** A row without a tenant stands for "no keys", because VALUES cannot be empty. */
function keyRows(
  tenants: readonly { environment: Environment; tenantId: string }[],
  keys: readonly FirstKey[],
  now: Date,
) {
  const rows = keys.map(({ environment, minted }) => ({
    tenantId: tenants.find((tenant) => tenant.environment === environment)?.tenantId ?? null,
    minted,
  }))
  return (rows.length > 0 ? rows : [{ tenantId: null, minted: undefined }]).map(
    ({ tenantId, minted }) =>
      sql`(${tenantId}::uuid, ${newId(now)}::uuid, 'First key', 'ADMIN', ${minted?.hash ?? null}::bytea,
        ${minted?.prefix ?? null}::text, ${minted?.last4 ?? null}::text)`,
  )
}

export async function hasOrganizations(database: Database): Promise<boolean> {
  return (await database.query(sql`select 1 as one from organizations limit 1`)).length > 0
}

/** The whole key; undefined when there is no such organization, or when it does not live here. */
export async function mintKeyFor(
  database: Database,
  organizationId: string,
  environment: Environment,
  scope: Scope,
  name: string,
  now: Date,
  agentWrites: AgentWrites = 'propose',
  isHere: Sql = everywhere,
): Promise<string | undefined> {
  const minted = mintKey(environment)
  const rows = await database.query(sql`insert into api_keys
    (tenant_id, id, name, scope, agent_writes, hash, prefix, last4)
    select id, ${newId(now)}::uuid, ${name}, ${scope}, ${agentWrites}, ${minted.hash}::bytea, ${minted.prefix},
      ${minted.last4}
    from tenants where organization_id = ${organizationId} and environment = ${environment} and ${isHere}
    returning id`)
  return rows.length === 1 ? minted.key : undefined
}

/** Where there is one server, whoever is there lives there. */
const everywhere = raw('true')

export async function setEnabled(
  database: Database,
  organizationId: string,
  isEnabled: boolean,
  isHere: Sql = everywhere,
): Promise<boolean> {
  const rows = await database.query(
    sql`update organizations set api_enabled = ${isEnabled} where id = ${organizationId} and ${isHere} returning id`,
  )
  return rows.length === 1
}

/** What is not given stays. */
export interface LimitChanges {
  readonly read: Limit | undefined
  readonly write: Limit | undefined
  readonly items?: Limit | undefined
}

/** Changes the limits that are given, after the reset where that is wanted. */
export async function setLimits(
  database: Database,
  organizationId: string,
  changes: LimitChanges,
  isReset: boolean,
  isHere: Sql = everywhere,
): Promise<boolean> {
  const given = JSON.stringify(changes)
  const rows = await database.query(
    sql`update organizations
      set limits = ((case when ${isReset}::boolean then '{}' else limits::jsonb end) || ${given}::jsonb)::json
      where id = ${organizationId} and ${isHere} returning id`,
  )
  return rows.length === 1
}

/** Any number, as long as every command uses the same. */
const NAMES_LOCK = 4_827_363

export type NamedOrganization =
  | { readonly kind: 'made'; readonly id: string }
  | { readonly kind: 'taken'; readonly id: string; readonly name: string }

/**
 * Two of one name are almost always a mistake, so the second is made only by force. Names that differ by case or spaces
 * count as one.
 */
export async function createNamedOrganization(
  database: Database,
  name: string,
  now: Date,
  force: boolean,
  { create }: { create: (organization: { id: string; name: string }, now: Date) => Promise<void> } = {
    create: (organization) => createOrganization(database, organization, now),
  },
): Promise<NamedOrganization> {
  // Two commands at once must not both find the name free.
  return withLock(database, NAMES_LOCK, async () => {
    const taken = force ? undefined : await organizationCalled(database, name)
    if (taken) return { kind: 'taken', ...taken }
    const id = newId(now)
    await create({ id, name }, now)
    return { kind: 'made', id }
  })
}
