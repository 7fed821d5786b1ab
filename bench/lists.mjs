// Sorted lists against plain ones, in one run on one machine: pages by due date, first and deep, in both directions,
// with filters, search and count. Every request asks for another page, so that none shares a statement with another.
// Usage: npm run build && node bench/lists.mjs [rows] [half seconds a measurement]
import { Agent, get } from 'node:http'
import { shapeOf, tasks } from '../packages/contract/dist/index.js'
import { newRecord } from '../packages/server/dist/resources/generic/record-values.js'
import { makeCursor } from '../packages/server/dist/store/cursor.js'
import { createSealer } from '../packages/server/dist/store/secret-box.js'
import { startDatabase } from './support/database.mjs'
import { startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'

const rows = Number(process.argv[2] ?? 1_000_000)
const halfSeconds = Number(process.argv[3] ?? 8)
const CONNECTIONS = 16
const PAGES = 40
const database = await startDatabase()
const { client, tenantId, organizationId, key } = database
const sealer = createSealer('a secret for benchmarks only')
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const results = []

try {
  console.log(`Filling ${rows.toLocaleString('en')} tasks of about 900 bytes, nine of ten with a due date …`)
  const filledInMs = await fill()
  console.log(`Filled in ${Math.round(filledInMs / 1_000)} s.`)
  const parley = await startNode('parley-server.mjs', [database.url])
  const plain = await pagePaths(parley, '')
  const deep = await pagePaths(parley, '', rows / 2)
  const week = `dueAtBefore=${due(7)}&dueAtFrom=${due(0)}&sort=dueAt`
  await compare('sort=dueAt', parley, await pagePaths(parley, 'sort=dueAt'), plain)
  await compare('sort=-dueAt', parley, await pagePaths(parley, 'sort=-dueAt'), plain)
  await compare('sort=updatedAt', parley, await pagePaths(parley, 'sort=updatedAt'), plain)
  await compare('sort=dueAt, deep', parley, await pagePaths(parley, 'sort=dueAt', rows / 2), deep)
  await compare('sort=-dueAt, deep', parley, await pagePaths(parley, 'sort=-dueAt', rows / 2), deep)
  await compare(
    'sort=dueAt, among those without a date',
    parley,
    await pagePaths(parley, 'sort=dueAt', rows * 0.95),
    deep,
  )
  await compare('a week by due date', parley, await pagePaths(parley, week), plain)
  await compare('status=open, sort=dueAt', parley, await pagePaths(parley, 'sort=dueAt&status=open'), plain)
  await compare(
    'q of all rows, sort=dueAt',
    parley,
    await pagePaths(parley, 'q=customer&sort=dueAt'),
    await pagePaths(parley, 'q=customer'),
  )
  await compare(
    'q of one row, sort=dueAt',
    parley,
    [`/api/v1/tasks?q=${rows >> 1}&sort=dueAt`],
    [`/api/v1/tasks?q=${rows >> 1}`],
    5,
  )
  await compare('a week with count=true', parley, [`/api/v1/tasks?${week}&count=true`], plain, null)
  await compare('all with count=true', parley, ['/api/v1/tasks?count=true'], plain, null)
  await parley.stop()
} catch (error) {
  console.error(error)
  process.exit(1)
} finally {
  agent.destroy()
  await database.stop()
}
process.exitCode = printTable(
  `${rows.toLocaleString('en')} rows, ${CONNECTIONS} connections, ${halfSeconds} half seconds each, Node ${process.version}`,
  results,
)
  ? 0
  : 1

/** A day of the year in which everything is due. */
function due(day) {
  return new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
}

async function fill() {
  const record = newRecord(
    tasks,
    { caller: { organizationId }, now: new Date() },
    { title: 'T', description: 'D', source: 'api' },
  )
  const text = JSON.stringify({
    ...record,
    id: '%ID%',
    title: '%TITLE%',
    description: '%DESCRIPTION%',
    dueAt: '%DUE%',
    updatedAt: '%CHANGED%',
  })
  const started = Date.now()
  for (let at = 0; at < rows; at += 100_000) {
    await client.query(
      `insert into tasks (tenant_id, id, version, updated_at, shape, record, search)
       select $1, i.id, 1, changed::timestamptz, ${shapeOf(tasks)}, replace(replace(replace(replace(replace($2, '%ID%', i.id::text), '%TITLE%', 'Ring customer ' || n || ' back'),
           '%DESCRIPTION%', repeat('Asked about the invoice of last month. ', 11)), '%CHANGED%', changed),
           '"%DUE%"', case when n % 10 = 0 then 'null' else to_json(iso(timestamptz '2026-01-01Z' + hashint4(n) % 15768000 * interval '1 s' + interval '182 days'))::text end)::json,
         array_to_tsvector(array['ring', 'customer', n::text, 'back', 'asked', 'about', 'the', 'invoice', 'of', 'last', 'month'])
       from (select n, uuid_v7(to_timestamp($3 / 1000.0 + n * 0.001)) id, iso(to_timestamp($3 / 1000.0 + n * 0.001)) changed from generate_series($4::int, $5::int) n) i`.replaceAll(
        /iso\(((?:[^()]|\([^()]*\))*)\)/g,
        `to_char(($1) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      ),
      [tenantId, text, started - 2_000_000_000, at, Math.min(at + 100_000, rows) - 1],
    )
  }
  await client.query('vacuum analyze tasks')
  return Date.now() - started
}

/** Pages against others, in turns of half a second, so that both meet the same machine. */
async function compare(what, parley, ours, theirs, target = 2) {
  const [us, them] = [
    { asked: 0, ms: 0 },
    { asked: 0, ms: 0 },
  ]
  for (let turn = 0; turn < halfSeconds; turn++) {
    await ask(parley, theirs, them)
    await ask(parley, ours, us)
  }
  const [value, other] = [us, them].map(({ asked, ms }) => (asked * 1_000) / ms)
  results.push({
    what,
    value,
    ratio: other / value,
    against: `times as long (${Math.round(other)} /s)`,
    ...(target && { target, isAtMost: true }),
  })
}

async function pagePaths(parley, query, depth = 0) {
  const paths = []
  for (let cursor = depth === 0 ? undefined : await cursorAt(query, depth); paths.length < PAGES; ) {
    const path = `/api/v1/tasks?${query}${cursor ? `&cursor=${cursor}` : ''}`
    const body = JSON.parse(await fetchText(parley.url + path))
    paths.push(path)
    cursor = body.pagination?.nextCursor
    if (!cursor) break
  }
  return paths
}

async function cursorAt(query, depth) {
  const sort = new URLSearchParams(query).get('sort')
  const turn = sort?.startsWith('-') || sort === null ? 'desc' : 'asc'
  const order = sort === null ? `id ${turn}` : `record ->> 'dueAt' ${turn} nulls last, id ${turn}`
  const { rows: found } = await client.query(
    `select id, record ->> 'dueAt' as due from tasks where tenant_id = $1 order by ${order} offset ${Math.floor(depth)} limit 1`,
    [tenantId],
  )
  const name = JSON.stringify([tenantId, 'tasks', sort === null ? [] : [['sort', sort]]])
  return makeCursor(sealer, name, { id: found[0].id, value: sort === null ? null : found[0].due })
}

function fetchText(url) {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${url}: ${answer.statusCode} ${text}`))
      })
    }).on('error', reject)
  })
}

/** The paths in turn, over and over, on all connections, for half a second. */
async function ask(parley, paths, sum) {
  const started = performance.now()
  const one = async () => {
    while (performance.now() < started + 500) await fetchText(parley.url + paths[sum.asked++ % paths.length])
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  sum.ms += performance.now() - started
}
