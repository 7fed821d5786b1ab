// Counts requests and their bytes for each tenant beside those who answer them: they gather in memory and are added to
// the log of numbers now and then. A crash loses what was not added yet; nothing else does.
import type { Database } from '../database/pool.js'
import { arrayLiteral, raw, type Sql, sql } from '../database/sql.js'
import type { FinishedRequest } from '../http/finished-requests.js'
import { PLATFORM_ID } from '../store/caller.js'

export const REQUESTS = 'requests'
export const BYTES = 'bytes'

export interface RequestCounterParts {
  readonly database: Database
  readonly clock: () => Date
  readonly flushMs: number
  readonly onTrouble: (error: Error) => void
  /** Where there are several servers: whether the tenant lives on this one. Nothing is added for one that has left. */
  readonly isHere?: ((tenantId: Sql) => Sql) | undefined
}

export interface RequestCounter {
  add(request: Pick<FinishedRequest, 'tenantId' | 'bytes'>): void
  start(): void
  /** Adds what is left. */
  stop(): Promise<void>
}

interface Count {
  readonly tenantId: string
  readonly day: string
  requests: number
  bytes: number
}

/** Tenants and days that wait to be added; past that, counts are added early. */
const WAITING_MAX = 20_000

export function createRequestCounter(parts: RequestCounterParts): RequestCounter {
  const { database, clock, flushMs, onTrouble, isHere } = parts
  let waiting = new Map<string, Count>()
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function take(tenantId: string, day: string, requests: number, bytes: number): void {
    const key = `${tenantId} ${day}`
    const known = waiting.get(key)
    if (known) {
      known.requests += requests
      known.bytes += bytes
    } else if (waiting.size < 2 * WAITING_MAX) waiting.set(key, { tenantId, day, requests, bytes })
  }
  async function write(): Promise<void> {
    const counts = [...waiting.values()]
    waiting = new Map()
    if (counts.length === 0) return
    await addCounts(database, counts, isHere).catch((error: Error) => {
      for (const { tenantId, day, requests, bytes } of counts) take(tenantId, day, requests, bytes)
      onTrouble(error)
    })
  }
  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }
  return {
    add({ tenantId, bytes }) {
      if (tenantId === PLATFORM_ID) return
      take(tenantId, clock().toISOString().slice(0, 10), 1, bytes)
      if (waiting.size >= WAITING_MAX) void flush()
    },
    start() {
      timer = setInterval(() => void flush(), flushMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await flush()
      await flush()
    },
  }
}

/** One statement for any number. A day is kept as its first quarter of an hour, so that it is one row in the end. */
async function addCounts(
  database: Database,
  counts: readonly Count[],
  isHere: RequestCounterParts['isHere'],
): Promise<void> {
  const column = (valueOf: (count: Count) => string | number) => arrayLiteral(counts.map(valueOf))
  await database.query(
    sql`insert into stat_changes (tenant_id, quarter, metric, label, value, change)
      select c.tenant_id, (c.day || 'T00:00:00Z')::timestamptz, m.metric, '', 0, m.change
      from unnest(${column(({ tenantId }) => tenantId)}::uuid[], ${column(({ day }) => day)}::text[],
          ${column(({ requests }) => requests)}::bigint[], ${column(({ bytes }) => bytes)}::bigint[])
          as c (tenant_id, day, requests, bytes)
        cross join lateral (values (${REQUESTS}::text, c.requests), (${BYTES}::text, c.bytes)) as m (metric, change)
      where m.change <> 0 ${isHere ? sql`and ${isHere(raw('c.tenant_id'))}` : raw('')}`,
    { prepared: true },
  )
}
