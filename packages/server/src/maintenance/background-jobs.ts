// Background jobs: work that is done in the background now and then, such as retention. Each runs by itself, one round
// at a time; a round that says there is more is followed by the next at once, and one that fails is tried again at its
// next time.
import type { Database } from '../database/pool.js'
import type { Sql } from '../database/sql.js'
import { type Unwatch, whenDue } from '../queue/due-watch.js'

export type BackgroundJob = {
  readonly name: string
  /** One bounded round. True: there may be more to do. */
  readonly run: () => Promise<boolean>
} & Occasion

/** How often it is done, or what finds a row in the database when there is something to do. */
type Occasion = { readonly everyMs: number } | { readonly database: Database; readonly findDue: () => Sql }

export interface BackgroundJobs {
  start(): void
  /** Does a chore as soon as possible, besides its time. */
  hasten(name: string): void
  /** Ends after the rounds under way. */
  stop(): Promise<void>
}

export function createBackgroundJobs(
  chores: readonly BackgroundJob[],
  onTrouble: (error: Error) => void,
): BackgroundJobs {
  const running = new Map<string, Promise<void>>()
  const wanted = new Set<string>()
  const ends: Unwatch[] = []
  let isStopped = true

  async function work({ name, run }: BackgroundJob): Promise<void> {
    while (wanted.delete(name) && !isStopped) {
      const hasMore = await run().catch((error: Error) => {
        onTrouble(error)
        return false
      })
      if (hasMore) wanted.add(name)
    }
  }

  function begin(chore: BackgroundJob): void {
    if (isStopped) return
    wanted.add(chore.name)
    if (running.has(chore.name)) return
    running.set(
      chore.name,
      work(chore).finally(() => {
        running.delete(chore.name)
        if (wanted.has(chore.name)) begin(chore)
      }),
    )
  }

  return {
    start() {
      isStopped = false
      for (const chore of chores) {
        ends.push(repeat(chore, () => begin(chore), onTrouble))
        begin(chore)
      }
    },
    hasten(name) {
      const chore = chores.find((one) => one.name === name)
      if (chore) begin(chore)
    },
    async stop() {
      isStopped = true
      await Promise.all(ends.map((end) => end()))
      await Promise.all(running.values())
    },
  }
}

function repeat(occasion: Occasion, begin: () => void, onTrouble: (error: Error) => void): Unwatch {
  if ('findDue' in occasion) return whenDue(occasion.database, occasion.findDue, begin, onTrouble)
  const timer = setInterval(begin, occasion.everyMs).unref()
  return async () => clearInterval(timer)
}
