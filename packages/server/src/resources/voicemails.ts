// Voicemails: what a caller left when nobody answered. Each is a message in the thread with that caller, and tells its call that it is there.
import { callMoves, calls, canMove, conversations, createBody, messages, oneOf, type Row, recordSchema, voicemails } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.js'
import { noContent } from '../store/answer.js'
import { notFound } from '../store/api-error.js'
import type { Change } from '../store/change.js'
import { firstIdAt } from '../store/id.js'
import { markReported } from './call-activity.js'
import { type Call, presentCalls } from './call-record.js'
import { addMessage, threadFor } from './conversations.js'
import { listEndpoint, listPage } from './list.js'
import { findOrMakePerson } from './people.js'
import { changedFields, newRecord, nextVersion, patched } from './record.js'
import { findByRefs, writeRefs } from './record-refs.js'
import { requireReferences } from './references.js'
import { lastingAddress, presentVoicemails, voicemailAnswer, voicemailRecordingEndpoints } from './voicemail-recordings.js'

export type Voicemail = Row<typeof voicemails>

/** Keeps a voicemail: with the person who left it, its message, its event, and the call that it belongs to. */
export async function addVoicemail(change: Change, input: Input): Promise<Voicemail> {
  const sent = newRecord(voicemails, input.caller, input.body, input.now)
  const call =
    change.pending(calls).find(({ id }) => id === sent.callSessionId) ?? (sent.callSessionId ? await input.read.get(calls, sent.callSessionId) : undefined)
  const to = sent.to ?? call?.to ?? null
  const personId = await callerOf(change, input, sent, call)
  const voicemail: Voicemail = { ...sent, callerWithheld: sent.callerNumber === null, to, personId }
  await requireReferences(input, voicemails, input.body, voicemail)
  change.insert(voicemails, voicemail)
  await writeRefs(change, input, voicemails, undefined, voicemail)
  await addVoicemailMessage(change, input, voicemail, call)
  if (call) linkCall(change, input, call, voicemail)
  const { id: voicemailId, callSessionId, callerNumber, transcript } = voicemail
  const recordingUrl = lastingAddress(input, voicemailId)
  const shown = { ...voicemail, recordingUrl }
  change.publish('voicemail.received', { voicemailId, callSessionId, callerNumber, transcript, recordingUrl, personId, voicemail: shown })
  return voicemail
}

/** Whoever was calling, or whoever has the number. */
async function callerOf(change: Change, input: Input, { callerNumber: phone }: Voicemail, call: Call | undefined): Promise<string | null> {
  if (call?.personId && (phone === null || call.from === phone)) return call.personId
  return (await findOrMakePerson(change, input, { phone, via: 'voicemail' }))?.id ?? null
}

async function addVoicemailMessage(change: Change, input: Input, voicemail: Voicemail, call: Call | undefined): Promise<void> {
  const { id: voicemailId, callSessionId, callerNumber: from, to, personId, transcript } = voicemail
  const ends = { participantAddress: from, ourAddress: to, phoneNumberId: call?.phoneNumberId ?? null, personId }
  // A caller without a number is known by the call alone, which may have ended already.
  const ofCall = from === null && call?.conversationId ? await input.read.get(conversations, call.conversationId) : undefined
  const thread = ofCall ?? (await threadFor(change, input, { channel: 'voice', direction: 'inbound', ...ends }))
  addMessage(change, input, { thread, direction: 'inbound', channel: 'voice', body: transcript ?? '', from, to, personId, callSessionId, voicemailId })
}

/** The call keeps its first voicemail, and was not merely missed. Its end, if it is still to come, is reported like any other. */
function linkCall(change: Change, { now }: Input, call: Call, { id }: Voicemail): void {
  const status = canMove(callMoves, call.status, 'voicemail') ? 'voicemail' : call.status
  const voicemailId = call.voicemailId ?? id
  if (status !== call.status || voicemailId !== call.voicemailId) change.update(calls, nextVersion({ ...call, status, voicemailId }, now))
}

/** Takes what is said again of a voicemail. The call that it belongs to may be known only now. */
async function updateVoicemail(change: Change, input: Input, existing: Voicemail): Promise<Voicemail> {
  const said = patched(voicemails, existing, input.body)
  const call = said.callSessionId ? await input.read.get(calls, said.callSessionId) : undefined
  const wanted: Voicemail = { ...said, callerWithheld: said.callerNumber === null, to: said.to ?? call?.to ?? null }
  await requireReferences(input, voicemails, input.body, wanted)
  if (call) linkCall(change, input, call, wanted)
  if (changedFields(voicemails, existing, wanted).length === 0) {
    if (call) markReported(change, input, call.id)
    return existing
  }
  const voicemail = nextVersion(wanted, input.now)
  change.update(voicemails, voicemail)
  await writeRefs(change, input, voicemails, existing, voicemail)
  await updateVoicemailMessage(change, input, voicemail)
  return voicemail
}

/** The message says what is known of its voicemail by now. */
async function updateVoicemailMessage(change: Change, { read, now }: Input, { id, callSessionId, transcript }: Voicemail): Promise<void> {
  const [message] = await read.find(messages, { voicemailId: id }, 1)
  if (message === undefined) return
  const told = { ...message, callSessionId, body: transcript ?? '' }
  if (changedFields(messages, message, told).length > 0) change.update(messages, nextVersion(told, now))
}

const createVoicemail: Endpoint = endpoint({
  method: 'POST',
  path: '/voicemails',
  scope: 'WRITE',
  operationId: 'createVoicemail',
  summary: 'Report a voicemail',
  description:
    'Its audio is sent afterwards, with PUT /voicemails/{id}/recording. With `externalRefs` that belong to one voicemail, that one is updated instead.',
  tag: voicemails.label,
  body: createBody(voicemails),
  returns: { status: [201, 200], schema: recordSchema(voicemails) },
  async handle(input) {
    const existing = await findByRefs(input.read, voicemails, input.body['externalRefs'] as never)
    const change = noContent()
    if (existing === undefined) return change.answering(await voicemailAnswer(201, input, await addVoicemail(change, input)))
    return change.answering(await voicemailAnswer(200, input, await updateVoicemail(change, input, existing)))
  },
})

const readVoicemail: Endpoint = endpoint({
  method: 'GET',
  path: '/voicemails/{id}',
  scope: 'READ',
  operationId: 'getVoicemail',
  summary: 'Get one voicemail',
  tag: voicemails.label,
  returns: { status: 200, schema: recordSchema(voicemails) },
  async handle(input) {
    const voicemail = await input.read.get(voicemails, input.params['id'] ?? '')
    if (voicemail === undefined) throw notFound()
    return voicemailAnswer(200, input, voicemail)
  },
})

const plainList = listEndpoint(voicemails, presentVoicemails)

const listVoicemails: Endpoint = endpoint({
  ...plainList,
  description: 'With `source=calls`: the calls that have a voicemail, each as a call.',
  query: { ...plainList.query, source: { schema: oneOf(['voicemails', 'calls']), description: 'What to list; `voicemails` unless said otherwise' } },
  handle(input) {
    if (input.query['source'] !== 'calls') return plainList.handle(input)
    return listPage(calls, input, [{ field: 'voicemailId', op: '>=', value: firstIdAt(new Date(0)) }], (rows) => presentCalls(rows, input.read))
  },
})

export const voicemailEndpoints: Endpoint[] = [listVoicemails, createVoicemail, readVoicemail, ...voicemailRecordingEndpoints]
