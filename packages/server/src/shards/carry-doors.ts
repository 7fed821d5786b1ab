// The tables by which a request finds its tenant, carried over while the organization is closed: a few rows each, read
// as JSON, written as they were, and compared.
import type pg from 'pg'
import { compile, sql } from '../database/sql.js'
import { StartupError } from '../database/startup-error.js'
import { PLATFORM_ID } from '../store/caller.js'
import { doors, type MovedTable, quoted } from './moved-tables.js'
import { asMover, type Move } from './moving.js'
import { readShell, shellStatement } from './shells.js'

const doorTables = ({ tables }: Move): MovedTable[] => tables.filter(({ name }) => doors.includes(name))

const readDoor = async (client: pg.ClientBase, { name, columns }: MovedTable, tenantIds: readonly string[]) => {
  const { rows } = await client.query<{ rows: string }>(
    `select coalesce(json_agg(t order by t.tenant_id, t.id), '[]')::text as rows
      from (select ${columns.map(quoted)} from ${quoted(name)} where tenant_id = any ($1::uuid[])) t`,
    [tenantIds],
  )
  return rows[0]?.rows ?? '[]'
}

export async function carryDoors(move: Move): Promise<void> {
  const { source, target, directory, organizationId, tenantIds } = move
  const read = await source.database.withClient(async (client) => {
    await client.query(`begin; set local timezone to 'UTC'`)
    const found: { table: MovedTable; rows: string }[] = []
    for (const table of doorTables(move)) found.push({ table, rows: await readDoor(client, table, tenantIds) })
    await client.query('commit')
    return found
  })
  await asMover(
    target,
    async (client) => {
      await client.query(`set local timezone to 'UTC'`)
      for (const { table, rows } of read) {
        const columns = table.columns.map(quoted)
        await client.query(`delete from ${quoted(table.name)} where tenant_id = any ($1::uuid[])`, [tenantIds])
        await client.query(
          `insert into ${quoted(table.name)} (${columns})
            select ${columns} from json_populate_recordset(null::${quoted(table.name)}, $1::json)`,
          [rows],
        )
        if ((await readDoor(client, table, tenantIds)) !== rows)
          throw new StartupError(`Rows of ${table.name} differ after they were carried over. Nothing was switched.`)
      }
    },
    true,
  )
  const shell = await readShell(source.database, organizationId)
  if (shell === undefined) throw new StartupError(`Organization ${organizationId} is not on ${source.name}`)
  for (const shard of new Set([target, directory]))
    if (shard !== source) await asMover(shard, (client) => client.query(compile(shellStatement(shell))), true)
}

/**
 * What the platform was answered under its idempotency keys is kept where it acted. Whoever asks again is led to the
 * other server, and has to be told the same. Returns the moment up to which all of it is there.
 */
export async function carryAnswers({ source, target }: Move, since = new Date(0)): Promise<Date> {
  const [read] = await source.database.query<{ now: Date; rows: string }>(sql`
    select now() as now, coalesce(json_agg(k), '[]')::text as rows from answered_keys k
    where tenant_id = ${PLATFORM_ID} and created_at >= ${since}::timestamptz - interval '1 minute'
      and created_at >= now() - interval '1 day'`)
  if (read === undefined) throw new Error('An aggregate has a row')
  await asMover(
    target,
    (client) =>
      client.query(
        `insert into answered_keys select * from json_populate_recordset(null::answered_keys, $1::json)
      on conflict do nothing`,
        [read.rows],
      ),
    true,
  )
  return read.now
}

/** On the server that was left nothing leads to the organization any more. */
export async function removeDoors(move: Move): Promise<void> {
  const { source, organizationId, tenantIds } = move
  await asMover(source, async (client) => {
    for (const { name } of doorTables(move))
      await client.query(`delete from ${quoted(name)} where tenant_id = any ($1::uuid[])`, [tenantIds])
    await client.query('select note_auth_change($1, null)', [organizationId])
  })
}
