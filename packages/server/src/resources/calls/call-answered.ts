// Whether a call was answered: as its outcome says, else as anyone has said, else as it shows by what was spoken in it
// and what came of it. Only a call that rang in silence was not.
import { type CallOutcome, type CallStatus, drafts, facts } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import type { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import type { Call } from './composed-call.js'
import type { SentSegment } from './segments.js'

/** What shows that a call was talked on. */
export interface Traces {
  /** One of us was heard, or two sides were. */
  readonly isSpoken: boolean
  /** Facts were learned or work was proposed. */
  readonly isUsed: boolean
  /** How far its transcript goes. */
  readonly talkMs: number
}

/** What is stored of it, as it was at a revision of the call. */
export interface StoredTraces extends Traces {
  readonly revision: string
}

export const noTraces: Traces = { isSpoken: false, isUsed: false, talkMs: 0 }

export const bothTraces = (a: Traces, b: Traces): Traces => ({
  isSpoken: a.isSpoken || b.isSpoken,
  isUsed: a.isUsed || b.isUsed,
  talkMs: Math.max(a.talkMs, b.talkMs),
})

/** What a transcript shows. A system that speaks is nobody. */
export function spokenTraces(segments: readonly SentSegment[]): Pick<Traces, 'isSpoken' | 'talkMs'> {
  const speakers = new Set<string>(segments.map(({ speaker }) => speaker).filter((speaker) => speaker !== 'system'))
  const isSpoken = speakers.has('agent') || speakers.has('ai') || speakers.size > 1
  return { isSpoken, talkMs: segments.reduce((last, { startMs, endMs }) => Math.max(last, endMs ?? startMs), 0) }
}

/** What is stored of a call whose answer nobody has reported; undefined for any other, where it decides nothing. */
export async function storedTraces({ database, tenantId }: Reader, call: Call): Promise<StoredTraces | undefined> {
  if (call.status !== 'ringing' || call.answeredAt !== null || call.voicemailId !== null) return undefined
  const [row] = await database.read<[string, boolean, boolean, number]>(sql`
    select a.revision::text, coalesce(s.is_ours, false) or s.sides > 1,
      exists (select 1 from ${raw(facts.table)} f
          where f.tenant_id = a.tenant_id and f.source_call_session_id = a.call_id)
        or exists (select 1 from ${raw(drafts.table)} d
          where d.tenant_id = a.tenant_id and d.call_session_id = a.call_id),
      coalesce(s.talk_ms, 0)
    from call_activity a, lateral (
      select bool_or(speaker in ('agent', 'ai')) as is_ours,
        count(distinct speaker) filter (where speaker <> 'system') as sides,
        max(coalesce(end_ms, start_ms)) as talk_ms
      from call_segments where tenant_id = a.tenant_id and call_id = a.call_id) s
    where a.tenant_id = ${tenantId} and a.call_id = ${call.id}`)
  if (row === undefined) throw new Error(`The call ${call.id} has no activity`)
  const [revision, isSpoken, isUsed, talkMs] = row
  return { revision, isSpoken, isUsed, talkMs }
}

/** The change stands only if nothing was heard of the call since: what comes in that moment may show an answer. */
export function requireUnheard(work: Work, callId: string, { revision }: StoredTraces): void {
  work.addStatement(
    sql`select 1 from call_activity a, not_a_replay
      where a.tenant_id = ${work.tenantId}::uuid and a.call_id = ${callId}::uuid and a.revision = ${revision}::bigint
      for update of a`,
    1,
    { recurs: true },
  )
}

/** What is said of an end that tells whether the call was answered. */
export interface Saying {
  readonly outcome?: CallOutcome | null | undefined
  readonly status?: CallStatus | undefined
  readonly duration?: number | null | undefined
}

/** To speak to a machine is no talk: a call with a voicemail was answered only if somebody says so. */
export function wasAnswered(call: Call, { outcome, status: reported, duration }: Saying, traces: Traces): boolean {
  const { answeredAt, status, voicemailId, summary } = call
  if (outcome === 'answered') return true
  if (outcome === 'missed' || outcome === 'voicemail') return false
  if (answeredAt !== null || status === 'in_progress' || reported === 'completed') return true
  if (voicemailId !== null || status === 'voicemail' || reported === 'voicemail') return false
  const isTalk = (duration ?? 0) > 0 || traces.isSpoken
  // Whoever says in so many words that it was missed may well sum that up.
  return isTalk || (reported !== 'missed' && (traces.isUsed || (summary ?? '').trim() !== ''))
}
