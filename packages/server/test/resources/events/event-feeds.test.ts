// One look for all streams: what many followed tenants cost, and that nothing is skipped or repeated whatever is under
// way, with the index on the log of all and without it.
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.js'
import { openDatabase } from '../../../src/database/pool.js'
import { sql } from '../../../src/database/sql.js'
import { followEvents } from '../../../src/resources/events/event-feeds.js'
import { startServer } from '../../../src/server/server.js'
import { tenantsWithNews } from '../../../src/store/event-news.js'
import { newEventId, newId } from '../../../src/store/id.js'
import { closeAfterTest } from '../../support/after-each.js'
import { countingDatabase } from '../../support/counting-database.js'
import { openEvents } from '../../support/event-source.js'
import { type Client, type Service, secret, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

const ORGANIZATIONS = 20

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** A node that serves requests alone, with what it asks of the database. */
async function countedNode() {
  const opened = openDatabase({ url: service.databaseUrl, connections: 10, statementTimeoutMs: 10_000 })
  const counting = countingDatabase(opened)
  const env = { PORT: '0', DATABASE_URL: service.databaseUrl, PARLEY_SECRET: secret, PARLEY_ROLE: 'api' }
  const server = await startServer({
    config: { ...readConfig(env), secret },
    database: counting.database,
    log: pino({ level: 'silent' }),
  })
  closeAfterTest(() => server.stop().then(() => opened.close()))
  return { url: server.url, texts: counting.texts }
}

const isLook = (text: string) => text.includes('with news as materialized')
/** What a node asks and writes down every few seconds, whoever follows what. */
const isHousekeeping = (text: string) => /auth_revision|api_keys|stat_changes|request_log/.test(text)
const isRead = (text: string) => text.includes('from events') && !isLook(text)

async function dropIndex(): Promise<void> {
  await service.database.query(sql`drop index if exists events_feed`)
}
async function makeIndex(): Promise<void> {
  await service.database.query(sql`create index if not exists events_feed on events (xact, id)`)
}

describe.each([
  ['without the index on the log of all', dropIndex],
  ['with the index on the log of all', makeIndex],
])('%s', (_, prepare) => {
  beforeAll(prepare)

  test(`${2 * ORGANIZATIONS} followed tenants share one look, and the log is read for those with news`, async () => {
    const clients: Client[] = []
    for (let count = 0; count < ORGANIZATIONS; count++) {
      const { sandbox, live } = await service.organization(`Followed ${count}`)
      clients.push(sandbox, live)
    }
    const node = await countedNode()
    const streams = await Promise.all(clients.map(({ key }) => openEvents(`${node.url}/api/v1/events/stream`, key)))
    closeAfterTest(async () => streams.forEach((stream) => stream.close()))
    // Each tenant's feed is read once when it begins. Afterwards nothing is read that has no news.
    const looks = () => node.texts.filter(isLook).length
    const reads = () => node.texts.filter(isRead).length
    await until(
      async () => reads(),
      (count) => count >= 2 * clients.length,
    )
    const before = looks()
    await until(
      async () => looks(),
      (count) => count >= before + 3,
    )
    node.texts.splice(0)
    await until(
      async () => looks(),
      (count) => count >= 5,
    )
    expect(node.texts.filter((text) => !isLook(text) && !isHousekeeping(text))).toEqual([])
    for (const index of [0, 7, 39]) await clients[index]?.post('/tasks', { title: `Of ${index}` })
    for (const index of [0, 7, 39]) {
      const frames = await streams[index]?.atLeast(1)
      expect(frames?.map(({ data }) => data.data.task.title)).toEqual([`Of ${index}`])
    }
    expect(reads()).toBe(3)
    expect(streams.map(({ frames }) => frames.length).reduce((sum, count) => sum + count)).toBe(3)
  })

  test('nothing is skipped or repeated, whatever is under way and whoever comes late', async () => {
    const tenants = Array.from({ length: 6 }, () => newId(new Date()))
    const database = openDatabase({ url: service.databaseUrl, connections: 10, statementTimeoutMs: 10_000 })
    const heard = tenants.map(() => new Array<string>())
    const ends: (() => void)[] = []
    const follow = async (index: number) => {
      const source = {
        database,
        tenants: tenants[index] ?? '',
        onTrouble: (error: Error) => expect.fail(error.message),
      }
      ends.push(await followEvents(source, (events) => void heard[index]?.push(...events.map(({ id }) => id))))
    }
    // The last one follows while the writers are at work: of it, what was under way or came later is heard.
    for (const index of [0, 1, 2, 3, 4]) await follow(index)
    const kept = (await Promise.all(Array.from({ length: 8 }, (_, writer) => write(tenants, writer)))).flat()
    await follow(5)
    kept.push(...(await write(tenants, 99)))
    const last = await Promise.all(tenants.map((tenantId) => logged(tenantId)))
    for (const [index, tenantId] of tenants.entries()) {
      await until(
        async () => heard[index]?.at(-1),
        (id) => id === last[index],
      )
      const log = await service.database.query<{ id: string }>(
        sql`select id from events where tenant_id = ${tenantId} order by xact, id`,
      )
      const ids = log.map(({ id }) => id)
      const seen = heard[index] ?? []
      expect(seen).toEqual(ids.slice(-seen.length))
      if (index < 5) expect(seen).toHaveLength(ids.length)
      expect(ids.filter((id) => id !== last[index]).sort()).toEqual(
        kept
          .filter((one) => one.tenantId === tenantId)
          .map(({ id }) => id)
          .sort(),
      )
    }
    for (const end of ends) end()
    await database.close()
  })
})

test('after a long silence everybody is taken to have news, and the look stays short', async () => {
  await makeIndex()
  const [quiet, loud] = [newId(new Date()), newId(new Date())]
  const first = await tenantsWithNews(service.database, undefined, [quiet])
  expect([first.isIndexed, first.isNews(quiet)]).toEqual([true, false])
  await service.database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body)
    select ${loud}::uuid, 'evt_loud_' || n, 'task.created', false, now(), null, '{}' from generate_series(1, 10001) n`)
  const news = await until(
    () => tenantsWithNews(service.database, first, [quiet]),
    ({ isNews }) => isNews(quiet),
  )
  expect((await tenantsWithNews(service.database, news, [quiet])).isNews(quiet)).toBe(false)
})

/** Ten transactions, each held open for a while across the tenants, some of which roll back. Returns what was kept. */
async function write(tenants: readonly string[], seed: number): Promise<{ tenantId: string; id: string }[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const kept: { tenantId: string; id: string }[] = []
  for (let turn = 0; turn < 10; turn++) {
    await client.query('begin')
    const written: typeof kept = []
    for (let count = 0; count < 1 + ((seed + turn) % 3); count++) {
      const tenantId = tenants[(seed * 7 + turn + count) % tenants.length] ?? ''
      written.push({ tenantId, id: await insertEvent(client, tenantId) })
      await client.query('select pg_sleep($1)', [((seed * 13 + turn * 5) % 7) / 100])
    }
    const isKept = (seed + turn) % 4 !== 0
    await client.query(isKept ? 'commit' : 'rollback')
    if (isKept) kept.push(...written)
  }
  await client.end()
  return kept
}

async function insertEvent(client: pg.Client, tenantId: string): Promise<string> {
  const id = newEventId(new Date())
  await client.query(
    `insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body)
      values ($1, $2, 'task.created', false, now(), null, $3)`,
    [tenantId, id, JSON.stringify({ eventId: id })],
  )
  return id
}

/** A last event, in a transaction of its own. */
async function logged(tenantId: string): Promise<string> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const id = await insertEvent(client, tenantId)
  await client.end()
  return id
}
