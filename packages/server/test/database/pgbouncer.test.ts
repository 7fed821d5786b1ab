// Four nodes behind a real PgBouncer in transaction mode, on six connections to the server: nothing that they do belongs
// to a connection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { prepareDatabase } from '../../src/server/server.js'
import { atOnce } from '../support/captured.js'
import { createEmptyDatabase, queryDatabase } from '../support/empty-database.js'
import { eventsOf, untilShown } from '../support/events.js'
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../support/servers/pgbouncer.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const SERVER_CONNECTIONS = 6
const reason = whyNoPgBouncer
if (reason) console.warn(`Skipped: ${reason}; scripts/pgbouncer.sh gets one, and PGBOUNCER names it`)

describe.skipIf(reason !== undefined)('behind PgBouncer in transaction mode', () => {
  let service: Service
  let bouncer: PgBouncer
  let nodes: Client[]
  beforeAll(async () => {
    const through = async (url: string) => {
      bouncer = await startPgBouncer(url, SERVER_CONNECTIONS)
      return bouncer.url
    }
    service = await startService({ PARLEY_DB_POOL: '10' }, { through })
    const urls = [service.url, ...(await Promise.all([1, 2, 3].map(async () => (await service.node()).url)))]
    nodes = urls.map((url) => clientOf(url, service.api.key))
  })
  afterAll(async () => {
    await service?.stop()
    await bouncer?.stop()
  })
  const node = (index: number): Client => nodes[index % nodes.length] ?? service.api

  test('four nodes that start together bring an empty database up once', async () => {
    const empty = await createEmptyDatabase()
    const own = await startPgBouncer(empty.url, SERVER_CONNECTIONS)
    const databases = [1, 2, 3, 4].map(() => openDatabase({ url: own.url, connections: 2, statementTimeoutMs: 30_000 }))
    const applied = await Promise.all(databases.map((database) => prepareDatabase(database)))
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
    for (const database of databases) await database.close()
    await own.stop()
    await empty.drop()
  })

  test('crowds, twins, lists, search, exports and events are as without it', async () => {
    const { id } = (await node(0).post('/tasks', { title: 'Ring the bell' })).body
    const patched = await atOnce(24, (index) => node(index).patch(`/tasks/${id}`, { title: `Ring the bell ${index}` }))
    expect(new Set(patched.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await node(3).get(`/tasks/${id}`)).body.version).toBe(25)
    const twins = await atOnce(8, (index) =>
      node(index).post('/tasks', { title: 'Once' }, { 'idempotency-key': 'b-1' }),
    )
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1)
    const customer = (await node(1).post('/customers', { displayName: 'Ada' })).body
    const work = await atOnce(12, (index) =>
      node(index).post('/work-records', { title: `Job ${index}`, canonicalKind: 'job', customerId: customer.id }),
    )
    expect(new Set(work.map(({ body }) => body.number)).size).toBe(12)
    expect((await node(2).get('/tasks?q=bell')).body.data).toHaveLength(1)
    expect((await node(3).get('/tasks?limit=1')).body.data).toHaveLength(1)
    const exported = await node(1).get('/work-records/export?format=ndjson')
    expect(exported.text.trim().split('\n')).toHaveLength(12)
    await untilShown(service, service.api)
    const shown = (await node(2).get('/events?limit=100')).body.data.map((event: { id: string }) => event.id)
    expect(shown).toHaveLength((await eventsOf(service, service.api)).length)
  })

  test('six connections are enough, and nothing is left on them', async () => {
    const busy = await queryDatabase(
      service.databaseUrl,
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'parley'`,
    )
    expect(busy.length).toBeLessThanOrEqual(SERVER_CONNECTIONS)
    // A chore of a node may hold one for a moment.
    await until(
      () =>
        queryDatabase(
          service.databaseUrl,
          `select 1 from pg_locks l join pg_database d on d.oid = l.database
            where l.locktype = 'advisory' and d.datname = current_database()`,
        ),
      (locks) => locks.length === 0,
    )
    const settings = await atOnce(12, () =>
      service.database.query(sql`select current_setting('synchronous_commit') || current_setting('statement_timeout')
        || current_setting('lock_timeout') as left_over`),
    )
    expect(new Set(settings.map(([row]) => row?.['left_over']))).toEqual(new Set(['on00']))
  })
})
