// A change, its event, and what reaches the subscriber: end to end over real TLS.
import { createRequire } from 'node:module'
import { eventTypes, standardEventTypes } from '@parley/contract'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { eventsOf } from '../../support/events.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import type { Received } from '../../support/webhooks/subscriber.js'
import { afterSweeps } from '../../support/webhooks/sweeps.js'
import {
  deliveriesOf,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'

let service: Service
beforeAll(async () => {
  service = await startSending({
    PARLEY_WEBHOOK_TIMEOUT: '20s',
    PARLEY_WEBHOOK_RETRY_DELAYS: '0s,20ms,20ms,20ms,20ms,20ms,20ms,20ms',
  })
})
afterAll(() => service.stop())

const newSide = async (): Promise<Client> => (await service.organization('Sender')).sandbox
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('an event reaches its subscriber within moments of its commit, with every header', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newSide()
  const { id } = await subscribe(api, url)
  const taskId = await makeTask(api)
  const delivery = await deliveryWith(api, id, 'SUCCEEDED')
  expect(delivery).toMatchObject({
    attemptCount: 1,
    replayCount: 0,
    lastResponseStatus: 200,
    lastError: null,
    nextAttemptAt: null,
    deliveredAt: expect.any(String),
  })
  expect(received).toHaveLength(1)
  const { headers, body } = received[0] as Received
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Parley\/\d+\.\d+\.\d+/),
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    'x-service-event': 'task.created',
    'x-service-event-id': delivery.eventId,
    'x-service-delivery-id': delivery.id,
    'x-service-attempt': '1',
    'webhook-id': delivery.eventId,
  })
  const [logged] = await eventsOf(service, api)
  expect(JSON.parse(body.toString())).toEqual(logged)
  expect(logged).toMatchObject({
    eventId: delivery.eventId,
    type: 'task.created',
    environment: 'sandbox',
    data: { taskId },
  })
})

describe('signatures', () => {
  const require = createRequire(import.meta.url)
  interface Stripe {
    webhooks: { constructEvent(body: Buffer, header: string, secret: string): unknown }
  }
  /** Each throws when it refuses. None of them was written here. */
  const verifiers: Record<string, (received: Received, secret: string) => unknown> = {
    standardwebhooks: ({ body, headers }, secret) =>
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>),
    svix: ({ body, headers }, secret) => {
      const { Webhook: Svix } = require('svix') as { Webhook: typeof Webhook }
      return new Svix(secret).verify(body.toString(), headers as Record<string, string>)
    },
    stripe: ({ body, headers }, secret) =>
      (require('stripe') as Stripe).webhooks.constructEvent(body, String(headers['x-service-signature']), secret),
  }

  test.each(Object.keys(verifiers))(
    '%s accepts what was sent, and nothing that differs in a byte, the time or the secret',
    async (name) => {
      const verify = verifiers[name] as (typeof verifiers)[string]
      const { url, received } = await subscriber(ok)
      const api = await newSide()
      const { id, secret } = await subscribe(api, url)
      await makeTask(api, 'Zoë — 日本語 🎉')
      await deliveryWith(api, id, 'SUCCEEDED')
      const sent = received[0] as Received
      expect(verify(sent, secret)).toMatchObject({ type: 'task.created', data: { task: { title: 'Zoë — 日本語 🎉' } } })
      const changed = Buffer.from(sent.body)
      changed[30] = (changed[30] ?? 0) ^ 1
      expect(() => verify({ ...sent, body: changed }, secret)).toThrow()
      const later = String(Number(sent.headers['webhook-timestamp']) + 1)
      const signature = String(sent.headers['x-service-signature']).replace(/t=\d+/, `t=${later}`)
      expect(() =>
        verify(
          { ...sent, headers: { ...sent.headers, 'webhook-timestamp': later, 'x-service-signature': signature } },
          secret,
        ),
      ).toThrow()
      const { secret: another } = await subscribe(api, url)
      expect(() => verify(sent, another)).toThrow()
    },
  )

  test('both secrets sign while one is rotated; afterwards the new one alone', async () => {
    const { url, received } = await subscriber(ok)
    const api = await newSide()
    const { id, secret: first } = await subscribe(api, url)
    const send = async () => {
      const before = received.length
      await makeTask(api)
      await until(() => received.length > before)
      return received[before] as Received
    }
    const accepted = (sent: Received, secret: string) => {
      try {
        return Object.values(verifiers).map((verify) => verify(sent, secret)).length === 3
      } catch {
        return false
      }
    }
    const second: string = (await api.post(`/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 604_800 })).body
      .secret
    const during = await send()
    expect(String(during.headers['x-service-signature']).match(/v1=/g)).toHaveLength(2)
    expect([accepted(during, first), accepted(during, second)]).toEqual([true, true])
    const third: string = (await api.post(`/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 0 })).body.secret
    const after = await send()
    expect([accepted(after, first), accepted(after, second), accepted(after, third)]).toEqual([false, false, true])
    const fourth: string = (await api.post(`/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 1 })).body.secret
    await pause(1_100)
    const lapsed = await send()
    expect([accepted(lapsed, third), accepted(lapsed, fourth)]).toEqual([false, true])
  })
})

test('500 three times, then 200: four attempts with the same bytes, each in the log', async () => {
  let answers = 0
  const { url, received } = await subscriber((_request, response) =>
    response.writeHead(++answers < 4 ? 500 : 200).end(`answer ${answers}`),
  )
  const api = await newSide()
  const { id } = await subscribe(api, url)
  await makeTask(api)
  const delivery = await deliveryWith(api, id, 'SUCCEEDED')
  expect(delivery.attemptCount).toBe(4)
  expect(received.map(({ body }) => body.toString())).toEqual(
    Array.from({ length: 4 }, () => received[0]?.body.toString()),
  )
  expect(received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4'])
  const one = await api.get(`/webhooks/${id}/deliveries/${delivery.id}?expand=payload,attempts`)
  expect(one.text).toContain(`"payload":${received[0]?.body.toString()}`)
  const timings = {
    dns: expect.any(Number),
    connect: expect.any(Number),
    tls: expect.any(Number),
    firstByte: expect.any(Number),
  }
  expect(one.body.attempts).toMatchObject([
    {
      number: 1,
      responseStatus: 500,
      responseBody: 'answer 1',
      error: 'http_500',
      trigger: 'event',
      timings,
      startedAt: expect.any(String),
      durationMs: expect.any(Number),
    },
    { number: 2, responseStatus: 500, error: 'http_500', trigger: 'retry' },
    { number: 3, responseStatus: 500, error: 'http_500', trigger: 'retry' },
    { number: 4, responseStatus: 200, responseBody: 'answer 4', error: null, trigger: 'retry' },
  ])
  expect(one.body.attempts.map(({ signature }: { signature: string }) => signature)).toEqual(
    received.map(({ headers }) => headers['x-service-signature']),
  )
})

test('who gets what: no types means the sixteen, named ones only those, opt-in ones only when named', async () => {
  const { url } = await subscriber(ok)
  const api = await newSide()
  const all = await subscribe(api, url)
  const notes = await subscribe(api, url, { eventTypes: ['note.added'] })
  const updates = await subscribe(api, url, { eventTypes: ['person.updated', 'task.created'] })
  const person = (await api.post('/people', { displayName: 'Ann' })).body
  await api.patch(`/people/${person.id}`, { displayName: 'Anne' })
  await makeTask(api)
  await until(async () => (await deliveriesOf(api, updates.id)).length === 2)
  const typesOf = async (id: string) => (await deliveriesOf(api, id)).map(({ eventType }) => eventType).toReversed()
  expect(await typesOf(all.id)).toEqual(['person.created', 'task.created'])
  expect(await typesOf(notes.id)).toEqual([])
  expect(await typesOf(updates.id)).toEqual(['person.updated', 'task.created'])
  expect(standardEventTypes).not.toContain('person.updated')
})

test('a test event of every type is really signed, fits its schema, and is not in the event log', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newSide()
  const { id, secret } = await subscribe(api, url, { eventTypes: ['note.added', 'call.ended'] })
  for (const eventType of eventTypes) {
    const sent = await api.post(`/webhooks/${id}/test`, { eventType })
    expect(sent.status).toBe(202)
    expect(sent.body).toMatchObject({ subscriptionId: id, eventType, status: 'PENDING', attemptCount: 0 })
  }
  await until(() => received.length === eventTypes.length)
  for (const { body, headers } of received) {
    const event = new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as {
      type: string
      eventId: string
    }
    expect(event).toMatchObject({
      type: headers['x-service-event'],
      eventId: headers['x-service-event-id'],
      environment: 'sandbox',
    })
  }
  expect(new Set(received.map(({ headers }) => headers['x-service-event']))).toEqual(new Set(eventTypes))
  expect(await eventsOf(service, api)).toEqual([])
  expect((await api.post(`/webhooks/${id}/test`)).body.eventType).toBe('note.added')
  await until(async () => (await deliveriesOf(api, id, '?status=SUCCEEDED')).length === eventTypes.length + 1)
  const [last] = await deliveriesOf(api, id, '?expand=payload,attempts&limit=1')
  expect(last).toMatchObject({ payload: { type: 'note.added' }, attempts: [{ trigger: 'test', responseStatus: 200 }] })
})

test('410 disables the subscription and tells the others that asked for it, not itself', async () => {
  const gone = await subscriber((_request, response) => response.writeHead(410).end())
  const watching = await subscriber(ok)
  const api = await newSide()
  const { id, name } = await subscribe(api, gone.url, { eventTypes: ['task.created', 'webhook.disabled'] })
  const watcher = await subscribe(api, watching.url, { eventTypes: ['webhook.disabled'] })
  await makeTask(api)
  await deliveryWith(api, watcher.id, 'SUCCEEDED')
  expect((await api.get(`/webhooks/${id}`)).body).toMatchObject({
    status: 'disabled',
    disabledReason: 'gone',
    revokedAt: null,
  })
  expect(await deliveriesOf(api, id)).toMatchObject([
    { status: 'FAILED', lastError: 'endpoint_gone', lastResponseStatus: 410, attemptCount: 1 },
  ])
  expect(JSON.parse(watching.received[0]?.body.toString() ?? '')).toMatchObject({
    type: 'webhook.disabled',
    data: { subscriptionId: id, name, url: gone.url, reason: 'gone' },
  })
  expect(gone.received).toHaveLength(1)
})

test('a paused subscription misses nothing: what happens meanwhile is sent, oldest first, when it goes on', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newSide()
  const { id } = await subscribe(api, url, { throttlePerSecond: 20 })
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  const taskIds: string[] = []
  for (let count = 0; count < 20; count++) taskIds.push(await makeTask(api, `Task ${count}`))
  await afterSweeps(service)
  expect(received).toHaveLength(0)
  const held = await deliveriesOf(api, id)
  expect(held).toHaveLength(20)
  for (const delivery of held)
    expect(delivery).toMatchObject({ status: 'PENDING', attemptCount: 0, nextAttemptAt: null })
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  await until(async () => (await deliveriesOf(api, id, '?status=SUCCEEDED')).length === 20)
  expect(new Set(received.map(({ body }) => JSON.parse(body.toString()).data.taskId))).toEqual(new Set(taskIds))
  const sent = (await deliveriesOf(api, id, '?expand=attempts'))
    .toReversed()
    .map(({ attempts }) => (attempts as { startedAt: string }[])[0]?.startedAt)
  expect(sent).toEqual(sent.toSorted())
})

test('nothing is sent once a pause has answered', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newSide()
  const { id } = await subscribe(api, url, { throttlePerSecond: 20 })
  const made = Promise.all(Array.from({ length: 100 }, (_, count) => makeTask(api, `Task ${count}`)))
  await until(() => received.length > 10)
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  const answeredAt = new Date().toISOString()
  await made
  await afterSweeps(service)
  // What was sent before may come to light later.
  const begun = (await startsOf(api, id)).toSorted()
  expect([begun.length < 100, begun.filter((startedAt) => startedAt > answeredAt)]).toEqual([true, []])
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  await until(() => received.length === 100)
  expect(new Set(received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(100)
})

test('no second sees more than throttlePerSecond', async () => {
  const arrivals: number[] = []
  const { url } = await subscriber((_request, response) => {
    arrivals.push(performance.now())
    response.end()
  })
  const api = await newSide()
  const { id } = await subscribe(api, url, { throttlePerSecond: 40 })
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  await Promise.all(Array.from({ length: 100 }, () => makeTask(api)))
  const begun = performance.now()
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  await until(() => arrivals.length === 100)
  // A busy machine may bring them later than they were sent, and then close together, but none of them sooner.
  for (const seconds of [1, 2]) expect(arrivals[40 * seconds]).toBeGreaterThanOrEqual(begun + seconds * 1_000)
})

describe('revoking', () => {
  test('with deliveries pending and under way: nothing is sent once it has answered, and all of them are over', async () => {
    let answered = 0
    const { url, received } = await subscriber(
      (_request, response) => void setTimeout(() => response.end(String(++answered)), 30),
    )
    const api = await newSide()
    const { id } = await subscribe(api, url)
    await api.patch(`/webhooks/${id}`, { status: 'paused' })
    await Promise.all(Array.from({ length: 300 }, () => makeTask(api)))
    await api.patch(`/webhooks/${id}`, { status: 'active' })
    await until(() => received.length > 20)
    expect((await api.delete(`/webhooks/${id}`)).status).toBe(204)
    const answeredAt = new Date().toISOString()
    const all = await allDeliveries(api, id)
    for (const { status, lastError } of all)
      expect(['SUCCEEDED', 'FAILED subscription_revoked']).toContain(
        status === 'SUCCEEDED' ? status : `${status} ${lastError}`,
      )
    expect(all).toHaveLength(300)
    await afterSweeps(service)
    await until(async () => (await startsOf(api, id)).length === received.length)
    expect((await startsOf(api, id)).filter((startedAt) => startedAt > answeredAt)).toEqual([])
    const failed = (await allDeliveries(api, id, 'status=FAILED')).length
    expect(failed).toBe(300 - received.length)
    expect(await deliveriesOf(api, id, '?status=PENDING,RETRYING')).toEqual([])
    await until(
      async () =>
        (
          await service.database.query(
            sql`select 1 from all_deliveries where subscription_id = ${id} and status in ('PENDING', 'RETRYING')`,
          )
        ).length === 0,
    )
    expect(await makeTask(api)).toBeTruthy()
    expect((await allDeliveries(api, id)).length).toBe(300)
  })

  test('a request that hangs does not hold up the answer', async () => {
    let isOver = false
    const { url, received } = await subscriber((_request, response) => {
      response.on('close', () => {
        isOver = true
      })
    })
    const api = await newSide()
    const { id } = await subscribe(api, url)
    await makeTask(api)
    await until(() => received.length === 1)
    expect((await api.delete(`/webhooks/${id}`)).status).toBe(204)
    expect(isOver).toBe(false)
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'FAILED', lastError: 'subscription_revoked' }])
  })
})

/** When each attempt of a subscription was begun. */
const startsOf = async (api: Client, id: string): Promise<string[]> =>
  (await allDeliveries(api, id, 'expand=attempts')).flatMap(({ attempts = [] }) =>
    attempts.map(({ startedAt }) => startedAt),
  )

interface Listed {
  status: string
  lastError: string | null
  attempts?: { startedAt: string }[]
}

async function allDeliveries(api: Client, id: string, query = ''): Promise<Listed[]> {
  const found: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { body: any } = await api.get(
      `/webhooks/${id}/deliveries?limit=100&${query}${cursor && `&cursor=${cursor}`}`,
    )
    found.push(...page.body.data)
    cursor = page.body.pagination.nextCursor
  }
  return found
}
