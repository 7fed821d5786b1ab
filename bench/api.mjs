// Speed of the API against what bounds it, in one run on one machine, in bursts of a second in turn: a bare HTTP server,
// the usual row-object server, and pgbench. Usage: npm run build && node bench/api.mjs [rows] [bursts of each]
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnName, columnType, fieldsOf, shapeOf, tasks, typeOf } from '../packages/contract/dist/index.js'
import { compile } from '../packages/server/dist/database/sql.js'
import { fanOutToSubscriptions as fanOut } from '../packages/server/dist/delivery/queue/fan-out.js'
import { newRecord } from '../packages/server/dist/resources/generic/record-values.js'
import { Change } from '../packages/server/dist/store/change.js'
import { compileCommit } from '../packages/server/dist/store/commit.js'
import { firstIdAt } from '../packages/server/dist/store/id.js'
import { recordAnswer } from '../packages/server/dist/store/response.js'
import { createSealer } from '../packages/server/dist/store/secret-box.js'
import { alternately, median, medianRatio } from './support/alternately.mjs'
import { startDatabase } from './support/database.mjs'
import { pgbench } from './support/pgbench.mjs'
import { requirePrograms, startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'
import { inTurn, measure, newEachTime } from './support/wrk.mjs'

requirePrograms('wrk', 'pgbench')
const rows = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 12)
const FEW = 10_000
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const few = await startDatabase()
const database = await startDatabase()
const { client, tenantId, organizationId, key } = database
const auth = { authorization: `Bearer ${key}` }
const results = []

try {
  console.log(`Filling ${rows.toLocaleString('en')} tasks of about 900 bytes …`)
  await fill(few, FEW)
  await fill(database, rows)
  const small = await startNode('parley-server.mjs', [few.url])
  const parley = await startNode('parley-server.mjs', [database.url])
  await reads(parley, small)
  await writes(parley)
  for (const server of [small, parley]) await server.stop()
} catch (error) {
  console.error(error)
  process.exit(1)
} finally {
  await few.stop()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = printTable(
  `${rows.toLocaleString('en')} rows, 64 connections, ${rounds} bursts of a second each in turn, Node ${process.version}`,
  results,
)
  ? 0
  : 1

/** Rows of one tenant, made by the database so that a million take minutes and not hours. Ids rise with their time. */
async function fill({ client, tenantId, organizationId }, count) {
  const record = newRecord(
    tasks,
    { caller: { organizationId }, now: new Date() },
    { title: 'T', description: 'D', source: 'api' },
  )
  const text = JSON.stringify({ ...record, id: '%ID%', title: '%TITLE%', description: '%DESCRIPTION%' })
  const start = Date.now() - 2_000_000_000
  for (let at = 0; at < count; at += 100_000) {
    await client.query(
      `insert into tasks (tenant_id, id, version, updated_at, shape, record, search)
       select $1, i.id, 1, now(), $6::int, replace(replace(replace($2, '%ID%', i.id::text), '%TITLE%', 'Ring customer ' || n || ' back'), '%DESCRIPTION%', repeat('Asked about the invoice of last month. ', 11))::json,
         array_to_tsvector(array['ring', 'customer', n::text, 'back', 'asked', 'about', 'the', 'invoice', 'of', 'last', 'month'])
       from (select n, uuid_v7(to_timestamp($3 / 1000.0 + n * 0.001)) id from generate_series($4::int, $5::int) n) i`,
      [tenantId, text, start, at, Math.min(at + 100_000, count) - 1, shapeOf(tasks)],
    )
  }
  await client.query('vacuum analyze tasks')
}

async function reads(parley, small) {
  const list = `${parley.url}/api/v1/tasks`
  const page = await (await fetch(list, { headers: auth })).text()
  const one = JSON.parse(page).data[0]
  const [pages, ones] = await walk(list)
  const bareList = await startBare('list.json', page)
  const bareOne = await startBare('one.json', JSON.stringify(one))
  const baseline = await startBaseline()
  const lists = await alternately(rounds, {
    bare: burst(bareList.url),
    ours: burst(list, { headers: auth }),
    others: burst(parley.url, { headers: auth, lua: inTurn(pages) }),
    usual: burst(`${baseline.url}/tasks`, { headers: { 'x-tenant': tenantId } }),
    deep: burst(`${list}?cursor=${await deepCursor(list)}`, { headers: auth }),
    small: burst(`${small.url}/api/v1/tasks`, { headers: { authorization: `Bearer ${few.key}` } }),
  })
  const gets = await alternately(rounds, {
    bare: burst(bareOne.url),
    ours: burst(`${list}/${one.id}`, { headers: auth }),
    others: burst(parley.url, { headers: auth, lua: inTurn(ones) }),
  })
  const [ofBare, atMost] = [{ against: 'of the bare server' }, { isAtMost: true }]
  results.push(
    line('bare server, list of 50', lists.bare),
    line('list of 50', lists.ours, lists.bare, { ...ofBare, target: 0.18 }),
    line('the same, each another page', lists.others, lists.bare, ofBare),
    {
      ...line('row objects, list of 50', lists.usual),
      ratio: medianRatio(lists.ours, lists.usual),
      against: 'times it',
      target: 4,
    },
    line('bare server, one', gets.bare),
    line('get one', gets.ours, gets.bare, { ...ofBare, target: 0.35 }),
    line('the same, each another one', gets.others, gets.bare, ofBare),
    {
      ...line('page 10,000', lists.deep),
      ratio: medianRatio(lists.ours, lists.deep),
      against: 'page 1 to it',
      target: 1.3,
      ...atMost,
    },
    line(`${FEW.toLocaleString('en')} rows`, lists.small, lists.ours, {
      against: `to ${rows} rows`,
      target: 1.5,
      ...atMost,
    }),
  )
  for (const server of [bareList, bareOne, baseline]) await server.stop()
}

function burst(url, options) {
  return async (seconds) => (await measure(url, { ...options, seconds, warmUpSeconds: 0 })).perSecond
}

/** What was measured, as a line of the table; and in relation to others that were measured in the same rounds. */
function line(what, speeds, others, told) {
  return { what, value: median(speeds), ...(others && { ratio: medianRatio(speeds, others), ...told }) }
}

/** Paths of 100 pages and of their 5,000 records: what many callers ask who do not ask the same. */
async function walk(list) {
  const pages = []
  const ones = []
  for (let cursor = ''; pages.length < 100; ) {
    const path = `/api/v1/tasks${cursor && `?cursor=${cursor}`}`
    const { data, pagination } = await (await fetch(new URL(path, list), { headers: auth })).json()
    pages.push(path)
    ones.push(...data.map(({ id }) => `/api/v1/tasks/${id}`))
    cursor = pagination.nextCursor
  }
  return [pages, ones]
}

async function startBare(name, body) {
  const file = join(folder, name)
  await writeFile(file, body)
  return startNode('bare-server.mjs', [file])
}

/** The same rows in typed columns. */
async function startBaseline() {
  const columns = Object.entries(fieldsOf(tasks)).map(([field, schema]) => {
    const isJson = ['array', 'object', undefined].includes(typeOf(schema))
    return {
      field,
      name: `"${columnName(field)}"`,
      type: isJson ? 'json' : typeOf(schema) === 'integer' ? 'integer' : columnType(schema),
    }
  })
  const select = columns.map(
    ({ field, name, type }) =>
      `${type === 'json' ? `record -> '${field}'` : `(record ->> '${field}')::${type}`} as ${name}`,
  )
  await client.query(
    `create table baseline_tasks as select tenant_id, ${select.join(', ')} from tasks order by id desc limit 200000`,
  )
  await client.query('alter table baseline_tasks add primary key (tenant_id, id)')
  await client.query('vacuum analyze baseline_tasks')
  return startNode('row-object-server.mjs', [database.url, JSON.stringify(columns)])
}

/** The cursor of page 10,000 (or of the last but one), reached from the id in front of it. */
async function deepCursor(list) {
  const depth = Math.min(10_000 * 50, rows - 200)
  const { rows: found } = await client.query(
    'select id from tasks where tenant_id = $1 order by id desc offset $2 limit 1',
    [tenantId, depth],
  )
  const { makeCursor } = await import('../packages/server/dist/store/cursor.js')
  const cursor = makeCursor(createSealer('a secret for benchmarks only'), JSON.stringify([tenantId, 'tasks', []]), {
    id: found[0].id,
    value: null,
  })
  const answer = await fetch(`${list}?cursor=${cursor}`, { headers: auth })
  if (answer.status !== 200) throw new Error(`The cursor was refused: ${await answer.text()}`)
  return cursor
}

/**
 * A task with an idempotency key, an event and two subscriptions that want it, against pgbench with the very same
 * statement.
 */
async function writes(parley) {
  for (const id of [1, 2]) {
    await client.query(
      `insert into webhook_subscriptions (tenant_id, id, version, updated_at, record, event_types) values ($1, $2, 1, now(), '{"status": "paused", "revokedAt": null}', '{}')`,
      [tenantId, firstIdAt(new Date(id))],
    )
  }
  const body = { title: 'Ring the customer back', description: 'Asked about the invoice of last month. '.repeat(11) }
  const statement = sameStatement(body)
  const { bare, ours } = await alternately(rounds, {
    bare: (seconds) => pgbench(database.url, { statement, mode: 'simple', seconds }),
    ours: (seconds) => burst(`${parley.url}/api/v1/tasks`, { lua: newEachTime(key, body) })(seconds),
  })
  results.push(
    line('pgbench, the same statement', bare),
    line('create a task', ours, bare, { against: 'of pgbench', target: 0.45 }),
  )
}

function sameStatement(body) {
  const now = new Date()
  const caller = { tenantId, organizationId, environment: 'sandbox' }
  const record = newRecord(tasks, { caller, now }, body)
  const change = new Change()
  change.write({ kind: 'insert', entity: tasks, record })
  change.publish('task.created', { taskId: record.id, subjectType: null, subjectId: null, task: record })
  const claim = { key: '%KEY%', fingerprint: Buffer.alloc(32) }
  const sealer = createSealer('a secret for benchmarks only')
  const work = { caller, now, change }
  const { text, values } = compile(compileCommit({ sealer, fanOut }, work, recordAnswer(201, record), claim))
  const literal = (value) => {
    if (value === '%KEY%') return 'md5(random()::text || clock_timestamp()::text)'
    if (value === record.id) return 'uuid_v7(now())'
    if (typeof value === 'string' && /^[0-9A-Z]{26}$/.test(value))
      return 'md5(random()::text || clock_timestamp()::text)'
    if (Buffer.isBuffer(value)) return `'\\\\x${value.toString('hex')}'::bytea`
    if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`
    return value === null ? 'null' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
  }
  return text
    .replace(/\$(\d+)/g, (_, n) => literal(values[n - 1]))
    .replaceAll('\n', ' ')
    .replaceAll('\\\\x', '\\x')
}
