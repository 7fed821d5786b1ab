// Token buckets in memory: how many requests a key may still make. Which key a request counts under, and what a refused
// one is answered, is for the caller; sharing buckets between nodes is redis-buckets.ts.

export interface Limit {
  /** Tokens that come back per second, continuously. */
  readonly sustained: number
  /** Tokens a full bucket holds. */
  readonly burst: number
}

export interface Taken {
  readonly allowed: boolean
  /** The burst. */
  readonly limit: number
  /** Whole tokens left. */
  readonly remaining: number
  /** Unix seconds when the bucket is full again, rounded up. */
  readonly resetAt: number
  /** Whole seconds, at least 1, until a token is there; of use when refused. */
  readonly retryAfter: number
}

export interface Buckets {
  /** Takes one token, or as many as are asked for, or none. */
  take(key: string, limit: Limit, nowMs: number, tokens?: number): Taken | Promise<Taken>
  close(): Promise<void>
}

interface MemoryBuckets extends Buckets {
  /** Synchronous, because every request passes here and a promise would cost more than the arithmetic. */
  take(key: string, limit: Limit, nowMs: number, tokens?: number): Taken
  /** Buckets held now; full ones are forgotten, since a key without a bucket has a full one. */
  readonly size: number
}

interface Bucket {
  /** Tokens at the moment `atMs`. */
  tokens: number
  atMs: number
  fullAtMs: number
}

/** Below this many buckets a sweep would cost more than it frees. */
const sweepSizeMin = 1_024

export function memoryBuckets(): MemoryBuckets {
  const buckets = new Map<string, Bucket>()
  let sweepSize = sweepSizeMin

  return {
    take(key, limit, nowMs, wanted = 1) {
      let bucket = buckets.get(key)
      if (bucket === undefined) {
        if (buckets.size >= sweepSize) {
          forgetFull(buckets, nowMs)
          // Doubling spreads the cost of a sweep over as many new buckets as it looked at.
          sweepSize = Math.max(sweepSizeMin, buckets.size * 2)
        }
        bucket = { tokens: limit.burst, atMs: nowMs, fullAtMs: nowMs }
        buckets.set(key, bucket)
      }
      return takeFrom(bucket, limit, nowMs, wanted)
    },
    get size() {
      return buckets.size
    },
    async close() {
      buckets.clear()
    },
  }
}

/**
 * The bucket is moved on only when a token is taken, so that a crowd of refused requests does not add up rounding
 * errors.
 */
function takeFrom(bucket: Bucket, limit: Limit, nowMs: number, wanted: number): Taken {
  // A clock that was set back earns nothing, and must not freeze the bucket until it has caught up.
  if (nowMs < bucket.atMs) bucket.atMs = nowMs
  const tokens = Math.min(limit.burst, bucket.tokens + ((nowMs - bucket.atMs) * limit.sustained) / 1_000)
  if (tokens < wanted) return describeTake(false, tokens, limit, nowMs, wanted)
  bucket.tokens = tokens - wanted
  bucket.atMs = nowMs
  bucket.fullAtMs = nowMs + msUntilFull(bucket.tokens, limit)
  return describeTake(true, bucket.tokens, limit, nowMs)
}

function forgetFull(buckets: Map<string, Bucket>, nowMs: number): void {
  for (const [key, bucket] of buckets) {
    if (bucket.fullAtMs <= nowMs) buckets.delete(key)
  }
}

function msUntilFull(tokens: number, limit: Limit): number {
  return ((limit.burst - tokens) * 1_000) / limit.sustained
}

/** The answer for a bucket that holds `tokens` after the take. */
export function describeTake(allowed: boolean, tokens: number, limit: Limit, nowMs: number, wanted = 1): Taken {
  return {
    allowed,
    limit: limit.burst,
    remaining: Math.floor(tokens),
    resetAt: Math.ceil((nowMs + msUntilFull(tokens, limit)) / 1_000),
    retryAfter: Math.max(1, Math.ceil((wanted - tokens) / limit.sustained)),
  }
}
