// The event log: what happened, as it was or would have been delivered, and as it happens.
import type { EventType, ParleyEvent } from '../events.js'
import { type Listing, listing } from '../page.js'
import type { Other } from '../records.js'
import { fromOldest, type StreamOptions, streamMessages } from '../stream.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

export interface EventQuery {
  type?: EventType | Other | readonly (EventType | Other)[] | undefined
  since?: string | Date | undefined
  until?: string | Date | undefined
  /** Events about this record. */
  subjectId?: string | undefined
  /** Words of the type, the event id, or of the record it is about. */
  q?: string | undefined
  /** Events after this one, oldest first; without it the newest come first. */
  after?: string | undefined
  /** By time instead of the order of the feed; does not go with `after`. */
  sort?: 'occurredAt' | '-occurredAt' | undefined
  occurredAtFrom?: string | Date | undefined
  occurredAtBefore?: string | Date | undefined
  limit?: number | undefined
  cursor?: string | undefined
  count?: boolean | undefined
}

export interface EventStreamOptions extends StreamOptions {
  readonly type?: EventQuery['type']
  readonly subjectId?: string | undefined
}

export const events = (send: Send) => {
  const list = (query: EventQuery = {}, options?: RequestOptions): Listing<ParleyEvent> => listing(send, '/events', query, options)
  const newest = async (signal?: AbortSignal) => (await list({ limit: 1 }, { signal })).data[0]?.eventId

  return {
    list,
    get: (eventId: string, options?: RequestOptions): Promise<ParleyEvent> => ask(send, { method: 'GET', path: path`/events/${eventId}`, options }),
    /**
     * Events as they happen, each once, across breaks of the connection. With `lastEventId` it begins after that event and misses none; an empty one begins
     * with the oldest event that is kept. One that the service does not keep is a BadRequestError; after a break that was longer than events are kept, the
     * stream goes on with the oldest that is left.
     */
    async *stream({ type, subjectId, ...options }: EventStreamOptions = {}): AsyncGenerator<ParleyEvent, void, undefined> {
      const filter = { type, subjectId }
      // Without a position the first break would lose something, so the stream takes the newest event for one, or a log without any from its beginning.
      const lastEventId = (options.lastEventId ?? (await newest(options.signal))) || fromOldest
      for await (const { data } of streamMessages(send, '/events/stream', filter, { ...options, lastEventId })) yield JSON.parse(data) as ParleyEvent
    },
  }
}
