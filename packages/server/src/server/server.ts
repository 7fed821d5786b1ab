// Wires the service on a database: HTTP and loops, started in one order and stopped in its mirror.
import { join } from 'node:path'
import { storedEntities } from '@parley/contract'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import { backgroundProgress, createBackgroundMigrations, isMigrated } from '../database/background-migrations.js'
import { type Migrating, migrate } from '../database/migrate.js'
import type { Database } from '../database/pool.js'
import type { View } from '../database/views.js'
import { fanOutToSubscriptions } from '../delivery/queue/fan-out.js'
import { readNetworks } from '../delivery/transport/address-policy.js'
import { createApp } from '../http/app.js'
import { mountDocs } from '../http/docs/docs-page.js'
import { watchRequests } from '../http/drain.js'
import { createDirectory } from '../http/gate/authenticate.js'
import { createGate, type Gate, type GateOptions } from '../http/gate/gate.js'
import { type Buckets, memoryBuckets } from '../http/gate/rate-limit.js'
import { redisBuckets } from '../http/gate/redis-buckets.js'
import { createSessionVerifier } from '../http/gate/session.js'
import { createUserSessions } from '../http/gate/user-sessions.js'
import { mountHealth } from '../http/health.js'
import { createMetrics, type HttpMetrics, measureEventHorizon, measureRequests } from '../http/metrics.js'
import { mountMetrics, startMetricsServer } from '../http/metrics-endpoint.js'
import { mount } from '../http/mount.js'
import { openApiDocument } from '../http/openapi/openapi.js'
import { logRequests } from '../http/request-log.js'
import { createStreams } from '../http/sse.js'
import { createUnsent } from '../http/unsent.js'
import { builtWeb, mountWeb } from '../http/web/mount-web.js'
import { createBackgroundJobs } from '../maintenance/background-jobs.js'
import { folderBlobs } from '../recordings/folder-blobs.js'
import { createStaleCallWorker } from '../resources/calls/stale-call-worker.js'
import { type EndpointParts, endpointsWith, operationsOf } from '../resources/index.js'
import { inboundUrl } from '../resources/integrations/connections.js'
import { INBOUND_LOGGED } from '../resources/integrations/inbound-queue.js'
import { createInboundWorker } from '../resources/integrations/inbound-worker.js'
import { smsSending } from '../resources/messaging/sms-outbox-adapter.js'
import { addUpStats } from '../resources/overview/count-stats.js'
import { indexTranscripts } from '../resources/overview/transcript-words.js'
import { createSimulator } from '../resources/sandbox/player.js'
import type { SendMail } from '../resources/sign-in/mail.js'
import { mountSignInCallback } from '../resources/sign-in/open-id-callback.js'
import { createOpenIdProvider } from '../resources/sign-in/open-id-provider.js'
import type { SigningIn } from '../resources/sign-in/signing-in.js'
import { createUnderstandingWorker } from '../resources/understanding/understanding-worker.js'
import { reindexed } from '../resources/work/work-record-names.js'
import type { Change } from '../store/change.js'
import { analyticsView } from '../store/entity-ddl.js'
import { horizonAgeSeconds } from '../store/event-log.js'
import { writeShapes } from '../store/record-text.js'
import { reindex } from '../store/reindex.js'
import { createSealer } from '../store/secret-box.js'
import type { Carriers } from '../telephony/carrier.js'
import { createSmsOutbox } from '../telephony/sms-outbox.js'
import { QUEUED } from '../telephony/sms-queue.js'
import { addGauges, countedStreams, refusalCounter } from './gauges.js'
import { createMailer } from './mailer.js'
import { createProviderApis, providerCarriers } from './provider-api.js'
import { createRecordings } from './recording-worker.js'
import { createWebhooks, type DeliveryOverrides } from './webhook-engine.js'

export interface Server {
  readonly app: FastifyInstance
  /** Where it listens. */
  readonly url: string
  /** Where its numbers are, when they have a port of their own. */
  readonly metricsPort: number | undefined
  /** Finishes what is in flight, then closes everything but the database. */
  stop(): Promise<void>
}

export interface ServerParts {
  readonly config: Config & { readonly secret: string }
  readonly database: Database
  readonly log: Logger
  readonly clock?: () => Date
  /** The carriers that live texts can go to, by provider. */
  readonly carriers?: Carriers
  readonly delivery?: DeliveryOverrides
  /** What is still to be done when the address is known; the service is not ready before. */
  readonly onListening?: (url: string) => Promise<void>
}

const DRAIN_MS = 12_000

/** What is derived from the registry and kept current by `migrate`. */
export const analyticsViews: readonly View[] = storedEntities.map(analyticsView)

export const prepareDatabase = (database: Database, options: Pick<Migrating, 'isComplete'> = {}): Promise<string[]> =>
  migrate(database, { views: analyticsViews, derive: writeShapes, ...options })

export async function startServer({ config, database, log, ...parts }: ServerParts): Promise<Server> {
  const { clock = () => new Date() } = parts
  let passing: 'starting' | 'stopping' | undefined = 'starting'
  let url = ''
  const sealer = createSealer(config.secret)
  const metrics = createMetrics()
  const publicUrl = () => config.publicUrl ?? url
  const apis = createProviderApis({ config, inboundUrl: (id, kind) => inboundUrl({ publicUrl }, id, kind) })
  const carriers = { ...providerCarriers(apis), ...parts.carriers }
  const onTrouble = (error: Error) => log.warn({ err: error }, 'background work failed; it is tried again')
  const unsent = createUnsent({ bytesPerTenant: config.unsentBytesPerTenant, bytes: config.unsentBytes })
  const streams = countedStreams(metrics.registry, createStreams(unsent))
  const directory = createDirectory({ database, onTrouble, onChange: streams.recheck })
  const buckets = await bucketsFor(config.redisUrl, log, metrics)
  const users = createUserSessions({ database, idleMs: config.sessionIdleMs, onTrouble })
  const gate = gateFor(config, { directory, users, buckets, publicUrl })
  const app = await appFor(config, log, () => passing === 'stopping')
  const requests = watchRequests(app.server)
  logRequests(app, log, config.logRequests)
  measure(app, metrics, database, clock)
  mountHealth(app, {
    whyNotReady: async () => passing ?? databaseTrouble(database),
    migrations: () => backgroundProgress(database),
  })
  const access = { registry: metrics.registry, token: config.metricsToken }
  if (config.metricsPort === undefined) mountMetrics(app, access)
  const onCommit = (change: Change) => {
    const { announcements } = change
    directory.onAnnouncements(announcements)
    mailer?.onAnnouncements(announcements)
    if (announcements.some(({ topic }) => topic === QUEUED)) outbox.wake()
    simulator.onAnnouncements(announcements)
    recordings.onAnnouncements(announcements)
    if (announcements.some(({ topic }) => topic === INBOUND_LOGGED)) inbound.wake()
    understanding.onCommit(change)
    return webhooks.onCommit(change)
  }
  const onRetry = (part: string) => metrics.writeRetries.inc({ part })
  const committing = { database, sealer, fanOut: fanOutToSubscriptions, onRetry }
  const webhooks = createWebhooks({
    config,
    ...committing,
    registry: metrics.registry,
    log,
    clock: parts.clock,
    overrides: parts.delivery,
  })
  const outbox = createSmsOutbox({
    database,
    clock,
    onTrouble,
    ...smsSending({ ...committing, clock, carriers, onCommit }),
  })
  const reaper = createStaleCallWorker({ ...committing, clock, onCommit }, onTrouble)
  const understanding = createUnderstandingWorker(
    { ...committing, clock, onCommit, modelUrls: config.modelUrls },
    onTrouble,
  )
  const indexing = createBackgroundJobs(
    [
      { name: 'reindexing', everyMs: 1_000, run: () => reindex({ database, ...reindexed }) },
      { name: 'stats', everyMs: 1_000, run: () => addUpStats(database) },
      { name: 'transcripts', everyMs: 1_000, run: () => indexTranscripts(database) },
    ],
    onTrouble,
  )
  const migrations = migrationsOf(database, log, onTrouble)
  const services = {
    publicUrl,
    blobs: folderBlobs(join(config.dataDir, 'recordings')),
    streams,
  }
  const recordings = createRecordings({
    config,
    ...committing,
    clock,
    onCommit,
    services,
    apis,
    onTrouble,
    overrides: parts.delivery,
  })
  const simulator = createSimulator({ ...committing, clock, onCommit, services }, onTrouble)
  const mailer = config.smtp && createMailer(config.smtp, onTrouble)
  const signingIn = signingInFor(config, mailer?.send)
  const admission = { buckets, limit: config.rateLimitInbound, onRefused: refusalCounter(metrics.registry) }
  const endpoints = endpointsFor(config, { carriers, signingIn, providerApis: apis, inbound: admission })
  const inbound = createInboundWorker({
    ...committing,
    clock,
    onCommit,
    services,
    onTrouble,
    retryDelaysMs: config.inboundRetryDelaysMs,
    operation: operationsOf(endpoints),
  })
  const workers = [outbox, recordings, reaper, understanding, indexing, migrations, inbound]
  mountDocs(app, () => openApiDocument({ endpoints, publicUrl: config.publicUrl ?? url }))
  mountWeb(app, builtWeb)
  if (config.role !== 'worker') {
    mount(app, endpoints, { gate, ...committing, clock, onCommit, services, unsent })
    mountSignInCallback(app, { gate, database, sealer, services, clock, signingIn })
  }

  await directory.start()
  users.start()
  const ownMetrics =
    config.metricsPort === undefined ? undefined : await startMetricsServer(config.metricsPort, config.host, access)
  await app.listen({ port: config.port, host: config.host })
  url = listeningUrl(app, config.host)
  if (config.role !== 'api') for (const worker of [...workers, webhooks]) worker.start()
  const server: Server = {
    app,
    url,
    metricsPort: ownMetrics?.port,
    async stop() {
      passing = 'stopping'
      streams.close()
      // Workers take nothing new from here on, and finish what they hold while the requests do.
      const rested = Promise.all([...workers, simulator].map((worker) => worker.stop()))
      await Promise.all([requests.idle(DRAIN_MS), webhooks.stop(DRAIN_MS)])
      app.server.closeAllConnections()
      await app.close()
      await rested
      await directory.stop()
      await users.stop()
      await mailer?.stop()
      await buckets.close()
      await ownMetrics?.close()
    },
  }
  await parts.onListening?.(url).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  passing = undefined
  return server
}

function measure(app: FastifyInstance, metrics: HttpMetrics, database: Database, clock: () => Date): void {
  measureRequests(app, metrics)
  measureEventHorizon(metrics, () => horizonAgeSeconds(database))
  addGauges(metrics.registry, database, clock)
}

async function databaseTrouble(database: Database): Promise<string | undefined> {
  const migrated = await isMigrated(database).catch(() => undefined)
  return migrated === undefined ? 'database away' : migrated ? undefined : 'migrations not applied'
}

const gateFor = (config: Config, parts: Pick<GateOptions, 'directory' | 'users' | 'buckets' | 'publicUrl'>): Gate =>
  createGate({
    ...parts,
    sessions: config.oidc && createSessionVerifier(config.oidc),
    limits: { read: config.rateLimitRead, write: config.rateLimitWrite },
  })

const signingInFor = ({ sessionLifetimeMs, openIdClient }: Config, mail: SendMail | undefined): SigningIn => ({
  sessionLifetimeMs,
  openId: openIdClient && createOpenIdProvider(openIdClient),
  mail,
})

type OwnEndpointParts = Pick<EndpointParts, 'carriers' | 'signingIn' | 'providerApis' | 'inbound'>

const endpointsFor = (config: Config, parts: OwnEndpointParts) =>
  endpointsWith({
    ...parts,
    webhookNetworks: readNetworks(config.webhookAllowNetworks),
    recordingNetworks: readNetworks(config.recordingAllowNetworks),
    modelUrls: config.modelUrls,
    retentionDays: config.retentionDays,
  })

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

const migrationsOf = (database: Database, log: FastifyBaseLogger, onTrouble: (error: Error) => void) =>
  createBackgroundMigrations({
    database,
    onTrouble,
    onProgress: ({ name, rows }) => log.info(`Migration ${name}: ${rows} rows so far`),
    onDone: (name) => log.info(`Migration ${name} is done`),
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
