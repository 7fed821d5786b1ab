// A response that the handler writes itself because it is no JSON, or because it goes on: bytes, long texts,
// server-sent events.
import type { FastifyReply, FastifyRequest } from 'fastify'

export class RawResponse {
  constructor(readonly send: (exchange: Exchange) => FastifyReply | Promise<FastifyReply>) {}
}

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Whether the credentials of the request are still good, for responses that outlast a key. */
  readonly isStillAllowed: () => Promise<boolean>
}

export const direct = (send: RawResponse['send']): RawResponse => new RawResponse(send)
