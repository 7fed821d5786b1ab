// Calendar feeds: addresses that calendar programs subscribe to. An address is shown once and needs no key; afterwards
// only its hash is known.
import { randomBytes } from 'node:crypto'
import {
  type CalendarFeed,
  type CalendarFeedCreate,
  calendarFeed,
  calendarFeedCreateBody,
  calendarFeedParameters,
  limits,
  madeCalendarFeed,
} from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { type Sql, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type Input, type ReadInput } from '../../http/endpoint.js'
import { hashKey } from '../../http/gate/api-keys.js'
import { notFound, unprocessable } from '../../store/api-error.js'
import { newId, timeOf } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { type Answer, json, withSecret } from '../../store/response.js'
import { wordsOf } from '../../store/search-words.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { type CalendarScope, calendarEvents } from './calendar-events.js'
import { calendarText } from './icalendar.js'

const tag = 'Calendar feeds'
const limitFence = 'calendar-feeds'
/** 256 random bits, in base64url. */
const SECRET_BYTES = 32
const filePattern = /^([A-Za-z0-9_-]{43})\.ics$/

const feedsPath = '/calendar-feeds'

export const calendarFeedEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: feedsPath,
    scope: 'ADMIN',
    operationId: 'listCalendarFeeds',
    summary: 'List calendar feeds',
    tag,
    query: calendarFeedParameters,
    returns: { status: 200, schema: pageSchema(calendarFeed) },
    handle: listFeeds,
  }),
  endpoint({
    method: 'POST',
    path: feedsPath,
    scope: 'ADMIN',
    operationId: 'createCalendarFeed',
    summary: 'Make an address that calendar programs can subscribe to',
    description: [
      'The `url` is in this answer and nowhere else; whoever has it reads the calendar without a key.',
      'With `assignedToId` it holds the work that is assigned to that user, and the appointments of such work.',
    ].join(' '),
    tag,
    body: calendarFeedCreateBody,
    returns: { status: 201, schema: madeCalendarFeed },
    handle: createFeed,
  }),
  endpoint({
    method: 'GET',
    path: `${feedsPath}/{id}`,
    scope: 'ADMIN',
    operationId: 'getCalendarFeed',
    summary: 'Get one calendar feed',
    tag,
    returns: { status: 200, schema: calendarFeed },
    handle: async ({ read, params }) => json(200, await requireFeed(read, params.id)),
  }),
  endpoint({
    method: 'DELETE',
    path: `${feedsPath}/{id}`,
    scope: 'ADMIN',
    operationId: 'deleteCalendarFeed',
    summary: 'Delete a calendar feed',
    description: 'Its address answers 404 at once.',
    tag,
    returns: { status: 204, schema: null },
    async handle(input) {
      const { work, params } = input
      const { id } = await requireFeed(work, params.id)
      work.addStatement(
        sql`delete from calendar_feeds f using not_a_replay
          where f.tenant_id = ${work.tenantId} and f.id = ${id} returning 1`,
        1,
      )
      return work.respond(204)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/calendars/{file}',
    scope: 'none',
    holdsSecret: true,
    operationId: 'readCalendar',
    summary: 'Read the calendar of a feed by its address',
    description: [
      'Appointments and scheduled work as iCalendar:',
      `what starts within ${limits.calendarDaysBack} days back and ${limits.calendarDaysAhead} ahead,`,
      `up to the ${limits.calendarEvents} events nearest to now. Takes \`If-None-Match\`.`,
    ].join(' '),
    tag,
    plainParams: ['file'],
    returns: {
      status: 200,
      schema: null,
      mediaTypes: ['text/calendar'],
      description: 'The calendar.',
      examples: { 'text/calendar': 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n' },
    },
    handle: serveCalendar,
  }),
]

/** There are so few that all are read. */
async function listFeeds(input: ReadInput): Promise<Answer> {
  const { q } = askedFor(input)
  const all = await findFeeds(input.read, sql`order by id desc`)
  const feeds = q === undefined ? all : all.filter(({ name }) => isFoundBy(name, q))
  const finding = {
    find: async (below: string | undefined, rows: number) =>
      feeds.filter(({ id }) => below === undefined || id < below).slice(0, rows),
    count: async () => feeds.length,
    idOf: ({ id }: CalendarFeed) => id,
  }
  return typedPage(input, 'calendar-feeds', finding, (feed) => feed)
}

function isFoundBy(name: string, q: string): boolean {
  const [asked, words] = [wordsOf(q), wordsOf(name)]
  return asked.length > 0 && asked.every((word) => words.some((one) => one.startsWith(word)))
}

async function findFeeds({ database, tenantId }: Reader, where: Sql): Promise<CalendarFeed[]> {
  const rows = await database.read<[string, string, string | null]>(
    sql`select id, name, assigned_to_id from calendar_feeds where tenant_id = ${tenantId} ${where}`,
  )
  return rows.map(([id, name, assignedToId]) => ({ id, name, assignedToId, createdAt: timeOf(id).toISOString() }))
}

async function requireFeed(read: Reader, id: string): Promise<CalendarFeed> {
  const [feed] = await findFeeds(read, sql`and id = ${id}`)
  if (feed === undefined) throw notFound()
  return feed
}

async function createFeed({ work, body, now, services }: Input<CalendarFeedCreate>) {
  work.addFence(await work.readFence(limitFence))
  await requireRoom(work)
  const { name, assignedToId = null } = body
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const id = newId(now)
  const feed: CalendarFeed = { id, name, assignedToId, createdAt: timeOf(id).toISOString() }
  work.addStatement(
    sql`insert into calendar_feeds (tenant_id, id, name, assigned_to_id, hash)
      select ${work.tenantId}::uuid, ${id}::uuid, ${name}, ${assignedToId}::uuid, ${hashKey(secret)}::bytea
      from not_a_replay returning 1`,
    1,
  )
  return withSecret(json(201, { ...feed, url: `${services.publicUrl()}/api/v1/calendars/${secret}.ics` }))
}

async function requireRoom({ database, tenantId }: Reader): Promise<void> {
  const count = await countRows(database, sql`from calendar_feeds where tenant_id = ${tenantId}`)
  if (count < limits.calendarFeeds) return
  throw unprocessable(
    'calendar_feed_limit',
    `There are ${limits.calendarFeeds} calendar feeds already; delete one first`,
    { limit: limits.calendarFeeds },
  )
}

/** Looked up at every request, so that a deleted feed and a disabled organization are gone at once, on every node. */
async function findCalendar(
  database: Database,
  secret: string,
): Promise<(CalendarScope & { name: string }) | undefined> {
  const [row] = await database.read<[string, string, string | null]>(sql`
    select f.tenant_id, f.name, f.assigned_to_id
    from calendar_feeds f join tenants t on t.id = f.tenant_id join organizations o on o.id = t.organization_id
    where f.hash = ${hashKey(secret)} and o.api_enabled`)
  return row && { tenantId: row[0], name: row[1], assignedToId: row[2] }
}

async function serveCalendar({ read: { database }, params, now }: ReadInput): Promise<Answer> {
  const [, secret] = filePattern.exec(params['file'] ?? '') ?? []
  const calendar = secret === undefined ? undefined : await findCalendar(database, secret)
  if (calendar === undefined) throw notFound()
  const body = calendarText(calendar.name, await calendarEvents(database, calendar, now))
  const headers = {
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename="calendar.ics"',
    'cache-control': 'private, no-cache',
    etag: `"${hashKey(body).toString('base64url')}"`,
  }
  return { status: 200, body, headers }
}
