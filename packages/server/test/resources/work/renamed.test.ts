// Work is found under the names its customer and person have now, however they were renamed and whatever was going on
// meanwhile.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, sql } from '../../../src/database/sql.js'
import { reindexed } from '../../../src/resources/work/work-record-names.js'
import { reindex } from '../../../src/store/reindex.js'
import { closeAfterTest } from '../../support/after-each.js'
import { tenantOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
/** A node that serves requests and does nothing in the background. */
let apiOnly: Service
beforeAll(async () => {
  service = await startService()
  apiOnly = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(async () => {
  await service.stop()
  await apiOnly.stop()
})

const found = async (api: Client, q: string, how = 'work-records/search') =>
  (await api.get(`/${how}?q=${q}`)).body.data.length
const settled = (on: Service) =>
  until(
    () => on.database.query(sql`select * from reindexing`),
    (jobs) => jobs.length === 0,
  )

/** Work for Maria Lopez, whose customer is made from her. */
async function workForMaria(api: Client) {
  const { body: person } = await api.post('/people', { firstName: 'Maria', lastName: 'Lopez' })
  const { body: work } = await api.post('/work-records', { title: 'Leaking sink', kind: 'JOB', personId: person.id })
  return { person, work }
}

test('a renamed person is found under the new name and not under the old one, in search and list, and the work record keeps its version', async () => {
  const { sandbox: api } = await service.organization('Renamed')
  const { person, work } = await workForMaria(api)
  expect(await found(api, 'lopez')).toBe(1)
  await api.patch(`/people/${person.id}`, { lastName: 'Smith' })
  await until(
    async () => [
      await found(api, 'smith'),
      await found(api, 'lopez'),
      await found(api, 'sink%20mar%20smi', 'work-records'),
      await found(api, 'lopez', 'work-records'),
    ],
    (seen) => seen.join() === '1,0,1,0',
  )
  expect((await api.get(`/work-records/${work.id}`)).body).toEqual(work)
})

test('a renamed customer is followed as well', async () => {
  const { sandbox: api } = await service.organization('Renamed')
  const { body: customer } = await api.post('/customers', { displayName: 'Zürich Bakery' })
  await api.post('/work-records', { title: 'Oven', kind: 'JOB', customerId: customer.id })
  await api.put(`/customers/${customer.id}`, { displayName: 'Geneva Bakery' })
  await until(
    async () => [await found(api, 'geneva'), await found(api, 'zurich')],
    (seen) => seen.join() === '1,0',
  )
})

test('ten thousand records of one person are done in small batches, by several nodes, and nobody else waits for the last', async () => {
  const own = await startService({ PARLEY_ROLE: 'api' })
  closeAfterTest(() => own.stop())
  const { sandbox: api } = await own.organization('Busy')
  const { person, work } = await workForMaria(api)
  const tenantId = await tenantOf(own, api)
  const planting = sql`insert into work_records (tenant_id, id, version, updated_at, record, search)
    select ${tenantId}::uuid, uuid_v7(now() + n * interval '1 ms'), 1, now(),
      (${JSON.stringify(work)}::jsonb || jsonb_build_object('number', 'WR-1' || lpad(n::text, 5, '0')))::json, array_to_tsvector('{leaking,sink,maria,lopez}')
    from generate_series(1, 10000) n`
  await own.database.withClient((client) => client.query(compile(planting)))
  const { sandbox: neighbour } = await own.organization('Neighbour')
  const other = await workForMaria(neighbour)
  await api.patch(`/people/${person.id}`, { lastName: 'Smith' })
  await neighbour.patch(`/people/${other.person.id}`, { lastName: 'Smith' })
  const rest = () =>
    own.database.query<{ count: number }>(
      sql`select count(*)::int as count from work_records where tenant_id = ${tenantId} and search @@ 'lopez'::tsquery`,
    )
  let batches = 0
  const parts = { database: own.database, ...reindexed }
  const counted = {
    ...parts,
    furtherWords: {
      work_records: async (...args: Parameters<NonNullable<(typeof reindexed.furtherWords)['work_records']>>) => {
        expect(args[2].length).toBeLessThanOrEqual(200)
        batches++
        if (batches === 8) expect([await found(neighbour, 'smith'), (await rest())[0]?.count !== 0]).toEqual([1, true])
        return reindexed.furtherWords['work_records']?.(...args) ?? []
      },
    },
  }
  const drain = async (using: typeof parts) => {
    while (await reindex(using));
  }
  await Promise.all([drain(counted), drain(parts)])
  await until(
    async () => (await rest())[0]?.count,
    (count) => count === 0,
  )
  const [row] = await own.database.query<{ smiths: number; versions: number }>(
    sql`select count(*) filter (where search @@ 'smith'::tsquery)::int as smiths, max(version)::int as versions from work_records where tenant_id = ${tenantId}`,
  )
  expect(row).toEqual({ smiths: 10_001, versions: 1 })
})

test('work that is written while its person is renamed waits for the renaming and takes the new name', async () => {
  const { sandbox: api } = await apiOnly.organization('Race')
  const { person, work } = await workForMaria(api)
  const renaming = new pg.Client({ connectionString: apiOnly.databaseUrl })
  await renaming.connect()
  closeAfterTest(() => renaming.end())
  await renaming.query('begin')
  await renaming.query(
    `update people set record = replace(record::text, 'Maria Lopez', 'Maria Smith')::json, version = version + 1 where id = $1`,
    [person.id],
  )
  const patching = api.patch(`/work-records/${work.id}`, { title: 'Dripping tap' })
  await until(
    () => apiOnly.database.query(sql`select 1 from pg_locks where not granted`),
    (waiting) => waiting.length > 0,
  )
  await renaming.query('commit')
  expect((await patching).status).toBe(200)
  expect(await found(api, 'smith%20tap')).toBe(1)
})

test('two renamings at once, of person and customer, leave both new names', async () => {
  const { sandbox: api } = await service.organization('Both')
  const { body: person } = await api.post('/people', { firstName: 'Maria', lastName: 'Lopez' })
  const { body: customer } = await api.post('/customers', { displayName: 'Acme' })
  await api.post('/work-records', { title: 'Sink', kind: 'JOB', personId: person.id, customerId: customer.id })
  for (let round = 0; round < 10; round++)
    await Promise.all([
      api.patch(`/people/${person.id}`, { lastName: `Smith${round}` }),
      api.patch(`/customers/${customer.id}`, { displayName: `Apex${round}` }),
      reindex({ database: service.database, ...reindexed }),
    ])
  await settled(service)
  expect([await found(api, 'smith9%20apex9'), await found(api, 'acme'), await found(api, 'smith8')]).toEqual([1, 0, 0])
})

test('people, subscriptions and work from before the upgrade get the words of today', async () => {
  const { sandbox: api } = await service.organization('Upgraded')
  const { body: person } = await api.post('/people', { displayName: 'Bob', firstName: 'Żółć' })
  const { body: work } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', personId: person.id })
  const tenantId = await tenantOf(service, api)
  for (const table of ['people', 'work_records'])
    await service.database.withClient((client) =>
      client.query(`update ${table} set search = '' where tenant_id = $1`, [tenantId]),
    )
  expect(await found(api, 'bob')).toBe(0)
  await service.database.query(
    sql`insert into reindexing (tenant_id, table_name) values (${tenantId}, 'people'), (${tenantId}, 'work_records')`,
  )
  await settled(service)
  expect((await api.get('/people?q=zolc')).body.data.map(({ id }: any) => id)).toEqual([person.id])
  expect((await api.get('/work-records/search?q=bob%20sink')).body.data).toEqual([work])
})

test('what a crash left is done by whoever runs next', async () => {
  const { sandbox: api } = await apiOnly.organization('Renamed')
  const { person } = await workForMaria(api)
  await api.patch(`/people/${person.id}`, { lastName: 'Smith' })
  expect([await found(api, 'smith'), await found(api, 'lopez')]).toEqual([0, 1])
  await apiOnly.node({ PARLEY_ROLE: 'worker' })
  await settled(apiOnly)
  expect([await found(api, 'smith'), await found(api, 'lopez')]).toEqual([1, 0])
})
