// An index on a partitioned table, made beside whoever writes to it: PostgreSQL makes none of those concurrently, but
// takes one that was made so on each partition.
import type pg from 'pg'

/** Makes what `statement` (`create index concurrently if not exists <index> on <table> …`) asks for, or goes on. */
export async function createPartitionedIndex(
  client: pg.ClientBase,
  statement: string,
  index: string,
  table: string,
): Promise<void> {
  const [, unique = '', definition = ''] = form.exec(statement) ?? []
  // A partition that comes from here on gets it by itself.
  await client.query(`create ${unique}index if not exists ${index} on only ${table} ${definition}`)
  for (const { oid, name } of await partitionsWithout(client, index, table)) {
    const made = `${index}_on_${oid}`
    await client.query(`drop index concurrently if exists ${made}`)
    await client.query(`create ${unique}index concurrently ${made} on ${name} ${definition}`)
    await client.query(`alter index ${index} attach partition ${made}`)
  }
}

const form = /^create (unique )?index concurrently if not exists \S+ on \S+ (.*)$/is

export async function isPartitioned(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_partitioned_table where partrelid = to_regclass($1)', [table])
  return rowCount === 1
}

async function partitionsWithout(
  client: pg.ClientBase,
  index: string,
  table: string,
): Promise<{ oid: number; name: string }[]> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    `select p.inhrelid as oid, p.inhrelid::regclass::text as name from pg_inherits p
     where p.inhparent = $1::regclass and not exists (
       select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
       where i.inhparent = $2::regclass and x.indrelid = p.inhrelid
     ) order by p.inhrelid`,
    [table, index],
  )
  return rows
}
