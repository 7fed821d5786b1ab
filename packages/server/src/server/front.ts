// What stands between the network and the endpoints: the HTTP server with its log, metrics and health, and the gate
// with those it knows.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import { version } from '../config/version.js'
import { backgroundProgress, isMigrated } from '../database/background-migrations.js'
import type { Database } from '../database/pool.js'
import { createApp } from '../http/app.js'
import { watchRequests } from '../http/drain.js'
import { tellFinished } from '../http/finished-requests.js'
import { createDirectory, type Directory } from '../http/gate/authenticate.js'
import { createGate, type Gate } from '../http/gate/gate.js'
import { type Buckets, memoryBuckets } from '../http/gate/rate-limit.js'
import { redisBuckets } from '../http/gate/redis-buckets.js'
import { createSessionVerifier } from '../http/gate/session.js'
import { createUserSessions } from '../http/gate/user-sessions.js'
import { type Health, mountHealth } from '../http/health.js'
import { type HttpMetrics, measureEventHorizon, measureRequests } from '../http/metrics.js'
import { mountMetrics, startMetricsServer } from '../http/metrics-endpoint.js'
import { logRequests } from '../http/request-log.js'
import { createStreams, type Streams } from '../http/sse.js'
import { traceRequests } from '../http/trace-requests.js'
import { createUnsent, type Unsent } from '../http/unsent.js'
import {
  createShardedDirectory,
  type ShardedDirectory,
  shardedUsers,
  type WatchingHomes,
} from '../shards/sharded-directory.js'
import type { Shards } from '../shards/shards.js'
import { horizonAgeSeconds } from '../store/event-log.js'
import type { Tracing } from '../telemetry/tracing.js'
import { addGauges, countedStreams, droppedRequests } from './gauges.js'
import { createRequestRecorder } from './record-requests.js'
import type { ShardMetrics } from './shard-metrics.js'
import { addNodeGauges, addStateGauges } from './state-gauges.js'

export interface FrontParts {
  readonly config: Config
  readonly shards: Shards
  readonly shardMetrics: ShardMetrics
  readonly log: Logger
  readonly clock: () => Date
  readonly metrics: HttpMetrics
  readonly publicUrl: () => string
  readonly tracing: Tracing
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
  /** Hears what commits on a server announce of keys. */
  readonly heardAt: ShardedDirectory['heardAt']
  /** Where organizations live; undefined where there is one server. */
  readonly homes: WatchingHomes | undefined
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
  const { config, shards, log, clock, metrics, publicUrl, tracing, onTrouble, phase } = parts
  const { database } = shards.main
  const unsent = createUnsent({ bytesPerTenant: config.unsentBytesPerTenant, bytes: config.unsentBytes })
  const streams = countedStreams(metrics.registry, createStreams(unsent))
  const directory = directoryFor(shards, onTrouble, streams.recheck)
  const buckets = await bucketsFor(config.redisUrl, log, metrics)
  const signedIn = createUserSessions({ database, idleMs: config.sessionIdleMs, onTrouble })
  const users = shards.all.length === 1 ? signedIn : shardedUsers(signedIn, directory)
  const sessions = config.oidc && createSessionVerifier(config.oidc)
  const limits = { read: config.rateLimitRead, write: config.rateLimitWrite, items: config.rateLimitBatch }
  const gate = createGate({ directory, users, buckets, publicUrl, sessions, limits })
  const app = await appFor(config, log, () => phase() === 'stopping')
  const ownPlatform = hasOwnPlatform(config) ? await appFor(config, log, () => phase() === 'stopping') : undefined
  const apps = ownPlatform ? [app, ownPlatform] : [app]
  for (const one of apps) traceRequests(one, tracing)
  const requests = apps.map(({ server }) => watchRequests(server))
  for (const one of apps) logRequests(one, log, config.logRequests)
  const onDropped = droppedRequests(metrics.registry)
  const recorder = createRequestRecorder({ config, shards, clock, onDropped, onTrouble })
  for (const one of apps) tellFinished(one, recorder.add)
  measureRequests(apps, metrics)
  measureState(parts)
  mountHealth(app, healthOf(shards, parts))
  const access = { registry: parts.shardMetrics.shown, token: config.metricsToken }
  if (config.metricsPort === undefined) mountMetrics(app, access)
  let ownMetrics: Awaited<ReturnType<typeof startMetricsServer>> | undefined
  return {
    app,
    platformApp: ownPlatform ?? app,
    platformUrl: () => ownPlatform && listeningUrl(ownPlatform, config.host),
    gate,
    heardAt: directory.heardAt,
    homes: directory.homes,
    buckets,
    streams,
    unsent,
    metricsPort: () => ownMetrics?.port,
    async open() {
      await directory.start()
      users.start()
      recorder.start()
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
      await recorder.stop()
      await directory.stop()
      await users.stop()
      await buckets.close()
      await ownMetrics?.close()
    },
  }
}

const hasOwnPlatform = ({ platformPort, role }: Config): boolean => platformPort !== undefined && role !== 'worker'

/** What is of the node alone, and what is of each server. */
function measureState({ config: { dataDir }, shards, shardMetrics, metrics, clock }: FrontParts): void {
  addNodeGauges(metrics.registry, { version, dataDir })
  for (const shard of shards.all) {
    const registry = shardMetrics.of(shard)
    measureEventHorizon(registry, () => horizonAgeSeconds(shard.database))
    addGauges(registry, shard.database, clock)
    addStateGauges(registry, shard.database, clock)
  }
}

function directoryFor(
  shards: Shards,
  onTrouble: (error: Error) => void,
  onChange: Streams['recheck'],
): Directory & Pick<Front, 'heardAt' | 'homes'> {
  if (shards.all.length > 1) {
    const sharded = createShardedDirectory({ shards, onTrouble, onChange })
    return { ...sharded, homes: { homeOf: sharded.homeOf, watchHome: sharded.watchHome } }
  }
  const directory = createDirectory({ database: shards.main.database, onTrouble, onChange })
  return {
    ...directory,
    homes: undefined,
    heardAt: (_shard, announcements) => directory.onAnnouncements(announcements),
  }
}

/** A node is of use as long as one of its servers is there: what lives on the others is told to wait. */
function healthOf({ main, all }: Shards, { phase, areRecordingsAway }: FrontParts): Health {
  const ok = 'ok'
  const servers = async () => {
    const states = await Promise.all(all.map(async ({ database }) => (await databaseTrouble(database)) ?? ok))
    return Object.fromEntries(all.map(({ name }, index) => [name, states[index] ?? '']))
  }
  const isSeveral = all.length > 1
  return {
    whyNotReady: async () => {
      if (phase() !== undefined || !isSeveral) return phase() ?? databaseTrouble(main.database)
      const states = Object.values(await servers())
      return states.includes(ok) ? undefined : states[0]
    },
    migrations: isSeveral
      ? async () => (await Promise.all(all.map(({ database }) => backgroundProgress(database).catch(() => [])))).flat()
      : () => backgroundProgress(main.database),
    areRecordingsAway,
    servers: isSeveral ? servers : undefined,
  }
}

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
