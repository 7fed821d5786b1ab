// What comes to light in the event log, for all on this node who follow it: one look finds which of the followed
// tenants have something new, however many are followed, and the log is read for those alone.
import type { Database } from '../../database/pool.js'
import { STREAM_PAGE_BYTES } from '../../http/sse.js'
import { type Polling, polling } from '../../queue/poller.js'
import {
  ALL_TENANTS,
  currentHorizon,
  type EventFilter,
  eventsAfter,
  type LoggedEvent,
  type Position,
  type Tenants,
} from '../../store/event-log.js'
import { tenantsWithNews } from '../../store/event-news.js'

export type Follower = (events: readonly LoggedEvent[]) => void

/** Whose events are followed, and who hears of trouble with that. */
export interface Source {
  readonly database: Database
  readonly tenants: Tenants
  readonly onTrouble: (error: Error) => void
}

interface Feed {
  readonly source: Source
  readonly followers: Set<Follower>
  /** Where the feed began; settled before anyone follows it. */
  readonly begun: Promise<void>
  reached: Position | undefined
  /**
   * There may be events past `reached` that no look will find: the feed is newer than the look, or was not read to its
   * end.
   */
  mayHaveMore: boolean
}

interface Feeds {
  readonly byTenant: Map<Tenants, Feed>
  readonly looking: Polling
}

const LOOK_MS = 200
/** So many feeds are read at once: requests find connections free. */
const READ_AT_ONCE = 4
const pageSize = { rows: 500, bytes: STREAM_PAGE_BYTES }

const feedsOfDatabases = new WeakMap<Database, Feeds>()

/** Hears of everything past the moment at which this settles. Ends by calling what it settles with. */
export async function followEvents(source: Source, follower: Follower): Promise<() => void> {
  const { byTenant, looking } = feedsOf(source)
  const feed = byTenant.get(source.tenants) ?? beginFeed(source)
  byTenant.set(source.tenants, feed)
  feed.followers.add(follower)
  const leave = () => {
    feed.followers.delete(follower)
    if (feed.followers.size > 0 || byTenant.get(source.tenants) !== feed) return
    byTenant.delete(source.tenants)
    if (byTenant.size === 0) void looking.stop()
  }
  await feed.begun.catch((error: unknown) => {
    leave()
    throw error
  })
  if (byTenant.size > 0) looking.start()
  return leave
}

function beginFeed(source: Source): Feed {
  const begun = currentHorizon(source.database).then((horizon) => {
    feed.reached = horizon
  })
  const feed: Feed = { source, followers: new Set(), begun, reached: undefined, mayHaveMore: true }
  return feed
}

function feedsOf({ database }: Source): Feeds {
  const known = feedsOfDatabases.get(database)
  if (known) return known
  const byTenant = new Map<Tenants, Feed>()
  const look = createLook(database, byTenant)
  const onTrouble = (error: Error) => [...byTenant.values()][0]?.source.onTrouble(error)
  const made = { byTenant, looking: polling(LOOK_MS, look, onTrouble) }
  feedsOfDatabases.set(database, made)
  return made
}

/**
 * A feed is read after the look that found something for it, so whatever the read does not show is past the horizon of
 * that look, and the next one, which begins there, finds it. A feed that a look did not know of is read in any case.
 */
function createLook(database: Database, byTenant: ReadonlyMap<Tenants, Feed>): () => Promise<void> {
  let lookedTo: Awaited<ReturnType<typeof tenantsWithNews>> | undefined
  return async () => {
    do {
      const feeds = [...byTenant.values()].filter(({ reached }) => reached !== undefined)
      const found = await tenantsWithNews(database, lookedTo, [...byTenant.keys()])
      for (const feed of feeds) feed.mayHaveMore ||= found.isNews(feed.source.tenants)
      lookedTo = found
      await readAll(feeds.filter(({ mayHaveMore }) => mayHaveMore))
    } while ([...byTenant.values()].some((feed) => feed.reached !== undefined && feed.mayHaveMore))
  }
}

async function readAll(feeds: readonly Feed[]): Promise<void> {
  const waiting = [...feeds]
  const troubles: unknown[] = []
  const readOn = async () => {
    for (let feed = waiting.pop(); feed; feed = waiting.pop())
      await readFeed(feed).catch((error: unknown) => troubles.push(error))
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readOn))
  if (troubles.length > 0) throw troubles[0]
}

/** One page, so that nobody's flood makes the others wait. */
async function readFeed(feed: Feed): Promise<void> {
  if (feed.reached === undefined || feed.followers.size === 0) return
  const { events, isLast } = await readPage(feed.source, feed.reached, {})
  feed.reached = events.at(-1) ?? feed.reached
  feed.mayHaveMore = !isLast
  if (events.length > 0) for (const follower of feed.followers) follower(events)
}

/** The next events past a position, as many as a stream sends before it waits. */
export async function readPage(
  { database, tenants }: Source,
  after: Position,
  filter: EventFilter,
): Promise<{ events: LoggedEvent[]; isLast: boolean }> {
  // Of all tenants nothing leads to what is asked for, so a page is what comes next, and the reader takes what fits.
  const read = await eventsAfter(database, tenants, after, tenants === ALL_TENANTS ? {} : filter, pageSize)
  const events = read.filter(({ body }) => body !== '')
  return { events, isLast: events.length < pageSize.rows && events.length === read.length }
}
