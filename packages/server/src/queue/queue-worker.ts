// A worker on a queue in the database: it claims as much as it has room for, works on each claim by itself, and looks
// again when it is woken, when something is due (`due-watch.ts`), and when something is done while more waits. What is
// claimed, and how it is settled, is the queue's own affair.
import type { Database } from '../database/pool.js'
import type { Sql } from '../database/sql.js'
import { type Unwatch, whenDue } from './due-watch.js'

export interface Claimed<T> {
  readonly items: readonly T[]
  /** More may be due: look again as soon as there is room. */
  readonly hasMore: boolean
}

export interface QueueWorkerParts<T> {
  readonly database: Database
  /** Finds a row when there may be something to claim. */
  readonly findDue: () => Sql
  readonly claim: (room: number) => Promise<Claimed<T>>
  readonly work: (item: T) => Promise<void>
  readonly onTrouble: (error: Error) => void
  /** How many are worked on at once: a slow one takes a slot, not the whole worker. */
  readonly slots: number
}

export interface QueueWorker {
  /** Something was queued: look now. */
  wake(): void
  start(): void
  /** Takes nothing new and finishes what it holds. */
  stop(): Promise<void>
}

export function createQueueWorker<T>(parts: QueueWorkerParts<T>): QueueWorker {
  const { database, findDue, claim, work, onTrouble, slots } = parts
  const inFlight = new Set<Promise<void>>()
  let unwatch: Unwatch | undefined
  let isStopped = true
  let isAwake = false
  let hasBacklog = false
  let looking: Promise<void> | undefined

  async function claimMore(): Promise<void> {
    const room = slots - inFlight.size
    if (room === 0) return
    const { items, hasMore } = await claim(room)
    hasBacklog = hasMore
    for (const item of items) {
      const worked = work(item)
        .catch(onTrouble)
        .then(() => {
          inFlight.delete(worked)
          if (hasBacklog) look()
        })
      inFlight.add(worked)
    }
  }

  function look(): void {
    if (isStopped) return
    isAwake = true
    looking ??= lookWhileAwake().finally(() => {
      looking = undefined
    })
  }

  async function lookWhileAwake(): Promise<void> {
    while (isAwake) {
      isAwake = false
      if (!isStopped) await claimMore().catch(onTrouble)
    }
  }

  return {
    wake: look,
    start() {
      isStopped = false
      unwatch = whenDue(database, findDue, look, onTrouble)
      look()
    },
    async stop() {
      isStopped = true
      await unwatch?.()
      await looking
      await Promise.all(inFlight)
    },
  }
}
