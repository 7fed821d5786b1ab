// Partitions whose time is past: it is written down up to which transaction they were written, so that who reads by
// transaction need not look there. No clock is trusted: a trigger on each of them takes that back when something is
// written there all the same. docs/decisions/0028-partitions.md says why that is enough.
import type pg from 'pg'

/** The partitions of a table whose time is past, and the default one, which may hold rows of that time too. */
export interface Past {
  readonly table: string
  readonly key: string
  readonly partitions: readonly string[]
  readonly defaultPartition: string
  /** The first key after it. */
  readonly below: string
}

const TRIGGER = 'past_partition_written'

/** How long a partition's time must be past: nobody writes there any more, or hardly ever. */
export const PAST_AFTER_DAYS = 2

export async function isWrittenDown(client: pg.ClientBase, past: Past): Promise<boolean> {
  return (await pastBelow(client, past.table)) === past.below && !(await isUnguarded(client, past))
}

/** In a transaction: whoever writes to one of these is waited for, and whoever comes later meets the trigger. */
export async function writeDownPast(client: pg.ClientBase, past: Past): Promise<void> {
  const { table, key, partitions, defaultPartition, below } = past
  const isPast = `${key} < '${below}'`
  await client.query(`lock table ${guardedIn(past).join(', ')} in share row exclusive mode`)
  const last = [
    ...partitions.map((name) => `(select xact from ${name} order by xact desc limit 1)`),
    `(select max(xact::text::numeric)::text::xid8 from ${defaultPartition} where ${isPast})`,
  ]
  const { rows } = await client.query<{ last: string }>(`select greatest(${last.join(', ')}, '0'::xid8)::text as last`)
  const xact = rows[0]?.last ?? '0'
  const isLater = `new.xact > '${xact}'::xid8`
  for (const name of partitions) await guard(client, table, name, isLater)
  await guard(client, table, defaultPartition, `new.${isPast} and ${isLater}`)
  await client.query(
    `insert into past_partitions (table_name, below, last_xact) values ($1, $2, $3::xid8)
      on conflict (table_name) do update set below = excluded.below, last_xact = excluded.last_xact`,
    [table, below, xact],
  )
}

async function guard(client: pg.ClientBase, table: string, partition: string, condition: string): Promise<void> {
  await client.query(`create or replace trigger ${TRIGGER} after insert or update of xact on ${partition} for each row
    when (${condition}) execute function ${TRIGGER}('${table}')`)
  // Also for what comes by replication.
  await client.query(`alter table ${partition} enable always trigger ${TRIGGER}`)
}

/** A database that was restored has the row, and not the triggers: then nothing is known of what is past. */
export async function forgetUnguarded(client: pg.ClientBase, past: Past): Promise<void> {
  if (await isUnguarded(client, past))
    await client.query('delete from past_partitions where table_name = $1', [past.table])
}

/** Up to where it was written down. */
export async function pastBelow(client: pg.ClientBase, table: string): Promise<string | undefined> {
  const { rows } = await client.query<{ below: string }>('select below from past_partitions where table_name = $1', [
    table,
  ])
  return rows[0]?.below
}

const guardedIn = ({ partitions, defaultPartition }: Past): string[] => [...partitions, defaultPartition]

async function isUnguarded(client: pg.ClientBase, past: Past): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from unnest($1::text[]) name where not exists (
      select from pg_trigger where tgrelid = to_regclass(name) and tgname = $2 and tgenabled = 'A')`,
    [guardedIn(past), TRIGGER],
  )
  return rowCount !== 0
}
