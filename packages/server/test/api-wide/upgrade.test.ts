// An upgrade from a database of an earlier version: a dump that its own code made. Every record it holds is readable,
// complete and writable under this one.
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { entities, recordSchema, takes } from '@parley/contract'
import { pino } from 'pino'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { mintKeyFor } from '../../src/program/create-organization.js'
import { prepareDatabase, type Server, startServer } from '../../src/server/server.js'
import type { TestDatabase } from '../support/databases.js'
import { createEmptyDatabase, queryDatabase } from '../support/empty-database.js'
import { type Client, clientOf, secret } from '../support/service.js'

/** By the last migration that its version knew. */
const dump = new URL('../support/old-databases/0052.sql.gz', import.meta.url)

let testDatabase: TestDatabase
let database: Database
let server: Server
let api: Client
beforeAll(async () => {
  testDatabase = await createEmptyDatabase()
  await queryDatabase(testDatabase.url, gunzipSync(await readFile(dump)).toString('utf8'))
  // The dump grows older than the day that keys are kept.
  await queryDatabase(testDatabase.url, 'update idempotency_keys set created_at = now()')
  database = openDatabase({ url: testDatabase.url, connections: 5, statementTimeoutMs: 10_000 })
  await prepareDatabase(database)
  const config = readConfig({ PORT: '0', DATABASE_URL: testDatabase.url, PARLEY_SECRET: secret, LOG_LEVEL: 'silent' })
  server = await startServer({ config: { ...config, secret, role: 'api' }, database, log: pino({ level: 'silent' }) })
  const [organization] = await database.query<{ id: string }>(sql`select id from organizations`)
  const key = await mintKeyFor(database, organization?.id ?? '', 'sandbox', 'ADMIN', 'upgrade', new Date())
  api = clientOf(server.url, key ?? '')
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
  await testDatabase?.drop()
})

interface Stored {
  readonly id: string
  readonly version: number
}

/** Addresses of recordings are signed anew by the second, and two looks may fall into two: what is left names the audio. */
const unsigned = (record: object) =>
  JSON.parse(JSON.stringify(record).replace(/(\/recordings\/[^/"]+\/[^/"]+)\/[^"]+/g, '$1'))

const listed = async (slug: string): Promise<Stored[]> => (await api.get(`/${slug}?limit=100`)).body.data

/** What that version did not know. */
const younger: readonly string[] = ['saved-views']
const known = entities.filter(({ slug }) => !younger.includes(slug))

describe.each(known.map((entity) => [entity.slug, entity] as const))('%s', (slug, entity) => {
  test('are listed and read as this version describes them', async () => {
    const rows = await listed(slug)
    expect(rows.length, `the dump has no ${slug}`).toBeGreaterThan(0)
    const schema = recordSchema(entity)
    for (const row of rows) {
      expect([...Value.Errors(schema, row)].map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual(
        [],
      )
      if (takes(entity, 'get')) expect(unsigned((await api.get(`/${slug}/${row.id}`)).body)).toEqual(unsigned(row))
    }
  })

  test.runIf(takes(entity, 'patch'))('are patched: sent back whole they stay as they are', async () => {
    for (const row of await listed(slug)) {
      const answer = await api.patch(`/${slug}/${row.id}`, row)
      expect([200, 409], answer.text).toContain(answer.status)
      if (answer.status === 200) expect(unsigned(answer.body)).toEqual(unsigned(row))
    }
  })
})

test('its events are read, in their order, and its idempotency keys still answer', async () => {
  const { data } = (await api.get('/events?limit=100')).body
  expect(data.length).toBeGreaterThan(20)
  const { data: tasks } = (await api.get('/tasks?q=ring%20back')).body
  const again = await api.post(
    '/tasks',
    { title: 'Ring back', dueAt: '2026-12-02T10:00:00Z' },
    { 'idempotency-key': 'old-key' },
  )
  expect([again.headers.get('idempotent-replayed'), again.body.id]).toEqual(['true', tasks[0].id])
})

test('search, deliveries, recordings and secrets of before are there', async () => {
  expect((await api.get('/people?q=maria%20200')).body.data).toHaveLength(1)
  const [subscription] = await listed('webhooks')
  expect((await api.get(`/webhooks/${subscription?.id}/deliveries`)).body.data.length).toBeGreaterThan(0)
  const [connection] = (await api.get('/integration-connections')).body.data
  expect(connection.credentialsPreview).toBeTruthy()
  expect((await api.post(`/webhooks/${subscription?.id}/rotate-secret`, {})).status).toBe(200)
})
