// The log of requests: what it tells, what it never tells, who may read it, and what it does when there is too much.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { retentionChores } from '../../../src/maintenance/retention.js'
import { createRequestWriter } from '../../../src/resources/request-log/write-requests.js'
import { newId } from '../../../src/store/id.js'
import { openEvents } from '../../support/event-source.js'
import { tenantOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const logged = (api: Client, requestId: string, query = '') =>
  until(
    async () => (await api.get(`/request-log?limit=100${query}`)).body.data,
    (data: any[]) => data.some((one) => one.requestId === requestId),
  ).then((data) => data.find((one: any) => one.requestId === requestId))

test('a request is told with its end, and without its body and the values of its query', async () => {
  const { sandbox: api, id: organizationId } = await service.organization('Told')
  const reader = await service.keyOf(organizationId, 'sandbox', 'READ')
  const id = (name: string) => ({ 'x-request-id': `told-${name}` })
  const person = (await api.post('/people', { firstName: 'Canary-body' }, id('made'))).body
  await api.get('/people?q=Canary-query', id('listed'))
  await api.post('/tasks', { title: 'Canary-title', dueAt: 'tomorrow' }, id('wrong'))
  await api.get(`/people/${newId(new Date())}`, id('absent'))
  await reader.post('/people', { firstName: 'Ada' }, id('forbidden'))
  await api.delete('/people', id('method'))
  await api.get('/nowhere', id('nowhere'))
  const made = await logged(api, 'told-made')
  expect(made).toMatchObject({
    method: 'POST',
    path: '/api/v1/people',
    status: 201,
    error: null,
    actor: { type: 'key' },
  })
  expect(made.ms).toBeGreaterThan(0)
  expect(Date.parse(made.createdAt)).toBeGreaterThanOrEqual(Date.parse(person.createdAt))
  expect(await logged(api, 'told-listed')).toMatchObject({ method: 'GET', path: '/api/v1/people', status: 200 })
  const wrong = await logged(api, 'told-wrong')
  expect(wrong).toMatchObject({ status: 400, error: { code: 'bad_request', reason: 'format', field: 'dueAt' } })
  expect(await logged(api, 'told-absent')).toMatchObject({ status: 404, error: { code: 'not_found', field: null } })
  const forbidden = await logged(api, 'told-forbidden')
  expect(forbidden).toMatchObject({ status: 403, error: { code: 'forbidden', reason: 'scope' } })
  expect(forbidden.actor.id).not.toBe(made.actor.id)
  expect(await logged(api, 'told-method')).toMatchObject({ status: 405 })
  expect(await logged(api, 'told-nowhere')).toMatchObject({ status: 404, path: '/api/v1/nowhere' })
  const { text } = await api.get('/request-log?limit=100')
  expect(text).not.toMatch(/Canary/)
})

test('it is read by ADMIN keys of the same environment, in pages, by words, failures and times', async () => {
  const { sandbox: api, live, id: organizationId } = await service.organization('Read')
  const writer = await service.keyOf(organizationId, 'sandbox', 'WRITE')
  expect((await writer.get('/request-log')).status).toBe(403)
  expect((await writer.get('/request-log/stream')).status).toBe(403)
  for (const n of ['one', 'two', 'three']) await api.get('/tasks', { 'x-request-id': `read-${n}` })
  await api.get('/nowhere', { 'x-request-id': 'read-failed' })
  const failed = await logged(api, 'read-failed', '&failed=true')
  const { data, pagination } = (await api.get('/request-log?failed=true&count=true')).body
  expect(data.every(({ status }: any) => status >= 400)).toBe(true)
  expect(pagination).toMatchObject({ count: data.length, countIsExact: true })
  const { body: earlier } = await api.get(`/request-log?createdBefore=${failed.createdAt}&count=true`)
  expect(earlier.data.length).toBeGreaterThanOrEqual(3)
  expect(earlier.pagination).toMatchObject({ count: earlier.data.length, countIsExact: true })
  expect((await api.get('/request-log?q=read-two')).body.data.map((one: any) => one.requestId)).toEqual(['read-two'])
  const first = await api.get('/request-log?q=tasks&limit=2')
  expect(first.body.data).toHaveLength(2)
  const rest = await api.get(`/request-log?q=tasks&limit=2&cursor=${first.body.pagination.nextCursor}`)
  expect(rest.body.data.at(-1).requestId).toBe('read-one')
  const since = await api.get(`/request-log?createdSince=${failed.createdAt}&createdBefore=2100-01-01T00:00:00Z`)
  expect(since.body.data.map((one: any) => one.requestId)).not.toContain('read-one')
  expect((await live.get('/request-log?q=read')).body.data).toEqual([])
  expect((await api.get('/request-log?createdSince=yesterday')).status).toBe(400)
})

test('it is followed live, and gone on with after a break', async () => {
  const { sandbox: api, live } = await service.organization('Followed')
  const stream = await openEvents(`${service.url}/api/v1/request-log/stream?failed=true`, api.key)
  const foreign = await openEvents(`${service.url}/api/v1/request-log/stream`, live.key)
  await api.get('/tasks', { 'x-request-id': 'followed-well' })
  await api.get('/nowhere', { 'x-request-id': 'followed-1' })
  await stream.atLeast(1)
  stream.close()
  await api.get('/nowhere', { 'x-request-id': 'followed-2' })
  await live.get('/tasks', { 'x-request-id': 'followed-live' })
  const again = await openEvents(`${service.url}/api/v1/request-log/stream?failed=true`, api.key, {
    'last-event-id': stream.lastId ?? '',
  })
  await again.atLeast(1)
  const whole = await openEvents(`${service.url}/api/v1/request-log/stream`, api.key, { 'last-event-id': '0' })
  await whole.atLeast(3)
  await foreign.atLeast(1)
  const ids = (source: typeof stream) => source.frames.map(({ data }) => data.requestId)
  expect(ids(stream)).toEqual(['followed-1'])
  expect(ids(again)).toEqual(['followed-2'])
  expect(ids(whole)).toEqual(expect.arrayContaining(['followed-well', 'followed-1', 'followed-2']))
  expect(ids(foreign)).toEqual(['followed-live'])
  for (const one of [again, whole, foreign]) one.close()
  const unknown = await openEvents(`${service.url}/api/v1/request-log/stream`, api.key, {
    'last-event-id': newId(new Date()),
  })
  expect([unknown.status, unknown.body.error.details[0].code]).toEqual([400, 'unknown_event'])
})

test('more than is kept is answered like any other, dropped and counted', async () => {
  const { sandbox: api } = await service.organization('Too many')
  const node = await service.node({ PARLEY_REQUEST_LOG_RATE: '1:2' })
  const there = clientOf(node.url, api.key)
  const answers = await Promise.all(Array.from({ length: 20 }, () => there.get('/tasks')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const dropped = await until(
    async () => (await fetch(`${node.url}/metrics`)).text(),
    (text) => /parley_request_log_dropped_total\{reason="rate"\} [1-9]/.test(text),
  )
  expect(dropped).not.toMatch(/reason="full"/)
})

test('a database that is away holds up nobody: what waits is bounded, and what is lost is counted', async () => {
  const drops: Record<string, number> = {}
  let isAway = true
  const writer = createRequestWriter({
    database: { ...service.database, query: (...asked) => (isAway ? never : service.database.query(...asked)) },
    clock: () => new Date(),
    rate: { sustained: 1_000_000, burst: 1_000_000 },
    onDropped: (reason, requests) => (drops[reason] = (drops[reason] ?? 0) + requests),
    onTrouble: () => {},
  })
  let fail = (_error: Error) => {}
  const never = new Promise<never>((_resolve, reject) => (fail = reject))
  const tenantId = await tenantOf(service, service.api)
  const request = { tenantId, actor: { type: 'key', id: 'k' }, method: 'GET', path: '/', status: 200, ms: 1 } as const
  for (let n = 0; n < 10_001; n++) writer.add({ ...request, requestId: `away-${n}`, bytes: 1, error: undefined })
  expect(drops).toEqual({ full: 1 })
  const stopped = writer.stop()
  isAway = false
  fail(new Error('away'))
  await stopped
  expect(drops).toEqual({ full: 1, failed: 500 })
  const [row] = await service.database.query(
    sql`select count(*)::int as kept from request_log where request_id like 'away-%'`,
  )
  expect(row).toEqual({ kept: 9_500 })
})

test('what is older than seven days goes, tenant by tenant', async () => {
  const now = new Date('2027-06-10T00:00:00Z')
  const tenants = await service.database.query<{ id: string }>(sql`select id from tenants limit 2`)
  const at = (days: number) => newId(new Date(now.getTime() - days * 86_400_000))
  for (const { id } of tenants)
    for (const [days, name] of [
      [6, 'young'],
      [8, 'old'],
    ] as const)
      await service.database.query(sql`insert into request_log
        (tenant_id, id, method, path, status, ms, actor_type, actor_id, request_id)
        values (${id}, ${at(days)}, 'GET', '/', 200, 1, 'key', 'k', ${`kept-${name}`})`)
  const chore = retentionChores({ database: service.database, clock: () => now, days: 90 }).find(
    ({ name }) => name === 'retention of the request log',
  )
  while (await chore?.run());
  const left = await service.database.query<{ request_id: string }>(
    sql`select request_id from request_log where request_id like 'kept-%'`,
  )
  expect(left.map(({ request_id }) => request_id)).toEqual(['kept-young', 'kept-young'])
})
