// Numbers of counters. Those who want one at the same moment share a statement, and nobody waits for a disk while
// others wait for the row: see `unflushed`.
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'

interface Waiting {
  resolve(value: number): void
  reject(error: unknown): void
}

const waitingOf = new WeakMap<Database, Map<string, Waiting[]>>()

/** The next number of a tenant's counter. Gaps are possible: it is taken whether or not the change is made. */
export function nextNumber(database: Database, tenantId: string, counter: string): Promise<number> {
  if (database.isTransaction) return take(database, tenantId, counter, 1)
  const counters = waitingOf.get(database) ?? new Map<string, Waiting[]>()
  waitingOf.set(database, counters)
  const key = `${tenantId}/${counter}`
  return new Promise((resolve, reject) => {
    const waiting = counters.get(key)
    if (waiting) waiting.push({ resolve, reject })
    else {
      counters.set(key, [{ resolve, reject }])
      void handOut(database, counters, tenantId, counter)
    }
  })
}

/** One statement at a time, for all who came meanwhile. */
async function handOut(
  database: Database,
  counters: Map<string, Waiting[]>,
  tenantId: string,
  counter: string,
): Promise<void> {
  const key = `${tenantId}/${counter}`
  const gathered = () => counters.get(key)?.splice(0) ?? []
  for (let batch = gathered(); batch.length > 0; batch = gathered()) {
    try {
      const last = await take(database, tenantId, counter, batch.length)
      for (const [index, { resolve }] of batch.entries()) resolve(last - batch.length + 1 + index)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  counters.delete(key)
}

/** Returns the last of as many numbers as asked for. */
async function take(database: Database, tenantId: string, counter: string, count: number): Promise<number> {
  const beside = database.isTransaction ? flushed : unflushed
  const [row] = await database.query<{ value: number }>(
    sql`insert into counters as c (tenant_id, name, value)
      select ${tenantId}::uuid, ${counter}::text, ${count}::bigint from ${beside} u
      on conflict (tenant_id, name) do update set value = c.value + excluded.value returning value`,
    { prepared: true },
  )
  return row?.value ?? count
}

/**
 * The statement does not wait for its log to reach the disk. Whatever is written with the number comes after it in that
 * log: if it is there after a crash, so is the number.
 */
const unflushed = sql`(select set_config('synchronous_commit', 'off', true))`
/** Within a transaction it would hold for all of it. */
const flushed = sql`(select 1)`
