// What was said in a call, a voicemail or a text, as the extractor reads it, and where each line of it is kept, so that
// evidence can point there.
import { createHash } from 'node:crypto'
import { calls, type facts, messages, type Row, sms, voicemails } from '@parley/contract'
import { sql } from '../../database/sql.js'
import type { SpokenSegment } from '../../extraction/mention.js'
import type { Place } from '../../extraction/understanding.js'
import type { Reader } from '../../store/reader.js'
import type { Call } from '../calls/composed-call.js'

type Evidence = Row<typeof facts>['evidence']

/** A line of what was said, and where it is kept. */
interface SpokenLine extends SpokenSegment {
  readonly segmentId: string | null
  readonly messageId: string | null
  readonly startMs: number | null
  readonly endMs: number | null
}

export interface Spoken {
  readonly source: 'call' | 'sms' | 'voicemail'
  readonly lines: readonly SpokenLine[]
  readonly startedAt: Date
  readonly callId: string | null
  readonly messageId: string | null
  readonly personId: string | null
}

export interface SpokenCall extends Spoken {
  readonly call: Call
  /** Up to which revision of its segments this is. */
  readonly revision: string
  /** Nothing more is expected: the call has ended, or left a voicemail. */
  readonly isFinal: boolean
  /** Of the words: the same words have the same. */
  readonly fingerprint: string
}

/** The beginning of a call is read, up to so much of it. */
const SEGMENTS_MAX = 1_000
const CHARACTERS_MAX = 200_000
const VOICEMAILS_MAX = 10

/** Undefined for a call that is gone or is from before there was an extractor. */
export async function spokenInCall(read: Reader, callId: string): Promise<SpokenCall | undefined> {
  const { database, tenantId } = read
  const [activity] = await database.read<[string, string | null]>(
    sql`select segments_revision::text, understood_revision::text from call_activity
      where tenant_id = ${tenantId} and call_id = ${callId}`,
  )
  const call = activity && activity[1] !== null ? await read.get(calls, callId) : undefined
  if (activity === undefined || call === undefined) return undefined
  const [segments, left] = await Promise.all([segmentsOf(read, callId), voicemailsOf(read, callId)])
  const { personId, endedAt } = call
  const lines = [...segments, ...left]
  return {
    source: 'call',
    call,
    revision: activity[0],
    lines,
    fingerprint: fingerprintOf(lines),
    startedAt: new Date(call.startedAt),
    callId,
    messageId: null,
    personId,
    isFinal: endedAt !== null || left.length > 0,
  }
}

const fingerprintOf = (lines: readonly SpokenLine[]): string =>
  createHash('sha256')
    .update(JSON.stringify(lines.map(({ speaker, text }) => [speaker, text])))
    .digest('hex')
    .slice(0, 32)

async function segmentsOf({ database, tenantId }: Reader, callId: string): Promise<SpokenLine[]> {
  const rows = await database.query<{
    id: string
    speaker: string
    text: string
    start_ms: number
    end_ms: number | null
  }>(
    sql`select id, speaker, text, start_ms, end_ms from call_segments
      where tenant_id = ${tenantId} and call_id = ${callId} and is_final and speaker <> 'system'
      order by sequence limit ${SEGMENTS_MAX}`,
    { prepared: true },
  )
  const within: SpokenLine[] = []
  let characters = 0
  for (const { id, speaker, text, start_ms: startMs, end_ms: endMs } of rows) {
    characters += text.length
    if (characters > CHARACTERS_MAX) break
    within.push({ speaker, text, segmentId: id, messageId: null, startMs, endMs })
  }
  return within
}

/** What the caller left when nobody answered, as one line of theirs each. */
async function voicemailsOf(read: Reader, callId: string): Promise<SpokenLine[]> {
  const left = await read.find(voicemails, { callSessionId: callId }, VOICEMAILS_MAX)
  const lines = await Promise.all(left.map(({ id, transcript }) => voicemailLine(read, id, transcript)))
  return lines.flatMap((line) => line ?? [])
}

async function voicemailLine(read: Reader, id: string, words: string | null): Promise<SpokenLine | undefined> {
  if (words === null || words.trim() === '') return undefined
  const [message] = await read.find(messages, { voicemailId: id }, 1)
  return callerLine(words, message?.id ?? null)
}

const callerLine = (text: string, messageId: string | null): SpokenLine => ({
  speaker: 'caller',
  text,
  segmentId: null,
  messageId,
  startMs: null,
  endMs: null,
})

/** A voicemail that belongs to no call. */
export async function spokenInVoicemail(read: Reader, id: string): Promise<Spoken | undefined> {
  const voicemail = await read.get(voicemails, id)
  const line = voicemail && (await voicemailLine(read, id, voicemail.transcript))
  if (voicemail === undefined || line === undefined || voicemail.callSessionId !== null) return undefined
  return { ...spokenBy(line, new Date(voicemail.createdAt), voicemail.personId), source: 'voicemail' }
}

export async function spokenInSms(read: Reader, id: string): Promise<Spoken | undefined> {
  const text = await read.get(sms, id)
  const [message] = await read.find(messages, { smsId: id }, 1)
  if (text === undefined) return undefined
  return {
    ...spokenBy(callerLine(text.body, message?.id ?? null), new Date(text.sentAt), text.personId),
    source: 'sms',
  }
}

const spokenBy = (line: SpokenLine, startedAt: Date, personId: string | null): Omit<Spoken, 'source'> => ({
  lines: [line],
  startedAt,
  callId: null,
  messageId: line.messageId,
  personId,
})

/** The places of a conversation as evidence points to them. */
export function evidenceOf({ lines, callId }: Spoken, places: readonly Place[]): Evidence {
  return places.flatMap(({ segmentIndex, start, end, quote }) => {
    const line = lines[segmentIndex]
    if (line === undefined) return []
    const { segmentId, messageId, startMs, endMs, speaker } = line
    return [
      { callSessionId: callId, segmentId, messageId, quote, startMs, endMs, speaker, startChar: start, endChar: end },
    ]
  })
}

/** The other way round, of evidence that points into this conversation. */
export function placesOf({ lines }: Spoken, evidence: Evidence): Place[] {
  return evidence.flatMap(({ segmentId, messageId, quote, startChar: start, endChar: end }) => {
    const segmentIndex = lines.findIndex((line) => line.segmentId === segmentId && line.messageId === messageId)
    return segmentIndex < 0 || start === undefined || end === undefined ? [] : [{ segmentIndex, start, end, quote }]
  })
}
