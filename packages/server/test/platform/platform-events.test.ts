// The events of all organizations over one connection: as a list that skips nothing, as a stream, and by webhooks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { retentionChores } from '../../src/maintenance/retention.js'
import { PLATFORM_ID } from '../../src/store/caller.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { openEvents } from '../support/event-source.js'
import { untilShown } from '../support/events.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { PLATFORM, type PlatformClient, platformClient } from '../support/platform/platform-client.js'
import type { Client, Organization, Service } from '../support/service.js'
import { ok, subscriber } from '../support/webhooks/sending.js'
import { isSignedWith } from '../support/webhooks/signed-with.js'
import { deliveriesOf, deliveryWith, makeTask, startSending, subscribe, until } from '../support/webhooks/webhooks.js'

let service: Service
let platform: PlatformClient
let shops: Organization[]
beforeAll(async () => {
  service = await startSending({ PARLEY_WEBHOOK_RETRY_DELAYS: '0s,10ms,10ms,10ms,10ms,10ms,10ms,10ms' })
  platform = await platformClient(service, ['events', 'read'])
  shops = await Promise.all(['Shop A', 'Shop B', 'Shop C'].map((name) => service.organization(name)))
})
afterAll(() => service.stop())

const clientsOf = (shop: Organization): Client[] => [shop.sandbox, shop.live]
const titlesIn = (events: readonly { data: { task?: { title: string } } }[]) =>
  events.flatMap(({ data }) => (data.task ? [data.task.title] : []))
const receivedBy = (received: readonly { body: Buffer }[]) =>
  received.map(({ body }) => JSON.parse(body.toString('utf8')))

async function allShown(): Promise<void> {
  for (const shop of shops) for (const client of clientsOf(shop)) await untilShown(service, client)
}

test('the log holds the events of all organizations in one order, and a reader that goes on misses none', async () => {
  const marker = await makeTask(service.api, 'Before')
  await untilShown(service, service.api)
  const { body: begun } = await platform.get(`/events?organizationId=${service.demo.id}&limit=1`)
  expect(begun.data).toMatchObject([{ organizationId: service.demo.id, data: { taskId: marker } }])
  const expected: string[] = []
  for (const [index, shop] of shops.entries())
    for (const client of clientsOf(shop))
      for (const round of [1, 2]) {
        const title = `Task ${index} ${client === shop.live ? 'live' : 'test'} ${round}`
        expected.push(title)
        await makeTask(client, title)
      }
  await allShown()
  const read = async (query: string) => {
    const found: any[] = []
    let cursor = ''
    do {
      const { body, text, status } = await platform.get(`/events?${query}&limit=5${cursor && `&cursor=${cursor}`}`)
      expect(status, text).toBe(200)
      found.push(...body.data)
      cursor = body.pagination.nextCursor ?? ''
    } while (cursor !== '')
    return found
  }
  const after = await read(`after=${begun.data[0].eventId}`)
  expect(titlesIn(after)).toEqual(expected)
  expect(new Set(after.map(({ organizationId }) => organizationId))).toEqual(new Set(shops.map(({ id }) => id)))
  const live = await read(`after=${begun.data[0].eventId}&environment=production&type=task.created`)
  expect(titlesIn(live)).toEqual(expected.filter((title) => title.includes('live')))
  const newest = await read(`organizationId=${shops[1]?.id}&environment=sandbox`)
  expect(titlesIn(newest)).toEqual(['Task 1 test 2', 'Task 1 test 1'])
  const [one] = newest
  expect((await platform.get(`/events/${one.eventId}`)).body).toEqual(one)
  expectRefusal(await platform.get(`/events/${'0'.repeat(26)}`), 404, 'not_found')
  expectRefusal(await platform.get('/events?after=never'), 400, 'bad_request')
  expectRefusal(await platform.get('/events?environment=staging'), 400, 'bad_request')
})

test('a page of the log looks at so many events and no more, and says where it stopped', async () => {
  const shop = shops[0] as Organization
  await service.database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body, search)
    select t.id, lpad(n::text, 26, '0'), 'note.added', false, '2020-01-01', '{"eventId":"","type":"","occurredAt":"",' ||
      '"organizationId":"' || t.organization_id || '","environment":"sandbox","data":{}}', ''
    from tenants t, generate_series(1, 5100) n where t.organization_id = ${shop.id} and t.environment = 'sandbox'`)
  const marker = await makeTask(shop.live, 'After many')
  await allShown()
  const pages: any[] = []
  let cursor = ''
  do {
    const { body } = await platform.get(`/events?type=voicemail.received${cursor && `&cursor=${cursor}`}`)
    pages.push(body)
    cursor = body.pagination.nextCursor ?? ''
  } while (cursor !== '')
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.flatMap(({ data }) => data)).toEqual([])
  const [latest] = (await platform.get('/events?limit=1&environment=production')).body.data
  expect(latest.data.taskId).toBe(marker)
  await service.database.query(sql`delete from events where occurred_at < '2021-01-01'`)
})

test('a stream follows all organizations, or one environment, and goes on where it was', async () => {
  const url = `${service.url}${PLATFORM}/events/stream?type=task.created`
  const [all, live] = await Promise.all([
    openEvents(url, platform.key),
    openEvents(`${url}&environment=production`, platform.key),
  ])
  for (const shop of shops) await makeTask(shop.sandbox, 'Streamed test')
  for (const shop of shops) await makeTask(shop.live, 'Streamed live')
  await all.atLeast(6)
  await live.atLeast(3)
  expect(new Set(all.frames.map(({ data }) => data.organizationId))).toEqual(new Set(shops.map(({ id }) => id)))
  expect(titlesIn(live.frames.map(({ data }) => data))).toEqual(Array(3).fill('Streamed live'))
  const third = all.frames[2]?.id ?? ''
  const rest = all.frames.slice(3).map(({ id }) => id)
  const again = await openEvents(url, platform.key, { 'last-event-id': third })
  await again.atLeast(3)
  expect(again.frames.map(({ id }) => id)).toEqual(rest)
  for (const one of [all, live, again]) one.close()
  const unknown = await openEvents(url, platform.key, { 'last-event-id': 'never' })
  expect([unknown.status, unknown.body.error.code]).toEqual([400, 'bad_request'])
})

test('a webhook of the platform brings the events of all organizations, signed, beside those of their own', async () => {
  const hook = await subscriber(ok)
  const own = await subscriber(ok)
  const made = await platform.post('/webhooks', { url: hook.url, eventTypes: ['task.created'] })
  expect(made.body).toMatchObject({ environment: null, status: 'active', secret: expect.stringMatching(/^whsec_/) })
  await subscribe((shops[0] as Organization).live, own.url, { eventTypes: ['task.created'] })
  for (const shop of shops) for (const client of clientsOf(shop)) await makeTask(client, 'Hooked')
  await until(() => hook.received.length >= 6 && own.received.length >= 1)
  const events = receivedBy(hook.received)
  expect(new Set(events.map(({ organizationId, environment }) => `${organizationId} ${environment}`)).size).toBe(6)
  const [first = expect.fail()] = hook.received
  expect(isSignedWith(made.body.secret, first)).toBe(true)
  expect(receivedBy(own.received)).toHaveLength(1)
  // The organization's own delivery is its use; those of the platform are nobody's.
  await until(
    async () =>
      (await platform.get(`/organizations/${shops[0]?.id}/usage?environment=production`)).body.totals.deliveries === 1,
  )
  expect((await platform.get(`/organizations/${shops[1]?.id}/usage`)).body.totals.deliveries).toBe(0)

  const listed = await deliveriesOf(platform, made.body.id, '?expand=payload,attempts')
  expect(listed).toHaveLength(6)
  expect((listed[0] as any).payload).toMatchObject({ type: 'task.created', data: { task: { title: 'Hooked' } } })
  await deliveryWith(platform, made.body.id, 'SUCCEEDED')
  // Nobody else sees it, nor can name it.
  expect((await service.api.get('/webhooks')).body.data).toEqual([])
  expectRefusal(await service.api.get(`/webhooks/${made.body.id}`), 404, 'not_found')
  const again = await platform.post(`/webhooks/${made.body.id}/deliveries/${listed[0]?.id}/replay`, { force: true })
  expect(again.status, again.text).toBe(202)
  await until(() => hook.received.length >= 7)
  expect(hook.received.at(-1)?.body.toString()).toBe(
    hook.received.find(({ headers }) => headers['x-service-delivery-id'] === listed[0]?.id)?.body.toString(),
  )
  const tested = await platform.post(`/webhooks/${made.body.id}/test`, {})
  expect(tested.status).toBe(202)
  await until(() => hook.received.length >= 8)

  // An event stays while a delivery of the platform does, whatever its age.
  const chores = retentionChores({ database: service.database, clock: () => new Date('2030-01-01'), days: 90 })
  await platform.patch(`/webhooks/${made.body.id}`, { status: 'paused' })
  const held = await makeTask((shops[2] as Organization).live, 'Held')
  const events2 = chores.find(({ name }) => name === 'retention of events') ?? expect.fail()
  while (await events2.run());
  await platform.patch(`/webhooks/${made.body.id}`, { status: 'active' })
  await until(() => receivedBy(hook.received).some(({ data }) => data.taskId === held))

  expect((await platform.delete(`/webhooks/${made.body.id}`)).status).toBe(204)
  const count = hook.received.length
  const other = await subscriber(ok)
  await platform.post('/webhooks', { url: other.url, eventTypes: ['task.created'], environment: 'production' })
  for (const client of clientsOf(shops[1] as Organization)) await makeTask(client, 'After the end')
  await until(() => other.received.length >= 1)
  expect(hook.received).toHaveLength(count)
  expect(receivedBy(other.received)).toMatchObject([{ environment: 'production', organizationId: shops[1]?.id }])
})

test('one that is gone is disabled, and tells the other subscriptions of the platform', async () => {
  const gone = await subscriber((_request, response) => response.writeHead(410).end())
  const watching = await subscriber(ok)
  const { body: made } = await platform.post('/webhooks', { url: gone.url, eventTypes: ['task.created'] })
  await platform.post('/webhooks', { url: watching.url, eventTypes: ['webhook.disabled'] })
  await makeTask((shops[0] as Organization).sandbox, 'To nobody')
  await until(() => watching.received.length >= 1)
  expect(receivedBy(watching.received)).toMatchObject([
    { organizationId: PLATFORM_ID, data: { subscriptionId: made.id, reason: 'gone' } },
  ])
  expect((await platform.get(`/webhooks/${made.id}`)).body).toMatchObject({ status: 'disabled', environment: null })
  expect((await platform.get('/webhooks?status=disabled')).body.data).toMatchObject([{ id: made.id }])
})

test('what is wrong with a subscription of the platform is said, and nothing is made', async () => {
  for (const [body, path] of [
    [{ url: 'http://example.com/' }, 'url'],
    [{ url: 'https://example.com/', environment: 'staging' }, 'environment'],
    [{ url: 'https://example.com/', eventTypes: ['nothing.happened'] }, 'eventTypes[0]'],
  ] as const) {
    const refused = await platform.post('/webhooks', body)
    expectRefusal(refused, 400, 'bad_request')
    expect(refused.body.error.details[0].path).toBe(path)
  }
  expectRefusal(await platform.get(`/webhooks/${nobodysId}/deliveries`), 404, 'not_found')
})
