// Answers what never becomes a request of Fastify, in the same envelope as everything else: what the HTTP parser
// refuses, CONNECT, and connections that are ended before anyone has asked.
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorBody } from '../store/api-error.js'
import { JSON_TYPE, securityHeaders } from './respond.js'

/** The methods that some path takes. */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const

export const methodNotAllowed = (method: string): ApiError =>
  new ApiError(
    'method_not_allowed',
    `${method} is not a method of this API; use ${knownMethods.join(', ')}`,
    { allowed: knownMethods },
    { allow: knownMethods.join(', ') },
  )

/** A client that is still sending would lose the answer if its bytes met a closed socket. */
const LINGER_MS = 1_000

/** Answers on the bare socket and closes it. */
export function refuseOnSocket(socket: Socket, error: ApiError): void {
  if (socket.writableEnded) return
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const body = errorBody(error, requestId)
  const headers = {
    'x-request-id': requestId,
    ...securityHeaders,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...error.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.resume()
  const closing = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('end', () => socket.destroySoon()).once('close', () => clearTimeout(closing))
}

/** What the parser says of a request that it could not read. */
interface ParserError extends Error {
  readonly code?: string
  /** The bytes that it was reading, in a Buffer. */
  readonly rawPacket?: unknown
  readonly bytesParsed?: number
}

export function refuseUnreadable(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  const { request, response } = exchanges.get(socket) ?? {}
  const refuse = () => refuseOnSocket(socket, meaningOf(error))
  if (response === undefined || response.closed) return refuse()
  // What follows a whole request is answered after it; a request that stops making sense is answered unless that has
  // begun.
  if (request?.complete) response.once('close', refuse)
  else if (response.headersSent) socket.destroy()
  else refuse()
}

/** The newest request of each connection. */
const exchanges = new WeakMap<Socket, Exchange>()

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export const exchangeOf = (socket: Socket): Exchange | undefined => exchanges.get(socket)

function meaningOf(error: ParserError): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new ApiError('bad_request', 'The headers are too long', [])
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  const method = error.code === 'HPE_INVALID_METHOD' ? methodIn(error) : undefined
  return method === undefined
    ? new ApiError('bad_request', 'This is not a valid HTTP request', [])
    : methodNotAllowed(method)
}

/**
 * The method of a request line that is well-formed but for being unknown to the parser. It stops within that word, or
 * after it.
 */
function methodIn({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const lineStart = text.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1
  return /^([!#$%&'*+.^`|~\w-]{1,64}) \S+ HTTP\/1\.[01]\r?\n/.exec(text.slice(lineStart))?.[1]
}

export const tooSlow = (): ApiError =>
  new ApiError('request_timeout', 'The request did not come in time; send it again', undefined, { connection: 'close' })

/** Without a listener Node closes a CONNECT without a word, and answers an Expect that it does not know by itself. */
export function answerLikeRequests(server: Server): void {
  server.on('request', (request, response) => exchanges.set(request.socket, { request, response }))
  server.on('connect', (_request, socket: Socket) => refuseOnSocket(socket, methodNotAllowed('CONNECT')))
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
