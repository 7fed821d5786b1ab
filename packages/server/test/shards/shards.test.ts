// Organizations on several servers: each lives on one, and what happens to a server is no affair of those on another.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../src/database/sql.js'
import { mintKeyFor } from '../../src/program/create-organization.js'
import { listMoves } from '../../src/shards/move-register.js'
import { movedTables } from '../../src/shards/moved-tables.js'
import { startLoad } from '../support/followed-load.js'
import { platformClient } from '../support/platform/platform-client.js'
import { endPrograms, runProgram, startProgram } from '../support/program.js'
import { clientOf } from '../support/service.js'
import { type ShardedService, startSharded } from '../support/sharded-service.js'
import { until } from '../support/until.js'

let service: ShardedService
type Organization = Awaited<ReturnType<ShardedService['organization']>>
let here: Organization
let there: Organization
beforeAll(async () => {
  service = await startSharded(3)
  here = await service.organization('Here', 'main')
  there = await service.organization('There', 'a')
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
  await until(
    async () => (await other.get('/tasks')).status,
    (code: number) => code === 401,
  )
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

test('the platform reaches every organization where it lives, and does not pretend to follow all of them', async () => {
  const platform = await platformClient({ url: service.nodes[0]?.url ?? '', database: service.shards.main.database })
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
  await until(
    () => status(there, 1),
    (code) => code === 403,
  )
  expect((await platform.patch(path, { apiEnabled: true })).status).toBe(200)
  await until(
    () => status(there, 1),
    (code) => code === 200,
  )
  await until(
    async () => (await platform.get(`${path}/usage`)).body.totals.requests,
    (requests: number) => requests > 0,
  )
  await until(
    async () => (await platform.get('/request-log?limit=100')).body.data.map((line: { path: string }) => line.path),
    (paths: string[]) => paths.some((asked) => asked.endsWith(`${path}/api-keys`)),
  )
  const hook = { url: 'https://receiver.invalid/hook' }
  for (const refused of [await platform.get('/events'), await platform.post('/webhooks', hook)])
    expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'several_servers' }])
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
  await until(
    async () => (await other.get('/tasks')).status,
    (code: number) => code === 401,
  )
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
  expect(metrics.match(/^# TYPE parley_db_connections_max /gm)).toHaveLength(1)
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
    status: 'ready',
    servers: { main: 'ok', a: 'ok', b: 'ok' },
  })
})

test('a server that is away harms its organizations alone', async () => {
  service.door('a').shut()
  await until(
    () => status(there),
    (code) => code === 503,
  )
  expect([await status(here), await status(here, 1)]).toEqual([200, 200])
  expect((await client(here).post('/tasks', { title: 'meanwhile' })).status).toBe(201)
  const ready = await fetch(`${service.nodes[0]?.url}/readyz`)
  expect([ready.status, ((await ready.json()) as { servers: object }).servers]).toEqual([
    200,
    { main: 'ok', a: 'database away', b: 'ok' },
  ])
  service.door('a').open()
  await until(
    () => status(there),
    (code) => code === 200,
  )
})

test('while the directory is away, organizations on other servers go on, and a revoked key is refused', async () => {
  const minted = await client(there).post('/api-keys', { name: 'Soon gone', scope: 'READ' })
  const other = clientOf(service.nodes[1]?.url ?? '', minted.body.key)
  expect((await other.get('/tasks')).status).toBe(200)
  service.door('main').shut()
  await until(
    () => status(here),
    (code) => code === 503,
  )
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
  await until(
    () => status(here),
    (code) => code === 200,
  )
  expect((await other.get('/tasks')).status).toBe(401)
})

const said = ['preparing', 'copying', 'verifying', 'Comparing is done', 'Closed', 'Switched', 'cleaning']
/** How many more times the organization is moved, with a kill at each of these: for a quiet machine. */
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
  const load = startLoad(moving.clients, urls, first)
  const stops = ['a', ...Array.from({ length: rounds }, (_, round) => (round % 2 === 0 ? 'b' : 'a')), 'main']
  try {
    await giveUp(moving.id)
    for (const [index, target] of stops.slice(1).entries()) await moveWithKills(moving.id, stops[index] ?? '', target)
  } finally {
    await load.stop(() => load.written.length + 1)
  }

  const { database } = service.shards.main
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
  await expectNothingLeft(moving.id, ['a', 'b'])
}, 600_000)

test('a write that was held up on its way until the organization had left is not acknowledged there', async () => {
  const moving = await service.organization('Held up', 'a')
  const title = 'held up on its way'
  const heldUp = service.door('a').holdUp(title)
  const writing = client(moving).post('/tasks', { title }, { 'idempotency-key': 'held-up' })
  const letGo = await heldUp
  const moved = await runProgram(['organizations', 'move', moving.id, '--to', 'main'], service.env)
  expect(moved, moved.stderr).toMatchObject({ code: 0 })
  letGo()
  expect((await writing).status).toBe(503)
  const again = await client(moving).post('/tasks', { title }, { 'idempotency-key': 'held-up' })
  expect(again.status).toBe(201)
  expect((await client(moving, 1).get('/tasks')).body.data).toMatchObject([{ id: again.body.id }])
  await expectNothingLeft(moving.id, ['a'])
})

/** A move that is killed and given up leaves the organization as it was. */
async function giveUp(id: string): Promise<void> {
  await killAt(['organizations', 'move', id, '--to', 'main'], 'copying')
  const canceled = await runProgram(['organizations', 'move', id, '--cancel', '--json'], service.env)
  expect(canceled, canceled.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(canceled.stdout)).toEqual({ organizationId: id, shard: 'a' })
  await expectNothingLeft(id, ['main'])
}

async function moveWithKills(id: string, source: string, target: string): Promise<void> {
  const command = ['organizations', 'move', id, '--to', target]
  for (const words of said) await killAt(command, words)
  const finished = await runProgram(command, service.env)
  if (finished.code !== 0) expect(finished.stderr).toContain('already')
  const [moved] = await listMoves(service.shards.main.database)
  expect(moved).toMatchObject({ organizationId: id, source, target, phase: 'done' })
}

async function killAt(command: readonly string[], words: string): Promise<void> {
  const mover = await startProgram(command, service.env)
  let isOver = false
  void mover.finished.then(() => (isOver = true))
  await until(
    async () => mover.output(),
    (output) => isOver || output.includes(words),
    120_000,
  )
  mover.signal('SIGKILL')
  await mover.finished
}

/** Neither rows nor triggers nor slots. */
async function expectNothingLeft(organizationId: string, shards: readonly string[]): Promise<void> {
  const tenants = await service.shards.main.database.query<{ id: string }>(
    sql`select id from tenants where organization_id = ${organizationId}`,
  )
  for (const shard of shards) {
    const { database } = service.shards.named(shard)
    for (const { name } of await movedTables(database))
      for (const { id } of tenants)
        expect(await database.query(sql`select 1 from ${raw(name)} where tenant_id = ${id}`), name).toEqual([])
    const left = await database.query(sql`select tgname::text from pg_trigger where tgname like 'moving%'
      union all select slot_name::text from pg_replication_slots where database = current_database()
      union all select subname::text from pg_subscription where subname like 'parley_move%'`)
    expect(left).toEqual([])
  }
}
