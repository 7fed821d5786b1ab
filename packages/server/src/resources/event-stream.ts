// `GET /events/stream`: the event log as server-sent events. All streams of a tenant on this node share one look at the log; a stream that comes
// back with the last event it has seen first reads by itself what it missed.
import type { Database } from '../database/pool.js'
import { direct } from '../http/direct.js'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.js'
import { frameOf, type Stream } from '../http/sse.js'
import { currentHorizon, type EventFilter, eventsAfter, fitsFilter, isPast, type LoggedEvent, type Position } from '../store/event-log.js'
import { eventFilter, eventFilterParameters, requirePosition } from './event-query.js'
import { type Polling, polling } from './polling.js'

type Follower = (events: readonly LoggedEvent[]) => void

/** Whose events are followed, and who hears of trouble with that. */
interface Source {
  readonly database: Database
  readonly tenantId: string
  readonly onTrouble: (error: Error) => void
}

interface Feed {
  readonly followers: Set<Follower>
  /** Where the feed began; settled before anyone follows it. */
  readonly begun: Promise<Position>
  readonly looking: Polling
}

const LOOK_MS = 200
const PAGE_ROWS = 500
/** Sent as `Last-Event-ID` where no event has been seen yet; no event has this id. */
const FROM_OLDEST = '0'
const oldest: Position = { xact: 0, id: '' }
/** More than this waiting for a stream that is still catching up: it had better come again. */
const WAITING_MAX = 10_000

const feeds = new WeakMap<Database, Map<string, Feed>>()

/** The feed of a tenant on this node, which lasts as long as anyone follows it. */
function feedOf({ database, tenantId, onTrouble }: Source): Feed {
  const ofDatabase = feeds.get(database) ?? new Map<string, Feed>()
  feeds.set(database, ofDatabase)
  const known = ofDatabase.get(tenantId)
  if (known) return known
  const followers = new Set<Follower>()
  const begun = currentHorizon(database)
  let reached: Position | undefined
  const looking = polling(
    LOOK_MS,
    async () => {
      reached ??= await begun
      let events: LoggedEvent[]
      do {
        events = await eventsAfter(database, tenantId, reached, {}, PAGE_ROWS)
        reached = events.at(-1) ?? reached
        if (events.length > 0) for (const follower of followers) follower(events)
      } while (events.length === PAGE_ROWS)
    },
    onTrouble,
  )
  const feed = { followers, begun, looking }
  ofDatabase.set(tenantId, feed)
  return feed
}

async function join(source: Source, follower: Follower): Promise<() => void> {
  const feed = feedOf(source)
  feed.followers.add(follower)
  const leave = () => {
    feed.followers.delete(follower)
    if (feed.followers.size > 0) return
    feed.looking.stop()
    feeds.get(source.database)?.delete(source.tenantId)
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
 * Sends what lies past a position, then what happens. The feed is joined first and what it brings is kept back; whatever the feed had passed before that
 * lies below the horizon of the reads that follow, so that nothing falls between the two.
 */
async function follow(stream: Stream, source: Source, start: Position | undefined, filter: EventFilter): Promise<void> {
  const { database, tenantId } = source
  let waiting: LoggedEvent[] | undefined = []
  let reached = start ?? (await currentHorizon(database))
  const send = (events: readonly LoggedEvent[]) => {
    for (const event of events) if (isPast(event, reached) && fitsFilter(filter, event)) stream.send(frame(event))
  }
  const leave = await join(source, (events) => {
    if (waiting === undefined) send(events)
    else if (waiting.length + events.length > WAITING_MAX) stream.close()
    else waiting.push(...events)
  })
  void stream.closed.then(leave)
  let page: LoggedEvent[]
  do {
    page = await eventsAfter(database, tenantId, reached, filter, PAGE_ROWS)
    send(page)
    reached = page.at(-1) ?? reached
    await stream.drained()
  } while (page.length === PAGE_ROWS && stream.isOpen)
  send(waiting)
  waiting = undefined
}

/** Where a stream begins, by its `Last-Event-ID`; undefined is now. */
async function startOf(input: Pick<Input, 'read' | 'caller'>, lastSeen: string | string[] | undefined): Promise<Position | undefined> {
  if (typeof lastSeen !== 'string' || lastSeen === '') return undefined
  return lastSeen === FROM_OLDEST ? oldest : requirePosition(input, lastSeen, 'Last-Event-ID')
}

export const eventStreamEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/events/stream',
  scope: 'READ',
  operationId: 'streamEvents',
  summary: 'Follow events as they happen',
  description:
    'Server-sent events: `id` is the event id, `event` the type, `data` the body as delivered. Send the last id as `Last-Event-ID` to go on from there, or `0` to begin with the oldest event that is kept.',
  tag: 'Events',
  query: eventFilterParameters,
  returns: { status: 200, schema: null, mediaTypes: ['text/event-stream'] },
  async handle(input) {
    const { read, caller, query, services } = input
    const filter = eventFilter(query)
    return direct(async (exchange) => {
      const start = await startOf(input, exchange.request.headers['last-event-id'])
      const onTrouble = (error: Error) => exchange.request.log.warn({ err: error }, 'the event log could not be read; it is tried again')
      const source = { database: read.database, tenantId: caller.tenantId, onTrouble }
      return services.streams.open(caller.tenantId, (stream) => follow(stream, source, start, filter)).send(exchange)
    })
  },
})
