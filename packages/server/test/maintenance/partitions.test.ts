// Partitions: made ahead by whichever node comes first, dropped when they are old, and what is still needed outlives
// them. A table of before becomes one of them beside whoever writes and reads.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.js'
import { migrationFolder } from '../../src/database/migration-files.js'
import { keepPartitions } from '../../src/database/partitions.js'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { raw, sql } from '../../src/database/sql.js'
import { partitionedTables } from '../../src/maintenance/partitioned-tables.js'
import { retentionChores } from '../../src/maintenance/retention.js'
import { prepareDatabase } from '../../src/server/server.js'
import { newEventId, newId } from '../../src/store/id.js'
import type { TestDatabase } from '../support/databases.js'
import { createEmptyDatabase } from '../support/empty-database.js'
import { tenantOf, untilShown } from '../support/events.js'
import { type Service, startService } from '../support/service.js'
import { patiently } from '../support/waiting/patiently.js'

const dayMs = 24 * 60 * 60 * 1_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const keepOnce = (now: Date, database = service.database) => keepPartitions(database, partitionedTables(90, now), now)
const keep = (now: Date, database = service.database) => patiently(() => keepOnce(now, database))

/** Where the rows of a table lie, by the names of its partitions. */
async function placesOf(database: Database, table: string, where = sql`true`): Promise<Record<string, number>> {
  const rows = await database.query<{ place: string; count: number }>(
    sql`select tableoid::regclass::text as place, count(*)::int as count from ${raw(table)} where ${where} group by 1`,
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}

async function partitions(database: Database, table: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

const addEvent = async (database: Database, tenantId: string, at: Date): Promise<string> => {
  const id = newEventId(at)
  await database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body)
    values (${tenantId}::uuid, ${id}, 'task.created', false, ${at}::timestamptz, ${JSON.stringify({ eventId: id })})`)
  return id
}

test('an event lies in the partition of its time, and the feed reads across them', async () => {
  const { sandbox: api } = await service.organization('Across')
  const tenantId = await tenantOf(service, api)
  const times = [-1, 0, 20, 60].map(inDays)
  const ids: string[] = []
  for (const at of times) ids.push(await addEvent(service.database, tenantId, at))
  await untilShown(service, api)
  const places = await placesOf(service.database, 'events', sql`tenant_id = ${tenantId}::uuid`)
  expect(Object.keys(places).length).toBe(3)
  expect(places['events_default']).toBe(1)
  const listed = (await api.get('/events?limit=100')).body.data
  const read = listed.map(({ eventId }: { eventId: string }) => eventId).filter((id: string) => ids.includes(id))
  expect(read.toSorted()).toEqual(ids.toSorted())
  expect((await api.get(`/events/${ids[3]}`)).status).toBe(200)
})

describe('as time goes by', () => {
  test('what came while nobody made partitions moves into its own, and all nodes may make them at once', async () => {
    const tenantId = await tenantOf(service, service.api)
    const at = inDays(30)
    await addEvent(service.database, tenantId, at)
    expect(await placesOf(service.database, 'events', sql`occurred_at = ${at}::timestamptz`)).toEqual({
      events_default: 1,
    })
    await Promise.all([keep(inDays(28)), keep(inDays(28)), keep(inDays(28))])
    await keep(inDays(28))
    const [place] = Object.keys(await placesOf(service.database, 'events', sql`occurred_at = ${at}::timestamptz`))
    expect(place).toMatch(/^events_p/)
    for (const table of ['events', 'inbound_requests', 'request_log']) {
      const names = await partitions(service.database, table)
      expect(names).toContain(`${table}_default`)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  test('a partition goes when it is old, but neither an event that is to be sent nor a request to be worked on', async () => {
    const { sandbox: api } = await service.organization('Dropped')
    const tenantId = await tenantOf(service, api)
    const { id } = (await api.post('/webhooks', { url: 'https://example.com/' })).body
    await api.patch(`/webhooks/${id}`, { status: 'paused' })
    const task = (await api.post('/tasks', { title: 'Held' })).body
    const mine = sql`tenant_id = ${tenantId}::uuid`
    const logInbound = (status: string) =>
      service.database.query(sql`insert into inbound_requests
          (tenant_id, id, connection_id, kind, received_at, provider_ids, conversation, url, headers, body, status)
        values (${tenantId}::uuid, ${newId(new Date())}::uuid, gen_random_uuid(), 'server', now(), '{}', 'call', '',
          '{}', '', ${status})`)
    await logInbound('pending')
    await logInbound('processed')
    const before = await placesOf(service.database, 'events', mine)
    expect(Object.keys(before)).toEqual([expect.stringMatching(/^events_p/)])
    const places = await partitions(service.database, 'events')

    // A reader that takes its time is not waited for: the next round drops what this one could not.
    await service.database.withClient(async (client) => {
      await client.query('begin')
      await client.query('select 1 from events limit 1')
      await expect(keepOnce(inDays(120))).rejects.toThrow(/lock timeout/)
      await client.query('rollback')
    })
    await keep(inDays(120))

    const left = await partitions(service.database, 'events')
    expect(places.filter((place) => left.includes(place))).not.toContain(Object.keys(before)[0])
    expect(await placesOf(service.database, 'inbound_requests', mine)).toEqual({ inbound_requests_default: 1 })
    // The subscription was told of the task, and would send what happened when it is resumed.
    const held = await service.database.query(
      sql`select 1 from events where ${mine} and subject_id = ${task.id}::uuid and type = 'task.created'`,
    )
    expect(held).toHaveLength(1)
    await service.database.query(sql`delete from webhook_deliveries where ${mine}`)
    const chores = retentionChores({ database: service.database, clock: () => inDays(120), days: 90 })
    for (const { name, run } of chores) if (name === 'retention of events') while (await run());
    expect(await placesOf(service.database, 'events', mine)).toEqual({})
  })
})

describe('a database of before', () => {
  let testDatabase: TestDatabase
  let database: Database
  let folder: string
  const tenantId = newId(new Date())
  beforeAll(async () => {
    testDatabase = await createEmptyDatabase()
    database = openDatabase({ url: testDatabase.url, connections: 5, statementTimeoutMs: 30_000 })
    folder = await mkdtemp(join(tmpdir(), 'parley-before-'))
    for (const name of await readdir(migrationFolder))
      if (name < '0190') await cp(new URL(name, migrationFolder), join(folder, name))
    // A migration looks whether an organization is being moved, which the version of then knew nothing of.
    await database.query(sql`create table feed_steps (of_tenant uuid)`)
    await migrate(database, { folder: pathToFileURL(`${folder}/`) })
    await database.query(sql`drop table feed_steps`)
  })
  afterAll(async () => {
    await database.close()
    await testDatabase.drop()
    await rm(folder, { recursive: true })
  })

  test('is partitioned beside a writer and a reader: none of them fails, nothing is lost or twice', async () => {
    const written: string[] = []
    for (const days of [-100, -1]) written.push(await addEvent(database, tenantId, inDays(days)))
    let isOver = false
    const write = async () => {
      while (!isOver) written.push(await addEvent(database, tenantId, new Date()))
    }
    const read = async () => {
      while (!isOver) {
        const known = written.length
        const [row] = await database.query<{ count: number }>(sql`select count(*)::int as count from events`)
        expect(row?.count).toBeGreaterThanOrEqual(known)
      }
    }
    const beside = [write(), read()]
    await prepareDatabase(database)
    expect(await partitions(database, 'events')).toEqual(['events_before'])
    await keep(new Date(), database)
    isOver = true
    await Promise.all(beside)

    const names = await partitions(database, 'events')
    expect(names).toEqual(['events_default', expect.stringMatching(/^events_p19700101_/), expect.any(String)])
    const rows = await database.query<{ id: string }>(sql`select id from events`)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(written.toSorted())

    // What comes after it has partitions of its own, and what was there goes with its own when all of it is old.
    const later = await addEvent(database, tenantId, inDays(4))
    expect(await placesOf(database, 'events', sql`id = ${later}`)).not.toHaveProperty('events_default')
    const chores = retentionChores({ database, clock: () => new Date(), days: 90 })
    for (const { name, run } of chores) if (name === 'retention of events') while (await run());
    expect(await database.query(sql`select 1 from events where id = ${written[0]}`)).toEqual([])
    await keep(inDays(94), database)
    expect(await database.query<{ id: string }>(sql`select id from events`)).toEqual([{ id: later }])
  })
})
