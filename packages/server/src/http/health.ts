// What operators and their machines ask: alive, ready, and the numbers.
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

export interface Health {
  /** Why the service is not ready; undefined when it is. */
  readonly whyNotReady: () => Promise<string | undefined>
  readonly metrics: Registry
  /** Migrations that run beside the service. */
  readonly migrations: () => Promise<readonly object[]>
}

export function mountHealth(app: FastifyInstance, { whyNotReady, metrics, migrations }: Health): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const reason = await whyNotReady()
    if (reason !== undefined) return reply.code(503).header('retry-after', '1').send({ status: 'not ready', reason })
    const running = await migrations()
    return running.length > 0 ? { status: 'ready', migrations: running } : { status: 'ready' }
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()))
}
