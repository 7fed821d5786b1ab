// The end of a call: its final status, its message in the thread, its drafts handed over for review, and the one event
// that tells of it. However the end is reported, by `/end`, by a terminal status or by nobody for hours, it happens
// here, and once.
import {
  type CallOutcome,
  type CallStatus,
  callMoves,
  callOutcomes,
  calls,
  drafts,
  type EventData,
  facts,
  limits,
  signals,
} from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import { badRequest, conflict } from '../../store/api-error.js'
import { finding, findingNewest, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { submitDraftsOfCall } from '../drafts/drafts.js'
import { addMessage, type Conversation, threadFor, threadOfVoicemail } from '../messaging/conversations.js'
import { bothTraces, noTraces, requireUnheard, storedTraces, type Traces, wasAnswered } from './call-answered.js'
import { type Call, callText, transcriptStatus } from './composed-call.js'
import {
  isPlanEmpty,
  noSegments,
  type Segment,
  type SegmentPlan,
  type SegmentRow,
  toSegment,
  writeSegments,
} from './segments.js'
import { linesWithin } from './transcript-format.js'

/** What is reported of an end; the rest follows from the call. */
export interface End {
  /** How it went, over everything else that is known of it. */
  readonly outcome?: CallOutcome | null | undefined
  /** A terminal status that the call may move to. */
  readonly status?: CallStatus | undefined
  readonly endedAt?: string | null | undefined
  /** Talk seconds. */
  readonly duration?: number | null | undefined
  readonly endReason?: string | null | undefined
}

type EndedCall = Call & { readonly endedAt: string }

/**
 * What else the end brings: segments of its transcript, what the report shows, and facts, signals and a draft, added
 * once the call is ended.
 */
export interface AtEnd {
  readonly plan?: SegmentPlan
  readonly shown?: Traces
  readonly capture?: (call: Call) => Promise<void>
}

export const theirNumber = ({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string | null =>
  direction === 'inbound' ? from : to
export const ourNumber = ({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string | null =>
  direction === 'inbound' ? to : from

/** Ends a call that has not ended, as it is wanted but for its end, and returns it as it will be. */
export async function endCall(
  work: Work,
  wanted: Call,
  end: End,
  { plan = noSegments, shown = noTraces, capture }: AtEnd = {},
): Promise<Call> {
  const stored = await storedTraces(work, wanted)
  const ended = endedCall(wanted, end, bothTraces(shown, stored ?? noTraces), work.now)
  const unheard = ended.answeredAt === null ? stored : undefined
  if (unheard && isPlanEmpty(plan)) requireUnheard(work, ended.id, unheard)
  writeSegments(work, ended.id, plan, unheard)
  const { direction, from, to, personId, summary } = ended
  const thread = await threadOfCall(work, ended)
  const { endedAt } = ended
  const call = { ...work.update(calls, { ...ended, conversationId: thread.id }), endedAt }
  const body = summary ?? ''
  addMessage(work, {
    thread,
    direction,
    channel: 'voice',
    body,
    from,
    to,
    personId,
    callSessionId: call.id,
    at: call.endedAt,
  })
  await capture?.(call)
  await submitDraftsOfCall(work, call.id)
  await publishEnd(work, call, plan)
  return call
}

/** The thread with the other side. A caller without a number is in no thread but that of the voicemail they left. */
async function threadOfCall(work: Work, call: Call): Promise<Conversation> {
  const { direction, personId, phoneNumberId, voicemailId } = call
  const participantAddress = theirNumber(call)
  const left =
    participantAddress === null && voicemailId !== null ? await threadOfVoicemail(work, voicemailId) : undefined
  return (
    left ??
    threadFor(work, {
      channel: 'voice',
      participantAddress,
      ourAddress: ourNumber(call),
      phoneNumberId,
      personId,
      direction,
    })
  )
}

/** The call with its end, by what is known of it. */
function endedCall(call: Call, end: End, traces: Traces, now: Date): EndedCall {
  const isAnswered = wasAnswered(call, end, traces)
  if (end.status === 'missed' && isAnswered) throw talkedOn(call)
  const endedAt = endTime(call, end.endedAt, now)
  const answeredAt = isAnswered
    ? (call.answeredAt ?? reckonedAnswer(call, endedAt, end.duration ?? traces.talkMs / 1_000))
    : null
  const measured =
    answeredAt === null ? 0 : Math.max(0, Math.round((Date.parse(endedAt) - Date.parse(answeredAt)) / 1_000))
  const endReason = end.endReason ?? call.endReason
  const outcome = call.outcome ?? end.outcome ?? null
  const told = end.outcome ? callOutcomes[end.outcome] : end.status
  const status = told ?? finalStatus({ ...call, answeredAt, endReason })
  return { ...call, status, endReason, outcome, answeredAt, endedAt, duration: end.duration ?? measured }
}

function talkedOn({ status }: Call): Error {
  const why =
    'The call was talked on, so it was not missed; report completed, or say how it went with the outcome of POST ' +
    '/calls/{id}/end'
  return conflict('state', why, {
    from: status,
    to: 'missed',
    allowed: callMoves[status].filter((one) => one !== 'missed'),
  })
}

/** When a call was answered whose answer nobody has timed: the talk before its end, and not before it began. */
function reckonedAnswer({ startedAt }: Call, endedAt: string, talkSeconds: number): string {
  const answeredAt = new Date(Date.parse(endedAt) - talkSeconds * 1_000).toISOString()
  return answeredAt < startedAt ? startedAt : answeredAt
}

/**
 * How far two clocks may be apart before an end that lies before the start is an error and no longer a matter of
 * clocks.
 */
const CLOCK_SKEW_MS = 5 * 60_000

function endTime({ startedAt }: Call, reported: string | null | undefined, now: Date): string {
  const endedAt = reported ?? now.toISOString()
  if (endedAt >= startedAt) return endedAt
  if (reported && Date.parse(startedAt) - Date.parse(reported) > CLOCK_SKEW_MS)
    throw badRequest('endedAt', 'must not be before startedAt', 'order')
  return startedAt
}

const failures = new Set(['busy', 'rejected', 'error', 'timeout'])

function finalStatus({ answeredAt, status, voicemailId, direction, endReason }: Call): CallStatus {
  if (answeredAt !== null) return 'completed'
  if (voicemailId !== null || status === 'voicemail') return 'voicemail'
  if (direction === 'inbound') return 'missed'
  return failures.has(endReason ?? '') ? 'failed' : 'canceled'
}

/** At most one event: the call was answered, or it came in and nobody answered and no voicemail was left. */
async function publishEnd(work: Work, call: EndedCall, plan: SegmentPlan): Promise<void> {
  if (call.answeredAt !== null) work.publish('call.ended', await callEnded(work, call, plan))
  else if (call.direction === 'inbound' && call.status !== 'voicemail' && call.voicemailId === null) {
    const { id: callId, from, to, startedAt, endedAt, endReason, personId } = call
    const reason = endReason ?? 'no_answer'
    const shown: Call = JSON.parse(await callText(work, call, plan))
    work.publish('call.missed', { callId, from, to, startedAt, endedAt, reason, personId, call: shown })
  }
}

async function callEnded(work: Work, call: EndedCall, plan: SegmentPlan): Promise<EventData<'call.ended'>> {
  const [spoken, [learned, fired, proposed]] = await Promise.all([
    firstSpoken(work, call.id, plan),
    work.lookUp(
      finding(facts, { sourceCallSessionId: call.id }, limits.listItems),
      finding(signals, { callSessionId: call.id }, limits.listItems),
      findingNewest(drafts, { callSessionId: call.id }, 1),
    ),
  ])
  const [draft] = proposed
  const { text: transcript, isTruncated } = linesWithin(spoken, limits.eventTranscriptBytes)
  const { id: callId, direction, duration, from, to, summary, recordingUrl, workRecordId, status, endReason } = call
  const { startedAt, answeredAt, endedAt, personId, customerId } = call
  return {
    callId,
    direction,
    duration,
    from,
    to,
    summary,
    transcript,
    recordingUrl,
    facts: learned,
    workRecordId,
    status,
    endReason,
    startedAt,
    answeredAt,
    endedAt,
    personId,
    customerId,
    draftId: draft?.id ?? null,
    draft: draft ?? null,
    signals: fired,
    transcriptStatus: transcriptStatus(spoken.length, false),
    transcriptTruncated: isTruncated,
  }
}

/** The segments from the beginning that may fit into an event, with those that the change brings. */
async function firstSpoken({ database, tenantId }: Reader, callId: string, plan: SegmentPlan): Promise<Segment[]> {
  const rows = await database.query(sql`select sequence, id, speaker, text, start_ms, end_ms, confidence, is_final
    from (select *, sum(octet_length(text)) over (order by sequence) - octet_length(text) as bytes_before
      from call_segments where tenant_id = ${tenantId} and call_id = ${callId}) s
    where bytes_before <= ${raw(String(limits.eventTranscriptBytes))} order by sequence`)
  const segments = new Map(
    rows
      .map((row) => toSegment(callId, Object.values(row) as SegmentRow))
      .map((segment) => [segment.sequence, segment]),
  )
  for (const segment of plan.results) segments.set(segment.sequence, segment)
  return [...segments.values()].sort((a, b) => a.sequence - b.sequence)
}
