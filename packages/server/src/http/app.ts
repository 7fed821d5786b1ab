// The Fastify instance and what holds for every request, whatever its path: request id, security headers, CORS, body parsing, compression, errors.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import { limits } from '@parley/contract'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ApiError, errorBody, unavailable } from '../store/api-error.js'
import { allowOrigins } from './cors.js'
import { parseBody } from './parse-body.js'
import { respondWithError, securityHeaders } from './respond.js'

export interface AppOptions {
  readonly log: FastifyBaseLogger
  readonly trustProxy: boolean | number | string | readonly string[]
  readonly corsOrigins: readonly string[]
  /** True from the moment the service was told to stop. */
  readonly isDraining: () => boolean
}

const COMPRESS_FROM_BYTES = 1_024
/** Long enough for a recording over a slow line. */
const REQUEST_TIMEOUT_MS = 300_000
const KEEP_ALIVE_MS = 72_000

export async function createApp({ log, trustProxy, corsOrigins, isDraining }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId,
    // What is logged of a request names it; a logger for each would be made in vain almost always.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    trustProxy: trustProxy as boolean,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    // Bodies have shapers of their own; what Fastify would bring for that takes a tenth of a second to load.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(securityHeaders)
      return respondWithError(error, request, reply)
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(securityHeaders)
    if (isDraining()) reply.header('connection', 'close')
    done(isDraining() && request.url.startsWith('/api/') ? unavailable('The service is stopping; try another node') : undefined)
  })
  allowOrigins(app, corsOrigins)
  await app.register(compress, { threshold: COMPRESS_FROM_BYTES, encodings: ['br', 'gzip'], inflateIfDeflated: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: { headers: { 'content-type'?: string | undefined } }, bytes: Buffer) =>
    parseBody(request.headers['content-type'], bytes),
  )
  app.setErrorHandler((error, request, reply) => respondWithError(error, request, reply))
  return app
}

function refuseSchema(): never {
  throw new Error('Routes take no schema of Fastify; an endpoint says its shapes itself')
}

/** The caller's own id when it is 1 to 128 visible ASCII characters, else a new one. */
function genReqId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** What could not be read as HTTP gets an answer in our own shape, as far as anyone is there to read it. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const body = errorBody(new ApiError('bad_request', isTooLong ? 'The headers are too long' : 'This is not a valid HTTP request', []), requestId)
  const head = [
    'HTTP/1.1 400 Bad Request',
    `x-request-id: ${requestId}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
