// The transcript of a call, segment by segment. A sequence number is said once: a final segment takes the place of an
// interim one, never the reverse, so that batches may come late, twice or out of order.
import type { speakers } from '@parley/contract'
import { arrayLiteral, raw, type Sql, sql } from '../../database/sql.js'
import { badRequests, notFound } from '../../store/api-error.js'
import { newId } from '../../store/id.js'
import type { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'

/** What a commit of segments announces, so that the worker that reads them looks at once. */
export const SEGMENTS_WRITTEN = 'segments written'

export interface Segment {
  readonly id: string
  readonly callId: string
  readonly sequence: number
  readonly speaker: (typeof speakers)[number]
  readonly text: string
  readonly startMs: number
  readonly endMs: number | null
  readonly confidence: number | null
  readonly isFinal: boolean
}

/** A segment as it is sent. */
export type SentSegment = Pick<Segment, 'sequence' | 'speaker' | 'text' | 'startMs'> &
  Partial<Pick<Segment, 'endMs' | 'confidence' | 'isFinal'>>

/** What becomes of a batch: rows to add, rows to replace, and each of its sequence numbers as it will then be. */
export interface SegmentPlan {
  readonly inserts: readonly Segment[]
  readonly updates: readonly Segment[]
  readonly results: readonly Segment[]
}

export const noSegments: SegmentPlan = { inserts: [], updates: [], results: [] }
export const isPlanEmpty = ({ inserts, updates }: SegmentPlan): boolean => inserts.length + updates.length === 0

/**
 * Decides on a batch, given what is stored under its sequence numbers. A segment keeps its id, so that evidence goes on
 * pointing to it.
 */
export function planSegments(
  callId: string,
  stored: readonly Segment[],
  sent: readonly SentSegment[],
  now: Date,
): SegmentPlan {
  const before = new Map(stored.map((segment) => [segment.sequence, segment]))
  const after = new Map<number, Segment>()
  const idOf = idsFrom(newId(now))
  for (const { sequence, speaker, text, startMs, endMs = null, confidence = null, isFinal = true } of sent) {
    const current = after.get(sequence) ?? before.get(sequence)
    const said = {
      id: current?.id ?? idOf(sequence),
      callId,
      sequence,
      speaker,
      text,
      startMs,
      endMs,
      confidence,
      isFinal,
    }
    after.set(sequence, current?.isFinal ? current : said)
  }
  const results = [...after.values()].sort((a, b) => a.sequence - b.sequence)
  const isChanged = (segment: Segment) => JSON.stringify(before.get(segment.sequence)) !== JSON.stringify(segment)
  return {
    inserts: results.filter(({ sequence }) => !before.has(sequence)),
    updates: results.filter((segment) => before.has(segment.sequence) && isChanged(segment)),
    results,
  }
}

/**
 * The ids of a batch: one that is made, and those that follow it. Twenty made one by one would cost as much as writing
 * them down.
 */
function idsFrom(first: string): (index: number) => string {
  const [head, tail] = [first.slice(0, -12), Number.parseInt(first.slice(-12), 16)]
  return (index) => head + ((tail + index) % 2 ** 48).toString(16).padStart(12, '0')
}

/** What a schema cannot say of a batch. */
export function requireOrder(sent: readonly SentSegment[], path: string): void {
  const issues = sent.flatMap(({ startMs, endMs }, index) =>
    typeof endMs === 'number' && endMs < startMs
      ? [{ path: `${path}[${index}].endMs`, message: 'must not be before startMs', code: 'order' }]
      : [],
  )
  if (issues.length > 0) throw badRequests(issues)
}

export type SegmentRow = [number, string, Segment['speaker'], string, number, number | null, number | null, boolean]

export const toSegment = (
  callId: string,
  [sequence, id, speaker, text, startMs, endMs, confidence, isFinal]: SegmentRow,
): Segment => ({
  id,
  callId,
  sequence,
  speaker,
  text,
  startMs,
  endMs,
  confidence,
  isFinal,
})

/** The segments of a call that have these sequence numbers; 404 when there is no such call. */
export async function storedSegments(
  { database, tenantId }: Reader,
  callId: string,
  sequences: readonly number[],
): Promise<Segment[]> {
  const rows = await database.read<SegmentRow | [null]>(sql`
    select s.sequence, s.id, s.speaker, s.text, s.start_ms, s.end_ms, s.confidence, s.is_final
    from call_activity a left join call_segments s
      on s.tenant_id = a.tenant_id and s.call_id = a.call_id and s.sequence = any (${sequences}::int[])
    where a.tenant_id = ${tenantId} and a.call_id = ${callId}`)
  if (rows.length === 0) throw notFound()
  return rows.flatMap((row) => (row[0] === null ? [] : [toSegment(callId, row as SegmentRow)]))
}

/** How many segments a call has. */
export async function segmentCount({ database, tenantId }: Reader, callId: string): Promise<number> {
  const [row] = await database.read<[number]>(
    sql`select segment_count from call_activity where tenant_id = ${tenantId} and call_id = ${callId}`,
  )
  return row?.[0] ?? 0
}

/**
 * Writes a plan. The row of the call's activity is taken first: under its lock the batch gets its revision and is
 * counted. A batch that another one has overtaken on the same sequence numbers meets the primary key, or replaces fewer
 * rows than it thought, and is planned again. With `seen`, so is one of a call of which anything was heard since that
 * revision.
 */
export function writeSegments(
  work: Work,
  callId: string,
  plan: SegmentPlan,
  seen?: { readonly revision: string },
): void {
  if (isPlanEmpty(plan)) return
  const { tenantId, now } = work
  const { inserts, updates, results } = plan
  const last = results.at(-1)?.sequence ?? 0
  const revision = seen?.revision ?? null
  work.addStatement(
    sql`update call_activity a
      set revision = a.revision + 1, segments_revision = a.revision + 1,
        segment_count = a.segment_count + ${inserts.length}::int,
        last_sequence = greatest(a.last_sequence, ${last}::int),
        reported_at = greatest(a.reported_at, ${now}::timestamptz)
      from not_a_replay
      where a.tenant_id = ${tenantId}::uuid and a.call_id = ${callId}::uuid
        and (${revision}::bigint is null or a.revision = ${revision}::bigint)
      returning a.tenant_id, a.call_id, a.revision, not a.is_live and a.understood_revision is not null as is_late`,
    1,
    { name: 'next_revision', recurs: true },
  )
  work.addStatement(toUnderstand(raw('next_revision where is_late')), undefined, { recurs: true })
  work.announce(SEGMENTS_WRITTEN)
  if (inserts.length > 0) {
    work.addStatement(
      sql`insert into call_segments
          (tenant_id, call_id, sequence, id, speaker, text, start_ms, end_ms, confidence, is_final, revision)
        select ${tenantId}::uuid, ${callId}::uuid, r.*, n.revision from ${rowsOf(inserts)}, next_revision n
          returning 1`,
      inserts.length,
      { recurs: true },
    )
  }
  if (updates.length > 0) {
    work.addStatement(
      sql`update call_segments s
        set speaker = r.speaker, text = r.text, start_ms = r.start_ms, end_ms = r.end_ms, confidence = r.confidence,
          is_final = r.is_final, revision = n.revision
        from ${rowsOf(updates)}, next_revision n
        where s.tenant_id = ${tenantId}::uuid and s.call_id = ${callId}::uuid and s.sequence = r.sequence
          and not s.is_final returning 1`,
      updates.length,
      { recurs: true },
    )
  }
}

/** Calls that go on are found by their revision; one that has ended is queued to be read again. */
export const toUnderstand = (calls: Sql): Sql =>
  sql`insert into understanding_jobs (tenant_id, kind, subject_id) select tenant_id, 'call', call_id from ${calls}
    on conflict (tenant_id, kind, subject_id) do update set generation = understanding_jobs.generation + 1`

const rowsOf = (segments: readonly Segment[]): Sql =>
  sql`unnest(${segmentColumns(segments)}) as r (sequence, id, speaker, text, start_ms, end_ms, confidence, is_final)`

/** An array for each column: reading them costs the database a third of what JSON does. */
export function segmentColumns(segments: readonly Segment[]): Sql {
  const column = (name: Exclude<keyof Segment, 'callId'>) => arrayLiteral(segments.map((segment) => segment[name]))
  return sql`${column('sequence')}::int[], ${column('id')}::uuid[], ${column('speaker')}::text[],
    ${column('text')}::text[], ${column('startMs')}::int[], ${column('endMs')}::int[],
    ${column('confidence')}::float8[], ${column('isFinal')}::boolean[]`
}
