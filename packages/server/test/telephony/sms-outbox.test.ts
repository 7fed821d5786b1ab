import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { smsSending } from '../../src/resources/messaging/sms-outbox-adapter.js'
import type { Carriers, OutgoingText, SendResult } from '../../src/telephony/carrier.js'
import { createSmsOutbox, LEASE_MS, type OutboxParts } from '../../src/telephony/sms-outbox.js'
import { claimTexts } from '../../src/telephony/sms-queue.js'
import { committing } from '../support/committing.js'
import { eventsOf } from '../support/events.js'
import { programFile } from '../support/run/bundled-programs.js'
import { type Client, type Service, secret, startService } from '../support/service.js'
import { until } from '../support/until.js'

// The node serves the API only; each test runs the workers it needs.
let service: Service
const known: Carriers = {
  post: { open: () => ({ send: async () => Promise.reject(new Error('only for asking whether there is a carrier')) }) },
}
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' }, { carriers: known })
})
afterAll(() => service.stop())

async function liveSide(config: object = {}): Promise<Client> {
  const { live } = await service.organization('Live')
  await live.post('/integration-connections', {
    provider: 'post',
    name: 'Post',
    kind: 'telephony',
    status: 'active',
    config,
  })
  await live.post('/phone-numbers', { e164: '+15550109001', isDefault: true })
  return live
}

const queue = (api: Client, count: number) =>
  Promise.all(
    Array.from(
      { length: count },
      async (_, index) => (await api.post('/sms', { to: `+155501${10_000 + index}`, body: `Text ${index}` })).body,
    ),
  )

function worker(
  send: (text: OutgoingText) => Promise<SendResult>,
  clock = () => new Date(),
  more: Partial<OutboxParts> = {},
) {
  const carriers: Carriers = { post: { open: () => ({ send }) } }
  const trouble: Error[] = []
  const parts = { ...committing(service.database), clock, carriers, onCommit: () => {} }
  const outbox = createSmsOutbox({
    database: service.database,
    clock,
    onTrouble: (error) => trouble.push(error),
    ...smsSending(parts),
    ...more,
  })
  return { outbox, trouble }
}

const backlog = async (): Promise<number> =>
  (await service.database.read<[number]>(sql`select count(*) from sms_outbox`))[0]?.[0] ?? -1
const unclaimed = async (): Promise<number> =>
  (await service.database.read<[number]>(sql`select count(*) from sms_outbox where claim is null`))[0]?.[0] ?? -1
const statuses = async (api: Client) =>
  (await api.get('/sms?limit=100')).body.data.map(({ status }: { status: string }) => status)

/** A carrier that keeps its promise: one text per key, whoever asks and however often. */
function postOffice() {
  const requests: string[] = []
  const texts = new Map<string, string>()
  const accept = ({ idempotencyKey, body }: OutgoingText): SendResult => {
    requests.push(idempotencyKey)
    texts.set(idempotencyKey, texts.get(idempotencyKey) ?? body)
    return { kind: 'accepted', providerMessageId: `P-${idempotencyKey}` }
  }
  return { requests, texts, accept }
}

test('a worker that is killed in the middle leaves nothing unsent, nothing sent twice, and one event a text', async () => {
  const office = postOffice()
  /** The first few are accepted without a word, so that the worker dies knowing nothing of it. */
  const silent = 5
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const answer = office.accept(JSON.parse(body))
      if (office.texts.size > silent) setTimeout(() => response.end(JSON.stringify(answer)), 20)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const live = await liveSide({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const queued = await queue(live, 40)
  expect(await backlog()).toBe(40)

  const child = await startWorker()
  await until(
    async () => office.texts.size,
    (count) => count > 15,
  )
  child.kill('SIGKILL')
  await once(child, 'close')
  // What the dead worker held is nobody's until its lease lapses; the rest is anybody's.
  const early = worker(async (text) => office.accept(text))
  early.outbox.start()
  await until(unclaimed, (count) => count === 0)
  await early.outbox.stop()
  const held = await backlog()
  expect(held).toBeGreaterThanOrEqual(silent)
  expect((await statuses(live)).filter((status: string) => status === 'queued')).toHaveLength(held)

  const { outbox, trouble } = worker(
    async (text) => office.accept(text),
    () => new Date(Date.now() + LEASE_MS + 1_000),
  )
  outbox.start()
  await until(backlog, (count) => count === 0)
  await outbox.stop()
  server.closeAllConnections()
  server.close()
  expect(trouble).toEqual([])
  expect([...office.texts.keys()].sort()).toEqual(queued.map(({ id }) => id).sort())
  expect(office.requests.length).toBeGreaterThanOrEqual(40 + silent)
  expect(await statuses(live)).toEqual(Array(40).fill('sent'))
  const events = await eventsOf(service, live)
  expect(events.map(({ type }) => type)).toEqual(Array(40).fill('sms.sent'))
  expect(new Set(events.map(({ data }) => data.smsId)).size).toBe(40)
  for (const { data } of events) expect(data.sms.providerMessageId).toBe(`P-${data.smsId}`)
})

async function startWorker(): Promise<ChildProcess> {
  const script = await programFile('texting-worker')
  return spawn(process.execPath, [script, service.databaseUrl, secret], { stdio: ['ignore', 'ignore', 'inherit'] })
}

test('two workers share a backlog and ask for each text once', async () => {
  const live = await liveSide()
  const office = postOffice()
  const queued = await queue(live, 60)
  const slowly = async (text: OutgoingText) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return office.accept(text)
  }
  const workers = [worker(slowly), worker(slowly), worker(slowly)]
  for (const { outbox } of workers) outbox.start()
  await until(backlog, (count) => count === 0)
  for (const { outbox } of workers) await outbox.stop()
  expect(office.requests.sort()).toEqual(queued.map(({ id }) => id).sort())
  expect(await eventsOf(service, live)).toHaveLength(60)
  expect(workers.flatMap(({ trouble }) => trouble)).toEqual([])
})

test('a worker that was thought dead cannot settle what its successor settled', async () => {
  const live = await liveSide()
  const [sms] = await queue(live, 1)
  const office = postOffice()
  let speak = () => {}
  const slow = new Promise<void>((resolve) => {
    speak = resolve
  })
  const first = worker(async (text) => {
    office.accept(text)
    await slow
    return { kind: 'refused', errorCode: 'late', errorMessage: 'Whatever it says now is not asked for any more' }
  })
  first.outbox.start()
  await until(
    async () => office.requests.length,
    (count) => count === 1,
  )
  const second = worker(
    async (text) => office.accept(text),
    () => new Date(Date.now() + LEASE_MS + 1_000),
  )
  second.outbox.start()
  await until(backlog, (count) => count === 0)
  speak()
  await Promise.all([first.outbox.stop(), second.outbox.stop()])
  expect((await live.get(`/sms/${sms.id}`)).body).toMatchObject({ status: 'sent', errorCode: null, version: 2 })
  expect((await eventsOf(service, live)).map(({ type }) => type)).toEqual(['sms.sent'])
  expect([...office.texts]).toEqual([[sms.id, 'Text 0']])
  expect([...first.trouble, ...second.trouble]).toEqual([])
})

test('a carrier that does not answer in time is asked again', async () => {
  const live = await liveSide()
  const [sms] = await queue(live, 1)
  let asked = 0
  // On a clock that stands, the next time never comes.
  const now = new Date()
  const { outbox } = worker(
    () => new Promise(() => asked++),
    () => now,
    { carrierTimeoutMs: 50 },
  )
  outbox.start()
  await until(
    async () => asked,
    (count) => count === 1,
  )
  await until(
    async () =>
      (
        await service.database.read<[string | null]>(sql`select claim from sms_outbox where sms_id = ${sms.id}`)
      )[0]?.[0],
    (claim) => claim === null,
  )
  await outbox.stop()
  expect(asked).toBe(1)
  expect((await live.get(`/sms/${sms.id}`)).body).toMatchObject({ status: 'queued', version: 1 })
  await service.database.query(sql`delete from sms_outbox`)
})

test('claims are exclusive, oldest first, and lapse', async () => {
  const live = await liveSide()
  const queued = await queue(live, 10)
  const now = new Date()
  const claims = await Promise.all(Array.from({ length: 4 }, () => claimTexts(service.database, now, LEASE_MS, 3)))
  const ids = claims.flat().map(({ smsId }) => smsId)
  expect(ids.sort()).toEqual(queued.map(({ id }) => id).sort())
  expect(await claimTexts(service.database, now, LEASE_MS, 20)).toEqual([])
  const lapsed = await claimTexts(service.database, new Date(now.getTime() + LEASE_MS), LEASE_MS, 20)
  expect(lapsed.map(({ attempts }) => attempts)).toEqual(Array(10).fill(2))
  await service.database.query(sql`delete from sms_outbox`)
})

test('a text whose answer is not committed is not queued: an idempotent retry queues it once', async () => {
  const live = await liveSide()
  const headers = { 'idempotency-key': 'send-once' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => live.post('/sms', { to: '+15550100200', body: 'Once' }, headers)),
  )
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await backlog()).toBe(1)
  await service.database.query(sql`delete from sms_outbox`)
})
