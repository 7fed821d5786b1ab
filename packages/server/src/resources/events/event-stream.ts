// `GET /events/stream`: the event log as server-sent events. All streams of a tenant on this node share one look at the
// log; a stream that comes back with the last event it has seen first reads by itself what it missed.
import { eventFilterParameters, sampleEvent } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { direct, type RawResponse } from '../../http/raw-response.js'
import { frameOf, STREAM_PAGE_BYTES, type Stream } from '../../http/sse.js'
import {
  ALL_TENANTS,
  currentHorizon,
  type EventFilter,
  eventsAfter,
  fitsFilter,
  isPast,
  type LoggedEvent,
  type Position,
  type Tenants,
} from '../../store/event-log.js'
import { eventFilter, requirePosition } from './event-filters.js'
import { type Polling, polling } from './poller.js'

type Follower = (events: readonly LoggedEvent[]) => void

/** Whose events are followed, and who hears of trouble with that. */
interface Source {
  readonly database: Database
  readonly tenants: Tenants
  readonly onTrouble: (error: Error) => void
}

interface Feed {
  readonly followers: Set<Follower>
  /** Where the feed began; settled before anyone follows it. */
  readonly begun: Promise<Position>
  readonly looking: Polling
}

const LOOK_MS = 200
const pageSize = { rows: 500, bytes: STREAM_PAGE_BYTES }
/** Sent as `Last-Event-ID` where no event has been seen yet; no event has this id. */
const FROM_OLDEST = '0'
const oldest: Position = { xact: 0, id: '' }

const feeds = new WeakMap<Database, Map<Tenants, Feed>>()

/** The feed of a tenant on this node, which lasts as long as anyone follows it. */
function feedOf(source: Source): Feed {
  const { database, tenants, onTrouble } = source
  const ofDatabase = feeds.get(database) ?? new Map<Tenants, Feed>()
  feeds.set(database, ofDatabase)
  const known = ofDatabase.get(tenants)
  if (known) return known
  const followers = new Set<Follower>()
  const begun = currentHorizon(database)
  let reached: Position | undefined
  const looking = polling(
    LOOK_MS,
    async () => {
      reached ??= await begun
      for (let isLast = false; !isLast && followers.size > 0; ) {
        const page = await readPage(source, reached, {})
        isLast = page.isLast
        reached = page.events.at(-1) ?? reached
        if (page.events.length > 0) for (const follower of followers) follower(page.events)
      }
    },
    onTrouble,
  )
  const feed = { followers, begun, looking }
  ofDatabase.set(tenants, feed)
  return feed
}

/** The next events past a position, as many as a stream sends before it waits. */
async function readPage(
  { database, tenants }: Source,
  after: Position,
  filter: EventFilter,
): Promise<{ events: LoggedEvent[]; isLast: boolean }> {
  // Of all tenants nothing leads to what is asked for, so a page is what comes next, and the reader takes what fits.
  const read = await eventsAfter(database, tenants, after, tenants === ALL_TENANTS ? {} : filter, pageSize)
  const events = read.filter(({ body }) => body !== '')
  return { events, isLast: events.length < pageSize.rows && events.length === read.length }
}

async function join(source: Source, follower: Follower): Promise<() => void> {
  const feed = feedOf(source)
  feed.followers.add(follower)
  const leave = () => {
    feed.followers.delete(follower)
    if (feed.followers.size > 0) return
    feed.looking.stop()
    feeds.get(source.database)?.delete(source.tenants)
  }
  await feed.begun.catch((error: unknown) => {
    leave()
    throw error
  })
  feed.looking.start()
  return leave
}

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
async function follow(stream: Stream, source: Source, start: Position | undefined, filter: EventFilter): Promise<void> {
  let reached = start ?? (await currentHorizon(source.database))
  let isLive = false
  let isMoreThere = true
  let wake = () => {}
  const leave = await join(source, (events) => {
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

/** Where a stream begins, by its `Last-Event-ID`; undefined is now. */
async function startOf(
  input: Pick<ReadInput, 'read'>,
  tenants: Tenants,
  lastSeen: string | string[] | undefined,
): Promise<Position | undefined> {
  if (typeof lastSeen !== 'string' || lastSeen === '') return undefined
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
