// Which workers live. One that is not heard of any more may hold deliveries: from the moment at which their leases have
// lapsed, the others look for them.
import type { Database } from '../../database/pool.js'
import { type Sql, sql } from '../../database/sql.js'

/** Written again before it has passed. */
export async function noteAlive(database: Database, workerId: string, forMs: number, now: Sql): Promise<void> {
  await database.query(
    sql`insert into delivery_workers (id, alive_until)
      values (${workerId}::uuid, ${now} + ${forMs}::int * interval '1 ms')
      on conflict (id) do update set alive_until = excluded.alive_until`,
    { prepared: true },
  )
}

/** It ends, and holds nothing. */
export async function noteEnd(database: Database, workerId: string): Promise<void> {
  await database.query(sql`delete from delivery_workers where id = ${workerId}::uuid`)
}

/** Of workers that are gone, the last moment that one of them was alive at, at most. */
export const lastHeardOf = (now: Sql): Sql =>
  sql`select max(alive_until) from delivery_workers where alive_until <= ${now}`

/** What they left was found. One that lives after all writes itself down again. */
export async function forgetWorkers(database: Database, lapsedAt: string): Promise<void> {
  await database.query(sql`delete from delivery_workers where alive_until <= ${lapsedAt}::timestamptz`)
}
