// A page of a list is planned once for each connection: a plan for each page would cost as much as the page.
import { tasks } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { ListReader } from '../../src/store/list-reader.js'
import { type Service, startService } from '../support/service.js'

const PAGES = 30
let service: Service
let database: Database
let tenantId: string
beforeAll(async () => {
  service = await startService()
  const { body } = await service.api.post('/tasks', { title: 'One of many' })
  await service.database.query(sql`insert into tasks (tenant_id, id, version, updated_at, shape, record, search)
    select tenant_id, uuid_v7(now() - n * interval '1 second'), version, updated_at, shape, record, search
    from tasks, generate_series(1, 5000) n where id = ${body.id}`)
  const [row] = await service.database.read<[string]>(sql`select tenant_id from tasks where id = ${body.id}`)
  tenantId = row?.[0] ?? ''
  await service.database.withClient((client) => client.query('vacuum analyze tasks'))
  database = openDatabase({ url: service.databaseUrl, connections: 1, statementTimeoutMs: 30_000 })
})
afterAll(async () => {
  await database.close()
  await service.stop()
})

test.each([5, 10, 20, 50, 100])('of %i records', async (limit) => {
  const reader = new ListReader(database, tenantId)
  let after = (await reader.joined(tasks, { limit })).last ?? undefined
  for (let page = 0; page < PAGES; page++) after = (await reader.joined(tasks, { limit, after })).last ?? undefined
  // One read after the other goes over the same connection.
  const plans = await database.read<[number, number]>(sql`select generic_plans, custom_plans from pg_prepared_statements
    where statement like '%string_agg%' and statement like '%id <%' and statement not like '%pg_prepared%'
    order by prepare_time desc limit 1`)
  // Five are made to compare them with one for all.
  expect(plans).toEqual([[PAGES - 5, 5]])
})
