// The steps that are about calls and voicemails: finds the call under any of its names, and says it through the
// endpoints of calls.
import { calls, type ExternalRef, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import type { CallCondition, CallNames, SpokenSegment, Step } from '../../providers/step.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { ApiError } from '../../store/api-error.js'
import { Reader } from '../../store/reader.js'
import { awaitRecording, nameRecording } from '../calls/call-recording.js'
import { segmentCount, storedSegments } from '../calls/segments.js'
import { takeAudio } from '../calls/voicemail-recordings.js'
import { findByRefs } from '../generic/external-ref-rows.js'
import type { Act } from '../generic/invoke-endpoint.js'
import type { Acts, Taking } from './take-step.js'

type Call = Row<typeof calls>
type CallStep = Exclude<Step, { kind: 'number' | 'sms' | 'sms-status' }>
type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

export async function callActs(taking: Taking, step: CallStep): Promise<Acts> {
  const read = new Reader(taking.parts.database, taking.caller.tenantId)
  const known = step.call === null ? undefined : await findCall(read, step.call)
  if (step.kind === 'call') return beginActs(taking, read, step, known)
  if (step.kind === 'voicemail') return voicemailActs(taking, step, known)
  if (known === undefined) throw unknownCall(step.call)
  switch (step.kind) {
    case 'call-report':
      return unless(step.unless, known) ?? acting(taking, 'updateCall', known, step.body)
    case 'segments':
      return segmentActs(taking, read, step, known)
    case 'facts':
      return factActs(taking, step, known)
    case 'end':
      if (known.endedAt !== null) return { nothing: 'The call has ended' }
      return unless(step.unless, known) ?? acting(taking, 'endCall', known, endOf(taking, step, known))
    case 'recording':
      return recordingActs(taking, step, known)
  }
}

const unless = (condition: CallCondition | undefined, call: Call): Acts | undefined =>
  condition?.(call) ? { nothing: 'The call is past this' } : undefined

const acting = (
  { parts }: Taking,
  operationId: string,
  { id }: Call,
  body: Readonly<Record<string, unknown>>,
): Acts => ({
  act: { endpoint: parts.operation(operationId), params: { id }, body },
  entityType: 'call',
})

/** Told of now, unless it was timed; and not before the call began, by whoever's clock. */
function endOf({ claimed }: Taking, { body }: StepOf<'end'>, { startedAt }: Call): Readonly<Record<string, unknown>> {
  const told = typeof body['endedAt'] === 'string' ? body['endedAt'] : claimed.receivedAt.toISOString()
  return { ...body, endedAt: told < startedAt ? startedAt : told }
}

const unknownCall = ({ provider, providerCallId }: CallNames): ApiError =>
  new ApiError('not_found', `No call of ${provider} is known as ${providerCallId}`)

/** Under the name that the step's own system gave it first: another system may have told of it under its own. */
async function findCall(read: Reader, { provider, providerCallId, alias }: CallNames): Promise<Call | undefined> {
  const [found] = await read.find(calls, { provider, providerCallId }, 1)
  return (
    found ??
    (await findByRefs(read, calls, [{ system: provider, externalId: providerCallId }])) ??
    (alias && (await findByRefs(read, calls, [alias]))) ??
    undefined
  )
}

async function beginActs(
  { parts, claimed }: Taking,
  read: Reader,
  { call, body }: StepOf<'call'>,
  known: Call | undefined,
): Promise<Acts> {
  const { provider, providerCallId, alias } = call
  const own = { system: provider, externalId: providerCallId }
  const isAliasFree = alias && (await isFree(read, alias, known))
  const externalRefs: ExternalRef[] = isAliasFree ? [own, alias] : [own]
  const startedAt = claimed.receivedAt.toISOString()
  const endpoint = known ? parts.operation('updateCall') : parts.operation('createCall')
  const sent = known
    ? { ...reportable(body), externalRefs }
    : { startedAt, ...body, provider, providerCallId, externalRefs }
  return { act: { endpoint, params: known ? { id: known.id } : {}, body: sent }, entityType: 'call' }
}

/** A name that another call goes by already stays with that one. */
async function isFree(read: Reader, ref: ExternalRef, known: Call | undefined): Promise<boolean> {
  const holder = await findByRefs(read, calls, [ref])
  return holder === undefined || holder.id === known?.id
}

/** Who was on the call was settled when it began. */
const settled: readonly string[] = ['direction', 'from', 'to', 'startedAt']
const reportable = (report: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(report).filter(([name]) => !settled.includes(name)))

async function segmentActs(taking: Taking, read: Reader, step: StepOf<'segments'>, call: Call): Promise<Acts> {
  const segments = step.segments.map((segment) => timed(segment, call))
  const [first] = segments
  if (first === undefined) return { nothing: 'Nothing was said' }
  if (step.opening && (await hasOtherTranscript(read, call, step.opening)))
    return { nothing: 'The call has a transcript' }
  return acting(taking, 'addCallSegments', call, { segments })
}

/** A transcript that comes as a whole gives way to one that somebody else has sent. */
async function hasOtherTranscript(read: Reader, { id }: Call, opening: SpokenSegment): Promise<boolean> {
  if ((await segmentCount(read, id)) === 0) return false
  const [stored] = await storedSegments(read, id, [opening.sequence])
  return stored?.text !== opening.text
}

function timed({ startMs, endMs = null, confidence = null, ...rest }: SpokenSegment, { startedAt }: Call) {
  const at = typeof startMs === 'number' ? startMs : Date.parse(startMs.at) - Date.parse(startedAt)
  const start = Number.isFinite(at) ? Math.max(0, Math.round(at)) : 0
  return { ...rest, startMs: start, endMs: endMs === null ? null : Math.max(start, Math.round(endMs)), confidence }
}

function factActs(taking: Taking, { facts }: StepOf<'facts'>, call: Call): Acts {
  if (facts.length === 0) return { nothing: 'Nothing was learned' }
  if (call.personId === null && call.workRecordId === null)
    return { nothing: 'The call has neither person nor work record to keep facts about' }
  return acting(taking, 'addCallFacts', call, { facts })
}

/** Not for clients: they say where a recording is with the call itself. */
function keepRecording(parts: Taking['parts'], handle: Endpoint['handle']): Endpoint {
  const { body: _, ...update } = parts.operation('updateCall')
  return { ...update, operationId: 'keepCallRecording', handle }
}

function recordingActs(
  { parts, caller }: Taking,
  { source }: StepOf<'recording'>,
  { id, recordingStatus }: Call,
): Acts {
  if (recordingStatus === 'available') return { nothing: 'The recording is there' }
  if ('url' in source) {
    const endpoint = keepRecording(parts, (input) => awaitRecording(input, id, source.url))
    return { act: { endpoint, params: { id } }, entityType: 'call' }
  }
  const audio = { bytes: [Buffer.from(source.base64, 'base64')], mediaType: source.mediaType }
  const endpoint = keepRecording(parts, (input) => nameRecording(input, id, input.received as KeptAudio))
  const receive: Act['receive'] = (input) => takeAudio(input, caller.tenantId, id, audio)
  return { act: { endpoint, params: { id }, receive }, entityType: 'call' }
}

function voicemailActs({ parts }: Taking, step: StepOf<'voicemail'>, call: Call | undefined): Acts {
  const { recording, body } = step
  if (call === undefined && body['callerNumber'] === undefined && step.call !== null) throw unknownCall(step.call)
  const sent = {
    callerNumber: call?.from ?? null,
    ...(call && { to: call.to, callSessionId: call.id }),
    ...body,
    externalRefs: [recording],
  }
  return {
    act: { endpoint: parts.operation('createVoicemail'), params: {}, body: sent },
    entityType: 'voicemail',
  }
}
