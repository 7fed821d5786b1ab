// What a voice agent reports of a call, whoever made the agent: one call with who was on it, what was said, what was
// learned and what it cost, as steps.
import { limits } from '@parley/contract'
import { isE164 } from '../http/telephone.js'
import type { Json } from './payload.js'
import type { CallNames, SpokenSegment, Step } from './step.js'

export interface AgentReport {
  /** The vendor, by the name of its provider. */
  readonly vendor: string
  readonly callId: string
  /** What the carrier calls the same call, where the vendor says. */
  readonly callSid: string | undefined
  readonly direction: 'inbound' | 'outbound'
  readonly from: string | undefined
  readonly to: string | undefined
  readonly startedAt: string | undefined
  readonly agentName: string | undefined
  readonly cost: Readonly<Record<string, number>> | undefined
}

export interface AgentEnd {
  readonly endedAt?: string | undefined
  readonly durationSeconds?: number | undefined
  readonly endReason?: string | undefined
  readonly summary?: string | undefined
  readonly sentiment?: string | undefined
  readonly segments: readonly SpokenSegment[]
  readonly facts: readonly Readonly<Record<string, unknown>>[]
  readonly recordingUrl?: string | undefined
}

export const namesOf = ({ vendor, callId, callSid }: AgentReport): CallNames => ({
  provider: vendor,
  providerCallId: callId,
  ...(callSid !== undefined && { alias: { system: 'twilio', externalId: callSid } }),
})

/** A call without telephone numbers, such as one in a browser, is none that we can show. */
export const whyNoCall = ({ direction, from, to }: AgentReport): string | undefined =>
  isE164(to ?? '') && (direction === 'inbound' || from !== undefined)
    ? undefined
    : 'The call has no telephone numbers, such as one from a web page'

export function begunSteps(report: AgentReport, status: 'ringing' | 'in_progress'): Step[] {
  const { direction, from, to, startedAt, agentName, cost } = report
  const body = {
    direction,
    from: from ?? null,
    to,
    status,
    ...(startedAt !== undefined && { startedAt }),
    handledBy: { type: 'ai', agentName: agentName === undefined ? null : cut(agentName, limits.nameLength) },
    ...(cost !== undefined && { metadata: { cost } }),
  }
  return [{ kind: 'call', call: namesOf(report), body }]
}

/** What was said and learned comes before the end, so that the event of the end tells it all. */
export function endedSteps(report: AgentReport, end: AgentEnd): Step[] {
  const call = namesOf(report)
  const { endedAt, durationSeconds, endReason, summary, sentiment, segments, facts, recordingUrl } = end
  const isTalk = segments.some(({ speaker }) => speaker !== 'system') || (durationSeconds ?? 0) > 0
  const said = {
    ...(summary !== undefined && { summary: cut(summary, limits.textLength) }),
    ...(sentiment !== undefined && { sentiment: cut(sentiment.toLowerCase(), limits.wordLength) }),
    ...(endReason !== undefined && { endReason: cut(endReason, limits.wordLength) }),
  }
  const over = {
    ...(isTalk && { outcome: 'answered' }),
    ...(endedAt !== undefined && { endedAt }),
    ...(durationSeconds !== undefined && { duration: Math.round(durationSeconds) }),
  }
  return [
    ...begunSteps(report, isTalk ? 'in_progress' : 'ringing'),
    ...inBatches(segments).map((batch): Step => ({ kind: 'segments', call, segments: batch, opening: segments[0] })),
    ...(Object.keys(said).length > 0 ? [{ kind: 'call-report' as const, call, body: said }] : []),
    ...(facts.length > 0 ? [{ kind: 'facts' as const, call, facts: facts.slice(0, limits.factsPerRequest) }] : []),
    ...(recordingUrl?.startsWith('https://')
      ? [{ kind: 'recording' as const, call, source: { url: recordingUrl } }]
      : []),
    { kind: 'end', call, body: over },
  ]
}

function inBatches(segments: readonly SpokenSegment[]): SpokenSegment[][] {
  const count = Math.ceil(segments.length / limits.segmentsPerRequest)
  return Array.from({ length: count }, (_, index) =>
    segments.slice(index * limits.segmentsPerRequest, (index + 1) * limits.segmentsPerRequest),
  )
}

export const cut = (text: string, length: number): string => [...text].slice(0, length).join('')

/** What the vendor has learned. It says nothing of how sure it is, so nobody but a human confirms it. */
export function learned(
  vendor: string,
  key: string,
  value: Json,
  rationale?: string,
): readonly Readonly<Record<string, unknown>>[] {
  const isNothing = value.value === undefined || value.value === null || value.value === ''
  if (isNothing || key.trim() === '') return []
  const because =
    rationale === undefined
      ? {}
      : { rationale: cut(rationale, limits.textLength), evidence: [{ quote: cut(rationale, 8_000) }] }
  return [{ key: cut(key, limits.nameLength), value: value.value, extractor: vendor, ...because }]
}

/** Sequence numbers in the order in which it was said. */
export const numbered = (spoken: readonly Omit<SpokenSegment, 'sequence'>[]): SpokenSegment[] =>
  spoken.map((segment, sequence) => ({ ...segment, sequence, text: cut(segment.text, limits.segmentLength) }))
