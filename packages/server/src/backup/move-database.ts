// Moves everything into another database beside running servers: all rows, then again and again what has changed, and
// the last of it while nobody can write. The fence is a transaction: when it commits, the source refuses all writes for
// good; if the move dies before, the source goes on as if nothing had been.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from '../database/error-code.js'
import { compareMigrations } from '../database/migrate.js'
import type { Database } from '../database/pool.js'
import { hasTable, MOVED, UNFINISHED } from '../database/refused-database.js'
import { StartupError } from '../database/startup-error.js'
import { nextTransactionOf, raiseTransactionIds } from '../database/transaction-ids.js'
import {
  beginSnapshot,
  listed,
  quoted,
  readPartitionedTables,
  readPartitions,
  readTables,
  type Table,
} from './catalog.js'
import { compareCounts, copyAll, copyChanges, copySequences, type Databases, horizonOf } from './copy-rows.js'
import { markUnfinished, prepareTables, requireTarget, unmark } from './target-database.js'

export interface MoveParts {
  readonly source: Database
  readonly target: Database
  /** Where the target is, without its password: for those who come to the source later. */
  readonly address: string
  /** Replaces what is in the target. */
  readonly force: boolean
  /** Brings the target's tables up to this version. */
  readonly migrate: () => Promise<unknown>
  readonly say: (line: string) => void
}

export interface Moved {
  readonly rows: number
  /** How long nobody could write. */
  readonly fencedMs: number
}

/** A round that takes no longer than this leaves little for the fence, and so does one that is hardly shorter. */
const SHORT_ROUND_MS = 1_000
const HARDLY_SHORTER = 0.7
const FENCE_TRIES = 20
const FENCE_WAIT_MS = 250

export async function moveDatabase(parts: MoveParts): Promise<Moved> {
  return parts.source.withClient((source) =>
    parts.target.withClient(async (target) => {
      if (await hasTable(source, MOVED)) return finishEarlierMove({ source, target }, parts)
      await requireTarget(target, parts.force)
      const { migrations, isOlder } = await migrationsOf(source)
      await markUnfinished(target)
      const finishTables = await prepareTables(target, { migrations, partitions: await readPartitions(source) })
      const since = await copyBesideWriters({ source, target }, parts.say)
      // As much as can be is done before the fence.
      await raiseTransactionIds(target, await nextTransactionOf(source))
      if (!isOlder) await parts.migrate()
      return switchOver({ source, target }, since, { ...parts, finishTables })
    }),
  )
}

async function migrationsOf(source: pg.ClientBase): Promise<{ migrations: string[]; isOlder: boolean }> {
  const { rows } = await source.query<{ name: string }>('select name from migrations order by name')
  const names = rows.map(({ name }) => name)
  const { unknown, missing } = await compareMigrations(names)
  if (unknown.length > 0)
    throw new StartupError(`The database was migrated by a newer Parley (${unknown.join(', ')}). Move it with that.`)
  return { migrations: names, isOlder: missing.length > 0 }
}

/** The move got as far as closing the source, and died before it could open the target. */
async function finishEarlierMove({ source, target }: Databases, { address }: MoveParts): Promise<Moved> {
  const { rows } = await source.query<{ address: string }>(`select address from ${MOVED}`)
  if (rows[0]?.address !== address || !(await hasTable(target, UNFINISHED)))
    throw new StartupError(`This database has moved to ${rows[0]?.address} already. Set DATABASE_URL to that one.`)
  await unmark(target)
  return { rows: 0, fencedMs: 0 }
}

/** Returns the horizon of the last moment that was copied. */
async function copyBesideWriters({ source, target }: Databases, say: MoveParts['say']): Promise<string> {
  let since = await round(source, say, 'everything', (tables) => copyAll({ source, target }, tables))
  await target.query('analyze')
  for (let beforeMs = Number.POSITIVE_INFINITY; ; ) {
    const { horizon } = since
    since = await round(source, say, 'what had changed', (tables) => copyChanges({ source, target }, tables, horizon))
    if (since.tookMs < SHORT_ROUND_MS || since.tookMs > beforeMs * HARDLY_SHORTER) return since.horizon
    beforeMs = since.tookMs
  }
}

async function round(
  source: pg.ClientBase,
  say: MoveParts['say'],
  what: string,
  copy: (tables: readonly Table[]) => Promise<void>,
): Promise<{ horizon: string; tookMs: number }> {
  const startedAt = performance.now()
  const tables = await beginSnapshot(source)
  const horizon = await horizonOf(source)
  await copy(tables)
  await source.query('commit')
  const tookMs = performance.now() - startedAt
  say(`Copied ${what} in ${(tookMs / 1_000).toFixed(1)} s`)
  return { horizon, tookMs }
}

/**
 * From the fence on nobody writes to the source; the target is opened once the source is closed for good. Whatever goes
 * wrong before ends the connection, and the fence with it.
 */
async function switchOver(
  databases: Databases,
  since: string,
  parts: MoveParts & { readonly finishTables: () => Promise<void> },
): Promise<Moved> {
  const { source, target } = databases
  const fencedAt = performance.now()
  const tables = await fence(source)
  await copyChanges(databases, tables, since)
  await copySequences(databases)
  const { rows, differing } = await compareCounts(databases, tables)
  if (differing.length > 0) throw new StartupError(`The copy differs in ${differing.join(', ')}. Run the move again.`)
  await parts.finishTables()
  await raiseTransactionIds(target, await nextTransactionOf(source))
  await parts.migrate()
  await closeForGood(source, tables, parts.address)
  await source.query('commit')
  await unmark(target)
  return { rows, fencedMs: Math.round(performance.now() - fencedAt) }
}

/** Locks are taken before anything is read, so what is read is all that was ever written. */
async function fence(source: pg.ClientBase): Promise<Table[]> {
  for (let tries = 1; ; tries++) {
    const found = await readTables(source)
    const names = [...(await readPartitionedTables(source)), ...found.map(({ name }) => name)]
    await source.query('begin isolation level repeatable read')
    await source.query('set local idle_in_transaction_session_timeout = 0')
    await source.query('set local statement_timeout = 0')
    await source.query(`set local lock_timeout = '2s'`)
    try {
      await source.query(`lock table ${listed(names)} in share row exclusive mode`)
      const tables = await readTables(source)
      if (tables.length === found.length) return tables
      throw new Error('A table was made while the fence went up')
    } catch (error) {
      await source.query('rollback')
      if (tries === FENCE_TRIES || !isWorthAnotherTry(error)) throw error
      await sleep(FENCE_WAIT_MS)
    }
  }
}

/** A lock that is not to be had, a deadlock with a writer, a partition that has just gone or come. */
const isWorthAnotherTry = (error: unknown): boolean => ['55P03', '40P01', '42P01', undefined].includes(errorCode(error))

/**
 * Whoever waits for a lock finds the trigger when it gets it. The code is that of a server that only reads: requests
 * are answered with 503, as while a database is away.
 */
async function closeForGood(source: pg.ClientBase, tables: readonly Table[], address: string): Promise<void> {
  await source.query(`create table ${MOVED} (address text not null, moved_at timestamptz not null default now())`)
  await source.query(`insert into ${MOVED} (address) values ($1)`, [address])
  await source.query(`create function refuse_moved() returns trigger language plpgsql as $$
    begin
      raise exception 'the database has moved' using errcode = '25006';
    end $$`)
  const names = [...(await readPartitionedTables(source)), ...tables.map(({ name }) => name)]
  for (const name of names)
    await source.query(`create trigger moved_away before insert or update or delete or truncate on ${quoted(name)}
      for each statement execute function refuse_moved()`)
}
