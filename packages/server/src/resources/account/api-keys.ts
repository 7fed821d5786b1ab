// API keys of the caller's tenant: mint, list, rotate, revoke. A key is shown once; afterwards only its hash is known.
import {
  type ApiKey,
  apiKey,
  apiKeyCreateBody,
  apiKeyParameters,
  limits,
  mintedApiKey,
  rotationBody,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type BaseInput, type Caller, type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { type MintedKey, mintKey } from '../../http/gate/api-keys.js'
import { AUTH_CHANGED, KEY_MINTED } from '../../http/gate/authenticate.js'
import { badRequest, conflict, notFound } from '../../store/api-error.js'
import { newId, timeOf } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { json, withSecret } from '../../store/response.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'

type KeyRow = [
  string,
  string,
  ApiKey['scope'],
  ApiKey['agentWrites'],
  string,
  string,
  Date | null,
  Date | null,
  Date | null,
]

async function findKeys({ database, tenantId }: Reader, { environment }: Caller, where: Sql): Promise<ApiKey[]> {
  const rows = await database.read<KeyRow>(
    sql`select id, name, scope, agent_writes, prefix, last4, expires_at, last_used_at, revoked_at
      from api_keys where tenant_id = ${tenantId} ${where}`,
  )
  return rows.map(([id, name, scope, agentWrites, prefix, last4, expiresAt, lastUsedAt, revokedAt]) => ({
    id,
    name,
    scope,
    environment,
    agentWrites,
    prefix,
    last4,
    createdAt: timeOf(id).toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  }))
}

async function requireKey(read: Reader, { caller, params }: BaseInput): Promise<ApiKey> {
  const [key] = await findKeys(read, caller, sql`and id = ${params['id']}`)
  if (key === undefined) throw notFound()
  return key
}

function insertKey(
  { caller, now }: Pick<BaseInput, 'caller' | 'now'>,
  minted: MintedKey,
  key: Pick<ApiKey, 'name' | 'scope' | 'expiresAt' | 'agentWrites'>,
) {
  const id = newId(now)
  const { prefix, last4 } = minted
  const shown: ApiKey = {
    id,
    name: key.name,
    scope: key.scope,
    environment: caller.environment,
    agentWrites: key.agentWrites,
    prefix,
    last4,
    createdAt: timeOf(id).toISOString(),
    expiresAt: key.expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  }
  const statement = sql`insert into api_keys (tenant_id, id, name, scope, agent_writes, hash, prefix, last4, expires_at)
    select ${caller.tenantId}::uuid, ${id}::uuid, ${key.name}, ${key.scope}, ${key.agentWrites},
      ${minted.hash}::bytea, ${prefix}, ${last4}, ${key.expiresAt}::timestamptz from not_a_replay returning 1`
  return { shown, statement }
}

function listKeys(input: ReadInput) {
  const { read, caller } = input
  const { q } = askedFor(input)
  const newest = (below: string | undefined, rows: number) =>
    findKeys(read, caller, sql`${below ? sql`and id < ${below}` : raw('')} order by id desc limit ${rows}::int`)
  const all = {
    find: newest,
    count: () => countRows(read.database, sql`from api_keys where tenant_id = ${read.tenantId}`),
  }
  const searchedValues = ({ name, scope, prefix, last4 }: ApiKey) => [name, scope, prefix, last4]
  const finding = { ...(q === undefined ? all : scan(q, searchedValues, newest)), idOf: ({ id }: ApiKey) => id }
  return typedPage(input, 'api-keys', finding, (key) => key)
}

export const apiKeyEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/api-keys',
    scope: 'ADMIN',
    operationId: 'listApiKeys',
    summary: 'List the keys of this tenant',
    description: scanNote,
    tag: 'API keys',
    query: apiKeyParameters,
    returns: { status: 200, schema: pageSchema(apiKey) },
    handle: listKeys,
  }),
  endpoint({
    method: 'POST',
    path: '/api-keys',
    scope: 'ADMIN',
    operationId: 'createApiKey',
    summary: 'Mint a key for this tenant',
    description: 'The whole key is in this answer and nowhere else.',
    tag: 'API keys',
    body: apiKeyCreateBody,
    returns: { status: 201, schema: mintedApiKey },
    async handle(input) {
      const { name, scope, expiresAt = null, agentWrites = 'propose' } = input.body
      if (expiresAt !== null && new Date(expiresAt) <= input.now)
        throw badRequest('expiresAt', 'must be in the future', 'past')
      const minted = mintKey(input.caller.environment)
      const { shown, statement } = insertKey(input, minted, { name, scope, expiresAt, agentWrites })
      input.work.addStatement(statement, 1)
      input.work.announce(KEY_MINTED, minted.hash.toString('base64'))
      return withSecret(json(201, { ...shown, key: minted.key }))
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api-keys/{id}',
    scope: 'ADMIN',
    operationId: 'getApiKey',
    summary: 'Get one key',
    tag: 'API keys',
    returns: { status: 200, schema: apiKey },
    handle: async (input) => json(200, await requireKey(input.read, input)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api-keys/{id}',
    scope: 'ADMIN',
    operationId: 'revokeApiKey',
    summary: 'Revoke a key at once',
    tag: 'API keys',
    returns: { status: 204, schema: null },
    async handle(input) {
      const { work } = input
      const key = await requireKey(work, input)
      if (key.revokedAt !== null) throw notFound()
      work.addStatement(
        sql`update api_keys k set revoked_at = ${work.now} from not_a_replay
          where k.tenant_id = ${work.tenantId} and k.id = ${key.id} and k.revoked_at is null returning 1`,
        1,
      )
      work.announce(AUTH_CHANGED, { organizationId: work.caller.organizationId, keyId: key.id })
      return work.respond(204)
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    scope: 'ADMIN',
    operationId: 'rotateApiKey',
    summary: 'Replace a key; the old one works until the grace period ends',
    tag: 'API keys',
    body: rotationBody,
    returns: { status: 200, schema: mintedApiKey },
    async handle(input) {
      const { work } = input
      const old = await requireKey(work, input)
      if (old.revokedAt !== null) throw conflict('revoked', 'A revoked key cannot be rotated; mint a new one')
      const grace = input.body.gracePeriodSeconds ?? limits.gracePeriodSecondsDefault
      const minted = mintKey(input.caller.environment)
      const { shown, statement } = insertKey(input, minted, { ...old, expiresAt: null })
      const until = new Date(input.now.getTime() + grace * 1_000)
      work.addStatement(statement, 1)
      work.addStatement(
        sql`update api_keys k set expires_at = least(k.expires_at, ${until}) from not_a_replay
          where k.tenant_id = ${work.tenantId} and k.id = ${old.id} and k.revoked_at is null returning 1`,
        1,
      )
      work.announce(AUTH_CHANGED, { organizationId: work.caller.organizationId, keyId: old.id })
      work.announce(KEY_MINTED, minted.hash.toString('base64'))
      return withSecret(json(200, { ...shown, key: minted.key }))
    },
  }),
]
