// Everything that works beside requests: it is told of each commit, started with the node and stopped with it.
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import { createSendingGate, type Held } from '../backup/held-sending.js'
import type { Config } from '../config/config.js'
import { createBackgroundMigrations } from '../database/background-migrations.js'
import type { Database } from '../database/pool.js'
import type { Endpoint, Services } from '../http/endpoint.js'
import { createBackgroundJobs } from '../maintenance/background-jobs.js'
import { createStaleCallWorker } from '../resources/calls/stale-call-worker.js'
import { IMPORT_CHANGED } from '../resources/imports/import-jobs.js'
import { createImportWorker } from '../resources/imports/import-worker.js'
import { sweepImports } from '../resources/imports/sweep-imports.js'
import { importTargets, operationsOf } from '../resources/index.js'
import type { ProviderApis } from '../resources/integrations/connection-check.js'
import { INBOUND_LOGGED } from '../resources/integrations/inbound-queue.js'
import { createInboundWorker } from '../resources/integrations/inbound-worker.js'
import { REFERENCES_TO_MOVE } from '../resources/merging/merge-records.js'
import { findDueMerge, moveMerged } from '../resources/merging/merge-worker.js'
import { smsSending } from '../resources/messaging/sms-outbox-adapter.js'
import { addUpStats, findStatChange } from '../resources/overview/count-stats.js'
import { findDueTranscript, indexTranscripts } from '../resources/overview/transcript-words.js'
import { createSimulator } from '../resources/sandbox/player.js'
import { createUnderstandingWorker } from '../resources/understanding/understanding-worker.js'
import { reindexed } from '../resources/work/work-record-names.js'
import type { Announcement, Change } from '../store/change.js'
import type { Committing } from '../store/commit-with-retry.js'
import { findReindexing, reindex } from '../store/reindex.js'
import type { Carriers } from '../telephony/carrier.js'
import { createSmsOutbox } from '../telephony/sms-outbox.js'
import { QUEUED } from '../telephony/sms-queue.js'
import { createRecordings } from './recording-worker.js'
import { createWebhooks, type DeliveryOverrides } from './webhook-engine.js'

export interface WorkerParts {
  readonly config: Config
  readonly committing: Committing
  readonly clock: () => Date
  readonly log: FastifyBaseLogger
  readonly registry: Registry
  readonly services: Services
  readonly endpoints: readonly Endpoint[]
  readonly carriers: Carriers
  readonly apis: ProviderApis
  readonly onTrouble: (error: Error) => void
  /** Others who want to know what a commit announces. */
  readonly listeners: readonly ((announcements: readonly Announcement[]) => void)[]
  readonly delivery: DeliveryOverrides | undefined
}

export interface Workers {
  /** Told of every commit of this node. */
  readonly onCommit: (change: Change) => Promise<void>
  start(): void
  /** Takes nothing new, and settles when everything under way is done or the time is over. */
  stop(drainMs: number): Promise<void>
}

const MERGES = 'merges'
const SWEEP_MS = 60_000

export function createWorkers(parts: WorkerParts): Workers {
  const { config, committing, clock, onTrouble, services, listeners } = parts
  const { database } = committing
  const onCommit = (change: Change) => {
    const { announcements } = change
    for (const listener of listeners) listener(announcements)
    if (announcements.some(({ topic }) => topic === QUEUED)) outbox.wake()
    simulator.onAnnouncements(announcements)
    recordings.onAnnouncements(announcements)
    if (announcements.some(({ topic }) => topic === INBOUND_LOGGED)) inbound.wake()
    if (announcements.some(({ topic }) => topic === IMPORT_CHANGED)) imports.wake()
    understanding.onCommit(change)
    if (announcements.some(({ topic }) => topic === REFERENCES_TO_MOVE)) merges.hasten(MERGES)
    return webhooks.onCommit(change)
  }
  const acting = { ...committing, clock, onCommit }
  const webhooks = createWebhooks({
    ...committing,
    config,
    registry: parts.registry,
    log: parts.log,
    clock,
    overrides: parts.delivery,
  })
  const outbox = createSmsOutbox({ database, clock, onTrouble, ...smsSending({ ...acting, carriers: parts.carriers }) })
  const understanding = createUnderstandingWorker({ ...acting, modelUrls: config.modelUrls }, onTrouble)
  const { apis, delivery: overrides } = parts
  const recordings = createRecordings({ ...acting, config, services, apis, onTrouble, overrides })
  const simulator = createSimulator({ ...acting, services }, onTrouble)
  const inbound = createInboundWorker({
    ...acting,
    services,
    onTrouble,
    retryDelaysMs: config.inboundRetryDelaysMs,
    operation: operationsOf(parts.endpoints),
  })
  const imports = createImportWorker({
    ...acting,
    services,
    onTrouble,
    leaseMs: config.importLeaseMs,
    unpackedBytes: UNPACKED * config.importFileBytes,
    targetOf: importTargets(parts.endpoints),
  })
  const moving = { name: MERGES, database, findDue: () => findDueMerge, run: () => moveMerged(acting) }
  const sweeping = { name: 'sweep of imports', everyMs: SWEEP_MS, run: () => sweepImports({ ...acting, services }) }
  const merges = createBackgroundJobs([moving, sweeping], onTrouble)
  const reaper = createStaleCallWorker(acting, onTrouble)
  const own = [recordings, reaper, understanding, inbound, imports, merges, indexingOf(database, onTrouble)]
  const started = [...own, migrationsOf(database, parts), sendingOf([outbox, webhooks], parts)]
  return {
    onCommit,
    start: () => {
      for (const worker of started) worker.start()
    },
    async stop(drainMs) {
      await Promise.all([...started, simulator].map((worker) => worker.stop(drainMs)))
    },
  }
}

interface Sender {
  start(): void
  stop(drainMs: number): Promise<void>
}

/** What speaks to the outside waits after a restore until the operator lets it. */
function sendingOf(senders: readonly Sender[], { committing: { database }, log, onTrouble }: WorkerParts): Sender {
  const begin = () => {
    for (const sender of senders) sender.start()
  }
  const onHeld = ({ since, restoredTo }: Held) =>
    log.warn(
      `Webhooks and texts are held since the restore of ${since} (to ${restoredTo}). Let them go with: ` +
        'parley-server resume',
    )
  const gate = createSendingGate({ database, begin, onHeld, onTrouble })
  return {
    start: gate.start,
    async stop(drainMs) {
      await gate.stop()
      await Promise.all(senders.map((sender) => sender.stop(drainMs)))
    },
  }
}

/** How many times larger a file may be when it is unpacked. */
const UNPACKED = 16

/** What is derived from records a moment after they are written. */
const indexingOf = (database: Database, onTrouble: (error: Error) => void) =>
  createBackgroundJobs(
    [
      {
        name: 'reindexing',
        database,
        findDue: () => findReindexing(reindexed.entities),
        run: () => reindex({ database, ...reindexed }),
      },
      { name: 'stats', database, findDue: () => findStatChange, run: () => addUpStats(database) },
      { name: 'transcripts', database, findDue: () => findDueTranscript, run: () => indexTranscripts(database) },
    ],
    onTrouble,
  )

const migrationsOf = (database: Database, { log, onTrouble }: Pick<WorkerParts, 'log' | 'onTrouble'>) =>
  createBackgroundMigrations({
    database,
    onTrouble,
    onProgress: ({ name, rows }) => log.info(`Migration ${name}: ${rows} rows so far`),
    onDone: (name) => log.info(`Migration ${name} is done`),
  })
