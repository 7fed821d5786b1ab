// The event log: what happened, as it was delivered. Newest first to browse, or past a known event to follow without missing one.
import { eventTypes, freeForm, instant, line, uuid } from '@parley/contract'
import { type Endpoint, endpoint, type Input, type QueryParameter } from '../http/endpoint.js'
import { badRequest, notFound } from '../store/api-error.js'
import { type EventFilter, eventsAfter, eventsBefore, findEvent, type LoggedEvent, type Position, positionOf } from '../store/event-log.js'
import { eventOfUuid, isEventId, uuidOfEvent } from '../store/id.js'
import { eventStreamEndpoint } from './event-stream.js'
import { pageParameters, pageSchema, textPage } from './list.js'

export const eventFilterParameters: Readonly<Record<string, QueryParameter>> = {
  type: { schema: line(2_000), description: 'Only events of this type, or of these, separated by commas' },
  subjectId: { schema: uuid(), description: 'Only events about this record' },
}

export function eventFilter(query: Input['query']): EventFilter {
  const types = (query['type'] as string | undefined)?.split(',').map((type) => type.trim())
  const unknown = types?.find((type) => !(eventTypes as readonly string[]).includes(type))
  if (unknown !== undefined) throw badRequest('type', `must be one of: ${eventTypes.join(', ')}`, 'enum')
  return { types, subjectId: query['subjectId'] as string | undefined, since: query['since'] as string | undefined, until: query['until'] as string | undefined }
}

/** Where to go on from. An event that is unknown or was dropped leaves no way to tell what has been missed, so it is refused. */
export async function requirePosition({ read, caller }: Pick<Input, 'read' | 'caller'>, eventId: string, path: string): Promise<Position> {
  const position = isEventId(eventId) ? await positionOf(read.database, caller.tenantId, eventId) : undefined
  if (position === undefined) throw badRequest(path, 'names an event that is unknown or no longer kept; start again without it', 'unknown_event')
  return position
}

const listEvents: Endpoint = endpoint({
  method: 'GET',
  path: '/events',
  scope: 'READ',
  operationId: 'listEvents',
  summary: 'List events',
  description: 'Newest first. With `after`: past that event, oldest first, and no committed event is ever skipped.',
  tag: 'Events',
  query: {
    ...pageParameters,
    ...eventFilterParameters,
    since: { schema: instant(), description: 'Only events at or after this time' },
    until: { schema: instant(), description: 'Only events before this time' },
    after: { schema: line(64), description: 'The last event that you have seen' },
  },
  returns: { status: 200, schema: pageSchema(freeForm()) },
  async handle(input) {
    const { query, read, caller } = input
    const filter = eventFilter(query)
    const after = query['after'] === undefined ? undefined : await requirePosition(input, String(query['after']), 'after')
    const find = async (last: string | undefined, rows: number): Promise<LoggedEvent[]> => {
      const reached = last && (await positionOf(read.database, caller.tenantId, eventOfUuid(last)))
      if (after) return eventsAfter(read.database, caller.tenantId, reached ?? after, filter, rows)
      // What a cursor pointed to is dropped only after everything older than it.
      if (last && reached === undefined) return []
      return eventsBefore(read.database, caller.tenantId, reached || undefined, filter, rows)
    }
    return textPage(
      input,
      'events',
      find,
      ({ id }) => uuidOfEvent(id),
      ({ body }) => body,
    )
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
  returns: { status: 200, schema: freeForm() },
  async handle({ read, caller, params }) {
    const id = params['eventId'] ?? ''
    const body = isEventId(id) ? await findEvent(read.database, caller.tenantId, id) : undefined
    if (body === undefined) throw notFound()
    return { status: 200, body }
  },
})

export const eventEndpoints: Endpoint[] = [listEvents, eventStreamEndpoint, readEvent]
