// Waiting one's turn: once a bucket of the service is empty, requests leave one after another at the pace at which it
// fills, instead of all at once to be refused again. Reads and writes have a bucket each.
import { patienceMs, pause, retryAfterMs } from './retry.js'

export interface Pace {
  /** Comes when the next request may leave. */
  turn(signal: AbortSignal | undefined): Promise<void>
  /** Learns from an answer how full the bucket is. */
  heed(headers: Headers): void
}

export function createPace(): Pace {
  let nextAt = 0
  let gapMs = 0
  return {
    async turn(signal) {
      const now = Date.now()
      if (nextAt <= now) return
      const waitMs = nextAt - now
      nextAt += gapMs
      await pause(waitMs, signal)
    },
    heed(headers) {
      if (!isSpent(headers)) return
      const now = Date.now()
      gapMs = gapOf(headers, now)
      nextAt = Math.max(nextAt, now + Math.min(retryAfterMs(headers, now) ?? gapMs, patienceMs))
    },
  }
}

/** The bucket is empty. Other refusals have the same status, such as too many wrong passwords. */
export const isSpent = (headers: Headers): boolean => headers.get('x-ratelimit-remaining') === '0'

/** How long one request takes to come back into the bucket, which says its size and when it will be full again. */
function gapOf(headers: Headers, now: number): number {
  const size = Number(headers.get('x-ratelimit-limit')) || 1
  const theirs = Date.parse(headers.get('date') ?? '') || now
  const clock = Math.abs(theirs - now) < clockToleranceMs ? now : theirs
  // Told in whole seconds, rounded up: half a second too late on average.
  const fullInMs = Number(headers.get('x-ratelimit-reset')) * 1_000 - clock - 500
  return Math.min(Math.max(fullInMs, 0) / size, patienceMs)
}

/** `Date` has whole seconds too, so that a clock this far off is taken for right. */
const clockToleranceMs = 2_000
