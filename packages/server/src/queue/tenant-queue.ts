// Queues in tables that hold the work of all tenants, as SQL: who has something waiting, whether anything is due, and
// how what is due is taken under a lease. Such a table has `tenant_id`, `due_at`, `claim` and `attempts`, and an index
// on (tenant_id, due_at). What is due, in which order and how much of each tenant is for each queue to say.
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'

export interface TenantQueue {
  readonly table: string
  /** What names a row. */
  readonly key: readonly string[]
  /** Which rows wait for their time; the condition of the index, in its words. */
  readonly isWaiting: Sql
}

/** A recursive CTE `waiting (tenant_id)`, found by leaping through the index from one tenant to the next. */
export function waitingTenants({ table, isWaiting }: Omit<TenantQueue, 'key'>, narrowed: Sql = raw('')): Sql {
  const tenantAfter = (place: Sql) =>
    sql`select tenant_id from ${raw(table)} where ${isWaiting}${narrowed}${place} order by tenant_id limit 1`
  return sql`waiting (tenant_id) as (
      (${tenantAfter(raw(''))})
      union all
      select (${tenantAfter(raw(' and tenant_id > w.tenant_id'))}) from waiting w where w.tenant_id is not null
    )`
}

/** A row that is due, if there is one. */
export const findDue = (queue: TenantQueue, now: Sql): Sql =>
  sql`with recursive ${waitingTenants(queue)}
    select from waiting w cross join lateral (
      select from ${raw(queue.table)} q where q.tenant_id = w.tenant_id and ${queue.isWaiting} and q.due_at <= ${now}
      order by q.due_at limit 1
    ) d limit 1`

/** Takes the rows of a CTE `due`. Whoever crashes with one loses it when the lease lapses. */
export function leaseDue({ table, key }: Omit<TenantQueue, 'isWaiting'>, claim: string, until: Sql): Sql {
  const isSame = key.map((column) => `q.${column} = due.${column}`).join(' and ')
  return sql`update ${raw(table)} q set claim = ${claim}::uuid, attempts = q.attempts + 1, due_at = ${until}
    from due where ${raw(isSame)}`
}

/** How long the oldest row that is due has waited, for the operator; 0 when nothing is due. */
export async function oldestDueSeconds(database: Database, queue: TenantQueue, now: Date): Promise<number> {
  const [row] = await database.query<{ seconds: number | null }>(
    sql`with recursive ${waitingTenants(queue)}
      select extract(epoch from ${now}::timestamptz - min(d.due_at))::float8 as seconds
      from waiting w cross join lateral (
        select q.due_at from ${raw(queue.table)} q where q.tenant_id = w.tenant_id and ${queue.isWaiting}
          and q.due_at <= ${now}::timestamptz order by q.due_at limit 1
      ) d`,
  )
  return row?.seconds ?? 0
}
