// `/metrics` for Prometheus: on the port of the API or on one of its own, open to whoever reaches it or to those with
// the token.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { StartupError } from '../database/startup-error.js'
import { ApiError, errorBody } from '../store/api-error.js'
import { securityHeaders } from './respond.js'

export interface MetricsAccess {
  readonly registry: Pick<Registry, 'contentType' | 'metrics'>
  readonly token: string | undefined
}

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

export function mountMetrics(app: FastifyInstance, { registry, token }: MetricsAccess): void {
  app.get('/metrics', { logLevel: 'debug' }, async ({ headers }, reply) => {
    requireToken(token, headers.authorization)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const REQUEST_TIMEOUT_MS = 10_000

/** A server of its own, which knows this one path. */
export async function startMetricsServer(
  port: number,
  host: string,
  { registry, token }: MetricsAccess,
): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const answer = async () => {
        if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics')
          throw new ApiError('not_found', 'Only GET /metrics is here')
        requireToken(token, request.headers.authorization)
        response
          .writeHead(200, { ...securityHeaders, 'content-type': registry.contentType })
          .end(await registry.metrics())
      }
      answer().catch((error: unknown) => {
        const known = error instanceof ApiError ? error : new ApiError('internal_error', 'Something failed on our side')
        const requestId = randomUUID()
        const headers = {
          ...securityHeaders,
          ...known.headers,
          'content-type': 'application/json; charset=utf-8',
          'x-request-id': requestId,
        }
        response.writeHead(known.status, headers).end(errorBody(known, requestId))
      })
    },
  )
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `Cannot serve metrics on ${host}:${port} (${error.code}). Set METRICS_PORT to a port that is free.`,
    )
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Digests have one length, so that comparing them tells nothing about the token. */
function requireToken(token: string | undefined, authorization = ''): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (token === undefined || timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))) return
  throw new ApiError('unauthorized', 'Send the METRICS_TOKEN as Authorization: Bearer …', undefined, {
    'www-authenticate': 'Bearer',
  })
}
