// Wires the delivery engine: sender, loop, chores and numbers, and what each of them hears of commits.
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.js'
import { version } from '../config/version.js'
import { createSender, type SenderOptions } from '../delivery/attempt/attempt.js'
import { measureBacklog } from '../delivery/queue/backlog.js'
import { sqlNow } from '../delivery/queue/due-deliveries.js'
import { findRunningReplay, moveReplayOn, REPLAY_STARTED } from '../delivery/queue/replay-job.js'
import { SUBSCRIPTION_STOPPED, settleRevoked, waitUntilStopped } from '../delivery/queue/revocation.js'
import { readNetworks } from '../delivery/transport/address-policy.js'
import type { DeliveryLog } from '../delivery/worker/deliver-one.js'
import { DeliveryLoop, slotsDefault } from '../delivery/worker/delivery-worker.js'
import { createDeliveryMetrics } from '../delivery/worker/metrics.js'
import { createBackgroundJobs } from '../maintenance/background-jobs.js'
import { retentionChores } from '../maintenance/retention.js'
import { disabling } from '../resources/webhooks/auto-disable.js'
import type { Change } from '../store/change.js'
import { FANNED_OUT } from '../store/commit.js'
import type { Committing } from '../store/commit-with-retry.js'

/** What tests bring instead of the real network and the usual lease. */
export interface DeliveryOverrides extends Pick<SenderOptions, 'ca' | 'lookup' | 'bodyTimeoutMs' | 'dnsCacheMs'> {
  readonly leaseMs?: number
  readonly slots?: number
}

export interface WebhookParts extends Committing {
  readonly config: Config
  readonly registry: Registry
  readonly log: DeliveryLog
  /** Undefined outside tests: then the database's clock is the one that counts. */
  readonly clock: (() => Date) | undefined
  readonly overrides: DeliveryOverrides | undefined
}

export interface Webhooks {
  /** Settles when the change may be answered. */
  onCommit(change: Change): Promise<void>
  start(): void
  stop(withinMs: number): Promise<void>
}

const replayChore = 'replays'
const revocationChore = 'revocations'

export function createWebhooks({
  config,
  database,
  sealer,
  onRetry,
  fanOut,
  registry,
  log,
  clock,
  overrides = {},
}: WebhookParts): Webhooks {
  const { leaseMs, slots, ...own } = overrides
  const now = clock ?? (() => new Date())
  const opened = readNetworks(config.webhookAllowNetworks)
  const sender = createSender({
    version,
    opened,
    timeoutMs: config.webhookTimeoutMs,
    idleConnectionsMax: slotsDefault,
    now,
    ...own,
  })
  const metrics = createDeliveryMetrics(registry, () => measureBacklog(database, sqlNow(clock)))
  const ladder = { delaysMs: config.webhookRetryDelaysMs, random: Math.random }
  const disable = disabling({ database, sealer, fanOut, onRetry, clock: now, onCommit })
  const loop = new DeliveryLoop({ database, sealer, sender, ladder, metrics, log, clock, disable, leaseMs, slots })
  const moveReplay = async () => {
    const moved = await moveReplayOn(database, sqlNow(clock))
    if (moved) loop.wake(moved.tenantId)
    return moved !== undefined
  }
  const chores = createBackgroundJobs(
    [
      { name: replayChore, database, findDue: () => findRunningReplay, run: moveReplay },
      { name: revocationChore, everyMs: 5_000, run: () => settleRevoked(database, sqlNow(clock)) },
      ...retentionChores({ database, clock: now, days: config.retentionDays }),
    ],
    (error) => log.warn({ err: error }, 'background work failed; it is tried again'),
  )

  async function onCommit({ announcements }: Change): Promise<void> {
    for (const { topic, detail } of announcements) {
      if (topic === FANNED_OUT) loop.wake(detail as string)
      if (topic === REPLAY_STARTED) chores.hasten(replayChore)
      if (topic === SUBSCRIPTION_STOPPED) {
        const { tenantId, subscriptionId } = detail as { tenantId: string; subscriptionId: string }
        await waitUntilStopped(database, tenantId, subscriptionId)
        chores.hasten(revocationChore)
      }
    }
  }

  return {
    onCommit,
    start() {
      loop.start()
      chores.start()
    },
    async stop(withinMs) {
      await Promise.all([loop.stop(withinMs), chores.stop()])
      void sender.close()
    },
  }
}
