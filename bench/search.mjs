// Measures one page of search over 500,000 people of one tenant, with and without other tenants in the table, in a
// schema of its own. Usage: npm run build && node bench/search.mjs [all | verify | measure] [rows of others per row],
// or `plan WORDS`, on an embedded database of its own. With DATABASE_URL, a scratch database, `load [others per row]`
// comes first and stays for the other commands.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { compile, sql } from '../packages/server/dist/database/sql.js'
import { firstIdAt } from '../packages/server/dist/store/id.js'
import { searchPage } from '../packages/server/dist/store/search-query.js'
import { searchText, tsqueryOf } from '../packages/server/dist/store/search-words.js'
import { createdMsOf, personRow, rowCount } from './search-people.mjs'
import { startLargeDatabase } from './support/large-database.mjs'

const tenantId = '00000000-0000-4000-8000-000000000001'
const otherTenants = 20
const pageRows = 51
const runs = 11

/** What is typed, and what its page may cost at most. The odd words are laid by search-people.mjs. */
const cases = [
  { name: 'one row', q: 'onlyone', limitMs: 50 },
  { name: 'no match', q: 'nosuchword', limitMs: 50 },
  { name: 'common word, 45 % of rows', q: 'gmail', limitMs: 50 },
  { name: 'two common words', q: 'gmail com', limitMs: 50 },
  { name: 'common word and one row', q: 'gmail onlyone', limitMs: 50 },
  { name: 'two names being typed', q: 'mar smi', limitMs: 50 },
  { name: 'name and an initial', q: 'qxenia s', limitMs: 50 },
  { name: 'one letter', q: 'a', limitMs: 50 },
  { name: 'two letters', q: 'ma', limitMs: 50 },
  { name: 'one letter and one row', q: 'a onlyone', limitMs: 50 },
  { name: 'one row in 100', q: 'percent', limitMs: 50 },
  { name: 'one row in 500', q: 'seldom', limitMs: 50 },
  { name: 'one row in 5,000', q: 'scarce', limitMs: 50 },
  { name: 'phone number as typed', q: '+1 (532) 104', limitMs: 50 },
  { name: 'last four digits', q: '3456', limitMs: 50 },
  { name: 'common words never together', q: 'gmail outlook', limitMs: 500 },
  { name: 'short prefixes never together', q: 'gm outl', limitMs: 500 },
  { name: 'only in the oldest 1 %', q: 'earliest', limitMs: 500 },
  { name: 'only in the oldest 10 %', q: 'archived', limitMs: 500 },
  { name: 'only in the oldest half', q: 'legacy', limitMs: 500 },
  { name: 'in all but the newest third', q: 'converted', limitMs: 500 },
  { name: 'in all but the newest 2 %', q: 'migrated', limitMs: 500 },
  { name: 'that and a common word', q: 'migrated gmail', limitMs: 500 },
  { name: 'that and a word of only the newest', q: 'migrated recent', limitMs: 500 },
  { name: 'old word and common word', q: 'legacy gmail', limitMs: 500 },
  { name: 'thirteen letters', q: 'a b c d e f g h i j k l m', limitMs: 500 },
  { name: 'every letter and digit', q: [...'abcdefghijklmnopqrstuvwxyz0123456789'].join(' '), limitMs: 500 },
]

const own = process.env.DATABASE_URL === undefined ? await startLargeDatabase() : undefined
const [command = own === undefined ? 'measure' : 'all', argument = ''] = process.argv.slice(2)
const client = new pg.Client({ connectionString: own?.url ?? process.env.DATABASE_URL })
try {
  await client.connect()
  await client.query('create schema if not exists search_bench')
  await client.query('set search_path to search_bench, public')
  if (own !== undefined || command === 'load') await load(command === 'plan' ? 0 : Number(argument))
  if (command === 'verify' || command === 'all') await verify()
  if (command === 'measure' || command === 'all')
    await measure((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
  if (command === 'plan') console.log((await explain(argument)).join('\n'))
} finally {
  await client.end()
  await own?.stop()
}

/** Each of our rows is followed by `othersPerRow` rows of other tenants, as when all write at the same time. */
async function load(othersPerRow) {
  await client.query('create extension if not exists btree_gin')
  await client.query('drop table if exists people')
  await client.query(`create table people (
    tenant_id uuid not null, id uuid not null, version integer not null, updated_at timestamptz not null, record json not null, search tsvector not null,
    customer_id uuid generated always as ((record ->> 'customerId')::uuid) stored, primary key (tenant_id, id))`)
  await client.query('create index people_search on people using gin (tenant_id, search)')
  const startedAt = performance.now()
  for (let first = 0; first < rowCount; first += 2_500) {
    const rows = []
    for (let index = first; index < first + 2_500; index++) {
      rows.push(personRow(tenantId, index, searchText))
      for (let other = 0; other < othersPerRow; other++)
        rows.push(personRow(otherTenantId(index * othersPerRow + other), index, searchText))
    }
    await insert(rows)
  }
  await client.query('vacuum analyze people')
  console.log(`loaded ${rowCount * (1 + othersPerRow)} rows in ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

function otherTenantId(index) {
  return `00000000-0000-4000-9000-${String(index % otherTenants).padStart(12, '0')}`
}

async function insert(rows) {
  await client.query(
    `insert into people (tenant_id, id, version, updated_at, record, search)
     select tenant_id, id, 1, now(), record::json, array_to_tsvector(string_to_array(words, ' '))
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as made (tenant_id, id, record, words)`,
    [
      rows.map((row) => row.tenantId),
      rows.map((row) => row.id),
      rows.map((row) => row.record),
      rows.map((row) => row.search),
    ],
  )
}

function statement(q, { ofTenantId = tenantId, conditions = sql``, beforeId = undefined } = {}) {
  return compile(
    searchPage({ table: 'people', tenantId: ofTenantId, tsquery: tsqueryOf(q), conditions, beforeId, limit: pageRows }),
  )
}

async function explain(q) {
  const { text, values } = statement(q)
  const { rows } = await client.query({ text: `explain (analyze, buffers) ${text}`, values, rowMode: 'array' })
  return rows.map(([line]) => line)
}

/**
 * Turns the pages of many searches and compares them with what the plain condition finds: every match once, newest
 * first.
 */
async function verify() {
  const smallTenantId = '00000000-0000-4000-a000-000000000001'
  await client.query('begin')
  await insert(Array.from({ length: 400 }, (_, index) => personRow(smallTenantId, index, searchText)))
  const conditions = [
    sql``,
    sql`and version = ${1} and updated_at > ${'2020-01-01T00:00:00Z'}`,
    sql`and id >= ${firstIdAt(new Date(createdMsOf(rowCount / 3)))}`,
    sql`and people.version = ${2}`,
  ]
  const queries = [
    ...cases.map(({ q }) => q),
    'garcía',
    "o'brien",
    'percent gmail',
    'scarce maria',
    'archived seldom',
    'migrated outlook percent',
    'converted gmail',
  ]
  let pages = 0
  for (const ofTenantId of [tenantId, otherTenantId(3), smallTenantId]) {
    for (const q of queries) for (const condition of conditions) pages += await compare(ofTenantId, q, condition)
  }
  await client.query('rollback')
  // The rows that were taken back still wait in the index's pending list, and every later search would read them there.
  await client.query('vacuum people')
  console.log(`${pages} pages agree`)
}

async function compare(ofTenantId, q, conditions) {
  const plain = compile(
    sql`select id from people where tenant_id = ${ofTenantId} and search @@ ${tsqueryOf(q)}::tsquery ${conditions} order by id desc limit 1000`,
  )
  const expected = (await client.query(plain)).rows.map((row) => row.id)
  const seen = []
  let pages = 0
  for (let beforeId; seen.length < expected.length || pages === 0; pages++) {
    const { rows } = await client.query(statement(q, { ofTenantId, conditions, beforeId }))
    if (rows.length === 0) break
    for (const row of rows) assert.equal(JSON.parse(row.record).id, row.id)
    seen.push(...rows.slice(0, pageRows - 1).map((row) => row.id))
    if (rows.length < pageRows) break
    beforeId = seen.at(-1)
  }
  assert.deepEqual(seen.slice(0, expected.length), expected, `${q} ${JSON.stringify(conditions)}`)
  assert.ok(seen.length === expected.length || expected.length === 1_000, `${q} found too much`)
  return pages
}

/**
 * Milliseconds as the client sees them, on one connection, planning included, and those that the server's process
 * computed, which a busy machine changes less. Beside them the plain statement, as Postgres plans it by itself.
 */
async function measure(serverPid) {
  const report = []
  for (const { name, q, limitMs } of cases) {
    const { timesMs, cpuMs, rows } = await timed(serverPid, statement(q), runs)
    const plain = await timed(serverPid, plainStatement(q), 3)
    report.push({
      name,
      q: q.slice(0, 20),
      rows,
      'best ms': timesMs[0],
      'median ms': timesMs[Math.floor(runs / 2)],
      'worst ms': timesMs.at(-1),
      'cpu ms': cpuMs,
      'limit ms': limitMs,
      'kept by cpu': (Number.isNaN(cpuMs) ? timesMs[Math.floor(runs / 2)] : cpuMs) <= limitMs,
      'plain ms': plain.timesMs[1],
      'plain cpu': plain.cpuMs,
    })
  }
  console.table(report)
  if (report.some((row) => !row['kept by cpu'])) process.exitCode = 1
}

function plainStatement(q) {
  return compile(
    sql`select id, version, record::text from people where tenant_id = ${tenantId} and search @@ ${tsqueryOf(q)}::tsquery order by id desc limit ${pageRows}`,
  )
}

/** The times of some runs, shortest first, and the mean of what they computed. */
async function timed(serverPid, statement, count) {
  const timesMs = []
  let rows = 0
  const computedBefore = computedMs(serverPid)
  for (let run = 0; run < count; run++) {
    const startedAt = performance.now()
    rows = (await client.query(statement)).rows.length
    timesMs.push(round(performance.now() - startedAt))
  }
  return {
    timesMs: timesMs.sort((a, b) => a - b),
    cpuMs: round((computedMs(serverPid) - computedBefore) / count),
    rows,
  }
}

/** Known only for a server on this machine, and only on Linux. */
function computedMs(serverPid) {
  const path = `/proc/${serverPid}/schedstat`
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : Number.NaN
}

function round(ms) {
  return Math.round(ms * 10) / 10
}
