// Lets pages of listed origins call the API with a Bearer key. Cookies are never allowed across origins.
import type { FastifyInstance } from 'fastify'

const exposed = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'etag',
  'idempotent-replayed',
].join(', ')
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, if-match, if-none-match, x-request-id, last-event-id, ' +
    'mcp-protocol-version, mcp-method, mcp-name',
  'access-control-max-age': '600',
}

export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin === undefined || !origins.includes(origin)) return
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed })
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'])
      return reply.code(204).headers(preflight).send()
  })
}
