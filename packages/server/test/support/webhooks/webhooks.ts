// A service that sends to subscribers on loopback, and what tests of webhooks do with it again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ServerParts } from '../../../src/server/server.js'
import { type Client, type Service, startService } from '../service.js'
import { authority } from './sending.js'

export interface SentDelivery {
  readonly id: string
  readonly subscriptionId: string
  readonly eventId: string
  readonly status: string
  readonly attemptCount: number
  readonly replayCount: number
  readonly nextAttemptAt: string | null
  readonly lastError: string | null
  readonly [name: string]: unknown
}

/** Loopback is open, the test authority is trusted, and no attempt runs out of time by accident. */
export const startSending = (
  env: Record<string, string> = {},
  options: Pick<ServerParts, 'clock' | 'delivery'> = {},
): Promise<Service> =>
  startService(
    { PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', PARLEY_WEBHOOK_TIMEOUT: '60s', ...env },
    { ...options, delivery: { ca: authority.ca, bodyTimeoutMs: 2_000, ...options.delivery } },
  )

export async function subscribe(
  api: Client,
  url: string,
  more: object = {},
): Promise<{ id: string; secret: string; name: string }> {
  const made = await api.post('/webhooks', { url, ...more })
  expect(made.status, made.text).toBe(201)
  return made.body
}

export async function makeTask(api: Client, title = 'Ring back'): Promise<string> {
  const made = await api.post('/tasks', { title })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

export async function deliveriesOf(api: Client, subscriptionId: string, query = ''): Promise<SentDelivery[]> {
  const answer = await api.get(`/webhooks/${subscriptionId}/deliveries${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

/** The only delivery of a subscription, once it is what the test waits for. */
export async function deliveryThat(
  api: Client,
  subscriptionId: string,
  holds: (delivery: SentDelivery) => boolean,
): Promise<SentDelivery> {
  let last: SentDelivery | undefined
  await until(
    async () => {
      last = (await deliveriesOf(api, subscriptionId))[0]
      return last !== undefined && holds(last)
    },
    () => JSON.stringify(last),
  )
  return last as SentDelivery
}

export const deliveryWith = (api: Client, subscriptionId: string, status: string): Promise<SentDelivery> =>
  deliveryThat(api, subscriptionId, (delivery) => delivery.status === status)

export async function until(
  holds: () => boolean | Promise<boolean>,
  why: () => string = () => '',
  withinMs = 120_000,
): Promise<void> {
  for (const deadline = performance.now() + withinMs; ; await sleep(25)) {
    if (await holds()) return
    if (performance.now() > deadline) expect.fail(`It did not come true within ${withinMs} ms. ${why()}`)
  }
}
