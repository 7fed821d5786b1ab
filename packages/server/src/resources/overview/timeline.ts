// The timeline of a person, a customer or a unit of work: everything about it, by when it happened, newest first. Each
// entity is asked for its latest rows alone, so that a page costs the same however long the story is.
import {
  customers,
  type Entity,
  limits,
  people,
  type TimelineType,
  timelineItem,
  timelineParameters,
  workRecords,
} from '@parley/contract'
import { join, raw, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type QueryOf, type ReadInput } from '../../http/endpoint.js'
import { pageAnswer } from '../../http/respond.js'
import { notFound } from '../../store/api-error.js'
import { makeCursor } from '../../store/cursor.js'
import type { Stored } from '../../store/reader.js'
import { recordText } from '../../store/record-text.js'
import type { Answer } from '../../store/response.js'
import { presentCalls } from '../calls/composed-call.js'
import { presentVoicemails } from '../calls/voicemail-audio.js'
import { limitOf, listName, pageSchema, startOf } from '../generic/list.js'
import { latestOf, type Seen, type Source, type Subject, sources } from './timeline-sources.js'

interface Found extends Record<string, unknown> {
  readonly type: TimelineType
  readonly id: string
  readonly at: Date
}

type TimelineInput = ReadInput<Record<string, unknown>, QueryOf<typeof timelineParameters>>

async function timelinePage(input: TimelineInput, entity: Entity, kind: Subject): Promise<Answer> {
  const { read, params, sealer, requestId } = input
  const stored = await read.stored(entity, params['id'] ?? '')
  if (stored === undefined) throw notFound()
  const { id } = stored
  const [name, limit] = [listName(input, `${entity.slug}/timeline`), limitOf(input)]
  const start = startOf(input, name)
  const seen = start && { at: start.value ?? '', id: start.id }
  const rows = await findLatest(input, { kind, id }, seen, limit + 1)
  const page = rows.slice(0, limit)
  const texts = await present(input, page)
  const last = page.at(-1)
  const nextCursor =
    rows.length > limit && last ? makeCursor(sealer, name, { id: last.id, value: last.at.toISOString() }) : null
  return pageAnswer(texts, { limit, nextCursor }, requestId)
}

async function findLatest(
  { read, query }: TimelineInput,
  subject: { readonly kind: Subject; readonly id: string },
  seen: Seen | undefined,
  limit: number,
): Promise<Found[]> {
  const wanted = sources.filter(({ type }) => query.types === undefined || query.types.includes(type))
  const parts = wanted.flatMap((source) => latestOf(source, read.tenantId, subject, seen, limit) ?? [])
  if (parts.length === 0) return []
  return read.database.query<Found>(
    sql`select type, id, at from (${join(parts, ' union all ')}) as found
      order by at desc, id desc limit ${raw(String(limit))}`,
  )
}

/** The records of a page, each as its own endpoint shows it. One that was deleted meanwhile is left out. */
async function present(input: TimelineInput, page: readonly Found[]): Promise<string[]> {
  const types = [...new Set(page.map(({ type }) => type))]
  const shown = new Map<string, string>()
  await Promise.all(
    types.map(async (type) => {
      const source = sources.find((one) => one.type === type)
      const ids = page.filter((one) => one.type === type).map(({ id }) => id)
      if (source) for (const [id, text] of await textsOf(input, source, ids)) shown.set(id, text)
    }),
  )
  return page.flatMap(({ type, id, at }) => {
    const record = shown.get(id)
    return record === undefined ? [] : [`{"type":"${type}","id":"${id}","at":"${at.toISOString()}","record":${record}}`]
  })
}

async function textsOf(input: TimelineInput, { type, entity }: Source, ids: string[]): Promise<[string, string][]> {
  const rows = await input.read.database.query<{ id: string; version: number; text: string }>(
    sql`select id, version, ${recordText(entity)} as text from ${raw(entity.table)}
      where tenant_id = ${input.read.tenantId} and id = any (${ids}::uuid[])`,
  )
  const texts = await presented(input, type, rows)
  return texts.map((text) => [idIn(text), text])
}

/** Every record begins with its id. */
const idIn = (text: string): string => text.slice('{"id":"'.length, '{"id":"'.length + UUID_LENGTH)
const UUID_LENGTH = 36

const presented = (input: TimelineInput, type: TimelineType, rows: readonly Stored[]) => {
  if (type === 'call') return presentCalls(rows, input.read)
  return type === 'voicemail' ? presentVoicemails(rows, input) : rows.map(({ text }) => text)
}

const timelineOf = (entity: Entity, kind: Subject, operationId: string): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${entity.slug}/{id}/timeline`,
    scope: 'READ',
    operationId,
    summary: `Everything about a ${entity.name.replace('_', ' ')}, newest first`,
    description: `By when it happened, which is not always when it was written down. At most ${limits.pageMax} a page.`,
    tag: entity.label,
    query: timelineParameters,
    returns: { status: 200, schema: pageSchema(timelineItem) },
    handle: (input) => timelinePage(input, entity, kind),
  })

export const timelineEndpoints: Endpoint[] = [
  timelineOf(people, 'person', 'getPersonTimeline'),
  timelineOf(customers, 'customer', 'getCustomerTimeline'),
  timelineOf(workRecords, 'work_record', 'getWorkRecordTimeline'),
]
