// What operators and their machines ask: alive, and ready.
import type { FastifyInstance } from 'fastify'

export interface Health {
  /** Why the service is not ready; undefined when it is. */
  readonly whyNotReady: () => Promise<string | undefined>
  /** Migrations that run beside the service. */
  readonly migrations: () => Promise<readonly object[]>
  /** The service is ready without them: everything else works. */
  readonly areRecordingsAway: () => boolean
  /** How each server does, where there are several. */
  readonly servers?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

const quiet = { logLevel: 'debug' } as const

export function mountHealth(app: FastifyInstance, health: Health): void {
  const { whyNotReady, migrations, areRecordingsAway, servers } = health
  app.get('/healthz', quiet, async () => ({ status: 'ok' }))
  app.get('/readyz', quiet, async (_request, reply) => {
    const reason = await whyNotReady()
    if (reason !== undefined) return reply.code(503).header('retry-after', '1').send({ status: 'not ready', reason })
    const running = await migrations()
    return {
      status: 'ready',
      ...(running.length > 0 && { migrations: running }),
      ...(areRecordingsAway() && { recordings: 'away' }),
      ...(servers && { servers: await servers() }),
    }
  })
}
