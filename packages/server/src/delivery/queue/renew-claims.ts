// Asks again whether deliveries may still be sent, all of one moment in one statement: when a machine is slow, many of
// them come late together.
import type { Database } from '../../database/pool.js'
import type { Claimed } from './claim.js'
import { sqlNow } from './due-deliveries.js'
import { renewClaims } from './held-claims.js'

export interface Renewal {
  readonly isHeld: boolean
  /** When the database was asked, on the clock of `performance`: from then on the answer is trusted. */
  readonly askedAtMs: number
}

export interface Renewals {
  /** Rejects when the database is away. */
  renew(delivery: Claimed): Promise<Renewal>
}

interface Asking {
  readonly delivery: Claimed
  readonly resolve: (renewal: Renewal) => void
  readonly reject: (error: unknown) => void
}

export function createRenewals(database: Database, clock: (() => Date) | undefined): Renewals {
  let waiting: Asking[] = []
  let isAsking = false

  async function ask(): Promise<void> {
    isAsking = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const askedAtMs = performance.now()
      const deliveries = batch.map(({ delivery }) => delivery)
      await renewClaims(database, deliveries, sqlNow(clock)).then(
        (held) => batch.forEach(({ delivery, resolve }) => resolve({ isHeld: held.has(delivery.id), askedAtMs })),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    }
    isAsking = false
  }

  return {
    renew: (delivery) =>
      new Promise((resolve, reject) => {
        waiting.push({ delivery, resolve, reject })
        if (!isAsking) void ask()
      }),
  }
}
