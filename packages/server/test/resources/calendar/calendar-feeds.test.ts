// Calendar feeds: what a calendar program reads, who may make one, and that its address stays a secret and dies with
// it.
import { randomBytes } from 'node:crypto'
import { limits } from '@parley/contract'
import ICAL from 'ical.js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../../src/config/config.js'
import { sql } from '../../../src/database/sql.js'
import { setEnabled } from '../../../src/program/create-organization.js'
import { calendarText } from '../../../src/resources/calendar/icalendar.js'
import { startServer } from '../../../src/server/server.js'
import { makeWork } from '../../support/captured.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Client, type Organization, type Service, secret, startService } from '../../support/service.js'

const DAY_MS = 86_400_000
const assignee = '01890a5d-ac96-774b-bcce-b302099a8057'
let now = new Date('2026-05-04T08:00:00.000Z')
let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_TRUST_PROXY: 'true' }, { clock: () => now })
})
afterAll(() => service.stop())

const at = (days: number, hours = 0) =>
  new Date(Date.parse('2026-05-04T09:00:00Z') + days * DAY_MS + hours * 3_600_000).toISOString()
const makeFeed = async (api: Client, values: object = {}) =>
  (await api.post('/calendar-feeds', { name: 'Crew', ...values })).body
const book = async (api: Client, values: object = {}) =>
  (await api.post('/appointments', { title: 'Visit', startAt: at(1), ...values })).body

let readers = 0
/** Each reader comes from an address of its own, so that none pays for another's guesses. */
const reader = () => ({ 'x-forwarded-for': `10.1.${++readers >> 8}.${readers & 255}` })
const read = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers: { ...reader(), ...headers } })

/** However long it takes: no bucket fills again meanwhile. */
async function inOneMoment<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

async function eventsAt(url: string): Promise<ICAL.Component[]> {
  const response = await read(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  return new ICAL.Component(ICAL.parse(await response.text())).getAllSubcomponents('vevent')
}
const valueOf = (event: ICAL.Component | undefined, name: string) => event?.getFirstPropertyValue(name)?.toString()
const titles = async (url: string) => (await eventsAt(url)).map((event) => valueOf(event, 'summary'))

describe('a calendar', () => {
  test('holds appointments and scheduled work as any calendar program reads them', async () => {
    const { sandbox } = await service.organization('Calendars')
    const place = (
      await sandbox.post('/locations', { addressLine1: '1 High Street', city: 'Leeds', postalCode: 'LS1 4AP' })
    ).body
    const odd = 'Räumung; Keller, „Süd“ \\ 東京 😀 '.repeat(6).trim()
    const visit = await book(sandbox, {
      title: odd,
      startAt: '2026-05-05T11:00:00+02:00',
      endAt: '2026-05-05T12:30:00+02:00',
      locationId: place.id,
    })
    const work = await makeWork(sandbox, {
      title: 'Boiler',
      scheduledStart: at(2),
      scheduledEnd: at(2, 3),
      description: 'Line one\r\nLine two',
    })
    await makeWork(sandbox, { title: 'Not scheduled' })
    const { url, ...feed } = await makeFeed(sandbox)
    expect(feed).toEqual({ id: expect.any(String), name: 'Crew', assignedToId: null, createdAt: now.toISOString() })
    const text = await (await read(url)).text()
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const [first, second, ...others] = await eventsAt(url)
    expect(others).toEqual([])
    expect(valueOf(first, 'summary')).toBe(odd)
    expect([valueOf(first, 'dtstart'), valueOf(first, 'dtend')]).toEqual([
      '2026-05-05T09:00:00Z',
      '2026-05-05T10:30:00Z',
    ])
    expect([valueOf(first, 'uid'), valueOf(first, 'sequence')]).toEqual([`appointment-${visit.id}@parley`, '1'])
    expect([valueOf(first, 'location'), valueOf(first, 'status')]).toEqual([
      '1 High Street, Leeds, LS1 4AP',
      'CONFIRMED',
    ])
    expect(valueOf(second, 'summary')).toBe(`${work.number} Boiler`)
    expect([valueOf(second, 'description'), valueOf(second, 'uid')]).toEqual([
      'Line one\nLine two',
      `work-record-${work.id}@parley`,
    ])
  })

  test('follows a change with the same UID and a higher SEQUENCE, shows what was canceled, and drops what was deleted', async () => {
    const { sandbox } = await service.organization('Moving')
    const [moved, canceled, deleted] = [
      await book(sandbox),
      await book(sandbox, { title: 'Off' }),
      await book(sandbox, { title: 'Gone' }),
    ]
    const { url } = await makeFeed(sandbox)
    const before = (await eventsAt(url)).find((event) => valueOf(event, 'uid')?.includes(moved.id))
    now = new Date(now.getTime() + 60_000)
    await sandbox.patch(`/appointments/${moved.id}`, { startAt: at(3), endAt: null })
    await sandbox.patch(`/appointments/${canceled.id}`, { status: 'canceled' })
    await sandbox.delete(`/appointments/${deleted.id}`)
    const events = await eventsAt(url)
    const after = events.find((event) => valueOf(event, 'uid') === valueOf(before, 'uid'))
    expect(events).toHaveLength(2)
    expect(Number(valueOf(after, 'sequence'))).toBeGreaterThan(Number(valueOf(before, 'sequence')))
    expect(valueOf(after, 'last-modified')).toBe(now.toISOString().replace('.000', ''))
    expect(valueOf(after, 'dtstart')).toBe(at(3).replace('.000', ''))
    expect(after?.getFirstProperty('dtend')).toBeNull()
    expect(
      valueOf(
        events.find((event) => valueOf(event, 'summary') === 'Off'),
        'status',
      ),
    ).toBe('CANCELLED')
  })

  test('with assignedToId holds the work of that user and the appointments of such work', async () => {
    const { sandbox } = await service.organization('Assigned')
    const mine = await makeWork(sandbox, { title: 'Mine', assignedToId: assignee, scheduledStart: at(1) })
    const theirs = await makeWork(sandbox, { title: 'Theirs', scheduledStart: at(1) })
    await book(sandbox, { title: 'My visit', workRecordId: mine.id, startAt: at(2) })
    await book(sandbox, { title: 'Their visit', workRecordId: theirs.id, startAt: at(2) })
    await book(sandbox, { title: 'Nobody’s visit', startAt: at(2) })
    const feed = await makeFeed(sandbox, { assignedToId: assignee })
    expect(feed.assignedToId).toBe(assignee)
    expect(await titles(feed.url)).toEqual([`${mine.number} Mine`, 'My visit'])
    expect(await titles((await makeFeed(sandbox)).url)).toHaveLength(5)
  })

  test('holds what is near, and no more than its limit of it', async () => {
    const { sandbox } = await service.organization('Windows')
    for (const [title, days] of [
      ['long ago', -limits.calendarDaysBack - 1],
      ['back then', -limits.calendarDaysBack + 1],
      ['far ahead', limits.calendarDaysAhead - 1],
      ['too far', limits.calendarDaysAhead + 1],
    ] as const)
      await book(sandbox, { title, startAt: at(days) })
    const { url } = await makeFeed(sandbox)
    expect(await titles(url)).toEqual(['back then', 'far ahead'])
    const copied = await book(sandbox, { title: 'copied', startAt: at(10) })
    await service.database.withClient((client) =>
      client.query(
        `insert into appointments (tenant_id, id, version, updated_at, record)
         select tenant_id, uuid_v7(now()), 1, updated_at, record from appointments, generate_series(1, $1) where id = $2`,
        [limits.calendarEvents + 5, copied.id],
      ),
    )
    const all = await titles(url)
    expect([all.length, new Set(all)]).toEqual([limits.calendarEvents, new Set(['copied'])])
  })

  test('answers 304 until something changes, and asks not to be kept by others', async () => {
    const { sandbox } = await service.organization('Unchanged')
    const visit = await book(sandbox)
    const { url } = await makeFeed(sandbox)
    const first = await read(url)
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = await read(url, { 'if-none-match': tag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await sandbox.patch(`/appointments/${visit.id}`, { title: 'Another' })
    const changed = await read(url, { 'if-none-match': tag })
    expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false])
  })
})

describe('the address of a feed', () => {
  let organization: Organization
  beforeAll(async () => {
    organization = await service.organization('Addresses')
  })

  test('is shown once, with 256 random bits, and kept as a hash; a replay is kept encrypted', async () => {
    const { sandbox } = organization
    const key = { 'idempotency-key': 'calendar-1' }
    const made = await sandbox.post('/calendar-feeds', { name: 'Once' }, key)
    expect(made.status).toBe(201)
    const [, token = ''] = /\/api\/v1\/calendars\/([\w-]{43})\.ics$/.exec(made.body.url) ?? []
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect((await sandbox.post('/calendar-feeds', { name: 'Once' }, key)).body).toEqual(made.body)
    const { url: _, ...feed } = made.body
    expect((await sandbox.get(`/calendar-feeds/${feed.id}`)).body).toEqual(feed)
    expect((await sandbox.get('/calendar-feeds?count=true')).body).toMatchObject({
      data: [feed],
      pagination: { count: 1 },
    })
    expect((await sandbox.get('/calendar-feeds?q=on')).body.data).toEqual([feed])
    expect((await sandbox.get('/calendar-feeds?q=twice&count=true')).body).toMatchObject({
      data: [],
      pagination: { count: 0 },
    })
    const rows = await service.database.query<{ text: string }>(
      sql`select row_to_json(f)::text as text from calendar_feeds f union all select encode(body, 'escape') from answered_keys where key = 'calendar-1'`,
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([])
  })

  test('is 404 at once when the feed is deleted or the organization is disabled, on every node', async () => {
    const { sandbox, id } = organization
    const other = await service.node()
    const feed = await makeFeed(sandbox)
    const elsewhere = feed.url.replace(service.url, other.url)
    expect([(await read(feed.url)).status, (await read(elsewhere)).status]).toEqual([200, 200])
    await setEnabled(service.database, id, false)
    expect([(await read(feed.url)).status, (await read(elsewhere)).status]).toEqual([404, 404])
    await setEnabled(service.database, id, true)
    const tag = (await read(feed.url)).headers.get('etag') ?? ''
    expect((await sandbox.delete(`/calendar-feeds/${feed.id}`)).status).toBe(204)
    expect([(await read(feed.url)).status, (await read(elsewhere)).status]).toEqual([404, 404])
    expect((await read(feed.url, { 'if-none-match': tag })).status).toBe(404)
    expectRefusal(await sandbox.delete(`/calendar-feeds/${feed.id}`), 404, 'not_found')
  })

  test('shows its own tenant alone, and feeds are managed by its ADMIN keys alone', async () => {
    const { sandbox, live, id } = organization
    const stranger = (await service.organization('Strangers')).sandbox
    await book(live, { title: 'Live' })
    await book(stranger, { title: 'Stranger' })
    await book(sandbox, { title: 'Sandbox' })
    const feed = await makeFeed(sandbox)
    expect(await titles(feed.url)).toEqual(['Sandbox'])
    for (const client of [live, stranger]) {
      expectRefusal(await client.get(`/calendar-feeds/${feed.id}`), 404, 'not_found')
      expectRefusal(await client.delete(`/calendar-feeds/${feed.id}`), 404, 'not_found')
      expect((await client.get('/calendar-feeds')).body.data).toEqual([])
    }
    const writer = await service.keyOf(id, 'sandbox', 'WRITE')
    expectRefusal(await writer.post('/calendar-feeds', { name: 'x' }), 403, 'forbidden')
    expectRefusal(await writer.get('/calendar-feeds'), 403, 'forbidden')
    for (const [body, path] of [
      [{}, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x', assignedToId: 'me' }, 'assignedToId'],
      [{ name: 'x', color: 'red' }, 'color'],
    ] as const) {
      const answer = await sandbox.post('/calendar-feeds', body)
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toBe(path)
    }
  })

  test('cannot be guessed: wrong ones are all alike, and too many from one address are held off', async () => {
    const guess = () => `${service.url}/api/v1/calendars/${randomBytes(32).toString('base64url')}.ics`
    const good = (await makeFeed(organization.sandbox)).url as string
    for (const wrong of [
      guess(),
      good.replace('.ics', ''),
      `${good}x`,
      good.replace(/.{5}\.ics$/, '.ics'),
      `${service.url}/api/v1/calendars/%00.ics`,
    ]) {
      const answer = await read(wrong)
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ error: expect.objectContaining({ code: 'not_found' }) }),
      ])
    }
    const headers = { 'x-forwarded-for': '10.99.0.1' }
    const statuses = await inOneMoment(() =>
      Promise.all(Array.from({ length: 120 }, async () => (await fetch(guess(), { headers })).status)),
    )
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
    const neighbour = await fetch(good, { headers: { 'x-forwarded-for': '10.99.0.2' } })
    expect(neighbour.status).toBe(200)
  })

  test('is good for a few requests a second', async () => {
    const { url } = await makeFeed(organization.sandbox)
    const answers = await inOneMoment(() => Promise.all(Array.from({ length: 60 }, () => read(url))))
    const refused = answers.find(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const [other] = [(await makeFeed(organization.sandbox)).url]
    expect((await read(other)).status).toBe(200)
  })

  test('is in no log, no metric and no error, not even when the database fails', async () => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: service.databaseUrl,
      PARLEY_SECRET: secret,
      LOG_LEVEL: 'trace',
    })
    const server = await startServer({
      config: { ...config, secret },
      database: service.database,
      log,
      clock: () => now,
    })
    const feed = await makeFeed(organization.sandbox)
    const url = feed.url.replace(service.url, server.url)
    const token = url.split('/').at(-1)?.replace('.ics', '') ?? ''
    const bodies = [
      await (await read(`${url}?x=1`)).text(),
      await (await read(url)).text(),
      await (await fetch(url, { method: 'PUT' })).text(),
    ]
    await service.database.query(sql`alter table calendar_feeds rename to calendar_feeds_away`)
    const failed = await read(url)
    bodies.push(await failed.text())
    await service.database.query(sql`alter table calendar_feeds_away rename to calendar_feeds`)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    await server.stop()
    expect(failed.status).toBe(500)
    expect(lines.join('')).toContain('request failed')
    expect(metrics).toContain('/api/v1/calendars/:file')
    for (const text of [...lines, ...bodies, metrics]) expect(text).not.toContain(token)
  })

  test('is one of a limited number', async () => {
    const { sandbox } = await service.organization('Many feeds')
    const answers = []
    for (let feed = 0; feed <= limits.calendarFeeds; feed++)
      answers.push(await sandbox.post('/calendar-feeds', { name: `${feed}` }))
    expect(answers.slice(0, -1).every(({ status }) => status === 201)).toBe(true)
    const last = answers.at(-1)
    expect([last?.status, last?.body.error.details]).toEqual([
      422,
      { reason: 'calendar_feed_limit', limit: limits.calendarFeeds },
    ])
  })
})

test('no text breaks out of its line', () => {
  const instant = '2026-01-31T09:30:00.123Z'
  const summary = 'a\nEND:VEVENT\r\nX:1\rY\u0000\u0007;,\\n'
  const event = {
    uid: 'x',
    sequence: 1,
    createdAt: instant,
    updatedAt: instant,
    startAt: instant,
    endAt: null,
    summary,
    description: '',
    location: null,
    isCanceled: false,
  }
  const parsed = new ICAL.Component(ICAL.parse(calendarText('Name\nBEGIN:VEVENT', [event])))
  const events = parsed.getAllSubcomponents('vevent')
  expect(events).toHaveLength(1)
  expect(valueOf(events[0], 'summary')).toBe('a\nEND:VEVENT\nX:1\nY;,\\n')
  expect(valueOf(events[0], 'dtstart')).toBe('2026-01-31T09:30:00Z')
})
