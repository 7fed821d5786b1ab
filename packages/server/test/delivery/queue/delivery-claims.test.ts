// What a claim is worth: a worker that was slow between its claim and its request asks again, and sends nothing that it
// may not send any more.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { metricOf } from '../../support/webhooks/sweeps.js'
import {
  deliveriesOf,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'

let service: Service
/** What the resolver waits for before it answers: the test holds a worker between its claim and its request. */
let gate = Promise.resolve()
let open = () => {}
let lookups = 0
/** Longer than a busy machine may hold this process up: a lease that lapses by accident is another claim. */
const leaseMs = 8_000
beforeAll(async () => {
  const lookup = async () => {
    lookups++
    await gate
    return ['127.0.0.1']
  }
  service = await startSending({}, { delivery: { lookup, dnsCacheMs: 0, leaseMs } })
})
afterAll(() => service.stop())

const newTenant = async (): Promise<Client> => (await service.organization('Claims')).sandbox
/** Longer than a claim is taken at its word. */
const tooLong = () => new Promise((resolve) => setTimeout(resolve, 1_200))

/** Waits until one more delivery was claimed and then not sent. */
async function withheld(act: () => void): Promise<void> {
  const count = () => metricOf(service, 'parley_webhook_withheld_total')
  const before = await count()
  act()
  await until(async () => (await count()) > before)
}

/** A delivery whose worker has claimed it and waits for the address of its host. */
async function heldUp(answer = ok) {
  gate = new Promise((resolve) => {
    open = resolve
  })
  const before = lookups
  const listening = await subscriber(answer)
  const api = await newTenant()
  const { id } = await subscribe(api, `https://hooks.example.com:${listening.port}/hooks`)
  await makeTask(api)
  await until(() => lookups > before)
  return { api, id, ...listening }
}

test('one that still holds its claim sends, however late', async () => {
  const { api, id, received } = await heldUp()
  await tooLong()
  open()
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 1 })
  expect(received).toHaveLength(1)
})

test('one whose claim was taken over sends nothing', async () => {
  const { id, received } = await heldUp()
  await tooLong()
  await service.database.query(
    sql`update webhook_deliveries set claim = gen_random_uuid(), leased_until = now() + interval '1 hour' where subscription_id = ${id}`,
  )
  await withheld(open)
  expect(received).toHaveLength(0)
})

test('one whose subscription was revoked sends nothing, and the revocation did not wait for it', async () => {
  const { api, id, received } = await heldUp()
  await tooLong()
  expect((await api.delete(`/webhooks/${id}`)).status).toBe(204)
  await withheld(open)
  expect(received).toHaveLength(0)
  expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'FAILED', lastError: 'subscription_revoked' }])
})

test('one whose subscription was paused gives the delivery back as if it had never taken it', async () => {
  const { api, id, received } = await heldUp()
  await tooLong()
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  open()
  await until(async () => (await deliveriesOf(api, id))[0]?.attemptCount === 0)
  expect(received).toHaveLength(0)
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 1 })
  expect(received).toHaveLength(1)
})

test('a lease is kept up while an attempt takes longer than it', async () => {
  const listening = await subscriber((_request, response) => void setTimeout(() => response.end(), leaseMs + 1_000))
  const api = await newTenant()
  gate = Promise.resolve()
  const { id } = await subscribe(api, listening.url)
  await makeTask(api)
  await until(async () => (await deliveriesOf(api, id))[0]?.status === 'SUCCEEDED')
  expect(listening.received).toHaveLength(1)
  expect(await deliveriesOf(api, id)).toMatchObject([{ attemptCount: 1 }])
})

test('a failure whose row has moved since its claim is settled, and counted once', async () => {
  const { api, id } = await heldUp((_request, response) => response.writeHead(500).end())
  const placeOf = async () =>
    (
      await service.database.query<{ place: string }>(
        sql`select ctid::text as place from webhook_deliveries where subscription_id = ${id}`,
      )
    )[0]?.place
  const claimedAt = await placeOf()
  await until(async () => (await placeOf()) !== claimedAt)
  open()
  expect(await deliveryWith(api, id, 'RETRYING')).toMatchObject({ attemptCount: 1, lastResponseStatus: 500 })
  expect(
    await service.database.query(sql`select attempts from webhook_failures where subscription_id = ${id}`),
  ).toEqual([{ attempts: 1 }])
})
