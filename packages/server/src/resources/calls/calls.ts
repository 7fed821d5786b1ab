// Calls: how one begins, and what is reported of it while it lasts. Reports come from telephony, late and twice and out
// of order, so a status that comes late leaves the call where it is and is no error; one that contradicts what is known
// of it is a conflict.
import {
  type CallStatus,
  callBody,
  callMoves,
  callReportBody,
  calls,
  canMove,
  isOneOf,
  openCallStatuses,
  people,
  phoneNumbers,
  recordSchema,
  reportedFields,
  type SentToCreate,
} from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { conflict, illegalMove } from '../../store/api-error.js'
import type { Work } from '../../store/work.js'
import { requireMatch } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { listEndpoint } from '../generic/list.js'
import { changedFields, newRecord, patched } from '../generic/record-values.js'
import { findTwin, requireReferences } from '../generic/reference-checks.js'
import { findOrMakePerson } from '../people/people.js'
import { markReported } from './call-activity.js'
import { callRecordingEndpoint } from './call-recording.js'
import { callReportEndpoints } from './call-subresources.js'
import { type Call, callAnswer, callText, getCall, presentCalls, writtenCallAnswer } from './composed-call.js'
import { endCall, ourNumber, theirNumber } from './end-call.js'
import { callSurfaceEndpoint } from './surface.js'
import { callStreamEndpoint } from './surface-stream.js'
import { callTranscriptEndpoint } from './transcript-endpoint.js'

const isOpen = (status: CallStatus): boolean => isOneOf(openCallStatuses, status)

/** Begins a call, with the person behind the other number and the number of ours that it runs over. */
export async function beginCall(work: Work, body: Record<string, unknown>): Promise<Call> {
  const draft = newRecord(calls, work, body)
  const startedAt = draft.startedAt ?? draft.createdAt
  const isAnswered = draft.status === 'in_progress' || (draft.answeredAt !== null && body['status'] === undefined)
  const answeredAt = draft.answeredAt ?? (isAnswered ? startedAt : null)
  const fromWithheld = draft.from === null
  const parties = await partiesOf(work, draft)
  const record: Call = {
    ...draft,
    ...parties,
    fromWithheld,
    startedAt,
    answeredAt,
    status: isAnswered ? 'in_progress' : 'ringing',
  }
  const call = { ...record, recordingStatus: recordingStatus(record) }
  await requireReferences(work, calls, body, call)
  work.insert(calls, call)
  await writeRefs(work, calls, undefined, call)
  const shown: Call = JSON.parse(await callText(work, call))
  work.publish('call.started', { callId: call.id, from: call.from, to: call.to, call: shown })
  return call
}

/** Who is on the call, where it was not said: known by number, or made. */
async function partiesOf(work: Work, call: Call): Promise<Pick<Call, 'personId' | 'customerId' | 'phoneNumberId'>> {
  const person = call.personId
    ? await work.get(people, call.personId)
    : await findOrMakePerson(work, { phone: theirNumber(call), name: call.callerName, via: 'call' })
  const ours = ourNumber(call)
  const [number] = call.phoneNumberId || ours === null ? [] : await work.find(phoneNumbers, { e164: ours }, 1)
  return {
    personId: call.personId ?? person?.id ?? null,
    customerId: call.customerId ?? person?.customerId ?? null,
    phoneNumberId: call.phoneNumberId ?? number?.id ?? null,
  }
}

/** One that is still being fetched has no address yet. */
const recordingStatus = ({ recordingUrl, recordingStatus: known }: Call): Call['recordingStatus'] =>
  recordingUrl !== null ? 'available' : known === 'available' ? 'none' : known

/** What a report may say of a call beside its fields. */
interface Report {
  readonly status?: CallStatus | undefined
  readonly duration?: number | undefined
  readonly endedAt?: string | null | undefined
}

/** Takes a report on a call that is there. A terminal status ends it, with all that belongs to an end. */
export async function reportCall(work: Work, before: Call, sent: Report & Record<string, unknown>): Promise<Call> {
  const { status: reported, duration, endedAt, ...values } = sent
  const said = keepingAnswer(before, patched(calls, before, values))
  const answered = { ...said, ...answerOf(before, said, reported, work.now), recordingStatus: recordingStatus(said) }
  const isEnd = before.endedAt === null && reported !== undefined && !isOpen(reported)
  if (isEnd) {
    await requireReferences(work, calls, values, answered)
    const call = await endCall(work, answered, {
      status: terminalStatus(answered, reported),
      duration,
      endedAt,
    })
    await writeRefs(work, calls, before, call)
    return call
  }
  if (before.endedAt === null) requireNoEnd(before, { duration, endedAt })
  const moved =
    reported !== undefined && canMove(callMoves, answered.status, reported)
      ? { ...answered, status: reported }
      : answered
  await requireReferences(work, calls, values, moved)
  if (changedFields(calls, before, moved).length === 0) {
    markReported(work, before.id)
    return before
  }
  const call = work.update(calls, moved)
  await writeRefs(work, calls, before, call)
  return call
}

/** The status of a reported end. A call that a voicemail has brought to its last status already is only ended by it. */
function terminalStatus({ status }: Call, reported: CallStatus): CallStatus | undefined {
  if (!isOpen(status)) return undefined
  if (!canMove(callMoves, status, reported)) throw illegalMove(status, reported, callMoves[status])
  return reported
}

/** How long a call was and when it ended can be said only with its end. A copy of the call as it is says neither. */
function requireNoEnd(before: Call, { duration = before.duration, endedAt }: Report): void {
  if (duration === before.duration && (endedAt ?? null) === null) return
  const { status: from } = before
  const allowed = callMoves[from].filter((status) => !isOpen(status))
  throw conflict(
    'state',
    'duration and endedAt come with the end; send a terminal status too, or POST /calls/{id}/end',
    { from, allowed },
  )
}

/** An answer is never taken back: a null comes from a copy that was read before it. */
const keepingAnswer = ({ answeredAt }: Call, said: Call): Call => ({
  ...said,
  answeredAt: said.answeredAt ?? answeredAt,
})

/** A ringing call that is said to be answered, in either way, is being talked on. */
function answerOf(before: Call, said: Call, reported: CallStatus | undefined, now: Date): Partial<Call> {
  const isAnswered =
    before.status === 'ringing' && (reported === 'in_progress' || (said.answeredAt !== null && reported !== 'ringing'))
  return isAnswered ? { status: 'in_progress', answeredAt: said.answeredAt ?? now.toISOString() } : {}
}

const reportOf = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => isOneOf(reportedFields, name)))

/** The call that a body is about, by its external references or by what its provider calls it. */
async function findCall({ work, body }: Input<Partial<SentToCreate<typeof calls>>>): Promise<Call | undefined> {
  const named = { provider: body.provider ?? 'generic', providerCallId: body.providerCallId }
  return (
    (await findByRefs(work, calls, body.externalRefs)) ??
    (await findTwin(work, calls, ['provider', 'providerCallId'], named))
  )
}

const createCall: Endpoint = endpoint({
  method: 'POST',
  path: '/calls',
  scope: 'WRITE',
  operationId: 'createCall',
  summary: 'Report a call',
  description:
    'The caller is found or made by number. A call that is known by `provider` and `providerCallId`, or by ' +
    'external reference, is updated instead.',
  tag: calls.label,
  body: callBody,
  returns: { status: [201, 200], schema: recordSchema(calls) },
  async handle(input) {
    const { work } = input
    const existing = await findCall(input)
    const call = existing ? await reportCall(work, existing, reportOf(input.body)) : await beginCall(work, input.body)
    return writtenCallAnswer(existing ? 200 : 201, work, call)
  },
})

export const updateCall: Endpoint = endpoint({
  method: 'PATCH',
  path: '/calls/{id}',
  scope: 'WRITE',
  operationId: 'updateCall',
  summary: 'Report on a call',
  description:
    'A terminal status ends the call as `/end` does, and `duration` and `endedAt` are taken with it; `completed` ' +
    'is the report of an answer. A status that ' +
    'comes late leaves the call as it is and the other fields apply; one that the call cannot move to is refused.',
  tag: calls.label,
  body: callReportBody,
  returns: { status: 200, schema: recordSchema(calls) },
  async handle(input) {
    const { work } = input
    const before = await getCall(work, input.params.id)
    requireMatch(input, before)
    const call = await reportCall(work, before, input.body)
    return writtenCallAnswer(200, work, call)
  },
})

const readCall: Endpoint = endpoint({
  method: 'GET',
  path: '/calls/{id}',
  scope: 'READ',
  operationId: 'getCall',
  summary: 'Get one call',
  tag: calls.label,
  returns: { status: 200, schema: recordSchema(calls) },
  handle: ({ read, params }) => callAnswer(read, params.id),
})

export const callEndpoints: Endpoint[] = [
  listEndpoint(calls, (rows, { read }) => presentCalls(rows, read)),
  createCall,
  readCall,
  updateCall,
  ...callReportEndpoints,
  callTranscriptEndpoint,
  callSurfaceEndpoint,
  callStreamEndpoint,
  callRecordingEndpoint,
]
