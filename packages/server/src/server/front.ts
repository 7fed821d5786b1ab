// What stands between the network and the endpoints: the HTTP server with its log, metrics and health, and the gate with
// those it knows.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import { version } from '../config/version.js'
import { backgroundProgress, isMigrated } from '../database/background-migrations.js'
import type { Database } from '../database/pool.js'
import { createApp } from '../http/app.js'
import { watchRequests } from '../http/drain.js'
import { type FinishedRequest, tellFinished } from '../http/finished-requests.js'
import { createDirectory, type Directory } from '../http/gate/authenticate.js'
import { createGate, type Gate } from '../http/gate/gate.js'
import { type Buckets, memoryBuckets } from '../http/gate/rate-limit.js'
import { redisBuckets } from '../http/gate/redis-buckets.js'
import { createSessionVerifier } from '../http/gate/session.js'
import { createUserSessions } from '../http/gate/user-sessions.js'
import { mountHealth } from '../http/health.js'
import { type HttpMetrics, measureEventHorizon, measureRequests } from '../http/metrics.js'
import { mountMetrics, startMetricsServer } from '../http/metrics-endpoint.js'
import { logRequests } from '../http/request-log.js'
import { createStreams, type Streams } from '../http/sse.js'
import { createUnsent, type Unsent } from '../http/unsent.js'
import { createRequestCounter } from '../platform/count-requests.js'
import { createRequestWriter } from '../resources/request-log/write-requests.js'
import { horizonAgeSeconds } from '../store/event-log.js'
import { addGauges, countedStreams, droppedRequests } from './gauges.js'
import { addStateGauges } from './state-gauges.js'

export interface FrontParts {
  readonly config: Config
  readonly database: Database
  readonly log: Logger
  readonly clock: () => Date
  readonly metrics: HttpMetrics
  readonly publicUrl: () => string
  readonly onTrouble: (error: Error) => void
  /** Why the node is not ready by itself, whatever the database says. */
  readonly phase: () => 'starting' | 'stopping' | undefined
  readonly areRecordingsAway: () => boolean
}

export interface Front {
  readonly app: FastifyInstance
  /** Where the platform API is: the same, or one with a port of its own. */
  readonly platformApp: FastifyInstance
  readonly gate: Gate
  readonly directory: Directory
  readonly buckets: Buckets
  readonly streams: Streams
  readonly unsent: Unsent
  /** Where the numbers are, when they have a port of their own; known once it is open. */
  readonly metricsPort: () => number | undefined
  /** Where the platform API listens, when it has a port of its own; known once it is open. */
  readonly platformUrl: () => string | undefined
  /** Opens the doors, and says where. */
  open(): Promise<string>
  /** Waits for the requests under way, then closes the doors. */
  close(drainMs: number): Promise<void>
  /** Lets go of whatever it knows of callers. */
  forget(): Promise<void>
}

export async function createFront(parts: FrontParts): Promise<Front> {
  const { config, database, log, clock, metrics, publicUrl, onTrouble, phase } = parts
  const unsent = createUnsent({ bytesPerTenant: config.unsentBytesPerTenant, bytes: config.unsentBytes })
  const streams = countedStreams(metrics.registry, createStreams(unsent))
  const directory = createDirectory({ database, onTrouble, onChange: streams.recheck })
  const buckets = await bucketsFor(config.redisUrl, log, metrics)
  const users = createUserSessions({ database, idleMs: config.sessionIdleMs, onTrouble })
  const sessions = config.oidc && createSessionVerifier(config.oidc)
  const limits = { read: config.rateLimitRead, write: config.rateLimitWrite, items: config.rateLimitBatch }
  const gate = createGate({ directory, users, buckets, publicUrl, sessions, limits })
  const app = await appFor(config, log, () => phase() === 'stopping')
  const ownPlatform = hasOwnPlatform(config) ? await appFor(config, log, () => phase() === 'stopping') : undefined
  const apps = ownPlatform ? [app, ownPlatform] : [app]
  const requests = apps.map(({ server }) => watchRequests(server))
  for (const one of apps) logRequests(one, log, config.logRequests)
  const onDropped = droppedRequests(metrics.registry)
  const requestLog = createRequestWriter({ database, clock, rate: config.requestLogRate, onDropped, onTrouble })
  const usage = createRequestCounter({ database, clock, flushMs: config.usageFlushMs, onTrouble })
  const onFinished = (request: FinishedRequest) => {
    requestLog.add(request)
    usage.add(request)
  }
  for (const one of apps) tellFinished(one, onFinished)
  measureRequests(apps, metrics)
  measureEventHorizon(metrics, () => horizonAgeSeconds(database))
  addGauges(metrics.registry, database, clock)
  addStateGauges(metrics.registry, { database, clock, version, dataDir: config.dataDir })
  mountHealth(app, {
    whyNotReady: async () => phase() ?? databaseTrouble(database),
    migrations: () => backgroundProgress(database),
    areRecordingsAway: parts.areRecordingsAway,
  })
  const access = { registry: metrics.registry, token: config.metricsToken }
  if (config.metricsPort === undefined) mountMetrics(app, access)
  let ownMetrics: Awaited<ReturnType<typeof startMetricsServer>> | undefined
  return {
    app,
    platformApp: ownPlatform ?? app,
    platformUrl: () => ownPlatform && listeningUrl(ownPlatform, config.host),
    gate,
    directory,
    buckets,
    streams,
    unsent,
    metricsPort: () => ownMetrics?.port,
    async open() {
      await directory.start()
      users.start()
      usage.start()
      if (config.metricsPort !== undefined)
        ownMetrics = await startMetricsServer(config.metricsPort, config.host, access)
      await ownPlatform?.listen({ port: config.platformPort ?? 0, host: config.host })
      await app.listen({ port: config.port, host: config.host })
      return listeningUrl(app, config.host)
    },
    async close(drainMs) {
      await Promise.all(requests.map((one) => one.idle(drainMs)))
      for (const one of apps) {
        one.server.closeAllConnections()
        await one.close()
      }
    },
    async forget() {
      await requestLog.stop()
      await usage.stop()
      await directory.stop()
      await users.stop()
      await buckets.close()
      await ownMetrics?.close()
    },
  }
}

const hasOwnPlatform = ({ platformPort, role }: Config): boolean => platformPort !== undefined && role !== 'worker'

async function databaseTrouble(database: Database): Promise<string | undefined> {
  const migrated = await isMigrated(database).catch(() => undefined)
  return migrated === undefined ? 'database away' : migrated ? undefined : 'migrations not applied'
}

const appFor = (
  { corsOrigins, trustProxy, stallTimeoutMs, connectionsPerAddress }: Config,
  log: FastifyBaseLogger,
  isDraining: () => boolean,
) =>
  createApp({
    log,
    corsOrigins,
    connections: { stallTimeoutMs, perAddress: connectionsPerAddress, trustProxy },
    isDraining,
  })

/** Shared by all nodes where there is a Redis, else of this node alone. */
async function bucketsFor(
  redisUrl: string | undefined,
  log: FastifyBaseLogger,
  { rateLimitFallbacks }: HttpMetrics,
): Promise<Buckets> {
  if (redisUrl === undefined) return memoryBuckets()
  return redisBuckets(redisUrl, {
    onTrouble: (error) => log.warn({ err: error }, 'Redis is away; limiting per node'),
    onFallback: () => rateLimitFallbacks.inc(),
  })
}

function listeningUrl(app: FastifyInstance, host: string): string {
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
