// Voicemails and their audio.
import { type Listing, listing } from '../page.js'
import type { Call, PageQuery, Voicemail } from '../records.js'
import { type Ask, ask, path, type RequestOptions, type Send } from '../transport.js'
import { records } from './records.js'

type Audio = NonNullable<Ask['bytes']>['content']

export const voicemails = (send: Send) => ({
  ...records(send, 'voicemails'),
  /** The calls that have a voicemail, as calls. */
  calls: (query: PageQuery = {}, options?: RequestOptions): Listing<Call> => listing(send, '/voicemails', { ...query, source: 'calls' }, options),
  /** The audio: read it as bytes or pass its body on. NotFoundError until there is some. */
  recording: (id: string, options?: RequestOptions): Promise<Response> =>
    send({ method: 'GET', path: path`/voicemails/${id}/recording`, follows: true, isStream: true, options }),
  /** Sends the audio; sending it again replaces it. */
  putRecording: (id: string, content: Audio, type: string, options?: RequestOptions): Promise<Voicemail> =>
    ask(send, { method: 'PUT', path: path`/voicemails/${id}/recording`, bytes: { content, type }, options }),
})
