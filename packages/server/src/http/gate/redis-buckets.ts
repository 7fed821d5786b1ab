// Token buckets shared by all nodes through Redis. While Redis is away or slow each node counts in its own memory:
// a rate limit is never the reason for a failed or late answer.
import { StartupError } from '../../database/startup-error.js'
import { type Buckets, describeTake, type Limit, memoryBuckets, type Taken } from './rate-limit.js'

interface RedisBucketsOptions {
  /** Called once when Redis goes away, not for every request or attempt to reconnect. */
  onTrouble(error: Error): void
  /** Called for every take that is answered from this node's memory. */
  onFallback(): void
  /** A take that Redis has not answered after this long is answered from memory. */
  readonly slowMs?: number
}

const slowMsDefault = 50
/** Redis is asked this often whether it is well; that is also how it is found to be back. */
const pingMs = 500
/** A connection that stays silent for this long, pings included, is given up and opened anew. */
const silenceMs = 3_000
const connectMs = 1_000
const reconnectMs = { first: 50, max: 1_000 }

export async function redisBuckets(url: string, options: RedisBucketsOptions): Promise<Buckets> {
  const { onTrouble, onFallback, slowMs = slowMsDefault } = options
  const client = await createClient(url)
  const memory = memoryBuckets()
  let isAway = true
  let isReported = false

  function leave(error: Error): void {
    isAway = true
    if (!isReported) onTrouble(error)
    isReported = true
  }

  function comeBack(): void {
    isAway = false
  }

  function takeAlone(key: string, limit: Limit, nowMs: number, wanted?: number): Taken {
    onFallback()
    return memory.take(key, limit, nowMs, wanted)
  }

  // A connection that opens proves nothing, since the kernel accepts it for a hung Redis too; an answered ping does.
  client.on('error', leave)
  client.on('ready', () => void client.ping().then(comeBack, leave))
  client.on('ping-interval', comeBack)
  // The client goes on trying to connect after this wait, which only lets the first requests find Redis ready.
  const answered = client.connect().then(() => client.ping())
  await withinMs(connectMs, answered).then(comeBack, leave)

  return {
    take(key, limit, nowMs, wanted = 1) {
      if (isAway) return takeAlone(key, limit, nowMs, wanted)
      return withinMs(slowMs, client.takeToken(key, limit, wanted)).then(
        ([allowed, tokens, redisNowMs]) => {
          isReported = false
          return describeTake(Number(allowed) === 1, Number(tokens), limit, Number(redisNowMs), wanted)
        },
        (error) => {
          leave(error)
          return takeAlone(key, limit, nowMs, wanted)
        },
      )
    },
    async close() {
      isAway = isReported = true
      client.destroy()
      await memory.close()
    },
  }
}

/**
 * One take, atomic in Redis and on its clock, so that nodes whose clocks differ still share one bucket. The arithmetic
 * is that of rate-limit.ts: a refused take writes nothing, unless the clock was set back. The key expires when the
 * bucket is full. `%.17g` keeps every bit of a double.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local sustained, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local tokens, at = burst, now
local held = redis.call('GET', KEYS[1])
if held then
  local had, since = string.match(held, '^(%S+) (%S+)$')
  at = tonumber(since)
  tokens = math.min(burst, tonumber(had) + math.max(0, now - at) * sustained / 1000)
end
local allowed = tokens >= wanted
if allowed then tokens = tokens - wanted end
if allowed or now < at then
  local untilFull = math.max(1, math.ceil((burst - tokens) * 1000 / sustained))
  redis.call('SET', KEYS[1], string.format('%.17g %.17g', tokens, now), 'PX', untilFull)
end
return { allowed and 1 or 0, string.format('%.17g', tokens), string.format('%.17g', now) }
`

async function createClient(url: string) {
  const redis = await loadRedisClient()
  const takeToken = redis.defineScript({
    SCRIPT: takeScript,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, limit: Limit, wanted: number) {
      parser.pushKey(`parley:rate:${key}`)
      parser.push(String(limit.sustained), String(limit.burst), String(wanted))
    },
    transformReply: (reply: unknown) => reply as [allowed: number, tokens: string, nowMs: string],
  })
  return redis.createClient({
    url,
    // The older protocol and no introductions: the same on every Redis, Valkey and proxy.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // A take is worth nothing later, so that none waits for a reconnect.
    disableOfflineQueue: true,
    pingInterval: pingMs,
    socket: {
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      reconnectStrategy: (retries) => Math.min(reconnectMs.max, reconnectMs.first * 2 ** retries),
    },
    scripts: { takeToken },
  })
}

/** Loaded only when it is wanted: most installations have no Redis, and the package is an optional dependency. */
async function loadRedisClient() {
  try {
    return await import('@redis/client')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new StartupError(
      'REDIS_URL is set, but the optional package @redis/client is not installed. Install it (npm ' +
        'install @redis/client) or unset REDIS_URL.',
      {
        cause,
      },
    )
  }
}

/**
 * Rejects when the promise has not settled in time. After a pause of this process (a long garbage collection) the timer
 * comes due before the answer, already here, has been read from the socket; the extra turn of the event loop reads it,
 * so that our own pause is not taken for Redis'.
 */
function withinMs<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => setImmediate(() => reject(new Error(`Redis did not answer within ${limitMs} ms`))),
      limitMs,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
