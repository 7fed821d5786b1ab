// Events of another server, brought into the log of this one for those who follow all tenants. They are the platform's
// here, in the order that each tenant has them, and each is logged once, however often it is brought.
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { PLATFORM_ID } from '../store/caller.js'
import type { PageSize, Position } from '../store/event-log.js'
import { planFor, withinBytes } from '../store/order.js'

/** An event that was born on a server: it did not come there with its organization. */
export interface BornEvent extends Position {
  readonly tenantId: string
  /** The whole row, as JSON. */
  readonly row: string
}

/** What becomes of brought events besides the log: as `FanOut`, with the `environment` of each. */
export type BroughtFanOut = () => Sql

interface BornRow extends Record<string, unknown> {
  place: string
  id: string
  tenant_id: string
  row: string | null
}

/** Those born on a server past a position that fit `condition`, oldest first: a page, and whether that is all. */
export async function bornEvents(
  database: Database,
  after: Position,
  condition: Sql,
  size: PageSize,
): Promise<{ events: BornEvent[]; isAll: boolean }> {
  const page = sql`select * from (
      select xact::text as place, id, tenant_id, ${raw(rowSql)} as row from events
      where not moved_in and (xact, id) > (${String(after.xact)}::xid8, ${after.id}) and ${condition}
      order by events.xact, events.id limit ${planFor(size.rows)}
    ) page limit ${size.rows}::int`
  const rows = await database.query<BornRow>(withinBytes('place, id, tenant_id', 'row', page, size.bytes))
  const events = rows.flatMap(({ place, id, tenant_id: tenantId, row }) =>
    row === null ? [] : [{ xact: Number(place), id, tenantId, row }],
  )
  return { events, isAll: rows.length < size.rows && events.length === rows.length }
}

const columns = ['id', 'type', 'opt_in', 'occurred_at', 'subject_id', 'body', 'traceparent']
const rowSql = `json_build_object(${columns.map((name) => `'${name}', ${name}`).join(', ')})::text`

/**
 * As many of these, from the first on, as one transaction may bring: within one, the log goes by id, so each tenant's
 * ids have to rise.
 */
export function inOneTransaction(events: readonly BornEvent[]): readonly BornEvent[] {
  const lastOf = new Map<string, string>()
  const end = events.findIndex(({ tenantId, id }) => {
    const isBack = id < (lastOf.get(tenantId) ?? '')
    lastOf.set(tenantId, id)
    return isBack
  })
  return end < 0 ? events : events.slice(0, end)
}

/** A step of the log along another server: from a position, which nobody else may have left meanwhile, to another. */
export interface Step {
  readonly shard: string
  readonly from: Position
  readonly to: Position
}

/** Logs events together with how far that is. False: somebody else was quicker, and nothing was done. */
export async function logBrought(
  database: Database,
  { shard, from, to }: Step,
  events: readonly BornEvent[],
  fanOut: BroughtFanOut,
): Promise<boolean> {
  const rows = await database.query(
    sql`with turn as (
      update followed_servers set xact = ${String(to.xact)}::xid8, id = ${to.id}
      where shard = ${shard} and xact = ${String(from.xact)}::xid8 and id = ${from.id} returning 1
    ),
    inserted_events as (
      insert into events (tenant_id, ${raw(columns.join(', '))}, search)
      select ${PLATFORM_ID}::uuid, ${raw(columns.map((name) => `r.${name}`).join(', '))}, ''
      from turn, json_populate_recordset(null::events, ${`[${events.map(({ row }) => row).join(',')}]`}::json) r
      on conflict (tenant_id, id) do nothing
      returning id, type, opt_in, occurred_at, subject_id, substring(body from '"environment":"(\\w*)"') as environment
    ),
    fanned_out as (${fanOut()})
    select from turn`,
    { prepared: true },
  )
  return rows.length > 0
}

/** How far the events of a server are here. */
export async function broughtTo(database: Database, shard: string): Promise<Position> {
  const find = sql`select xact::text as xact, id from followed_servers where shard = ${shard}`
  const [known] = await database.query<{ xact: string; id: string }>(find)
  if (known) return { xact: Number(known.xact), id: known.id }
  await database.query(sql`insert into followed_servers (shard) values (${shard}) on conflict do nothing`)
  return broughtTo(database, shard)
}
