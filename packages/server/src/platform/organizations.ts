// `/organizations` of the platform: make one, list, get, change, disable. What belongs to one of them is elsewhere.
import {
  organizationCreateBody,
  type PlatformOrganization,
  type PlatformOrganizationUpdate,
  platformOrganization,
  platformOrganizationBody,
  platformOrganizationParameters,
} from '@parley/contract'
import type { Database } from '../database/pool.js'
import { raw, sql } from '../database/sql.js'
import { type Endpoint, endpoint, type Input, type QueryOf, type ReadInput } from '../http/endpoint.js'
import { AUTH_CHANGED } from '../http/gate/authenticate.js'
import { askedFor, pageSchema, typedPage } from '../resources/generic/list.js'
import { conflict, notFound } from '../store/api-error.js'
import { firstIdAt, newId } from '../store/id.js'
import { countRows } from '../store/list-reader.js'
import type { Reader } from '../store/reader.js'
import { json } from '../store/response.js'
import { findOrganization, findOrganizations, organizationCalled, organizationInserts } from './organization-rows.js'

const tag = 'Organizations'

/** Which of these organizations live on other servers, by the database there. */
export type Elsewhere = (ids: readonly string[]) => Promise<ReadonlyMap<Database, readonly string[]>>

export const organizationEndpoints = (elsewhere: Elsewhere | undefined): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/organizations',
    scope: 'any',
    platformScope: 'read',
    operationId: 'listOrganizations',
    summary: 'List organizations, newest first',
    tag,
    query: platformOrganizationParameters,
    returns: { status: 200, schema: pageSchema(platformOrganization) },
    handle: (input) => listOrganizations(input, elsewhere),
  }),
  endpoint({
    method: 'POST',
    path: '/organizations',
    scope: 'any',
    platformScope: 'manage',
    operationId: 'createOrganization',
    summary: 'Make an organization, with its sandbox and production',
    description: 'It has no API keys yet: mint them at `/organizations/{id}/api-keys`.',
    tag,
    body: organizationCreateBody,
    returns: { status: 201, schema: platformOrganization },
    handle: createOrganization,
  }),
  endpoint({
    method: 'GET',
    path: '/organizations/{id}',
    scope: 'any',
    platformScope: 'read',
    operationId: 'getOrganization',
    summary: 'Get one organization',
    tag,
    returns: { status: 200, schema: platformOrganization },
    handle: async ({ read, params, now }) => json(200, await requireOrganization(read, params['id'] ?? '', now)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/organizations/{id}',
    scope: 'any',
    platformScope: 'manage',
    operationId: 'updateOrganization',
    summary: 'Rename, disable or enable an organization, or change its limits',
    description: 'Every node keeps to it within a second.',
    tag,
    body: platformOrganizationBody,
    returns: { status: 200, schema: platformOrganization },
    handle: changeOrganization,
  }),
]

type ListInput = ReadInput<Record<string, unknown>, QueryOf<typeof platformOrganizationParameters>>

function listOrganizations(input: ListInput, elsewhere: Elsewhere | undefined) {
  const { read, query, now } = input
  const { q } = askedFor(input)
  const { apiEnabled, createdSince, createdBefore } = query
  const conditions = sql`where true
    ${q === undefined ? raw('') : sql`and strpos(lower(name), lower(${q.trim()})) > 0`}
    ${typeof apiEnabled === 'boolean' ? sql`and api_enabled = ${apiEnabled}` : raw('')}
    ${createdSince === undefined ? raw('') : sql`and id >= ${firstIdAt(new Date(createdSince))}::uuid`}
    ${createdBefore === undefined ? raw('') : sql`and id < ${firstIdAt(new Date(createdBefore))}::uuid`}`
  const isAscending = query.sort === 'createdAt'
  const find = async (last: string | undefined, rows: number) => {
    const next = last === undefined ? raw('') : sql`and id ${raw(isAscending ? '>' : '<')} ${last}::uuid`
    const order = raw(isAscending ? 'id' : 'id desc')
    const page = sql`select * from organizations ${conditions} ${next} order by ${order} limit ${rows}::int`
    const found = await findOrganizations(read.database, page, now, order)
    return elsewhere ? asTheyAre(found, elsewhere, now) : found
  }
  const count = () => countRows(read.database, sql`from organizations ${conditions}`)
  return typedPage(input, 'organizations', { find, count, idOf: ({ id }) => id }, (one) => one)
}

/** The directory knows all of them by name; their keys and limits are where they live. */
async function asTheyAre(
  listed: readonly PlatformOrganization[],
  elsewhere: Elsewhere,
  now: Date,
): Promise<PlatformOrganization[]> {
  const homes = await elsewhere(listed.map(({ id }) => id))
  const asked = [...homes].map(([database, ids]) =>
    findOrganizations(database, sql`select * from organizations where id = any (${ids}::uuid[])`, now),
  )
  const there = new Map((await Promise.all(asked)).flat().map((one) => [one.id, one]))
  return listed.map((one) => there.get(one.id) ?? one)
}

export async function requireOrganization(
  { database }: Pick<Reader, 'database'>,
  id: string,
  now: Date,
): Promise<PlatformOrganization> {
  const found = await findOrganization(database, id, now)
  if (found === undefined) throw notFound()
  return found
}

async function createOrganization({ work, body, now }: Input<{ name: string; allowSameName?: boolean }>) {
  const name = body.name.trim()
  // Two requests at once must not both find the name free.
  work.addFence(await work.readFence('organization names'))
  const taken = body.allowSameName === true ? undefined : await organizationCalled(work.database, name)
  if (taken)
    throw conflict('name_taken', 'Another organization has this name; choose another, or send allowSameName', {
      organizationId: taken.id,
    })
  const id = newId(now)
  const { tenants, organization, tenantRows, kindsOfWork } = organizationInserts({ id, name }, now)
  work.addStatement(organization, 1)
  work.addStatement(tenantRows, tenants.length)
  work.addStatement(kindsOfWork)
  const made: PlatformOrganization = {
    id,
    name,
    apiEnabled: true,
    limits: { read: null, write: null, items: null },
    environments: tenants.map(({ environment }) => ({ environment, activeKeys: 0, lastUsedAt: null })),
    createdAt: now.toISOString(),
  }
  return json(201, made)
}

async function changeOrganization(input: Input<PlatformOrganizationUpdate>) {
  const { work, body, now } = input
  const id = input.params['id'] ?? ''
  work.addFence(await work.readFence(`organization ${id}`))
  const before = await requireOrganization(work, id, now)
  const after: PlatformOrganization = {
    ...before,
    name: body.name?.trim() ?? before.name,
    apiEnabled: body.apiEnabled ?? before.apiEnabled,
    limits: { ...before.limits, ...body.limits },
  }
  work.addStatement(
    sql`update organizations o set name = ${after.name}, api_enabled = ${after.apiEnabled},
        limits = json_strip_nulls(${JSON.stringify(after.limits)}::json)
      from not_a_replay where o.id = ${id}::uuid returning 1`,
    1,
  )
  work.announce(AUTH_CHANGED, { organizationId: id, keyId: null })
  return json(200, after)
}
