// While a backup runs, no blob that its moment may name is removed. The backup holds a lock alone, and whoever chooses
// blobs to remove asks for it, shared with others who do, in the statement that chooses.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './pool.js'
import { type Sql, sql } from './sql.js'
import { StartupError } from './startup-error.js'

/** Any number, as long as every node uses the same. */
const BACKUP_LOCK = 4_827_366
const TRIES = 200
const PAUSE_MS = 50

/** A condition of the statement that chooses what to remove: it chooses nothing while a backup runs. */
export const noBackupRuns: Sql = sql`(select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}::bigint))`

/**
 * What `use` sees of the database must be seen after this was called. It fails in the end when the lock was lost on the
 * way: then blobs may be missing.
 */
export async function holdingBlobs<T>(database: Database, use: () => Promise<T>): Promise<T> {
  return database.withClient(async (client) => {
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await takeLock(client)
    const result = await use()
    await client.query('commit')
    return result
  })
}

/** Those who remove blobs hold it for a moment each. */
async function takeLock(client: pg.ClientBase): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as taken', [
      BACKUP_LOCK,
    ])
    if (rows[0]?.taken) return
    await sleep(PAUSE_MS)
  }
  throw new StartupError('Another backup of this database is running. Try again when it has ended.')
}
