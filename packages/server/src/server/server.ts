// Wires the service on a database: HTTP and workers, started in one order and stopped in its mirror.
import { storedEntities } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import { version } from '../config/version.js'
import { type Migrating, migrate } from '../database/migrate.js'
import { makeNextPartitions } from '../database/partitions.js'
import type { Database } from '../database/pool.js'
import type { Standbys } from '../database/standbys.js'
import { StartupError } from '../database/startup-error.js'
import type { View } from '../database/views.js'
import { fanOutToSubscriptions } from '../delivery/queue/fan-out.js'
import { readNetworks } from '../delivery/transport/address-policy.js'
import { createMetrics, type HttpMetrics } from '../http/metrics.js'
import { mount } from '../http/mount.js'
import type { StandbyReads } from '../http/standby-reads.js'
import { builtDocs, mountDocs } from '../http/web/mount-docs.js'
import { builtWeb, mountWeb } from '../http/web/mount-web.js'
import { partitionedTables } from '../maintenance/partitioned-tables.js'
import { mountMcp } from '../mcp/mount-mcp.js'
import { blobPlaceOf, openBlobs } from '../recordings/open-blobs.js'
import { type EndpointParts, endpointsWith } from '../resources/index.js'
import { inboundUrl } from '../resources/integrations/connections.js'
import type { SendMail } from '../resources/sign-in/mail.js'
import { mountSignInCallback } from '../resources/sign-in/open-id-callback.js'
import { createOpenIdProvider } from '../resources/sign-in/open-id-provider.js'
import type { SigningIn } from '../resources/sign-in/signing-in.js'
import { type Shard, shardsOf } from '../shards/shards.js'
import { analyticsView } from '../store/entity-ddl.js'
import { writeShapes } from '../store/record-text.js'
import { createSealer } from '../store/secret-box.js'
import type { Telemetry, TelemetryParts } from '../telemetry/open-telemetry.js'
import { noTracing } from '../telemetry/tracing.js'
import type { Carriers } from '../telephony/carrier.js'
import { createFront } from './front.js'
import { refusalCounter } from './gauges.js'
import { createMailer } from './mailer.js'
import { servePlatform } from './platform.js'
import { createProviderApis, providerCarriers } from './provider-api.js'
import { shardMetrics } from './shard-metrics.js'
import { createShardWorkers } from './shard-workers.js'
import type { DeliveryOverrides } from './webhook-engine.js'

export interface Server {
  readonly app: FastifyInstance
  /** Where it listens. */
  readonly url: string
  /** Where its numbers are, when they have a port of their own. */
  readonly metricsPort: number | undefined
  /** Where the platform API listens, when it has a port of its own. */
  readonly platformUrl: string | undefined
  /** Finishes what is in flight, then closes everything but the database. */
  stop(): Promise<void>
}

export interface ServerParts {
  readonly config: Config & { readonly secret: string }
  readonly database: Database
  /** Where reads may go besides the database. */
  readonly standbys?: Standbys | undefined
  /** More servers that organizations live on. */
  readonly shards?: readonly Shard[]
  readonly log: Logger
  readonly clock?: () => Date
  /** The carriers that live SMS can go to, by provider. */
  readonly carriers?: Carriers
  readonly delivery?: DeliveryOverrides
  /** What is still to be done when the address is known; the service is not ready before. */
  readonly onListening?: (url: string) => Promise<void>
}

const DRAIN_MS = 12_000

/** What is derived from the registry and kept current by `migrate`. */
export const analyticsViews: readonly View[] = storedEntities.map(analyticsView)

export const prepareDatabase = (
  database: Database,
  options: Pick<Migrating, 'isComplete' | 'isUnfinished'> = {},
): Promise<string[]> =>
  migrate(database, {
    views: analyticsViews,
    async derive(client) {
      await writeShapes(client)
      const now = new Date()
      await makeNextPartitions(client, partitionedTables(DEFAULT_DAYS, now), now)
    },
    ...options,
  })

const blobsFor = (config: Config, log: Logger) =>
  openBlobs(blobPlaceOf(config), {
    timeoutMs: config.blobTimeoutMs,
    isSigning: config.blobAddresses === 'store',
    onTrouble: (error) => log.warn({ err: error }, 'the store of recordings failed'),
  })

/** How much the first partitions hold; the later ones hold as much as the setting says. */
const DEFAULT_DAYS = 90

export async function startServer({ config, database, log, ...parts }: ServerParts): Promise<Server> {
  const { clock = () => new Date() } = parts
  let phase: 'starting' | 'stopping' | undefined = 'starting'
  let url = ''
  const sealer = createSealer(config.secret)
  const metrics = createMetrics()
  const shards = shardsOf(database, parts.shards)
  const numbers = shardMetrics(metrics.registry, shards)
  const publicUrl = () => config.publicUrl ?? url
  const onTrouble = (error: Error) => log.warn({ err: error }, 'background work failed; it is tried again')
  const kept = await blobsFor(config, log)
  const standing = { phase: () => phase, areRecordingsAway: kept.isAway }
  const { tracing, stop: stopTelemetry } = await telemetryFor(config, { registry: numbers.shown, onTrouble })
  const fronting = { config, shards, log, clock, metrics, shardMetrics: numbers, publicUrl, tracing, onTrouble }
  const front = await createFront({ ...fronting, ...standing })
  const { app, gate, streams } = front
  const onRetry = (part: string) => metrics.writeRetries.inc({ part })
  const committing = { database, sealer, fanOut: fanOutToSubscriptions, onRetry, tracing }
  const services = { publicUrl, blobs: kept.blobs, streams }
  const apis = createProviderApis({ config, inboundUrl: (id, kind) => inboundUrl({ publicUrl }, id, kind) })
  const carriers = { ...providerCarriers(apis), ...parts.carriers }
  const mailer = config.smtp && createMailer(config.smtp, onTrouble)
  const signingIn = signingInFor(config, mailer?.send)
  const onRefused = refusalCounter(metrics.registry)
  const admission = { buckets: front.buckets, limit: config.rateLimitInbound, onRefused }
  const endpoints = endpointsFor(config, { carriers, signingIn, providerApis: apis, inbound: admission })
  const beside = { config, clock, log, onTrouble, services, endpoints, carriers, apis, delivery: parts.delivery }
  const heard = { heardAt: front.heardAt, homes: front.homes, heard: mailer ? [mailer.onAnnouncements] : [] }
  const workers = createShardWorkers({ ...beside, shards, committing, registryOf: numbers.of, ...heard })
  const { onCommit, places } = workers
  mountDocs(app, builtDocs)
  mountWeb(app, builtWeb)
  if (config.role !== 'worker') {
    const standbyReads = standbyReadsOf(parts.standbys, metrics)
    const mounting = { gate, ...committing, clock, onCommit, services, unsent: front.unsent, standbyReads, places }
    mount(app, endpoints, mounting)
    servePlatform({ config, front, mounting, shards, onTrouble })
    mountMcp(app, { endpoints, gate, unsent: front.unsent, publicUrl, corsOrigins: config.corsOrigins })
    mountSignInCallback(app, { gate, database, sealer, services, clock, signingIn })
  }
  url = await front.open()
  if (config.role !== 'api') workers.start()
  const server: Server = {
    app,
    url,
    metricsPort: front.metricsPort(),
    platformUrl: front.platformUrl(),
    async stop() {
      phase = 'stopping'
      streams.close()
      // Workers take nothing new from here on, and finish what they hold while the requests do.
      await Promise.all([front.close(DRAIN_MS), workers.stop(DRAIN_MS)])
      await front.forget()
      await mailer?.stop()
      kept.close()
      await stopTelemetry()
    },
  }
  await parts.onListening?.(url).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  phase = undefined
  return server
}

const standbyReadsOf = (standbys: Standbys | undefined, { standbyReads }: HttpMetrics): StandbyReads | undefined =>
  standbys && { standbys, onRead: (from) => standbyReads.inc({ from }) }

/** The packages are loaded where a setting asks for them, and nowhere else. */
async function telemetryFor(
  { telemetry: settings }: Config,
  parts: Pick<TelemetryParts, 'registry' | 'onTrouble'>,
): Promise<Telemetry> {
  if (settings === undefined) return { tracing: noTracing, stop: async () => undefined }
  const { startTelemetry } = await import('../telemetry/open-telemetry.js')
  return startTelemetry({ settings, version, ...parts }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartupError(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the OpenTelemetry packages are not installed. Install Parley with its ' +
        'optional dependencies, or set OTEL_SDK_DISABLED=true.',
    )
  })
}

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
    batchItems: config.rateLimitBatch,
    importFileBytes: config.importFileBytes,
  })
