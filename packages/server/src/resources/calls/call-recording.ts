// The recording of a call: fetched and kept as the audio of voicemails is, and played from the same signed addresses.
import { calls } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { enqueueFetch, FETCH_QUEUED } from '../../recordings/fetch-queue.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { notFound } from '../../store/api-error.js'
import type { Change } from '../../store/change.js'
import { noContent, ok } from '../../store/response.js'
import { nextVersion } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'
import { type Call, getCall } from './composed-call.js'
import { nameAudio, type Signing, signedAddress } from './voicemail-audio.js'
import type { FetchedFile } from './voicemail-fetching.js'
import { findRecording } from './voicemail-recordings.js'

/** Where a recording that we keep is played from: needs a key, and does not expire. */
const recordingAddress = ({ services }: Pick<Input, 'services'>, { id }: Pick<Call, 'id'>): string =>
  `${services.publicUrl()}/api/v1/calls/${id}/recording`

/** Begins to fetch the recording from where its provider keeps it. */
export async function awaitRecording(
  { read, caller: { tenantId }, sealer, now }: Input,
  callId: string,
  address: string,
): Promise<Change> {
  const before = await getCall(read, callId)
  const statement = enqueueFetch(tenantId, callId, sealer.seal(address), now, { kind: 'call' })
  const call = nextVersion({ ...before, recordingUrl: null, recordingStatus: 'pending' as const }, now)
  return ok(call).update(calls, call).addStatement(statement, 1, { recurs: true }).announce(FETCH_QUEUED)
}

/** Makes these bytes the recording of the call. */
export async function nameRecording(input: Input, callId: string, audio: KeptAudio): Promise<Change> {
  const change = noContent()
  const call = shown(input, await getCall(input.read, callId), { voicemailId: callId, audio, error: null })
  nameAudio(change.update(calls, call), input.caller.tenantId, callId, audio, input.now)
  return change.withResponse(ok(call).answer)
}

/** The call with what became of the fetch; false when it is gone. */
export async function showCallRecording(
  change: Change,
  input: Signing & WriteContext,
  fetched: FetchedFile,
): Promise<boolean> {
  const before = await input.read.get(calls, fetched.voicemailId)
  if (before === undefined) return false
  change.update(calls, shown(input, before, fetched))
  return true
}

function shown(input: Pick<Input, 'services' | 'now'>, before: Call, { audio, error }: FetchedFile): Call {
  const recording = audio
    ? { recordingUrl: recordingAddress(input, before), recordingStatus: 'available' as const }
    : { recordingStatus: 'failed' as const, metadata: { ...before.metadata, recordingError: error } }
  return nextVersion({ ...before, ...recording }, input.now)
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
