// A call as the API shows it: its stored record, with its transcript's beginning, drafts, facts and signals composed at
// each read. One statement reads all of it for a whole page, and what Postgres joined is spliced into the answer as
// text.
import {
  type AnyRow,
  calls,
  drafts,
  type Entity,
  facts,
  limits,
  type Row,
  signals,
  type transcriptStatuses,
  valueOf,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { notFound } from '../../store/api-error.js'
import type { Reader, Stored } from '../../store/reader.js'
import { recordText } from '../../store/record-text.js'
import { type Answer, etag } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { noSegments, type Segment, type SegmentPlan } from './segments.js'

export type Call = Row<typeof calls>

/** What hangs on a call, each list as the JSON of its items, joined by commas. */
interface Embeds {
  readonly segmentCount: number
  readonly segments: string
  readonly drafts: string
  readonly facts: string
  readonly signals: string
}

const noEmbeds: Embeds = { segmentCount: 0, segments: '', drafts: '', facts: '', signals: '' }

export async function getCall(read: Reader, id: string): Promise<Call> {
  const call = await read.get(calls, id)
  if (call === undefined) throw notFound()
  return call
}

interface Found extends Stored {
  readonly isLive: boolean
  readonly embeds: Embeds
}

/** The calls with these ids and what hangs on them. */
async function findComposed({ database, tenantId }: Reader, ids: readonly string[]): Promise<Found[]> {
  const statement = sql`select c.id, c.version, ${recordText(calls, 'c')}, a.is_live, a.segment_count,
      ${firstSegments} as segments, ${firstRecords(drafts, 'call_session_id')} as drafts,
      ${firstRecords(facts, 'source_call_session_id')} as facts,
      ${firstRecords(signals, 'call_session_id')} as signals
    from ${raw(calls.table)} c join call_activity a on a.tenant_id = c.tenant_id and a.call_id = c.id
    where c.tenant_id = ${tenantId} and c.id = any (${ids}::uuid[])`
  // A page of long calls is too much for the connections that short reads share.
  const rows =
    ids.length === 1
      ? await database.read<ComposedRow>(statement)
      : (await database.query(statement, { prepared: true })).map(inOrder)
  return rows.map(([id, version, text, isLive, segmentCount, segments, drafts, facts, signals]) => ({
    id,
    version,
    text,
    isLive,
    embeds: { segmentCount, segments, drafts, facts, signals },
  }))
}

type ComposedRow = [string, number, string, boolean, number, string, string, string, string]
const inOrder = (row: Record<string, unknown>): ComposedRow => Object.values(row) as ComposedRow

const itemsMax = raw(String(limits.embeddedItems))
const textBytesMax = raw(String(limits.embeddedTranscriptBytes))

/** The JSON of one segment `s`. */
export const segmentJson: Sql =
  raw(`json_build_object('id', s.id, 'callId', s.call_id, 'sequence', s.sequence, 'speaker', s.speaker, 'text', s.text,
  'startMs', s.start_ms, 'endMs', s.end_ms, 'confidence', s.confidence, 'isFinal', s.is_final)::text`)

const firstSegments = sql`(select coalesce(string_agg(${segmentJson}, ',' order by s.sequence), '')
  from (select f.*, sum(octet_length(f.text)) over (order by f.sequence) as text_bytes
    from (select * from call_segments s where s.tenant_id = c.tenant_id and s.call_id = c.id
      order by s.sequence limit ${itemsMax}) f) s
  where s.text_bytes <= ${textBytesMax})`

const firstRecords = (
  entity: Entity,
  column: string,
): Sql => sql`(select coalesce(string_agg(${recordText(entity, 'r')}, ',' order by r.id), '')
  from (select id, record, shape from ${raw(entity.table)}
    where tenant_id = c.tenant_id and ${raw(column)} = c.id order by id limit ${itemsMax}) r)`

export const transcriptStatus = (segmentCount: number, isLive: boolean): (typeof transcriptStatuses)[number] =>
  segmentCount === 0 ? 'none' : isLive ? 'live' : 'available'

/** The stored text with what hangs on it. */
function composed(text: string, isLive: boolean, { segmentCount, segments, drafts, facts, signals }: Embeds): string {
  const status = transcriptStatus(segmentCount, isLive)
  const lists = `"transcriptSegments":[${segments}],"drafts":[${drafts}],"facts":[${facts}],"signals":[${signals}]`
  return `${text.slice(0, -1)},"transcriptStatus":"${status}","transcriptSegmentCount":${segmentCount},${lists}}`
}

/** What hangs on a call already. */
async function embedsOf(read: Reader, id: string): Promise<Embeds> {
  const [found] = await findComposed(read, [id])
  return found?.embeds ?? noEmbeds
}

/**
 * One call, as read. What hangs on it changes without its version, so the ETag serves `If-Match` and never "not
 * modified".
 */
export async function callAnswer(read: Reader, id: string): Promise<Answer> {
  const [found] = await findComposed(read, [id])
  if (found === undefined) throw notFound()
  return {
    status: 200,
    body: composed(found.text, found.isLive, found.embeds),
    headers: { etag: etag(found.version) },
    isComposed: true,
  }
}

/** A call as the work leaves it; `plan` is what becomes of its transcript. */
export async function callText(work: Work, call: Call, plan: SegmentPlan = noSegments): Promise<string> {
  const stored = work.makes(calls, call.id) ? noEmbeds : await embedsOf(work, call.id)
  const written = (entity: Entity, texts: string, field: string): string =>
    work.change.writesOf(entity).length === 0
      ? texts
      : textOf(
          work
            .overlaid(entity, parsed<AnyRow>(texts), (record) => valueOf(record, field) === call.id)
            .slice(0, limits.embeddedItems),
        )
  return composed(JSON.stringify(call), call.endedAt === null, {
    segmentCount: stored.segmentCount + plan.inserts.length,
    segments: plan.results.length === 0 ? stored.segments : firstSegmentsOf(stored.segments, plan),
    drafts: written(drafts, stored.drafts, 'callSessionId'),
    facts: written(facts, stored.facts, 'sourceCallSessionId'),
    signals: written(signals, stored.signals, 'callSessionId'),
  })
}

/** The answer to a write of a call. */
export async function writtenCallAnswer(
  status: number,
  work: Work,
  call: Call,
  plan: SegmentPlan = noSegments,
): Promise<Answer> {
  return { status, body: await callText(work, call, plan), headers: { etag: etag(call.version) } }
}

const parsed = <T>(texts: string): T[] => JSON.parse(`[${texts}]`)
const textOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(',')

function firstSegmentsOf(stored: string, { results }: SegmentPlan): string {
  const segments = new Map(parsed<Segment>(stored).map((segment) => [segment.sequence, segment]))
  for (const segment of results) segments.set(segment.sequence, segment)
  const sorted = [...segments.values()].sort((a, b) => a.sequence - b.sequence).slice(0, limits.embeddedItems)
  let bytes = 0
  const fitting = sorted.filter(({ text }) => (bytes += Buffer.byteLength(text)) <= limits.embeddedTranscriptBytes)
  return textOf(fitting)
}

/** A page of calls, as read. */
export async function presentCalls(rows: readonly Stored[], read: Reader): Promise<string[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const texts = new Map(
    (await findComposed(read, ids)).map(({ id, text, isLive, embeds }) => [id, composed(text, isLive, embeds)]),
  )
  return ids.flatMap((id) => texts.get(id) ?? [])
}
