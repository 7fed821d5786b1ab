// Organizations over the platform API: made once however often it is asked, listed, limited, disabled, with keys; and
// what they use, by the day.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { setEnabled } from '../../src/program/create-organization.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { tenantOf } from '../support/events.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { problemsOf } from '../support/openapi-document.js'
import { type PlatformClient, platformClient } from '../support/platform/platform-client.js'
import { clientOf, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { awayFromMidnight } from '../support/waiting/midnight.js'

let service: Service
let platform: PlatformClient
beforeAll(async () => {
  service = await startService({ PARLEY_USAGE_INTERVAL: '20ms' })
  platform = await platformClient(service)
})
afterAll(() => service.stop())

const make = async (name: string) => (await platform.post('/organizations', { name })).body

test('an organization is made once, with both environments, and is as good as any', async () => {
  const body = { name: ' Shop 1 ' }
  const headers = { 'idempotency-key': 'shop-1' }
  const [made, twin] = await Promise.all([
    platform.post('/organizations', body, headers),
    platform.post('/organizations', body, headers),
  ])
  expect([made.status, twin.status]).toEqual([201, 201])
  expect(twin.text).toBe(made.text)
  expect(made.body).toEqual({
    id: expect.any(String),
    name: 'Shop 1',
    apiEnabled: true,
    limits: { read: null, write: null, items: null },
    environments: [
      { environment: 'sandbox', activeKeys: 0, lastUsedAt: null },
      { environment: 'production', activeKeys: 0, lastUsedAt: null },
    ],
    createdAt: expect.any(String),
  })
  expect((await platform.get(`/organizations/${made.body.id}`)).body).toEqual(made.body)
  const other = await platform.post('/organizations', { name: 'Other' }, headers)
  expectRefusal(other, 422, 'idempotency_conflict')
  const same = await platform.post('/organizations', { name: 'SHOP  1' })
  expectRefusal(same, 409, 'conflict')
  expect(same.body.error.details).toEqual({ reason: 'name_taken', organizationId: made.body.id })
  expect((await platform.post('/organizations', { name: 'shop 1', allowSameName: true })).status).toBe(201)
  const racing = await Promise.all([1, 2, 3].map(() => platform.post('/organizations', { name: 'Race' })))
  expect(racing.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])

  const minted = await platform.post(`/organizations/${made.body.id}/api-keys`, {
    name: 'First',
    scope: 'ADMIN',
    environment: 'sandbox',
  })
  expect(minted.body).toMatchObject({ environment: 'sandbox', scope: 'ADMIN', key: expect.stringMatching(/^ak_test_/) })
  const { body: schema } = await clientOf(service.url, minted.body.key).get('/schema')
  expect(schema.organization).toMatchObject({ id: made.body.id, name: 'Shop 1' })
  expect(schema.canonicalKinds.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(13)
})

test('organizations are listed newest first in pages, by name, and by whether they are let in', async () => {
  for (const name of ['Page A', 'Page B', 'Page C']) await make(name)
  const first = await platform.get('/organizations?q=page&limit=2&count=true')
  expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['Page C', 'Page B'])
  expect(first.body.pagination).toMatchObject({ count: 3, countIsExact: true })
  const next = await platform.get(`/organizations?q=page&limit=2&cursor=${first.body.pagination.nextCursor}`)
  expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(['Page A'])
  expect(next.body.pagination.nextCursor).toBeNull()
  expectRefusal(await platform.get(`/organizations?cursor=${first.body.pagination.nextCursor}`), 400, 'bad_request')
  expectRefusal(await platform.get('/organizations?naem=x'), 400, 'bad_request')
  await platform.patch(`/organizations/${next.body.data[0].id}`, { apiEnabled: false })
  const out = await platform.get('/organizations?apiEnabled=false')
  expect(out.body.data.map(({ name }: { name: string }) => name)).toEqual(['Page A'])
})

test('an organization is disabled, limited and renamed, and every node keeps to it', async () => {
  const { id } = await make('Limited')
  const { key } = (
    await platform.post(`/organizations/${id}/api-keys`, { name: 'K', scope: 'WRITE', environment: 'sandbox' })
  ).body
  const node = await service.node()
  const clients = [clientOf(service.url, key), clientOf(node.url, key)]
  const eachIs = async (look: (client: (typeof clients)[number]) => Promise<unknown>, wanted: unknown) => {
    for (const client of clients)
      await until(
        () => look(client),
        (seen) => seen === wanted,
      )
  }
  await eachIs(async (client) => (await client.get('/tasks')).status, 200)
  const disabled = await platform.patch(`/organizations/${id}`, { apiEnabled: false })
  expect(disabled.body).toMatchObject({ id, apiEnabled: false, name: 'Limited' })
  await eachIs(async (client) => (await client.get('/tasks')).status, 403)
  const limited = await platform.patch(`/organizations/${id}`, {
    apiEnabled: true,
    name: 'Renamed',
    limits: { read: { sustained: 7, burst: 9 }, items: { sustained: 1, burst: 2 } },
  })
  expect(limited.body).toMatchObject({
    name: 'Renamed',
    limits: { read: { sustained: 7, burst: 9 }, write: null, items: { sustained: 1, burst: 2 } },
  })
  await eachIs(async (client) => (await client.get('/tasks')).headers.get('x-ratelimit-limit'), '9')
  const batch = { items: [1, 2, 3].map((n) => ({ op: 'create', data: { title: `T${n}` } })) }
  expectRefusal((await clients[0]?.post('/tasks/batch', batch)) ?? expect.fail(), 429, 'rate_limited')
  const reset = await platform.patch(`/organizations/${id}`, { limits: { read: null } })
  expect(reset.body.limits).toEqual({ read: null, write: null, items: { sustained: 1, burst: 2 } })
  await node.stop()
  for (const [body, field] of [
    [{ limits: { read: { sustained: 0, burst: 1 } } }, 'limits.read.sustained'],
    [{ limits: { delete: null } }, 'limits.delete'],
    [{ apiEnabled: 'no' }, 'apiEnabled'],
  ] as const) {
    const refused = await platform.patch(`/organizations/${id}`, body)
    expectRefusal(refused, 400, 'bad_request')
    expect(refused.body.error.details[0].path).toBe(field)
  }
  expectRefusal(await platform.patch(`/organizations/${nobodysId}`, { name: 'X' }), 404, 'not_found')
})

test('keys of an organization are minted, listed by environment, rotated and revoked', async () => {
  const { id } = await make('Keys')
  const path = `/organizations/${id}/api-keys`
  const mint = async (environment: string, name: string) =>
    (await platform.post(path, { name, scope: 'READ', environment })).body
  const [test, live] = [await mint('sandbox', 'Test'), await mint('production', 'Live')]
  expect((await platform.get(path)).body.data).toMatchObject([{ name: 'Live' }, { name: 'Test' }])
  const listed = await platform.get(`${path}?environment=sandbox&count=true`)
  expect(listed.body.data).toMatchObject([{ id: test.id, name: 'Test', environment: 'sandbox' }])
  expect(listed.text).not.toContain(test.key)
  expect(listed.body.pagination.count).toBe(1)
  const rotated = await platform.post(`${path}/${live.id}/rotate`, { gracePeriodSeconds: 0 })
  expect(rotated.body).toMatchObject({ environment: 'production', key: expect.stringMatching(/^ak_live_/) })
  expect((await clientOf(service.url, live.key).get('/tasks')).status).toBe(401)
  expect((await clientOf(service.url, rotated.body.key).get('/tasks')).status).toBe(200)
  expect((await platform.delete(`${path}/${test.id}`)).status).toBe(204)
  expect((await clientOf(service.url, test.key).get('/tasks')).status).toBe(401)
  expect((await platform.get(`${path}/${test.id}`)).body.revokedAt).toEqual(expect.any(String))
  expectRefusal(await platform.delete(`${path}/${test.id}`), 404, 'not_found')
  // A key is found under its own organization alone.
  expectRefusal(await platform.get(`/organizations/${service.demo.id}/api-keys/${live.id}`), 404, 'not_found')
  expectRefusal(await platform.get(`/organizations/${nobodysId}/api-keys`), 404, 'not_found')
  const past = { name: 'P', scope: 'READ', environment: 'sandbox', expiresAt: '2020-01-01T00:00:00Z' }
  expectRefusal(await platform.post(path, past), 400, 'bad_request')
})

test('usage is told by day and environment: requests and bytes of all nodes, texts, minutes, deliveries', async () => {
  await awayFromMidnight()
  const { id, sandbox, live } = await service.organization('Used')
  const node = await service.node()
  const usage = async (query = '') => (await platform.get(`/organizations/${id}/usage${query}`)).body
  for (const url of [service.url, service.url, node.url]) await clientOf(url, sandbox.key).get('/tasks')
  await live.get('/nothing')
  await sandbox.post('/sms/inbound', { from: '+15550100902', to: '+15550100900', body: 'Hello' })
  const call = { direction: 'inbound', from: '+15550100902', to: '+15550100900', provider: 'test', providerCallId: '1' }
  const { body: made } = await sandbox.post('/calls', call)
  expect((await sandbox.post(`/calls/${made.id}/end`, { duration: 61 })).status).toBe(200)
  const tenantId = await tenantOf(service, sandbox)
  await service.database.query(sql`insert into stat_changes
    select ${tenantId}::uuid, date_trunc('day', now(), 'UTC') - interval '2 days', 'deliveries', '', 0, 5`)
  const seen = await until(usage, ({ totals }) => totals.requests >= 7)
  const today = new Date().toISOString().slice(0, 10)
  const dayOf = (environment: string, date = today) =>
    seen.days.find((day: { date: string; environment: string }) => day.date === date && day.environment === environment)
  expect(dayOf('sandbox')).toMatchObject({ requests: 6, texts: 1, minutes: 2, deliveries: 0 })
  expect(dayOf('sandbox').bytes).toBeGreaterThan(6 * 200)
  expect(dayOf('production')).toMatchObject({ requests: 1, texts: 0, minutes: 0 })
  expect(seen.totals).toMatchObject({ requests: 7, texts: 1, minutes: 2, deliveries: 5 })
  expect(seen.days).toHaveLength(2 * 31)
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  const narrow = await usage(`?from=${before}&to=${today}&environment=sandbox`)
  expect(narrow.days.map(({ date, deliveries }: any) => [date, deliveries])).toEqual([
    [before, 5],
    [new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), 0],
  ])
  // A node that stops adds what it has.
  await clientOf(node.url, sandbox.key).get('/tasks')
  await node.stop()
  await until(usage, ({ totals }) => totals.requests === 8)
  expectRefusal(await platform.get(`/organizations/${id}/usage?from=${today}&to=${before}`), 400, 'bad_request')
  expectRefusal(await platform.get(`/organizations/${id}/usage?from=2020-01-01`), 400, 'bad_request')
  expectRefusal(await platform.get(`/organizations/${nobodysId}/usage`), 404, 'not_found')
})

test('the platform sees what the operator does on the database', async () => {
  const { id } = await make('Both ways')
  await setEnabled(service.database, id, false)
  expect((await platform.get(`/organizations/${id}`)).body.apiEnabled).toBe(false)
})

test('answers are as the document of the API says', async () => {
  const { body: document } = await platform.get('/openapi.json')
  const { id } = await make('Documented')
  const key = await platform.post(`/organizations/${id}/api-keys`, { name: 'K', scope: 'READ', environment: 'sandbox' })
  const hook = await platform.post('/webhooks', { url: 'https://example.com/', status: 'paused' })
  const made = { '/organizations/{id}/api-keys': key, '/webhooks': hook }
  const complaints = Object.entries(made).flatMap(([path, { body }]) =>
    problemsOf(document, document.paths[path].post.responses['201'].content['application/json'].schema, body),
  )
  const hooked = `/webhooks/${hook.body.id}`
  for (const [path, asked] of [
    ['/organizations', '/organizations'],
    ['/organizations/{id}', `/organizations/${id}`],
    ['/organizations/{id}/usage', `/organizations/${id}/usage`],
    ['/organizations/{id}/api-keys', `/organizations/${id}/api-keys`],
    ['/organizations/{id}/api-keys/{keyId}', `/organizations/${id}/api-keys/${key.body.id}`],
    ['/events', '/events'],
    ['/webhooks', '/webhooks'],
    ['/webhooks/{id}', hooked],
    ['/webhooks/{id}/deliveries', `${hooked}/deliveries`],
    ['/request-log', '/request-log'],
  ] as const) {
    const answer = await platform.get(asked)
    expect(answer.status, asked).toBe(200)
    const { schema } = document.paths[path].get.responses['200'].content['application/json']
    complaints.push(...problemsOf(document, schema, answer.body).map((problem) => `${path}: ${problem}`))
  }
  expect(complaints).toEqual([])
})
