import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile, type Sql, sql } from '../../src/database/sql.js'
import { searchPage } from '../../src/store/search-query.js'
import { searchText, tsqueryOf } from '../../src/store/search-words.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'

const large = '00000000-0000-4000-8000-000000000001'
const small = '00000000-0000-4000-8000-000000000002'
const rowCount = 15_000

/** Row 0 is the oldest. Which words a row holds decides which way the statement finds it. */
function textOf(index: number): string {
  const words = {
    everywhere: true,
    [index % 2 === 0 ? 'even' : 'odd']: true,
    fortieth: index % 40 === 0,
    seldom: index % 1_500 === 3,
    once: index === 77,
    old: index < rowCount / 2,
    fresh: index >= rowCount - 3,
    settled: index < rowCount - 2_000,
    newer: index >= rowCount - 2_000,
    ancient: index < 2_800,
  }
  return Object.keys(words)
    .filter((word) => words[word])
    .join(' ')
}

const idOf = (index: number) => `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`create table searched (
    tenant_id uuid not null, id uuid not null, version integer not null, record json not null, search tsvector not null, thirds integer not null, primary key (tenant_id, id))`)
  await client.query('create index on searched using gin (tenant_id, search)')
  await fill(large, rowCount)
  await fill(small, 300)
  await client.query('analyze searched')
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

async function fill(tenantId: string, count: number): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index)
  await client.query(
    `insert into searched (tenant_id, id, version, record, search, thirds)
     select $1, id, 1, json_build_object('id', id), array_to_tsvector(string_to_array(words, ' ')), index % 3
     from unnest($2::uuid[], $3::text[], $4::integer[]) as made (id, words, index)`,
    [tenantId, indexes.map(idOf), indexes.map((index) => searchText([textOf(index)])), indexes],
  )
}

async function page(
  tenantId: string,
  q: string,
  conditions: Sql = sql``,
  beforeId?: string,
  limit = 51,
): Promise<string[]> {
  const tsquery = tsqueryOf(q) ?? ''
  const { rows } = await client.query(
    compile(searchPage({ table: 'searched', tenantId, tsquery, conditions, beforeId, limit })),
  )
  for (const row of rows) expect(JSON.parse(row.record)).toEqual({ id: row.id })
  return rows.map((row) => row.id)
}

/** Which of the steps that can fill the page were executed. */
async function stepsOf(q: string, beforeId?: string, limit = 51): Promise<string[]> {
  const page = searchPage({
    table: 'searched',
    tenantId: large,
    tsquery: tsqueryOf(q) ?? '',
    conditions: sql``,
    beforeId,
    limit,
  })
  const { rows } = await client.query(compile(sql`explain (analyze, format json) ${page}`))
  const steps: string[] = []
  visit(rows[0]['QUERY PLAN'][0].Plan, '')
  return [...new Set(steps)].sort()

  function visit(node: PlanNode, within: string): void {
    const step = node['Subplan Name']?.startsWith('CTE ') ? node['Subplan Name'].slice(4) : within
    const isRead = node['Relation Name'] === 'searched' && (node['Actual Loops'] ?? 0) > 0
    if (isRead && ['newest', 'walked', 'found'].includes(step)) steps.push(step)
    for (const child of node.Plans ?? []) visit(child, step)
  }
}

interface PlanNode {
  readonly 'Subplan Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly PlanNode[]
}

async function allPages(tenantId: string, q: string, conditions: Sql, limit: number): Promise<string[]> {
  const seen: string[] = []
  for (;;) {
    const ids = await page(tenantId, q, conditions, seen.at(-1), limit)
    seen.push(...ids.slice(0, limit - 1))
    if (ids.length < limit) return seen
  }
}

/** What the plain condition finds. */
async function matches(tenantId: string, q: string, conditions: Sql): Promise<string[]> {
  const { rows } = await client.query(
    compile(
      sql`select id from searched where tenant_id = ${tenantId} and search @@ ${tsqueryOf(q)}::tsquery ${conditions} order by id desc`,
    ),
  )
  return rows.map((row) => row.id)
}

describe.each([
  ['the large tenant', large],
  ['the small tenant', small],
])('%s', (_, tenantId) => {
  test.each([
    ['a common word', 'everywhere'],
    ['two common words', 'even every'],
    ['a word of one row in forty', 'fortieth'],
    ['a common and a rare word', 'every seldom'],
    ['a word of one row', 'once'],
    ['a word of no row', 'never'],
    ['common words that never meet', 'even odd'],
    ['a word of old rows', 'old'],
    ['a word of old rows and a common one', 'old e'],
    ['a word of the newest rows', 'fresh'],
    ['a word of all but the newest rows', 'settled'],
    ['a word of all but the newest rows and a common one', 'settled even'],
    ['a word of all but the newest rows and one of these alone', 'settled newer'],
    ['one letter', 'e'],
    ['more words than the index is asked for', 'e ev even every everywhere f fo o ol old'],
  ])('%s: the pages visit every match once, newest first', async (_name, q) => {
    for (const conditions of [
      sql``,
      sql`and thirds = ${1} and searched.version < ${2}`,
      sql`and id >= ${idOf(200)}`,
      sql`and thirds = ${7}`,
    ]) {
      expect(await allPages(tenantId, q, conditions, 401)).toEqual(await matches(tenantId, q, conditions))
    }
  })
})

test('a page holds no more than is wanted, for few rows and for many', async () => {
  for (const limit of [1, 2, 51, 1_000]) {
    expect(await page(large, 'even', sql``, undefined, limit)).toEqual(
      (await matches(large, 'even', sql``)).slice(0, limit),
    )
    expect(await page(large, 'old even', sql``, undefined, limit)).toEqual(
      (await matches(large, 'old even', sql``)).slice(0, limit),
    )
  }
})

test.each([
  ['common among the newest rows', 'fortieth', ['newest']],
  ['in most rows but not in the newest', 'settled', ['walked']],
  ['only in old rows', 'ancient', ['found']],
  ['in one row', 'once', ['found']],
  ['in most rows but not in the newest, and a common one', 'settled even', ['walked']],
  ['that never meet', 'even odd', ['found']],
  ['of all but the newest rows and of these alone', 'settled newer', ['found']],
])('words %s: no more steps are taken than are needed', async (_name, q, steps) => {
  expect(await stepsOf(q)).toEqual(steps)
})

test('a page that reading on did not fill is taken from the index', async () => {
  expect(await stepsOf('ancient', idOf(4_000), 3_000)).toEqual(['found', 'walked'])
  expect(await page(large, 'ancient', sql``, idOf(4_000), 3_000)).toEqual(await matches(large, 'ancient', sql``))
})

test('another tenant is never found', async () => {
  expect(await page('00000000-0000-4000-8000-000000000003', 'everywhere')).toEqual([])
})

test('the memory that a search takes is given back after it', async () => {
  const before = await client.query('show work_mem')
  await page(large, 'even odd')
  expect((await client.query('show work_mem')).rows).toEqual(before.rows)
})
