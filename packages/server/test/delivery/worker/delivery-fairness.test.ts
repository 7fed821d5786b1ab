// Fairness: what waits for one endpoint does not delay another, and retries do not delay first attempts.
// How long it takes beside such neighbours is measured by `bench/neighbours.mjs`. `WEBHOOK_BACKLOG=100000` is the full
// size of what waits.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { makeTask, startSending, subscribe, until } from '../../support/webhooks/webhooks.js'
import { addDeliveries, countDeliveries } from '../../support/webhooks/workers.js'

const backlog = Number(process.env['WEBHOOK_BACKLOG'] ?? 2_000)

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_WEBHOOK_TIMEOUT: '5m' })
})
afterAll(() => service.stop())

const newTenant = async (): Promise<Client> => (await service.organization('Fair')).sandbox

/** Makes events one after the other: each has to arrive before the next is made. */
async function allArrive(api: Client, arrived: ReadonlySet<string>): Promise<void> {
  for (let made = 0; made < 25; made++) {
    const id = await makeTask(api)
    await until(
      () => arrived.has(id),
      () => `event ${made} did not arrive`,
    )
  }
}

test(`an endpoint that hangs with ${backlog} deliveries due holds up no other`, async () => {
  const arrived = new Set<string>()
  const healthy = await subscriber((_request, response) => {
    arrived.add(JSON.parse(healthy.received.at(-1)?.body.toString() ?? '').data.taskId)
    response.end()
  })
  let isOver = false
  const held: (() => void)[] = []
  const hanging = await subscriber((_request, response) => {
    if (isOver) response.destroy()
    else held.push(() => response.destroy())
  })
  const [api, other] = [await newTenant(), await newTenant()]
  await subscribe(api, healthy.url)
  const dead = await subscribe(other, hanging.url)
  onTestFinished(async () => {
    await other.delete(`/webhooks/${dead.id}`)
  })
  await addDeliveries(service.database, dead.id, backlog)
  await until(() => hanging.received.length >= 1)
  await allArrive(api, arrived)
  expect(hanging.received.length).toBeLessThan(100)
  expect((await countDeliveries(service.database, dead.id))['PENDING']).toBeGreaterThan(backlog - 100)
  await other.delete(`/webhooks/${dead.id}`)
  // Those under way when it was revoked are over only when their attempt is, and the others are settled by a machine
  // that may have other things to do.
  isOver = true
  for (const end of held) end()
  await until(
    async () => (await countDeliveries(service.database, dead.id))['PENDING'] === undefined,
    undefined,
    550_000,
  )
  await allArrive(api, arrived)
})

test('a flood of retries does not make new events wait, nor a flood of new events the retries', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newTenant()
  const { id } = await subscribe(api, url, { status: 'paused', throttlePerSecond: 40 })
  const make = async (isFresh: boolean, count: number) => {
    await addDeliveries(service.database, id, count)
    if (!isFresh)
      await service.database.query(
        sql`update webhook_deliveries set is_fresh = false, status = 'RETRYING', attempt_count = 1 where subscription_id = ${id}`,
      )
  }
  await make(false, 400)
  await make(true, 400)
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  await until(() => received.length >= 80)
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  const fresh = received.filter(({ headers }) => headers['x-service-attempt'] === '1').length
  const share = fresh / received.length
  // Which lane begins is left to chance, eighty times.
  expect(share).toBeGreaterThan(0.25)
  expect(share).toBeLessThan(0.75)
})

test('many endpoints that hang leave room for one that does not', async () => {
  const hanging = await subscriber(() => undefined)
  const healthy = await subscriber(ok)
  const api = await newTenant()
  const crowd = await Promise.all(Array.from({ length: 40 }, () => newTenant()))
  const ids: string[] = []
  for (const one of crowd) {
    const { id } = await subscribe(one, hanging.url)
    await addDeliveries(service.database, id, 50)
    ids.push(id)
  }
  await until(() => hanging.received.length >= 40, undefined, 550_000)
  await subscribe(api, healthy.url)
  for (let count = 0; count < 10; count++) await makeTask(api)
  await until(() => healthy.received.length === 10)
  // All of the others hang still: none has given its place away.
  for (const id of ids) expect(await countDeliveries(service.database, id)).toEqual({ PENDING: 50 })
})
