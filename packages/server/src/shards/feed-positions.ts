// The place of moved events in the feed. Another server counts transactions otherwise, so each event gets a number
// there that is smaller than any to come and leaves the order as it was: docs/decisions/0030-shards.md.
import { sql } from '../database/sql.js'
import { patiently } from './fence.js'
import { quoted } from './moved-tables.js'
import { ask, type Move } from './moving.js'

interface Step {
  readonly tenant: string
  readonly step: number
}

/** Says how numbers of transactions are taken over, before the first row comes. */
export async function planPositions(move: Move): Promise<void> {
  const { source, target, tables, tenantIds } = move
  const horizon = Number(
    await ask<string>(source.database, 'select pg_snapshot_xmin(pg_current_snapshot())::text as value'),
  )
  const breaks: Step[] = []
  for (const { name } of tables.filter(({ hasXact }) => hasXact))
    breaks.push(...(await findBreaks(move, name, horizon)))
  for (const tenant of tenantIds) {
    const steps = [...new Set(breaks.filter((one) => one.tenant === tenant).map(({ step }) => step))].sort(
      (a, b) => a - b,
    )
    const all = [0, ...steps.filter((step) => step > 0), horizon]
    await target.database.query(sql`with forgotten as (delete from feed_steps where of_tenant = ${tenant})
      insert into feed_steps (of_tenant, step, rank, is_tail)
      select ${tenant}::uuid, step, place - 1, place = ${all.length}
      from unnest(${all}::bigint[]) with ordinality s (step, place)
      on conflict (of_tenant, step) do update set rank = excluded.rank, is_tail = excluded.is_tail`)
  }
}

/**
 * Where the order by transaction is not that by id. Between two such places all events may have one number: their ids
 * keep them in order. So the numbers that are needed are few.
 */
async function findBreaks({ source, tenantIds }: Move, table: string, horizon: number): Promise<Step[]> {
  return source.database.withClient(async (client) => {
    const { rows } = await client.query<{ tenant_id: string; xact: string }>(
      `select tenant_id, xact from (
        select tenant_id, xact, first, max(last) over (partition by tenant_id order by xact
          rows between unbounded preceding and 1 preceding) as before
        from (select tenant_id, xact::text::bigint as xact, min(id::text collate "C") as first,
            max(id::text collate "C") as last
          from ${quoted(table)} where tenant_id = any ($1::uuid[]) and xact < $2::xid8 group by 1, 2) g) w
      where before >= first`,
      [tenantIds, String(horizon)],
    )
    return rows.map(({ tenant_id: tenant, xact }) => ({ tenant, step: Number(xact) }))
  })
}

/** Rows that come by replication, and they alone, are given their place. */
export async function placeOnArrival({ target, tables }: Move): Promise<void> {
  await target.database.withClient(async (client) => {
    for (const { name } of tables.filter(({ hasXact }) => hasXact))
      await patiently(client, async () => {
        await client.query(`create or replace trigger place_moved_row before insert or update on ${quoted(name)}
          for each row execute function place_moved_row()`)
        await client.query(`alter table ${quoted(name)} enable replica trigger place_moved_row`)
      })
  })
}

const AT_ONCE = 5_000

/**
 * A young server has not come as far as the numbers that the moved events have: it skips the numbers in between, so
 * that whatever is written there from now on comes after them.
 */
export async function passMovedEvents({ source, target, tenantIds }: Move, spare: number): Promise<void> {
  const current = `select pg_snapshot_xmax(pg_current_snapshot())::text as value`
  const reached = Number(await ask<string>(source.database, current))
  const [tail] = await target.database.query<{ passed: number }>(sql`select max(rank - step)::float8 as passed
    from feed_steps where of_tenant = any (${tenantIds}::uuid[]) and is_tail`)
  const needed = (tail?.passed ?? 0) + reached + spare
  await target.database.withClient(async (client) => {
    for (;;) {
      const { rows } = await client.query<{ value: string }>(current)
      const missing = needed + 1 - Number(rows[0]?.value)
      if (missing <= 0) return
      await client.query(`do $$ begin
        for i in 1..${Math.min(missing, AT_ONCE)} loop perform pg_current_xact_id(); commit; end loop; end $$`)
    }
  })
}

export async function forgetPositions({ target, tenantIds }: Move): Promise<void> {
  await target.database.query(sql`delete from feed_steps where of_tenant = any (${tenantIds}::uuid[])`)
}
