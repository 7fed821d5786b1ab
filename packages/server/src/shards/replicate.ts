// PostgreSQL's own logical replication between the two servers of a move: a publication with row filters, a slot and a
// subscription. Each is made if it is not there, so that a move goes on wherever it was left.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../database/error-code.js'
import { StartupError } from '../database/startup-error.js'
import { doors, filterOf, quoted } from './moved-tables.js'
import { ask, type Move, nameOf } from './moving.js'

export async function requireLogicalWal({ source }: Move): Promise<void> {
  const level = await ask<string>(source.database, `select current_setting('wal_level') as value`)
  if (level !== 'logical')
    throw new StartupError(
      `The server ${source.name} writes wal_level = ${level}; a move needs logical. Set wal_level = logical in its ` +
        'postgresql.conf and restart it.',
    )
}

export async function publish(move: Move): Promise<void> {
  const { source, tables, tenantIds, organizationId } = move
  const name = nameOf(move)
  const known = await ask(source.database, 'select 1 as value from pg_publication where pubname = $1', [name])
  if (known !== undefined) return
  const moved = tables.filter((table) => !doors.includes(table.name))
  const filter = filterOf(tenantIds)
  const listed = [
    ...moved.map((table) => `${quoted(table.name)} where (${filter})`),
    `move_marks where (organization_id = '${organizationId}')`,
  ]
  await source.database.withClient(async (client) => {
    for (const table of moved.filter(({ key }) => key.length === 0))
      await client.query(`alter table ${quoted(table.name)} replica identity full`)
    await client.query(
      `create publication ${name} for table ${listed.join(', ')} with (publish_via_partition_root = true)`,
    )
  })
}

export async function isSubscribed(move: Move): Promise<boolean> {
  const { target } = move
  const known = await ask(target.database, 'select 1 as value from pg_subscription where subname = $1', [nameOf(move)])
  return known !== undefined
}

/** The slot is made by itself, because a subscription cannot make one on a server that it is on itself. */
export async function subscribe(move: Move): Promise<void> {
  const { source, target, sourceUrl } = move
  const name = nameOf(move)
  await source.database.withClient((client) =>
    client.query(
      `select pg_create_logical_replication_slot($1, 'pgoutput')
        where not exists (select from pg_replication_slots where slot_name = $1)`,
      [name],
    ),
  )
  if (await isSubscribed(move)) return
  const connection = sourceUrl.replaceAll("'", "''")
  await target.database.withClient((client) =>
    client.query(`create subscription ${name} connection '${connection}' publication ${name}
      with (create_slot = false, slot_name = '${name}')`),
  )
}

const LOOK_MS = 200

/** Settles when every table has been copied, and what is written from now on follows by itself. */
export async function untilCopied(move: Move): Promise<void> {
  for (let told = -1; ; await sleep(LOOK_MS)) {
    const left = await ask<number>(
      move.target.database,
      `select count(*)::int as value from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid
        where s.subname = $1 and r.srsubstate <> 'r'`,
      [nameOf(move)],
    )
    if (left === 0) return
    if (left !== undefined && left !== told) move.say(`Copying: ${left} tables to go`)
    told = left ?? told
  }
}

/** What has just come is planned for, now and later. */
export async function learnTables({ target, tables }: Move): Promise<void> {
  await target.database.withClient((client) =>
    client.query(`analyze ${tables.map(({ name }) => quoted(name)).join(', ')}`),
  )
}

/** Settles when a mark of the source has arrived, and so everything that was written before it. */
export async function untilArrived(move: Move, mark: number, deadline: number): Promise<boolean> {
  return move.target.database.withClient(async (client) => {
    while (Date.now() < deadline) {
      const { rows } = await client.query<{ mark: string }>(
        'select mark::text from move_marks where organization_id = $1',
        [move.organizationId],
      )
      if (Number(rows[0]?.mark ?? -1) >= mark) return true
      await sleep(5)
    }
    return false
  })
}

/** PostgreSQL says so of a slot that it cannot drop, too. */
const CONNECTION_FAILURE = '08006'
const TRIES = 50

/**
 * Whoever read the slot for a mover that was killed may still be at it for a moment. One that was killed between the
 * end of the slot and that of the subscription has left a subscription that cannot end its slot any more.
 */
async function unsubscribe(move: Move): Promise<void> {
  const name = nameOf(move)
  for (let left = TRIES; ; left--)
    try {
      if ((await isSubscribed(move)) && !(await hasSlot(move)))
        await move.target.database.withClient(async (client) => {
          await client.query(`alter subscription ${name} disable`)
          await client.query(`alter subscription ${name} set (slot_name = none)`)
        })
      await move.target.database.withClient((client) => client.query(`drop subscription if exists ${name}`))
      return
    } catch (error) {
      if (errorCode(error) !== CONNECTION_FAILURE || left === 0) throw error
      await sleep(LOOK_MS)
    }
}

async function hasSlot(move: Move): Promise<boolean> {
  const statement = 'select 1 as value from pg_replication_slots where slot_name = $1'
  return (await ask(move.source.database, statement, [nameOf(move)])) !== undefined
}

export async function endReplication(move: Move): Promise<void> {
  const { source } = move
  const name = nameOf(move)
  await unsubscribe(move)
  await source.database.withClient(async (client) => {
    await client.query(`drop publication if exists ${name}`)
    // The one that read the slot may take a moment to go.
    for (let left = 100; left > 0; left--) {
      const { rows } = await client.query<{ active: boolean }>(
        'select active from pg_replication_slots where slot_name = $1',
        [name],
      )
      if (rows.length === 0) return
      if (rows[0]?.active) await sleep(LOOK_MS / 4)
      else await client.query('select pg_drop_replication_slot($1)', [name])
    }
  })
}
