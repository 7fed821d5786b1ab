// The events of a change as parts of the commit's statement: they are logged, and fanned out to whoever wants them.
import { events as eventDefinitions, eventLinks, limits, valueOf } from '@parley/contract'
import { arrayLiteral, join, raw, type Sql, sql } from '../database/sql.js'
import type { Change, Publication, Write } from './change.js'
import type { Context, Part } from './commit-rows.js'
import { eventWriter } from './event-text.js'
import { newEventId, timeOfEvent } from './id.js'
import { searchText } from './search-words.js'

/**
 * What becomes of new events in the commit that makes them, besides the log: an insert that selects from the CTE
 * `inserted_events` (id, type, opt_in, occurred_at, subject_id) and returns the `tenant_id` of each row that it makes:
 * the tenant's own, or that of one other who is told of all.
 */
export type FanOut = (context: Pick<Context, 'tenantId' | 'environment' | 'now'>) => Sql

const linkColumns = raw(Object.keys(eventLinks).join(', '))

export function eventParts(
  context: Context,
  { publications, writes }: Change,
  fanOut: FanOut,
  traceparent?: string,
): Part[] {
  if (publications.length === 0) return []
  const textOf = eventWriter()
  const written = new Map(
    writes.flatMap((write) => (write.kind === 'remove' ? [] : [[write.record.id, write] as const])),
  )
  const rows = publications.map((publication) => eventRow(context, publication, textOf, written))
  const table = rows.length > FEW_EVENTS ? columnsOfEvents(rows) : sql`(values ${join(rows.map(valuesOf), ', ')}) r`
  return [
    {
      name: 'inserted_events',
      body: sql`insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, ${linkColumns}, body, search
          ${raw(traceparent === undefined ? '' : ', traceparent')})
        select ${context.tenantId}::uuid, r.*${traceparent === undefined ? raw('') : sql`, ${traceparent}::text`}
        from ${table}, not_a_replay
        returning id, type, opt_in, occurred_at, subject_id`,
    },
    { name: 'fanned_out', body: fanOut(context) },
  ]
}

const FEW_EVENTS = 12

/** A row of the log: its columns in their order. */
interface EventRow {
  readonly id: string
  readonly type: string
  readonly optIn: boolean
  readonly occurredAt: string
  readonly subject: unknown
  readonly links: readonly unknown[]
  readonly body: string
  readonly words: string
}

function eventRow(
  { organizationId, environment, now }: Context,
  { type, data }: Publication,
  textOf: ReturnType<typeof eventWriter>,
  written: Written,
): EventRow {
  const id = newEventId(now)
  // As `createdAt` of a record: events are in the order of their times because they are in the order of their ids.
  const occurredAt = timeOfEvent(id).toISOString()
  const definition = eventDefinitions[type]
  const subject = data[definition.subject] ?? Object.values(data).find((value) => typeof value === 'string') ?? null
  const body = textOf({ eventId: id, type, occurredAt, organizationId, environment }, data)
  const links = Object.values(eventLinks).map((linkOf) => linkOf(data))
  const words = wordsOfEvent(id, type, written.get(String(subject)))
  return { id, type, optIn: definition.optIn, occurredAt, subject, links, body, words }
}

const valuesOf = ({ id, type, optIn, occurredAt, subject, links, body, words }: EventRow): Sql =>
  sql`(${id}::text, ${type}::text, ${optIn}::boolean, ${occurredAt}::timestamptz, ${subject}::uuid,
    ${join(
      links.map((link) => sql`${link}::uuid`),
      ', ',
    )}, ${body}::text, array_to_tsvector(string_to_array(${words}::text, ' ')))`

/** Many events as columns, a parameter each. */
function columnsOfEvents(rows: readonly EventRow[]): Sql {
  const column = (type: string, valueOf: (row: EventRow) => unknown) =>
    sql`${arrayLiteral(rows.map((row) => textOrNull(valueOf(row))))}::${raw(type)}[]`
  const links = Object.keys(eventLinks)
  const given = [
    column('text', ({ id }) => id),
    column('text', ({ type }) => type),
    column('boolean', ({ optIn }) => optIn),
    column('timestamptz', ({ occurredAt }) => occurredAt),
    column('uuid', ({ subject }) => subject),
    ...links.map((_, index) => column('uuid', (row) => row.links[index])),
    column('text', ({ body }) => body),
    column('text', ({ words }) => words),
  ]
  return sql`(select u.id, u.type, u.opt_in, u.occurred_at, u.subject_id, ${linkColumns}, u.body,
      array_to_tsvector(string_to_array(u.words, ' '))
    from unnest(${join(given, ', ')}) u (id, type, opt_in, occurred_at, subject_id, ${linkColumns}, body, words)) r`
}

const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

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
