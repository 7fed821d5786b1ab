// Calls: what is reported of one while it lasts, and what it looks like while it is watched.
import type { Call, CallEnd, CallSurface, CapturedFact, Fact, Other, Segment, SegmentBody } from '../records.js'
import { type StreamOptions, streamMessages } from '../stream.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { records } from './records.js'

/**
 * One message of a call's stream. `surface` has everything, first of all and whenever more than the transcript has changed; `transcript` has new segments.
 * Segments may come twice when the connection broke in between: tell them apart by their sequence.
 */
export type CallMessage =
  | { id: string; event: 'surface'; data: CallSurface }
  | { id: string; event: 'transcript'; data: { callId: string; revision: number; segments: Segment[] } }

export interface TranscriptQuery {
  afterSequence?: number | undefined
}

export const calls = (send: Send) => {
  const report = <T>(id: string, name: string, body: unknown, options?: RequestOptions): Promise<T> =>
    ask(send, { method: 'POST', path: path`/calls/${id}/${name}`, body, options })
  const transcript = (id: string, query: object, options?: RequestOptions) => send({ method: 'GET', path: path`/calls/${id}/transcript`, query, options })
  return {
    ...records(send, 'calls'),
    /** Adds to the transcript; a final segment replaces the interim one with its sequence. */
    addSegments: async (id: string, segments: SegmentBody[], options?: RequestOptions) =>
      (await report<{ data: Segment[] }>(id, 'segments', { segments }, options)).data,
    addFacts: async (id: string, facts: CapturedFact[], options?: RequestOptions) => (await report<{ data: Fact[] }>(id, 'facts', { facts }, options)).data,
    /** Ends the call, once; again it is answered as it is. */
    end: (id: string, body: CallEnd = {}, options?: RequestOptions) => report<Call>(id, 'end', body, options),
    surface: (id: string, options?: RequestOptions): Promise<CallSurface> => ask(send, { method: 'GET', path: path`/calls/${id}/surface`, options }),
    transcript: async (id: string, query: TranscriptQuery = {}, options?: RequestOptions): Promise<Segment[]> =>
      ((await (await transcript(id, query, options)).json()) as { data: Segment[] }).data,
    /** The transcript as `Speaker: text` lines, or as WebVTT. */
    transcriptText: async (id: string, format: 'text' | 'vtt' | Other = 'text', options?: RequestOptions): Promise<string> =>
      (await transcript(id, { format }, options)).text(),
    /** The call as it happens, across breaks of the connection. */
    async *stream(id: string, options: StreamOptions = {}): AsyncGenerator<CallMessage, void, undefined> {
      for await (const message of streamMessages(send, path`/calls/${id}/stream`, {}, options)) {
        yield { ...message, data: JSON.parse(message.data) as unknown } as CallMessage
      }
    },
  }
}
