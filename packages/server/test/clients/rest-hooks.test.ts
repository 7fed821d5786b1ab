// What REST hooks as Zapier knows them need of the service: the integration in clients/zapier against the real server.
// Zapier's own schema is checked by `npm run check` there.
import { createRequire } from 'node:module'
import { eventTypes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilShown } from '../support/events.js'
import type { Service } from '../support/service.js'
import { ok, subscriber } from '../support/webhooks/sending.js'
import type { Received } from '../support/webhooks/subscriber.js'
import { deliveryWith, startSending } from '../support/webhooks/webhooks.js'

const app: any = createRequire(import.meta.url)('../../../../clients/zapier/index.js')

let service: Service
beforeAll(async () => {
  service = await startSending()
})
afterAll(() => service?.stop())

/** What Zapier lends an integration: requests, and errors of its own. */
const z = {
  errors: Object.fromEntries(['Error', 'RefreshAuthError', 'HaltedError'].map((name) => [name, Error])),
  async request({ url, method, params, body, headers }: any) {
    const response = await fetch(`${url}?${new URLSearchParams(params)}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text) }
  },
}
const bundle = (more: object) => ({ authData: { baseUrl: `${service.url}/`, apiKey: service.api.key }, ...more })

test('a hook subscribes with its address, brings signed events, lists samples and unsubscribes', async () => {
  const { performSubscribe, performUnsubscribe, perform, performList } = app.triggers.task_created.operation
  expect(await performList(z, bundle({}))).toEqual([])
  const { url, received } = await subscriber(ok)
  const subscribeData = await performSubscribe(z, bundle({ targetUrl: url }))
  expect(subscribeData).toMatchObject({
    url,
    eventTypes: ['task.created'],
    status: 'active',
    secret: expect.stringMatching(/^whsec_/),
  })
  const task = await app.creates.task.operation.perform(
    z,
    bundle({ inputData: { title: 'Ring back' }, meta: { id: '1' } }),
  )
  const again = await app.creates.task.operation.perform(
    z,
    bundle({ inputData: { title: 'Ring back' }, meta: { id: '1' } }),
  )
  expect(again.id).toBe(task.id)
  await service.api.post('/notes', { body: 'Not asked for', subjectType: 'person', subjectId: task.id })
  await deliveryWith(service.api, subscribeData.id, 'SUCCEEDED')
  expect(received).toHaveLength(1)
  const { body, headers } = received[0] as Received
  const heard = (content: string) => {
    const rawRequest = { content, headers: { 'Http-X-Service-Signature': headers['x-service-signature'] } }
    return perform(z, bundle({ rawRequest, subscribeData }))
  }
  const [event] = heard(body.toString())
  expect(event).toMatchObject({ id: event.eventId, type: 'task.created', data: { task: { title: 'Ring back' } } })
  expect(() => heard(body.toString().replace('Ring back', 'Ring home'))).toThrow('did not come from Parley')
  await untilShown(service, service.api)
  expect(await performList(z, bundle({}))).toEqual([event])
  await performUnsubscribe(z, bundle({ subscribeData }))
  expect((await service.api.get(`/webhooks/${subscribeData.id}`)).body.revokedAt).toEqual(expect.any(String))
  await expect(performSubscribe(z, bundle({ targetUrl: 'http://10.0.0.1/x' }))).rejects.toThrow('url')
})

test('the account is tested and named, and every trigger is an event that there is', async () => {
  expect(await app.authentication.test(z, bundle({}))).toMatchObject({ organization: { name: 'Demo' } })
  const wrong = { authData: { baseUrl: service.url, apiKey: 'ak_test_wrong' } }
  await expect(app.authentication.test(z, wrong)).rejects.toThrow('valid API key')
  const types = Object.values<any>(app.triggers).map(({ operation }) => operation.sample.type)
  expect(types.filter((type) => !eventTypes.includes(type))).toEqual([])
})

test('a sandbox without events gets samples by playing a conversation', async () => {
  const other = (await service.organization('New')).sandbox
  const { performList } = app.triggers.call_ended.operation
  const own = { authData: { baseUrl: service.url, apiKey: other.key } }
  expect(await performList(z, own)).toEqual([])
  expect((await other.post('/sandbox/simulate', { scenario: 'full_intake', speed: 1_000 })).status).toBeLessThan(300)
  await expect.poll(() => performList(z, own)).toMatchObject([{ type: 'call.ended' }])
})
