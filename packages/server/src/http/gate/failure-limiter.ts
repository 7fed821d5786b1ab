// Limits failed authentications of an address: past the limit nothing is looked up for it for a moment.
import { ApiError } from '../../store/api-error.js'
import { type Limit, memoryBuckets } from './rate-limit.js'

const failureLimit: Limit = { sustained: 20, burst: 40 }

export interface FailureLimiter {
  /** Refuses an address that has failed too often lately, before anything is looked up for it. */
  refuseFlood(address: string, now: Date): void
  /** Counts a failure and refuses it. */
  refuse(address: string, error: ApiError, now: Date): never
}

const BLOCKED_MAX = 10_000

export function createFailureLimiter(): FailureLimiter {
  const buckets = memoryBuckets()
  const blockedUntilMs = new Map<string, number>()
  const refuseFlood = (address: string, now: Date) => {
    const until = blockedUntilMs.get(address)
    if (until === undefined) return
    if (until > now.getTime())
      throw new ApiError('rate_limited', 'Too many failed authentications from this address', undefined, {
        'retry-after': '1',
      })
    blockedUntilMs.delete(address)
  }
  return {
    refuseFlood,
    refuse(address, error, now) {
      refuseFlood(address, now)
      if (buckets.take(address, failureLimit, now.getTime()).remaining === 0) {
        if (blockedUntilMs.size >= BLOCKED_MAX) blockedUntilMs.clear()
        blockedUntilMs.set(address, now.getTime() + 1_000 / failureLimit.sustained)
      }
      throw error
    },
  }
}
