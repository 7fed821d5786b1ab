// Calls: what is reported of one while it lasts, and what it looks like while it is watched.
import { type ApiPromise, dataOf } from '../api-promise.js'
import type { CallVerbs } from '../generated/entities.js'
import type {
  Call,
  CallEnd,
  CallSurface,
  CapturedFact,
  Fact,
  Other,
  Segment,
  SegmentBody,
} from '../generated/records.js'
import { type StreamOptions, streamMessages } from '../stream.js'
import { type Ask, ask, path, type RequestOptions, type Send } from '../transport.js'
import { act, verbs } from './verbs.js'

/**
 * One message of a call's stream. `surface` has everything, first of all and whenever more than the transcript has
 * changed; `transcript` has new segments. Segments may come twice when the connection broke in between: tell them apart
 * by their sequence.
 */
export type CallMessage =
  | { id: string; event: 'surface'; data: CallSurface }
  | { id: string; event: 'transcript'; data: { callId: string; revision: number; segments: Segment[] } }

export interface TranscriptQuery {
  /** Only what was said after this segment. */
  afterSequence?: number | undefined
}

export interface Calls extends CallVerbs {
  /** Adds to the transcript; a final segment replaces the interim one with its sequence. */
  addSegments(id: string, segments: SegmentBody[], options?: RequestOptions): ApiPromise<Segment[]>
  /** Keeps what was learned in the call, with the caller as its subject unless said otherwise. */
  addFacts(id: string, facts: CapturedFact[], options?: RequestOptions): ApiPromise<Fact[]>
  /** Ends the call, once; again it is answered as it is. */
  end(id: string, body?: CallEnd, options?: RequestOptions): ApiPromise<Call>
  /** All there is to see of the call at this moment. */
  surface(id: string, options?: RequestOptions): ApiPromise<CallSurface>
  /** What was said, in order. */
  transcript(id: string, query?: TranscriptQuery, options?: RequestOptions): ApiPromise<Segment[]>
  /** The recording that is kept here: read it as bytes or pass its body on. NotFoundError until there is one. */
  recording(id: string, options?: RequestOptions): Promise<Response>
  /** The transcript as `Speaker: text` lines, or as WebVTT. */
  transcriptText(id: string, format?: 'text' | 'vtt' | Other, options?: RequestOptions): Promise<string>
  /** The call as it happens, across breaks of the connection. */
  stream(id: string, options?: StreamOptions): AsyncGenerator<CallMessage, void, undefined>
}

interface Listed<T> {
  data: T[]
}

export function calls(send: Send): Calls {
  const transcript = (id: string, query: object, options?: RequestOptions): Ask => ({
    method: 'GET',
    path: path`/calls/${id}/transcript`,
    query,
    options,
  })
  const plain: CallVerbs = verbs(send, 'calls')
  return {
    ...plain,
    addSegments: (id, segments, options) =>
      dataOf(act<Listed<Segment>>(send, 'calls', id, 'segments', { segments }, options)),
    addFacts: (id, facts, options) => dataOf(act<Listed<Fact>>(send, 'calls', id, 'facts', { facts }, options)),
    end: (id, body = {}, options) => act(send, 'calls', id, 'end', body, options),
    surface: (id, options) => ask(send, { method: 'GET', path: path`/calls/${id}/surface`, options }),
    transcript: (id, query = {}, options) => dataOf(ask<Listed<Segment>>(send, transcript(id, query, options))),
    recording: (id, options) =>
      send({ method: 'GET', path: path`/calls/${id}/recording`, follows: true, isStream: true, options }),
    transcriptText: async (id, format = 'text', options) => (await send(transcript(id, { format }, options))).text(),
    async *stream(id, options = {}) {
      for await (const message of streamMessages(send, path`/calls/${id}/stream`, {}, options)) {
        yield { ...message, data: JSON.parse(message.data) as unknown } as CallMessage
      }
    },
  }
}
