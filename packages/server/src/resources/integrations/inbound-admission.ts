// Who may tell us what, of those that hold no key: a request is believed only for the signature that its connection's
// secret explains, over its bytes and our public address. Until then nothing of it is looked at, and nothing is
// written.
import { defaultSettings, type Environment, type TenantSettings } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import type { Admitted, Caller, ReadInput } from '../../http/endpoint.js'
import { type Buckets, type Limit } from '../../http/gate/rate-limit.js'
import { uuidPattern } from '../../http/wire-formats.js'
import type { InboundKind, InboundRequest, Provider, ProviderConnection } from '../../providers/provider.js'
import { providerNamed } from '../../providers/table.js'
import { ApiError, forbidden, notFound } from '../../store/api-error.js'
import { type Connection, credentialsIn } from './connections.js'

export type RefusedBecause = 'unknown_connection' | 'revoked' | 'signature' | 'other_account' | 'rate'

export interface AdmissionParts {
  readonly buckets: Buckets
  /** How fast one connection may send. */
  readonly limit: Limit
  readonly onRefused: (provider: string, reason: RefusedBecause) => void
}

/** What a request was found to be. */
export interface InboundSender {
  readonly connection: Connection
  readonly opened: ProviderConnection
  readonly provider: Provider
  readonly request: InboundRequest
}

interface FoundConnection {
  readonly caller: Caller
  readonly connection: Connection
  readonly sealed: Buffer | null
}

export async function admitInbound(
  { buckets, limit, onRefused }: AdmissionParts,
  { read, params, sealer, services, now }: Pick<ReadInput, 'read' | 'params' | 'sealer' | 'services' | 'now'>,
  raw: FastifyRequest,
): Promise<Admitted<InboundSender>> {
  const { connectionId = '', kind = '' } = params
  const refuse = (name: string, reason: RefusedBecause): ApiError => {
    onRefused(name, reason)
    return forbidden('signature', 'The request is not signed by the provider of this connection')
  }
  const found = uuidPattern.test(connectionId) ? await findConnection(read.database, connectionId) : undefined
  const provider = found && providerNamed(found.connection.provider)
  if (found === undefined || provider?.verify === undefined) throw refuse('unknown', 'unknown_connection')
  const { connection, caller, sealed } = found
  const named = Object.hasOwn(provider.inbound, kind) ? provider.inbound[kind] : undefined
  if (named === undefined) throw notFound()
  const opened = { id: connection.id, config: connection.config, credentials: credentialsIn(sealer, sealed) }
  const request = await requestOf(raw, kind, named, services.publicUrl())
  if (!provider.verify(request, opened, now)) throw refuse(connection.provider, 'signature')
  if (connection.status === 'revoked') throw refuse(connection.provider, 'revoked')
  if (provider.isForeign?.(request, opened)) throw refuse(connection.provider, 'other_account')
  // Only what is signed counts: nobody else can use up what the provider may send.
  const { allowed, retryAfter } = await buckets.take(`inbound:${connection.id}`, limit, now.getTime())
  if (!allowed) {
    onRefused(connection.provider, 'rate')
    throw new ApiError('rate_limited', `Too many requests of this connection; wait ${retryAfter} s`, undefined, {
      'retry-after': String(retryAfter),
    })
  }
  return { caller, received: { connection, opened, provider, request } }
}

type ConnectionRow = [string, string, string, Environment, TenantSettings, string, Buffer | null]

/** The connection of that id, whoever's it is: nothing else in the request says. */
async function findConnection(database: Database, id: string): Promise<FoundConnection | undefined> {
  const [row] = await database.read<ConnectionRow>(
    sql`select c.tenant_id, o.id, o.name, t.environment, t.settings, c.record::text, c.sealed
      from integration_connections c join tenants t on t.id = c.tenant_id
        join organizations o on o.id = t.organization_id
      where c.id = ${id} and o.api_enabled`,
  )
  if (row === undefined) return undefined
  const [tenantId, organizationId, organizationName, environment, settings, record, sealed] = row
  const caller: Caller = {
    tenantId,
    organizationId,
    organizationName,
    environment,
    scope: 'WRITE',
    actor: { type: 'system', id },
    settings: { ...defaultSettings, ...settings },
  }
  return { caller, connection: JSON.parse(record), sealed }
}

/** The bytes as they came, at most as many as the kind takes, and the address that the provider was given. */
async function requestOf(
  { raw, headers }: FastifyRequest,
  kind: string,
  { bytesMax }: InboundKind,
  publicUrl: string,
): Promise<InboundRequest> {
  const tooLarge = () =>
    new ApiError(
      'payload_too_large',
      `The body is larger than ${bytesMax} bytes`,
      { limitBytes: bytesMax },
      { connection: 'close' },
    )
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  const sent = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return { kind, url: publicUrl + (raw.url ?? ''), headers: Object.fromEntries(sent), body: Buffer.concat(chunks) }
}
