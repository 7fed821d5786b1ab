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
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import type { Change } from '../../store/change.js'
import { firstIdAt } from '../../store/id.js'
import { noContent } from '../../store/response.js'
import { requireMatch } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { listEndpoint, listPage } from '../generic/list.js'
import { changedFields, newRecord, nextVersion, patched } from '../generic/record-values.js'
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
export async function addVoicemail(change: Change, input: Input, address?: string): Promise<Shown> {
  const sent = newRecord(voicemails, input.caller, input.body, input.now)
  const call =
    change.pending(calls).find(({ id }) => id === sent.callSessionId) ??
    (sent.callSessionId ? await input.read.get(calls, sent.callSessionId) : undefined)
  const to = sent.to ?? call?.to ?? null
  const personId = sent.personId ?? (await callerOf(change, input, sent, call))
  const voicemail: Voicemail = { ...sent, callerWithheld: sent.callerNumber === null, to, personId }
  await requireReferences(input, voicemails, input.body, voicemail)
  change.insert(voicemails, voicemail)
  await writeRefs(change, input, voicemails, undefined, voicemail)
  await addVoicemailMessage(change, input, voicemail, call)
  if (call) linkCall(change, input, call, voicemail)
  const shown = { voicemail, audio: await awaitAudio(change, input, voicemail.id, address, noAudio) }
  publishVoicemail(change, 'voicemail.received', input, shown)
  return shown
}

/** Whoever was calling, or whoever has the number. */
async function callerOf(
  change: Change,
  input: Input,
  { callerNumber: phone }: Voicemail,
  call: Call | undefined,
): Promise<string | null> {
  if (call?.personId && (phone === null || call.from === phone)) return call.personId
  return (await findOrMakePerson(change, input, { phone, via: 'voicemail' }))?.id ?? null
}

async function addVoicemailMessage(
  change: Change,
  input: Input,
  voicemail: Voicemail,
  call: Call | undefined,
): Promise<void> {
  const { id: voicemailId, callSessionId, callerNumber: from, to, personId, transcript } = voicemail
  const ends = { participantAddress: from, ourAddress: to, phoneNumberId: call?.phoneNumberId ?? null, personId }
  // A caller without a number is known by the call alone, which may have ended already.
  const ofCall =
    from === null && call?.conversationId ? await input.read.get(conversations, call.conversationId) : undefined
  const thread = ofCall ?? (await threadFor(change, input, { channel: 'voice', direction: 'inbound', ...ends }))
  addMessage(change, input, {
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
function linkCall(change: Change, { now }: Input, call: Call, { id }: Voicemail): void {
  const status = canMove(callMoves, call.status, 'voicemail') ? 'voicemail' : call.status
  const voicemailId = call.voicemailId ?? id
  if (status !== call.status || voicemailId !== call.voicemailId)
    change.update(calls, nextVersion({ ...call, status, voicemailId }, now))
}

/** Takes what is said again of a voicemail. The call that it belongs to may be known only now, and so may its audio. */
async function updateVoicemail(change: Change, input: Input, existing: Voicemail, address?: string): Promise<Shown> {
  requireMatch(input, existing)
  const said = patched(voicemails, existing, input.body)
  const call = said.callSessionId ? await input.read.get(calls, said.callSessionId) : undefined
  const wanted: Voicemail = { ...said, callerWithheld: said.callerNumber === null, to: said.to ?? call?.to ?? null }
  await requireReferences(input, voicemails, input.body, wanted)
  if (call) linkCall(change, input, call, wanted)
  const before = await audioOf(input.read, existing.id)
  const audio = await awaitAudio(change, input, existing.id, address, before)
  const changed = [...changedFields(voicemails, existing, wanted), ...changedAudio(before, audio)]
  if (changed.length === 0) {
    if (call) markReported(change, input, call.id)
    return { voicemail: existing, audio }
  }
  const voicemail = nextVersion(wanted, input.now)
  change.update(voicemails, voicemail)
  await writeRefs(change, input, voicemails, existing, voicemail)
  await updateVoicemailMessage(change, input, voicemail)
  publishUpdate(change, input, { voicemail, audio }, changed)
  return { voicemail, audio }
}

/** The message says what is known of its voicemail by now. */
async function updateVoicemailMessage(
  change: Change,
  input: Input,
  { id, callSessionId, personId, transcript }: Voicemail,
): Promise<void> {
  const [message] = await input.read.find(messages, { voicemailId: id }, 1)
  if (message) await reviseMessage(change, input, message, { callSessionId, personId, body: transcript ?? '' })
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
      'Its audio is fetched from `recordingUrl`, or sent afterwards, with PUT /voicemails/{id}/recording. With `externalRefs` that belong to one voicemail, that one is updated instead.',
    tag: voicemails.label,
    body: withAddress(createBody(voicemails)),
    returns: { status: [201, 200], schema: recordSchema(voicemails) },
    async handle(input) {
      const address = addressIn(input, opened)
      const existing = await findByRefs(input.read, voicemails, input.body.externalRefs)
      const change = noContent()
      if (existing === undefined)
        return change.withResponse(voicemailAnswer(201, input, await addVoicemail(change, input, address)))
      return change.withResponse(voicemailAnswer(200, input, await updateVoicemail(change, input, existing, address)))
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
      const change = noContent()
      return change.withResponse(
        voicemailAnswer(200, input, await updateVoicemail(change, input, await requireVoicemail(input), address)),
      )
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
    const voicemail = await requireVoicemail(input)
    return voicemailAnswer(200, input, { voicemail, audio: await audioOf(input.read, voicemail.id) })
  },
})

const plainList = listEndpoint(voicemails, presentVoicemails)

const listVoicemails: Endpoint = endpoint({
  ...plainList,
  description: 'With `source=calls`: the calls that have a voicemail, each as a call.',
  query: {
    ...plainList.query,
    source: { schema: oneOf(['voicemails', 'calls']), description: 'What to list; `voicemails` unless said otherwise' },
  },
  handle(input) {
    if (input.query['source'] !== 'calls') return plainList.handle(input)
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
