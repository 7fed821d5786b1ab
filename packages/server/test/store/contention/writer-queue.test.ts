// Writers of one record on several nodes: they wait for each other instead of spinning, and hold nothing for longer than
// a transaction.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/pool.js'
import { sql } from '../../../src/database/sql.js'
import { nextNumber } from '../../../src/store/contention/counter.js'
import { WriterQueue } from '../../../src/store/contention/writer-queue.js'
import { newId } from '../../../src/store/id.js'
import { atOnce } from '../../support/captured.js'
import { clientOf, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
const others: Database[] = []
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  for (const other of others) await other.close()
  await service.stop()
})

const anotherNode = (connections = 4) => {
  const database = openDatabase({ url: service.databaseUrl, connections, statementTimeoutMs: 30_000 })
  others.push(database)
  return database
}

/** The advisory locks of this database: whether each is held, or waited for. */
const locks = async () => {
  const rows = await service.database.query<{ granted: boolean }>(sql`select granted from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
  return rows.map(({ granted }) => granted)
}

test('thirty patches of one record on three nodes all come through, and few of them lose a race', async () => {
  const nodes = [service.url, (await service.node()).url, (await service.node()).url]
  const { id } = (await service.api.post('/tasks', { title: 'Hot' })).body
  const answers = await atOnce(30, (index) =>
    clientOf(nodes[index % 3] ?? '', service.api.key).patch(`/tasks/${id}`, { title: `No. ${index}` }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await service.api.get(`/tasks/${id}`)).body.version).toBe(31)
  const pages = await Promise.all(nodes.map(async (url) => (await fetch(`${url}/metrics`)).text()))
  const lost = pages.map((page) => Number(/part="update_tasks"\} (\d+)/.exec(page)?.[1] ?? 0))
  expect(lost.reduce((sum, one) => sum + one)).toBeLessThan(20)
})

test('a writer waits for the one of another node, and for nobody else', async () => {
  const [one, other, third] = [anotherNode(), anotherNode(), anotherNode()].map((each) => new WriterQueue(each))
  const key = `${newId(new Date())}/tasks/1`
  const said: string[] = []
  let isInside = () => {}
  const entered = new Promise<void>((resolve) => {
    isInside = resolve
  })
  const first = one?.alone([key], async (inside) => {
    isInside()
    await until(locks, (held) => held.includes(false))
    said.push('first')
    await inside.query(sql`select 1`)
  })
  await entered
  await third?.alone([`${newId(new Date())}/tasks/1`], async () => void said.push('another record'))
  const second = other?.alone([key], async () => void said.push('second'))
  await Promise.all([first, second])
  expect(said).toEqual(['another record', 'first', 'second'])
  // A chore of the service may hold one for a moment.
  await until(locks, (held) => held.length === 0)
})

test('a handler that refuses inside leaves nothing written, no lock and a connection as good as before', async () => {
  const database = anotherNode(1)
  const backend = async () => (await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
  const before = await backend()
  const tenantId = newId(new Date())
  const refused = new WriterQueue(database).alone([`${tenantId}/a`], async (inside) => {
    await inside.query(sql`insert into counters (tenant_id, name, value) values (${tenantId}, 'x', 1)`)
    throw new Error('No')
  })
  await expect(refused).rejects.toThrow('No')
  expect(await database.query(sql`select 1 from counters where tenant_id = ${tenantId}`)).toEqual([])
  expect(await backend()).toBe(before)
  // What the database itself refuses costs no connection either.
  await expect(database.query(sql`select must(false, 'stale')`)).rejects.toThrow('stale')
  expect(await backend()).toBe(before)
})

test('a counter gives each number once, to two nodes and to those who are in a transaction', async () => {
  const nodes = [anotherNode(), anotherNode()]
  const tenantId = newId(new Date())
  const taken = await atOnce(40, (index) => {
    const database = nodes[index % 2] ?? service.database
    if (index > 3) return nextNumber(database, tenantId, 'x')
    return database.transaction('', (inside) => nextNumber(inside, tenantId, 'x'))
  })
  expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
})
