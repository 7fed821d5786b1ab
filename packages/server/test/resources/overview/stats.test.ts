// Numbers of what happened: equal to what the lists hold, at every moment, in the organization's time zone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { addUpStats } from '../../../src/resources/overview/count-stats.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  // Without workers, so that the log of changes is added up when the test says so, and without the requests that are
  // counted into it every few seconds.
  service = await startService({ PARLEY_ROLE: 'api', PARLEY_USAGE_INTERVAL: '10m' })
  api = service.api
})
afterAll(() => service.stop())

const make = async (path: string, body: object, client = api): Promise<any> => {
  const answer = await client.post(path, body)
  expect([200, 201], answer.text).toContain(answer.status)
  return answer.body
}
let calls = 0
async function makeCall(startedAt: string, end: object | undefined, direction = 'inbound', client = api) {
  const call = await make(
    '/calls',
    { direction, from: '+15550109001', to: '+15550100100', startedAt, provider: 'test', providerCallId: `${calls++}` },
    client,
  )
  if (end) await make(`/calls/${call.id}/end`, end, client)
  return call
}
const answered = (startedAt: string, rangMs: number) => {
  const answeredAt = new Date(Date.parse(startedAt) + rangMs).toISOString()
  return async () => {
    const call = await makeCall(startedAt, undefined)
    await api.patch(`/calls/${call.id}`, { status: 'in_progress', answeredAt })
    await make(`/calls/${call.id}/end`, { endedAt: new Date(Date.parse(answeredAt) + 60_000).toISOString() })
  }
}

interface Counted {
  readonly value: number
  readonly rows: string
}
const isCounted = (value: unknown): value is Counted =>
  typeof value === 'object' && value !== null && 'rows' in value && 'value' in value

/** Every number anywhere in the answer, against the list that it names. */
async function expectEqualToLists(body: object, client = api): Promise<number> {
  let checked = 0
  const walk = async (value: unknown): Promise<void> => {
    if (isCounted(value)) {
      checked++
      const { pagination } = (await client.get(`${value.rows}&count=true&limit=1`)).body
      expect(pagination.count, value.rows).toBe(value.value)
    } else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) await walk(one)
  }
  await walk(body)
  return checked
}

const span = 'from=2026-03-02T00:00:00Z&to=2026-03-05T00:00:00Z'

test('every number is that of its list, before and after the changes are added up', async () => {
  await answered('2026-03-02T09:00:00Z', 4_000)()
  await answered('2026-03-02T09:20:00Z', 8_000)()
  await answered('2026-03-03T23:59:59Z', 20_000)()
  await makeCall('2026-03-02T10:00:00Z', { outcome: 'missed' })
  await makeCall('2026-03-03T10:00:00Z', { outcome: 'missed' })
  await makeCall('2026-03-04T10:00:00Z', { duration: 30 }, 'outbound')
  await makeCall('2026-03-09T10:00:00Z', { outcome: 'missed' })
  await make('/sms/inbound', {
    from: '+15550109001',
    to: '+15550100100',
    body: 'Hello',
    sentAt: '2026-03-04T12:00:00Z',
  })
  const person = await make('/people', { displayName: 'Ana' })
  const fact = (value: string) =>
    make('/facts', {
      subjectType: 'person',
      subjectId: person.id,
      key: `colour_${value}`,
      value,
      observedAt: '2026-03-03T12:00:00Z',
    })
  const [red, blue] = [await fact('red'), await fact('blue')]
  await make(`/facts/${red.id}/confirm`, {})
  await make(`/facts/${blue.id}/reject`, {})
  const ended = await makeCall('2026-03-02T11:00:00Z', { duration: 3, endedAt: '2026-03-02T11:00:05Z' })
  const draft = await make('/drafts', { callSessionId: ended.id })
  expect(draft.status).toBe('pending_review')
  await make('/webhooks', { url: 'https://example.com/hook', name: 'Mine' })
  const { body } = await api.get(`/stats?${span}`)
  expect(body).toMatchObject({
    from: '2026-03-02T00:00:00.000Z',
    to: '2026-03-05T00:00:00.000Z',
    timezone: 'UTC',
    interval: 'day',
    totals: {
      callsMissed: { value: 2 },
      callsMade: { value: 1 },
      textsReceived: { value: 1 },
      timeToAnswerMs: { p50: 4_000, p90: 20_000, rows: expect.stringContaining('status=completed') },
      draftWaitMs: { rows: '/drafts?status=pending_review' },
      draftsWaiting: { value: 1 },
      facts: [
        { key: 'colour_blue', accepted: { value: 0 }, rejected: { value: 1 } },
        { key: 'colour_red', accepted: { value: 1 }, rejected: { value: 0 } },
      ],
      webhooks: [{ name: 'Mine', status: 'active', failing: { value: 0 } }],
    },
  })
  expect(body.series.map(({ at, callsMissed }: any) => [at, callsMissed.value])).toEqual([
    ['2026-03-02T00:00:00.000Z', 1],
    ['2026-03-03T00:00:00.000Z', 1],
    ['2026-03-04T00:00:00.000Z', 0],
  ])
  expect(body.series[2].timeToAnswerMs).toBeNull()
  expect(await expectEqualToLists(body)).toBe(6 * 4 + 1 + 4 + 1)
  // What is in the log still is not counted twice while it is added up, by however many nodes.
  const [[before]] = [await service.database.query(sql`select count(*)::int as changes from stat_changes`)]
  expect(before?.['changes']).toBeGreaterThan(5)
  await Promise.all([1, 2, 3].map(() => addUpStats(service.database)))
  expect(await service.database.query(sql`select 1 as one from stat_changes`)).toEqual([])
  const after = (await api.get(`/stats?${span}`)).body
  const timeless = (totals: object) => ({ ...totals, draftWaitMs: undefined })
  expect(timeless(after.totals)).toEqual(timeless(body.totals))
  expect(after.series).toEqual(body.series)
})

test('days and hours are those of the organization, also when clocks change', async () => {
  const { sandbox: client } = await service.organization('Berlin')
  await client.patch('/organization', { settings: { timezone: 'Europe/Berlin' } })
  // The night in which 2:00 becomes 3:00, and the one in which 3:00 becomes 2:00 again.
  for (const at of ['2026-03-28T22:59:00Z', '2026-03-28T23:30:00Z', '2026-03-29T21:30:00Z', '2026-03-29T22:10:00Z'])
    await makeCall(at, { outcome: 'missed' }, 'inbound', client)
  const days = (await client.get('/stats?from=2026-03-28T12:00:00Z&to=2026-03-30T12:00:00Z')).body
  expect(days.series.map(({ at, callsMissed }: any) => [at, callsMissed.value])).toEqual([
    ['2026-03-27T23:00:00.000Z', 1],
    ['2026-03-28T23:00:00.000Z', 2],
    ['2026-03-29T22:00:00.000Z', 1],
  ])
  await expectEqualToLists(days, client)
  for (const at of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'])
    await makeCall(at, { outcome: 'missed' }, 'inbound', client)
  const hours = (await client.get('/stats?interval=hour&from=2026-10-25T00:00:00Z&to=2026-10-25T02:00:00Z')).body
  expect(hours.series.map(({ at, callsMissed }: any) => [at, callsMissed.value])).toEqual([
    ['2026-10-25T00:00:00.000Z', 1],
    ['2026-10-25T01:00:00.000Z', 1],
  ])
  const kathmandu = (await service.organization('Kathmandu')).sandbox
  await kathmandu.patch('/organization', { settings: { timezone: 'Asia/Kathmandu' } })
  await makeCall('2026-05-01T18:14:00Z', { outcome: 'missed' }, 'inbound', kathmandu)
  await makeCall('2026-05-01T18:15:00Z', { outcome: 'missed' }, 'inbound', kathmandu)
  const nepal = (await kathmandu.get('/stats?from=2026-05-01T12:00:00Z&to=2026-05-02T00:00:00Z')).body
  expect(nepal.series.map(({ at, callsMissed }: any) => [at, callsMissed.value])).toEqual([
    ['2026-04-30T18:15:00.000Z', 1],
    ['2026-05-01T18:15:00.000Z', 1],
  ])
})

test('numbers are of one tenant, and a span that makes no sense is refused', async () => {
  const live = (await service.demo.live.get(`/stats?${span}`)).body
  expect([live.totals.callsMissed.value, live.totals.facts, live.totals.timeToAnswerMs]).toEqual([0, [], null])
  for (const query of [
    'from=2026-03-05T00:00:00Z&to=2026-03-05T00:00:00Z',
    'from=2025-01-01T00:00:00Z&to=2026-03-05T00:00:00Z',
    'interval=hour&from=2026-01-01T00:00:00Z&to=2026-03-05T00:00:00Z',
    'interval=week',
  ])
    expectRefusal(await api.get(`/stats?${query}`), 400, 'bad_request')
  expect((await api.get('/stats')).body.series).toHaveLength(8)
})

test('how long a call rang is counted in steps that grow', async () => {
  const seconds = [-5, 0, 3.4, 10, 12, 23, 60, 61, 100, 1e6]
  const rows = await service.database.query<{ rounded: number }>(
    sql`select rounded_seconds(s) as rounded from unnest(${seconds}::numeric[]) s`,
  )
  expect(rows.map(({ rounded }) => rounded)).toEqual([0, 0, 3, 10, 10, 25, 60, 60, 105, 86_400])
})
