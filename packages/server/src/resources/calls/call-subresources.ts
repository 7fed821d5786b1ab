// What is reported of a call beside the call itself: its transcript, the facts learned in it, and its end.
import {
  callEndBody,
  callFactsBody,
  calls,
  drafts,
  type Entity,
  facts,
  limits,
  recordSchema,
  segment,
  segmentsBody,
  signalEvents,
  writableFields,
} from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { listAnswer } from '../../http/respond.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { addDraft } from '../drafts/drafts.js'
import { prefixIssues } from '../generic/nested-issues.js'
import { unpagedSchema } from '../generic/response-schemas.js'
import { openStatuses } from '../knowledge/fact-supersession.js'
import { addFact, type Fact, type FactDefaults } from '../knowledge/facts.js'
import { addSignalEvent } from '../knowledge/signals.js'
import { markReported } from './call-activity.js'
import { spokenTraces, type Traces } from './call-answered.js'
import { type Call, getCall, writtenCallAnswer } from './composed-call.js'
import { type End, endCall } from './end-call.js'
import { appenderOf } from './segment-batcher.js'
import {
  isPlanEmpty,
  noSegments,
  planSegments,
  requireOrder,
  type SegmentPlan,
  type SentSegment,
  segmentCount,
  storedSegments,
  writeSegments,
} from './segments.js'
import { segmentsOfText } from './transcript-format.js'

type Values = Record<string, unknown>

export const addSegments: Endpoint = endpoint({
  method: 'POST',
  path: '/calls/{id}/segments',
  scope: 'WRITE',
  operationId: 'addCallSegments',
  summary: 'Add to the transcript of a call',
  description:
    'Once per sequence number: a final segment takes the place of an interim one, never the reverse. Answers with ' +
    'each as it now is.',
  tag: calls.label,
  body: segmentsBody,
  returns: { status: 200, schema: unpagedSchema(segment, limits.segmentsPerRequest) },
  async handle(input) {
    const { work } = input
    const { id } = input.params
    const { segments: sent } = input.body
    const appended = input.isAlone && sent.length > 0 ? await append(work, id, sent) : undefined
    if (appended) return segmentsAnswer(appended, input.requestId)
    const plan = await planned(work, id, sent, 'segments')
    writeSegments(work, id, plan)
    if (isPlanEmpty(plan)) markReported(work, id)
    return segmentsAnswer(plan, input.requestId)
  },
})

const segmentsAnswer = ({ results }: SegmentPlan, requestId: string): Answer =>
  listAnswer([JSON.stringify(results).slice(1, -1)], requestId)

/**
 * Most batches go on where the transcript ends, and need not be compared with what is stored. Undefined when this one
 * does not.
 */
async function append(
  { database, tenantId, now }: Work,
  callId: string,
  sent: readonly SentSegment[],
): Promise<SegmentPlan | undefined> {
  requireOrder(sent, 'segments')
  const plan = planSegments(callId, [], sent, now)
  return (await appenderOf(database).append({ tenantId, callId, segments: plan.inserts, now })) ? plan : undefined
}

async function planned(work: Work, callId: string, sent: readonly SentSegment[], path: string): Promise<SegmentPlan> {
  requireOrder(sent, path)
  const sequences = sent.map(({ sequence }) => sequence)
  return planSegments(callId, await storedSegments(work, callId, sequences), sent, work.now)
}

export const addFacts: Endpoint = endpoint({
  method: 'POST',
  path: '/calls/{id}/facts',
  scope: 'WRITE',
  operationId: 'addCallFacts',
  summary: 'Capture facts in a call',
  description: 'A fact that names no subject is about the work record of the call, else about its person.',
  tag: calls.label,
  body: callFactsBody,
  returns: { status: 200, schema: unpagedSchema(recordSchema(facts), limits.factsPerRequest) },
  async handle(input) {
    const { work } = input
    const call = await getCall(work, input.params.id)
    const captured = await captureFacts(work, call, input.body.facts)
    const texts = captured.map((fact) => JSON.stringify(fact))
    return listAnswer(texts, input.requestId)
  },
})

/** What a record within a body says: one that is sent as it was read brings fields along that only the service sets. */
function writable(entity: Entity, sent: Values): Values {
  const names = new Set(writableFields(entity))
  return Object.fromEntries(Object.entries(sent).filter(([name]) => names.has(name)))
}

async function captureFacts(work: Work, call: Call, sent: readonly Values[]): Promise<Fact[]> {
  const captured: Fact[] = []
  for (const [index, body] of sent.entries()) {
    const add = () => addFact(work, writable(facts, body), factDefaults(call))
    captured.push((await prefixIssues(`facts[${index}]`, add)).fact)
  }
  // A later fact of the same body may have superseded or corroborated an earlier one.
  return captured.map((fact) => work.current(facts, fact))
}

function factDefaults({ id, workRecordId, personId }: Call): FactDefaults {
  const subject: FactDefaults = workRecordId
    ? { subjectType: 'work_record', subjectId: workRecordId }
    : personId
      ? { subjectType: 'person', subjectId: personId }
      : {}
  return { ...subject, sourceCallSessionId: id, source: 'call' }
}

interface EndBody extends End {
  summary?: string | null
  recordingUrl?: string | null
  transcript?: string | SentSegment[]
  facts?: Values[]
  draft?: Values | null
  signals?: Values[]
}

export const finishCall: Endpoint = endpoint({
  method: 'POST',
  path: '/calls/{id}/end',
  scope: 'WRITE',
  operationId: 'endCall',
  summary: 'End a call',
  description:
    'Once: a call that has ended is answered as it is. Only a silent ringing call was missed, unless `outcome` ' +
    'says otherwise. A transcript that is sent as ' +
    'text is taken when no segments were streamed.',
  tag: calls.label,
  body: callEndBody,
  returns: { status: 200, schema: recordSchema(calls) },
  async handle(input) {
    const { work } = input
    const before = await getCall(work, input.params.id)
    if (before.endedAt !== null) return writtenCallAnswer(200, work, before)
    const { body } = input
    const sent =
      typeof body.transcript === 'string' ? segmentsOfText(body.transcript, 'transcript') : (body.transcript ?? [])
    const plan = await transcriptPlan(work, before, body.transcript, sent)
    const summary = body.summary ?? before.summary
    const recordingUrl = body.recordingUrl ?? before.recordingUrl
    const wanted: Call = {
      ...before,
      summary,
      recordingUrl,
      recordingStatus: recordingUrl === null ? before.recordingStatus : 'available',
    }
    const shown: Traces = {
      ...spokenTraces(sent),
      isUsed: (body.facts ?? []).length > 0 || (body.draft ?? null) !== null,
    }
    const call = await endCall(work, wanted, body, {
      plan,
      shown,
      capture: (ended) => capture(work, ended, body),
    })
    return writtenCallAnswer(200, work, call, plan)
  },
})

/** A text is taken when no segments were streamed. */
async function transcriptPlan(
  work: Work,
  { id }: Call,
  transcript: EndBody['transcript'],
  sent: readonly SentSegment[],
): Promise<SegmentPlan> {
  if (sent.length === 0) return noSegments
  if (typeof transcript !== 'string') return planned(work, id, sent, 'transcript')
  return (await segmentCount(work, id)) > 0 ? noSegments : planSegments(id, [], sent, work.now)
}

async function capture(work: Work, call: Call, body: EndBody): Promise<void> {
  const { id: callSessionId, personId, customerId, workRecordId } = call
  await captureFacts(work, call, body.facts ?? [])
  for (const [index, signal] of (body.signals ?? []).entries()) {
    await prefixIssues(`signals[${index}]`, () =>
      addSignalEvent(work, { personId, workRecordId, ...writable(signalEvents, signal), callSessionId }),
    )
  }
  if (!body.draft) return
  const draft = writable(drafts, body.draft)
  const factIds = await standingFactIds(work, call)
  await prefixIssues('draft', () => addDraft(work, { personId, customerId, factIds, ...draft, callSessionId }))
}

/** What was learned in the call and still stands: a draft rests on all of it unless it says otherwise. */
async function standingFactIds(work: Work, { id }: Call): Promise<string[]> {
  const standing = await work.find(facts, { sourceCallSessionId: id, status: openStatuses }, limits.listItems)
  return standing.map((fact) => fact.id)
}

export const callReportEndpoints: Endpoint[] = [addSegments, addFacts, finishCall]
