// A lock that only one node has at a time, for work that takes more than one transaction. A transaction of its own
// holds it, not a connection: behind a pooler the connection is somebody else's in the next moment.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './pool.js'

const PAUSE_MS = 50

export function withLock<T>(database: Database, lock: number, use: () => Promise<T>): Promise<T> {
  return database.withClient(async (client) => {
    await takeLock(client, lock)
    try {
      return await use()
    } finally {
      await client.query('commit')
    }
  })
}

/**
 * An index that is made concurrently waits for everybody who holds a snapshot. So nothing here does: the lock is asked
 * for again and again, since a statement that waits would hold one, and without a parameter, since the driver leaves
 * the cursor of a statement with parameters open until the next.
 */
async function takeLock(client: pg.ClientBase, lock: number): Promise<void> {
  for (;;) {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${lock}) as taken`)
    if (rows[0]?.taken) return
    await client.query('rollback')
    await sleep(PAUSE_MS)
  }
}
