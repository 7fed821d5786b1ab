// The newest events by time: of a long log, a page opens what is recent.
import type { Database } from '../../database/pool.js'
import { type EventFilter, eventsByTime, type LoggedEvent, type PageSize, untilOf } from '../../store/event-log.js'
import { firstEventIdAt, timeOfEvent } from '../../store/id.js'
import { recentBefore, recentFirst } from '../generic/recent-first.js'

export async function newestByTime(
  database: Database,
  tenantId: string,
  { below, now }: { readonly below: string | undefined; readonly now: Date },
  filter: EventFilter,
  size: PageSize,
): Promise<readonly LoggedEvent[]> {
  // Words may be anywhere in the log.
  if (filter.tsquery !== undefined) return eventsByTime(database, tenantId, { below }, filter, true, size)
  const begin = below === undefined ? now : timeOfEvent(below)
  const place = { below, recentFrom: firstEventIdAt(recentBefore(begin, untilOf(filter))), rows: size.rows }
  return recentFirst(place, (span, rows, found: readonly LoggedEvent[]) =>
    eventsByTime(database, tenantId, span, filter, true, { rows, bytes: bytesLeft(found, size.bytes) }),
  )
}

/** What a page has room for besides these. */
const bytesLeft = (found: readonly LoggedEvent[], bytesMax: number): number =>
  found.reduce((left, { body }) => left - (body === '' ? left : Buffer.byteLength(body)), bytesMax)
