// Brings the events of the other servers to that of DATABASE_URL, for the platform, which follows all organizations:
// one log with one order, read there whatever server is away. docs/decisions/0030-shards.md says why none is missing
// and none is there twice, also while organizations move.
import type pg from 'pg'
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import { PLATFORM_ID } from '../store/caller.js'
import { currentHorizon, isPast, type Position, visible } from '../store/event-log.js'
import {
  type BornEvent,
  type BroughtFanOut,
  bornEvents,
  broughtTo,
  inOneTransaction,
  logBrought,
} from './brought-events.js'
import { isOfTenants } from './moved-tables.js'
import type { Move } from './moving.js'
import type { Shard } from './shards.js'

/** From where events are brought, to where, and what becomes of them there. */
export interface Following {
  readonly source: Shard
  readonly directory: Shard
  readonly fanOut: BroughtFanOut
}

export interface Followed {
  readonly reached: Position
  /** Nothing is left that could be read. */
  readonly isAll: boolean
}

/** Each may become a delivery to every subscription of the platform, and all of it is one statement. */
const pageSize = { rows: 200, bytes: 4 * 1024 * 1024 }
const oldest: Position = { xact: 0, id: '' }

/** Whether anybody has ever been allowed to follow all organizations: until then nothing is brought. */
export const findFollowers: Sql = raw(`select from platform_keys where 'events' = any (scopes)`)

export const isFollowed = async (directory: Database): Promise<boolean> =>
  (await directory.query(sql`${findFollowers} limit 1`)).length > 0

/**
 * Whether a server has events past a position, or has not counted as far as that. While the index of events is being
 * made, nobody looks.
 */
export const findNews = (past: Position): Sql => sql`select
    where pg_snapshot_xmin(pg_current_snapshot()) < ${String(past.xact)}::xid8 or exists (select from (
      select from events where (select indisvalid from pg_index where indexrelid = to_regclass('events_feed'))
        and (xact, id) > (${String(past.xact)}::xid8, ${past.id}) and ${visible} order by xact, id limit 1
    ) news)`

/** Brings a page. */
export async function followOn({ source, directory, fanOut }: Following): Promise<Followed> {
  const { name: shard, database } = source
  const from = await broughtTo(directory.database, shard)
  const horizon = await currentHorizon(database)
  if (from.xact > horizon.xact) {
    // The server was restored and counts anew. All of it is read again; what is here already is not logged twice.
    await logBrought(directory.database, { shard, from, to: oldest }, [], fanOut)
    return { reached: oldest, isAll: false }
  }
  const { events, isAll } = await bornEvents(database, from, visible, pageSize)
  const last = events.at(-1) ?? from
  // Whatever comes later lies past the horizon of before the read, also where the last event does not.
  const end = isAll && isPast(horizon, last) ? horizon : last
  const isMine = await bring({ source, directory, fanOut }, from, events, end)
  return { reached: end, isAll: isAll && isMine }
}

/** In as many transactions as their order takes. False: somebody else was quicker, and goes on. */
async function bring(
  { source: { name: shard }, directory, fanOut }: Following,
  start: Position,
  events: readonly BornEvent[],
  end: Position,
): Promise<boolean> {
  let from = start
  for (let left = events; ; ) {
    const first = inOneTransaction(left)
    left = left.slice(first.length)
    const to = left.length === 0 ? end : (first.at(-1) ?? end)
    if (!(await logBrought(directory.database, { shard, from, to }, first, fanOut))) return false
    if (left.length === 0) return true
    from = to
  }
}

/** How long the oldest event that is still to be brought has waited; undefined where none is brought. */
export async function behindSeconds({
  source,
  directory,
}: Pick<Following, 'source' | 'directory'>): Promise<number | undefined> {
  if (!(await isFollowed(directory.database))) return undefined
  const past = await broughtTo(directory.database, source.name)
  const [oldestLeft] = await source.database.query<{ seconds: number }>(sql`
    select greatest(extract(epoch from clock_timestamp() - occurred_at), 0)::float8 as seconds from events
    where not moved_in and (xact, id) > (${String(past.xact)}::xid8, ${past.id}) order by xact, id limit 1`)
  return oldestLeft?.seconds ?? 0
}

/** Before an organization leaves: most of what it has is brought while it is still used. */
export async function catchUp(move: Move): Promise<void> {
  if (!(await isConcerned(move))) return
  while (!(await followOn(move)).isAll);
}

/**
 * While the organization is closed: what is left of it, so that it comes before whatever the other server is told.
 * Nobody is writing for it, so the horizon of others does not count.
 */
export async function bringRest(move: Move): Promise<void> {
  if (!(await isConcerned(move))) return
  const { source, directory, tenantIds, fanOut } = move
  const shard = source.name
  for (let past: Position | undefined; ; ) {
    const at = await broughtTo(directory.database, shard)
    const { events, isAll } = await bornEvents(source.database, past ?? at, isOfTenants(tenantIds), pageSize)
    const first = inOneTransaction(events)
    const isMine = await logBrought(directory.database, { shard, from: at, to: at }, first, fanOut)
    if (isMine && isAll && first.length === events.length) return
    if (isMine) past = first.at(-1) ?? past
  }
}

/** On the server of DATABASE_URL events are where they are wanted already. */
const isConcerned = async ({ source, directory }: Move): Promise<boolean> =>
  source !== directory && (await isFollowed(directory.database))

const BATCH = 10_000

/**
 * An organization that leaves the server of DATABASE_URL leaves its events to the platform, where they stand. Those
 * that it had brought along are the platform's already.
 */
export async function leaveEvents({ tenantIds, directory }: Move): Promise<void> {
  if (!(await isFollowed(directory.database))) return
  await directory.database.withClient(async (client) => {
    for (let count = BATCH; count >= BATCH; ) {
      // Several partitions may have a row in the same place, so more may go at once.
      const { rowCount }: pg.QueryResult = await client.query(
        `update events set tenant_id = $2 where tenant_id = any ($1::uuid[]) and not moved_in and ctid = any (array(
          select ctid from events where tenant_id = any ($1::uuid[]) and not moved_in limit ${BATCH}))`,
        [tenantIds, PLATFORM_ID],
      )
      count = rowCount ?? 0
    }
  })
}
