// The schedule of retries under a clock that the test moves: every instant, no ninth attempt, and what every kind of
// answer leads to.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import type { Client, Service } from '../../support/service.js'
import { subscriber } from '../../support/webhooks/sending.js'
import type { Answer } from '../../support/webhooks/subscriber.js'
import { afterSweeps } from '../../support/webhooks/sweeps.js'
import {
  deliveriesOf,
  deliveryThat,
  deliveryWith,
  makeTask,
  type SentDelivery,
  startSending,
  subscribe,
} from '../../support/webhooks/webhooks.js'

let service: Service
/** Ahead of the database's, by which markers are due, however long it takes to get there. */
let now = new Date(Date.now() + 3_600_000)
const advance = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
beforeAll(async () => {
  service = await startSending({}, { clock: () => now })
})
afterAll(() => service.stop())
// The next test is days ahead, and would wait for all that this one has left to be tried again.
afterEach(() => service.database.query(sql`delete from webhook_deliveries`))

const newTenant = async (): Promise<Client> => (await service.organization('Patient')).sandbox
const withResponse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, headers).end()

const seconds = (count: number) => count * 1_000
const ladder = [60, 300, 900, 3_600, 21_600, 43_200, 86_400].map(seconds)

/** Milliseconds from the end of the last attempt to the next one. */
const gapOf = ({ nextAttemptAt }: SentDelivery) => new Date(nextAttemptAt ?? Number.NaN).getTime() - now.getTime()

/** Settled, and not under way. */
const isAhead = (nextAttemptAt: string | null) => nextAttemptAt !== null && new Date(nextAttemptAt) > now

test('eight attempts at their instants, never early, at most 5 % late, and no ninth', async () => {
  const { url, received } = await subscriber(withResponse(500))
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  await makeTask(api)
  for (const [index, floor] of ladder.entries()) {
    const waiting = await deliveryThat(
      api,
      id,
      ({ status, attemptCount, nextAttemptAt }) =>
        status === 'RETRYING' && attemptCount === index + 1 && isAhead(nextAttemptAt),
    )
    const gap = gapOf(waiting)
    expect(gap).toBeGreaterThanOrEqual(floor)
    expect(gap).toBeLessThanOrEqual(floor * 1.05 + 1)
    advance(gap - 1)
    await afterSweeps(service)
    expect(received).toHaveLength(index + 1)
    advance(1)
  }
  const dead = await deliveryWith(api, id, 'DEAD_LETTERED')
  expect(dead).toMatchObject({
    attemptCount: 8,
    lastError: 'http_500',
    lastResponseStatus: 500,
    nextAttemptAt: null,
    deliveredAt: null,
  })
  advance(seconds(86_400 * 10))
  await afterSweeps(service)
  expect(received).toHaveLength(8)
  expect(received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['x-service-signature'])).size).toBe(8)
})

describe('answers', () => {
  test.each([200, 201, 202, 204])('%i is success at once', async (status) => {
    const delivery = await deliveryAfter(withResponse(status))
    expect(delivery).toMatchObject({
      status: 'SUCCEEDED',
      attemptCount: 1,
      lastResponseStatus: status,
      lastError: null,
      deliveredAt: now.toISOString(),
    })
  })

  test.each([301, 302, 304, 307, 400, 401, 404, 418, 500, 502])('%i is tried again', async (status) => {
    const delivery = await deliveryAfter(withResponse(status, { location: 'https://127.0.0.1:1/' }))
    expect(delivery).toMatchObject({
      status: 'RETRYING',
      attemptCount: 1,
      lastResponseStatus: status,
      lastError: `http_${status}`,
    })
    expectOrdinaryGap(delivery)
  })

  test('410 is final, and disables the subscription', async () => {
    const delivery = await deliveryAfter(withResponse(410))
    expect(delivery).toMatchObject({
      status: 'FAILED',
      attemptCount: 1,
      lastError: 'endpoint_gone',
      nextAttemptAt: null,
    })
  })

  test.each([429, 503])(
    '%i with Retry-After waits as long as it asks, and never shorter than the schedule',
    async (status) => {
      const asked = async (retryAfter: string) =>
        gapOf(await deliveryAfter(withResponse(status, { 'retry-after': retryAfter })))
      expect(await asked('600')).toBe(seconds(600))
      expect(await asked('100.5')).toBe(100_500)
      const date = new Date(Math.ceil(now.getTime() / 1_000) * 1_000 + seconds(700))
      expect(await asked(date.toUTCString())).toBe(date.getTime() - now.getTime())
      expect(await asked('999999999')).toBe(seconds(86_400))
      for (const useless of ['5', '-600', 'soon', '', new Date(0).toUTCString(), 'Infinity', '1e9']) {
        const gap = await asked(useless)
        expect(gap, useless).toBeGreaterThanOrEqual(seconds(60))
        expect(gap, useless).toBeLessThanOrEqual(seconds(63))
      }
    },
  )

  test('Retry-After on other answers is not followed', async () => {
    expectOrdinaryGap(await deliveryAfter(withResponse(500, { 'retry-after': '600' })))
  })
})

async function deliveryAfter(answer: Answer): Promise<SentDelivery> {
  const { url } = await subscriber(answer)
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  await makeTask(api)
  return deliveryThat(api, id, ({ status }) => status !== 'PENDING')
}

function expectOrdinaryGap(delivery: SentDelivery): void {
  expect(gapOf(delivery)).toBeGreaterThanOrEqual(seconds(60))
  expect(gapOf(delivery)).toBeLessThanOrEqual(seconds(63) + 1)
}

test('nothing but failures for five days over twenty attempts disables the subscription, and tells the others', async () => {
  const { url } = await subscriber(withResponse(500))
  const listening = await subscriber(withResponse(200))
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const other = await subscribe(api, listening.url, { eventTypes: ['webhook.disabled'] })
  const fail = async (count: number) => {
    for (let made = 0; made < count; made++) await makeTask(api)
    await deliveriesThat(api, id, (all) => all.every(({ status }) => status !== 'PENDING'))
  }
  await fail(20)
  advance(seconds(5 * 86_400 - 1))
  await fail(1)
  expect((await api.get(`/webhooks/${id}`)).body).toMatchObject({ status: 'active', disabledReason: null })
  advance(seconds(2))
  await makeTask(api)
  await deliveryWith(api, other.id, 'SUCCEEDED')
  expect((await api.get(`/webhooks/${id}`)).body).toMatchObject({
    status: 'disabled',
    disabledReason: 'failing',
    disabledAt: now.toISOString(),
    revokedAt: null,
  })
  expect(JSON.parse(listening.received[0]?.body.toString() ?? '')).toMatchObject({
    type: 'webhook.disabled',
    data: { subscriptionId: id, url, reason: 'failing' },
  })
  // What comes while it is disabled waits; being active again, it is judged anew.
  const held = async () => (await deliveriesOf(api, id, '?status=PENDING')).length
  const before = await held()
  await makeTask(api)
  await afterSweeps(service)
  expect(await held()).toBe(before + 1)
  expect((await api.patch(`/webhooks/${id}`, { status: 'active' })).body).toMatchObject({
    status: 'active',
    disabledReason: null,
    disabledAt: null,
  })
  await deliveriesThat(api, id, (all) => all.every(({ status }) => status !== 'PENDING'))
  expect((await api.get(`/webhooks/${id}`)).body.status).toBe('active')
})

test('one success among failures keeps a subscription active', async () => {
  let status = 500
  const { url } = await subscriber((_request, response) => response.writeHead(status).end())
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const make = async (count: number) => {
    for (let made = 0; made < count; made++) await makeTask(api)
    await deliveriesThat(api, id, (all) =>
      all.every(
        (one) => one.status !== 'PENDING' && !(one.nextAttemptAt !== null && new Date(one.nextAttemptAt) <= now),
      ),
    )
  }
  await make(25)
  advance(seconds(3 * 86_400))
  status = 200
  await make(1)
  status = 500
  advance(seconds(3 * 86_400))
  await make(25)
  await afterSweeps(service)
  expect((await api.get(`/webhooks/${id}`)).body).toMatchObject({ status: 'active', disabledReason: null })
})

async function deliveriesThat(api: Client, id: string, hold: (all: SentDelivery[]) => boolean): Promise<void> {
  for (const deadline = performance.now() + 120_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const all = await deliveriesOf(api, id, '?limit=100')
    if (hold(all)) return
    if (performance.now() > deadline) expect.fail(`It did not come true: ${JSON.stringify(all)}`)
  }
}
