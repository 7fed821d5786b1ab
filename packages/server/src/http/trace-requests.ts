// A span for each request, named by its route. It tells method, route, status and whose environment it was: no path,
// query, header, body or address, because those are the users' own.
import type { FastifyInstance } from 'fastify'
import type { Span, Tracing } from '../telemetry/tracing.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** While traces are sent. */
    span?: Span
  }
}

export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  if (!tracing.isOn) return
  app.decorateRequest('span')
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, protocol, headers, routeOptions, id } = request
    const route = routeOptions.url
    request.span = tracing.start({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      parent: typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'url.scheme': protocol,
        'parley.request.id': id,
      },
    })
    done()
  })
  app.addHook('onResponse', ({ span, known }, { statusCode }, done) => {
    span?.set({
      'http.response.status_code': statusCode,
      'parley.tenant.id': known?.tenantId,
      'parley.environment': known?.environment,
    })
    span?.end(statusCode >= 500 ? String(statusCode) : undefined)
    done()
  })
}
