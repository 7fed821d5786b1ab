// Requests and commands that are under way while an organization moves: none is answered by a server that it has left,
// and nothing is written there.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import type { Services } from '../../src/http/endpoint.js'
import { mintKeyFor, setEnabled } from '../../src/program/create-organization.js'
import { changeWhereItLives, revokeAnywhere } from '../../src/program/organizations-everywhere.js'
import { sweepImports } from '../../src/resources/imports/sweep-imports.js'
import { isHereOf } from '../../src/shards/homes.js'
import { asMover } from '../../src/shards/moving.js'
import type { Shard } from '../../src/shards/shards.js'
import { expectNothingLeft, killAt, moveWithKills } from '../support/moving-organization.js'
import { type PlatformClient, platformClient } from '../support/platform/platform-client.js'
import { endPrograms, runProgram } from '../support/program.js'
import { clientOf } from '../support/service.js'
import { type ShardedService, startSharded } from '../support/sharded-service.js'

let service: ShardedService
let platform: PlatformClient
const url = () => service.nodes[0]?.url ?? ''
beforeAll(async () => {
  service = await startSharded(3)
  platform = await platformClient({ url: url(), database: service.shards.main.database })
})
afterAll(async () => {
  await endPrograms()
  await service.stop()
})

type Organization = Awaited<ReturnType<ShardedService['organization']>>
const client = ({ clients }: Organization, node = 0) => clients[node] ?? expect.fail()
const keyNames = async (shard: string, { id }: Organization): Promise<string[]> => {
  const rows = await service.shards.named(shard).database.query<{ name: string }>(sql`select k.name from api_keys k
    join tenants t on t.id = k.tenant_id where t.organization_id = ${id} and k.revoked_at is null order by k.name`)
  return rows.map(({ name }) => name)
}
const move = ({ id }: Organization, to: string) => ['organizations', 'move', id, '--to', to]

test('what the platform and an operator do to an organization that moves is done where it lives', async () => {
  const moving = await service.organization('Administered', 'main')
  const path = `/organizations/${moving.id}`
  const body = (name: string) => ({ name, scope: 'READ', environment: 'sandbox' })
  const old = await platform.post(`${path}/api-keys`, body('Old'), { 'idempotency-key': 'old' })
  const task = await client(moving).post('/tasks', { title: 'as it was' })
  const doomed = await platform.post(`${path}/api-keys`, body('Doomed'))
  expect([old.status, doomed.status]).toEqual([201, 201])

  // The mover dies while the organization is closed: what is asked for waits until that has lapsed.
  await killAt(service, move(moving, 'a'), 'Closed')
  const mintByHand = changeWhereItLives(service.shards, moving.id, (database, isHere) =>
    mintKeyFor(database, moving.id, 'sandbox', 'READ', 'By hand', new Date(), 'propose', isHere),
  )
  const whileClosed = await Promise.all([
    platform.post(`${path}/api-keys`, body('While closed')),
    platform.patch(path, { limits: { read: { sustained: 7, burst: 9 } } }),
    revokeAnywhere(service.shards, { id: doomed.body.id }),
    mintByHand,
  ])
  expect(whileClosed).toMatchObject([{ status: 201 }, { status: 200 }, { wasRevoked: false }, /^ak_/])

  // These are held up on their way to the database until the organization has left.
  const letGo: (() => void)[] = []
  const heldUp = async <T>(text: string, request: () => Promise<T>): Promise<Promise<T>[]> => {
    const isHeld = service.door('main').holdUp(text)
    const answer = request()
    letGo.push(await isHeld)
    return [answer]
  }
  const [minting] = await heldUp('Held up', () => platform.post(`${path}/api-keys`, body('Held up')))
  const [renaming] = await heldUp('Renamed', () => platform.patch(path, { name: 'Renamed' }))
  // Last, because what else its node reads there may wait behind it.
  const [reading] = await heldUp(task.body.id, () => client(moving).get(`/tasks/${task.body.id}`))
  await moveWithKills(service, moving.id, ['main', 'a'], [])
  for (const go of letGo) go()
  const minted = await minting
  expect([minted?.status, (await renaming)?.status, (await reading)?.status]).toEqual([201, 200, 200])

  expect(await keyNames('main', moving)).toEqual([])
  expect(await keyNames('a', moving)).toEqual(['By hand', 'Held up', 'Old', 'Test', 'While closed'])
  for (const key of [minted?.body.key, whileClosed[0].body.key, whileClosed[3], old.body.key])
    expect((await clientOf(url(), key).get('/tasks')).status).toBe(200)
  expect((await clientOf(url(), doomed.body.key).get('/tasks')).status).toBe(401)
  expect((await platform.get(path)).body).toMatchObject({ name: 'Renamed', limits: { read: { sustained: 7 } } })
  // What was answered before is answered again.
  const again = await platform.post(`${path}/api-keys`, body('Old'), { 'idempotency-key': 'old' })
  expect([again.status, again.body.key]).toEqual([201, old.body.key])

  // A command that knows the old place alone does nothing there.
  const { main } = service.shards
  const isHere = isHereOf(service.shards, main)?.organization(sql`${moving.id}::uuid`)
  expect(await setEnabled(main.database, moving.id, false, isHere)).toBe(false)
  expect(
    await mintKeyFor(main.database, moving.id, 'sandbox', 'READ', 'Lost', new Date(), 'propose', isHere),
  ).toBeUndefined()
  await expectNothingLeft(service, moving.id, ['main'])
})

test('what was held up over a move is answered from where the organization lives', async () => {
  const [from, to] = ['a', 'main']
  const moving = await service.organization('Held up', from)
  const made = await client(moving).post('/tasks', { title: 'as it was' })
  // Somebody who came too late, when the organization had once left that server, has left a row there.
  await service.shards.named(to).database.query(sql`insert into counters (tenant_id, name, value)
    select id, 'stray', 1 from tenants where organization_id = ${moving.id} and environment = 'sandbox'`)
  await killAt(service, move(moving, to), 'copying')
  await expectWorkersKeepOff(service.shards.named(to), moving.id)
  const held: {
    letGo: () => void
    answer: Promise<{ status: number; text: string; body: { title?: string; data?: object[] } }>
  }[] = []
  const hold = async (text: string, request: () => (typeof held)[number]['answer']) => {
    const isHeld = service.door(from).holdUp(text)
    const answer = request()
    held.push({ letGo: await isHeld, answer })
  }
  const { id } = made.body
  await hold('held up', () => client(moving).post('/tasks', { title: 'held up' }, { 'idempotency-key': from }))
  await hold('high', () => client(moving).patch(`/tasks/${id}`, { priority: 'high' }))
  // Reads come last, each on a node of its own: what else that node reads there may wait behind them.
  await hold(id, () => client(moving).get(`/tasks/${id}`))
  await hold('unmistakable', () => client(moving, 1).get('/tasks?q=unmistakable'))
  await killAt(service, move(moving, to), 'Switched')
  const changed = await client(moving, 2).patch(`/tasks/${id}`, { title: 'unmistakable' })
  expect(changed.status, changed.text).toBe(200)
  const [read, list] = held.splice(2)
  read?.letGo()
  list?.letGo()
  const [one, page] = await Promise.all([read?.answer, list?.answer])
  expect(one, one?.text).toMatchObject({ status: 200, body: { title: 'unmistakable' } })
  expect(page, page?.text).toMatchObject({ status: 200, body: { data: [{ id }] } })

  // The rows are gone from the server that was left when these come there.
  const moved = await runProgram(move(moving, to), service.env)
  expect(moved, moved.stderr).toMatchObject({ code: 0 })
  for (const { letGo } of held) letGo()
  const [written, patched] = await Promise.all(held.map(({ answer }) => answer))
  expect([written?.status, patched?.status]).toEqual([201, 200])
  const again = await client(moving).post('/tasks', { title: 'held up' }, { 'idempotency-key': from })
  expect(again.body).toEqual(written?.body)
  const { body } = await client(moving, 2).get('/tasks')
  expect(body.data).toMatchObject([{ title: 'held up' }, { title: 'unmistakable', priority: 'high' }])
  const stray = sql`select 1 from counters where name = 'stray'`
  expect(await service.shards.named(to).database.query(stray)).toEqual([])
  await expectNothingLeft(service, moving.id, [from])
})

/** What has arrived of an organization is nobody's yet: its files are not swept, and nobody's work is held up by it. */
async function expectWorkersKeepOff(shard: Shard, organizationId: string): Promise<void> {
  const { database } = shard
  const own = `from tenants where organization_id = $1 and environment = 'sandbox'`
  await asMover(shard, (client) =>
    client.query(
      `insert into import_parts (tenant_id, import_id, start, blob, listed_at)
        select id, id, 0, 'of an import that has not come yet', now() ${own}`,
      [organizationId],
    ),
  )
  const removed: string[] = []
  const blobs = { remove: async (_folder: string, blob: string) => void removed.push(blob) }
  await sweepImports({ database, services: { blobs } as unknown as Services, clock: () => new Date() })
  expect(removed).toEqual([])
  const queued = await database.withClient((client) =>
    client.query(`insert into understanding_jobs (tenant_id, kind, subject_id) select id, 'call', id ${own}`, [
      organizationId,
    ]),
  )
  expect(queued.rowCount).toBe(0)
  await asMover(shard, (client) =>
    client.query(`delete from import_parts where tenant_id in (select id ${own})`, [organizationId]),
  )
}
