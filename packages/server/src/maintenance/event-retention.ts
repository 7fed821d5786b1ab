// Retention of events that are in no partition of their time: an event stays while a delivery of it does, because its
// bytes are what is sent. Old events are walked over in bounded steps, and the walk goes on where it was: those that
// are held for a paused subscription may be many, and are not looked at every hour.
import { loosePartitions } from '../database/partitions.js'
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { PLATFORM_ID } from '../store/caller.js'

/** Each is looked up among the deliveries of every subscription of its tenant, so a step has to be small. */
const stepMax = 500
/** After this long the walk begins anew, for events whose deliveries were held when it came by. */
const walkAgainMs = 24 * 60 * 60 * 1_000

/** The place of the walk in the order of age. The time is text, because a `Date` has no microseconds. */
interface Place extends Record<string, unknown> {
  at: string
  tenant_id: string
  id: string
}

const beginning: Place = { at: '-infinity', tenant_id: '00000000-0000-0000-0000-000000000000', id: '' }

/** One step a round in each partition. True: the walk has not come to `before` yet. */
export function eventWalk(database: Database, clock: () => Date, before: () => Date): () => Promise<boolean> {
  const places = new Map<string, Place>()
  let begunAt = clock()
  return async () => {
    if (clock().getTime() - begunAt.getTime() >= walkAgainMs) {
      places.clear()
      begunAt = clock()
    }
    let isOver = true
    for (const partition of await loosePartitions(database, 'events')) {
      const place = places.get(partition) ?? beginning
      const looked = await database.query<Place>(stepFrom(partition, place, before()))
      places.set(partition, looked.at(-1) ?? place)
      if (looked.length >= stepMax) isOver = false
    }
    return !isOver
  }
}

/** Removes the events of a step that no delivery needs, and returns all that it looked at, in their order. */
function stepFrom(partition: string, { at, tenant_id: tenantId, id }: Place, before: Date): Sql {
  const events = raw(partition)
  return sql`with looked as materialized (
      select e.tenant_id, e.id, e.occurred_at from ${events} e
      where e.occurred_at < ${before}::timestamptz and e.occurred_at >= ${at}::timestamptz
        and (e.occurred_at, e.tenant_id, e.id) > (${at}::timestamptz, ${tenantId}::uuid, ${id}::text)
      order by e.occurred_at, e.tenant_id, e.id limit ${raw(String(stepMax))}
    ),
    gone as (
      delete from ${events} e using looked l where e.tenant_id = l.tenant_id and e.id = l.id
        and (${deliveryOf(raw('l'))}) is null
    )
    select occurred_at::text as at, tenant_id, id from looked order by occurred_at, tenant_id, id`
}

/**
 * A delivery of the event, if there is one. Its id carries the millisecond of the event, so one short range of each
 * subscription's index holds it. The limits keep the planner to that: without them it reads all deliveries at once.
 */
const deliveryOf = (event: Sql): Sql =>
  sql`select d.id from webhook_queues q cross join lateral (
      select w.id from webhook_deliveries w where w.tenant_id = q.tenant_id and w.subscription_id = q.subscription_id
        and w.id >= ${idAt(event, 0)} and w.id < ${idAt(event, 1)} and w.event_id = ${event}.id limit 1
    ) d where q.tenant_id in (${event}.tenant_id, ${platform}) limit 1`

const platform = raw(`'${PLATFORM_ID}'::uuid`)

/** The smallest id of the event's millisecond, or of a later one: what `firstIdAt` makes. */
const idAt = (event: Sql, laterMs: number): Sql =>
  sql`(lpad(to_hex(floor(extract(epoch from ${event}.occurred_at) * 1000)::bigint + ${raw(String(laterMs))}), 12, '0')
    || repeat('0', 20))::uuid`
