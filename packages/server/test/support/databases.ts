// A fresh, migrated database for a test file, on the server that the run started.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

export const templateName = 'parley_test_template'

/** The same server, another database. A URL with a socket folder has no host, so it is no URL to WHATWG's parser. */
export const urlOf = (server: string, database: string): string => server.replace(/^([^?]*\/)[^/?]*/, `$1${database}`)

/** However busy the machine is, there is time to connect. */
export const patient = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}connect_timeout=60`

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `parley_test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template ${templateName}`)
  return { url: urlOf(server, name), drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
}

const IN_USE = '55006'

/**
 * PostgreSQL waits five seconds for an autovacuum of the template, or for those whom a drop has thrown out; where all
 * are slow, that may not be enough.
 */
export async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    for (const deadline = Date.now() + 120_000; ; await sleep(100)) {
      const isDone = await client.query(statement).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== IN_USE || Date.now() > deadline) throw error
          return false
        },
      )
      if (isDone) return
    }
  } finally {
    await client.end()
  }
}
