// A fresh, migrated database for a test file, on the server that the run started.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export const templateName = 'parley_test_template'

/** The same server, another database. A URL with a socket folder has no host, so it is no URL to WHATWG's parser. */
export const urlOf = (server: string, database: string): string => server.replace(/^([^?]*\/)[^/?]*/, `$1${database}`)

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `parley_test_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name} template ${templateName}`)
  return { url: urlOf(server, name), drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
