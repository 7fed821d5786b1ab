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
  /** Since 1970. */
  readonly day: number
  requests: number
  bytes: number
}

const DAY_MS = 24 * 60 * 60 * 1_000
/** Tenants that wait to be added; past that, counts are added early. */
const WAITING_MAX = 20_000

export function createRequestCounter(parts: RequestCounterParts): RequestCounter {
  const { database, clock, flushMs, onTrouble, isHere } = parts
  /** The day first: at midnight there are two. */
  let waiting = new Map<number, Map<string, Count>>()
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const size = () => [...waiting.values()].reduce((sum, { size }) => sum + size, 0)
  function take(tenantId: string, day: number, requests: number, bytes: number): void {
    const ofDay = waiting.get(day) ?? new Map<string, Count>()
    const known = ofDay.get(tenantId)
    if (known) {
      known.requests += requests
      known.bytes += bytes
    } else if (size() < 2 * WAITING_MAX) {
      waiting.set(day, ofDay.set(tenantId, { tenantId, day, requests, bytes }))
      if (size() >= WAITING_MAX) void flush()
    }
  }
  async function write(): Promise<void> {
    const counts = [...waiting.values()].flatMap((ofDay) => [...ofDay.values()])
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
      take(tenantId, Math.floor(clock().getTime() / DAY_MS), 1, bytes)
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
  const dayOf = ({ day }: Count) => new Date(day * DAY_MS).toISOString()
  await database.query(
    sql`insert into stat_changes (tenant_id, quarter, metric, label, value, change)
      select c.tenant_id, c.day::timestamptz, m.metric, '', 0, m.change
      from unnest(${column(({ tenantId }) => tenantId)}::uuid[], ${column(dayOf)}::text[],
          ${column(({ requests }) => requests)}::bigint[], ${column(({ bytes }) => bytes)}::bigint[])
          as c (tenant_id, day, requests, bytes)
        cross join lateral (values (${REQUESTS}::text, c.requests), (${BYTES}::text, c.bytes)) as m (metric, change)
      where m.change <> 0 ${isHere ? sql`and ${isHere(raw('c.tenant_id'))}` : raw('')}`,
    { prepared: true },
  )
}
