// `/organizations/{id}/api-keys` of the platform: API keys of any organization, of both of its environments.
import {
  type ApiKey,
  apiKey,
  type Environment,
  mintedApiKey,
  organizationKeyBody,
  organizationKeyParameters,
  rotationBody,
} from '@parley/contract'
import { raw, type Sql, sql } from '../database/sql.js'
import { type Endpoint, endpoint, type ReadInput } from '../http/endpoint.js'
import {
  type KeyHolder,
  type KeyRow,
  keyColumns,
  mintWith,
  revokeWith,
  rotateWith,
  toKey,
} from '../resources/account/api-keys.js'
import { askedFor, pageSchema, typedPage } from '../resources/generic/list.js'
import { scan, scanNote } from '../resources/generic/scan.js'
import { notFound } from '../store/api-error.js'
import { countRows } from '../store/list-reader.js'
import type { Reader } from '../store/reader.js'
import { json, withSecret } from '../store/response.js'
import { tenantsOf } from './organization-rows.js'

const tag = 'API keys'
const scope = { scope: 'any', platformScope: 'keys', tag } as const

export const organizationKeyEndpoints: Endpoint[] = [
  endpoint({
    ...scope,
    method: 'GET',
    path: '/organizations/{id}/api-keys',
    operationId: 'listOrganizationApiKeys',
    summary: 'List the API keys of an organization, newest first',
    description: scanNote,
    query: organizationKeyParameters,
    returns: { status: 200, schema: pageSchema(apiKey) },
    handle: listKeys,
  }),
  endpoint({
    ...scope,
    method: 'POST',
    path: '/organizations/{id}/api-keys',
    operationId: 'createOrganizationApiKey',
    summary: 'Mint an API key for an organization',
    description: 'The whole key is in this answer and nowhere else.',
    body: organizationKeyBody,
    returns: { status: 201, schema: mintedApiKey },
    async handle({ work, params, body: { environment, ...key } }) {
      const holder = await requireHolder(work, params.id, environment)
      return withSecret(json(201, mintWith(work, holder, key)))
    },
  }),
  endpoint({
    ...scope,
    method: 'GET',
    path: '/organizations/{id}/api-keys/{keyId}',
    operationId: 'getOrganizationApiKey',
    summary: 'Get one API key of an organization',
    returns: { status: 200, schema: apiKey },
    handle: async ({ read, params }) => json(200, (await requireKey(read, params.id, params.keyId)).key),
  }),
  endpoint({
    ...scope,
    method: 'DELETE',
    path: '/organizations/{id}/api-keys/{keyId}',
    operationId: 'revokeOrganizationApiKey',
    summary: 'Revoke an API key of an organization at once',
    returns: { status: 204, schema: null },
    async handle({ work, params }) {
      const { holder, key } = await requireKey(work, params.id, params.keyId)
      revokeWith(work, holder, key)
      return work.respond(204)
    },
  }),
  endpoint({
    ...scope,
    method: 'POST',
    path: '/organizations/{id}/api-keys/{keyId}/rotate',
    operationId: 'rotateOrganizationApiKey',
    summary: 'Replace an API key of an organization; the old one works until the grace period ends',
    body: rotationBody,
    returns: { status: 200, schema: mintedApiKey },
    async handle({ work, params, body }) {
      const { holder, key } = await requireKey(work, params.id, params.keyId)
      return withSecret(json(200, rotateWith(work, holder, key, body.gracePeriodSeconds)))
    },
  }),
]

async function requireHolder({ database }: Reader, organizationId: string, environment: Environment) {
  const holder = (await tenantsOf(database, organizationId)).find((one) => one.environment === environment)
  if (holder === undefined) throw notFound()
  return holder
}

/** `where` goes on after the organization. */
async function findKeys({ database }: Reader, organizationId: string, where: Sql): Promise<FoundKey[]> {
  const rows = await database.read<[string, Environment, ...KeyRow]>(
    sql`select k.tenant_id, t.environment, ${keyColumns} ${keysOf(organizationId)} ${where}`,
  )
  return rows.map(([tenantId, environment, ...row]) => ({
    holder: { tenantId, organizationId, environment },
    key: toKey(row, environment),
  }))
}

interface FoundKey {
  readonly holder: KeyHolder
  readonly key: ApiKey
}

const keysOf = (organizationId: string): Sql =>
  sql`from api_keys k join tenants t on t.id = k.tenant_id where t.organization_id = ${organizationId}::uuid`

async function requireKey(read: Reader, organizationId: string, id: string): Promise<FoundKey> {
  const [found] = await findKeys(read, organizationId, sql`and k.id = ${id}::uuid`)
  if (found === undefined) throw notFound()
  return found
}

async function listKeys(input: ReadInput) {
  const { read, params, query } = input
  const organizationId = params['id'] ?? ''
  if ((await tenantsOf(read.database, organizationId)).length === 0) throw notFound()
  const { q } = askedFor(input)
  const chosen = query['environment'] === undefined ? raw('') : sql`and t.environment = ${query['environment']}`
  const newest = async (below: string | undefined, rows: number) => {
    const next = below === undefined ? raw('') : sql`and k.id < ${below}::uuid`
    const found = await findKeys(read, organizationId, sql`${chosen} ${next} order by k.id desc limit ${rows}::int`)
    return found.map(({ key }) => key)
  }
  const count = () => countRows(read.database, sql`${keysOf(organizationId)} ${chosen}`)
  const searchedValues = ({ name, scope: its, prefix, last4 }: ApiKey) => [name, its, prefix, last4]
  const finding = q === undefined ? { find: newest, count } : scan(q, searchedValues, newest)
  return typedPage(input, 'organization-api-keys', { ...finding, idOf: ({ id }: ApiKey) => id }, (key) => key)
}
