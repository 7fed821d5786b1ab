// The worker that reads what was said: it looks when it is woken and when something is due, takes turns among the
// tenants, and gives way to requests when the process has its hands full.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { calls, sms, voicemails } from '@parley/contract'
import { createQueueWorker } from '../../queue/queue-worker.js'
import type { Change } from '../../store/change.js'
import { appenderOf } from '../calls/segment-batcher.js'
import { SEGMENTS_WRITTEN } from '../calls/segments.js'
import { createListener, effort } from './listen.js'
import { type UnderstandingParts, understand } from './understand.js'
import { claimJobs, findDueJob, postponeJob, queueTalkedOn, type UnderstandingJob } from './understanding-queue.js'

const SLOTS = 4
/** Of one tenant at a time: the others find a slot free. */
const PER_TENANT = 2
/** Who wakes it several times meanwhile wakes it once. */
const GATHER_MS = 5
const LEASE_MS = 120_000
const RETRY_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000] as const
const REMEMBERED_CALLS = 500

/** When other work fills more than this share of the time that reading leaves, reading takes but a small part of it. */
const BUSY = 0.9
const BUSY_PAUSE = 15
const PAUSE_MAX_MS = 1_000

export interface UnderstandingWorker {
  onCommit(change: Change): void
  start(): void
  stop(): Promise<void>
}

export function createUnderstandingWorker(
  system: Omit<UnderstandingParts, 'listener'>,
  onTrouble: (error: Error) => void,
): UnderstandingWorker {
  const { database } = system
  const parts: UnderstandingParts = { ...system, listener: createListener(REMEMBERED_CALLS) }
  const underWay = new Map<string, number>()
  const count = (tenantId: string, step: number) => {
    const now = (underWay.get(tenantId) ?? 0) + step
    if (now > 0) underWay.set(tenantId, now)
    else underWay.delete(tenantId)
  }
  const giveWay = pauses()

  async function work(job: UnderstandingJob): Promise<void> {
    try {
      await understand(parts, job)
    } catch (error) {
      const delayMs = RETRY_MS[Math.min(job.attempts, RETRY_MS.length) - 1] ?? RETRY_MS[0]
      await postponeJob(database, job, delayMs, error as Error)
      throw error
    } finally {
      await giveWay()
      count(job.tenantId, -1)
    }
  }

  const worker = createQueueWorker<UnderstandingJob>({
    database,
    findDue: findDueJob,
    slots: SLOTS,
    onTrouble,
    work,
    async claim(room) {
      await queueTalkedOn(database)
      const items = await claimJobs(database, { leaseMs: LEASE_MS, room, perTenant: PER_TENANT, underWay })
      for (const { tenantId } of items) count(tenantId, 1)
      return { items, hasMore: items.length > 0 }
    },
  })

  let woken: NodeJS.Timeout | undefined
  function wake(): void {
    woken ??= setTimeout(() => {
      woken = undefined
      worker.wake()
    }, GATHER_MS)
    woken.unref()
  }
  appenderOf(database).onAppended(wake)

  return {
    onCommit(change) {
      if (change.writes.some(({ entity }) => listened.has(entity.table))) wake()
      else if (change.announcements.some(({ topic }) => topic === SEGMENTS_WRITTEN)) wake()
    },
    start: () => worker.start(),
    async stop() {
      clearTimeout(woken)
      await worker.stop()
    },
  }
}

const listened: ReadonlySet<string> = new Set([calls, sms, voicemails].map(({ table }) => table))

/** Rests after a job while the process is busy with other things. */
function pauses(): () => Promise<void> {
  let before = { loop: performance.eventLoopUtilization(), effortMs: effort.ms }
  return async () => {
    const now = { loop: performance.eventLoopUtilization(), effortMs: effort.ms }
    const { active, idle } = performance.eventLoopUtilization(now.loop, before.loop)
    const readingMs = now.effortMs - before.effortMs
    before = now
    const isBusy = active - readingMs > BUSY * (active + idle - readingMs)
    if (isBusy) await sleep(Math.min(PAUSE_MAX_MS, readingMs * BUSY_PAUSE))
  }
}
