// Runs a handler until its Change is committed: a lost race is simply run again on fresh data, until a deadline.
// Writers of one record queue in this process, so that a crowd waits instead of spinning.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isConnectionLoss, isTimeout } from '../database/pool.js'
import { type Answer } from './answer.js'
import { ApiError, unavailable } from './api-error.js'
import { type Change, rowKey } from './change.js'
import { type Context, commit } from './commit.js'
import type { Claim } from './idempotency.js'
import type { Sealer } from './seal.js'

export type Outcome = { kind: 'done'; answer: Answer } | { kind: 'claimed by another' }

const DEADLINE_MS = 5_000
const PAUSE_MS = 10

/** Stale version or fence, unique violation, serialization failure, deadlock. */
const lostRaces = new Set(['PA001', '23505', '40001', '40P01'])

export async function perform(
  database: Database,
  sealer: Sealer,
  contextNow: () => Context,
  handle: (context: Context) => Promise<Change>,
  claim?: Claim,
): Promise<Outcome> {
  const deadline = Date.now() + DEADLINE_MS
  for (let round = 0; ; round++) {
    try {
      return await attempt(database, sealer, contextNow, handle, claim)
    } catch (error) {
      if (!isLostRace(error)) throw translated(error)
      if (Date.now() >= deadline) throw unavailable('Too many writers at once; try again')
      await sleep(Math.random() * PAUSE_MS * Math.min(round, 10))
    }
  }
}

async function attempt(
  database: Database,
  sealer: Sealer,
  contextNow: () => Context,
  handle: (context: Context) => Promise<Change>,
  claim?: Claim,
): Promise<Outcome> {
  let context = contextNow()
  let change = await handle(context)
  if (change.isEmpty && claim === undefined) return { kind: 'done', answer: change.answer }
  const turn = await queues.enter(contestedKeys(context.tenantId, change))
  try {
    if (turn.waited) {
      // Whoever was ahead has most likely changed what this handler read.
      context = contextNow()
      change = await handle(context)
    }
    const made = await commit(database, sealer, context, change, claim)
    return made ? { kind: 'done', answer: change.answer } : { kind: 'claimed by another' }
  } finally {
    turn.leave()
  }
}

/** What other writers may be after as well. */
function contestedKeys(tenantId: string, change: Change): string[] {
  const rows = change.writes.filter(({ kind }) => kind !== 'insert').map(rowKey)
  return [...rows, ...change.fences.map(({ name }) => `fence/${name}`)].map((key) => `${tenantId}/${key}`).sort()
}

function isLostRace(error: unknown): boolean {
  return error instanceof Error && lostRaces.has(String((error as { code?: unknown }).code))
}

/** A failure of the database becomes "not now" instead of "something broke". */
export function translated(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (isTimeout(error)) return unavailable('The database took too long; narrow the request or try again')
  return isConnectionLoss(error) ? unavailable('The database is away; try again', 2) : error
}

/** In-process queues by key: each holder waits for the one before it. Keys are taken in sorted order, so nobody waits in a circle. */
const queues = (() => {
  const tails = new Map<string, Promise<void>>()
  return {
    async enter(keys: readonly string[]): Promise<{ waited: boolean; leave(): void }> {
      let waited = false
      const leaves: (() => void)[] = []
      for (const key of keys) {
        const before = tails.get(key)
        let leave = () => {}
        const tail = new Promise<void>((resolve) => {
          leave = resolve
        })
        tails.set(key, tail)
        leaves.push(() => {
          if (tails.get(key) === tail) tails.delete(key)
          leave()
        })
        if (before) {
          waited = true
          await before
        }
      }
      return { waited, leave: () => leaves.forEach((leave) => leave()) }
    },
  }
})()
