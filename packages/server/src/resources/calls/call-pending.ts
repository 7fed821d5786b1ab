// A call as it will be once a change is made: what no read can see before the commit, laid over what is stored.
import { drafts, facts, limits, signals } from '@parley/contract'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { type Answer, etag } from '../../store/response.js'
import { type Call, composed, type Embeds, embedsOf, noEmbeds } from './composed-call.js'
import { noSegments, type Segment, type SegmentPlan } from './segments.js'

/** The answer to a write of a call. */
export async function pendingAnswer(
  status: number,
  change: Change,
  read: Reader,
  call: Call,
  plan: SegmentPlan = noSegments,
): Promise<Answer> {
  return { status, body: await pendingText(change, read, call, plan), headers: { etag: etag(call.version) } }
}

export async function pendingText(
  change: Change,
  read: Reader,
  call: Call,
  plan: SegmentPlan = noSegments,
): Promise<string> {
  const before = call.version === 1 ? noEmbeds : await embedsOf(read, call.id)
  return composed(JSON.stringify(call), call.endedAt === null, withPending(before, change, call.id, plan))
}

function withPending(before: Embeds, change: Change, callId: string, plan: SegmentPlan): Embeds {
  const lay = (stored: string, pending: readonly { id: string }[]): string =>
    pending.length === 0
      ? stored
      : textOf(overlaid(JSON.parse(`[${stored}]`) as { id: string }[], pending).slice(0, limits.embeddedItems))
  const of = partsOf(change, callId)
  return {
    segmentCount: before.segmentCount + plan.inserts.length,
    segments: plan.results.length === 0 ? before.segments : firstOf(before.segments, plan.results),
    drafts: lay(before.drafts, of.drafts),
    facts: lay(before.facts, of.facts),
    signals: lay(before.signals, of.signals),
  }
}

/** What a change makes of a call's drafts, facts and signals. */
export const partsOf = (change: Change, callId: string) => ({
  drafts: change.pending(drafts).filter(({ callSessionId }) => callSessionId === callId),
  facts: change.pending(facts).filter(({ sourceCallSessionId }) => sourceCallSessionId === callId),
  signals: change.pending(signals).filter(({ callSessionId }) => callSessionId === callId),
})

/** Records by id, oldest first; one that is pending takes the place of its stored version. */
export function overlaid<T extends { id: string }>(stored: readonly T[], pending: readonly T[]): T[] {
  const records = new Map([...stored, ...pending].map((record) => [record.id, record]))
  return [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

const textOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(',')

function firstOf(stored: string, pending: readonly Segment[]): string {
  const before: Segment[] = JSON.parse(`[${stored}]`)
  const segments = new Map(before.map((segment) => [segment.sequence, segment]))
  for (const segment of pending) segments.set(segment.sequence, segment)
  const sorted = [...segments.values()].sort((a, b) => a.sequence - b.sequence).slice(0, limits.embeddedItems)
  let bytes = 0
  const fitting = sorted.filter(({ text }) => (bytes += Buffer.byteLength(text)) <= limits.embeddedTranscriptBytes)
  return textOf(fitting)
}
