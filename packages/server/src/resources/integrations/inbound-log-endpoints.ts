// The log of what a provider sent, over HTTP: list, look at one, work on it again, and send something in the provider's
// place in the sandbox.
import {
  type InboundEntry,
  inboundEntry,
  inboundLogParameters,
  inboundSimulation,
  inboundSimulationBody,
  includesScope,
  integrationConnections,
} from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type BaseInput, type Endpoint, endpoint } from '../../http/endpoint.js'
import type { InboundRequest } from '../../providers/provider.js'
import { providerNamed } from '../../providers/table.js'
import { badRequest, conflict, forbidden, notFound } from '../../store/api-error.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { json } from '../../store/response.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'
import { type Connection, inboundUrl, openConnection } from './connections.js'
import { takeRequest } from './inbound-endpoint.js'
import { readLog, readLogEntry } from './inbound-log.js'
import { INBOUND_LOGGED } from './inbound-queue.js'

const tag = integrationConnections.label

export async function requireConnection(read: Reader, id: string): Promise<Connection> {
  const connection = await read.get(integrationConnections, id)
  if (connection === undefined) throw notFound()
  return connection
}

const seesBodies = ({ caller }: Pick<BaseInput, 'caller'>): boolean => includesScope(caller.scope, 'ADMIN')

const listInbound: Endpoint = endpoint({
  method: 'GET',
  path: '/integration-connections/{id}/inbound',
  scope: 'READ',
  operationId: 'listInboundRequests',
  summary: 'List what the provider sent, newest first',
  description:
    'ADMIN keys also see bodies, up to 64 KiB, and headers, where `q` is not sent. Kept as long as events. ' + scanNote,
  tag,
  query: inboundLogParameters,
  returns: { status: 200, schema: pageSchema(inboundEntry) },
  async handle(input) {
    const { read, query } = input
    const { id: connectionId } = await requireConnection(read, input.params.id)
    const { status } = query
    const { q } = askedFor(input)
    const plain = (afterId: string | undefined, limit: number) =>
      readLog(read, {
        connectionId,
        status,
        afterId,
        limit,
        isWhole: q === undefined && seesBodies(input),
        now: input.now,
      })
    const scanned = q === undefined ? undefined : scan(q, searchedValues, plain)
    const narrowed = status === undefined ? sql`` : sql` and status = ${status}`
    const stored = sql`from inbound_requests where tenant_id = ${read.tenantId}
      and connection_id = ${connectionId}${narrowed}`
    const count = scanned?.count ?? (() => countRows(read.database, stored))
    const find = scanned?.find ?? plain
    return typedPage(input, 'inbound-requests', { find, count, idOf: ({ id }) => id }, (entry) => entry)
  },
})

const searchedValues = ({ kind, status, error, providerIds }: InboundEntry): string[] => [
  kind,
  status,
  error ?? '',
  ...Object.values(providerIds).map(String),
]

const getInbound: Endpoint = endpoint({
  method: 'GET',
  path: '/integration-connections/{id}/inbound/{entryId}',
  scope: 'READ',
  operationId: 'getInboundRequest',
  summary: 'Get one request of the provider',
  description: 'ADMIN keys also see its body, up to 64 KiB, and its headers.',
  tag,
  returns: { status: 200, schema: inboundEntry },
  async handle(input) {
    const { read, params } = input
    const { id: connectionId } = await requireConnection(read, params.id)
    const entry = await readLogEntry(read, { connectionId, id: params.entryId, isWhole: seesBodies(input) })
    if (entry === undefined) throw notFound()
    return json(200, entry)
  },
})

const reprocess: Endpoint = endpoint({
  method: 'POST',
  path: '/integration-connections/{id}/inbound/{entryId}/reprocess',
  scope: 'ADMIN',
  operationId: 'reprocessInboundRequest',
  summary: 'Work on a request again',
  description:
    'Takes those that failed or were ignored. What it made before is found by the names that the ' +
    'provider gave it, and not made twice.',
  tag,
  returns: { status: 202, schema: inboundEntry },
  async handle(input) {
    const { work, params } = input
    const { entryId, id } = params
    const { now, tenantId } = work
    const { id: connectionId } = await requireConnection(work, id)
    const entry = await readLogEntry(work, { connectionId, id: entryId, isWhole: seesBodies(input) })
    if (entry === undefined) throw notFound()
    if (entry.status === 'pending' || entry.status === 'processed')
      throw conflict(
        'state',
        `The request is ${entry.status}; only those that failed or were ignored are taken again`,
        {
          status: entry.status,
        },
      )
    const statement = sql`update inbound_requests r
      set status = 'pending', step = 0, attempts = 0, error = null, claim = null,
        processed_at = null, due_at = ${now}::timestamptz from not_a_replay
      where r.tenant_id = ${tenantId}::uuid and r.id = ${entry.id}::uuid and r.status = ${entry.status} returning 1`
    const again: InboundEntry = {
      ...entry,
      status: 'pending',
      error: null,
      attempts: 0,
      processedAt: null,
      nextAttemptAt: now.toISOString(),
    }
    work.addStatement(statement, 1, { recurs: true })
    work.announce(INBOUND_LOGGED)
    return json(202, again)
  },
})

const simulate: Endpoint = endpoint({
  method: 'POST',
  path: '/integration-connections/{id}/inbound/simulate',
  scope: 'ADMIN',
  operationId: 'simulateInboundRequest',
  summary: "Send something in the provider's place",
  description:
    'Sandbox keys only. It is taken as if the provider had sent and signed it, and logged as ' +
    'simulated; the public address has no way round the signature.',
  tag,
  body: inboundSimulationBody,
  returns: { status: 202, schema: inboundSimulation },
  async handle(input) {
    const { caller, body, work, sealer } = input
    const connection = await requireConnection(work, input.params.id)
    if (caller.environment !== 'sandbox')
      throw forbidden('sandbox_only', 'Requests are simulated in the sandbox; use a key that begins with ak_test_')
    const provider = providerNamed(connection.provider)
    if (provider === undefined || !Object.hasOwn(provider.inbound, body.kind))
      throw badRequest('kind', `must be one of: ${Object.keys(provider?.inbound ?? {}).join(', ')}`, 'enum')
    const opened = await openConnection(work, sealer, connection)
    const request = requestFrom(input, connection.id)
    if (provider.isForeign?.(request, opened))
      throw forbidden('other_account', 'The body is of another account than the connection')
    const { entryId, answer } = await takeRequest(input, { connection, opened, provider, request }, true)
    const { decided: _, ...told } = answer
    const entry = entryAt(input, connection.id, entryId, request.kind)
    return json(202, { entry, answer: told })
  },
})

/** As it is logged, before anything came of it. */
const entryAt = ({ now }: Pick<BaseInput, 'now'>, connectionId: string, id: string, kind: string): InboundEntry => ({
  id,
  connectionId,
  kind,
  receivedAt: now.toISOString(),
  status: 'pending',
  error: null,
  attempts: 0,
  nextAttemptAt: now.toISOString(),
  processedAt: null,
  simulated: true,
  providerIds: {},
  records: [],
})

type Simulated = { kind: string; headers?: Record<string, unknown>; body: unknown }

function requestFrom(
  { body: sent, services }: Pick<BaseInput<Simulated>, 'body' | 'services'>,
  id: string,
): InboundRequest {
  const isText = typeof sent.body === 'string'
  const contentType = isText ? 'application/x-www-form-urlencoded' : 'application/json'
  const named = Object.entries(sent.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)])
  return {
    kind: sent.kind,
    url: inboundUrl(services, id, sent.kind),
    headers: { 'content-type': contentType, ...Object.fromEntries(named) },
    body: Buffer.from(isText ? String(sent.body) : JSON.stringify(sent.body)),
  }
}

export const inboundLogEndpoints: Endpoint[] = [listInbound, getInbound, reprocess, simulate]
