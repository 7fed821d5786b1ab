// The tables that are kept as partitions of some days each, and what of them outlives its partition.
import { limits } from '@parley/contract'
import type { PartitionedTable } from '../database/partitions.js'
import { tenantsOfEvent } from '../delivery/queue/event-of-delivery.js'
import { firstEventIdAt, firstIdAt } from '../store/id.js'

const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs
/**
 * So there are about as many partitions whatever the retention, and what is old stays a sixth longer at most. A list
 * looks into each of them, so they should be few.
 */
const partitionsKept = 6

/** `days`: how long logs are kept. */
export function partitionedTables(days: number, now: Date): PartitionedTable[] {
  const byId = { key: 'id', firstAt: firstIdAt }
  const kept = (keptDays: number, slackMs = 0) => ({
    days: Math.max(1, Math.ceil(keptDays / partitionsKept)),
    keptFrom: new Date(now.getTime() - keptDays * dayMs - slackMs),
  })
  return [
    // Later than the deliveries, so that what was delivered is never there without what was sent.
    {
      name: 'events',
      key: 'id',
      firstAt: firstEventIdAt,
      ...kept(days, 2 * hourMs),
      outliving: eventsToSend,
      isReadByTransaction: true,
    },
    { name: 'finished_deliveries', ...byId, ...kept(days) },
    { name: 'inbound_requests', ...byId, ...kept(days), outliving: requestsToWorkOn },
    {
      name: 'answered_keys',
      key: 'day',
      firstAt: (time) => time.toISOString().slice(0, 10),
      days: 1,
      keptFrom: new Date(now.getTime() - (limits.idempotencyHours + 1) * hourMs),
    },
    { name: 'request_log', ...byId, ...kept(limits.requestLogDays) },
  ]
}

/** Events whose delivery is still open: their bytes are what is sent. Each is looked up, whatever the planner knows. */
const eventsToSend = (partition: string, end: Date): string =>
  `select e.* from (
      select distinct whose.tenant_id, event_id from webhook_deliveries d
        cross join lateral ${tenantsOfEvent('d')} whose (tenant_id)
      where status in ('PENDING', 'RETRYING') and id < '${firstIdAt(end)}'
    ) d cross join lateral (
      select * from ${partition} where tenant_id = d.tenant_id and id = d.event_id limit 1
    ) e`

/** The order is that of the index on them. */
const requestsToWorkOn = (partition: string): string =>
  `select * from ${partition} where status = 'pending' order by tenant_id, connection_id, conversation, id`
