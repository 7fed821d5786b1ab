// A change, its event, and what reaches the subscriber: end to end over real TLS.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, subscriber } from './support/sending.js'
import type { Service } from './support/service.js'
import { deliveryWith, makeTask, startSending, subscribe } from './support/webhooks.js'

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_WEBHOOK_RETRY_DELAYS: '0s,20ms,20ms,20ms,20ms,20ms,20ms,20ms' })
})
afterAll(() => service.stop())

test('an event reaches its subscriber, signed', async () => {
  const { url, received } = await subscriber(ok)
  const { api } = await newSide()
  const { id, secret } = await subscribe(api, url)
  const taskId = await makeTask(api)
  const delivery = await deliveryWith(api, id, 'SUCCEEDED')
  expect(received).toHaveLength(1)
  const body = received[0]?.body.toString() ?? ''
  expect(new Webhook(secret).verify(body, received[0]?.headers as Record<string, string>)).toMatchObject({ type: 'task.created', data: { taskId } })
  expect(delivery).toMatchObject({ attemptCount: 1, replayCount: 0, lastResponseStatus: 200, lastError: null, nextAttemptAt: null })
})

test('500 three times, then 200: four attempts with the same bytes', async () => {
  let answers = 0
  const { url, received } = await subscriber((_request, response) => response.writeHead(++answers < 4 ? 500 : 200).end(`answer ${answers}`))
  const { api } = await newSide()
  const { id } = await subscribe(api, url)
  await makeTask(api)
  const delivery = await deliveryWith(api, id, 'SUCCEEDED')
  expect(delivery.attemptCount).toBe(4)
  expect(received.map(({ body }) => body.toString())).toEqual(Array.from({ length: 4 }, () => received[0]?.body.toString()))
  expect(received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4'])
  const one = await api.get(`/webhooks/${id}/deliveries/${delivery.id}?expand=payload,attempts`)
  expect(JSON.stringify(one.body.payload)).toBe(received[0]?.body.toString())
  expect(one.body.attempts).toMatchObject([
    { number: 1, responseStatus: 500, responseBody: 'answer 1', error: 'http_500', trigger: 'event' },
    { number: 2, responseStatus: 500, error: 'http_500', trigger: 'retry' },
    { number: 3, responseStatus: 500, error: 'http_500', trigger: 'retry' },
    { number: 4, responseStatus: 200, responseBody: 'answer 4', error: null, trigger: 'retry' },
  ])
})

const newSide = async () => ({ api: (await service.organization('Sender')).sandbox })
