// Migrations that run beside serving nodes: indexes made concurrently, and batch jobs that go on where they were after
// a crash. One node at a time works on them, by a lease in `migration_progress`.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { concurrentStatements, type Migration, migrationFolder, readMigrations } from './migration-files.js'
import { createPartitionedIndex, isPartitioned } from './partitioned-index.js'
import type { Database } from './pool.js'
import { sql } from './sql.js'

export interface MigrationProgress {
  readonly name: string
  /** Rows that a batch job has been through so far. */
  readonly rows: number
}

export interface BackgroundMigrations {
  start(): void
  stop(): Promise<void>
}

export interface BackgroundOptions {
  readonly database: Database
  readonly folder?: URL
  /** Told every few seconds while a batch job runs. */
  readonly onProgress: (progress: MigrationProgress) => void
  readonly onDone: (name: string) => void
  readonly onTrouble: (error: Error) => void
  /** How often a node looks whether there is something to do. */
  readonly everyMs?: number
}

const LEASE_SECONDS = 60
const RENEW_MS = 20_000
const TELL_MS = 10_000
const BATCH_ROWS = 500

/** Whether the schema is what this version needs to serve. */
export async function isMigrated(database: Database, folder: URL = migrationFolder): Promise<boolean> {
  return (await pendingMigrations(database, folder)).every(({ kind }) => kind !== 'transaction')
}

/** What still runs, or waits to run, beside the serving nodes. */
export async function backgroundProgress(
  database: Database,
  folder: URL = migrationFolder,
): Promise<MigrationProgress[]> {
  const pending = (await pendingMigrations(database, folder)).filter(({ kind }) => kind !== 'transaction')
  if (pending.length === 0) return []
  const rows = await database.query<{ name: string; rows: number }>(sql`select name, rows from migration_progress`)
  return pending.map(({ name }) => ({ name, rows: rows.find((row) => row.name === name)?.rows ?? 0 }))
}

async function pendingMigrations(database: Database, folder: URL): Promise<Migration[]> {
  const applied = await database.query<{ name: string }>(sql`select name from migrations`)
  const names = new Set(applied.map(({ name }) => name))
  return (await readMigrations(folder)).filter(({ name }) => !names.has(name))
}

export function createBackgroundMigrations(options: BackgroundOptions): BackgroundMigrations {
  const node = randomUUID()
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  const look = async () => {
    const pending = (await pendingMigrations(options.database, options.folder ?? migrationFolder)).filter(
      ({ kind }) => kind !== 'transaction',
    )
    for (const migration of pending) {
      if (isStopping || !(await lease(options.database, migration.name, node))) return
      await work(options, migration, node, () => isStopping)
      if (!isStopping) options.onDone(migration.name)
    }
    if (pending.length === 0) clearInterval(timer)
  }
  const begin = () => {
    working = working.then(look).catch((error: Error) => options.onTrouble(error))
  }
  return {
    start() {
      timer = setInterval(begin, options.everyMs ?? LEASE_SECONDS * 1_000)
      timer.unref()
      begin()
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      await working
    },
  }
}

async function work(
  { database, onProgress }: BackgroundOptions,
  migration: Migration,
  node: string,
  isStopping: () => boolean,
): Promise<void> {
  let toldAt = 0
  const tell = (progress: MigrationProgress) => {
    if (Date.now() - toldAt < TELL_MS) return
    toldAt = Date.now()
    onProgress(progress)
  }
  const renewal = setInterval(() => void lease(database, migration.name, node).catch(() => false), RENEW_MS)
  try {
    await database.withClient((client) =>
      migration.kind === 'batch'
        ? runBatches(client, migration, { node, isStopping, onProgress: tell })
        : runConcurrently(client, migration),
    )
  } finally {
    clearInterval(renewal)
    await release(database, migration.name, node).catch(() => undefined)
  }
}

/** True when this node is the one that works on the migration. */
async function lease(database: Database, name: string, node: string): Promise<boolean> {
  const rows = await database.query(sql`
    insert into migration_progress as p (name, leased_by, leased_until)
    select ${name}, ${node}::uuid, now() + make_interval(secs => ${LEASE_SECONDS})
      where not exists (select from migrations where name = ${name})
    on conflict (name) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
      where p.leased_until < now() or p.leased_by = excluded.leased_by returning 1`)
  return rows.length === 1
}

/** What is done leaves no trace; what is not may go on at another node at once. */
async function release(database: Database, name: string, node: string): Promise<void> {
  await database.query(
    sql`delete from migration_progress p using migrations m where p.name = ${name} and m.name = p.name`,
  )
  await database.query(
    sql`update migration_progress set leased_until = now() where name = ${name} and leased_by = ${node}`,
  )
}

/** An index that a crash left invalid is dropped and made again. */
export async function runConcurrently(client: pg.ClientBase, migration: Migration): Promise<void> {
  for (const { text, index, table } of concurrentStatements(migration)) {
    const isCreation = table !== undefined
    if (isCreation && (await isPartitioned(client, table))) await createPartitionedIndex(client, text, index, table)
    else {
      if (isCreation && (await isInvalid(client, index)))
        await client.query(`drop index concurrently if exists ${index}`)
      await client.query(text)
    }
    if (isCreation && (await isInvalid(client, index)))
      throw new Error(`The index ${index} is invalid after it was made; see the database's log`)
  }
  await client.query('insert into migrations (name) values ($1) on conflict do nothing', [migration.name])
}

async function isInvalid(client: pg.ClientBase, index: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
    index,
  ])
  return rows.length > 0
}

interface BatchRun {
  readonly node: string
  readonly isStopping: () => boolean
  readonly onProgress: (progress: MigrationProgress) => void
}

/**
 * Runs the job's statement until it finds no more rows. It takes the cursor of the batch before ($1, null at first) and
 * a number of rows ($2), and returns one row: the next cursor and how many rows it went through. Batch and cursor are
 * one transaction, so a crash repeats nothing.
 */
export async function runBatches(client: pg.ClientBase, { name, text }: Migration, run?: BatchRun): Promise<void> {
  for (let isDone = false; !isDone && run?.isStopping() !== true; ) {
    const startedAt = Date.now()
    await client.query('begin')
    try {
      isDone = await oneBatch(client, name, text, run)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
    // Requests get at least half of the database's time.
    if (run && !isDone) await sleep(Date.now() - startedAt)
  }
}

async function oneBatch(
  client: pg.ClientBase,
  name: string,
  text: string,
  run: BatchRun | undefined,
): Promise<boolean> {
  await client.query('insert into migration_progress (name) values ($1) on conflict do nothing', [name])
  const { rows: states } = await client.query<{ cursor: string | null; rows: string; leased_by: string | null }>(
    'select cursor, rows, leased_by from migration_progress where name = $1 for update',
    [name],
  )
  const state = states[0]
  // Whoever asked for the lease at the very moment when another node was done has got it, and would begin anew.
  if (run && state?.cursor === null) {
    const { rowCount } = await client.query('select from migrations where name = $1', [name])
    if (rowCount) return forgetProgress(client, name)
  }
  if (run && state?.leased_by !== run.node) throw new Error(`Another node has taken over ${name}`)
  const { rows: results } = await client.query<{ cursor: string | null; rows: number }>(text, [
    state?.cursor ?? null,
    BATCH_ROWS,
  ])
  const { cursor, rows } = results[0] ?? { cursor: null, rows: 0 }
  const total = Number(state?.rows ?? 0) + rows
  if (rows === 0) {
    await client.query('insert into migrations (name) values ($1) on conflict do nothing', [name])
    return forgetProgress(client, name)
  }
  await client.query('update migration_progress set cursor = $2, rows = $3 where name = $1', [name, cursor, total])
  run?.onProgress({ name, rows: total })
  return false
}

async function forgetProgress(client: pg.ClientBase, name: string): Promise<true> {
  await client.query('delete from migration_progress where name = $1', [name])
  return true
}
