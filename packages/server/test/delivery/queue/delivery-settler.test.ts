// Settling through trouble: what passes is waited out, what does not is dropped, and in the end the worker claims
// again.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/pool.js'
import { type Sql, sql } from '../../../src/database/sql.js'
import type { Settled, Settlement } from '../../../src/delivery/queue/settle.js'
import { createSettler } from '../../../src/delivery/queue/settle-batcher.js'
import { createTestDatabase, type TestDatabase } from '../../support/databases.js'
import { until } from '../../support/webhooks/webhooks.js'

let made: TestDatabase
let database: Database
let nowhere: Database
beforeAll(async () => {
  made = await createTestDatabase()
  database = openDatabase({ url: made.url, connections: 2, statementTimeoutMs: 30_000 })
  nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1, statementTimeoutMs: 30_000 })
})
afterAll(async () => {
  await Promise.all([database.close(), nowhere.close()])
  await made.drop()
})

/** What goes wrong instead of the next statements, in turn: really, on a real database or on none. */
type Trouble = () => Promise<unknown>
const away: Trouble = () => nowhere.query(sql`select 1`)
const failing =
  (statement: Sql): Trouble =>
  () =>
    database.query(statement)
const unknownHost: Trouble = () =>
  Promise.reject(Object.assign(new Error('getaddrinfo EWHATEVER db.internal'), { code: 'EWHATEVER' }))
const noTable = failing(sql`select * from no_such_table`)
const badValue = failing(sql`select 1 / 0`)

function settlerWith(troubles: Trouble[]) {
  const met: string[] = []
  const settled: Settled[] = []
  const settler = createSettler({
    database: {
      ...database,
      async query(statement, options) {
        const trouble = troubles.shift()
        if (trouble) await trouble()
        return database.query(statement, options)
      },
    },
    patience: { forMs: 1_000, attempts: 20 },
    clock: undefined,
    onTrouble: (error) => void met.push(String((error as { code?: unknown }).code)),
    onSettled: (one) => void settled.push(one),
  })
  return { settler, met, settled }
}

/** Of a delivery that is not there, so that the statement refuses it by the fence: it was taken all the same. */
const settlement = (): Settlement => ({
  delivery: {
    tenantId: randomUUID(),
    id: randomUUID(),
    subscriptionId: randomUUID(),
    subscriptionVersion: 1,
    eventId: 'E',
    eventType: 'task.created',
    attempt: 1,
    attemptOfCycle: 1,
    trigger: 'event',
    body: '{}',
    isExhausted: false,
    claim: randomUUID(),
    claimedAtMs: 0,
  },
  verdict: { status: 'DEAD_LETTERED', lastError: 'timeout' },
  result: undefined,
  waitMs: null,
})

test('a database that is away in ever new ways is waited for, and the result is written when it is back', async () => {
  const { settler, met, settled } = settlerWith([away, unknownHost, noTable])
  settler.add(settlement())
  await until(() => met.length === 2)
  expect(settler.isStuck()).toBe(true)
  await settler.flush()
  expect(met).toEqual(['ECONNREFUSED', 'EWHATEVER', '42P01'])
  expect(settled).toMatchObject([{ refused: 1 }])
  expect(settler.isStuck()).toBe(false)
})

test('results that are refused after the database was away do not keep the worker from claiming', async () => {
  const { settler, met, settled } = settlerWith([away, badValue, badValue])
  settler.add(settlement())
  await settler.flush()
  expect(met).toEqual(['ECONNREFUSED', '22012', '22012'])
  expect(settled).toEqual([])
  expect(settler.isStuck()).toBe(false)
})

test('one bad result is dropped by itself: those of the same batch are written', async () => {
  const { settler, met, settled } = settlerWith([badValue, badValue])
  for (let count = 0; count < 3; count++) settler.add(settlement())
  await settler.flush()
  expect(met).toEqual(['22012', '22012'])
  expect(settled).toHaveLength(2)
})
