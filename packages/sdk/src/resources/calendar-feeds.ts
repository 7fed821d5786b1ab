// Addresses that calendar programs subscribe to. All of it needs an ADMIN key; reading a calendar by its address needs
// none.
import type { ApiPromise } from '../api-promise.js'
import type { CalendarFeed, CalendarFeedCreate, CalendarFeedQuery, MadeCalendarFeed } from '../generated/shapes.js'
import type { RequestOptions } from '../transport.js'
import type { Gets, Lists } from './verbs.js'

export interface CalendarFeeds extends Lists<CalendarFeedQuery, CalendarFeed>, Gets<CalendarFeed> {
  /** Makes an address. It is in this answer and nowhere else. */
  create(body: CalendarFeedCreate, options?: RequestOptions): ApiPromise<MadeCalendarFeed>
  /** Its address answers 404 at once. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
}
