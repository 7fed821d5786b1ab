// The event log: what happened, as it was delivered. Newest first to browse, or past a known event to follow without
// missing one.
import { anyEvent, eventParameters, limits } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { badRequest, notFound } from '../../store/api-error.js'
import {
  countEvents,
  eventsAfter,
  eventsBefore,
  eventsByTime,
  findEvent,
  type LoggedEvent,
  positionOf,
} from '../../store/event-log.js'
import { eventOfUuid, isEventId, uuidOfEvent } from '../../store/id.js'
import { orderOf, pageSchema, textPage } from '../generic/list.js'
import { eventFilter, requirePosition } from './event-filters.js'
import { eventStreamEndpoint } from './event-stream.js'
import { newestByTime } from './newest-events.js'

const listEvents: Endpoint = endpoint({
  method: 'GET',
  path: '/events',
  scope: 'READ',
  operationId: 'listEvents',
  summary: 'List events',
  description:
    'Newest first. With `after`: past that event, oldest first, and no committed event is ever skipped. `sort` ' +
    'orders by time instead, and does not go with `after`.',
  tag: 'Events',
  query: eventParameters,
  returns: { status: 200, schema: pageSchema(anyEvent) },
  async handle(input) {
    const { query, read, caller } = input
    const filter = eventFilter(input)
    const order = orderOf(query)
    if (order && query['after'] !== undefined)
      throw badRequest('sort', 'does not go with after, which has an order of its own', 'query')
    const after =
      query['after'] === undefined
        ? undefined
        : await requirePosition(input, caller.tenantId, String(query['after']), 'after')
    const find = async (last: string | undefined, rows: number): Promise<readonly LoggedEvent[]> => {
      const size = { rows, bytes: limits.pageBytes }
      const lastId = last && eventOfUuid(last)
      if (order?.isDescending)
        return newestByTime(read.database, caller.tenantId, { below: lastId, now: input.now }, filter, size)
      if (order) return eventsByTime(read.database, caller.tenantId, { after: lastId }, filter, false, size)
      const reached =
        last === undefined ? undefined : await positionOf(read.database, caller.tenantId, eventOfUuid(last))
      if (after) return eventsAfter(read.database, caller.tenantId, reached ?? after, filter, size)
      // What a cursor pointed to is dropped only after everything older than it.
      if (last !== undefined && reached === undefined) return []
      return eventsBefore(read.database, caller.tenantId, reached, filter, size)
    }
    const count = () => countEvents(read.database, caller.tenantId, after, filter)
    return textPage(input, 'events', { find, count, idOf: ({ id }) => uuidOfEvent(id) }, ({ body }) => body)
  },
})

const readEvent: Endpoint = endpoint({
  method: 'GET',
  path: '/events/{eventId}',
  scope: 'READ',
  operationId: 'getEvent',
  summary: 'Get one event',
  tag: 'Events',
  plainParams: ['eventId'],
  returns: { status: 200, schema: anyEvent },
  async handle({ read, caller, params }) {
    const id = params['eventId'] ?? ''
    const body = isEventId(id) ? await findEvent(read.database, caller.tenantId, id) : undefined
    if (body === undefined) throw notFound()
    return { status: 200, body }
  },
})

export const eventEndpoints: Endpoint[] = [listEvents, eventStreamEndpoint, readEvent]
