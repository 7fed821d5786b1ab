// What more nodes cost: clusters of 1, 2 and 4 nodes, each behind a PgBouncer in transaction mode, do the same
// operations, and the CPU time of nodes, PgBouncer and database per operation must stay flat. Crowds on one record and
// on one counter must not collapse.
// Usage: npm run build && PGBOUNCER=$(scripts/pgbouncer.sh) node bench/nodes.mjs [operations]
//
// The clusters take turns, so that whatever else the machine does harms all alike, and in every cluster a node is asked
// as often as in the others, so that none runs better compiled code. Operations come in two ways: from a crowd for each
// node, as nodes are added when there is more to do: that must stay flat. And from one crowd for all nodes, each of which
// then finds less to do whenever it wakes up, and fewer who ask the same. What that costs any program is shown by a plain
// one in as many processes.
//
// To wake up a processor that has gone to sleep costs CPU time, and one that is fully awake runs a program slower than
// beside a sleeping one. Few nodes let them sleep and many do not. So each is kept awake by a loop of the lowest
// priority, as on a machine that has enough to do.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from './support/cluster.mjs'
import { requirePgBouncer } from './support/pgbouncer.mjs'
import { startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'

const counts = [1, 2, 4]
/** Of each kind, by the largest cluster, in each way. */
const operations = Number(process.argv[2] ?? 6_000)
const turns = 8
/** Code that is new to a process costs several times as much, so each node is asked this often before. */
const warmUp = Math.ceil(operations / 3)
const crowd = 16
/** Before each third turn nobody asks anything: until what came last is written down, and for so long after it. */
const idleEvery = 3
const restMs = 6_000
const idleMs = 10_000
const serverConnections = 10
const flatCpu = { target: 1.15, isAtMost: true }
const noCollapse = { target: 0.5 }

const crowds = {
  'a crowd for each node': { callers: (count) => crowd * count, mustBeFlat: true },
  'one crowd': { callers: () => crowd },
}
const kinds = [
  { title: 'five requests', operation: mixed, perTurn: perNodeAndTurn(1) },
  { title: 'five requests to a plain program', operation: mixed, isPlain: true, perTurn: perNodeAndTurn(1) },
  { title: 'patches of one record', operation: patch, rate: noCollapse, perTurn: perNodeAndTurn(1 / 4) },
  { title: 'numbers of one counter', operation: takeNumber, rate: noCollapse, perTurn: perNodeAndTurn(1 / 4) },
]
const loads = Object.entries(crowds).flatMap(([who, how]) =>
  kinds.map((kind) => ({ ...kind, ...how, title: `${kind.title}, ${who}` })),
)

requirePgBouncer()
const clusters = []
const awake = []
let isGood = true
try {
  while (awake.length < availableParallelism()) awake.push(await startNode('busy-core.mjs'))
  for (const count of counts) clusters.push(await startCluster(count, serverConnections))
  isGood = report(await measureAll())
} finally {
  for (const cluster of clusters) await cluster.stop()
  for (const loop of awake) await loop.stop()
}
process.exit(isGood ? 0 : 1)

function perNodeAndTurn(share) {
  return Math.ceil((operations * share) / Math.max(...counts) / turns)
}

async function measureAll() {
  for (const cluster of clusters) await prepare(cluster)
  const results = clusters.map((cluster) => ({
    cluster,
    idle: { cpu: {}, seconds: 0 },
    spent: new Map(loads.map((load) => [load, { cpu: {}, seconds: 0 }])),
  }))
  for (let turn = 0; turn < turns; turn++) {
    if (turn % idleEvery === 0) await beIdle(results)
    for (const load of loads) for (const result of results) await takeTurn(result, load)
  }
  return results
}

async function beIdle(results) {
  await sleep(restMs)
  const before = results.map(({ cluster }) => cluster.cpu())
  await sleep(idleMs)
  for (const [at, { cluster, idle }] of results.entries())
    add(idle, difference(cluster.cpu(), before[at]), idleMs / 1000)
}

async function prepare(cluster) {
  const [client] = cluster.parley
  cluster.customer = await cluster.call(client, 'POST', '/customers', { displayName: 'Bench' })
  cluster.hot = await cluster.call(client, 'POST', '/tasks', { title: 'Hot' })
  for (const { isPlain, operation, rate } of kinds)
    await run(cluster, isPlain, (rate ? 100 : warmUp) * cluster.count, crowd, operation)
  await cluster.settle()
}

async function takeTurn({ cluster, spent }, load) {
  const before = cluster.cpu()
  const times = load.perTurn * cluster.count
  const seconds = await run(cluster, load.isPlain, times, load.callers(cluster.count), load.operation)
  add(spent.get(load), difference(cluster.cpu(), before), seconds)
}

function add(sum, cpu, seconds) {
  sum.seconds += seconds
  for (const who of Object.keys(cpu)) sum.cpu[who] = (sum.cpu[who] ?? 0) + cpu[who]
}

/** Runs it so often, by callers that are spread over the nodes; returns how many seconds it took. */
async function run(cluster, isPlain, times, callers, operation) {
  const clients = isPlain ? cluster.plain : cluster.parley
  let left = times
  const began = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async (_, at) => {
      while (left-- > 0) await operation(cluster, clients[at % clients.length], left)
    }),
  )
  return (performance.now() - began) / 1000
}

/** What people do every day: a create, two gets, a list, a change of what was made. */
async function mixed({ call }, client, n) {
  const { id } = await call(client, 'POST', '/tasks', { title: `Ring back ${n}` })
  await call(client, 'GET', `/tasks/${id}`)
  await call(client, 'GET', `/tasks/${id}`)
  await call(client, 'GET', '/tasks?limit=10')
  await call(client, 'PATCH', `/tasks/${id}`, { status: 'in_progress' })
}

async function patch({ call, hot }, client, n) {
  await call(client, 'PATCH', `/tasks/${hot.id}`, { title: `Hot ${n}` })
}

async function takeNumber({ call, customer }, client, n) {
  await call(client, 'POST', '/work-records', { title: `Job ${n}`, canonicalKind: 'job', customerId: customer.id })
}

function difference(after, before) {
  return Object.fromEntries(Object.keys(after).map((who) => [who, after[who] - before[who]]))
}

function report(results) {
  const rows = loads.flatMap((load) => results.flatMap((result) => rowsOf(load, result, results[0])))
  for (const { cluster, idle } of results)
    rows.push({
      what: `idle: ${named(cluster)}`,
      value: (sum(Object.values(idle.cpu)) / idle.seconds) * 1000,
      unit: 'ms CPU/s',
    })
  const title = `${perNodeAndTurn(1) * turns} times five requests to each node in each way, through PgBouncer`
  return printTable(`${title}, ${serverConnections} connections to the server, Node ${process.version}`, rows)
}

/** The parts of the CPU time, their sum, and how often a second. */
function rowsOf(load, result, one) {
  const what = `${load.title}: ${named(result.cluster)}`
  const against = (now, then, wanted) => result !== one && { ratio: now / then, against: 'of one', ...wanted }
  const isFlat = load.mustBeFlat && !load.isPlain && !load.rate
  const idlers = load.isPlain ? 'nodes' : 'plain'
  // What nodes do by themselves they do by the second, not by the operation: on a slow machine it would count more.
  const parts = ({ cluster, spent, idle }) =>
    Object.entries(spent.get(load).cpu)
      .filter(([who]) => who !== idlers)
      .map(([who, cpu]) => [who, cpu - (idle.cpu[who] / idle.seconds) * spent.get(load).seconds])
      .map(([who, cpu]) => [who, (cpu / (load.perTurn * turns * cluster.count)) * 1e6])
  const cpu = (of) => sum(parts(of).map(([, micros]) => micros))
  const rate = ({ cluster, spent }) => (load.perTurn * turns * cluster.count) / spent.get(load).seconds
  return [
    ...(load.rate ? [] : parts(result)).map(([who, micros]) => ({
      what: `${what}, ${who}`,
      value: micros,
      unit: 'µs',
    })),
    { what: `${what}, CPU`, value: cpu(result), unit: 'µs', ...against(cpu(result), cpu(one), isFlat && flatCpu) },
    { what: `${what}, rate`, value: rate(result), ...against(rate(result), rate(one), load.rate) },
  ]
}

function named({ count }) {
  return count === 1 ? '1 node' : `${count} nodes`
}

function sum(all) {
  return all.reduce((total, one) => total + one, 0)
}
