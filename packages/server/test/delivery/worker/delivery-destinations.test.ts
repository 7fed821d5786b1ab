// Where deliveries go: what is remembered of subscriptions, and what becomes of a delivery whose destination is not at
// hand.
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { claimDeliveries } from '../../../src/delivery/queue/claim.js'
import { createSettler } from '../../../src/delivery/queue/settle-batcher.js'
import { createDeliverOne } from '../../../src/delivery/worker/deliver-one.js'
import { createFailureLog } from '../../../src/delivery/worker/failure-log.js'
import { createDeliveryMetrics } from '../../../src/delivery/worker/metrics.js'
import { createDestinations } from '../../../src/delivery/worker/subscription-cache.js'
import { createSealer } from '../../../src/store/secret-box.js'
import { tenantOf } from '../../support/events.js'
import { type Client, type Service, secret } from '../../support/service.js'
import { ok, sender, subscriber } from '../../support/webhooks/sending.js'
import {
  deliveriesOf,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'
import { addDeliveries, startWorker } from '../../support/webhooks/workers.js'

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const newTenant = async (): Promise<Client> => (await service.organization('Destinations')).sandbox
const sealer = createSealer(secret)
const sealedOf = async (id: string): Promise<Buffer> => {
  const [row] = await service.database.query<{ sealed: Buffer }>(
    sql`select sealed from webhook_subscriptions where id = ${id}`,
  )
  return row?.sealed ?? Buffer.alloc(0)
}
/** Damages or mends what is sealed. Any write to the row ends a wait of the subscription. */
const setSealed = (id: string, sealed: Buffer) =>
  service.database.query(sql`update webhook_subscriptions set sealed = ${sealed} where id = ${id}`)

test('forgetting makes room without losing what is wanted at the moment', async () => {
  const api = await newTenant()
  const tenantId = await tenantOf(service, api)
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, index) => subscribe(api, `https://example.com/${index}`)),
  )
  const destinations = createDestinations({
    database: service.database,
    sealer,
    onUnreadable: (_id, error) => expect.fail(error.message),
    rememberedMax: 3,
  })
  const wanted = (indexes: number[]) =>
    indexes.map((index) => ({ tenantId, subscriptionId: made[index]?.id ?? '', subscriptionVersion: 1 }))
  const kinds = (indexes: number[]) => wanted(indexes).map((one) => destinations.get(one, new Date()).kind)
  await destinations.load(wanted([0, 1, 2, 3]))
  expect(kinds([0, 1, 2, 3])).toEqual(['known', 'known', 'known', 'known'])
  await destinations.load(wanted([0, 4]))
  expect(kinds([0, 4])).toEqual(['known', 'known'])
  expect(kinds([1, 2, 3, 5])).toEqual(['unknown', 'unknown', 'known', 'unknown'])
  expect(destinations.get(wanted([4])[0] as never, new Date())).toEqual({
    kind: 'known',
    url: 'https://example.com/4',
    secrets: [made[4]?.secret],
  })
  const nobody = { tenantId, subscriptionId: tenantId, subscriptionVersion: 1 }
  await destinations.load([nobody])
  expect(destinations.get(nobody, new Date())).toEqual({ kind: 'gone' })
})

test('a delivery whose destination was forgotten is given back as if it had never been taken', async () => {
  const api = await newTenant()
  const { id } = await subscribe(api, 'https://127.0.0.1:1/')
  await addDeliveries(service.database, id, 1)
  const { database } = service
  const clock = undefined
  const settler = createSettler({
    database,
    clock,
    patience: { forMs: 1, attempts: 20 },
    onTrouble: () => {},
    onSettled: () => {},
  })
  const log = { debug() {}, info() {}, warn() {} }
  const carry = createDeliverOne({
    database,
    clock,
    settler,
    sender: sender(),
    destinations: createDestinations({ database, sealer, onUnreadable: () => {} }),
    ladder: { delaysMs: [0, 10], random: Math.random },
    metrics: createDeliveryMetrics(new Registry(), () => Promise.resolve({ due: 0, oldestMs: 0 })),
    log,
    failures: createFailureLog({ log }),
    onGone: () => {},
  })
  const tenants = [await tenantOf(service, api)]
  const { claimed } = await claimDeliveries(database, {
    capacity: 5,
    room: 5,
    rooms: new Map(),
    leaseMs: 30_000,
    attemptsMax: 8,
    tenants,
    now: raw('now()'),
  })
  expect(claimed).toHaveLength(1)
  for (const delivery of claimed) expect(await carry(delivery, false)).toEqual({ kind: 'not sent' })
  await settler.flush()
  expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'PENDING', attemptCount: 0, lastError: null }])
})

test('a secret that cannot be opened holds up its own subscription only, and costs no attempt', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newTenant()
  const broken = await subscribe(api, url)
  const healthy = await subscribe(api, url)
  const sealed = await sealedOf(broken.id)
  await setSealed(broken.id, createSealer('quite another secret').seal('{}'))
  const worker = await startWorker(service.databaseUrl, { log: 'warn' })
  for (let count = 0; count < 20; count++) await makeTask(api)
  await until(async () => (await deliveriesOf(api, healthy.id, '?status=SUCCEEDED')).length === 20)
  expect(received).toHaveLength(20)
  const held = await deliveriesOf(api, broken.id)
  expect(held).toHaveLength(20)
  await until(async () =>
    (await deliveriesOf(api, broken.id)).every(
      ({ status, attemptCount }) => status === 'PENDING' && attemptCount === 0,
    ),
  )
  const said = () =>
    worker
      .output()
      .split('\n')
      .filter((line) => line.includes('cannot be opened'))
  await until(() => said().length > 0)
  expect(said()).toHaveLength(1)
  expect(said()[0]).toContain(broken.id)
  await setSealed(broken.id, sealed)
  await deliveryWith(api, broken.id, 'SUCCEEDED')
  await until(async () => (await deliveriesOf(api, broken.id, '?status=SUCCEEDED')).length === 20)
  for (const { attemptCount } of await deliveriesOf(api, broken.id)) expect(attemptCount).toBe(1)
})
