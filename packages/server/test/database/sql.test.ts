// Arrays that go to Postgres in its own spelling come back as they were, whatever is in them.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { arrayLiteral, sql } from '../../src/database/sql.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'

let testDatabase: TestDatabase
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, connections: 1, statementTimeoutMs: 30_000 })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

const awkward = ['', ' ', 'null', 'NULL', '{}', '{a,b}', '"', '\\', '\\"', "'", 'a\nb\tc', ',', '$1', 'é𝄞', '\u2028']

test('texts, and null among them', async () => {
  const texts = fc.array(
    fc.option(
      fc.oneof(
        fc.constantFrom(...awkward),
        fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
      ),
    ),
  )
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      const [row] = await database.query<{ values: (string | null)[] }>(
        sql`select ${arrayLiteral(values)}::text[] as values`,
      )
      expect(row?.values).toEqual(values)
    }),
    { examples: [[awkward], [[null, 'null', '']], [[]]] },
  )
})

test('numbers and booleans', async () => {
  const [row] = await database.query<{ numbers: number[]; flags: boolean[] }>(
    sql`select ${arrayLiteral([0, -1.5, 1e-7, 2 ** 40, null])}::float8[] as numbers, ${arrayLiteral([true, false, undefined])}::boolean[] as flags`,
  )
  expect(row).toEqual({ numbers: [0, -1.5, 1e-7, 2 ** 40, null], flags: [true, false, null] })
})
