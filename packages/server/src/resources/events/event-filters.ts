// What may be asked of the event log: which events, and from where on.
import type { eventFilterParameters } from '@parley/contract'
import type { QueryOf, ReadInput } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import { type EventFilter, type Position, positionOf, type Tenants } from '../../store/event-log.js'
import { isEventId } from '../../store/id.js'
import { tsqueryOf } from '../../store/search-words.js'
import { askedFor } from '../generic/list.js'

type EventQuery = ReadInput['query'] & QueryOf<typeof eventFilterParameters>

export function eventFilter(input: Pick<ReadInput<unknown, EventQuery>, 'query' | 'caller'>): EventFilter {
  const { query } = input
  const { q, number } = askedFor(input)
  return {
    types: query.type,
    // Of a query without a single letter or digit nothing is found.
    tsquery: q && (tsqueryOf(q, number) ?? ''),
    subjectId: query.subjectId,
    since: bound(query, ['since', 'occurredAtFrom']).at(-1),
    until: bound(query, ['until', 'occurredAtBefore'])[0],
  }
}

/** Two names of one bound; of both, the narrower counts. */
const bound = (query: EventQuery, names: readonly string[]): string[] =>
  names
    .map((name) => query[name])
    .filter((value) => typeof value === 'string')
    .sort()

/**
 * Where to go on from. An event that is unknown or was dropped leaves no way to tell what has been missed, so it is
 * refused.
 */
export async function requirePosition(
  { read }: Pick<ReadInput, 'read'>,
  tenants: Tenants,
  eventId: string,
  path: string,
): Promise<Position> {
  const position = isEventId(eventId) ? await positionOf(read.database, tenants, eventId) : undefined
  if (position === undefined)
    throw badRequest(path, 'names an event that is unknown or no longer kept; start again without it', 'unknown_event')
  return position
}
