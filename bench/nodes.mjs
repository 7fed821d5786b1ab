// What more nodes cost: 1, 2 and 4 nodes through PgBouncer in transaction mode do the same operations, and the CPU time
// of nodes, PgBouncer and database per operation must stay flat. Then crowds on one record and on one counter, which
// must not collapse. Usage: npm run build && PGBOUNCER=$(scripts/pgbouncer.sh) node bench/nodes.mjs [operations]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { cpuSecondsOfTree } from '../scripts/cpu-of-tree.mjs'
import { startDatabase } from './support/database.mjs'
import { requirePgBouncer, startPgBouncer } from './support/pgbouncer.mjs'
import { startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'

const operations = Number(process.argv[2] ?? 2_000)
const hotOperations = Math.ceil(operations / 2)
/** Each node is asked so often before anything is measured: code that is new to a process costs several times as much. */
const warmUp = Math.ceil(operations / 3)
const crowd = 16
const idleMs = 5_000
const serverConnections = 10
const counts = [1, 2, 4]
const cpuRatioMax = 1.15
const hotRatioMin = 0.5

requirePgBouncer()
const database = await startDatabase()
const bouncer = await startPgBouncer(database.url, serverConnections)
const postgresPid = Number((await readFile(join(database.folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
const script = new URL('support/parley-server.mjs', import.meta.url).pathname
let isGood = true
try {
  const results = []
  for (const count of counts) results.push(await measure(count))
  isGood = report(results)
} finally {
  await bouncer.stop()
  await database.stop()
}
process.exit(isGood ? 0 : 1)

async function measure(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => startNode(script, [bouncer.url, '{"LOG_LEVEL":"silent"}'])),
  )
  const nodes = servers.map(({ url }) => new Pool(url, { connections: crowd, pipelining: 1 }))
  const customer = await call(nodes[0], 'POST', '/customers', { displayName: 'Bench' })
  await run(nodes, warmUp * count, mixed)
  const cpu = () => ({
    nodes: servers.reduce((sum, { pid }) => sum + cpuSecondsOfTree(pid), 0),
    bouncer: cpuSecondsOfTree(bouncer.pid),
    database: cpuSecondsOfTree(postgresPid),
  })
  const idle = await spent(cpu, () => sleep(idleMs))
  const busy = await spent(cpu, () => run(nodes, operations, mixed))
  // What nodes do by themselves they do by the second, not by the operation: on a slow machine it would count more.
  const perOperation = Object.fromEntries(
    Object.keys(busy.cpu).map((who) => {
      const own = (idle.cpu[who] / idle.seconds) * busy.seconds
      return [who, ((busy.cpu[who] - own) / operations) * 1e6]
    }),
  )
  const idleShare = Object.values(idle.cpu).reduce((sum, one) => sum + one) / idle.seconds
  const hot = await call(nodes[0], 'POST', '/tasks', { title: 'Hot' })
  const patches = await run(nodes, hotOperations, (node, n) =>
    call(node, 'PATCH', `/tasks/${hot.id}`, { title: `Hot ${n}` }),
  )
  const numbers = await run(nodes, hotOperations, (node, n) =>
    call(node, 'POST', '/work-records', { title: `Job ${n}`, canonicalKind: 'job', customerId: customer.id }),
  )
  for (const node of nodes) await node.close()
  for (const server of servers) await server.stop()
  return { count, perOperation, idleShare, patches, numbers }
}

/** The CPU time of all while something is done. */
async function spent(cpu, work) {
  const [before, began] = [cpu(), performance.now()]
  await work()
  const after = cpu()
  return {
    seconds: (performance.now() - began) / 1000,
    cpu: Object.fromEntries(Object.keys(after).map((who) => [who, after[who] - before[who]])),
  }
}

/** Five operations of every day: a create, two gets, a list, a change of what was made. */
async function mixed(node, n) {
  const { id } = await call(node, 'POST', '/tasks', { title: `Ring back ${n}` })
  await call(node, 'GET', `/tasks/${id}`)
  await call(node, 'GET', `/tasks/${id}`)
  await call(node, 'GET', '/tasks?limit=10')
  await call(node, 'PATCH', `/tasks/${id}`, { status: 'in_progress' })
}

/** Runs it so often, by a crowd that is spread over the nodes; returns how often a second. */
async function run(nodes, count, operation) {
  let left = count
  const began = performance.now()
  await Promise.all(
    Array.from({ length: crowd }, async (_, at) => {
      while (left-- > 0) await operation(nodes[at % nodes.length], left)
    }),
  )
  return count / ((performance.now() - began) / 1000)
}

async function call(node, method, path, body) {
  const headers = { authorization: `Bearer ${database.key}`, 'content-type': 'application/json' }
  const answer = await node.request({
    method,
    path: `/api/v1${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
  return JSON.parse(text)
}

function report(results) {
  const total = ({ perOperation }) => Object.values(perOperation).reduce((sum, one) => sum + one)
  const [one] = results
  const rows = results.flatMap((result) => {
    const { count, perOperation, idleShare, patches, numbers } = result
    const isFirst = result === one
    const against = isFirst ? {} : { against: 'of one node' }
    const nodes = count === 1 ? '1 node' : `${count} nodes`
    return [
      ...Object.entries(perOperation).map(([who, micros]) => ({ what: `${nodes}: ${who}`, value: micros, unit: 'µs' })),
      {
        what: `${nodes}: CPU of an operation`,
        value: total(result),
        unit: 'µs',
        ...(!isFirst && { ratio: total(result) / total(one), target: cpuRatioMax, isAtMost: true, ...against }),
      },
      { what: `${nodes}: idle`, value: idleShare * 1000, unit: 'ms CPU/s' },
      {
        what: `${nodes}: patches of one record`,
        value: patches,
        ...(!isFirst && { ratio: patches / one.patches, target: hotRatioMin, ...against }),
      },
      {
        what: `${nodes}: numbers of one counter`,
        value: numbers,
        ...(!isFirst && { ratio: numbers / one.numbers, target: hotRatioMin, ...against }),
      },
    ]
  })
  const title = `${operations} rounds of five requests through PgBouncer, ${serverConnections} connections to the server`
  return printTable(`${title}, Node ${process.version}`, rows)
}
