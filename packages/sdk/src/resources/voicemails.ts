// Voicemails and their audio.
import type { ApiPromise } from '../api-promise.js'
import type { VoicemailVerbs } from '../generated/entities.js'
import type { Call, PageQuery, Voicemail } from '../generated/records.js'
import { type Listing, listing } from '../page.js'
import { type Ask, ask, path, type RequestOptions, type Send } from '../transport.js'
import { verbs } from './verbs.js'

/** The bytes of a recording. */
export type Audio = NonNullable<Ask['bytes']>['content']

export interface Voicemails extends VoicemailVerbs {
  /** The calls that have a voicemail, as calls. */
  calls(query?: PageQuery, options?: RequestOptions): Listing<Call>
  /** The audio: read it as bytes or pass its body on. NotFoundError until there is some. */
  recording(id: string, options?: RequestOptions): Promise<Response>
  /** Sends the audio; sending it again replaces it. */
  putRecording(id: string, content: Audio, type: string, options?: RequestOptions): ApiPromise<Voicemail>
}

export function voicemails(send: Send): Voicemails {
  const plain: VoicemailVerbs = verbs(send, 'voicemails')
  return {
    ...plain,
    calls: (query = {}, options) => listing(send, '/voicemails', { ...query, source: 'calls' }, options),
    recording: (id, options) =>
      send({ method: 'GET', path: path`/voicemails/${id}/recording`, follows: true, isStream: true, options }),
    putRecording: (id, content, type, options) =>
      ask(send, { method: 'PUT', path: path`/voicemails/${id}/recording`, bytes: { content, type }, options }),
  }
}
