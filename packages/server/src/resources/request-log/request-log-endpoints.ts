// `GET /request-log` and its stream: what came in with the keys and members of a tenant, for whoever develops against
// it.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  limits,
  type RequestLogEntry,
  requestLogEntry,
  requestLogFilterParameters,
  requestLogParameters,
  sampleOf,
} from '@parley/contract'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { direct } from '../../http/raw-response.js'
import { frameOf, type Stream } from '../../http/sse.js'
import { uuidPattern } from '../../http/wire-formats.js'
import { badRequest } from '../../store/api-error.js'
import { currentHorizon, type Position } from '../../store/event-log.js'
import { firstIdAt } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'
import { placeOfRequest, type RequestFilter, requestsAfter, requestsBelow, requestsOf } from './read-requests.js'

const tag = 'Request log'

const listRequests: Endpoint = endpoint({
  method: 'GET',
  path: '/request-log',
  scope: 'ADMIN',
  operationId: 'listRequestLog',
  summary: 'List requests, newest first',
  description:
    `Every request that came with a key or a session of this environment, within a second of its end and for ` +
    `${limits.requestLogDays} days: how it ended, how long it took, who asked. Bodies and the values of queries are ` +
    `not kept. ${scanNote}`,
  tag,
  query: requestLogParameters,
  returns: { status: 200, schema: pageSchema(requestLogEntry) },
  handle(input) {
    const { query, read } = input
    const plain = (below: string | undefined, rows: number) =>
      requestsBelow(read.database, read.tenantId, query, { below, rows, now: input.now })
    const all = () => countRows(read.database, requestsOf(read.tenantId, query))
    const { q } = askedFor(input)
    const { find, count } = q === undefined ? { find: plain, count: all } : scan(q, searchedValues, plain)
    return typedPage(input, 'request-log', { find, count, idOf: ({ id }) => id }, (entry) => entry)
  },
})

const searchedValues = ({ method, path, status, requestId, actor, error }: RequestLogEntry): string[] => [
  method,
  path,
  String(status),
  requestId,
  actor.id,
  ...(error ? [error.code, error.reason ?? '', error.field ?? ''] : []),
]

const LOOK_MS = 400
const PAGE = 200
/** Sent as `Last-Event-ID` where no entry has been seen yet. */
const FROM_OLDEST = '0'
const beforeAll: Position = { xact: 0, id: firstIdAt(new Date(0)) }

/** Sends what lies past a place, then what comes. Few follow this log at once, so each looks by itself. */
async function follow(
  stream: Stream,
  { read }: Pick<ReadInput, 'read'>,
  filter: RequestFilter,
  start: Position,
): Promise<void> {
  let reached = start
  while (stream.isOpen) {
    const page = await requestsAfter(read.database, read.tenantId, filter, reached, PAGE)
    for (const { entry } of page) {
      stream.send(frameOf('request', JSON.stringify(entry), entry.id))
      await stream.drained()
    }
    reached = page.at(-1) ?? reached
    if (page.length < PAGE) await Promise.race([sleep(LOOK_MS), stream.closed])
  }
}

async function startOf({ read }: Pick<ReadInput, 'read'>, lastSeen: string | string[] | undefined): Promise<Position> {
  if (typeof lastSeen !== 'string' || lastSeen === '')
    return { ...(await currentHorizon(read.database)), id: beforeAll.id }
  if (lastSeen === FROM_OLDEST) return beforeAll
  const known = uuidPattern.test(lastSeen) ? await placeOfRequest(read.database, read.tenantId, lastSeen) : undefined
  if (known === undefined)
    throw badRequest(
      'Last-Event-ID',
      'names an entry that is unknown or no longer kept; start again without it',
      'unknown_event',
    )
  return known
}

const streamRequests: Endpoint = endpoint({
  method: 'GET',
  path: '/request-log/stream',
  scope: 'ADMIN',
  operationId: 'streamRequestLog',
  summary: 'Follow requests as they end',
  description:
    'Server-sent events: `id` is that of the entry, `event` is `request`, `data` the entry. Send the last id as ' +
    '`Last-Event-ID` to go on from there, or `0` to begin with the oldest entry that is kept.',
  tag,
  query: requestLogFilterParameters,
  returns: {
    status: 200,
    schema: null,
    mediaTypes: ['text/event-stream'],
    examples: { 'text/event-stream': frameOf('request', JSON.stringify(sampleOf(requestLogEntry)), 'ID').toString() },
  },
  async handle(input) {
    const { caller, services, query } = input
    return direct(async (exchange) => {
      const start = await startOf(input, exchange.request.headers['last-event-id'])
      return services.streams.open(caller, (stream) => follow(stream, input, query, start)).send(exchange)
    })
  },
})

export const requestLogEndpoints: Endpoint[] = [listRequests, streamRequests]
