// Keeps the embedded database running: when it dies it is launched again, at once and then with growing waits, and
// given up only after it has not come back for as long as the operator allows. The address stays the same, so whoever
// uses it simply connects again.

import { setTimeout as delay } from 'node:timers/promises'
import type { Postmaster } from './embedded-postmaster.js'

export interface Supervision {
  /** Begins when a launch failed or the database died; over it the supervisor gives up. */
  readonly restartWithinMs: number
  readonly say: (line: string) => void
}

const firstWaitMs = 100
const longestWaitMs = 5_000
/** One that dies sooner than this after it was ready has not come back at all. */
const steadyMs = 10_000

export function supervise(
  first: Postmaster,
  relaunch: (signal: AbortSignal) => Promise<Postmaster>,
  { restartWithinMs, say }: Supervision,
): Postmaster {
  const stopping = new AbortController()
  const { signal } = stopping
  let current = first
  let readyAtMs = Date.now()
  let troubleSinceMs: number | undefined
  let waitMs = 0

  /** False when it is time to give up. */
  async function bringBack(): Promise<boolean> {
    if (troubleSinceMs === undefined || Date.now() - readyAtMs > steadyMs) {
      troubleSinceMs = Date.now()
      waitMs = 0
    }
    while (!signal.aborted && Date.now() - troubleSinceMs <= restartWithinMs) {
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
      waitMs = Math.min(waitMs * 2 || firstWaitMs, longestWaitMs)
      if (signal.aborted) break
      const launched = await relaunch(signal).catch((error: Error) =>
        say(`The database did not start again: ${error.message}`),
      )
      if (launched) {
        current = launched
        readyAtMs = Date.now()
        return true
      }
    }
    return false
  }

  async function watch(): Promise<void> {
    for (;;) {
      await current.exited
      if (signal.aborted) return
      say('The database died; starting it again')
      if (!(await bringBack())) return
      if (!signal.aborted) say('The database is back')
    }
  }

  const exited = watch()
  return {
    exited,
    async stop() {
      stopping.abort()
      await current.stop()
      await exited
      // Whatever came up in the very moment goes too.
      await current.stop()
    },
    signalStop: () => current.signalStop(),
  }
}
