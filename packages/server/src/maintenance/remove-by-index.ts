// Runs the removals of retention, in batches.
import type { Database } from '../database/pool.js'
import { compile, raw, type Sql } from '../database/sql.js'

export const batchMax = 1_000
export const batch = raw(String(batchMax))

/**
 * Runs a removal and says how many rows it took. Rows are found by index, whatever the planner believes of a table that
 * has grown since it last looked, and the statement may take longer than one that somebody waits for.
 */
export async function removeByIndex(database: Database, statement: Sql): Promise<number> {
  return database.withClient(async (client) => {
    await client.query('begin')
    await client.query(byIndex)
    const { text, values } = compile(statement)
    const { rows } = await client.query<{ removed: number }>(text, values)
    await client.query('commit')
    return rows[0]?.removed ?? 0
  })
}

const byIndex = `set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
  set local statement_timeout = '30s'`
