// Kills the real server in the middle of an import and starts it again: every row is written once.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/pool.js'
import { sql } from '../../../src/database/sql.js'
import { createTestDatabase, type TestDatabase } from '../../support/databases.js'
import { endPrograms, newDataDir, serveProgram } from '../../support/program.js'
import { clientOf } from '../../support/service.js'
import { until } from '../../support/until.js'

const ROWS = Number(process.env['IMPORT_CRASH_ROWS'] ?? 1_500)
const KILLS = 2

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(async () => {
  await endPrograms()
  await testDatabase.drop()
})

test('an import goes on after kill -9, and makes nobody twice', async () => {
  const dataDir = await newDataDir()
  const env = {
    DATABASE_URL: testDatabase.url,
    PARLEY_SECRET: 'a secret for tests only',
    PARLEY_DATA_DIR: dataDir,
    PARLEY_IMPORT_LEASE: '300ms',
  }
  let program = await serveProgram(env)
  const { key } = await program.client()
  const api = () => clientOf(program.url, key)
  const { body: job } = await api().post('/imports', { entity: 'people', format: 'csv' })
  const file = `firstName\n${Array.from({ length: ROWS }, (_, n) => `Person ${n}`).join('\n')}\n`
  await fetch(`${program.url}/api/v1/imports/${job.id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    body: file,
  })
  const progress = async () => (await api().get(`/imports/${job.id}`)).body
  for (let kill = 1; kill <= KILLS; kill++) {
    await until(progress, ({ done }: any) => done >= (ROWS * kill) / (KILLS + 2))
    await sleep(Math.random() * 30)
    program.signal('SIGKILL')
    await program.finished
    program = await serveProgram(env)
  }
  const ended = await until(progress, ({ status }: any) => status !== 'running' && status !== 'queued', 200_000)
  expect(ended).toMatchObject({ status: 'completed', rows: ROWS, done: ROWS, created: ROWS, failed: 0 })
  const database = openDatabase({ url: testDatabase.url, connections: 1, statementTimeoutMs: 10_000 })
  const [made] = await database.query(sql`select count(*)::int as people,
    count(distinct record ->> 'firstName')::int as names,
    (select count(*)::int from events where type = 'person.created') as events from people`)
  await database.close()
  expect(made).toEqual({ people: ROWS, names: ROWS, events: ROWS })
})
