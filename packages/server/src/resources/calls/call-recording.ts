// The recording of a call: fetched and kept as the audio of voicemails is, and played from the same signed addresses.
import { calls } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { enqueueFetch, FETCH_QUEUED } from '../../recordings/fetch-queue.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { notFound } from '../../store/api-error.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { type Call, getCall } from './composed-call.js'
import { nameAudio, type Signing, signedAddress } from './voicemail-audio.js'
import type { FetchedFile } from './voicemail-fetching.js'
import { findRecording } from './voicemail-recordings.js'

/** Where a recording that we keep is played from: needs a key, and does not expire. */
const recordingAddress = ({ services }: Pick<Input, 'services'>, { id }: Pick<Call, 'id'>): string =>
  `${services.publicUrl()}/api/v1/calls/${id}/recording`

/** Begins to fetch the recording from where its provider keeps it. */
export async function awaitRecording({ work, sealer }: Input, callId: string, address: string): Promise<Answer<Call>> {
  const { tenantId, now } = work
  const before = await getCall(work, callId)
  const statement = enqueueFetch(tenantId, callId, sealer.seal(address), now, { kind: 'call' })
  work.addStatement(statement, 1, { recurs: true })
  work.announce(FETCH_QUEUED)
  return work.respond(200, work.update(calls, { ...before, recordingUrl: null, recordingStatus: 'pending' }))
}

/** Makes these bytes the recording of the call. */
export async function nameRecording(input: Input, callId: string, audio: KeptAudio): Promise<Answer<Call>> {
  const { work } = input
  const call = showRecording(work, input, await getCall(work, callId), { voicemailId: callId, audio, error: null })
  nameAudio(work, callId, audio)
  return work.respond(200, call)
}

/** The call with what became of the fetch; false when it is gone. */
export async function showCallRecording(work: Work, signing: Signing, fetched: FetchedFile): Promise<boolean> {
  const before = await work.get(calls, fetched.voicemailId)
  if (before === undefined) return false
  showRecording(work, signing, before, fetched)
  return true
}

function showRecording(work: Work, input: Pick<Input, 'services'>, before: Call, { audio, error }: FetchedFile): Call {
  const recording = audio
    ? { recordingUrl: recordingAddress(input, before), recordingStatus: 'available' as const }
    : { recordingStatus: 'none' as const, metadata: { ...before.metadata, recordingError: error } }
  return work.update(calls, { ...before, ...recording })
}

export const callRecordingEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/calls/{id}/recording',
  scope: 'READ',
  operationId: 'getCallRecording',
  summary: 'Go to the recording of a call',
  description: 'Redirects to a signed address that is good for five minutes; 404 until the recording is kept here.',
  tag: calls.label,
  returns: { status: 302, schema: null },
  async handle(input) {
    const { id } = await getCall(input.read, input.params.id)
    if ((await findRecording(input.read, input.caller.tenantId, id)) === undefined) throw notFound()
    return { status: 302, body: null, headers: { location: signedAddress(input, id) } }
  },
})
