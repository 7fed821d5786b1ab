// A move beside writers loses nothing that was acknowledged, closes the source in the moment in which the target is
// whole, and may be killed anywhere.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../src/database/sql.js'
import type { TestDatabase } from '../support/databases.js'
import { createEmptyDatabase, queryDatabase } from '../support/empty-database.js'
import { endPrograms, startProgram } from '../support/program.js'
import { type CommandHost, startCommandHost } from '../support/run/command-host.js'
import { makeScratchFolder } from '../support/run/scratch-folder.js'
import { type Service, secret, startService } from '../support/service.js'
import { holdTable, untilHeldUp, untilLeft } from '../support/waiting/held-table.js'
import { contentAt } from './database-content.js'

let service: Service
let target: TestDatabase
let dataDir: string
let host: CommandHost
beforeAll(async () => {
  dataDir = await makeScratchFolder('parley-move-')
  service = await startService({ PARLEY_DATA_DIR: dataDir })
  target = await createEmptyDatabase()
  host = await startCommandHost()
})
afterAll(async () => {
  await host.stop()
  await endPrograms()
  await service.stop()
  await target.drop()
})

const env = () => ({ DATABASE_URL: service.databaseUrl, PARLEY_SECRET: secret, PARLEY_DATA_DIR: dataDir })
const args = () => ['move', '--to', target.url, '--json']
const moveToBeKilled = () => startProgram(args(), env())
const run = (command: string[], more: Record<string, string> = {}) => host.run(command, { ...env(), ...more })
const holds = async (url: string, condition: string) =>
  (await queryDatabase<{ holds: boolean }>(url, `select ${condition} as holds`))[0]?.holds === true

const acknowledged: string[] = []
async function write(): Promise<number> {
  const answer = await service.api.post('/people', { displayName: 'Ada' }, { 'idempotency-key': randomUUID() })
  if (answer.status === 201) acknowledged.push(answer.body.id)
  return answer.status
}

test('killed while it copies, or behind the fence, a move leaves the source as it was', async () => {
  for (let made = 0; made < 20; made++) expect(await write()).toBe(201)
  const letCopy = await holdTable(service.databaseUrl, 'calendar_feeds', 'access exclusive')
  const copying = await moveToBeKilled()
  await expect.poll(() => holds(target.url, `to_regclass('unfinished_restore') is not null`)).toBe(true)
  await untilHeldUp(service.databaseUrl)
  copying.signal('SIGKILL')
  await copying.finished
  await letCopy()
  await untilLeft(target.url)
  expect(await write()).toBe(201)

  // Held up before its fence is whole, until it is held up behind it.
  const letFence = await holdTable(service.databaseUrl, 'users', 'row exclusive')
  const fenced = await moveToBeKilled()
  const isFenced = `exists (select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and mode = 'ShareRowExclusiveLock' and granted
      and relation = 'organizations'::regclass)`
  const fences = () => service.database.query(sql`select 1 where ${raw(isFenced)}`)
  const isAtFence = () => expect.poll(async () => (await fences()).length).toBe(1)
  await isAtFence()
  const letFinish = await holdTable(target.url, 'people', 'row exclusive')
  await letFence()
  await untilHeldUp(target.url)
  await isAtFence()
  fenced.signal('SIGKILL')
  await fenced.finished
  await letFinish()
  await untilLeft(target.url)
  await expect.poll(write).toBe(201)
  expect(await holds(target.url, `to_regclass('unfinished_restore') is not null`)).toBe(true)
})

test('what was acknowledged before, during and after the copy is in the target, and the source takes no more', async () => {
  let isOver = false
  const refused = new Set<number>()
  const writers = [1, 2, 3].map(async () => {
    while (!isOver) {
      const status = await write()
      if (status !== 201) refused.add(status)
      await sleep(25)
    }
  })
  const { code, stdout, stderr } = await run(args())
  const before = acknowledged.length
  isOver = code !== 0
  while (!isOver) isOver = refused.size > 0 || !(await sleep(10, true))
  await Promise.all(writers)
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).rows).toBeGreaterThan(before)
  expect([...refused]).toEqual([503])
  expect(await write()).toBe(503)
  expect((await service.api.get('/people?limit=1')).status).toBe(200)

  const rows = await queryDatabase<{ id: string }>(target.url, 'select id from people')
  const there = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
  const [moved, source] = [await contentAt(target.url), await contentAt(service.databaseUrl)]
  expect(moved).toEqual(source)
})

test('the source starts no server any more, and a move that died at its very end is finished by the same command', async () => {
  await queryDatabase(target.url, 'create table unfinished_restore (begun_at timestamptz)')
  const migrated = await run(['migrate'])
  expect([migrated.code, migrated.stderr]).toEqual([1, expect.stringMatching(/has moved to postgresql:/)])
  expect((await run(args())).code).toBe(0)
  expect((await run(['migrate'], { DATABASE_URL: target.url })).code).toBe(0)
  expect((await run(args())).stderr).toMatch(/has moved to .* already/)
})
