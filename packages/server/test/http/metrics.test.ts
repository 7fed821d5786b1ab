// The numbers for Prometheus: what they tell, and who may read them.
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { measureTexts } from '../../src/telephony/sms-queue.js'
import { closeAfterTest } from '../support/after-each.js'
import { runProgram } from '../support/program.js'
import { type Service, secret, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  // Nothing takes the text that waits.
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const numbersAt = async (url: string): Promise<Map<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

test('they tell of texts, connections, prepared statements and the event loop', async () => {
  await service.api.get('/tasks')
  await service.api.post('/tasks', { title: 'x' })
  const numbers = await numbersAt(service.url)
  expect(numbers.get('parley_sms_backlog')).toBe(0)
  expect(numbers.get('parley_sms_oldest_due_seconds')).toBe(0)
  expect(numbers.get('parley_db_connections_max')).toBe(10)
  expect(
    Number(numbers.get('parley_db_connections_busy')) + Number(numbers.get('parley_db_connections_idle')),
  ).toBeGreaterThanOrEqual(1)
  expect(numbers.has('parley_db_waiting')).toBe(true)
  expect(numbers.has('parley_db_reads_in_flight')).toBe(true)
  expect(numbers.get('parley_db_prepared_statements{kind="lane",connection="1"}')).toBeGreaterThan(0)
  expect(numbers.get('parley_db_prepared_statements{kind="pool",connection="1"}')).toBeGreaterThanOrEqual(0)
  expect(numbers.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(numbers.get('parley_streams_open')).toBe(0)
})

test('a text that waits is counted with its age', async () => {
  const now = new Date()
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  expect(await measureTexts(service.database, now)).toEqual({ due: 0, oldestSeconds: 0 })
  const [tenant] = await service.database.query<{ id: string }>(sql`select id from tenants limit 1`)
  const dueAt = new Date(now.getTime() - 90_000)
  await service.database.query(
    sql`insert into sms_outbox (tenant_id, sms_id, due_at) values (${tenant?.id}, ${id}, ${dueAt})`,
  )
  expect(await measureTexts(service.database, now)).toEqual({ due: 1, oldestSeconds: 90 })
  await service.database.query(sql`delete from sms_outbox where sms_id = ${id}`)
})

test('open streams are counted until they close', async () => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${service.api.key}` }
  expect((await fetch(`${service.url}/api/v1/events/stream`, { headers, signal: leaving.signal })).status).toBe(200)
  expect((await numbersAt(service.url)).get('parley_streams_open')).toBe(1)
  leaving.abort()
  await expect.poll(async () => (await numbersAt(service.url)).get('parley_streams_open')).toBe(0)
})

const token = 'a token for Prometheus'
const statusOf = async (url: string, authorization?: string) =>
  (await fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} })).status

test('with a token they are for those who have it', async () => {
  const { url } = await service.node({ METRICS_TOKEN: token })
  expect([
    await statusOf(url),
    await statusOf(url, 'Bearer wrong'),
    await statusOf(url, `Bearer ${service.api.key}`),
  ]).toEqual([401, 401, 401])
  expect(await statusOf(url, `Bearer ${token}`)).toBe(200)
  const refused = await fetch(`${url}/metrics`)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  expect(await refused.json()).toMatchObject({
    error: { code: 'unauthorized' },
    meta: { requestId: expect.any(String) },
  })
})

test('on a port of their own they are nowhere else, and the token holds there too', async () => {
  const node = await service.node({ METRICS_PORT: '0', METRICS_TOKEN: token })
  const own = `http://127.0.0.1:${node.metricsPort}`
  expect(await statusOf(node.url, `Bearer ${token}`)).toBe(404)
  expect([await statusOf(own), await statusOf(own, `Bearer ${token}`)]).toEqual([401, 200])
  const other = await fetch(`${own}/api/v1/tasks`)
  expect([other.status, other.headers.get('x-request-id') !== null]).toEqual([404, true])
  expect(await other.json()).toMatchObject({ error: { code: 'not_found' } })
  expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
})

test('a port that is taken stops the start with a line that says so', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  closeAfterTest(async () => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const env = { DATABASE_URL: service.databaseUrl, PARLEY_SECRET: secret, PORT: '0', METRICS_PORT: String(port) }
  const { code, stderr } = await runProgram(['serve'], env)
  expect([code, stderr]).toEqual([
    1,
    `Cannot serve metrics on 127.0.0.1:${port} (EADDRINUSE). Set METRICS_PORT to a port that is free.\n`,
  ])
})
