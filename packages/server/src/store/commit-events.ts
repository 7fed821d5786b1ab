// The events of a change as parts of the commit's statement: they are logged, and fanned out to whoever wants them.
import { events as eventDefinitions, eventLinks, limits, valueOf } from '@parley/contract'
import { join, raw, type Sql, sql } from '../database/sql.js'
import type { Change, Publication, Write } from './change.js'
import type { Context, Part } from './commit-rows.js'
import { eventWriter } from './event-text.js'
import { newEventId, timeOfEvent } from './id.js'
import { searchText } from './search-words.js'

/**
 * What becomes of new events in the commit that makes them, besides the log: an insert that selects from the CTE
 * `inserted_events` (id, type, opt_in, occurred_at, subject_id) and returns a row for each that it makes.
 */
export type FanOut = (tenantId: string, now: Date) => Sql

const linkColumns = raw(Object.keys(eventLinks).join(', '))

export function eventParts(context: Context, { publications, writes }: Change, fanOut: FanOut): Part[] {
  if (publications.length === 0) return []
  const textOf = eventWriter()
  const written = new Map(
    writes.flatMap((write) => (write.kind === 'remove' ? [] : [[write.record.id, write] as const])),
  )
  const rows = publications.map((publication) => eventRow(context, publication, textOf, written))
  return [
    {
      name: 'inserted_events',
      body: sql`insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, ${linkColumns}, body, search)
        select ${context.tenantId}::uuid, r.* from (values ${join(rows, ', ')}) r, not_a_replay
        returning id, type, opt_in, occurred_at, subject_id`,
    },
    { name: 'fanned_out', body: fanOut(context.tenantId, context.now) },
  ]
}

function eventRow(
  { organizationId, environment, now }: Context,
  { type, data }: Publication,
  textOf: ReturnType<typeof eventWriter>,
  written: Written,
): Sql {
  const eventId = newEventId(now)
  // As `createdAt` of a record: events are in the order of their times because they are in the order of their ids.
  const occurredAt = timeOfEvent(eventId).toISOString()
  const definition = eventDefinitions[type]
  const subject = data[definition.subject] ?? Object.values(data).find((value) => typeof value === 'string') ?? null
  const body = textOf({ eventId, type, occurredAt, organizationId, environment }, data)
  const links = join(
    Object.values(eventLinks).map((linkOf) => sql`${linkOf(data)}::uuid`),
    ', ',
  )
  const words = wordsOfEvent(eventId, type, written.get(String(subject)))
  return sql`(${eventId}::text, ${type}::text, ${definition.optIn}::boolean, ${occurredAt}::timestamptz,
    ${subject}::uuid, ${links}, ${body}::text, array_to_tsvector(string_to_array(${words}::text, ' ')))`
}

type Written = ReadonlyMap<string, Exclude<Write, { kind: 'remove' }>>

/**
 * An event is found by its type, its id, and the words of the record it is about, as they were then; of a long text by
 * its beginning.
 */
function wordsOfEvent(eventId: string, type: string, write: ReturnType<Written['get']>): string {
  const record: object = write?.record ?? {}
  const values = (write?.entity.search ?? [])
    .map((field) => valueOf(record, field))
    .filter((value) => typeof value === 'string')
  return searchText([
    type,
    eventId,
    ...values.map((value) => value.slice(0, limits.nameLength)),
    ...(write?.words ?? []),
  ])
}
