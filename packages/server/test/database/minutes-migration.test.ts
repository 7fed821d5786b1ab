// Minutes of calls are counted beside serving nodes: whatever is written meanwhile, on either side of the place that the
// batches have come to, each call counts once and by what it is in the end.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.js'
import type { Database } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { newId } from '../../src/store/id.js'
import { type Service, startService } from '../support/service.js'
import { untilHeldUp } from '../support/waiting/held-table.js'

const folder = new URL('../../src/database/migrations/', import.meta.url)
const textOf = (name: string) => readFile(new URL(name, folder), 'utf8')

let service: Service
let database: Database
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
  database = service.database
})
afterAll(() => service.stop())

const tenants = Array.from({ length: 3 }, () => crypto.randomUUID()).sort()
const recordOf = (duration: number | null) =>
  JSON.stringify({ direction: 'inbound', status: 'completed', startedAt: '2026-03-02T15:04:05.000Z', duration })

const insertCall = (tenantId: string, id: string, duration: number | null) =>
  sql`insert into calls (tenant_id, id, version, record, updated_at)
    values (${tenantId}::uuid, ${id}::uuid, 1, ${recordOf(duration)}::json, now())`

async function addCall(tenantId: string, duration: number | null, at = new Date()): Promise<string> {
  const id = newId(at)
  await database.query(insertCall(tenantId, id, duration))
  return id
}

const setDuration = (tenantId: string, id: string, duration: number | null) =>
  database.query(sql`update calls set record = ${recordOf(duration)}::json
    where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`)

async function expectAllCounted(): Promise<void> {
  const counted = await database.query(sql`select tenant_id, value, sum(count)::int as count from (
      select tenant_id, metric, value, count from stats union all select tenant_id, metric, value, change from stat_changes
    ) s where metric = 'call.minutes' group by 1, 2 having sum(count) <> 0 order by 1, 2`)
  const expected = await database.query(sql`select tenant_id, minutes_of_call(record) as value, count(*)::int as count
    from calls where minutes_of_call(record) > 0 group by 1, 2 order by 1, 2`)
  expect(counted).toEqual(expected)
  expect(counted.length).toBeGreaterThan(3)
}

const step = async (most: number) =>
  (await database.query<{ counted: number }>(sql`select count_minutes_of_calls(${most}::int) as counted`))[0]?.counted

const isCounting = async () =>
  (await database.query(sql`select from pg_tables where tablename = 'call_minutes_counted'`)).length === 1

/** As it was before minutes were counted. */
async function takeBack(): Promise<void> {
  const [before = ''] = (await textOf('0146_rounded_answers.sql')).match(/create or replace function[^;]*\$\$;/) ?? []
  const made = (await textOf('0271_minutes_of_calls.sql')).matchAll(/^create function (\w+)/gm)
  await database.withClient(async (client) => {
    await client.query(before)
    for (const [, name] of made) await client.query(`drop function ${name}`)
    await client.query(`delete from migrations where name like '027%minutes_of_calls%'`)
  })
}

test('each call counts once, whatever is written while minutes are counted', async () => {
  expect(await isCounting()).toBe(false)
  await takeBack()
  const ids = new Map<string, string[]>(tenants.map((tenantId) => [tenantId, []]))
  for (const tenantId of tenants)
    for (let n = 0; n < 20; n++)
      ids.get(tenantId)?.push(await addCall(tenantId, n % 4 === 0 ? null : n * 17, new Date(Date.now() - 1e6 + n)))
  const [first = '', second = '', third = ''] = tenants
  await migrate(database)
  expect(await isCounting()).toBe(true)
  // The batches come into the middle of the second tenant.
  for (let n = 0; n < 3; n++) expect(await step(10)).toBe(10)

  for (const tenantId of tenants) {
    const theirs = ids.get(tenantId) ?? []
    await addCall(tenantId, 200)
    await addCall(tenantId, 300, new Date(Date.now() - 2e6))
    for (const place of [0, 3, 9, 10, 19]) await setDuration(tenantId, theirs[place] ?? '', 1_000 + place)
    await setDuration(tenantId, theirs[5] ?? '', null)
  }
  // A call whose transaction is open is waited for, and counted by one of the two.
  const late = newId(new Date(Date.now() - 999_989))
  await database.withClient(async (client) => {
    await client.query('begin')
    const record = recordOf(4_000)
    await client.query(
      `insert into calls (tenant_id, id, version, record, updated_at) values ($1, $2, 1, $3::json, now())`,
      [second, late, record],
    )
    const stepped = step(10)
    await untilHeldUp(service.databaseUrl)
    await client.query('commit')
    expect(await stepped).toBe(10)
  })
  await setDuration(second, late, 5_000)
  await setDuration(third, ids.get(third)?.[12] ?? '', 6_000)

  await migrate(database, { isComplete: true })
  expect(await isCounting()).toBe(false)
  await expectAllCounted()
  // From then on they count like all else.
  await addCall(first, 7_000)
  await setDuration(second, late, 60)
  await expectAllCounted()
})

test('where they were counted before, nothing is counted again', async () => {
  await database.query(sql`select begin_counting_minutes()`)
  expect(await isCounting()).toBe(false)
  expect(await step(10)).toBe(0)
  await expectAllCounted()
})

test('a copy that this version made of a database where they were counted is not counted again', async () => {
  await takeBack()
  await migrate(database)
  expect(await isCounting()).toBe(false)
  await expectAllCounted()
  await addCall(tenants[0] ?? '', 8_000)
  await migrate(database, { isComplete: true })
  await expectAllCounted()
})
