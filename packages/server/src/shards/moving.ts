// What every step of a move knows: whose move it is, between which servers, and how things are called there.
import type pg from 'pg'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import type { BroughtFanOut } from './brought-events.js'
import type { MovedTable } from './moved-tables.js'
import type { Shard } from './shards.js'

export interface Move {
  readonly organizationId: string
  readonly tenantIds: readonly string[]
  readonly source: Shard
  readonly target: Shard
  /** The server of DATABASE_URL. */
  readonly directory: Shard
  /** How the target reaches the source. */
  readonly sourceUrl: string
  readonly tables: readonly MovedTable[]
  readonly say: (line: string) => void
  /** Who is told of events that come to the platform with the move. */
  readonly fanOut: BroughtFanOut
}

/** Of publication, subscription and slot. */
export const nameOf = ({ organizationId }: Pick<Move, 'organizationId'>): string =>
  `parley_move_${organizationId.replaceAll('-', '')}`

/** Of the slot that tells which rows change while rows are compared. */
export const lookName = ({ organizationId }: Pick<Move, 'organizationId'>): string =>
  `parley_look_${organizationId.replaceAll('-', '')}`

/** Whether an organization is on its way from this server, or to it. */
export async function isAnyMoving(database: Database): Promise<boolean> {
  const rows = await database.read(sql`select 1 where exists (select from moving_organizations)
    or exists (select from pg_publication where pubname like 'parley\\_move\\_%')`)
  return rows.length > 0
}

/** All settings end with their transaction: the connection may be another's the next moment. */
export const beginAsMover = `begin; set local parley.moving = 'on'; set local session_replication_role = replica`

/**
 * A transaction that may write where the organization is closed to everybody else. Rows are written as replication
 * would: what triggers derive from them is moved as well.
 */
export async function asMover<T>(
  { database }: Shard,
  work: (client: pg.ClientBase) => Promise<T>,
  isReplica = false,
): Promise<T> {
  return database.withClient(async (client) => {
    await client.query(isReplica ? beginAsMover : `begin; set local parley.moving = 'on'`)
    const result = await work(client)
    await client.query('commit')
    return result
  })
}

export async function setState(shard: Shard, organizationId: string, state: string): Promise<void> {
  await shard.database.query(sql`insert into moving_organizations (organization_id, state)
    values (${organizationId}, ${state}) on conflict (organization_id) do update set state = excluded.state`)
}

/** One value of one row, from a connection of its own: it may take its time. */
export const ask = async <T>(database: Database, statement: string, values: unknown[] = []): Promise<T | undefined> =>
  database.withClient(async (client) => {
    const { rows } = await client.query<{ value: T }>(statement, values)
    return rows[0]?.value
  })
