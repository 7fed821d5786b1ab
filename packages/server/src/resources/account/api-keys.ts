// API keys of the caller's tenant: mint, list, rotate, revoke. A key is shown once; afterwards only its hash is known.
import {
  type ApiKey,
  apiKey,
  apiKeyCreateBody,
  apiKeyParameters,
  type Environment,
  limits,
  mintedApiKey,
  rotationBody,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type BaseInput, type Caller, type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { mintKey } from '../../http/gate/api-keys.js'
import { AUTH_CHANGED, KEY_MINTED } from '../../http/gate/authenticate.js'
import { badRequest, conflict, notFound } from '../../store/api-error.js'
import { newId, timeOf } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { json, withSecret } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'

export type KeyRow = [
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

/** The columns of a `KeyRow`, of `api_keys k`. */
export const keyColumns = raw(
  'k.id, k.name, k.scope, k.agent_writes, k.prefix, k.last4, k.expires_at, k.last_used_at, k.revoked_at',
)

export function toKey(row: KeyRow, environment: Environment): ApiKey {
  const [id, name, scope, agentWrites, prefix, last4, expiresAt, lastUsedAt, revokedAt] = row
  return {
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
  }
}

async function findKeys({ database, tenantId }: Reader, { environment }: Caller, where: Sql): Promise<ApiKey[]> {
  const rows = await database.read<KeyRow>(
    sql`select ${keyColumns} from api_keys k where k.tenant_id = ${tenantId} ${where}`,
  )
  return rows.map((row) => toKey(row, environment))
}

async function requireKey(read: Reader, { caller, params }: BaseInput): Promise<ApiKey> {
  const [key] = await findKeys(read, caller, sql`and k.id = ${params['id']}`)
  if (key === undefined) throw notFound()
  return key
}

/** Whose key it is. */
export type KeyHolder = Pick<Caller, 'tenantId' | 'organizationId' | 'environment'>
type KeyToMint = Pick<ApiKey, 'name' | 'scope'> & { expiresAt?: string | null; agentWrites?: ApiKey['agentWrites'] }

/** Mints a key as part of the work; the answer shows it, once. */
export function mintWith(work: Work, holder: KeyHolder, key: KeyToMint): ApiKey & { key: string } {
  const { name, scope, expiresAt = null, agentWrites = 'propose' } = key
  if (expiresAt !== null && new Date(expiresAt) <= work.now)
    throw badRequest('expiresAt', 'must be in the future', 'past')
  const minted = mintKey(holder.environment)
  const { prefix, last4 } = minted
  const id = newId(work.now)
  work.addStatement(
    sql`insert into api_keys (tenant_id, id, name, scope, agent_writes, hash, prefix, last4, expires_at)
      select ${holder.tenantId}::uuid, ${id}::uuid, ${name}, ${scope}, ${agentWrites}, ${minted.hash}::bytea,
        ${prefix}, ${last4}, ${expiresAt}::timestamptz from not_a_replay returning 1`,
    1,
  )
  work.announce(KEY_MINTED, minted.hash.toString('base64'))
  return {
    id,
    name,
    scope,
    environment: holder.environment,
    agentWrites,
    prefix,
    last4,
    createdAt: timeOf(id).toISOString(),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
    key: minted.key,
  }
}

export function revokeWith(work: Work, holder: KeyHolder, key: ApiKey): void {
  if (key.revokedAt !== null) throw notFound()
  endKey(work, holder, key, sql`revoked_at = ${work.now}`)
}

/** A new key for the old one, which works until the grace period ends. */
export function rotateWith(work: Work, holder: KeyHolder, old: ApiKey, graceSeconds: number | undefined) {
  if (old.revokedAt !== null) throw conflict('revoked', 'A revoked key cannot be rotated; mint a new one')
  const made = mintWith(work, holder, { ...old, expiresAt: null })
  const until = new Date(work.now.getTime() + (graceSeconds ?? limits.gracePeriodSecondsDefault) * 1_000)
  endKey(work, holder, old, sql`expires_at = least(k.expires_at, ${until})`)
  return made
}

function endKey(work: Work, { tenantId, organizationId }: KeyHolder, { id }: ApiKey, how: Sql): void {
  work.addStatement(
    sql`update api_keys k set ${how} from not_a_replay
      where k.tenant_id = ${tenantId} and k.id = ${id} and k.revoked_at is null returning 1`,
    1,
  )
  work.announce(AUTH_CHANGED, { organizationId, keyId: id })
}

function listKeys(input: ReadInput) {
  const { read, caller } = input
  const { q } = askedFor(input)
  const newest = (below: string | undefined, rows: number) =>
    findKeys(read, caller, sql`${below ? sql`and k.id < ${below}` : raw('')} order by k.id desc limit ${rows}::int`)
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
    handle: async ({ work, caller, body }) => withSecret(json(201, mintWith(work, caller, body))),
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
      revokeWith(input.work, input.caller, await requireKey(input.work, input))
      return input.work.respond(204)
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
      const { work, caller, body } = input
      const old = await requireKey(work, input)
      return withSecret(json(200, rotateWith(work, caller, old, body.gracePeriodSeconds)))
    },
  }),
]
