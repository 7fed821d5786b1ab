// All that a database holds, table by table, so that two can be compared row by row, also as of one moment while others
// write.
import pg from 'pg'
import { readTables } from '../../src/backup/catalog.js'
import type { Database } from '../../src/database/pool.js'

export type Content = Record<string, string[]>

/** Every row of every table, generated columns included. */
export async function contentOf(client: pg.ClientBase): Promise<Content> {
  const content: Content = {}
  for (const { name } of await readTables(client)) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    content[name] = rows.map(({ row }) => row)
  }
  return content
}

export async function contentAt(url: string): Promise<Content> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await contentOf(client)
  } finally {
    await client.end()
  }
}

/** The same database, and what it held at the moment that the backup made through it sees. */
export function watchedSnapshot(database: Database, url: string): { database: Database; seen: () => Promise<Content> } {
  const twin = new pg.Client({ connectionString: url })
  let exported: Promise<void> = Promise.reject(new Error('No backup was made'))
  exported.catch(() => undefined)
  const watched: Database = {
    ...database,
    withClient: (use) =>
      database.withClient(async (client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>
        const watching = async (...args: unknown[]) => {
          const result = await query(...args)
          exported = query('select pg_export_snapshot() as id').then(async ({ rows }) => {
            await twin.connect()
            await twin.query('begin isolation level repeatable read')
            await twin.query(`set transaction snapshot '${rows[0].id}'`)
          })
          await exported
          return result
        }
        client.query = ((...args: unknown[]) =>
          String(args[0]).startsWith('begin isolation level repeatable read')
            ? watching(...args)
            : query(...args)) as typeof client.query
        return use(client)
      }),
  }
  const seen = async () => {
    await exported
    const content = await contentOf(twin)
    await twin.end()
    return content
  }
  return { database: watched, seen }
}
