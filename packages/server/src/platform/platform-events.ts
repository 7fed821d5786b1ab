// `/events` of the platform: the event log of all organizations in one order, to browse, to follow without missing one,
// and as a stream. Nothing leads to the events of one kind across organizations, so a page looks at so many and no
// more.
import { anyEvent, limits, platformEventFilterParameters, platformEventParameters, sampleEvent } from '@parley/contract'
import { type Endpoint, endpoint, type QueryOf, type ReadInput } from '../http/endpoint.js'
import { requirePosition } from '../resources/events/event-filters.js'
import { eventStream } from '../resources/events/event-stream.js'
import { pageSchema, textPage } from '../resources/generic/list.js'
import { notFound } from '../store/api-error.js'
import {
  ALL_TENANTS,
  type EventFilter,
  eventsAfter,
  eventsBefore,
  findEvent,
  fitsFilter,
  type LoggedEvent,
  type Position,
  positionOf,
} from '../store/event-log.js'
import { eventOfUuid, isEventId, uuidOfEvent } from '../store/id.js'

const common = { scope: 'any', platformScope: 'events', tag: 'Events' } as const
const sampled = sampleEvent('note.added')

export const platformEventEndpoints: Endpoint[] = [
  endpoint({
    ...common,
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    summary: 'List the events of all organizations',
    description:
      'Newest first. With `after`: past that event, oldest first, and no committed event is ever skipped. Each event ' +
      'says its `organizationId` and `environment`. With filters a page may hold fewer events than `limit`, or none, ' +
      'and still have a `nextCursor`: go on until it is null.',
    query: platformEventParameters,
    returns: { status: 200, schema: pageSchema(anyEvent) },
    handle: listEvents,
  }),
  endpoint({
    ...common,
    method: 'GET',
    path: '/events/stream',
    operationId: 'streamEvents',
    summary: 'Follow the events of all organizations as they happen',
    description:
      'Server-sent events: `id` is the event id, `event` the type, `data` the body as delivered. Send the last id ' +
      'as `Last-Event-ID` to go on from there, or `0` to begin with the oldest event that is kept.',
    query: platformEventFilterParameters,
    returns: {
      status: 200,
      schema: null,
      mediaTypes: ['text/event-stream'],
      examples: {
        'text/event-stream': `id: ${sampled['eventId']}\nevent: note.added\ndata: ${JSON.stringify(sampled)}\n\n`,
      },
    },
    handle: async (input) => eventStream(input, ALL_TENANTS, filterOf(input.query)),
  }),
  endpoint({
    ...common,
    method: 'GET',
    path: '/events/{eventId}',
    operationId: 'getEvent',
    summary: 'Get one event of any organization',
    plainParams: ['eventId'],
    returns: { status: 200, schema: anyEvent },
    async handle({ read, params: { eventId } }) {
      const body = isEventId(eventId) ? await findEvent(read.database, ALL_TENANTS, eventId) : undefined
      if (body === undefined) throw notFound()
      return { status: 200, body }
    },
  }),
]

type Asked = QueryOf<typeof platformEventFilterParameters>

const filterOf = ({ type, environment, organizationId }: Asked): EventFilter => ({
  types: type,
  environment,
  organizationId: organizationId?.toLowerCase(),
})

/** As many are looked at for one page. */
const LOOKED_MAX = 5_000
const AT_ONCE = 500

async function listEvents(input: ReadInput<Record<string, unknown>, QueryOf<typeof platformEventParameters>>) {
  const { database } = input.read
  const filter = filterOf(input.query)
  const after =
    input.query.after === undefined ? undefined : await requirePosition(input, ALL_TENANTS, input.query.after, 'after')
  const read = (from: Position | undefined, rows: number): Promise<LoggedEvent[]> => {
    const size = { rows, bytes: limits.pageBytes }
    return after && from
      ? eventsAfter(database, ALL_TENANTS, from, {}, size)
      : eventsBefore(database, ALL_TENANTS, from, {}, size)
  }
  const find = async (last: string | undefined, rows: number) => {
    const reached = last === undefined ? after : await positionOf(database, ALL_TENANTS, eventOfUuid(last))
    // What a cursor pointed to is dropped only after everything older than it.
    if (last !== undefined && reached === undefined) return []
    return scanFrom(reached, rows, filter, read)
  }
  return textPage(
    input,
    'events',
    { find, count: async () => 0, idOf: ({ id }) => uuidOfEvent(id) },
    ({ body }) => body,
  )
}

/** The next events that fit, and how far was looked when that was not all. */
async function scanFrom(
  start: Position | undefined,
  wanted: number,
  filter: EventFilter,
  read: (from: Position | undefined, rows: number) => Promise<LoggedEvent[]>,
): Promise<{ rows: LoggedEvent[]; readTo: string | undefined }> {
  const isNarrow = filter.types !== undefined || filter.environment !== undefined || filter.organizationId !== undefined
  const found: LoggedEvent[] = []
  let reached = start
  for (let looked = 0; looked < LOOKED_MAX; ) {
    const size = isNarrow ? AT_ONCE : wanted
    const page = await read(reached, size)
    const whole = page.filter(({ body }) => body !== '')
    found.push(...whole.filter((event) => fitsFilter(filter, event)))
    reached = whole.at(-1) ?? reached
    looked += whole.length
    const isLast = page.length < size && whole.length === page.length
    if (found.length >= wanted) return { rows: found.slice(0, wanted), readTo: undefined }
    if (isLast || whole.length === 0) return { rows: found, readTo: undefined }
  }
  return { rows: found, readTo: reached && uuidOfEvent(reached.id) }
}
