// Everybody who follows all organizations at once: one who pages on, one who lags, a stream that comes back whenever it
// ends, and a webhook. What each has seen is compared with what is there afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventSource, openEvents } from '../event-source.js'
import { clientOf } from '../service.js'
import { ok, subscriber } from '../webhooks/sending.js'
import { PLATFORM } from './platform-client.js'

interface Seen {
  readonly eventId: string
  readonly organizationId: string
}

export interface PlatformFollowers {
  /** What each has seen of an organization, as ids of events in their order. */
  of(organizationId: string): Readonly<Record<'paged' | 'lagging' | 'streamed' | 'hooked', readonly string[]>>
  /** Answers other than 200 and 503, of which there must be none. */
  readonly refused: readonly string[]
  /** Settles when all have seen so many events of the organization, or have had the time to. */
  stop(organizationId: string, events: number): Promise<void>
}

/** The one who lags has many pages to read, on a machine that may be busy. */
const PATIENCE_MS = 120_000

/** From an event on; each asks one node after the other. */
export async function startPlatformFollowers(
  urls: readonly string[],
  key: string,
  firstEvent: string,
): Promise<PlatformFollowers> {
  const clients = urls.map((url) => clientOf(url, key, PLATFORM))
  const hook = await subscriber(ok)
  const made = await clients[0]?.post('/webhooks', { url: hook.url })
  if (made?.status !== 201) throw new Error(`No webhook: ${made?.text}`)
  const seen = { paged: [] as Seen[], lagging: [] as Seen[], streamed: [] as Seen[] }
  const refused: string[] = []
  let isReading = true
  let isLagging = true
  const page = async (into: Seen[], limit: number, pauseMs: () => number) => {
    let last = firstEvent
    for (let turn = 0; isReading; turn++, await sleep(pauseMs())) {
      const answer = await clients[turn % clients.length]?.get(`/events?after=${last}&limit=${limit}`)
      if (answer?.status === 200) {
        into.push(...answer.body.data)
        last = into.at(-1)?.eventId ?? last
      } else if (answer?.status !== 503) refused.push(`${answer?.status} ${answer?.text}`)
    }
  }
  const stream = async () => {
    for (let turn = 0; isReading; turn++) {
      const lastId = seen.streamed.at(-1)?.eventId ?? firstEvent
      const url = `${urls[turn % urls.length]}${PLATFORM}/events/stream`
      const source = await openEvents(url, key, { 'last-event-id': lastId })
      // It changes nodes now and then, as it does when one is stopped.
      await takeAll(source, seen.streamed, () => isReading)
      source.close()
    }
  }
  const readers = [page(seen.paged, 20, () => 150), page(seen.lagging, 3, () => (isLagging ? 500 : 5)), stream()]
  const idsOf = (all: readonly Seen[], organizationId: string) =>
    all.filter((one) => one.organizationId === organizationId).map(({ eventId }) => eventId)
  const of = (organizationId: string) => ({
    paged: idsOf(seen.paged, organizationId),
    lagging: idsOf(seen.lagging, organizationId),
    streamed: idsOf(seen.streamed, organizationId),
    hooked: idsOf(
      hook.received.map(({ body }): Seen => JSON.parse(body.toString())),
      organizationId,
    ),
  })
  return {
    of,
    refused,
    async stop(organizationId, events) {
      isLagging = false
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50))
        if (Object.values(of(organizationId)).every((ids) => new Set(ids).size >= events)) break
      isReading = false
      await Promise.all(readers)
    },
  }
}

const STREAM_MS = 3_000

async function takeAll(source: EventSource, into: Seen[], isReading: () => boolean): Promise<void> {
  let isOver = false
  void source.ended.then(() => (isOver = true))
  for (let at = 0, until = Date.now() + STREAM_MS; isReading() && Date.now() < until && !isOver; await sleep(25))
    for (; at < source.frames.length; at++) into.push(source.frames[at]?.data)
}
