import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../../src/database/migrate.js'
import { sql } from '../../../src/database/sql.js'
import { newEventId, newId } from '../../../src/store/id.js'
import { tenantOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** Events come to light when all older transactions of the server are over, also those of other tests. */
async function listed(api: Client, query: string, count: number): Promise<any[]> {
  for (const deadline = Date.now() + 200_000; ; await sleep(20)) {
    const { body } = await api.get(`/events?${query}`)
    if (body.data.length >= count || Date.now() > deadline) return body.data
  }
}

async function makeTasks(api: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await api.post('/tasks', { title: `Task ${index}` })).body.id)
  return ids
}

describe('the event log', () => {
  test('goes by the number of the transaction, not by its digits', async () => {
    const api = (await service.organization('Powers of ten')).sandbox
    const ids = await makeTasks(api, 2)
    const [first, second] = await listed(api, 'limit=100', 2)
    const [row] = await service.database.query<{ oldest: number }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot())::text::float8 as oldest`,
    )
    // 999 comes before 1000, although its text does not.
    const power = 10 ** Math.floor(Math.log10((row?.oldest ?? 0) - 1))
    const place = (eventId: string, xact: number) =>
      service.database.query(sql`update events set xact = ${String(xact)}::xid8 where id = ${eventId}`)
    await place(second.eventId, power - 1)
    await place(first.eventId, power)
    expect((await listed(api, 'limit=1', 1)).map(({ data }) => data.taskId)).toEqual([ids[1]])
    expect((await listed(api, `after=${second.eventId}`, 1)).map(({ data }) => data.taskId)).toEqual([ids[1]])
  })

  test('has every event as it was stored, newest first, page by page', async () => {
    const api = (await service.organization('Pages')).sandbox
    const ids = await makeTasks(api, 7)
    const all = await listed(api, 'limit=100', 7)
    expect(all.map(({ data }) => data.taskId)).toEqual([...ids].reverse())
    const stored = await service.database.query<{ id: string; body: string }>(
      sql`select id, body from events where tenant_id = ${await tenantOf(service, api)}`,
    )
    const page = await api.get('/events?limit=3')
    const bodies = new Map(stored.map(({ id, body }) => [id, body]))
    const expected = all.slice(0, 3).map(({ eventId }) => bodies.get(eventId))
    expect(page.text.startsWith(`{"data":[${expected.join(',')}],"pagination":`)).toBe(true)
    const seen = [...page.body.data]
    for (let cursor = page.body.pagination.nextCursor; cursor !== null; ) {
      const next = await api.get(`/events?limit=3&cursor=${cursor}`)
      seen.push(...next.body.data)
      cursor = next.body.pagination.nextCursor
    }
    expect(seen).toEqual(all)
    const one = await api.get(`/events/${all[2].eventId}`)
    expect(one.text).toBe(bodies.get(all[2].eventId))
  })

  test('goes on past an event, oldest first, with pages and filters', async () => {
    const api = (await service.organization('After')).sandbox
    const ids = await makeTasks(api, 5)
    const noted = (await api.post('/notes', { body: 'n', subjectType: 'person', subjectId: newId(new Date()) })).body
    const [newest, ...older] = await listed(api, '', 6)
    const first = older.at(-1)
    const after = await api.get(`/events?after=${first.eventId}&limit=3`)
    expect(after.body.data.map(({ data }: any) => data.taskId)).toEqual(ids.slice(1, 4))
    const rest = await api.get(`/events?after=${first.eventId}&limit=3&cursor=${after.body.pagination.nextCursor}`)
    expect(rest.body.data.map(({ data }: any) => data.taskId ?? data.noteId)).toEqual([ids[4], noted.id])
    expect(rest.body.pagination.nextCursor).toBeNull()
    expect((await api.get(`/events?after=${newest.eventId}`)).body.data).toEqual([])
    expect((await api.get(`/events?after=${first.eventId}&type=note.added`)).body.data).toEqual([newest])
    expect((await api.get(`/events?type=note.added,task.created&limit=100`)).body.data).toHaveLength(6)
    expect((await api.get(`/events?subjectId=${ids[1]}`)).body.data.map(({ data }: any) => data.taskId)).toEqual([
      ids[1],
    ])
    expect((await api.get(`/events?since=${newest.occurredAt}`)).body.data).toContainEqual(newest)
    expect((await api.get('/events?until=2020-01-01T00:00:00Z')).body.data).toEqual([])
  })

  test('refuses what it cannot answer, and shows nothing of others', async () => {
    const [mine, other] = [(await service.organization('Mine')).sandbox, await service.organization('Other')]
    await makeTasks(other.sandbox, 1)
    const [foreign] = await listed(other.sandbox, '', 1)
    expect((await mine.get('/events')).body.data).toEqual([])
    expect((await other.live.get('/events')).body.data).toEqual([])
    expect((await mine.get(`/events/${foreign.eventId}`)).status).toBe(404)
    for (const [query, path] of [
      [`after=${foreign.eventId}`, 'after'],
      [`after=${newEventId(new Date())}`, 'after'],
      ['after=nonsense', 'after'],
      ['type=task.exploded', 'type'],
      ['subjectId=7', 'subjectId'],
      ['since=yesterday', 'since'],
      ['limit=101', 'limit'],
      ['cursor=abc', 'cursor'],
      ['colour=red', 'colour'],
    ]) {
      expect(await mine.get(`/events?${query}`), query).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', details: [{ path }] } },
      })
    }
    for (const id of ['nonsense', foreign.eventId.toLowerCase(), newEventId(new Date())])
      expect((await mine.get(`/events/${id}`)).status).toBe(404)
    expect((await mine.post('/events', {})).status).toBe(405)
  })
})

/** Writes an event in a transaction that is held open by hand. */
async function heldWriter(tenantId: string) {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin')
  return {
    async log(): Promise<string> {
      const id = newEventId(new Date())
      const values = [tenantId, id, new Date(), newId(new Date()), JSON.stringify({ eventId: id })]
      await client.query(
        `insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body) values ($1, $2, 'task.created', false, $3, $4, $5)`,
        values,
      )
      return id
    },
    async end(how: 'commit' | 'rollback' = 'commit'): Promise<void> {
      await client.query(how)
      await client.end()
    },
  }
}

describe('the feed never skips', () => {
  test('an event whose transaction began before another one and ended after it', async () => {
    const api = (await service.organization('Held')).sandbox
    const tenantId = await tenantOf(service, api)
    await makeTasks(api, 1)
    const [start] = await listed(api, '', 1)
    const slow = await heldWriter(tenantId)
    const slowId = await slow.log()
    await makeTasks(api, 1)
    const byId = await service.database.query<{ id: string }>(
      sql`select id from events where tenant_id = ${tenantId} and id > ${start.eventId} order by id`,
    )
    // This is what a reader that went by id would take for the end of the log, past the event that is still under way.
    expect(byId).toHaveLength(1)
    expect(String(byId[0]?.id) > slowId).toBe(true)
    expect((await api.get(`/events?after=${start.eventId}`)).body.data).toEqual([])
    await slow.end()
    const feed = await listed(api, `after=${start.eventId}`, 2)
    expect(feed.map(({ eventId }) => eventId)).toEqual([slowId, byId[0]?.id])
  })

  test('an event of many writers on two nodes, some held back for a while, whoever reads', async () => {
    const api = (await service.organization('Crowd')).sandbox
    const tenantId = await tenantOf(service, api)
    await makeTasks(api, 1)
    const [start] = await listed(api, '', 1)
    const other = clientOf((await service.node()).url, api.key)
    let total = Number.POSITIVE_INFINITY
    const kept: string[] = []

    const requests = [api, other].flatMap((client) =>
      Array.from({ length: 4 }, async () => {
        for (let index = 0; index < 15; index++) {
          await client.post('/tasks', { title: 'x' })
          await sleep(Math.random() * 20)
        }
      }),
    )
    const held = Array.from({ length: 4 }, async () => {
      for (let index = 0; index < 8; index++) {
        const writer = await heldWriter(tenantId)
        const ids = [await writer.log()]
        await sleep(Math.random() * 120)
        ids.push(await writer.log())
        const isKept = Math.random() < 0.8
        if (isKept) kept.push(...ids)
        await writer.end(isKept ? 'commit' : 'rollback')
      }
    })
    const read = async (client: Client, limit: number) => {
      const seen: string[] = []
      let after = start.eventId
      for (
        const deadline = Date.now() + 200_000;
        seen.length < total && Date.now() < deadline;
        await sleep(Math.random() * 10)
      ) {
        const { data } = (await client.get(`/events?after=${after}&limit=${limit}`)).body
        seen.push(...data.map(({ eventId }: any) => eventId))
        after = seen.at(-1) ?? after
      }
      return seen
    }
    const readers = [read(api, 1), read(other, 3), read(other, 100)]
    await Promise.all([...requests, ...held])
    total = kept.length + 120
    const seen = await Promise.all(readers)
    const rows = await service.database.query<{ id: string }>(
      sql`select id from events where tenant_id = ${tenantId} and id <> ${start.eventId} order by xact, id`,
    )
    expect(rows).toHaveLength(total)
    for (const ids of seen) expect(ids).toEqual(rows.map(({ id }) => id))
  })
})

test('transactions are ordered as numbers', async () => {
  const own = await startService()
  try {
    const ids = await makeTasks(own.api, 4)
    await listed(own.api, '', 4)
    for (const [index, xact] of ['100', '9', '10', '99'].entries())
      await own.database.query(sql`update events set xact = ${xact}::xid8 where subject_id = ${ids[index]}`)
    const expected = [ids[1], ids[2], ids[3], ids[0]]
    const first = (await own.api.get(`/events?subjectId=${ids[1]}`)).body.data[0]
    const tasksOf = async (query: string) =>
      (await own.api.get(`/events?${query}`)).body.data.map(({ data }: any) => data.taskId)
    expect(await tasksOf('limit=10')).toEqual([...expected].reverse())
    expect(await tasksOf(`after=${first.eventId}`)).toEqual(expected.slice(1))
    expect(await tasksOf(`after=${first.eventId}&type=task.created`)).toEqual(expected.slice(1))
  } finally {
    await own.stop()
  }
})

test('events that were restored into a younger cluster are read again once it is migrated, in their order', async () => {
  const own = await startService()
  try {
    const ids = await makeTasks(own.api, 3)
    await listed(own.api, '', 3)
    await own.database.query(
      sql`update events set xact = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8 where subject_id <> ${ids[0]}`,
    )
    expect(await listed(own.api, '', 1)).toHaveLength(1)
    await migrate(own.database)
    const [more] = await makeTasks(own.api, 1)
    const all = await listed(own.api, '', 4)
    expect(all.map(({ data }) => data.taskId)).toEqual([more, ids[2], ids[1], ids[0]])
  } finally {
    await own.stop()
  }
})

test('what holds the feed back is a number that operators can watch', async () => {
  const writer = await heldWriter(await tenantOf(service, service.api))
  await writer.log()
  const age = async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    return Number(/^parley_event_horizon_age_seconds (.+)$/m.exec(metrics)?.[1])
  }
  await expect.poll(age).toBeGreaterThan(0.25)
  await writer.end('rollback')
})
