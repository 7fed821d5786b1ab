// Adds up the log of what writes have changed in the numbers of what happened. Any number of nodes may do this.
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'

const batchMax = 5_000

/** In the order of the index, which knows what is gone sooner than the table does. */
export const findStatChange: Sql = sql`select from stat_changes order by tenant_id, quarter limit 1`

/** One batch; true when there may be more. One statement: whoever reads sees a change in the log or in the sum. */
export async function addUpStats(database: Database): Promise<boolean> {
  const [row] = await database.query<{ changes: number }>(sql`
    with taken as (
      delete from stat_changes where ctid = any (array(
        select ctid from stat_changes limit ${raw(String(batchMax))} for update skip locked))
      returning *
    ),
    summed as (
      insert into stats as s (tenant_id, quarter, metric, label, value, count)
      select tenant_id, quarter, metric, label, value, sum(change) from taken group by 1, 2, 3, 4, 5
        order by 1, 2, 3, 4, 5
      on conflict (tenant_id, quarter, metric, label, value) do update set count = s.count + excluded.count
    )
    select count(*)::int as changes from taken`)
  return (row?.changes ?? 0) >= batchMax
}
