// The feed of events goes by the ids of transactions, which each server counts for itself. Events that come from a
// server that has counted further lie in the future here, where no reader looks. Either this server counts on until
// they are past, and they keep their places, or they get new places, in the same order.
import type pg from 'pg'

/** Some seconds' worth: counting goes on at tens of thousands a second. */
const COUNTED_MAX = 2_000_000

/** The first id that no transaction had, as far as the client's moment sees. */
export async function nextTransactionOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  return rows[0]?.next ?? '0'
}

/** Uses up ids until `past` lies behind. Does nothing where that would take long. */
export async function raiseTransactionIds(client: pg.ClientBase, past: string): Promise<void> {
  const { rows } = await client.query<{ missing: string }>(
    `select $1::numeric - pg_snapshot_xmax(pg_current_snapshot())::text::numeric + 1 as missing`,
    [past],
  )
  const missing = Number(rows[0]?.missing)
  if (missing <= 0 || missing > COUNTED_MAX) return
  await client.query(
    `do $$ begin for used in 1..${missing} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  )
}

/**
 * Only the last event of each tenant is looked at, so that a start is cheap. Events of an organization that is just
 * being moved here are left alone: their places are taken care of.
 */
export async function placeForeignEvents(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ last: string }>(
    `select e.xact::text as last from (
        select id from tenants union all select '00000000-0000-7000-8000-000000000000'::uuid) t, lateral (
        select xact from events where tenant_id = t.id order by tenant_id desc, xact desc, id desc limit 1) e
      where e.xact >= pg_snapshot_xmax(pg_current_snapshot())
        and not exists (select from feed_steps f where f.of_tenant = t.id) limit 1`,
  )
  if (rows.length > 0) await placeAnew(client)
}

/**
 * Before everything that can happen here, in the order that they have. Where that is the order of their ids they share
 * a number; it rises where an id is smaller than the one before, so that readers go on from any event.
 */
async function placeAnew(client: pg.ClientBase): Promise<void> {
  const steps = `select tenant_id, id, sum(is_back) over (partition by tenant_id order by xact, id) as step from (
    select tenant_id, id, xact,
      coalesce((id < lag(id) over (partition by tenant_id order by xact, id))::int, 0) as is_back
    from events) o`
  const { rows } = await client.query<{ most: string }>(`select coalesce(max(step), 0)::text as most from (${steps}) s`)
  await raiseTransactionIds(client, rows[0]?.most ?? '0')
  await client.query(`update events e set xact = s.step::text::xid8 from (${steps}) s
    where e.tenant_id = s.tenant_id and e.id = s.id`)
  await client.query('delete from past_partitions')
}
