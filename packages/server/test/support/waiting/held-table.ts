// Holds a program up where a test wants to meet it: it waits for a lock on a table that the test has.
import pg from 'pg'
import { queryDatabase } from '../empty-database.js'
import { until } from '../until.js'

type LockMode = 'access share' | 'row exclusive' | 'access exclusive'

/** The function that comes back lets go. */
export async function holdTable(url: string, table: string, mode: LockMode): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url }).on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${table} in ${mode} mode`)
  return () => client.end()
}

/** Until somebody waits for a lock in this database. */
export const untilHeldUp = (url: string): Promise<unknown> =>
  until(
    () =>
      queryDatabase(
        url,
        `select 1 from pg_stat_activity a where a.datname = current_database() and a.wait_event_type = 'Lock'`,
      ),
    (waiting) => waiting.length > 0,
  )

/** Until the database has noticed that a program of ours that was killed is gone. */
export const untilLeft = (url: string): Promise<unknown> =>
  until(
    () =>
      queryDatabase(
        url,
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'parley'`,
      ),
    (connected) => connected.length === 0,
  )
