// Addresses that calendar programs subscribe to. All of it needs an ADMIN key; reading a calendar by its address needs none.
import { type Listing, listing } from '../page.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

export interface CalendarFeed {
  id: string
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId: string | null
  createdAt: string
}

/** `url` is shown here and never again. */
export interface MadeCalendarFeed extends CalendarFeed {
  url: string
}

export const calendarFeeds = (send: Send) => ({
  list: (query: { q?: string; limit?: number; cursor?: string; count?: boolean } = {}, options?: RequestOptions): Listing<CalendarFeed> =>
    listing(send, '/calendar-feeds', query, options),
  get: (id: string, options?: RequestOptions): Promise<CalendarFeed> => ask(send, { method: 'GET', path: path`/calendar-feeds/${id}`, options }),
  create: (body: { name: string; assignedToId?: string | null | undefined }, options?: RequestOptions): Promise<MadeCalendarFeed> =>
    ask(send, { method: 'POST', path: '/calendar-feeds', body, options }),
  /** Its address answers 404 at once. */
  delete: (id: string, options?: RequestOptions): Promise<void> => ask(send, { method: 'DELETE', path: path`/calendar-feeds/${id}`, options }),
})
