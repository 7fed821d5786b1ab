// The event log: what happened, as it was or would have been delivered, and as it happens.
import type { EventType, ParleyEvent } from '../events.js'
import { type Listing, listing } from '../page.js'
import type { Other } from '../records.js'
import { pause } from '../retry.js'
import { type StreamOptions, streamMessages } from '../stream.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

export interface EventQuery {
  type?: EventType | Other | readonly (EventType | Other)[] | undefined
  since?: string | Date | undefined
  until?: string | Date | undefined
  /** Events about this record. */
  subjectId?: string | undefined
  /** Events after this one, oldest first; without it the newest come first. */
  after?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export interface EventStreamOptions extends StreamOptions {
  readonly type?: EventQuery['type']
  readonly subjectId?: string | undefined
}

/** How often a log without any event is looked at. */
const emptyLogMs = 1_000

export const events = (send: Send) => {
  const list = (query: EventQuery = {}, options?: RequestOptions): Listing<ParleyEvent> => listing(send, '/events', query, options)
  const newest = async (signal?: AbortSignal) => (await list({ limit: 1 }, { signal })).data[0]?.eventId

  /** The oldest event of the log, as soon as there is one. Of a log that was empty it is the first new one: there was nothing else to go on from. */
  async function* firstOf(filter: EventQuery, signal?: AbortSignal): AsyncGenerator<ParleyEvent, string | undefined, undefined> {
    for (;;) {
      if (signal?.aborted) return undefined
      const oldest = (await list({ limit: 100 }, { signal }).toArray()).at(-1)
      if (oldest) {
        const isWanted = (await list({ ...filter, limit: 100 }, { signal }).toArray()).some(({ eventId }) => eventId === oldest.eventId)
        if (isWanted) yield oldest
        return oldest.eventId
      }
      await pause(emptyLogMs, signal).catch(() => undefined)
    }
  }

  return {
    list,
    get: (eventId: string, options?: RequestOptions): Promise<ParleyEvent> => ask(send, { method: 'GET', path: path`/events/${eventId}`, options }),
    /**
     * Events as they happen, each once, across breaks of the connection. With `lastEventId` it begins after that event and misses none; an empty one begins
     * with the oldest event that is kept.
     */
    async *stream({ type, subjectId, ...options }: EventStreamOptions = {}): AsyncGenerator<ParleyEvent, void, undefined> {
      const filter = { type, subjectId }
      const known = options.lastEventId ?? (await newest(options.signal))
      const lastEventId = known || (yield* firstOf(filter, options.signal))
      for await (const { data } of streamMessages(send, '/events/stream', filter, { ...options, lastEventId })) yield JSON.parse(data) as ParleyEvent
    },
  }
}
