// What it costs to follow the events of many tenants: cores used by the node and by its database connections, while
// events are logged at a steady rate across them. Usage: npx tsc -b && node bench/streams.mjs [seconds] [events a second]
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../packages/server/dist/database/pool.js'
import { followEvents } from '../packages/server/dist/resources/events/event-feeds.js'
import { newEventId, newId } from '../packages/server/dist/store/id.js'
import { startDatabase } from './support/database.mjs'

const seconds = Number(process.argv[2] ?? 8)
const perSecond = Number(process.argv[3] ?? 50)
/** Clock ticks a second of the kernel's accounting. */
const TICKS = 100

const server = await startDatabase()
const rows = []
try {
  await server.client.query('create index if not exists events_feed on events (xact, id)')
  for (const followed of [1, 100, 1_000, 10_000]) rows.push(await run(followed))
} finally {
  await server.stop()
}
console.table(rows)

async function run(followed) {
  const database = openDatabase({ url: server.url, connections: 4, statementTimeoutMs: 5_000 })
  const tenants = Array.from({ length: followed }, () => newId(new Date()))
  let heard = 0
  const onTrouble = (error) => console.error(error.message)
  const ends = []
  for (const tenantId of tenants)
    ends.push(await followEvents({ database, tenantId, onTrouble }, (events) => (heard += events.length)))
  await sleep(2_000)
  const idle = await coresUsed(() => sleep(seconds * 1_000))
  const busy = await coresUsed(() => write(tenants))
  await sleep(1_000)
  for (const end of ends) end()
  await database.close()
  return {
    followed,
    'idle: node': idle.node,
    'idle: database': idle.database,
    'busy: node': busy.node,
    'busy: database': busy.database,
    heard,
  }
}

async function write(tenants) {
  for (let count = 0; count < seconds * perSecond; count++) {
    const id = newEventId(new Date())
    await server.client.query(
      `insert into events (tenant_id, id, type, opt_in, occurred_at, subject_id, body)
        values ($1, $2, 'task.created', false, now(), null, '{}')`,
      [tenants[count % tenants.length], id],
    )
    await sleep(1_000 / perSecond)
  }
}

/** Of this process, writing included, and of the server's processes that serve its connections. */
async function coresUsed(work) {
  const before = { node: process.cpuUsage(), database: await databaseTicks(), at: performance.now() }
  await work()
  const spent = process.cpuUsage(before.node)
  const elapsed = (performance.now() - before.at) / 1_000
  const database = ((await databaseTicks()) - before.database) / TICKS / elapsed
  return { node: ((spent.user + spent.system) / 1e6 / elapsed).toFixed(3), database: database.toFixed(3) }
}

async function databaseTicks() {
  const { rows: backends } = await server.client.query(
    "select pid from pg_stat_activity where application_name = 'parley' and pid <> pg_backend_pid()",
  )
  const ticksOf = ({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return Number(fields[11]) + Number(fields[12])
  }
  return backends.map(ticksOf).reduce((sum, ticks) => sum + ticks, 0)
}
