// Organizations on several servers: each lives on one, and what happens to a server is no affair of those on another.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { mintKeyFor } from '../../src/program/create-organization.js'
import { newEventId } from '../../src/store/id.js'
import { openEvents } from '../support/event-source.js'
import { startLoad } from '../support/followed-load.js'
import { expectNothingLeft, giveUpMove, killAt, loseSlot, moveWithKills, said } from '../support/moving-organization.js'
import { PLATFORM, type PlatformClient, platformClient } from '../support/platform/platform-client.js'
import { startPlatformFollowers } from '../support/platform/platform-followers.js'
import { endPrograms, runProgram } from '../support/program.js'
import { type Client, clientOf } from '../support/service.js'
import { type ShardedService, startSharded } from '../support/sharded-service.js'
import { until } from '../support/until.js'
import { ok, subscriber } from '../support/webhooks/sending.js'
import { isSignedWith } from '../support/webhooks/signed-with.js'

let service: ShardedService
type Organization = Awaited<ReturnType<ShardedService['organization']>>
let here: Organization
let there: Organization
let platform: PlatformClient
beforeAll(async () => {
  service = await startSharded(3)
  here = await service.organization('Here', 'main')
  there = await service.organization('There', 'a')
  platform = await platformClient({ url: service.nodes[0]?.url ?? '', database: service.shards.main.database })
})
afterAll(async () => {
  await endPrograms()
  await service.stop()
})

const client = (organization: Organization, node = 0) => {
  const found = organization.clients[node]
  if (found === undefined) throw new Error(`No node ${node}`)
  return found
}
const countTasks = async (shard: string): Promise<number> => {
  const rows = await service.shards.named(shard).database.query(sql`select id from tasks`)
  return rows.length
}
const status = async (organization: Organization, node = 0) => (await client(organization, node).get('/tasks')).status
const untilIs = (wanted: number, look: () => Promise<{ status: number }>) =>
  until(look, (answer) => answer.status === wanted)
const untilStatus = (organization: Organization, wanted: number, node = 0) =>
  untilIs(wanted, () => client(organization, node).get('/tasks'))
const untilRefused = (other: Client) => untilIs(401, () => other.get('/tasks'))

test('what an organization writes is on its server and on no other', async () => {
  expect((await client(here).post('/tasks', { title: 'on main' })).status).toBe(201)
  for (const node of [0, 1]) expect((await client(there, node).post('/tasks', { title: 'on a' })).status).toBe(201)
  expect([await countTasks('main'), await countTasks('a'), await countTasks('b')]).toEqual([1, 2, 0])
  const { body } = await client(there).get('/tasks')
  expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['on a', 'on a'])
  await until(
    async () => (await client(there).get('/events')).body.data.length,
    (count: number) => count === 2,
  )
})

test('a key that is minted on one node works on another at once, and is in the directory', async () => {
  const minted = await client(there).post('/api-keys', { name: 'New', scope: 'READ' })
  expect(minted.status).toBe(201)
  const other = clientOf(service.nodes[1]?.url ?? '', minted.body.key)
  expect((await other.get('/tasks')).status).toBe(200)
  const homes = sql`select 1 from key_homes where organization_id = ${there.id}`
  await until(
    async () => (await service.shards.main.database.query(homes)).length,
    (count: number) => count >= 2,
  )
  expect((await client(there).delete(`/api-keys/${minted.body.id}`)).status).toBe(204)
  await untilRefused(other)
  expect((await clientOf(service.nodes[0]?.url ?? '', `ak_test_${'0'.repeat(32)}`).get('/tasks')).status).toBe(401)
})

test('members and invitations are in the directory, wherever the organization lives', async () => {
  const database = service.shards.named('a').database
  const key = await mintKeyFor(database, there.id, 'production', 'ADMIN', 'Live', new Date())
  const live = clientOf(service.nodes[1]?.url ?? '', key ?? '')
  expect((await live.post('/invitations', { email: 'one@example.com', role: 'agent' })).status).toBe(201)
  expect((await live.get('/invitations')).body.data).toMatchObject([{ email: 'one@example.com' }])
  expect((await live.get('/members')).body.data).toEqual([])
  const links = sql`select 1 from one_time_links where organization_id = ${there.id}`
  expect(await database.query(links)).toEqual([])
  expect(await service.shards.main.database.query(links)).toHaveLength(1)
})

test('the platform reaches every organization where it lives', async () => {
  const path = `/organizations/${there.id}`
  const minted = await platform.post(`${path}/api-keys`, { name: 'Far', scope: 'READ', environment: 'sandbox' })
  expect(minted.status).toBe(201)
  const far = clientOf(service.nodes[1]?.url ?? '', minted.body.key)
  expect((await far.get('/tasks')).status).toBe(200)
  const one = (await platform.get(path)).body
  expect(one.environments[0]).toMatchObject({ environment: 'sandbox', activeKeys: 2 })
  const listed = (await platform.get('/organizations')).body.data
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([there.id, here.id])
  expect(listed[0].environments[0].activeKeys).toBe(2)
  expect((await platform.patch(path, { apiEnabled: false })).body.apiEnabled).toBe(false)
  await untilStatus(there, 403, 1)
  expect((await platform.patch(path, { apiEnabled: true })).status).toBe(200)
  await untilStatus(there, 200, 1)
  await until(
    async () => (await platform.get(`${path}/usage`)).body.totals.requests,
    (requests: number) => requests > 0,
  )
  await until(
    async () => (await platform.get('/request-log?limit=100')).body.data.map((line: { path: string }) => line.path),
    (paths: string[]) => paths.some((asked) => asked.endsWith(`${path}/api-keys`)),
  )
})

const everywhere = async (query: string): Promise<{ eventId: string; organizationId: string }[]> =>
  (await platform.get(`/events?limit=100${query}`)).body.data
/** The platform has the event, wherever it happened. */
const untilFollowed = (eventId: string) => untilIs(200, () => platform.get(`/events/${eventId}`))
const lastEvent = async (organization: Organization): Promise<string> =>
  (await client(organization).get('/events?limit=1')).body.data[0]?.eventId

test('the platform follows the organizations of all servers: as a list, as a stream and by a webhook', async () => {
  await untilFollowed(await lastEvent(there))
  const begun = await everywhere('')
  expect(new Set(begun.map(({ organizationId }) => organizationId))).toEqual(new Set([here.id, there.id]))
  const after = begun[0]?.eventId ?? ''
  const hook = await subscriber(ok)
  const made = await platform.post('/webhooks', { url: hook.url, environment: 'sandbox' })
  expect(made.status, made.text).toBe(201)
  const stream = await openEvents(`${service.nodes[1]?.url}${PLATFORM}/events/stream`, platform.key)
  for (const organization of [there, here, there])
    expect((await client(organization, 2).post('/tasks', { title: 'for all' })).status).toBe(201)
  await stream.atLeast(3)
  const news = await until(
    () => everywhere(`&after=${after}`),
    (events) => events.length >= 3,
  )
  const idsOf = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId)
  expect(idsOf(stream.frames.map(({ data }) => data))).toEqual(idsOf(news))
  const own = (await client(there).get('/events?limit=2')).body.data
  expect(idsOf(await everywhere(`&after=${after}&organizationId=${there.id}`))).toEqual(idsOf(own).reverse())
  expect(await everywhere(`&after=${after}&environment=production`)).toEqual([])
  expect(idsOf(await everywhere(`&organizationId=${there.id}`)).slice(0, 2)).toEqual(idsOf(own))
  expect((await platform.get(`/events/${own[0].eventId}`)).body).toEqual(own[0])
  const received = () => Object.fromEntries(hook.received.map((one) => [JSON.parse(one.body.toString()).eventId, one]))
  const told = await until(
    async () => received(),
    (found) => idsOf(news).every((id) => id in found),
  )
  for (const id of idsOf(news)) expect(isSignedWith(made.body.secret, told[id] ?? expect.fail())).toBe(true)
  const deliveries = (await platform.get(`/webhooks/${made.body.id}/deliveries?expand=payload`)).body.data
  expect(deliveries.find((one: { eventId: string }) => one.eventId === own[0].eventId)?.payload).toEqual(own[0])
  expect((await platform.delete(`/webhooks/${made.body.id}`)).status).toBe(204)
  stream.close()
})

test('the commands of an operator find an organization where it lives', async () => {
  const run = async (...args: string[]) => {
    const finished = await runProgram([...args, '--json'], service.env)
    expect(finished, finished.stderr).toMatchObject({ code: 0 })
    return JSON.parse(finished.stdout)
  }
  const { key } = await run('keys', 'mint', '--org', there.id, '--env', 'test', '--scope', 'READ', '--name', 'By hand')
  const other = clientOf(service.nodes[2]?.url ?? '', key)
  expect((await other.get('/tasks')).status).toBe(200)
  expect(await run('org', 'show', there.id)).toMatchObject({ id: there.id, shard: 'a' })
  await run('keys', 'revoke', key)
  await untilRefused(other)
})

test('a calendar is found by its secret on whichever server it is', async () => {
  const made = await client(there).post('/calendar-feeds', { name: 'Mine' })
  expect(made.status).toBe(201)
  const path = new URL(made.body.url).pathname
  const read = await fetch(`${service.nodes[1]?.url}${path}`)
  expect([read.status, read.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect((await fetch(`${service.nodes[1]?.url}${path.replace(/.{3}\.ics$/, 'AAA.ics')}`)).status).toBe(404)
})

test('numbers and readiness tell the servers apart', async () => {
  const url = service.nodes[0]?.url
  const metrics = await (await fetch(`${url}/metrics`)).text()
  for (const shard of ['main', 'a', 'b']) {
    expect(metrics).toMatch(new RegExp(`^parley_db_connections_max\\{.*shard="${shard}"`, 'm'))
    expect(metrics).toMatch(new RegExp(`^parley_event_horizon_age_seconds\\{.*shard="${shard}"`, 'm'))
  }
  for (const shard of ['a', 'b'])
    expect(metrics).toMatch(new RegExp(`^parley_platform_events_age_seconds\\{.*shard="${shard}"`, 'm'))
  expect(metrics.match(/^# TYPE parley_db_connections_max /gm)).toHaveLength(1)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    status: 'ready',
    servers: { main: 'ok', a: 'ok', b: 'ok' },
  })
})

test('a server that is away harms its organizations alone', async () => {
  service.door('a').shut()
  await untilStatus(there, 503)
  expect([await status(here), await status(here, 1)]).toEqual([200, 200])
  const last = (await everywhere(''))[0]?.eventId ?? ''
  const stream = await openEvents(`${service.nodes[1]?.url}${PLATFORM}/events/stream`, platform.key)
  // Something happens on the server that nodes do not reach.
  const hidden = newEventId(new Date())
  await service.shards.named('a').database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body,
      search) select id, ${hidden}, 'note.added', false, now(), ${JSON.stringify({ eventId: hidden })}, '' from tenants
    where organization_id = ${there.id} and environment = 'sandbox'`)
  expect((await client(here).post('/tasks', { title: 'meanwhile' })).status).toBe(201)
  await stream.atLeast(1)
  const meanwhile = await lastEvent(here)
  expect(stream.frames.map(({ id }) => id)).toEqual([meanwhile])
  expect((await everywhere(`&after=${last}`)).map(({ eventId }) => eventId)).toEqual([meanwhile])
  const ready = await fetch(`${service.nodes[0]?.url}/readyz`)
  expect([ready.status, ((await ready.json()) as { servers: object }).servers]).toEqual([
    200,
    { main: 'ok', a: 'database away', b: 'ok' },
  ])
  service.door('a').open()
  await untilStatus(there, 200)
  await stream.atLeast(2)
  expect(stream.frames.map(({ id }) => id)).toEqual([meanwhile, hidden])
  expect((await everywhere(`&after=${last}`)).map(({ eventId }) => eventId)).toEqual([meanwhile, hidden])
  stream.close()
})

test('while the directory is away, organizations on other servers go on, and a revoked key is refused', async () => {
  const minted = await client(there).post('/api-keys', { name: 'Soon gone', scope: 'READ' })
  const other = clientOf(service.nodes[1]?.url ?? '', minted.body.key)
  expect((await other.get('/tasks')).status).toBe(200)
  service.door('main').shut()
  await untilStatus(here, 503)
  for (const node of [0, 1]) expect(await status(there, node)).toBe(200)
  expect((await client(there, 1).post('/tasks', { title: 'without a directory' })).status).toBe(201)
  const { status: revoked } = await client(there).delete(`/api-keys/${minted.body.id}`)
  expect(revoked).toBe(204)
  await until(
    async () => (await other.get('/tasks')).status,
    (code: number) => code !== 200,
  )
  expect((await fetch(`${service.nodes[0]?.url}/readyz`)).status).toBe(200)
  service.door('main').open()
  await untilStatus(here, 200)
  expect((await other.get('/tasks')).status).toBe(401)
  // What happened meanwhile comes to the platform later.
  await untilFollowed(await lastEvent(there))
})

test('an organization does not move while an upgrade goes through the rows of its server', async () => {
  const databases = ['a', 'b'].map((name) => service.shards.named(name).database)
  const name = '0272_minutes_of_calls.batch.sql'
  for (const database of databases) await database.query(sql`delete from migrations where name = ${name}`)
  const refused = await runProgram(['organizations', 'move', there.id, '--to', 'b'], service.env)
  for (const database of databases) await database.query(sql`insert into migrations (name) values (${name})`)
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain(`still at work (${name})`)
  const canceled = await runProgram(['organizations', 'move', there.id, '--cancel'], service.env)
  expect(canceled, canceled.stderr).toMatchObject({ code: 0 })
  await expectNothingLeft(service, there.id, ['b'])
  expect(await status(there)).toBe(200)
})

/** How many more times the organization is moved there and back, with a kill in each phase: for a quiet machine. */
const rounds = Number(process.env['TEST_SHARD_ROUNDS'] ?? 0)

test('an organization moves while three nodes write and read, however often the mover is killed', async () => {
  const moving = await service.organization('Moving', 'a')
  const api = client(moving)
  expect((await api.post('/webhooks', { url: 'https://receiver.invalid/hook' })).status).toBe(201)
  expect((await api.post('/tasks', { title: 'first' })).status).toBe(201)
  const [event] = await until(
    async () => (await api.get('/events')).body.data,
    (events: { eventId: string }[]) => events.length === 1,
  )
  const first = event?.eventId ?? ''
  const urls = service.nodes.map(({ url }) => url)
  await untilFollowed(first)
  const followers = await startPlatformFollowers(urls, platform.key, first)
  const load = startLoad(moving.clients, urls, first)
  try {
    await giveUpMove(service, moving.id, 'a', 'main')
    for (let round = 0; round < rounds; round++) {
      await moveWithKills(service, moving.id, ['a', 'main'], said)
      await moveWithKills(service, moving.id, ['main', 'a'], said)
    }
    await moveWithKills(service, moving.id, ['a', 'main'], said)
    await killAt(service, ['organizations', 'move', moving.id, '--to', 'b'], 'Switched')
    await loseSlot(service, moving.id, 'main')
    await moveWithKills(service, moving.id, ['main', 'b'], [])
  } finally {
    await load.stop(() => load.written.length + 1)
    await followers.stop(moving.id, load.written.length)
  }

  const { database } = service.shards.named('b')
  const rows = await database.query<{ title: string }>(sql`select record ->> 'title' as title from tasks t
    join tenants on tenants.id = t.tenant_id where organization_id = ${moving.id}`)
  expect(rows.map(({ title }) => title).sort()).toEqual(['first', ...load.written].sort())
  const events = await database.query<{ id: string; deliveries: number }>(sql`select e.id,
      (select count(*)::int from webhook_deliveries d
        where d.tenant_id = e.tenant_id and d.event_id = e.id) as deliveries
    from events e join tenants t on t.id = e.tenant_id where t.organization_id = ${moving.id} order by e.xact, e.id`)
  const ids = events.map(({ id }) => id)
  expect(load.refused).toEqual([])
  expect(load.streamed).toEqual(ids)
  expect([first, ...load.paged]).toEqual(ids)
  expect(ids).toHaveLength(rows.length)
  expect(new Set(events.map(({ deliveries }) => deliveries))).toEqual(new Set([1]))
  await expectNothingLeft(service, moving.id, ['a', 'main'])

  // Who follows all organizations has seen the same, in the same order; a webhook may be told twice, of one event.
  const { hooked, ...read } = followers.of(moving.id)
  for (const [reader, seen] of Object.entries(read)) expect([first, ...seen], reader).toEqual(ids)
  expect([...new Set([first, ...hooked])].sort()).toEqual([...ids].sort())
  expect(followers.refused).toEqual([])
})
