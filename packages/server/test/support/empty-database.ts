// A database without a single table, on the server that the run started: what an operator has just made with
// `createdb`.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { onServer, type TestDatabase, urlOf } from './databases.js'

export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `parley_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name}`)
  return {
    url: urlOf(server, name),
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  }
}

/** The rows of one statement, on a connection of its own. */
export async function queryDatabase<T extends Record<string, unknown>>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(statement, values)).rows
  } finally {
    await client.end()
  }
}
