// What the client does about trouble on the way: it tries again, keeps its Idempotency-Key, and says clearly what it
// could not mend.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  MethodNotAllowedError,
  NotFoundError,
  Parley,
  ParleyError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnprocessableError,
  UnsupportedMediaTypeError,
} from '../src/index.js'
import { backoffMs, retryAfterMs } from '../src/retry.js'
import { type FlakyProxy, startFlakyProxy } from './support/flaky-proxy.js'

let service: Service
let proxy: FlakyProxy
let parley: Parley

beforeAll(async () => {
  service = await startService()
  proxy = await startFlakyProxy(service.url)
  parley = new Parley({ apiKey: service.api.key, baseUrl: proxy.url })
})
afterAll(async () => {
  await proxy?.stop()
  await service?.stop()
})

const titled = async (title: string) =>
  (await parley.tasks.list({ q: title }).toArray()).filter((task) => task.title === title)
const failure = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

test.each([
  ['a 503', { status: 503 }],
  ['a 429', { status: 429, headers: { 'retry-after': '0' } }],
  ['a gateway that is lost', { status: 502, body: '<h1>Bad gateway</h1>' }],
  ['a reset', 'reset'],
  ['an answer that is lost', 'lost'],
  ['an answer that breaks off', 'cut'],
  ['a failure of the service', { status: 500, body: '{}' }],
] as const)('%s is tried again, and the retried POST makes one row', async (name, fault) => {
  proxy.plan(fault, 'pass')
  const task = await parley.tasks.create({ title: `after ${name}` })
  expect(proxy.seen.map(({ method }) => method)).toEqual(['POST', 'POST'])
  const keys = new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']))
  expect(keys.size).toBe(1)
  expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/)
  expect((await titled(`after ${name}`)).map(({ id }) => id)).toEqual([task.id])
})

test('each call has a key of its own, PATCH and PUT too, and a given one is used', async () => {
  proxy.plan()
  const tasks = parley.tasks
  const task = await tasks.create({ title: 'keys' }, { idempotencyKey: 'mine' })
  const again = await tasks.create({ title: 'keys' }, { idempotencyKey: 'mine' })
  expect(again.id).toBe(task.id)
  await tasks.update(task.id, { priority: 'high' })
  await tasks.replace(task.id, { title: 'keys' })
  const keys = proxy.seen.map(({ headers }) => headers['idempotency-key'])
  expect(keys.slice(0, 2)).toEqual(['mine', 'mine'])
  expect(new Set(keys).size).toBe(3)
  await tasks.delete(task.id)
  expect(proxy.seen.at(-1)?.headers['idempotency-key']).toBeUndefined()
})

test('Retry-After is obeyed', async () => {
  proxy.plan({ status: 429, headers: { 'retry-after': '1' } }, 'pass')
  await parley.schema()
  const [first, second] = proxy.seen
  // Timers and the clock are rounded each by itself.
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(995)
})

test('a service that asks for an hour of patience is not waited for', async () => {
  proxy.plan({ status: 503, headers: { 'retry-after': '3600' } })
  await expect(parley.schema()).rejects.toBeInstanceOf(UnavailableError)
  expect(proxy.seen).toHaveLength(1)
})

test('a DELETE whose answer was lost counts as done', async () => {
  proxy.plan()
  const task = await parley.tasks.create({ title: 'deleted once' })
  proxy.plan('lost', 'pass')
  await parley.tasks.delete(task.id)
  expect(proxy.seen).toHaveLength(2)
  await expect(parley.tasks.delete(task.id)).rejects.toBeInstanceOf(NotFoundError)
})

test('what does not pass is not tried again, nor is a 500 that may have done something', async () => {
  proxy.plan({ status: 501, body: '{}' })
  expect(await failure(parley.schema())).toBeInstanceOf(ServerError)
  expect(proxy.seen).toHaveLength(1)
  proxy.plan({ status: 500, body: '{}' })
  const bytes = { content: new TextEncoder().encode('x'), type: 'text/plain' }
  expect(await failure(parley.request({ method: 'POST', path: '/tasks', bytes }))).toBeInstanceOf(ServerError)
  expect(proxy.seen).toHaveLength(1)
})

test('when no attempt is left, the last trouble is shown', async () => {
  proxy.plan('reset', 'reset')
  const error = await failure(parley.schema({ maxRetries: 1 }))
  expect(error).toBeInstanceOf(ConnectionError)
  expect((error as Error).message).toContain('ECONNRESET')
  expect(proxy.seen).toHaveLength(2)
})

test('with maxWaits a busy service is waited for besides, and one that is away is not', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' } }
  const patient = new Parley({ apiKey: service.api.key, baseUrl: proxy.url, maxRetries: 1, maxWaits: 5 })
  proxy.plan(busy, busy, busy, { status: 503, headers: { 'retry-after': '0' } }, 'reset', busy, 'pass')
  await patient.schema()
  expect(proxy.seen).toHaveLength(7)
  for (const fault of ['reset', { status: 502 }] as const) {
    proxy.plan(fault, fault, fault)
    await failure(patient.schema())
    expect(proxy.seen).toHaveLength(2)
  }
  proxy.plan(...Array.from({ length: 20 }, () => busy))
  expect(await failure(patient.schema())).toBeInstanceOf(RateLimitError)
  expect(proxy.seen).toHaveLength(7)
})

test('a time-out is per attempt, and is trouble that passes', async () => {
  proxy.plan('hang', 'pass')
  // Further attempts are for a machine that is too busy to answer one in time.
  expect((await parley.schema({ timeoutMs: 1_000, maxRetries: 10 })).apiVersion).toBe('v1')
  proxy.plan('hang')
  await expect(parley.schema({ timeoutMs: 100, maxRetries: 0 })).rejects.toBeInstanceOf(TimeoutError)
})

test('an AbortSignal ends a request and a wait between attempts, with its own reason', async () => {
  proxy.plan('hang')
  const reason = new Error('enough')
  await expect(parley.schema({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
  const controller = new AbortController()
  proxy.plan({ status: 503, headers: { 'retry-after': '30' } })
  setTimeout(() => controller.abort(reason), 100)
  await expect(parley.schema({ signal: controller.signal })).rejects.toBe(reason)
  await expect(parley.schema({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('every status has its class, with code, details and request id', async () => {
  const tasks = parley.tasks
  const task = await tasks.create({ title: 'errors' }, { idempotencyKey: 'errors-1' })
  const read = new Parley({ apiKey: (await service.keyOf(service.demo.id, 'sandbox', 'READ')).key, baseUrl: proxy.url })
  const unknown = new Parley({ apiKey: `ak_test_${'0'.repeat(32)}`, baseUrl: proxy.url })
  const post = { method: 'POST', path: '/tasks' } as const
  const text = { ...post, bytes: { content: new TextEncoder().encode('a=1'), type: 'text/plain' } }
  const cases = [
    [() => tasks.create({ title: ' ' }), BadRequestError, 400, 'bad_request'],
    [() => unknown.schema(), AuthenticationError, 401, 'unauthorized'],
    [() => read.tasks.create({ title: 'no' }), PermissionError, 403, 'forbidden'],
    [() => tasks.get('01900000-0000-7000-8000-000000000000'), NotFoundError, 404, 'not_found'],
    [
      () => parley.request({ method: 'PUT', path: `/calls/${task.id}`, body: {} }),
      MethodNotAllowedError,
      405,
      'method_not_allowed',
    ],
    [() => tasks.update(task.id, { title: 'x' }, { ifMatch: 99 }), ConflictError, 409, 'conflict'],
    [
      () => tasks.create({ title: 'x', description: 'x'.repeat(2 ** 20) }),
      PayloadTooLargeError,
      413,
      'payload_too_large',
    ],
    [() => parley.request(text), UnsupportedMediaTypeError, 415, 'unsupported_media_type'],
    [
      () => tasks.create({ title: 'other' }, { idempotencyKey: 'errors-1' }),
      UnprocessableError,
      422,
      'idempotency_conflict',
    ],
  ] as const
  for (const [ask, Class, status, code] of cases) {
    const error = (await failure(ask())) as ApiError
    expect(error, `${status}`).toBeInstanceOf(Class)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, code, name: Class.name })
    expect(error.requestId).toBe(error.headers.get('x-request-id'))
    expect(error.requestId).toMatch(/./)
  }
  const issues = ((await failure(tasks.create({ title: '' }))) as BadRequestError).issues
  expect(issues).toEqual([expect.objectContaining({ path: 'title' })])
  const scope = (await failure(read.tasks.delete(task.id))) as PermissionError
  expect(scope.details).toMatchObject({ requiredScope: 'WRITE' })
})

test('a bucket that stays empty is a RateLimitError', async () => {
  const slow = await service.node({ PARLEY_RATE_LIMIT_READ: '1:1' })
  const client = new Parley({ apiKey: service.api.key, baseUrl: slow.url, maxRetries: 0, pacing: false })
  await client.schema()
  // As many at once as no machine takes so long for that the bucket has a token for each.
  const crowd = await Promise.allSettled(Array.from({ length: 40 }, () => client.schema()))
  const [error] = crowd.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(error).toBeInstanceOf(RateLimitError)
  expect(Number(error.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const patient = new Parley({ apiKey: service.api.key, baseUrl: slow.url })
  expect((await patient.schema()).apiVersion).toBe('v1')
})

test('a wrong address is said in words', async () => {
  expect(() => new Parley({ apiKey: 'ak', baseUrl: 'localhost:3000' })).toThrow(/http or https/)
  expect(() => new Parley({ apiKey: '', baseUrl: 'http://localhost' })).toThrow(/apiKey/)
  const nobody = new Parley({ apiKey: 'ak', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
  await expect(nobody.schema()).rejects.toThrow(/not reached: (ECONNREFUSED|bad port)/)
  proxy.plan({ status: 200, body: '<html>' })
  await expect(parley.schema()).rejects.toThrow(ParleyError)
  expect((await new Parley({ apiKey: service.api.key, baseUrl: `${service.url}/api/v1/` }).schema()).apiVersion).toBe(
    'v1',
  )
})

test('another fetch, with a Response of its own, does as well', async () => {
  const foreign = async (...args: Parameters<typeof fetch>) => {
    const answer = await fetch(...args)
    const { ok, status, statusText, headers, body } = answer
    return { ok, status, statusText, headers, body, arrayBuffer: () => answer.arrayBuffer() }
  }
  const client = new Parley({
    apiKey: service.api.key,
    baseUrl: service.url,
    fetch: foreign as unknown as typeof fetch,
  })
  const task = await client.tasks.create({ title: 'by another' })
  await client.notes.create({ body: 'x', subjectType: 'person', subjectId: task.id })
  for await (const event of client.events.stream({ lastEventId: '' })) {
    expect(event.eventId).toMatch(/^\w{26}$/)
    break
  }
})

test('requests leave nothing behind on a signal that lives on', async () => {
  const { signal } = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => (
    listeners++, addEventListener.apply(signal, args)
  )
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => (
    listeners--, removeEventListener.apply(signal, args)
  )
  proxy.plan({ status: 503, headers: { 'retry-after': '0' } })
  await parley.schema({ signal })
  expect(proxy.seen).toHaveLength(2)
  expect(listeners).toBe(0)
})

test('waiting doubles up to eight seconds, less a random part', () => {
  expect([0, 1, 2, 3, 4, 9].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 8_000,
  ])
  expect(backoffMs(0, () => 0)).toBe(250)
  const at = Date.parse('2026-01-01T00:00:00Z')
  const after = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), at)
  expect([after('2'), after('Thu, 01 Jan 2026 00:00:05 GMT'), after('soon')]).toEqual([2_000, 5_000, undefined])
})
