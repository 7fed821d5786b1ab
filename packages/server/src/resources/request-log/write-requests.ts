// Keeps finished requests, beside those who answer them: they gather in memory and are written many at once. What does
// not fit is dropped and counted, because a log must never hold up what it tells of.
import { limits } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { arrayLiteral, raw, type Sql, sql } from '../../database/sql.js'
import type { FinishedRequest } from '../../http/finished-requests.js'
import { type Limit, memoryBuckets } from '../../http/gate/rate-limit.js'
import { newId } from '../../store/id.js'

export interface RequestWriterParts {
  readonly database: Database
  readonly clock: () => Date
  /** How many of a tenant's requests are kept. */
  readonly rate: Limit
  /** `rate`: the tenant sends more than is kept; `full`: the database takes them too slowly; `failed`: not at all. */
  readonly onDropped: (reason: DropReason, requests: number) => void
  readonly onTrouble: (error: Error) => void
  /** Where there are several servers: whether the tenant lives on this one. Nothing is kept for one that has left. */
  readonly isHere?: ((tenantId: Sql) => Sql) | undefined
}

export type DropReason = 'rate' | 'full' | 'failed'

export interface RequestWriter {
  add(request: FinishedRequest): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const FLUSH_MS = 300
const BATCH = 500
const WAITING_MAX = 10_000

interface Waiting extends FinishedRequest {
  readonly id: string
}

export function createRequestWriter({
  database,
  clock,
  rate,
  onDropped,
  onTrouble,
  isHere,
}: RequestWriterParts): RequestWriter {
  const buckets = memoryBuckets()
  const waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** What comes meanwhile waits for its own turn, so that each statement has many. */
  async function writeAll(): Promise<void> {
    for (let left = waiting.length; left > 0; left -= BATCH) {
      const batch = waiting.splice(0, Math.min(left, BATCH))
      await writeBatch(database, batch, isHere).catch((error: Error) => {
        onDropped('failed', batch.length)
        onTrouble(error)
      })
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
      if (waiting.length > 0) flushLater()
    })
    return writing
  }
  const flushLater = () => {
    timer ??= setTimeout(() => void flush(), FLUSH_MS)
  }
  return {
    add(request) {
      const atMs = clock().getTime()
      if (!buckets.take(request.tenantId, rate, atMs).allowed) return onDropped('rate', 1)
      if (waiting.length >= WAITING_MAX) return onDropped('full', 1)
      // Ids rise: one that is made when the batch is written would tell that moment.
      waiting.push({ ...request, id: newId(new Date(atMs)) })
      flushLater()
    },
    async stop() {
      do await flush()
      while (waiting.length > 0)
    },
  }
}

/** One statement for a batch of any size. */
async function writeBatch(
  database: Database,
  batch: readonly Waiting[],
  isHere: RequestWriterParts['isHere'],
): Promise<void> {
  const column = (valueOf: (request: Waiting) => string | number | null) => arrayLiteral(batch.map(valueOf))
  await database.query(
    sql`insert into request_log (tenant_id, id, method, path, status, ms, actor_type, actor_id, request_id, error_code,
        error_reason, error_field)
      select * from unnest(${column(({ tenantId }) => tenantId)}::uuid[],
        ${column(({ id }) => id)}::uuid[], ${column(({ method }) => method)}::text[],
        ${column(({ path }) => path.slice(0, limits.urlLength))}::text[], ${column(({ status }) => status)}::smallint[],
        ${column(({ ms }) => ms)}::real[], ${column(({ actor }) => actor.type)}::text[],
        ${column(({ actor }) => actor.id)}::text[], ${column(({ requestId }) => requestId)}::text[],
        ${column(({ error }) => error?.code ?? null)}::text[], ${column(({ error }) => cut(error?.reason))}::text[],
        ${column(({ error }) => cut(error?.field))}::text[]) as r (tenant_id)
      ${isHere ? sql`where ${isHere(raw('r.tenant_id'))}` : raw('')}`,
    { prepared: true },
  )
}

/** Names that a caller made up may hold what Postgres does not keep. */
const cut = (text: string | null | undefined): string | null =>
  text?.slice(0, limits.nameLength).toWellFormed().replaceAll('\0', '') ?? null
