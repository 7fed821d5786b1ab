// The Fastify instance and what holds for every request, whatever its path: request id, security headers, CORS, body
// parsing, compression, errors.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import { limits } from '@parley/contract'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { ApiError, badRequest, unavailable } from '../store/api-error.js'
import { type ConnectionLimits, watchConnections } from './connections.js'
import { allowOrigins } from './gate/cors.js'
import { parseBody } from './parse-body.js'
import { respondWithError, securityHeaders } from './respond.js'
import { answerLikeRequests, knownMethods, methodNotAllowed, refuseUnreadable } from './unreadable.js'

export interface AppOptions {
  readonly log: FastifyBaseLogger
  readonly corsOrigins: readonly string[]
  readonly connections: ConnectionLimits
  /** True from the moment the service was told to stop. */
  readonly isDraining: () => boolean
}

const COMPRESS_FROM_BYTES = 1_024
/** Long enough for a recording over a slow line. */
const REQUEST_TIMEOUT_MS = 300_000
const KEEP_ALIVE_MS = 72_000

export async function createApp({ log, corsOrigins, connections, isDraining }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId,
    // What is logged of a request names it; a logger for each would be made in vain almost always.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    trustProxy: connections.trustProxy as boolean,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    // Bodies have shapers of their own; what Fastify would bring for that takes a tenth of a second to load.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    routerOptions: { maxParamLength: 200 },
    // Node would refuse a request without Host by itself, and slow headers after a minute.
    http: {
      requireHostHeader: false,
      headersTimeout: connections.stallTimeoutMs,
      connectionsCheckingInterval: connections.stallTimeoutMs / 2,
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(securityHeaders)
      return respondWithError(error, request, reply)
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(securityHeaders)
    if (isDraining()) reply.header('connection', 'close')
    const refusal = whyRefused(request.raw)
    if (refusal) return done(refusal)
    done(
      isDraining() && /^\/(api|mcp|platform)\b/.test(request.url)
        ? unavailable('The service is stopping; try another node')
        : undefined,
    )
  })
  answerLikeRequests(app.server)
  watchConnections(app.server, connections)
  allowOrigins(app, corsOrigins)
  await app.register(compress, { threshold: COMPRESS_FROM_BYTES, encodings: ['br', 'gzip'], inflateIfDeflated: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async ({ headers, routeOptions }: FastifyRequest, bytes: Buffer) =>
      parseBody(headers['content-type'], bytes, isLarge(routeOptions.bodyLimit) ? limits.batchValues : undefined),
  )
  app.setErrorHandler((error, request, reply) => respondWithError(error, request, reply))
  return app
}

/** A route that takes more bytes than others takes more values too. */
const isLarge = (bodyLimit: number | undefined): boolean => (bodyLimit ?? 0) > limits.bodyBytes

/** What Node's parser lets pass and no endpoint should see. */
function whyRefused({ method = '', httpVersion, headers, rawHeaders }: IncomingMessage): ApiError | undefined {
  if (!methods.has(method)) return methodNotAllowed(method)
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return new ApiError('bad_request', 'Send HTTP/1.1', [])
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isHost(rawHeaders[index])) hosts++
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return badRequest('Host', 'must be sent once', 'header')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return new ApiError('expectation_failed', 'Leave out Expect, or send 100-continue')
  }
  return undefined
}

const isHost = (name = ''): boolean => name.length === 4 && name.toLowerCase() === 'host'

const methods: ReadonlySet<string> = new Set(knownMethods)

function refuseSchema(): never {
  throw new Error('Routes take no schema of Fastify; an endpoint says its shapes itself')
}

/** The caller's own id when it is 1 to 128 visible ASCII characters, else a new one. */
function genReqId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : randomUUID()
}
