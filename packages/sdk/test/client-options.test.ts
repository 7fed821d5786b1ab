// What a client is made with and what it tells: defaults from the environment, the answer behind a record, a log, its
// turn at the rate limit, and clear words for an id or a key that is missing.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { ApiPromise, type Logger, NotFoundError, Parley, ParleyError, verifyWebhook } from '../src/index.js'
import { type FlakyProxy, startFlakyProxy } from './support/flaky-proxy.js'

let service: Service
let proxy: FlakyProxy
let parley: Parley

beforeAll(async () => {
  service = await startService()
  proxy = await startFlakyProxy(service.url)
  parley = new Parley({ apiKey: service.api.key, baseUrl: proxy.url })
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await proxy?.stop()
  await service?.stop()
})

test('key and address come from the environment, and what is said wins', async () => {
  vi.stubEnv('PARLEY_API_KEY', service.api.key)
  vi.stubEnv('PARLEY_BASE_URL', service.url)
  expect((await new Parley().schema()).organization.environment).toBe('sandbox')
  const live = new Parley({ apiKey: service.demo.live.key })
  expect((await live.schema()).organization.environment).toBe('production')
})

test('what is missing is named, with what to do about it', () => {
  vi.stubEnv('PARLEY_API_KEY', undefined)
  vi.stubEnv('PARLEY_BASE_URL', undefined)
  expect(() => new Parley()).toThrow('No apiKey: set PARLEY_API_KEY, or pass new Parley({ apiKey })')
  expect(() => new Parley({ apiKey: 'ak_test_x' })).toThrow('No baseUrl: set PARLEY_BASE_URL')
  expect(() => new Parley({ apiKey: 'ak_test_x\n', baseUrl: 'http://x' })).toThrow('copy it again')
})

test('withResponse tells status, headers and request id of an answer, a list and an unwrapped one', async () => {
  const made = parley.tasks.create({ title: 'With its answer' })
  expect(made).toBeInstanceOf(ApiPromise)
  const { data, status, headers, requestId } = await made.withResponse()
  expect({ title: data.title, status }).toEqual({ title: 'With its answer', status: 201 })
  expect(requestId).toMatch(/./)
  expect(headers.get('x-request-id')).toBe(requestId)
  expect((await made).id).toBe(data.id)
  const page = await parley.tasks.list({ limit: 1 }).withResponse()
  expect(page).toMatchObject({ status: 200, data: { data: [{ id: data.id }], requestId: page.requestId } })
  const found = await parley.people.byPhone('+12025550143').withResponse()
  expect(found).toMatchObject({ status: 200, data: null })
  expect(await parley.tasks.delete(data.id).withResponse()).toMatchObject({ status: 204, data: undefined })
})

test('a failure that is asked for with withResponse is heard there, and nowhere else', async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => void unheard.push(reason)
  process.on('unhandledRejection', hear)
  const missing = parley.tasks.get('01900000-0000-7000-8000-000000000000').withResponse()
  await expect(missing).rejects.toBeInstanceOf(NotFoundError)
  await parley.people
    .byPhone('nobody')
    .withResponse()
    .catch(() => undefined)
  // Unhandled rejections are told of after the microtasks of a turn.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', hear)
  expect(unheard).toEqual([])
})

test.each([
  ['empty', ''],
  ['undefined', undefined],
  ['a whole record', { id: 'x' }],
  ['the level above', '..'],
])('an id that is %s sends nothing and says so', async (_, id) => {
  proxy.plan()
  // A caller without types gives anything.
  const given = id as string
  for (const ask of [
    () => parley.people.get(given),
    () => parley.calls.end(given),
    () => parley.webhooks.delivery(given, 'x'),
    () => parley.tasks.delete(given),
    () => parley.calls.transcriptText(given),
  ])
    await expect(ask().catch((error: unknown) => Promise.reject(error))).rejects.toThrow(/An id is missing in \//)
  expect(proxy.seen).toEqual([])
})

test('a secret that is not set is named as that', async () => {
  const secret = undefined as unknown as string
  await expect(verifyWebhook('{}', {}, secret)).rejects.toThrow(/got no secret: is the variable set/)
})

test('a log tells of answers, of what is tried again and of what failed, and never of keys or queries', async () => {
  const lines: string[] = []
  const to = (level: string) => (message: string, details: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(details)}`)
  const logger: Logger = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') }
  const options = { apiKey: service.api.key, baseUrl: proxy.url, logger }
  proxy.plan({ status: 503, headers: { 'retry-after': '0' } }, 'pass')
  await new Parley({ ...options, logLevel: 'info' }).people.list({ q: 'dana' })
  expect(lines).toEqual([
    expect.stringMatching(/^info GET \/people 503 /),
    expect.stringMatching(/^warn GET \/people is tried again \{"waitMs":\d+,"status":503\}$/),
    expect.stringMatching(/^info GET \/people 200 \{"ms":\d+,"requestId":"[\w-]+"\}$/),
  ])
  lines.length = 0
  await new Parley({ ...options, logLevel: 'error' }).people.get('nobody').catch(() => undefined)
  expect(lines).toEqual([expect.stringMatching(/^error GET \/people\/nobody failed /)])
  lines.length = 0
  await new Parley({ ...options, logLevel: 'debug' }).people.list({ q: 'dana' })
  expect(lines[0]).toMatch(/^debug GET \/people\?q=dana /)
  expect(lines.join('\n')).not.toContain(service.api.key)
  lines.length = 0
  await new Parley(options).schema()
  expect(lines).toEqual([])
  vi.stubEnv('PARLEY_LOG', 'info')
  await new Parley(options).schema()
  expect(lines).toHaveLength(1)
})

test('forty writers at once finish without an error, paced by a small bucket; without pacing they do not', async () => {
  const slow = await service.node({ PARLEY_RATE_LIMIT_WRITE: '20:5' })
  const crowd = (client: Parley, who: string) =>
    Promise.allSettled(Array.from({ length: 40 }, (_, index) => client.tasks.create({ title: `${who} ${index}` })))
  const account = { apiKey: service.api.key, baseUrl: slow.url }
  const paced = await crowd(new Parley(account), 'paced')
  expect(paced.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(new Set(paced.map((one) => one.status === 'fulfilled' && one.value.title)).size).toBe(40)
  // With fewer tokens a second than any machine needs to notice.
  const slower = await service.node({ PARLEY_RATE_LIMIT_WRITE: '1:5' })
  const rushing = { ...account, baseUrl: slower.url, pacing: false, maxRetries: 0 }
  const rushed = await crowd(new Parley(rushing), 'rushed')
  expect(rushed.some(({ status }) => status === 'rejected')).toBe(true)
})

test('a page of the service needs no address: its session and its origin do', async () => {
  vi.stubGlobal('location', { origin: service.url })
  try {
    expect(await new Parley({ session: {} }).session.get()).toMatchObject({ user: null })
  } finally {
    vi.unstubAllGlobals()
  }
  expect(() => new Parley({ session: {} })).toThrow(ParleyError)
})
