// Paths that there are not, and methods that a path does not take.
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../store/api-error.js'
import type { Endpoint } from './endpoint.js'
import type { Gate } from './gate/gate.js'

export const PREFIX = '/api/v1'
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const

/**
 * A known path with a method it does not take is 405 and says which ones it does; an unknown path is 404. Both only to
 * those with a key.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  gate: Gate,
  urlOf: (path: string) => string,
): void {
  for (const [path, group] of groupByPath(endpoints)) {
    const allowed = [...new Set(group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    const method = methods.filter((one) => !allowed.includes(one))
    if (method.length === 0) continue
    app.route({
      method,
      url: urlOf(path),
      async onRequest(request, reply) {
        await gate(request, reply, { scope: 'any' })
        throw new ApiError(
          'method_not_allowed',
          `${path} takes ${allowed.join(', ')}`,
          { allowed },
          { allow: allowed.join(', ') },
        )
      },
      handler: async () => undefined,
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (request.url.startsWith(`${app.prefix || PREFIX}/`)) await gate(request, reply, { scope: 'any' })
    throw new ApiError('not_found', 'No such path')
  })
}

function groupByPath(endpoints: readonly Endpoint[]): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint])
  return groups
}
