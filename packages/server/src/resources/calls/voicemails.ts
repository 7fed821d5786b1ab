// Voicemails: what a caller left when nobody answered. Each is a message in the thread with that caller, and tells its
// call that it is there.
import {
  type Body,
  callMoves,
  calls,
  canMove,
  conversations,
  createBody,
  described,
  messages,
  nullable,
  oneOf,
  optional,
  patchBody,
  recordSchema,
  uri,
  voicemails,
  withProperties,
} from '@parley/contract'
import type { Network } from '../../delivery/transport/address-policy.js'
import { type Endpoint, endpoint, handleRead, type Input } from '../../http/endpoint.js'
import { firstIdAt } from '../../store/id.js'
import type { Work } from '../../store/work.js'
import { requireMatch } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { listEndpoint, listPage } from '../generic/list.js'
import { changedFields, newRecord, patched } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import { addMessage, reviseMessage, threadFor } from '../messaging/conversations.js'
import { findOrMakePerson } from '../people/people.js'
import { markReported } from './call-activity.js'
import { type Call, presentCalls } from './composed-call.js'
import {
  audioOf,
  changedAudio,
  noAudio,
  presentVoicemails,
  publishUpdate,
  publishVoicemail,
  type Shown,
  type Voicemail,
  voicemailAnswer,
} from './voicemail-audio.js'
import { addressIn, awaitAudio } from './voicemail-fetching.js'
import { requireVoicemail, voicemailRecordingEndpoints } from './voicemail-recordings.js'

/**
 * Keeps a voicemail: with the person who left it, its message, its event, and the call that it belongs to. Its audio is
 * fetched from `address`.
 */
export async function addVoicemail(input: Input, address?: string): Promise<Shown> {
  const { work } = input
  const sent = newRecord(voicemails, input, input.body)
  const call = sent.callSessionId ? await work.get(calls, sent.callSessionId) : undefined
  const to = sent.to ?? call?.to ?? null
  const personId = sent.personId ?? (await callerOf(work, sent, call))
  const voicemail: Voicemail = { ...sent, callerWithheld: sent.callerNumber === null, to, personId }
  await requireReferences(work, voicemails, input.body, voicemail)
  work.insert(voicemails, voicemail)
  await writeRefs(work, voicemails, undefined, voicemail)
  await addVoicemailMessage(work, voicemail, call)
  if (call) linkCall(work, call, voicemail)
  const shown = { voicemail, audio: await awaitAudio(input, voicemail.id, address, noAudio) }
  publishVoicemail(work, 'voicemail.received', input, shown)
  return shown
}

/** Whoever was calling, or whoever has the number. */
async function callerOf(
  work: Work,
  { callerNumber: phone }: Voicemail,
  call: Call | undefined,
): Promise<string | null> {
  if (call?.personId && (phone === null || call.from === phone)) return call.personId
  return (await findOrMakePerson(work, { phone, via: 'voicemail' }))?.id ?? null
}

async function addVoicemailMessage(work: Work, voicemail: Voicemail, call: Call | undefined): Promise<void> {
  const { id: voicemailId, callSessionId, callerNumber: from, to, personId, transcript } = voicemail
  const ends = { participantAddress: from, ourAddress: to, phoneNumberId: call?.phoneNumberId ?? null, personId }
  // A caller without a number is known by the call alone, which may have ended already.
  const ofCall = from === null && call?.conversationId ? await work.get(conversations, call.conversationId) : undefined
  const thread = ofCall ?? (await threadFor(work, { channel: 'voice', direction: 'inbound', ...ends }))
  addMessage(work, {
    thread,
    direction: 'inbound',
    channel: 'voice',
    body: transcript ?? '',
    from,
    to,
    personId,
    callSessionId,
    voicemailId,
  })
}

/**
 * The call keeps its first voicemail, and was not merely missed. Its end, if it is still to come, is reported like any
 * other.
 */
function linkCall(work: Work, call: Call, { id }: Voicemail): void {
  const status = canMove(callMoves, call.status, 'voicemail') ? 'voicemail' : call.status
  const voicemailId = call.voicemailId ?? id
  if (status !== call.status || voicemailId !== call.voicemailId) work.update(calls, { ...call, status, voicemailId })
}

/** Takes what is said again of a voicemail. The call that it belongs to may be known only now, and so may its audio. */
async function updateVoicemail(input: Input, existing: Voicemail, address?: string): Promise<Shown> {
  const { work } = input
  requireMatch(input, existing)
  const said = patched(voicemails, existing, input.body)
  const call = said.callSessionId ? await work.get(calls, said.callSessionId) : undefined
  const wanted: Voicemail = { ...said, callerWithheld: said.callerNumber === null, to: said.to ?? call?.to ?? null }
  await requireReferences(work, voicemails, input.body, wanted)
  if (call) linkCall(work, call, wanted)
  const before = await audioOf(work, existing.id)
  const audio = await awaitAudio(input, existing.id, address, before)
  const changed = [...changedFields(voicemails, existing, wanted), ...changedAudio(before, audio)]
  if (changed.length === 0) {
    if (call) markReported(work, call.id)
    return { voicemail: existing, audio }
  }
  const voicemail = work.update(voicemails, wanted)
  await writeRefs(work, voicemails, existing, voicemail)
  await updateVoicemailMessage(work, voicemail)
  publishUpdate(work, input, { voicemail, audio }, changed)
  return { voicemail, audio }
}

/** The message says what is known of its voicemail by now. */
async function updateVoicemailMessage(
  work: Work,
  { id, callSessionId, personId, transcript }: Voicemail,
): Promise<void> {
  const [message] = await work.find(messages, { voicemailId: id }, 1)
  if (message) await reviseMessage(work, message, { callSessionId, personId, body: transcript ?? '' })
}

/** The fields of a voicemail, and where its audio is to be fetched from. */
const withAddress = <T>(body: Body<T>) =>
  withProperties(body, {
    recordingUrl: optional(
      described(
        nullable(uri()),
        'Where the carrier keeps the audio, https and good without a key: it is fetched in the background.',
      ),
    ),
  })

const createVoicemail = (opened: readonly Network[]): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/voicemails',
    scope: 'WRITE',
    operationId: 'createVoicemail',
    summary: 'Report a voicemail',
    description:
      'Its audio is fetched from `recordingUrl`, or sent afterwards, with PUT /voicemails/{id}/recording. With ' +
      '`externalRefs` that belong to one voicemail, that one is updated instead.',
    tag: voicemails.label,
    body: withAddress(createBody(voicemails)),
    returns: { status: [201, 200], schema: recordSchema(voicemails) },
    async handle(input) {
      const { work } = input
      const address = addressIn(input, opened)
      const existing = await findByRefs(work, voicemails, input.body.externalRefs)
      if (existing === undefined) return voicemailAnswer(201, input, await addVoicemail(input, address))
      return voicemailAnswer(200, input, await updateVoicemail(input, existing, address))
    },
  })

const changeVoicemail = (opened: readonly Network[]): Endpoint =>
  endpoint({
    method: 'PATCH',
    path: '/voicemails/{id}',
    scope: 'WRITE',
    operationId: 'updateVoicemail',
    summary: 'Update a voicemail',
    description: 'Say who left it, that somebody has listened to it, or what was not known when it was reported.',
    tag: voicemails.label,
    body: withAddress(patchBody(voicemails)),
    returns: { status: 200, schema: recordSchema(voicemails) },
    async handle(input) {
      const address = addressIn(input, opened)
      const existing = await requireVoicemail(input.work, input.params.id)
      return voicemailAnswer(200, input, await updateVoicemail(input, existing, address))
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
    const { read, params } = input
    const voicemail = await requireVoicemail(read, params.id)
    return voicemailAnswer(200, input, { voicemail, audio: await audioOf(read, voicemail.id) })
  },
})

const plainList = listEndpoint(voicemails, presentVoicemails)

const listVoicemails: Endpoint = endpoint({
  ...plainList,
  method: 'GET',
  description: 'With `source=calls`: the calls that have a voicemail, each as a call.',
  query: {
    ...plainList.query,
    source: { schema: oneOf(['voicemails', 'calls']), description: 'What to list; `voicemails` unless said otherwise' },
  },
  handle(input) {
    if (input.query['source'] !== 'calls') return handleRead(plainList, input)
    return listPage(calls, input, [{ field: 'voicemailId', op: '>=', value: firstIdAt(new Date(0)) }], (rows) =>
      presentCalls(rows, input.read),
    )
  },
})

/** `opened` are the networks that recordings may be fetched from besides public addresses. */
export const voicemailEndpoints = (opened: readonly Network[]): Endpoint[] => [
  listVoicemails,
  createVoicemail(opened),
  readVoicemail,
  changeVoicemail(opened),
  ...voicemailRecordingEndpoints,
]
