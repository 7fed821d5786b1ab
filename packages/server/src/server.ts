// Wires the service on a database: HTTP and loops, started in one order and stopped in its mirror.
import { storedEntities } from '@parley/contract'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config.js'
import { isMigrated, migrate } from './database/migrate.js'
import type { Database } from './database/pool.js'
import { createApp } from './http/app.js'
import { createDirectory } from './http/authenticate.js'
import { createGate } from './http/gate.js'
import { mountHealth } from './http/health.js'
import { createMetrics, measureRequests } from './http/metrics.js'
import { mount } from './http/mount.js'
import { type Buckets, memoryBuckets } from './http/rate-limit.js'
import { redisBuckets } from './http/redis-buckets.js'
import { createSessionVerifier } from './http/session.js'
import { endpoints } from './resources/index.js'
import { createSealer } from './store/seal.js'
import { viewDdl } from './store/tables.js'

export interface Server {
  readonly app: FastifyInstance
  /** Where it listens. */
  readonly url: string
  /** Finishes what is in flight, then closes everything but the database. */
  stop(): Promise<void>
}

export interface ServerParts {
  readonly config: Config & { readonly secret: string }
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly clock?: () => Date
}

const DRAIN_MS = 12_000

/** What is derived from the registry and kept current by `migrate`. */
export const derivedSchema: readonly string[] = ['drop schema if exists analytics cascade', 'create schema analytics', ...storedEntities.map(viewDdl)]

export const prepareDatabase = (database: Database): Promise<string[]> => migrate(database, derivedSchema)

export async function startServer({ config, database, log, clock = () => new Date() }: ServerParts): Promise<Server> {
  let isDraining = false
  let url = ''
  const sealer = createSealer(config.secret)
  const metrics = createMetrics()
  const onTrouble = (error: Error) => log.warn({ err: error }, 'background work failed; it is tried again')
  const directory = createDirectory(database, onTrouble)
  const buckets: Buckets = config.redisUrl
    ? await redisBuckets(config.redisUrl, {
        onTrouble: (error) => log.warn({ err: error }, 'Redis is away; limiting per node'),
        onFallback: () => metrics.rateLimitFallbacks.inc(),
      })
    : memoryBuckets()
  const gate = createGate({
    directory,
    buckets,
    sessions: config.oidc && createSessionVerifier(config.oidc),
    limits: { read: config.rateLimitRead, write: config.rateLimitWrite },
    publicUrl: () => config.publicUrl ?? url,
  })
  const app = await createApp({ log, trustProxy: config.trustProxy, corsOrigins: config.corsOrigins, isDraining: () => isDraining })
  measureRequests(app, metrics)
  mountHealth(app, {
    metrics: metrics.registry,
    whyNotReady: async () => {
      if (isDraining) return 'stopping'
      const migrated = await isMigrated(database).catch(() => undefined)
      return migrated === undefined ? 'database away' : migrated ? undefined : 'migrations not applied'
    },
  })
  mount(app, endpoints, { gate, database, sealer, clock, onCommit: (change) => change.extras.length > 0 && directory.forget() })

  await directory.start()
  await app.listen({ port: config.port, host: config.host })
  url = listeningUrl(app, config.host)
  return {
    app,
    url,
    async stop() {
      isDraining = true
      const forced = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      await app.close()
      clearTimeout(forced)
      await directory.stop()
      await buckets.close()
    },
  }
}

function listeningUrl(app: FastifyInstance, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
