// The client of the platform API: every method once, against the real service, and the proof that none was left out.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformEndpoints } from '../../server/src/platform/index.js'
import { platformClient } from '../../server/test/support/platform/platform-client.js'
import type { Service } from '../../server/test/support/service.js'
import { ok, subscriber } from '../../server/test/support/webhooks/sending.js'
import { deliveryWith, startSending } from '../../server/test/support/webhooks/webhooks.js'
import { Parley, verifyWebhook } from '../src/index.js'
import { ConflictError, ParleyPlatform } from '../src/platform.js'
import { matches, recordingFetch } from './support/recording-fetch.js'

const recorded = recordingFetch()
let service: Service
let platformKey: string
let platform: ParleyPlatform

beforeAll(async () => {
  service = await startSending({ PARLEY_USAGE_INTERVAL: '20ms' })
  platformKey = (await platformClient(service)).key
  platform = new ParleyPlatform({ platformKey, baseUrl: service.url, fetch: recorded.fetch })
})
afterAll(() => service?.stop())

test('an integrator serves a new shop: organization, key, events, webhook, usage, and the way back', async () => {
  const shop = await platform.organizations.create({ name: 'Shop 1' })
  await expect(platform.organizations.create({ name: 'Shop 1' })).rejects.toThrow(ConflictError)
  const { key, id: keyId } = await platform.organizations.createApiKey(shop.id, {
    name: 'Till',
    scope: 'WRITE',
    environment: 'production',
  })
  const hook = await subscriber(ok)
  const webhook = await platform.webhooks.create({ url: hook.url, eventTypes: ['task.created'] })
  const stopping = new AbortController()
  const stream = platform.events.stream({ type: 'task.created', lastEventId: '', signal: stopping.signal })
  const till = new Parley({ apiKey: key, baseUrl: service.url })
  await till.tasks.create({ title: 'Ring back' })
  const { value: event } = await stream.next()
  stopping.abort()
  expect(event).toMatchObject({ organizationId: shop.id, environment: 'production', type: 'task.created' })
  const eventId = event?.eventId ?? ''
  expect(await platform.events.get(eventId)).toEqual(event)
  const { data: logged } = await platform.events.list({ organizationId: shop.id })
  expect(logged).toEqual([event])

  const client = { get: (path: string) => fetchJson(path) }
  await deliveryWith(client as Parameters<typeof deliveryWith>[0], webhook.id, 'SUCCEEDED')
  const [received = expect.fail()] = hook.received
  expect(await verifyWebhook(received.body, received.headers, webhook.secret)).toEqual(event)
  const { data: deliveries } = await platform.webhooks.deliveries(webhook.id)
  const [delivery = expect.fail()] = deliveries
  expect(await platform.webhooks.delivery(webhook.id, delivery.id, { expand: 'payload' })).toMatchObject({ eventId })
  await platform.webhooks.replayDelivery(webhook.id, delivery.id, { force: true })
  const job = await platform.webhooks.replay(webhook.id, { since: new Date(0).toISOString() })
  expect((await platform.webhooks.replayJob(webhook.id, job.id)).id).toBe(job.id)
  await platform.webhooks.test(webhook.id)
  expect((await platform.webhooks.rotateSecret(webhook.id)).secret).not.toBe(webhook.secret)
  expect(await platform.webhooks.update(webhook.id, { status: 'paused' })).toMatchObject({ environment: null })
  expect((await platform.webhooks.get(webhook.id)).status).toBe('paused')
  expect((await platform.webhooks.list()).data).toHaveLength(1)
  await platform.webhooks.delete(webhook.id)

  expect((await platform.organizations.apiKeys(shop.id)).data).toMatchObject([{ id: keyId }])
  expect((await platform.organizations.apiKey(shop.id, keyId)).name).toBe('Till')
  const next = await platform.organizations.rotateApiKey(shop.id, keyId)
  await platform.organizations.revokeApiKey(shop.id, next.id)
  await expect.poll(async () => (await platform.organizations.usage(shop.id)).totals.requests).toBeGreaterThan(0)
  const limited = await platform.organizations.update(shop.id, { apiEnabled: false, limits: { read: null } })
  expect(limited).toEqual({ ...(await platform.organizations.get(shop.id)), apiEnabled: false })
  const names: string[] = []
  for await (const { name } of platform.organizations.list({ sort: 'createdAt' })) names.push(name)
  expect(names).toEqual(['Demo', 'Shop 1'])
  await expect.poll(async () => (await platform.requestLog.list({ limit: 1 })).data.length).toBe(1)
  for await (const entry of platform.requestLog.stream({ lastEventId: '0' })) {
    expect(entry.path).toMatch(/^\/platform\/v1\//)
    break
  }
  expect((await platform.openapi())['info']).toMatchObject({ title: 'Parley platform API' })
})

const fetchJson = async (path: string) => {
  const response = await fetch(`${service.url}/platform/v1${path}`, {
    headers: { authorization: `Bearer ${platformKey}` },
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

test('no endpoint is left out', () => {
  const reached = recorded.asked.filter(({ status }) => status < 400)
  const missing = platformEndpoints
    .filter(
      ({ method, path }) =>
        !reached.some((one) => one.method === method && matches(path, one.path.replace('/platform/v1', ''))),
    )
    .map(({ method, path }) => `${method} ${path}`)
  expect(missing).toEqual([])
})

test('without a key it says what to do', () => {
  expect(() => new ParleyPlatform({ baseUrl: service.url })).toThrow(/PARLEY_PLATFORM_KEY/)
})
