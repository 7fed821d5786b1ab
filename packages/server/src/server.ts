// Wires the service on a database: HTTP and loops, started in one order and stopped in its mirror.
import { join } from 'node:path'
import { storedEntities } from '@parley/contract'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config.js'
import { isMigrated, migrate } from './database/migrate.js'
import type { Database } from './database/pool.js'
import { createApp } from './http/app.js'
import { createDirectory } from './http/authenticate.js'
import { mountDocs } from './http/docs-page.js'
import { watchRequests } from './http/drain.js'
import { createGate } from './http/gate.js'
import { mountHealth } from './http/health.js'
import { createMetrics, measureRequests } from './http/metrics.js'
import { mount } from './http/mount.js'
import { type Buckets, memoryBuckets } from './http/rate-limit.js'
import { redisBuckets } from './http/redis-buckets.js'
import { createSessionVerifier } from './http/session.js'
import { createStreams } from './http/sse.js'
import { folderBlobs } from './recordings/folder-blobs.js'
import { endpointsWith } from './resources/index.js'
import { smsSending } from './resources/sms-sending.js'
import type { Change } from './store/change.js'
import { createSealer } from './store/seal.js'
import { viewDdl } from './store/tables.js'
import type { Carriers } from './telephony/carrier.js'
import { createSmsOutbox } from './telephony/sms-outbox.js'
import { QUEUED } from './telephony/sms-queue.js'

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
  /** The carriers that live texts can go to, by provider. */
  readonly carriers?: Carriers
}

const DRAIN_MS = 12_000

/** What is derived from the registry and kept current by `migrate`. */
export const derivedSchema: readonly string[] = ['drop schema if exists analytics cascade', 'create schema analytics', ...storedEntities.map(viewDdl)]

export const prepareDatabase = (database: Database): Promise<string[]> => migrate(database, derivedSchema)

export async function startServer({ config, database, log, clock = () => new Date(), carriers = {} }: ServerParts): Promise<Server> {
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
  const requests = watchRequests(app.server)
  measureRequests(app, metrics)
  mountDocs(app)
  mountHealth(app, {
    metrics: metrics.registry,
    whyNotReady: async () => {
      if (isDraining) return 'stopping'
      const migrated = await isMigrated(database).catch(() => undefined)
      return migrated === undefined ? 'database away' : migrated ? undefined : 'migrations not applied'
    },
  })
  const onCommit = ({ announcements }: Change) => {
    if (announcements.some(({ topic }) => topic === 'keys')) directory.forget()
    if (announcements.some(({ topic }) => topic === QUEUED)) outbox.wake()
  }
  const outbox = createSmsOutbox({ database, clock, onTrouble, ...smsSending({ database, sealer, clock, carriers, onCommit }) })
  const streams = createStreams()
  const services = { publicUrl: () => config.publicUrl ?? url, blobs: folderBlobs(join(config.dataDir, 'recordings')), streams }
  mount(app, endpointsWith({ carriers }), { gate, database, sealer, clock, onCommit, services })

  await directory.start()
  await app.listen({ port: config.port, host: config.host })
  url = listeningUrl(app, config.host)
  if (config.role !== 'api') outbox.start()
  return {
    app,
    url,
    async stop() {
      isDraining = true
      streams.close()
      await requests.idle(DRAIN_MS)
      app.server.closeAllConnections()
      await app.close()
      await outbox.stop()
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
