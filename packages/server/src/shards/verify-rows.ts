// Compares the rows of an organization on two servers, each by a digest of all that is written in it. While it is used,
// rows that differ are suspects only: they are compared again, with those that changed meanwhile, until the
// organization is closed and none may differ.
import type pg from 'pg'
import { compile, raw, sql } from '../database/sql.js'
import { changedRows, type RowKey, type RowKeys } from './changed-rows.js'
import { doors, filterOf, isOfTenants, type MovedTable, quoted, rowText } from './moved-tables.js'
import type { Move } from './moving.js'

export interface Compared {
  readonly rows: number
  readonly suspects: RowKeys
}

const BATCH = 2_000

/** Every row, from both sides: one that is on either server alone is a suspect as well. */
export const compareAll = (move: Move): Promise<Compared> =>
  onBoth(move, async (source, target) => {
    const suspects: RowKeys = new Map()
    let rows = 0
    for (const table of keyed(move)) {
      const there = await findDiffering(source, target, table, move.tenantIds)
      const back = await findDiffering(target, source, table, move.tenantIds)
      rows += there.rows
      const found = [...there.differing, ...back.differing]
      if (found.length > 0) suspects.set(table.name, found)
    }
    return { rows, suspects }
  })

const onBoth = <T>(
  { source, target }: Move,
  work: (source: pg.ClientBase, target: pg.ClientBase) => Promise<T>,
): Promise<T> => source.database.withClient((ours) => target.database.withClient((theirs) => work(ours, theirs)))

/** The rows of one server that are not the same on the other. */
async function findDiffering(
  from: pg.ClientBase,
  to: pg.ClientBase,
  table: MovedTable,
  tenantIds: readonly string[],
): Promise<{ rows: number; differing: RowKey[] }> {
  const differing: RowKey[] = []
  let rows = 0
  for await (const batch of readAll(from, table, tenantIds)) {
    const keys = [...batch.values()].map(({ key }) => key)
    const known = await readDigests(to, table, keys)
    for (const [name, { key, digest }] of batch) if (known.get(name)?.digest !== digest) differing.push(key)
    rows += batch.size
  }
  return { rows, differing }
}

/** Doors are carried over by hand, and compared then. */
const keyed = ({ tables }: Move): MovedTable[] =>
  tables.filter(({ key, name }) => key.length > 0 && !doors.includes(name))

/** What is left of the suspects, and of what changed since the last look. */
export async function compareChanged(move: Move, suspects: RowKeys): Promise<Compared> {
  const changed = await changedRows(move)
  const left: RowKeys = new Map()
  let rows = 0
  await onBoth(move, async (source, target) => {
    for (const table of keyed(move)) {
      const keys = unique([...(suspects.get(table.name) ?? []), ...(changed.get(table.name) ?? [])])
      rows += keys.length
      const differing = await differences(source, target, table, keys)
      if (differing.length > 0) left.set(table.name, differing)
    }
  })
  return { rows, suspects: left }
}

async function differences(
  source: pg.ClientBase,
  target: pg.ClientBase,
  table: MovedTable,
  keys: readonly RowKey[],
): Promise<RowKey[]> {
  const found: RowKey[] = []
  for (let at = 0; at < keys.length; at += BATCH) {
    const batch = keys.slice(at, at + BATCH)
    const [ours, theirs] = await Promise.all([source, target].map((client) => readDigests(client, table, batch)))
    const names = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])
    for (const name of names) {
      const [one, other] = [ours?.get(name), theirs?.get(name)]
      if (one?.digest !== other?.digest) found.push((one ?? other)?.key ?? [])
    }
  }
  return found
}

const unique = (keys: readonly RowKey[]): RowKey[] => [
  ...new Map(keys.map((key) => [JSON.stringify(key), key])).values(),
]

interface Digest {
  readonly key: RowKey
  readonly digest: string
}
type Digests = Map<string, Digest>

const digestColumns = (table: MovedTable) =>
  sql`array[${raw(table.key.map(({ name }) => `t.${quoted(name)}::text`).join(', '))}] as key,
    md5(${rowText(table)}) as digest`

/** Times are the same text on both servers, and rows are found by their key, whatever is known of the table. */
const begin = `begin; set local timezone to 'UTC'; set local enable_hashjoin = off; set local enable_mergejoin = off`

type DigestRow = { key: string[]; digest: string }

/** All rows of a table, a batch at a time, as of one moment. Most tables are small: one trip brings them. */
async function* readAll(
  client: pg.ClientBase,
  table: MovedTable,
  tenantIds: readonly string[],
): AsyncGenerator<Digests> {
  const { text } = compile(sql`select ${digestColumns(table)} from ${raw(quoted(table.name))} t`)
  const fetch = `fetch ${BATCH} from every_row`
  const opening: unknown = await client.query(
    `${begin}; declare every_row no scroll cursor for ${text} where ${filterOf(tenantIds)}; ${fetch}`,
  )
  let { rows } = (opening as pg.QueryResult<DigestRow>[]).at(-1) ?? { rows: [] }
  while (rows.length > 0) {
    yield digestsOf(rows)
    rows = rows.length < BATCH ? [] : (await client.query<DigestRow>(fetch)).rows
  }
  await client.query('commit')
}

async function readDigests(client: pg.ClientBase, table: MovedTable, keys: readonly RowKey[]): Promise<Digests> {
  if (keys.length === 0) return new Map()
  await client.query(begin)
  const arrays = table.key.map(({ type }, index) => `$${index + 1}::${type}[]`)
  const names = table.key.map((_, index) => `k${index}`)
  const matches = table.key.map(({ name }, index) => `t.${quoted(name)} = k.k${index}`)
  const { text } = compile(sql`select ${digestColumns(table)}`)
  const { rows } = await client.query<DigestRow>(
    `${text} from unnest(${arrays}) k (${names}) join ${quoted(table.name)} t on ${matches.join(' and ')}`,
    table.key.map((_, index) => keys.map((key) => key[index])),
  )
  await client.query('commit')
  return digestsOf(rows)
}

const digestsOf = (rows: readonly DigestRow[]): Digests =>
  new Map(rows.map(({ key, digest }) => [JSON.stringify(key), { key, digest }]))

/** Rows without a key are few and leave soon: they are compared as a whole. */
export async function keylessDiffer(move: Move): Promise<string | undefined> {
  for (const table of move.tables.filter(({ key }) => key.length === 0)) {
    const whole = sql`select coalesce(md5(string_agg(row, ',' order by row)), '') as digest
      from (select md5(${rowText(table)}) as row from ${raw(quoted(table.name))} t
        where ${isOfTenants(move.tenantIds)}) r`
    const digests = await Promise.all(
      [move.source, move.target].map(
        async ({ database }) => (await database.query<{ digest: string }>(whole))[0]?.digest,
      ),
    )
    if (digests[0] !== digests[1]) return table.name
  }
  return undefined
}

export const countOf = (keys: RowKeys): number => [...keys.values()].reduce((sum, of) => sum + of.length, 0)
