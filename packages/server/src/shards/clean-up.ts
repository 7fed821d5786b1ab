// What a move leaves behind, removed: replication, the fence, and the rows on the server that the organization has
// left; or, when a move is given up before it has switched, those on the server that it did not get to.
import type pg from 'pg'
import { stopLooking } from './changed-rows.js'
import { forgetPositions } from './feed-positions.js'
import { dropFence } from './fence.js'
import { leaveEvents } from './follow-events.js'
import { forgetMove } from './move-register.js'
import { quoted } from './moved-tables.js'
import { asMover, beginAsMover, type Move } from './moving.js'
import { endReplication } from './replicate.js'
import type { Shard } from './shards.js'

export async function cleanUp(move: Move): Promise<void> {
  await stopLooking(move)
  await endReplication(move)
  await dropFence(move, move.target)
  await forgetPositions(move)
  if (move.source === move.directory) await leaveEvents(move)
  await removeRows(move, move.source)
  await dropFence(move, move.source)
  for (const shard of [move.source, move.target]) await forgetState(move, shard)
}

/** Only before the switch: the organization is used as if nothing were going on. */
export async function openAgain(move: Move): Promise<void> {
  await dropFence(move, move.source)
  await forgetState(move, move.source)
  await stopLooking(move)
}

/** Only before the switch: the organization stays where it is, and nothing is left of it elsewhere. */
export async function giveUp(move: Move): Promise<void> {
  await openAgain(move)
  await endReplication(move)
  await removeRows(move, move.target)
  await dropFence(move, move.target)
  await forgetPositions(move)
  await forgetState(move, move.target)
  await forgetMove(move.directory.database, move.organizationId)
}

const forgetState = (move: Move, shard: Shard): Promise<unknown> =>
  asMover(shard, async (client) => {
    await client.query('delete from moving_organizations where organization_id = $1', [move.organizationId])
    await client.query('delete from move_marks where organization_id = $1', [move.organizationId])
  })

const BATCH = 10_000

/** In batches, so that nobody waits for long; the rows of the organization itself stay in the directory. */
export async function removeRows({ tables, tenantIds, organizationId, directory }: Move, shard: Shard): Promise<void> {
  await shard.database.withClient(async (client) => {
    // Several partitions may have a row in the same place, so more may go at once.
    for (const { name } of tables)
      for (let count = BATCH; count >= BATCH; ) {
        await client.query(beginAsMover)
        const { rowCount }: pg.QueryResult = await client.query(
          `delete from ${quoted(name)} where tenant_id = any ($1::uuid[]) and ctid = any (array(
            select ctid from ${quoted(name)} where tenant_id = any ($1::uuid[]) limit ${BATCH}))`,
          [tenantIds],
        )
        await client.query('commit')
        count = rowCount ?? 0
      }
    if (shard === directory) return
    await client.query(beginAsMover)
    await client.query('delete from tenants where organization_id = $1', [organizationId])
    await client.query('delete from organizations where id = $1', [organizationId])
    await client.query('commit')
  })
}
