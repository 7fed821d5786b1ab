// Migrations beside serving nodes: indexes made concurrently, batch jobs that go on after a crash, and views that
// analysts built upon.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  backgroundProgress,
  createBackgroundMigrations,
  isMigrated,
  type MigrationProgress,
} from '../../src/database/background-migrations.js'
import { migrate } from '../../src/database/migrate.js'
import { migrationFolder } from '../../src/database/migration-files.js'
import type { Database } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { analyticsViews } from '../../src/server/server.js'
import { tenantOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { untilHeldUp } from '../support/waiting/held-table.js'

let service: Service
let database: Database
beforeAll(async () => {
  service = await startService()
  database = service.database
  await service.api.post('/tasks', { title: 'Here before' })
})
afterAll(() => service.stop())

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** The real migrations and these. */
async function folderWith(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  folders.push(folder)
  await cp(fileURLToPath(migrationFolder), folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

const isApplied = async (name: string) =>
  (await database.query(sql`select 1 from migrations where name = ${name}`)).length === 1
const forget = (name: string) => database.query(sql`delete from migrations where name = ${name}`)

/** Starts a node's background work on a folder; `stop` also tells what went wrong. */
function background(folder: URL) {
  const progress: MigrationProgress[] = []
  const troubles: string[] = []
  const done: string[] = []
  const migrations = createBackgroundMigrations({
    database,
    folder,
    everyMs: 50,
    onProgress: (one) => progress.push(one),
    onDone: (one) => done.push(one),
    onTrouble: (error) => troubles.push(error.message),
  })
  migrations.start()
  return { progress, troubles, done, stop: () => migrations.stop() }
}

describe('an index that is made concurrently', () => {
  const name = '9001_by_title.concurrent.sql'
  const files = {
    [name]: `-- For the test.\ncreate index concurrently if not exists tasks_by_title on tasks (tenant_id, (record ->> 'title'));`,
  }

  test('does not keep a node from serving, and is made beside it', async () => {
    const folder = await folderWith(files)
    expect(await migrate(database, { folder })).toEqual([])
    expect(await isMigrated(database, folder)).toBe(true)
    expect(await backgroundProgress(database, folder)).toEqual([{ name, rows: 0 }])
    const node = background(folder)
    await until(() => isApplied(name), Boolean)
    await node.stop()
    expect(await backgroundProgress(database, folder)).toEqual([])
    expect(await database.query(sql`select 1 from pg_indexes where indexname = 'tasks_by_title'`)).toHaveLength(1)
    await forget(name)
  })

  test('that a crash left invalid is made again', async () => {
    const folder = await folderWith(files)
    await database.query(sql`update pg_index set indisvalid = false where indexrelid = 'tasks_by_title'::regclass`)
    const node = background(folder)
    await until(() => isApplied(name), Boolean)
    await node.stop()
    const [index] = await database.query<{ indisvalid: boolean }>(
      sql`select indisvalid from pg_index where indexrelid = 'tasks_by_title'::regclass`,
    )
    expect(index?.indisvalid).toBe(true)
    await forget(name)
  })

  test('is made on each partition of a table that has some, and on those that come', async () => {
    const name = '9003_by_type.concurrent.sql'
    const folder = await folderWith({
      [name]: 'create index concurrently if not exists events_by_type on events (tenant_id, type);',
    })
    const node = background(folder)
    await until(() => isApplied(name), Boolean)
    await node.stop()
    await database.query(sql`create table events_later partition of events for values from ('z') to ('zz')`)
    const [found] = await database.query(
      sql`select bool_and(x.indisvalid) as is_valid, count(*) = count(distinct x.indrelid) as is_one_each,
        count(*)::int - 1 = (select count(*)::int from pg_inherits where inhparent = 'events'::regclass) as are_all
      from pg_partition_tree('events_by_type') i join pg_index x on x.indexrelid = i.relid`,
    )
    expect(found).toEqual({ is_valid: true, is_one_each: true, are_all: true })
    await database.query(sql`drop table events_later`)
    await database.query(sql`drop index events_by_type`)
    await forget(name)
  })

  test('may hold nothing else', async () => {
    const bad = '9001_bad.concurrent.sql'
    const folder = await folderWith({ [bad]: 'update tasks set version = 1;' })
    const node = background(folder)
    await until(async () => node.troubles.length, Boolean)
    await node.stop()
    expect(node.troubles[0]).toContain('may only create or drop indexes concurrently')
    expect(await isApplied(bad)).toBe(false)
    await expect(migrate(database, { folder, isComplete: true })).rejects.toThrow(bad)
  })
})

describe('a batch job', () => {
  const name = '9002_count_notes.batch.sql'
  const statement = `with batch as (
      select id from notes where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') order by id limit $2::int
    ), seen as (insert into counted select id from batch)
    select (array_agg(id order by id desc))[1]::text as cursor, count(*)::int as rows from batch`
  const counted = async () =>
    Number((await database.query<{ count: number }>(sql`select count(*) as count from counted`))[0]?.count)

  beforeAll(async () => {
    const tenantId = await tenantOf(service, service.api)
    await database.query(sql`create table counted (id uuid primary key)`)
    await database.query(sql`insert into notes (tenant_id, id, version, updated_at, record)
      select ${tenantId}::uuid, uuid_v7(now() + n * interval '1 ms'), 1, now(), '{}' from generate_series(1, 2300) n`)
  })
  afterAll(() => database.query(sql`drop table counted`))

  test('goes on where it was after a crash, on two nodes, and does nothing twice', async () => {
    const folder = await folderWith({ [name]: statement })
    const cut = { ...database, withClient: cutAfter(database, 7) }
    const crashing = createBackgroundMigrations({
      database: cut,
      folder,
      everyMs: 60_000,
      onProgress: () => {},
      onDone: () => {},
      onTrouble: () => {},
    })
    crashing.start()
    await until(counted, Boolean)
    await crashing.stop()
    const before = await counted()
    expect(before).toBeLessThan(2300)
    expect(await backgroundProgress(database, folder)).toEqual([{ name, rows: before }])
    const nodes = [background(folder), background(folder)]
    await until(() => isApplied(name), Boolean)
    await Promise.all(nodes.map((node) => node.stop()))
    expect(await counted()).toBe(2300)
    expect(nodes.flatMap((node) => node.progress).length).toBeGreaterThan(0)
    expect(nodes.flatMap((node) => node.troubles)).toEqual([])
    expect(await database.query(sql`select 1 from migration_progress where name = ${name}`)).toEqual([])
    await forget(name)
    await database.query(sql`truncate counted`)
  })

  test('is not begun anew by a node that gets the lease when another is done', async () => {
    const folder = await folderWith({ [name]: statement })
    await database.query(sql`insert into migration_progress (name, leased_until) values (${name}, now())`)
    const node = await database.withClient(async (done) => {
      await done.query('begin')
      await done.query('insert into migrations (name) values ($1)', [name])
      await done.query('delete from migration_progress where name = $1', [name])
      const started = background(folder)
      await untilHeldUp(service.databaseUrl)
      await done.query('commit')
      return started
    })
    await until(async () => node.done.length + node.troubles.length, Boolean)
    await node.stop()
    expect([await counted(), node.troubles]).toEqual([0, []])
    expect(await database.query(sql`select 1 from migration_progress where name = ${name}`)).toEqual([])
    await forget(name)
  })

  test('is waited for by the operator who migrates', async () => {
    const folder = await folderWith({ [name]: statement })
    expect(await migrate(database, { folder, isComplete: true })).toEqual([name])
    expect(await counted()).toBe(2300)
    await forget(name)
  })

  /** A connection that breaks after so many statements, as if the node had been killed. */
  const cutAfter =
    (from: Database, statements: number): Database['withClient'] =>
    (use) =>
      from.withClient((client) => {
        let left = statements
        const query = ((...parts: [string, unknown[]?]) => {
          if (left-- === 0) throw new Error('killed')
          return client.query(...parts)
        }) as typeof client.query
        return use(new Proxy(client, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) }))
      })
})

test('views keep what analysts built on them and were granted when a field is added, and when one goes', async () => {
  await database.query(sql`create role parley_test_analyst`)
  await database.query(sql`grant select on analytics.tasks to parley_test_analyst`)
  await database.query(sql`create view task_titles as select title, status from analytics.tasks`)
  const grown = analyticsViews.map((view) =>
    view.name === 'tasks'
      ? {
          ...view,
          columns: [
            { name: 'shine', expression: `record ->> 'shine'`, type: 'text' },
            ...view.columns.filter(({ name }) => name !== 'priority'),
          ],
        }
      : view,
  )
  try {
    await migrate(database, { views: grown })
    const [row] = await database.query<{
      title: string
      shine: null
      priority: null
      granted: boolean
    }>(sql`select a.title, a.shine, a.priority,
      has_table_privilege('parley_test_analyst', 'analytics.tasks', 'select') as granted from task_titles t join analytics.tasks a on a.title = t.title`)
    expect(row).toEqual({ title: 'Here before', shine: null, priority: null, granted: true })
  } finally {
    await migrate(database, { views: analyticsViews })
    await database.query(sql`drop view task_titles`)
    await database.query(sql`drop owned by parley_test_analyst`)
    await database.query(sql`drop role parley_test_analyst`)
  }
})

test('the real migrations leave nothing for the background on a new database, and /readyz says so', async () => {
  expect(await backgroundProgress(database)).toEqual([])
  expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ status: 'ready' })
})
