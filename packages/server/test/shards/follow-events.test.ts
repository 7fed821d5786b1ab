// The events of another server, brought to that of DATABASE_URL: each once, in the order of its tenant, whoever brings
// them. Two databases stand for the two servers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { raw, sql } from '../../src/database/sql.js'
import { isEventOf } from '../../src/delivery/queue/event-of-delivery.js'
import { fanOutBrought } from '../../src/delivery/queue/fan-out.js'
import { partitionedTables } from '../../src/maintenance/partitioned-tables.js'
import { mintPlatformKeyFor } from '../../src/platform/platform-keys.js'
import { createOrganization } from '../../src/program/create-organization.js'
import { broughtTo } from '../../src/shards/brought-events.js'
import { bringRest, catchUp, findNews, followOn, leaveEvents } from '../../src/shards/follow-events.js'
import type { Move } from '../../src/shards/moving.js'
import { shardsOf } from '../../src/shards/shards.js'
import { PLATFORM_ID } from '../../src/store/caller.js'
import { ALL_TENANTS, eventsAfter, eventsBefore, findEvent, positionOf } from '../../src/store/event-log.js'
import { newEventId, newId } from '../../src/store/id.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'
import { until } from '../support/until.js'

let made: TestDatabase[]
let here: Database
let there: Database
let move: Move
let tenants: readonly string[]
beforeAll(async () => {
  made = await Promise.all([createTestDatabase(), createTestDatabase()])
  const open = (one: TestDatabase | undefined) =>
    openDatabase({ url: one?.url ?? '', connections: 4, statementTimeoutMs: 5_000 })
  here = open(made[0])
  there = open(made[1])
  const { main, all } = shardsOf(here, [{ name: 'a', database: there, prepared: Promise.resolve() }])
  const organizationId = newId(new Date())
  for (const database of [here, there])
    await createOrganization(database, { id: organizationId, name: 'Moving' }, new Date())
  const rows = await there.query<{ id: string }>(sql`select id from tenants order by id`)
  tenants = rows.map(({ id }) => id)
  const servers = { source: all[1] ?? main, target: main, directory: main }
  move = {
    organizationId,
    tenantIds: tenants,
    ...servers,
    sourceUrl: '',
    tables: [],
    say: () => {},
    fanOut: fanOutBrought,
  }
  await catchUp(move)
  expect(await here.query(sql`select from followed_servers`)).toEqual([])
  await mintPlatformKeyFor(here, { name: 'All', scopes: ['events'], expiresAt: null }, new Date())
})
beforeEach(async () => {
  for (const database of [here, there])
    for (const table of ['events', 'followed_servers', 'webhook_deliveries'])
      await database.query(sql`delete from ${raw(table)}`)
})
afterAll(async () => {
  for (const database of [here, there]) await database.close()
  for (const database of made) await database.drop()
})

const start = { xact: 0, id: '' }
const size = { rows: 1_000, bytes: 1_000_000 }

/** Events of a tenant, in one transaction. */
async function happen(database: Database, ids: readonly string[], tenant = 0, at = 'now()'): Promise<void> {
  await database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body, search)
    select ${tenants[tenant]}::uuid, id, 'task.created', false, ${raw(at)}, '{"environment":"sandbox","id":"' || id || '"}', ''
    from unnest(${ids}::text[]) id`)
}
const newIds = (count: number): string[] => Array.from({ length: count }, () => newEventId(new Date()))

/** What who follows all sees here, once all that is committed is below the horizon. */
async function shown(count: number): Promise<string[]> {
  const events = await until(
    () => eventsAfter(here, ALL_TENANTS, start, {}, size),
    (seen) => seen.length >= count,
  )
  expect((await eventsBefore(here, ALL_TENANTS, undefined, {}, size)).map(({ id }) => id).reverse()).toEqual(
    events.map(({ id }) => id),
  )
  return events.map(({ id }) => id)
}
/** What it will see here, horizon or not. */
const logged = async (): Promise<string[]> =>
  (await here.query<{ id: string }>(sql`select id from events where not moved_in order by xact, id`)).map(
    ({ id }) => id,
  )
/** Settles when the other server has nothing left to bring. */
const untilBrought = () =>
  until(
    async () => {
      await followOn(move)
      const [left] = await there.query<{ count: number }>(sql`select count(*)::int as count from events
        where not moved_in and xact >= ${String((await broughtTo(here, 'a')).xact)}::xid8`)
      return left?.count
    },
    (left) => left === 0,
  )

test('each event comes once and in the order of its tenant, however many bring it and whatever its id', async () => {
  const [one = '', two = '', three = '', four = '', other = ''] = newIds(5)
  for (const id of [two, one, four]) await happen(there, [id])
  await happen(there, [other], 1)
  await happen(there, [three])
  await until(
    () => there.query(findNews(start)),
    (found) => found.length === 1,
  )
  await Promise.all([followOn(move), followOn(move), followOn(move)])
  await untilBrought()
  const all = await shown(5)
  expect(all.filter((id) => id !== other)).toEqual([two, one, four, three])
  expect(all).toHaveLength(5)
  expect(await there.query(findNews(await broughtTo(here, 'a')))).toEqual([])
  // It is found by its id, as the platform's, and a reader goes on from it.
  const place = (await positionOf(here, ALL_TENANTS, four)) ?? expect.fail()
  expect((await eventsAfter(here, ALL_TENANTS, place, {}, size)).map(({ id }) => id)).toContain(three)
  expect(await findEvent(here, ALL_TENANTS, four)).toContain(four)
})

test('what an organization has written when it leaves comes before what it writes elsewhere', async () => {
  const [first = '', held = '', late = '', elsewhere = ''] = newIds(4)
  await happen(there, [first])
  await untilBrought()
  await there.withClient(async (client) => {
    // Somebody else's transaction holds the horizon back, as long as it is open.
    await client.query('begin; select pg_current_xact_id()')
    await happen(there, [late])
    await happen(there, [held])
    await catchUp(move)
    expect(await logged()).toEqual([first])
    await bringRest(move)
    await bringRest(move)
    await happen(here, [elsewhere])
    expect(await logged()).toEqual([first, late, held, elsewhere])
    await client.query('commit')
  })
  await untilBrought()
  expect(await shown(4)).toEqual([first, late, held, elsewhere])
})

test('what came with its organization is brought by nobody, and is not there twice', async () => {
  const [born = '', copied = ''] = newIds(2)
  await happen(there, [born, copied])
  await there.query(sql`update events set moved_in = true where id = ${copied}`)
  await happen(here, [born])
  await here.query(sql`update events set moved_in = true`)
  await untilBrought()
  expect(await shown(1)).toEqual([born])
  expect((await positionOf(here, ALL_TENANTS, born))?.xact).toBe(
    (await eventsAfter(here, ALL_TENANTS, start, {}, size))[0]?.xact,
  )
})

test('a server that was restored and counts anew is read again, and nothing is logged twice', async () => {
  const ids = newIds(3)
  await happen(there, ids.slice(0, 2))
  await untilBrought()
  await here.query(sql`update followed_servers set xact = '99999999999'`)
  await happen(there, ids.slice(2))
  expect(await there.query(findNews(await broughtTo(here, 'a')))).toHaveLength(1)
  await untilBrought()
  expect(await shown(3)).toEqual(ids)
})

test('a subscription is told of what happens from when it was made, also of what left its tenant meanwhile', async () => {
  const [old = '', fresh = '', own = ''] = newIds(3)
  const subscription = newId(new Date())
  await here.query(sql`insert into webhook_subscriptions (tenant_id, id, record, version, updated_at)
    values (${PLATFORM_ID}, ${subscription}, ${JSON.stringify({ eventTypes: [], environment: 'sandbox', status: 'active' })}, 1, now())`)
  await happen(there, [old], 0, `now() - interval '1 hour'`)
  await happen(there, [fresh])
  await untilBrought()
  const deliveries = () => here.query<{ event_id: string }>(sql`select event_id from webhook_deliveries order by id`)
  expect(await deliveries()).toEqual([{ event_id: fresh }])
  await happen(here, [own])
  await here.query(sql`insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type,
      next_attempt_at, created_at, event_tenant_id)
    values (${PLATFORM_ID}, ${newId(new Date())}, ${subscription}, ${own}, 'task.created', now(), now(), ${tenants[0]})`)
  const before = await shown(3)
  const places = await eventsAfter(here, ALL_TENANTS, start, {}, size)
  await leaveEvents(move)
  expect(await eventsAfter(here, ALL_TENANTS, start, {}, size)).toEqual(places)
  expect(await here.query(sql`select from events where tenant_id = ${tenants[0]}`)).toEqual([])
  expect(before).toEqual([old, fresh, own])
  const bodies = await here.query(sql`select e.id from webhook_deliveries d join events e on ${raw(isEventOf('d'))}`)
  expect(bodies).toHaveLength(2)
  const events = partitionedTables(90, new Date()).find(({ name }) => name === 'events')
  const kept = await here.query<{ id: string }>(raw(events?.outliving?.('events', new Date(Date.now() + 1_000)) ?? ''))
  expect(kept.map(({ id }) => id).sort()).toEqual([fresh, own].sort())
})
