// Rate limits as a caller meets them: headers that count down, 429 with the time to wait, buckets that are kept apart,
// limits of one organization.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { setLimits } from '../../../src/program/create-organization.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Answer, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  // Tokens come back as slowly as the settings allow, so that a busy machine does not fill buckets while a test looks
  // at them.
  service = await startService({
    PARLEY_RATE_LIMIT_READ: '1:10',
    PARLEY_RATE_LIMIT_WRITE: '1:4',
    PARLEY_TRUST_PROXY: 'true',
  })
})
afterAll(() => service.stop())

const limitsOf = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
const repeat = <T>(times: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, work))

describe('a bucket', () => {
  test('starts full, counts down, refuses with the time to wait, and refills', async () => {
    const { sandbox } = await service.organization('Counting')
    const startedAt = Date.now()
    const answers = await repeat(16, () => sandbox.get('/organization'))
    const took = (Date.now() - startedAt) / 1_000
    const allowed = answers.filter(({ status }) => status === 200)
    expect(allowed.length).toBeGreaterThanOrEqual(10)
    expect(allowed.length).toBeLessThanOrEqual(10 + Math.ceil(took))
    expect(allowed.map(limitsOf).every(([limit]) => limit === 10)).toBe(true)
    const remaining = allowed.map((answer) => limitsOf(answer)[1] as number)
    expect(Math.max(...remaining)).toBe(9)
    expect(new Set(remaining).size).toBeGreaterThanOrEqual(10 - Math.ceil(took))
    const [, , resetAt] = limitsOf(allowed.at(-1) as Answer) as [number, number, number]
    expect(resetAt).toBeGreaterThanOrEqual(Math.floor(startedAt / 1_000))
    expect(resetAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 10)
    const refused = (await repeat(8, () => sandbox.get('/organization'))).find(({ status }) => status === 429) as Answer
    expectRefusal(refused, 429, 'rate_limited')
    expect(refused.body.error).not.toHaveProperty('details')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(limitsOf(refused).slice(0, 2)).toEqual([10, 0])
    await delay(1_100)
    expect((await sandbox.get('/organization')).status).toBe(200)
  })

  test('is one for reads and another for writes', async () => {
    const { sandbox } = await service.organization('Two buckets')
    const writes = await repeat(12, () => sandbox.post('/tasks', { title: 'x' }))
    expect(writes.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2)
    expect(limitsOf(writes[0] as Answer)[0]).toBe(4)
    const read = await sandbox.get('/tasks')
    expect([read.status, limitsOf(read)[0], limitsOf(read)[1]]).toEqual([200, 10, 9])
    const head = await sandbox.request('HEAD', '/tasks')
    expect([head.status, limitsOf(head)[0]]).toEqual([200, 10])
  })

  test('is one for each side and organization, and the same for all keys of a side', async () => {
    const [one, other] = [await service.organization('One'), await service.organization('Other')]
    const second = await service.keyOf(one.id, 'sandbox', 'READ')
    await repeat(9, () => one.sandbox.get('/organization'))
    expect(limitsOf(await second.get('/organization'))[1]).toBeLessThan(5)
    for (const client of [one.live, other.sandbox, other.live])
      expect(limitsOf(await client.get('/organization'))[1]).toBe(9)
  })

  test('is spent by every authenticated request: refusals, replays, unknown paths and methods', async () => {
    const { sandbox, id } = await service.organization('Spending')
    const reader = await service.keyOf(id, 'sandbox', 'READ')
    // So rare a token does not come back while the test runs.
    const rare = { sustained: 0.001, burst: 50 }
    await setLimits(service.database, id, { read: rare, write: rare }, false)
    await expect.poll(async () => limitsOf(await sandbox.get('/organization'))[0]).toBe(50)
    const left = async (answer: Promise<Answer>) => limitsOf(await answer)[1] as number
    const reads = [
      await left(sandbox.get('/nonsense')),
      await left(sandbox.get(`/tasks/${nobodysId}`)),
      await left(sandbox.get('/tasks?limit=0')),
    ]
    expect(reads).toEqual([0, 1, 2].map((spent) => Number(reads[0]) - spent))
    const writes = await Promise.all([
      left(sandbox.post('/schema')),
      left(reader.post('/tasks', {})),
      left(sandbox.post('/tasks', '{')),
    ])
    expect(writes.toSorted()).toEqual([47, 48, 49])
  })

  test('comes before scope, shape and existence: a flood learns nothing more', async () => {
    const { id } = await service.organization('Flooding')
    const reader = await service.keyOf(id, 'sandbox', 'READ')
    const answers = await repeat(12, () => reader.post('/tasks', '{'))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]))
  })
})

test('an organization with limits of its own has them on both sides, within a second of being told', async () => {
  const { sandbox, live, id } = await service.organization('Special')
  expect(limitsOf(await sandbox.get('/organization'))[0]).toBe(10)
  await setLimits(service.database, id, { read: { sustained: 50, burst: 70 }, write: undefined }, false)
  for (const client of [sandbox, live])
    await expect.poll(async () => limitsOf(await client.get('/organization'))[0]).toBe(70)
  expect(limitsOf(await sandbox.post('/tasks', { title: 'x' }))[0]).toBe(4)
  await setLimits(service.database, id, { read: undefined, write: undefined }, true)
  await expect.poll(async () => limitsOf(await sandbox.get('/organization'))[0]).toBe(10)
})

test('a request without credentials has no rate headers', async () => {
  const response = await fetch(`${service.url}/api/v1/tasks`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([401, null])
})

describe('failed authentication', () => {
  afterEach(() => void vi.useRealTimers())
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const wrong = 'ak_test_0123456789ABCDEFGHJKMNPQRSTVWXYZ'

  test('is limited for each address: over 40 at once, unknown keys get 429 without a look-up, and others are not touched', async () => {
    const stranger = clientOf(service.url, wrong)
    const { sandbox } = await service.organization('Innocent')
    expect((await sandbox.get('/organization', from('203.0.113.9'))).status).toBe(200)
    const fresh = await service.keyOf(service.demo.id, 'sandbox', 'READ')
    const malformed = clientOf(service.url, 'ak_test_short')
    // In one moment of the clock, however long it takes.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const answers = (
      await repeat(30, () =>
        Promise.all([malformed, stranger].map((client) => client.get('/tasks', from('203.0.113.9')))),
      )
    ).flat()
    vi.useRealTimers()
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(40).fill(401), ...Array(20).fill(429)])
    expectRefusal(refused[0] as Answer, 429, 'rate_limited')
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await stranger.get('/tasks', from('203.0.113.10'))).status).toBe(401)
    expect((await fresh.get('/organization', from('203.0.113.10'))).status).toBe(200)
    expect((await sandbox.get('/organization', from('203.0.113.9'))).status).toBe(200)
    await delay(1_100)
    expect((await stranger.get('/tasks', from('203.0.113.9'))).status).toBe(401)
  })

  test('counts the address of the connection, whatever a caller forwards, unless a proxy is trusted', async () => {
    const direct = await startService()
    const stranger = clientOf(direct.url, 'ak_test_short')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => stranger.get('/tasks', from(`203.0.113.${index}`))),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    await direct.stop()
  })
})
