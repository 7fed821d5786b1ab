// When to try again and how long to wait before: pure decisions, without clocks or timers.

/** Not now, or someone in between did not reach the service. Anything else is an answer. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

export const isPassing = (status: number): boolean => passing.has(status)

/** The service is there, and asks to wait. */
export const isBusy = (status: number): boolean => status === 429 || status === 503

const firstMs = 500
const longestMs = 8_000
/** A service that asks for more patience than this gets the error shown to the caller instead. */
export const patienceMs = 60_000

/**
 * Doubles from half a second to eight, of which a random part is left out, so that clients that failed together do not
 * come back together.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const whole = Math.min(firstMs * 2 ** attempt, longestMs)
  return whole * (0.5 + random() / 2)
}

/** `Retry-After`, in seconds or as a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** Waits, unless the caller gives up. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const done = () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
