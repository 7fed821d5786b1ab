// Writes failed attempts to the operator's log: the first of a subscription at once and in full, those that follow
// within a minute as one line that counts them. An endpoint that fails a thousand times a second must not fill a disk.
import type { AttemptResult } from '../attempt/attempt.js'
import type { Verdict } from '../attempt/judge.js'
import type { Claimed } from '../queue/claim.js'
import type { DeliveryLog } from './deliver-one.js'

export interface FailureLog {
  add(delivery: Claimed, result: AttemptResult, verdict: Verdict): void
  /** Writes what was counted so far, and counts no more. */
  close(): void
}

export interface FailureLogOptions {
  readonly log: DeliveryLog
  /** How long failures of a subscription are counted before they become a line. */
  readonly everyMs?: number | undefined
  /** Subscriptions that have lines of their own within that time; the others share one. */
  readonly subscriptionsMax?: number | undefined
}

interface Counted {
  failures: number
  readonly errors: Record<string, number>
  readonly statuses: Record<string, number>
}

const noFailures = (): Counted => ({ failures: 0, errors: {}, statuses: {} })

export function createFailureLog({ log, everyMs = 60_000, subscriptionsMax = 1_000 }: FailureLogOptions): FailureLog {
  const counts = new Map<string, Counted>()
  let others = noFailures()
  let timer: NodeJS.Timeout | undefined

  /** Who failed no more is forgotten; who did may be counted for another while. */
  function write(): void {
    for (const [subscriptionId, counted] of counts) {
      if (counted.failures === 0) counts.delete(subscriptionId)
      else {
        log.info({ subscriptionId, ...counted }, 'more webhook attempts failed')
        counts.set(subscriptionId, noFailures())
      }
    }
    if (others.failures > 0) log.info({ ...others }, 'more webhook attempts of other subscriptions failed')
    others = noFailures()
    timer = counts.size > 0 ? writeLater() : undefined
  }

  const writeLater = () => setTimeout(write, everyMs).unref()

  function addFirst(
    { id: deliveryId, eventId, subscriptionId, attempt }: Claimed,
    result: AttemptResult,
    verdict: Verdict,
  ): void {
    counts.set(subscriptionId, noFailures())
    timer ??= writeLater()
    const detail = result.kind === 'failed' ? result.detail : undefined
    const { status, lastError: error } = verdict
    const { durationMs } = result
    log.info(
      { deliveryId, eventId, subscriptionId, attempt, status, error, detail, durationMs },
      'webhook attempt failed',
    )
  }

  return {
    add(delivery, result, verdict) {
      const known = counts.get(delivery.subscriptionId)
      if (known === undefined && counts.size < subscriptionsMax) return addFirst(delivery, result, verdict)
      count(known ?? others, verdict)
    },
    close() {
      clearTimeout(timer)
      write()
      clearTimeout(timer)
    },
  }
}

function count(counted: Counted, { status, lastError }: Verdict): void {
  const error = lastError ?? 'none'
  counted.failures++
  counted.errors[error] = (counted.errors[error] ?? 0) + 1
  counted.statuses[status] = (counted.statuses[status] ?? 0) + 1
}
