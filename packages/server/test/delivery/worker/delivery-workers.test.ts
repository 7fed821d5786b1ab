// Several workers in processes of their own: each delivery is sent once, and whatever happens to a worker or to the
// database, none is lost. The usual run has a smaller load; the full size is `WEBHOOK_LOAD=20000 WEBHOOK_KILLS=50 npx
// vitest run packages/server/test/delivery-workers.test.ts`.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { claimDeliveries } from '../../../src/delivery/queue/claim.js'
import { releaseDeliveries } from '../../../src/delivery/queue/held-claims.js'
import type { Server } from '../../../src/server/server.js'
import { closeAfterTest } from '../../support/after-each.js'
import { tenantOf } from '../../support/events.js'
import { startPostgresProxy } from '../../support/servers/postgres-proxy.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import type { Received } from '../../support/webhooks/subscriber.js'
import { afterSweeps, metricOf } from '../../support/webhooks/sweeps.js'
import {
  deliveriesOf,
  deliveryThat,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'
import { addDeliveries, countDeliveries, startWorker, type WorkerProcess } from '../../support/webhooks/workers.js'

const load = Number(process.env['WEBHOOK_LOAD'] ?? 200)
/** What is due before each kill. */
const burst = Math.min(load, 400)
/** More than three batches of a job. */
const replayed = 1_600
const kills = Number(process.env['WEBHOOK_KILLS'] ?? 3)

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const newTenant = async (): Promise<Client> => (await service.organization('Workers')).sandbox
const idOf = ({ headers }: Received) => String(headers['x-service-delivery-id'])
const allSucceeded = (id: string, count: number, withinMs: number) =>
  until(
    async () => (await countDeliveries(service.database, id))['SUCCEEDED'] === count,
    () => 'deliveries are missing',
    withinMs,
  )

/** As if the time of the leases were over. */
const lapse = (id: string) =>
  service.database.query(
    sql`update webhook_deliveries set leased_until = now() where subscription_id = ${id} and claim is not null`,
  )

/** A worker that is neither killed nor frozen needs no process of its own. */
async function startWorkerHere(): Promise<Server> {
  const worker = await service.node({ PARLEY_ROLE: 'worker' })
  closeAfterTest(() => worker.stop())
  return worker
}

async function stopAll(workers: readonly WorkerProcess[]): Promise<void> {
  for (const worker of workers) worker.signal('SIGTERM')
  for (const worker of workers) expect(await worker.exited).toBe(0)
}

test(`four workers, ${load} deliveries each: every one is sent exactly once`, async () => {
  // A worker begins with one request of a subscription under way: who answers when there are four has heard of four.
  const waiting: (() => void)[] = []
  const { url, received } = await subscriber((_request, response) => {
    waiting.push(() => response.end())
    if (received.length >= 4) for (const answer of waiting.splice(0)) answer()
  })
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const workers = await Promise.all(Array.from({ length: 4 }, () => startWorker(service.databaseUrl)))
  await addDeliveries(service.database, id, load * 4)
  await allSucceeded(id, load * 4, 550_000)
  expect(received).toHaveLength(load * 4)
  expect(new Set(received.map(idOf)).size).toBe(load * 4)
  const shares = await Promise.all(workers.map((worker) => worker.metric('parley_webhook_claimed_deliveries_total')))
  // What waited too long was given back, and claimed again.
  const givenBack = await Promise.all(workers.map((worker) => worker.metric('parley_webhook_withheld_total')))
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  expect(sum(shares) - sum(givenBack)).toBe(load * 4)
  expect(Math.min(...shares)).toBeGreaterThan(0)
  await stopAll(workers)
})

test(`workers killed at random ${kills} times under load: nothing is lost, and repeats are only what was in flight`, async () => {
  const arrivals = new Map<string, number>()
  const { url } = await subscriber((request, response) => {
    const id = String(request.headers['x-service-delivery-id'])
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
    setTimeout(() => response.end(), randomInt(1, 15))
  })
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  // Long enough for those who live to keep up their leases, and for what the dead held to be seen before it lapses.
  const start = () => startWorker(service.databaseUrl, { leaseMs: 10_000 })
  const workers = await Promise.all(Array.from({ length: 3 }, start))
  const heldAtKills = new Set<string>()
  const total = kills * burst
  for (let killed = 0; killed < kills; killed++) {
    await addDeliveries(service.database, id, burst)
    // In the middle of them, however quick the machine is.
    for (const due = arrivals.size + randomInt(1, burst / 2); arrivals.size < due; ) await sleep(1)
    const victim = randomInt(workers.length)
    workers[victim]?.signal('SIGKILL')
    await workers[victim]?.exited
    const held = sql`select id from webhook_deliveries where subscription_id = ${id} and claim is not null`
    for (const row of await service.database.query<{ id: string }>(held)) heldAtKills.add(row.id)
    workers[victim] = await start()
  }
  await allSucceeded(id, total, 550_000)
  expect(arrivals.size).toBe(total)
  const repeated = [...arrivals].filter(([, times]) => times > 1).map(([delivery]) => delivery)
  console.log(
    `${kills} kills, ${total} deliveries, ${repeated.length} sent more than once (in flight or not yet recorded when their worker was killed)`,
  )
  expect(repeated.filter((delivery) => !heldAtKills.has(delivery))).toEqual([])
  await stopAll(workers)
})

test('a worker killed after its claim leaves the delivery to its lease, not to the ladder', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newTenant()
  const { id } = await subscribe(api, url, { status: 'paused' })
  await makeTask(api)
  const worker = await startWorkerHere()
  // What a worker leaves behind that dies between its claim and its request.
  await service.database.query(
    sql`update webhook_deliveries set claim = gen_random_uuid(), leased_until = now() + interval '1 hour', attempt_count = 1 where subscription_id = ${id}`,
  )
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  await afterSweeps(service)
  expect(received).toHaveLength(0)
  await lapse(id)
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 2 })
  expect(received).toHaveLength(1)
  await worker.stop()
})

test('a worker killed between the answer and its record leaves the delivery to the next: it is sent again, and nothing is lost', async () => {
  let answer = () => {}
  const { url, received } = await subscriber((_request, response) => {
    if (received.length > 1) return void response.end()
    answer = () => void response.end()
  })
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const proxy = await startPostgresProxy(service.databaseUrl)
  const worker = await startWorker(proxy.url)
  await makeTask(api)
  await until(() => received.length === 1)
  // The answer arrives, and its record does not.
  proxy.shut()
  answer()
  await until(async () => (await worker.metric('parley_webhook_responses_total')) === 1)
  worker.signal('SIGKILL')
  await worker.exited
  await proxy.stop()
  const [left] = await service.database.query<{ status: string; is_claimed: boolean }>(
    sql`select status, claim is not null as is_claimed from all_deliveries where subscription_id = ${id}`,
  )
  expect(left).toEqual({ status: 'PENDING', is_claimed: true })
  await lapse(id)
  const next = await startWorkerHere()
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 2 })
  expect(received).toHaveLength(2)
  expect(received[1]?.body.equals(received[0]?.body ?? Buffer.alloc(0))).toBe(true)
  expect(received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2'])
  await next.stop()
})

test('eight claims that nobody survived are the end: no ninth attempt', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  await makeTask(api)
  await service.database.query(
    sql`update webhook_deliveries set claim = gen_random_uuid(), leased_until = now(), attempt_count = 8 where subscription_id = ${id}`,
  )
  const worker = await startWorkerHere()
  expect(await deliveryWith(api, id, 'DEAD_LETTERED')).toMatchObject({ attemptCount: 8 })
  expect(received).toHaveLength(0)
  await worker.stop()
})

test('a delivery that is claimed and given back keeps its attempts: no ninth by way of a stop', async () => {
  const prepare = async (attempts: number) => {
    const { url, received } = await subscriber(ok)
    const api = await newTenant()
    const { id } = await subscribe(api, url)
    await makeTask(api)
    await service.database.query(
      sql`update webhook_deliveries set attempt_count = ${attempts} where subscription_id = ${id}`,
    )
    const tenants = [await tenantOf(service, api)]
    const { claimed } = await claimDeliveries(service.database, {
      capacity: 1,
      room: 1,
      rooms: new Map(),
      leaseMs: 30_000,
      attemptsMax: 8,
      tenants,
      now: raw('now()'),
    })
    expect(claimed).toMatchObject([{ attempt: Math.min(attempts + 1, 8), isExhausted: attempts === 8 }])
    await releaseDeliveries(service.database, claimed)
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'PENDING', attemptCount: attempts }])
    return { api, id, received, sent: attempts === 8 ? 0 : 1 }
  }
  const cases = [await prepare(0), await prepare(7), await prepare(8)]
  const worker = await startWorkerHere()
  for (const { api, id, received, sent } of cases) {
    await deliveryThat(api, id, ({ status }) => status !== 'PENDING')
    expect(received).toHaveLength(sent)
  }
  await worker.stop()
})

test('a worker frozen past its lease and resumed: its result is refused', async () => {
  const waiting: (() => void)[] = []
  const { url, received } = await subscriber((_request, response) => {
    if (received.length > 1) return void response.end()
    waiting.push(() => response.writeHead(500).end())
  })
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const frozen = await startWorker(service.databaseUrl)
  await makeTask(api)
  await until(() => received.length === 1)
  frozen.signal('SIGSTOP')
  await lapse(id)
  const other = await startWorkerHere()
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 2 })
  for (const answer of waiting) answer()
  frozen.signal('SIGCONT')
  await until(async () => (await frozen.metric('parley_webhook_settles_refused_total')) === 1)
  const [delivery] = await deliveriesOf(api, id, '?expand=attempts')
  expect(delivery).toMatchObject({ status: 'SUCCEEDED', attemptCount: 2, lastError: null })
  // What it saw is in the log all the same.
  expect(delivery?.['attempts']).toMatchObject([
    { number: 1, responseStatus: 500 },
    { number: 2, responseStatus: 200 },
  ])
  await other.stop()
  await stopAll([frozen])
})

test('SIGTERM: what is under way is finished and recorded, and nothing new is begun', async () => {
  let isHeld = true
  const held: (() => void)[] = []
  const { url, received } = await subscriber((_request, response) => {
    if (isHeld) held.push(() => response.end())
    else response.end()
  })
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const worker = await startWorker(service.databaseUrl)
  await addDeliveries(service.database, id, 50)
  await until(() => received.length > 0)
  worker.signal('SIGTERM')
  const ready = () =>
    fetch(`${worker.url}/readyz`).then(
      ({ status }) => status,
      () => 503,
    )
  await until(async () => (await ready()) === 503)
  isHeld = false
  for (const answer of held) answer()
  expect(await worker.exited).toBe(0)
  const counts = await countDeliveries(service.database, id)
  expect(counts['SUCCEEDED']).toBe(received.length)
  expect(received.length).toBeLessThan(50)
  const [left] = await service.database.query<{ held: number }>(
    sql`select count(claim)::int as held from all_deliveries where subscription_id = ${id}`,
  )
  expect(left?.held).toBe(0)
  const next = await startWorkerHere()
  await allSucceeded(id, 50, 550_000)
  expect(received).toHaveLength(50)
  await next.stop()
})

test('a database that goes away under load: the worker goes on by itself when it is back, and nothing is lost', async () => {
  const total = load * 3
  // Half of them wait for their answers until the database is back: so many are left when it goes, however late that is.
  let isBack = false
  const waiting: (() => void)[] = []
  const { url, received } = await subscriber((_request, response) => {
    if (isBack || received.length <= total / 2) response.end()
    else waiting.push(() => response.end())
  })
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  const proxy = await startPostgresProxy(service.databaseUrl)
  const worker = await startWorker(proxy.url, { leaseMs: 2_000 })
  await addDeliveries(service.database, id, total)
  await until(() => received.length > total / 10)
  proxy.shut()
  await sleep(Number(process.env['WEBHOOK_AWAY_MS'] ?? 1_500))
  const meanwhile = received.length
  proxy.open()
  isBack = true
  for (const answer of waiting) answer()
  await allSucceeded(id, total, 550_000)
  expect(meanwhile).toBeLessThan(total)
  expect(new Set(received.map(idOf)).size).toBe(total)
  console.log(`The database was away; ${received.length - total} of ${total} deliveries were sent more than once`)
  await stopAll([worker])
  await proxy.stop()
})

test('a bulk replay whose worker is killed in the middle queues every delivery once', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newTenant()
  const { id } = await subscribe(api, url, { status: 'paused' })
  await addDeliveries(service.database, id, replayed)
  await service.database.query(
    sql`update webhook_deliveries set status = 'FAILED', next_attempt_at = null where subscription_id = ${id}`,
  )
  const workers = await Promise.all([startWorker(service.databaseUrl), startWorker(service.databaseUrl)])
  const job = (await api.post(`/webhooks/${id}/replay`, { since: '2020-01-01T00:00:00Z' })).body
  const jobNow = async () => (await api.get(`/webhooks/${id}/replays/${job.id}`)).body
  for (let killed = 0; killed < 2 && (await jobNow()).status === 'running'; killed++) {
    await sleep(randomInt(5, 60))
    workers[0]?.signal('SIGKILL')
    await workers[0]?.exited
    workers[0] = await startWorker(service.databaseUrl)
  }
  await until(async () => (await jobNow()).status === 'completed', undefined, 550_000)
  expect(await jobNow()).toMatchObject({ matched: replayed, queued: replayed })
  const [row] = await service.database.query<{ most: number }>(
    sql`select max(replay_count)::int as most from all_deliveries where subscription_id = ${id}`,
  )
  expect(row?.most).toBe(1)
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  await allSucceeded(id, replayed, 550_000)
  expect(received).toHaveLength(replayed)
  await stopAll(workers)
})

test('an api node sends nothing; a worker sends, serves health and numbers, and nothing else', async () => {
  const { url, received } = await subscriber(ok)
  const api = await newTenant()
  const { id } = await subscribe(api, url)
  await makeTask(api)
  const worker = await startWorker(service.databaseUrl)
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 1 })
  expect(received).toHaveLength(1)
  expect(await worker.metric('parley_webhook_claimed_deliveries_total')).toBe(1)
  expect(await metricOf(service, 'parley_webhook_claimed_deliveries_total')).toBe(0)
  await until(async () => (await worker.metric('parley_webhook_backlog')) === 0)
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(worker.url + path)).status).toBe(200)
  const headers = { authorization: `Bearer ${service.api.key}` }
  expect((await fetch(`${worker.url}/api/v1/schema`, { headers })).status).toBe(404)
  await stopAll([worker])
})
