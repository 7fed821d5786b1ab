// A page of the newest touches few partitions, however long the history is, and shows the same as if it looked at all
// of them: also where something is written late into a partition whose time is past.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPartitions } from '../../src/database/partitions.js'
import { raw, sql } from '../../src/database/sql.js'
import { partitionedTables } from '../../src/maintenance/partitioned-tables.js'
import { newestByTime } from '../../src/resources/events/newest-events.js'
import { readLog, readLogEntry } from '../../src/resources/integrations/inbound-log.js'
import { requestsBelow } from '../../src/resources/request-log/read-requests.js'
import { newestDeliveries } from '../../src/resources/webhooks/delivery-log.js'
import { requireSubscription } from '../../src/resources/webhooks/subscription-rules.js'
import { prepareDatabase } from '../../src/server/server.js'
import { eventsAfter, eventsBefore, type Position } from '../../src/store/event-log.js'
import { firstEventIdAt, firstIdAt, newEventId, newId } from '../../src/store/id.js'
import { ListReader } from '../../src/store/list-reader.js'
import { tenantOf, untilShown } from '../support/events.js'
import { type Client, type Service, startService } from '../support/service.js'
import { touchedTables } from '../support/touched-tables.js'
import { patiently } from '../support/waiting/patiently.js'

const dayMs = 24 * 60 * 60 * 1_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)
const size = { rows: 11, bytes: 1_000_000 }

const partitioned = [
  ['events', firstEventIdAt],
  ['finished_deliveries', firstIdAt],
  ['inbound_requests', firstIdAt],
  ['request_log', firstIdAt],
] as const

let service: Service
let api: Client
let tenantId: string
/** Months ago, in partitions of ten days as a service that ran all the time would have made them. */
const past = [-60, -50, -40, -30, -20]
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
  api = (await service.organization('Long ago')).sandbox
  tenantId = await tenantOf(service, api)
  for (const days of past)
    for (const [table, firstAt] of partitioned) {
      const [from, end] = [startOf(days), startOf(days + 10)]
      await service.database.query(
        raw(`create table ${table}_p${dayOf(from)}_${dayOf(end)} partition of ${table}
          for values from ('${firstAt(from)}') to ('${firstAt(end)}')`),
      )
    }
  for (const days of past) for (let n = 0; n < 4; n++) await addEvent(inDays(days + 1))
  for (let n = 0; n < 30; n++) await addEvent(new Date())
  await keep()
  await untilShown(service, api)
})
afterAll(() => service.stop())

/** Of the day on which the file began, should another begin meanwhile. */
const today = Math.floor(Date.now() / dayMs) * dayMs
const startOf = (days: number) => new Date(today + days * dayMs)
const dayOf = (date: Date) => date.toISOString().slice(0, 10).replaceAll('-', '')
const keep = () => patiently(() => keepPartitions(service.database, partitionedTables(90, new Date()), new Date()))

async function addEvent(at: Date): Promise<string> {
  const id = newEventId(at)
  await service.database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body)
    values (${tenantId}::uuid, ${id}, 'task.created', false, ${at}::timestamptz, ${JSON.stringify({ eventId: id })})`)
  return id
}

const isPastKnown = async () => (await service.database.query(sql`select from past_partitions`)).length === 1
const isOfThePast = (name: string) => past.some((days) => name.includes(`_p${dayOf(startOf(days))}_`))

/** The whole log, in the order of the feed, by one statement over all partitions. */
async function wholeLog(): Promise<string[]> {
  const rows = await service.database.query<{ id: string }>(
    sql`select id from events where tenant_id = ${tenantId}::uuid order by events.xact, events.id`,
  )
  return rows.map(({ id }) => id)
}

async function pagesOf(start: string, next: (cursor: string) => string): Promise<string[]> {
  const seen: string[] = []
  for (let path = start; path !== ''; ) {
    const { data, pagination } = (await api.get(path)).body
    seen.push(...data.map(({ eventId }: { eventId: string }) => eventId))
    path = pagination.nextCursor ? next(pagination.nextCursor) : ''
  }
  return seen
}

/** Newest first and oldest first, page by page, is the whole log. */
async function expectWhole(): Promise<void> {
  await untilShown(service, api)
  const whole = await wholeLog()
  expect(await pagesOf('/events?limit=7', (cursor) => `/events?limit=7&cursor=${cursor}`)).toEqual(whole.toReversed())
  const [first = ''] = whole
  const start = `/events?limit=7&after=${first}`
  expect(await pagesOf(start, (cursor) => `${start}&cursor=${cursor}`)).toEqual(whole.slice(1))
}

const lastPosition = async (): Promise<Position> => {
  const [last] = await eventsBefore(service.database, tenantId, undefined, {}, { ...size, rows: 1 })
  if (last === undefined) throw new Error('There is no event')
  return { xact: last.xact, id: last.id }
}

test('a page of the newest events, and the feed from its end, touch no partition of the past', async () => {
  expect(await isPastKnown()).toBe(true)
  const after = await lastPosition()
  const newest = (database: Service['database']) => eventsBefore(database, tenantId, undefined, {}, size)
  const feed = (database: Service['database']) => eventsAfter(database, tenantId, after, {}, size)
  for (const work of [newest, feed]) {
    const touched = await touchedTables(service.database, 'events_', work)
    expect(touched.filter(isOfThePast)).toEqual([])
    expect(touched.length).toBeLessThanOrEqual(4)
    expect(touched.length).toBeGreaterThan(0)
  }
  await expectWhole()
})

test('what is written into the past all the same is neither skipped nor out of its place', async () => {
  for (const late of [inDays(-35), inDays(-300)]) {
    await keep()
    expect(await isPastKnown()).toBe(true)
    const before = await lastPosition()
    const id = await addEvent(late)
    expect(await isPastKnown()).toBe(false)
    await untilShown(service, api)
    const fed = await eventsAfter(service.database, tenantId, before, {}, { ...size, rows: 100 })
    expect(fed.map((event) => event.id)).toContain(id)
    await expectWhole()
    // Written down anew, it is the newest of the past, and the feed goes on after it.
    await keep()
    expect(await isPastKnown()).toBe(true)
    await expectWhole()
    for (let n = 0; n < 12; n++) await addEvent(new Date())
    await expectWhole()
  }
})

test('a database that was restored without the triggers knows nothing of the past', async () => {
  await keep()
  await prepareDatabase(service.database)
  expect(await isPastKnown()).toBe(true)
  const [row] = await service.database.query<{ name: string }>(
    sql`select tgrelid::regclass::text as name from pg_trigger where tgname = 'past_partition_written' limit 1`,
  )
  await service.database.query(raw(`drop trigger past_partition_written on ${row?.name}`))
  await prepareDatabase(service.database)
  expect(await isPastKnown()).toBe(false)
  await keep()
  expect(await isPastKnown()).toBe(true)
})

test('a page of the newest deliveries touches no partition of the past, and the pages are all there is', async () => {
  const { id } = (await api.post('/webhooks', { url: 'https://example.com/' })).body
  const ids = times.map((at) => newId(at))
  for (const deliveryId of ids)
    await service.database.query(sql`insert into finished_deliveries (tenant_id, id, subscription_id, event_id,
        event_type, status, attempt_count, created_at, delivered_at, is_fresh)
      values (${tenantId}::uuid, ${deliveryId}::uuid, ${id}::uuid, 'e', 'task.created', 'SUCCEEDED', 1, now(), now(), false)`)
  const page = async (database: Service['database'], rows: number) => {
    const reader = new ListReader(database, tenantId)
    const subscription = await requireSubscription(reader, id)
    return newestDeliveries(reader, subscription, { below: undefined, rows, now: new Date() }, new Set())
  }
  const touched = await touchedTables(service.database, 'finished_', (database) => page(database, 5))
  expect(touched.filter(isOfThePast)).toEqual([])
  expect(touched.length).toBeLessThanOrEqual(4)
  const listed: string[] = []
  for (let cursor = ''; ; ) {
    const { data, pagination } = (await api.get(`/webhooks/${id}/deliveries?limit=3${cursor}`)).body
    listed.push(...data.map((one: { id: string }) => one.id))
    if (!pagination.nextCursor) break
    cursor = `&cursor=${pagination.nextCursor}`
  }
  expect(listed).toEqual(ids.toSorted().toReversed())
})

/** Two of each time of the past, and eight of now. */
const times = [
  ...past.flatMap((days) => [inDays(days + 1), inDays(days + 2)]),
  ...Array.from({ length: 8 }, () => new Date()),
]

async function expectRecentOnly(prefix: string, page: (database: Service['database']) => Promise<unknown>) {
  const touched = await touchedTables(service.database, prefix, page)
  expect(touched.filter(isOfThePast)).toEqual([])
  expect(touched.length).toBeGreaterThan(0)
}

test('the newest events by time touch no partition of the past, and the pages are all there is', async () => {
  const place = { below: undefined, now: new Date() }
  await expectRecentOnly('events_', (database) => newestByTime(database, tenantId, place, {}, size))
  const whole = (await wholeLog()).toSorted()
  const start = '/events?limit=7&sort=-occurredAt'
  expect(await pagesOf(start, (cursor) => `${start}&cursor=${cursor}`)).toEqual(whole.toReversed())
  const oldestFirst = '/events?limit=7&sort=occurredAt'
  expect(await pagesOf(oldestFirst, (cursor) => `${oldestFirst}&cursor=${cursor}`)).toEqual(whole)
  // A page of a time long ago begins there.
  const until = startOf(-35).toISOString()
  const long = await newestByTime(service.database, tenantId, place, { until }, { ...size, rows: 3 })
  expect(long.map(({ id }) => id)).toEqual(
    whole
      .filter((id) => id < firstEventIdAt(new Date(until)))
      .toReversed()
      .slice(0, 3),
  )
  // What a page has no room for is told of and left out, also where it lies in the past.
  const full = await newestByTime(service.database, tenantId, place, {}, { rows: 1_000, bytes: 1 })
  expect(full).toHaveLength(whole.length)
  expect(full.filter(({ body }) => body !== '')).toHaveLength(1)
})

/** Of all pages, one after the other. */
async function idsOfPages(
  page: (last: string | undefined) => Promise<readonly { readonly id: string }[]>,
): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const found = await page(ids.at(-1))
    if (found.length === 0) return ids
    ids.push(...found.map(({ id }) => id))
  }
}

test('the newest of the request log touch no partition of the past, and the pages are all there is', async () => {
  const mine = crypto.randomUUID()
  const ids = times.map((at) => newId(at))
  for (const id of ids)
    await service.database.query(sql`insert into request_log
        (tenant_id, id, method, path, status, ms, actor_type, actor_id, request_id)
      values (${mine}::uuid, ${id}::uuid, 'GET', '/tasks', 200, 1, 'api_key', ${mine}, ${id})`)
  const page = (database: Service['database'], below: string | undefined, rows: number) =>
    requestsBelow(database, mine, {}, { below, rows, now: new Date() })
  await expectRecentOnly('request_log_', (database) => page(database, undefined, 5))
  expect(await idsOfPages((last) => page(service.database, last, 3))).toEqual(ids.toSorted().toReversed())
})

test('the newest of what a provider sent touch no partition of the past, and the pages are all there is', async () => {
  const connectionId = crypto.randomUUID()
  const reader = (database: Service['database']) => new ListReader(database, tenantId)
  const ids = times.map((at) => newId(at))
  for (const id of ids)
    await service.database.query(sql`insert into inbound_requests
        (tenant_id, id, connection_id, kind, received_at, provider_ids, conversation, url, headers, body, status)
      values (${tenantId}::uuid, ${id}::uuid, ${connectionId}::uuid, 'sms', now(), '{}', '', '', '{}', '', 'processed')`)
  const page = (database: Service['database'], afterId: string | undefined, limit: number) =>
    readLog(reader(database), { connectionId, afterId, limit, isWhole: false, now: new Date() })
  await expectRecentOnly('inbound_requests_', (database) => page(database, undefined, 5))
  expect(await idsOfPages((last) => page(service.database, last, 3))).toEqual(ids.toSorted().toReversed())
  const [oldest = ''] = ids.toSorted()
  expect(await readLogEntry(reader(service.database), { connectionId, id: oldest, isWhole: false })).toMatchObject({
    id: oldest,
  })
})
