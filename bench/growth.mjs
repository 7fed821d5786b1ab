// Growth: what create, list, feed, claim, sweep and retention cost the database at several sizes of the history, as CPU
// time of the backends and buffers touched per operation. Nothing may cost more than 1.3 times from smallest to largest.
// Usage: npm run build && node bench/growth.mjs [events:tenants …], by default 1e4:1 1e6:1000; the largest that
// belongs to a release is 2e7:10000 (about 22 GB in the temporary folder, and an hour on two busy cores).
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { keepPartitions } from '../packages/server/dist/database/partitions.js'
import { compile, raw } from '../packages/server/dist/database/sql.js'
import { claimDeliveries } from '../packages/server/dist/delivery/queue/claim.js'
import { settleDeliveries } from '../packages/server/dist/delivery/queue/settle.js'
import { findDueTenants, start } from '../packages/server/dist/delivery/queue/sweep.js'
import { quickStep, roundStep } from '../packages/server/dist/delivery/worker/sweep-places.js'
import { partitionedTables } from '../packages/server/dist/maintenance/partitioned-tables.js'
import { retentionChores } from '../packages/server/dist/maintenance/retention.js'
import { alternately, median, medianRatio } from './support/alternately.mjs'
import { startDatabase } from './support/database.mjs'
import { addDue, addHistory, addIdleTenants, makePastPartitions } from './support/growth-load.mjs'
import { startNode } from './support/processes.mjs'
import { addSubscriptions } from './support/webhook-load.mjs'

const sizes = (process.argv.length > 2 ? process.argv.slice(2) : ['1e4:1', '1e6:1000']).map((text) => {
  const [events, tenants] = text.split(':').map(Number)
  return { events, tenants }
})
const ROUNDS = 7
/** Each connection plans a statement five times before it keeps a plan. */
const WARM_ROUNDS = 2
const TARGET = 1.3
const CLAIMED = 10
/** It looks at twenty lanes at most, which the smallest size has not: how it grows says nothing. */
const ONCE_A_SECOND = 'the same with a step of the round, once a second'
const now = raw('now()')
const names = new Map()

// All are made at the same time, and then measured in turn: what else the machine does is the same for all.
const beside = []
const databases = await Promise.all(sizes.map(() => startDatabase()))
try {
  const made = await Promise.all(sizes.map((size, index) => make(size, databases[index])))
  const columns = []
  for (const one of made) columns.push(await prepare(one))
  for (const name of Object.keys(columns[0].operations)) await measure(columns, name)
  process.exitCode = print(columns) ? 0 : 1
} finally {
  for (const stop of beside.reverse()) await stop()
  for (const database of databases) await database.stop()
}

async function make({ events, tenants }, database) {
  const { url, client, tenantId, organizationId } = database
  const urls = ['https://example.com/hooks']
  const [{ id: subscriptionId }] = await addSubscriptions(client, { tenantId, organizationId, urls })
  await makePastPartitions(client)
  await addIdleTenants(client, tenants)
  const startedAt = Date.now()
  const onProgress = (done) => process.stderr.write(`\r${done.toLocaleString('en')} events `)
  await addHistory(client, { url, tenantId, subscriptionId, count: events, onProgress })
  const open = 3 * ROUNDS * 30 * CLAIMED
  await addDue(client, { tenantId, subscriptionId, count: open })
  await client.query('vacuum analyze')
  // What runs beside would be counted with what is measured.
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  process.stderr.write(`made in ${Math.round((Date.now() - startedAt) / 1_000)} s\n`)
  return { events, tenants, database, subscriptionId }
}

async function prepare({ events, tenants, database, subscriptionId }) {
  const node = await startNode('parley-server.mjs', [database.url, JSON.stringify({ PARLEY_ROLE: 'api' })])
  beside.push(() => node.stop())
  const own = await ownDatabase(database.url)
  // As a worker does every hour.
  await keepPartitions(own, partitionedTables(90, new Date()), new Date())
  const operations = await operationsOn(own, { database, node, subscriptionId })
  const { client } = database
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as size')
  return { events, tenants, gigabytes: rows[0].size / 2 ** 30, client, operations, measured: {} }
}

/** A database for what is called directly: few connections that stay, so that their CPU time can be read. */
async function ownDatabase(url) {
  const clients = []
  for (let made = 0; made < 4; made++) {
    const client = new pg.Client({ connectionString: url, options: '-c jit=off' })
    await client.connect()
    beside.push(() => client.end())
    clients.push(client)
  }
  const [first, ...free] = clients
  return {
    async query(statement, { prepared = false } = {}) {
      const { text, values } = compile(statement)
      return (await first.query(prepared ? { name: nameOf(text), text, values } : { text, values })).rows
    },
    async read(statement) {
      const { text, values } = compile(statement)
      return (await first.query({ name: nameOf(text), text, values, rowMode: 'array' })).rows
    },
    async withClient(use) {
      const client = free.pop()
      try {
        return await use(client)
      } finally {
        free.push(client)
      }
    },
  }
}

function nameOf(text) {
  if (!names.has(text)) names.set(text, `s${names.size}`)
  return names.get(text)
}

/** How often each is done in a round, and how. */
async function operationsOn(own, { database, node, subscriptionId }) {
  const { client, key } = database
  const ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    if (method === 'POST') headers['idempotency-key'] = crypto.randomUUID()
    const sent = method === 'POST' ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(`${node.url}/api/v1${path}`, sent)
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { rows: recent } = await client.query(
    'select id from events where tenant_id = $1 order by xact desc, id desc offset 99 limit 1',
    [database.tenantId],
  )
  const after = recent[0].id
  const room = { capacity: CLAIMED, room: CLAIMED, rooms: new Map(), now, isThorough: true }
  const nothingFound = { sweptAt: null, found: [], after: start, step: 0 }
  let place = nothingFound
  const sweep = async (step) => {
    const { found, after = start } = await findDueTenants(own, room, { ...place, step })
    place = { ...place, found, after }
  }
  let claimed = []
  const claim = async () => {
    const options = { ...room, tenants: [database.tenantId], leaseMs: 600_000, attemptsMax: 8 }
    claimed = (await claimDeliveries(own, options)).claimed
    if (claimed.length < CLAIMED) throw new Error(`Only ${claimed.length} were claimed`)
  }
  const settle = () =>
    settleDeliveries(
      own,
      claimed.map((delivery) => ({ delivery, verdict: { status: 'SUCCEEDED', lastError: null }, waitMs: null })),
      { forMs: 1e9, attempts: 1e6 },
      now,
    )
  const chores = retentionChores({ database: own, clock: () => new Date(), days: 90 })
  // A worker that starts looks at everything once, and remembers what is due.
  do await sweep(quickStep)
  while (place.after !== start)
  return {
    'create a task, with its event and delivery': [100, () => ask('POST', '/tasks', { title: 'Grown' })],
    'list events, newest first': [100, () => ask('GET', '/events?limit=20')],
    'list events by time, newest first': [100, () => ask('GET', '/events?sort=-occurredAt&limit=20')],
    'feed: events after one': [100, () => ask('GET', `/events?after=${after}&limit=20`)],
    'one event by id': [100, () => ask('GET', `/events/${after}`)],
    'list deliveries': [100, () => ask('GET', `/webhooks/${subscriptionId}/deliveries?limit=20`)],
    'claim and settle ten deliveries': [30, () => claim().then(settle)],
    'sweep, nothing due': [400, () => findDueTenants(own, room, nothingFound)],
    'sweep, one subscription has something due': [400, () => sweep(0)],
    [ONCE_A_SECOND]: [400, () => sweep(roundStep)],
    'retention, nothing due': [
      3,
      async () => {
        for (const chore of chores) while (await chore.run());
      },
    ],
  }
}

/** CPU time as the median of rounds in turn, after some that count for nothing; buffers as the mean of all of them. */
async function measure(columns, name) {
  const roundOf = ({ client, operations }) => {
    const [times, run] = operations[name]
    return async () => {
      const before = await cpuTime(client)
      for (let one = 0; one < times; one++) await run()
      return ((await cpuTime(client)) - before) / times
    }
  }
  const rounds = columns.map(roundOf)
  // As a server does by itself, where it is not told to leave it.
  for (const { client } of columns) await client.query('vacuum webhook_deliveries')
  for (let warm = 0; warm < WARM_ROUNDS; warm++) for (const round of rounds) await round()
  const before = await Promise.all(columns.map(buffersTouched))
  const cpu = await alternately(ROUNDS, { ...rounds })
  const after = await Promise.all(columns.map(buffersTouched))
  for (const [at, column] of columns.entries()) {
    const [times] = column.operations[name]
    column.measured[name] = { cpu: cpu[at], buffers: (after[at] - before[at]) / (ROUNDS + 1) / times }
    process.stderr.write(`${name}: ${told(column.measured[name])}\n`)
  }
}

/** Of all backends but this one, in microseconds. */
async function cpuTime(client) {
  const { rows } = await client.query(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  )
  const times = rows.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1_000
}

/** A backend tells what it touched when it has been idle for ten seconds, at the latest. */
async function buffersTouched({ client }) {
  await sleep(10_500)
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query(
    'select (blks_hit + blks_read)::float8 as buffers from pg_stat_database where datname = current_database()',
  )
  return rows[0].buffers
}

function print(columns) {
  const [smallest, largest] = [columns[0], columns.at(-1)]
  console.log(`\nNode ${process.version}; CPU time of the database in µs / buffers touched, per operation`)
  const heads = columns.map(
    ({ events, tenants, gigabytes }) => `${events.toLocaleString('en')} of ${tenants} (${gigabytes.toFixed(1)} GB)`,
  )
  console.log(['', ...heads, 'ratio'].join(' | '))
  let holds = true
  for (const name of Object.keys(smallest.measured)) {
    const [most, least] = [largest.measured[name], smallest.measured[name]]
    const [cpu, buffers] = [medianRatio(most.cpu, least.cpu), most.buffers / least.buffers]
    const isWithin = cpu <= TARGET && buffers <= TARGET
    const isBounded = name === ONCE_A_SECOND
    holds &&= isWithin || isBounded
    const cells = columns.map(({ measured }) => told(measured[name]))
    const ratios = `${cpu.toFixed(2)} / ${buffers.toFixed(2)} ${isBounded ? 'bounded' : isWithin ? 'holds' : 'FAILS'}`
    console.log([name, ...cells, ratios].join(' | '))
  }
  return holds
}

function told({ cpu, buffers }) {
  return `${Math.round(median(cpu))} / ${Math.round(buffers)}`
}
