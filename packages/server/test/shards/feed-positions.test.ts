// Where moved events stand in the feed of another server, and how rows of two servers are compared. Two databases of one
// server stand for the two: what comes by replication is written as replication writes it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { fanOutBrought } from '../../src/delivery/queue/fan-out.js'
import { createOrganization } from '../../src/program/create-organization.js'
import { passMovedEvents, placeOnArrival, planPositions } from '../../src/shards/feed-positions.js'
import { movedTables } from '../../src/shards/moved-tables.js'
import { asMover, type Move } from '../../src/shards/moving.js'
import { shardsOf } from '../../src/shards/shards.js'
import { readShell, writeShell } from '../../src/shards/shells.js'
import { compareAll } from '../../src/shards/verify-rows.js'
import { newId } from '../../src/store/id.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'

let made: TestDatabase[]
let opened: Database[]
let move: Move
let tenant: string
beforeAll(async () => {
  made = await Promise.all([createTestDatabase(), createTestDatabase()])
  opened = made.map(({ url }) => openDatabase({ url, connections: 2, statementTimeoutMs: 30_000 }))
  const [ours, theirs] = opened
  if (ours === undefined || theirs === undefined) throw new Error('Two databases are needed')
  const { main, all } = shardsOf(ours, [{ name: 'a', database: theirs, prepared: Promise.resolve() }])
  const organizationId = newId(new Date())
  await createOrganization(ours, { id: organizationId, name: 'Moving' }, new Date())
  const shell = await readShell(ours, organizationId)
  if (shell) await writeShell(theirs, shell)
  const rows = await ours.query<{ id: string }>(sql`select id from tenants order by id`)
  tenant = rows[0]?.id ?? ''
  move = {
    organizationId,
    tenantIds: rows.map(({ id }) => id),
    source: main,
    target: all[1] ?? main,
    directory: main,
    sourceUrl: '',
    tables: await movedTables(ours),
    say: () => {},
    fanOut: fanOutBrought,
  }
})
afterAll(async () => {
  for (const database of opened) await database.close()
  for (const database of made) await database.drop()
})

interface Event {
  readonly id: string
  readonly xact: number
}

const write = (event: Event) =>
  sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body, xact, search)
    values (${tenant}, ${event.id}, 'task.created', false, now(), '{}', ${String(event.xact)}::xid8, 'x')`
const feed = async (database: Database): Promise<Event[]> =>
  database.query<{ id: string; xact: number }>(
    sql`select id, xact::text::bigint as xact from events where tenant_id = ${tenant} order by events.xact, events.id`,
  )
const currentXact = async ({ database }: Move['target']): Promise<number> => {
  const [row] = await database.query<{ xact: number }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xact`,
  )
  return row?.xact ?? 0
}

test('moved events keep their order, take few numbers, and come before whatever is written later', async () => {
  const { source, target } = move
  const id = (place: number) => String(place).padStart(26, '0')
  // The order by transaction is not that by id: 5 and 3 were overtaken by those with larger ids.
  const before = [
    { id: id(1), xact: 10 },
    { id: id(2), xact: 11 },
    { id: id(4), xact: 12 },
    { id: id(6), xact: 12 },
    { id: id(3), xact: 13 },
    { id: id(5), xact: 14 },
    { id: id(7), xact: 20 },
  ]
  for (const event of before) await source.database.query(write(event))
  await planPositions(move)
  await placeOnArrival(move)
  // Written while the move goes on: by transactions of which the later has the smaller id.
  const horizon = await currentXact(source)
  const meanwhile = [
    { id: id(9), xact: horizon + 5 },
    { id: id(8), xact: horizon + 6 },
  ]
  for (const event of meanwhile) await source.database.query(write(event))
  const asWritten = await feed(source.database)
  await asMover(
    target,
    async (client) => {
      for (const event of asWritten)
        await client.query(
          `insert into events (tenant_id, id, type, opt_in, occurred_at, body, xact, search)
            values ($1, $2, 'task.created', false, now(), '{}', $3, 'x')`,
          [tenant, event.id, String(event.xact)],
        )
    },
    true,
  )
  const asMoved = await feed(target.database)
  expect(asMoved.map((event) => event.id)).toEqual(asWritten.map((event) => event.id))
  expect(asMoved.slice(0, 7).map(({ xact }) => xact)).toEqual([0, 0, 0, 0, 1, 2, 2])

  const beforehand = await currentXact(target)
  // More than the server has counted, however long it has run.
  await passMovedEvents(move, beforehand + 3_000)
  const reached = await currentXact(target)
  expect(reached).toBeGreaterThan(Math.max(...asMoved.map(({ xact }) => xact)))
  expect(reached).toBeGreaterThan(beforehand)
  await target.database.query(sql`insert into events (tenant_id, id, type, opt_in, occurred_at, body, search)
    values (${tenant}, ${'0'.repeat(25) + 'A'}, 'task.created', false, now(), '{}', 'x')`)
  expect((await feed(target.database)).at(-1)?.id).toBe(`${'0'.repeat(25)}A`)
})

test('a row that differs, and one that is on either server alone, is found', async () => {
  const { source, target } = move
  const fence = (shard: Move['source'], name: string, revision: number) =>
    shard.database.query(sql`insert into fences (tenant_id, name, version, touched_at)
      values (${tenant}, ${name}, ${revision}, '2026-01-01')`)
  for (const shard of [source, target]) await fence(shard, 'same', 1)
  await fence(source, 'changed', 1)
  await fence(target, 'changed', 2)
  await fence(source, 'missing', 1)
  await fence(target, 'extra', 1)
  const { suspects } = await compareAll(move)
  const names = new Set(suspects.get('fences')?.map(([, name]) => name))
  expect(names).toEqual(new Set(['changed', 'missing', 'extra']))
})
