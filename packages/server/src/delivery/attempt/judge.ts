// Decides what an attempt means for its delivery: done, tried again and when, given up, or pointless to go on.
// It is pure: the clock, the ladder of delays and the randomness come in as arguments.
import type { TransportError } from '../transport/transport-error.js'

/** Every word that `lastError` of a delivery and `error` of an attempt can hold. */
export type DeliveryError = TransportError | `http_${number}` | 'endpoint_gone' | 'subscription_revoked'

/** The part of an attempt's result that the verdict depends on. */
export type JudgedResult =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  | { kind: 'failed'; error: TransportError }

export type Verdict =
  | { status: 'SUCCEEDED'; deliveredAt: Date; lastError: null }
  | { status: 'RETRYING'; nextAttemptAt: Date; lastError: DeliveryError }
  | { status: 'DEAD_LETTERED'; lastError: DeliveryError }
  | { status: 'FAILED'; lastError: DeliveryError; isEndpointGone: boolean }

export interface RetrySchedule {
  /** The delay before each attempt of a cycle, the first included: as many entries as there are attempts. */
  delaysMs: readonly number[]
  /** From 0 up to but not including 1, as `Math.random`. */
  random: () => number
}

const jitterShareMax = 0.05
const retryAfterMaxMs = 24 * 60 * 60 * 1000

/**
 * `attempt` counts from 1 within the cycle, so that a replay starts over; `now` is the end of the attempt, because gaps
 * are counted from there. A gap is a floor: jitter and `Retry-After` can only make it longer.
 */
export function judge(attempt: number, result: JudgedResult, now: Date, ladder: RetrySchedule): Verdict {
  if (result.kind === 'answered' && result.status >= 200 && result.status <= 299)
    return { status: 'SUCCEEDED', deliveredAt: now, lastError: null }
  const lastError = errorWord(result)
  if (lastError === 'endpoint_gone') return { status: 'FAILED', lastError, isEndpointGone: true }
  if (lastError === 'blocked_address') return { status: 'FAILED', lastError, isEndpointGone: false }
  const floorMs = ladder.delaysMs[attempt]
  if (floorMs === undefined) return { status: 'DEAD_LETTERED', lastError }
  const laddered = floorMs * (1 + ladder.random() * jitterShareMax)
  const waitMs = Math.ceil(Math.max(laddered, askedDelayMs(result, now)))
  return { status: 'RETRYING', nextAttemptAt: new Date(now.getTime() + waitMs), lastError }
}

export function errorWord(result: JudgedResult): DeliveryError {
  if (result.kind === 'failed') return result.error
  return result.status === 410 ? 'endpoint_gone' : `http_${result.status}`
}

/**
 * Milliseconds that a `Retry-After` asks for: never negative, at most 24 hours, and 0 for anything that cannot be
 * understood.
 */
export function retryAfterMs(header: string, now: Date): number {
  const text = header.trim()
  const askedMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : httpDateMs(text) - now.getTime()
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), retryAfterMaxMs)
}

function askedDelayMs(result: JudgedResult, now: Date): number {
  if (result.kind !== 'answered' || result.retryAfter === null) return 0
  return result.status === 429 || result.status === 503 ? retryAfterMs(result.retryAfter, now) : 0
}

/**
 * The three forms of a date in HTTP all begin with the name of a day. `Date.parse` alone would also read `-5` or `soon
 * 7` as some date, and the form without a zone (asctime) as local time. NaN when it is no date.
 */
function httpDateMs(text: string): number {
  if (!/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(text)) return Number.NaN
  return Date.parse(/ gmt$/i.test(text) ? text : `${text} GMT`)
}
