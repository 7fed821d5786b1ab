// The event log: what happened, as it was or would have been delivered, and as it happens.
import type { ApiPromise } from '../api-promise.js'
import type { ParleyEvent } from '../events.js'
import type { EventQuery } from '../generated/shapes.js'
import { fromOldest, type StreamOptions, streamMessages } from '../stream.js'
import type { RequestOptions, Send } from '../transport.js'
import { type Lists, verbs } from './verbs.js'

export interface EventStreamOptions extends StreamOptions {
  readonly type?: EventQuery['type']
  readonly subjectId?: string | undefined
}

export interface Events extends Lists<EventQuery, ParleyEvent> {
  /** One event by its id; NotFoundError where it is not kept. */
  get(eventId: string, options?: RequestOptions): ApiPromise<ParleyEvent>
  /**
   * Events as they happen, each once, across breaks of the connection. With `lastEventId` it begins after that event
   * and misses none; an empty one begins with the oldest event that is kept. One that the service does not keep is a
   * BadRequestError; after a break that was longer than events are kept, the stream goes on with the oldest that is
   * left.
   */
  stream(options?: EventStreamOptions): AsyncGenerator<ParleyEvent, void, undefined>
}

export function events(send: Send): Events {
  const { list, get }: Pick<Events, 'list' | 'get'> = verbs(send, 'events')
  return {
    list,
    get,
    stream: ({ type, subjectId, ...options } = {}) => streamEvents(send, list, { type, subjectId }, options),
  }
}

/** Either event log, as it happens. Who aborts is told nothing more, however early that was. */
export async function* streamEvents(
  send: Send,
  list: (query: { limit: number }, options: RequestOptions) => PromiseLike<{ data: readonly ParleyEvent[] }>,
  filter: object,
  { lastEventId: given, ...options }: StreamOptions,
): AsyncGenerator<ParleyEvent, void, undefined> {
  const { signal } = options
  // Without a position the first break would lose something, so the stream takes the newest event for one, or a log
  // without any from its beginning.
  const newest = async () => (await list({ limit: 1 }, { signal })).data[0]?.eventId
  const onFailure = (error: unknown) => {
    if (!signal?.aborted) throw error
  }
  const lastEventId = (given ?? (await newest().catch(onFailure))) || fromOldest
  for await (const { data } of streamMessages(send, '/events/stream', filter, { ...options, lastEventId }))
    yield JSON.parse(data) as ParleyEvent
}
