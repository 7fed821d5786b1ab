// Tables that grow by time, as partitions of some days each: the next ones are made ahead, what is older than it is
// kept is dropped. Knows no table by name. docs/decisions/0028-partitions.md says why it goes this way.
import type pg from 'pg'
import { errorCode } from './error-code.js'
import {
  forgetUnguarded,
  isWrittenDown,
  PAST_AFTER_DAYS,
  type Past,
  pastBelow,
  writeDownPast,
} from './past-partitions.js'
import type { Database } from './pool.js'
import { sql } from './sql.js'

export interface PartitionedTable {
  readonly name: string
  /** The column that says in which partition a row lies. Its values begin with their time. */
  readonly key: string
  /** The smallest value of a time. */
  readonly firstAt: (time: Date) => string
  /** How many days a partition holds. */
  readonly days: number
  /** Partitions that end before this go. Undefined: none ever does. */
  readonly keptFrom: Date | undefined
  /** Selects the rows of a partition that outlive it: they move to the default partition. Must be cheap. */
  readonly outliving?: (partition: string, end: Date) => string
  /** It is read in the order of the transactions that wrote it, by a column `xact`. */
  readonly isReadByTransaction?: true
}

interface Partition {
  readonly name: string
  readonly isDefault: boolean
  /** Where it ends; undefined for the default partition. */
  readonly end: Date | undefined
}

const dayMs = 24 * 60 * 60 * 1_000
/** Waiting longer for a lock would make everybody wait who comes after. It is tried again. */
const LOCK_TIMEOUT = "set local lock_timeout = '1s'"
/** Rows that outlive their partition are moved while the table is locked, so a partition with more of them stays. */
const OUTLIVING_MAX = 20_000
const PARTITION_LOCK = 4_827_362
const LOCK_NOT_AVAILABLE = '55P03'

/** Parts of the first start, and of every other: the partitions that are needed next. Waits for nobody. */
export async function makeNextPartitions(
  client: pg.ClientBase,
  tables: readonly PartitionedTable[],
  now: Date,
): Promise<void> {
  for (const table of tables)
    await inTransaction(client, async () => {
      const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as taken', [PARTITION_LOCK])
      if (!rows[0].taken) return
      await makeNext(client, table, now)
      if (table.isReadByTransaction) await forgetUnguardedPast(client, table)
    }).catch((error: unknown) => {
      // Until it is made, rows go to the default partition.
      if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    })
}

/** All that partitions need now and then. One node at a time works on them; one table's trouble is not the others'. */
export async function keepPartitions(
  database: Database,
  tables: readonly PartitionedTable[],
  now: Date,
): Promise<void> {
  const troubles: Error[] = []
  await database.withClient((holder) =>
    inTransaction(holder, async () => {
      const { rows } = await holder.query('select pg_try_advisory_xact_lock($1) as taken', [PARTITION_LOCK])
      if (!rows[0].taken) return
      await database.withClient(async (client) => {
        for (const table of tables) await keepTable(client, table, now).catch((error: Error) => troubles.push(error))
      })
    }),
  )
  if (troubles[0]) throw troubles[0]
}

async function keepTable(client: pg.ClientBase, table: PartitionedTable, now: Date): Promise<void> {
  await inTransaction(client, () => makeNext(client, table, now))
  if (await hasTableOfBefore(client, table)) await placeTableOfBefore(client, table, now)
  for (const partition of await partitionsOf(client, table.name)) await dropIfOld(client, table, partition)
  if (table.isReadByTransaction) await closePast(client, table)
}

/** By the clock of the database; whether what is read is right does not depend on it. */
async function closePast(client: pg.ClientBase, table: PartitionedTable): Promise<void> {
  const { rows } = await client.query<{ now: Date }>('select now() as now')
  const past = await pastOf(client, table, table.firstAt(later(rows[0]?.now ?? new Date(0), -PAST_AFTER_DAYS)))
  if (past === undefined || (await isWrittenDown(client, past))) return
  await inTransaction(client, () => writeDownPast(client, past))
}

async function forgetUnguardedPast(client: pg.ClientBase, table: PartitionedTable): Promise<void> {
  const below = await pastBelow(client, table.name)
  const past = below && (await pastOf(client, table, below))
  if (past) await forgetUnguarded(client, past)
}

/** What ends by `until`. Undefined while that is nothing, or the table of before takes everything. */
async function pastOf(client: pg.ClientBase, table: PartitionedTable, until: string): Promise<Past | undefined> {
  if (await hasTableOfBefore(client, table)) return undefined
  const { name, key, firstAt } = table
  const ended = (await partitionsOf(client, name))
    .flatMap((one) => (one.end ? [{ name: one.name, end: firstAt(one.end) }] : []))
    .filter(({ end }) => end <= until)
  const below = ended.map(({ end }) => end).reduce((a, b) => (a > b ? a : b), '')
  if (below === '') return undefined
  return { table: name, key, partitions: ended.map((one) => one.name), defaultPartition: defaultOf(name), below }
}

/** The partitions whose rows are removed one by one: of a time that has no partition, or before there were any. */
export async function loosePartitions(database: Database, table: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and (c.relname !~ ${namePattern} or c.relname like '%\\_p19700101\\_%')`,
  )
  return rows.map(({ name }) => name)
}

const namePattern = '_p[0-9]{8}_[0-9]{8}$'
const beforeOf = (table: string) => `${table}_before`
const defaultOf = (table: string) => `${table}_default`
const dayName = (day: Date) => day.toISOString().slice(0, 10).replaceAll('-', '')
const nameOf = (table: string, from: Date, end: Date) => `${table}_p${dayName(from)}_${dayName(end)}`
const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / dayMs) * dayMs)
const later = (time: Date, days: number) => new Date(time.getTime() + days * dayMs)

async function partitionsOf(client: pg.ClientBase, table: string): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; bound: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by c.relname`,
    [table],
  )
  return rows.map(({ name, bound }) => {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
    const isDefault = bound === 'DEFAULT'
    return { name, isDefault, end: isDefault ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`) }
  })
}

const hasTableOfBefore = async (client: pg.ClientBase, { name }: PartitionedTable): Promise<boolean> =>
  (await partitionsOf(client, name)).some((one) => one.isDefault && one.name === beforeOf(name))

/** There is always a whole partition ahead, so that a night without this job is nothing. */
async function makeNext(client: pg.ClientBase, table: PartitionedTable, now: Date): Promise<void> {
  if ((await hasTableOfBefore(client, table)) && !(await replaceEmpty(client, table))) return forgetCheck(client, table)
  const ends = (await partitionsOf(client, table.name)).flatMap(({ end }) => end ?? [])
  const first = later(startOfDay(now), -1)
  let from = new Date(Math.max(first.getTime(), ...ends.map((end) => end.getTime())))
  while (from <= later(now, table.days)) {
    const end = later(from, table.days)
    await makePartition(client, table, from, end)
    from = end
  }
}

/** A new database has nothing to keep: then the table of before gives way to an empty default partition. */
async function replaceEmpty(client: pg.ClientBase, { name }: PartitionedTable): Promise<boolean> {
  const before = beforeOf(name)
  const isEmpty = async () => (await client.query(`select 1 from ${before} limit 1`)).rowCount === 0
  if (!(await isEmpty())) return false
  await client.query(`lock table ${name}, ${before} in access exclusive mode`)
  if (!(await isEmpty())) return false
  await client.query(`alter table ${name} detach partition ${before}`)
  await client.query(`drop table ${before}`)
  await makeDefault(client, name)
  return true
}

async function makeDefault(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`create table ${defaultOf(name)} (like ${name} including defaults including constraints)`)
  await client.query(`alter table ${name} attach partition ${defaultOf(name)} default`)
}

/** Rows that came before their partition was there move into it. */
async function makePartition(client: pg.ClientBase, table: PartitionedTable, from: Date, end: Date): Promise<void> {
  const { name, key, firstAt } = table
  const made = nameOf(name, from, end)
  const [low, high] = [firstAt(from), firstAt(end)]
  await client.query(`create table ${made} (like ${name} including defaults including constraints)`)
  await client.query(`lock table ${defaultOf(name)} in access exclusive mode`)
  await client.query(`with moved as (
      delete from ${defaultOf(name)} where ${key} >= '${low}' and ${key} < '${high}' returning *
    ) insert into ${made} select * from moved`)
  await client.query(`alter table ${name} attach partition ${made} for values from ('${low}') to ('${high}')`)
}

/**
 * The table of before becomes a partition that ends in a few days. That its rows are older is checked beside whoever
 * works on it; until it is, they are in the default partition. New events are read a little later meanwhile, because
 * the check is a transaction that the feed waits for.
 */
async function placeTableOfBefore(client: pg.ClientBase, table: PartitionedTable, now: Date): Promise<void> {
  const { name, key, firstAt } = table
  const before = beforeOf(name)
  const { rows } = await client.query<{ last: string | null }>(
    `select max(${key}::text) as last from ${before} where ${key} >= '${firstAt(later(now, 1))}'`,
  )
  if (rows[0]?.last) throw new Error(`${before} holds rows of the future, up to ${rows[0].last}: remove them`)
  const end = later(startOfDay(now), 3)
  const constraint = checkOf(name)
  try {
    await inTransaction(client, async () => {
      await forgetCheck(client, table)
      await client.query(
        `alter table ${before} add constraint ${constraint} check (${key} < '${firstAt(end)}') not valid`,
      )
    })
    await client.query(`alter table ${before} validate constraint ${constraint}`)
    await inTransaction(client, async () => {
      await client.query(`alter table ${name} detach partition ${before}`)
      await client.query(
        `alter table ${name} attach partition ${before} for values from (minvalue) to ('${firstAt(end)}')`,
      )
      await client.query(`alter table ${before} rename to ${nameOf(name, new Date(0), end)}`)
      await makeDefault(client, name)
      await makeNext(client, table, now)
    })
  } finally {
    if (await hasTableOfBefore(client, table)) await inTransaction(client, () => forgetCheck(client, table))
  }
}

const checkOf = (table: string) => `${beforeOf(table)}_is_older`

/** Left behind with a default partition, it would refuse what comes after its end. */
async function forgetCheck(client: pg.ClientBase, { name }: PartitionedTable): Promise<void> {
  const { rowCount } = await client.query('select from pg_constraint where conname = $1', [checkOf(name)])
  if (rowCount !== 0) await client.query(`alter table ${beforeOf(name)} drop constraint ${checkOf(name)}`)
}

async function dropIfOld(client: pg.ClientBase, table: PartitionedTable, partition: Partition): Promise<void> {
  const { name, keptFrom } = table
  const { end } = partition
  if (keptFrom === undefined || end === undefined || end > keptFrom) return
  const outliving = table.outliving?.(partition.name, end)
  if (outliving !== undefined) {
    const { rowCount } = await client.query(`select from (${outliving}) r limit ${OUTLIVING_MAX}`)
    if (rowCount === OUTLIVING_MAX) return
  }
  await inTransaction(client, async () => {
    await client.query(`alter table ${name} detach partition ${partition.name}`)
    if (outliving !== undefined) await client.query(`insert into ${name} ${outliving}`)
    await client.query(`drop table ${partition.name}`)
  })
}

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query(LOCK_TIMEOUT)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
