// While a backup runs, no blob that its moment may name is removed. The backup holds a lock, shared with other backups,
// and whoever chooses blobs to remove asks for it alone, in the statement that chooses.
import type { Database } from '../database/pool.js'
import { type Sql, sql } from '../database/sql.js'

/** Any number, as long as every node uses the same. */
const BACKUP_LOCK = 4_827_366

/** A condition of the statement that chooses what to remove: it chooses nothing while a backup runs. */
export const noBackupRuns: Sql = sql`(select pg_try_advisory_xact_lock(${BACKUP_LOCK}::bigint))`

/**
 * What `use` sees of the database must be seen after this was called. It fails in the end when the lock was lost on the
 * way: then blobs may be missing.
 */
export async function holdingBlobs<T>(database: Database, use: () => Promise<T>): Promise<T> {
  return database.withClient(async (client) => {
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_xact_lock_shared($1::bigint)', [BACKUP_LOCK])
    const result = await use()
    await client.query('commit')
    return result
  })
}
