// Gathers what attempts came to and settles it in batches: while one statement runs, the next batch fills. A database
// that is away is asked again until it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/pool.js'
import { sqlNow } from './due-deliveries.js'
import {
  type FailurePolicy,
  logAttempts,
  type Settled,
  type Settlement,
  settleDeliveries,
  settleMax,
} from './settle.js'

export interface SettlerParts {
  readonly database: Database
  readonly patience: FailurePolicy
  readonly clock: (() => Date) | undefined
  readonly onTrouble: (error: Error) => void
  readonly onSettled: (settled: Settled) => void
}

export interface Settler {
  add(settlement: Settlement): void
  /**
   * Results wait for a database that does not take them. Until it does, nothing should be claimed: their leases may
   * have lapsed meanwhile.
   */
  isStuck(): boolean
  /** Settles when everything that was added is written. */
  flush(): Promise<void>
}

/** Results of one moment go together. Short, because a crash meanwhile sends them again. */
const lingerMs = 2
const retryMs = 250

export function createSettler(parts: SettlerParts): Settler {
  const waiting: Settlement[] = []
  let running: Promise<void> | undefined
  let isStuck = false
  const settle = async (batch: readonly Settlement[]) => {
    const settled = await settleDeliveries(parts.database, batch, parts.patience, sqlNow(parts.clock))
    isStuck = false
    if (settled.refused > 0) await logAttempts(parts.database, batch).catch(parts.onTrouble)
    parts.onSettled(settled)
  }

  async function settleAll(): Promise<void> {
    await sleep(lingerMs)
    while (waiting.length > 0) {
      const batch = waiting.splice(0, settleMax)
      await settle(batch).catch(async (error: Error) => {
        parts.onTrouble(error)
        if (!isPassing(error)) return settleOneByOne(batch)
        // The statement was undone, or its answer was lost: settling twice is refused by the fence, so it is simply
        // done again.
        isStuck = true
        waiting.unshift(...batch)
        await sleep(retryMs)
      })
    }
    // Nothing waits any more, even if the last results were refused rather than taken.
    isStuck = false
  }

  /** One result that the database refuses must not hold up the others; its lease lapses. */
  async function settleOneByOne(batch: readonly Settlement[]): Promise<void> {
    for (const one of batch)
      await settle([one]).catch((error: Error) => (isPassing(error) ? void waiting.push(one) : parts.onTrouble(error)))
  }

  function run(): Promise<void> {
    running ??= settleAll().finally(() => {
      running = undefined
      if (waiting.length > 0) void run()
    })
    return running
  }

  return {
    add(settlement) {
      waiting.push(settlement)
      void run()
    },
    isStuck: () => isStuck,
    async flush() {
      while (waiting.length > 0 || running !== undefined) await run()
    },
  }
}

/**
 * Only what is wrong with the values themselves (SQLSTATE classes 22 and 23) stays wrong. All else goes away by itself,
 * or when someone mends the database: a result that was dropped for it would be sent again, however often it was
 * delivered.
 */
function isPassing(error: Error): boolean {
  return !/^2[23][0-9A-Z]{3}$/.test(String((error as { code?: unknown }).code ?? ''))
}
