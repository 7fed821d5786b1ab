// `GET /events/stream`: the event log as server-sent events. All streams of this node share one look at the log
// (`event-feeds.ts`); a stream that comes back with the last event it has seen first reads by itself what it missed.
import { eventFilterParameters, sampleEvent } from '@parley/contract'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { direct, type RawResponse } from '../../http/raw-response.js'
import { frameOf, type Stream } from '../../http/sse.js'
import {
  currentHorizon,
  type EventFilter,
  fitsFilter,
  isPast,
  type LoggedEvent,
  type Position,
  type Tenants,
} from '../../store/event-log.js'
import { followEvents, readPage, type Source } from './event-feeds.js'
import { eventFilter, requirePosition } from './event-filters.js'

/** Sent as `Last-Event-ID` where no event has been seen yet; no event has this id. */
const FROM_OLDEST = '0'
const oldest: Position = { xact: 0, id: '' }

const frames = new WeakMap<LoggedEvent, Buffer>()

/** The bytes of an event, made once for all streams that get it. */
function frame(event: LoggedEvent): Buffer {
  const known = frames.get(event)
  if (known) return known
  const made = frameOf(event.type, event.body, event.id)
  frames.set(event, made)
  return made
}

/**
 * Sends what lies past a position, then what happens. A stream that is behind reads the log by itself, as fast as its
 * reader takes it, and hears of the feed only that there is more; once it has read all, it gets what the feed brings,
 * until its reader falls behind again. Whatever the feed brought before the last read began is below the horizon of
 * that read, and whatever it brings later makes the stream read once more, so that nothing falls between the two.
 */
async function follow(stream: Stream, source: Source, start: Position, filter: EventFilter): Promise<void> {
  let reached = start
  let isLive = false
  let isMoreThere = true
  let wake = () => {}
  const leave = await followEvents(source, (events) => {
    if (isLive && !stream.isBehind) {
      for (const event of events) if (isPast(event, reached) && fitsFilter(filter, event)) stream.send(frame(event))
      const last = events.at(-1)
      if (last && isPast(last, reached)) reached = last
    } else {
      isLive = false
      isMoreThere = true
      wake()
    }
  })
  void stream.closed.then(leave).then(() => wake())
  while (stream.isOpen) {
    await stream.drained()
    while (isMoreThere && stream.isOpen) {
      isMoreThere = false
      const { events, isLast } = await readPage(source, reached, filter)
      await sendAll(
        stream,
        events.filter((event) => fitsFilter(filter, event)),
      )
      reached = events.at(-1) ?? reached
      isMoreThere ||= !isLast
    }
    isLive = true
    if (stream.isOpen) await new Promise<void>((resolve) => (wake = resolve))
  }
}

async function sendAll(stream: Stream, events: readonly LoggedEvent[]): Promise<void> {
  for (const event of events) {
    stream.send(frame(event))
    await stream.drained()
  }
}

/**
 * Where a stream begins, by its `Last-Event-ID`. Found before the first byte is sent, so that whoever has an open
 * stream hears of everything that happens from then on.
 */
async function startOf(
  input: Pick<ReadInput, 'read'>,
  tenants: Tenants,
  lastSeen: string | string[] | undefined,
): Promise<Position> {
  if (typeof lastSeen !== 'string' || lastSeen === '') return currentHorizon(input.read.database)
  return lastSeen === FROM_OLDEST ? oldest : requirePosition(input, tenants, lastSeen, 'Last-Event-ID')
}

/** The events of a tenant, or of all, as a response that stays open. */
export const eventStream = (
  input: Pick<ReadInput, 'read' | 'caller' | 'services'>,
  tenants: Tenants,
  filter: EventFilter,
): RawResponse =>
  direct(async (exchange) => {
    const start = await startOf(input, tenants, exchange.request.headers['last-event-id'])
    const onTrouble = (error: Error) =>
      exchange.request.log.warn({ err: error }, 'the event log could not be read; it is tried again')
    const source: Source = { database: input.read.database, tenants, onTrouble }
    const { caller, services } = input
    return services.streams.open(caller, (stream) => follow(stream, source, start, filter)).send(exchange)
  })

const sampled = sampleEvent('note.added')

export const eventStreamEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/events/stream',
  scope: 'READ',
  operationId: 'streamEvents',
  summary: 'Follow events as they happen',
  description:
    'Server-sent events: `id` is the event id, `event` the type, `data` the body as delivered. Send the last id ' +
    'as `Last-Event-ID` to go on from there, or `0` to begin with the oldest event that is kept.',
  tag: 'Events',
  query: eventFilterParameters,
  returns: {
    status: 200,
    schema: null,
    mediaTypes: ['text/event-stream'],
    examples: {
      'text/event-stream': `id: ${sampled['eventId']}\nevent: note.added\ndata: ${JSON.stringify(sampled)}\n\n`,
    },
  },
  handle: async (input) => eventStream(input, input.caller.tenantId, eventFilter(input)),
})
