// The log of requests: what came in with the keys and members of this environment, and how it was answered.
import type { RequestLogEntry, RequestLogFilter, RequestLogQuery } from '../generated/shapes.js'
import { type Listing, listing } from '../page.js'
import { type StreamOptions, streamMessages } from '../stream.js'
import type { RequestOptions, Send } from '../transport.js'

export type RequestLogStreamOptions = StreamOptions & RequestLogFilter

export interface RequestLog {
  /** Newest first. */
  list(query?: RequestLogQuery, options?: RequestOptions): Listing<RequestLogEntry>
  /** Requests as they end, until the caller stops; it comes back by itself after a break. */
  stream(options?: RequestLogStreamOptions): AsyncGenerator<RequestLogEntry, void, undefined>
}

export const requestLog = (send: Send): RequestLog => ({
  list: (query = {}, options) => listing(send, '/request-log', query, options),
  async *stream({ failed, ...options } = {}) {
    for await (const { data } of streamMessages(send, '/request-log/stream', { failed }, options))
      yield JSON.parse(data) as RequestLogEntry
  },
})
