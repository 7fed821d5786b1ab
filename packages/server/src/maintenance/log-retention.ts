// Retention of what grows by time: logs and the history of deliveries, which leave as partitions. Row by row goes only
// what lies in no partition of its time.
import { limits } from '@parley/contract'
import { keepPartitions, loosePartitions } from '../database/partitions.js'
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { moveFinished } from '../delivery/queue/finished-deliveries.js'
import { isAnyMoving } from '../shards/moving.js'
import { PLATFORM_ID } from '../store/caller.js'
import { firstIdAt } from '../store/id.js'
import type { BackgroundJob } from './background-jobs.js'
import { eventWalk } from './event-retention.js'
import { partitionedTables } from './partitioned-tables.js'
import { batch, batchMax, removeByIndex } from './remove-by-index.js'
import type { RetentionParts } from './retention.js'

const minuteMs = 60 * 1_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function logChores({ database, clock, days }: RetentionParts): BackgroundJob[] {
  const before = (ageMs: number) => new Date(clock().getTime() - ageMs)
  const cutoff = () => before(days * dayMs)
  return [
    {
      name: 'partitions',
      everyMs: hourMs,
      async run() {
        const tables = partitionedTables(days, clock())
        // Replication does not tell of partitions that go: while an organization moves, none does.
        const kept = (await isAnyMoving(database)) ? tables.map((one) => ({ ...one, keptFrom: undefined })) : tables
        await keepPartitions(database, kept, clock())
        return false
      },
    },
    {
      name: 'moving of finished deliveries',
      everyMs: minuteMs,
      run: async () => (await removeByIndex(database, moveFinished(firstIdAt(cutoff())))) >= batchMax,
    },
    {
      name: 'retention of finished deliveries',
      everyMs: hourMs,
      run: () => removeLoose(database, 'finished_deliveries', (table) => finishedDeliveries(table, cutoff())),
    },
    // Later than the deliveries, so that these are gone by the time their event is looked at.
    {
      name: 'retention of events',
      everyMs: hourMs,
      run: eventWalk(database, clock, () => before(days * dayMs + 2 * hourMs)),
    },
    {
      name: 'retention of inbound requests',
      everyMs: hourMs,
      run: () => removeLoose(database, 'inbound_requests', (table) => oldInboundRequests(table, cutoff())),
    },
    {
      name: 'retention of the request log',
      everyMs: hourMs,
      run: () =>
        removeLoose(database, 'request_log', (table) =>
          oldLoggedRequests(table, before(limits.requestLogDays * dayMs)),
        ),
    },
  ]
}

/** A batch of each partition. True: there may be more. */
async function removeLoose(database: Database, table: string, statement: (partition: Sql) => Sql): Promise<boolean> {
  let hasMore = false
  for (const partition of await loosePartitions(database, table))
    if ((await removeByIndex(database, statement(raw(partition)))) >= batchMax) hasMore = true
  return hasMore
}

/** Those that lie in no partition of their time; they are few. */
const finishedDeliveries = (table: Sql, before: Date): Sql =>
  sql`with gone as (
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where id < ${firstIdAt(before)}::uuid limit ${batch}
      )) returning 1
    ) select count(*)::int as removed from gone`

/** What is still to be worked on stays. */
const oldInboundRequests = (table: Sql, before: Date): Sql =>
  sql`with gone as (
      delete from ${table} r using (
        select tenant_id, id from ${table} where status <> 'pending' and received_at < ${before}::timestamptz
        order by received_at limit ${batch}
      ) old where r.tenant_id = old.tenant_id and r.id = old.id and r.status <> 'pending' returning 1
    ) select count(*)::int as removed from gone`

/** By tenant, so that each row needs no index for its age besides its key. */
const oldLoggedRequests = (table: Sql, before: Date): Sql =>
  sql`with gone as (
      delete from ${table} where ctid = any (array(
        select old.ctid from (select id from tenants union all select ${PLATFORM_ID}::uuid) t cross join lateral (
          select r.ctid from ${table} r where r.tenant_id = t.id and r.id < ${firstIdAt(before)}::uuid
          order by r.id limit ${batch}
        ) old limit ${batch}
      )) returning 1
    ) select count(*)::int as removed from gone`
