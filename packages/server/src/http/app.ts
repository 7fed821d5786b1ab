// The Fastify instance and what holds for every request, whatever its path: request id, security headers, CORS, body parsing, compression, errors.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import { limits } from '@parley/contract'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { unavailable } from '../store/api-error.js'
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
const REQUEST_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 72_000

export async function createApp({ log, trustProxy, corsOrigins, isDraining }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId,
    requestIdHeader: false,
    bodyLimit: limits.bodyBytes,
    trustProxy: trustProxy as boolean,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
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

/** The caller's own id when it is 1 to 128 visible ASCII characters, else a new one. */
function genReqId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : randomUUID()
}
