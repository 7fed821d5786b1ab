// Turns answers and errors into responses: one place for envelopes and the headers that every response carries.

import { Readable } from 'node:stream'
import { limits } from '@parley/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { toError } from '../database/error-code.js'
import { ApiError, errorBody } from '../store/api-error.js'
import { translated } from '../store/commit-with-retry.js'
import { type Answer, json } from '../store/response.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What it was refused with, if it was. */
    refusal?: ApiError
  }
}

/** On every response, so that no browser makes more of it than JSON. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const

export const JSON_TYPE = 'application/json; charset=utf-8'

export function respond(
  reply: FastifyReply,
  answer: Answer<unknown>,
  headers?: Record<string, string>,
  ifNoneMatch?: string,
): FastifyReply {
  reply.code(answer.status)
  if (answer.headers) reply.headers(answer.headers)
  if (headers) reply.headers(headers)
  const tag = answer.headers?.['etag']
  if (tag !== undefined && ifNoneMatch !== undefined && answer.isComposed !== true && matches(ifNoneMatch, tag))
    return reply.code(304).send()
  if (answer.body === null) return reply.send()
  if (answer.headers?.['content-type'] === undefined) reply.type(JSON_TYPE)
  return answer.body.length > PIECE_BYTES ? sendInPieces(reply, Buffer.from(answer.body)) : reply.send(answer.body)
}

const PIECE_BYTES = 128 * 1024

/** Piece by piece, so that a slow reader is seen to make progress and is not taken for one that does not read. */
function sendInPieces(reply: FastifyReply, bytes: Buffer): FastifyReply {
  let sent = 0
  const body = new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      const piece = bytes.subarray(sent, sent + PIECE_BYTES)
      sent += piece.length
      this.push(piece.length > 0 ? piece : null)
    },
  })
  return reply.header('content-length', bytes.length).send(body)
}

const matches = (header: string, tag: string): boolean =>
  header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag)

/** What is kept of a refusal under an idempotency key; its request id stays that of the first request. */
export const errorAnswer = (error: ApiError, requestId: string): Answer => ({
  status: error.status,
  body: errorBody(error, requestId),
  headers: error.headers,
})

/** What a page says of its list; the counts where they were asked for. */
export interface Pagination {
  readonly limit: number
  readonly nextCursor: string | null
  readonly count?: number
  readonly countIsExact?: boolean
}

/** A page: the stored texts joined into the envelope, none of them parsed. */
export const pageAnswer = (texts: readonly string[], pagination: Pagination, requestId: string): Answer => ({
  status: 200,
  body: `{"data":[${texts.join(',')}],"pagination":${JSON.stringify(pagination)},"meta":${meta(requestId)}}`,
})

/** A list without paging. */
export const listAnswer = (texts: readonly string[], requestId: string, status = 200): Answer => ({
  status,
  body: `{"data":[${texts.join(',')}],"meta":${meta(requestId)}}`,
})

/** The answer of a look-up: one record or null. */
export const lookupAnswer = <R>(
  record: R | undefined,
  requestId: string,
): Answer<{ data: R | null; meta: { requestId: string } }> => json(200, { data: record ?? null, meta: { requestId } })

const meta = (requestId: string): string => JSON.stringify({ requestId })

export function respondWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toApiError(error, request.routeOptions.bodyLimit)
  request.refusal = known
  if (known.code === 'internal_error') request.log.error({ err: error, requestId: request.id }, 'request failed')
  else if (known.cause !== undefined) request.log.warn({ err: known.cause, requestId: request.id }, known.message)
  return reply.code(known.status).headers(known.headers).type(JSON_TYPE).send(errorBody(known, request.id))
}

/** What the caller is told of anything that was thrown. */
export function toApiError(thrown: unknown, limitBytes: number = limits.bodyBytes): ApiError {
  const error = translated(thrown)
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError(
      'payload_too_large',
      `The body is larger than ${limitBytes} bytes`,
      { limitBytes },
      { connection: 'close' },
    )
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError('unsupported_media_type', 'Send JSON with Content-Type: application/json')
  if (statusCode === 415)
    return new ApiError('unsupported_media_type', 'Send the body as it is, or packed with Content-Encoding: gzip or br')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('bad_request', toError(error).message, [])
  return new ApiError('internal_error', 'Something failed on our side; quote the request id')
}
