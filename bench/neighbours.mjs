// What one tenant's endpoints do to another tenant's webhooks: commit to receipt of a healthy neighbour, alone and
// beside 50 and 500 endpoints that are slow, hang or fail, each with a backlog. Usage: npm run build && node
// bench/neighbours.mjs [seconds of each run] [events a second]
import { setTimeout as sleep } from 'node:timers/promises'
import { startDatabase } from './support/database.mjs'
import { startNode } from './support/processes.mjs'
import { startSink } from './support/sink.mjs'
import { printTable } from './support/table.mjs'
import { addDeliveries, addOrganization, addSubscriptions } from './support/webhook-load.mjs'

const seconds = Number(process.argv[2] ?? 12)
const perSecond = Number(process.argv[3] ?? 50)
/** As many subscriptions as a tenant may have. */
const perTenant = 50
/** What waits for each endpoint: more than it takes in the time of a run. */
const backlog = 60
const ratioMax = 3
const p99MaxMs = 250

// A process each, so that the crowd of sockets of those that hang is not the neighbour's.
const [healthy, crowd] = [await startSink(), await startSink()]
const trusting = { NODE_EXTRA_CA_CERTS: healthy.trustWith(crowd) }
let isGood = true
try {
  const rows = []
  for (const kind of ['slow', 'hang', 'fail']) {
    for (const endpoints of [50, 500]) rows.push(...(await run(kind, endpoints)))
  }
  isGood = printTable(`A healthy neighbour, ${perSecond} events/s, ${seconds} s each, Node ${process.version}`, rows)
} finally {
  await healthy.stop()
  await crowd.stop()
}
process.exitCode = isGood ? 0 : 1

/**
 * Alone before and after as well: the speed of a shared machine changes within a minute, and the slower of the two
 * counts.
 */
async function run(kind, endpoints) {
  const database = await startDatabase()
  try {
    await addSubscriptions(database.client, { ...database, urls: [`${healthy.url}/hook`] })
    const attackers = await addCrowd(database, kind, endpoints)
    const env = { PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'silent' }
    const server = await startNode('parley-server.mjs', [database.url, JSON.stringify(env)], trusting)
    await measure(database, server, 2)
    const before = await measure(database, server, seconds)
    for (const attacker of attackers) await addDeliveries(database.client, attacker)
    const beside = await measure(database, server, seconds)
    const { requests, connections } = await crowd.count()
    for (const { tenantId } of attackers) await calm(database, tenantId)
    const after = await measure(database, server, seconds)
    await server.stop()
    await crowd.clear()
    const alone = Math.max(before.p99, after.p99)
    console.log(
      `  ${endpoints} that ${kind}: p99 ${before.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms beside them (p50 ${beside.p50.toFixed(1)}, most ` +
        `${beside.most.toFixed(0)}), ${after.p99.toFixed(1)} ms alone again; they got ${requests} requests, ${connections} connections so far`,
    )
    const what = `${endpoints} endpoints that ${kind}`
    return [
      {
        what: `${what}: p99`,
        value: beside.p99,
        unit: 'ms',
        ratio: beside.p99,
        against: 'ms',
        target: p99MaxMs,
        isAtMost: true,
      },
      {
        what: '',
        ratio: beside.p99 / alone,
        against: `times alone (${alone.toFixed(1)} ms)`,
        target: ratioMax,
        isAtMost: true,
      },
    ]
  } finally {
    await database.stop()
  }
}

async function addCrowd(database, kind, endpoints) {
  const made = []
  for (let number = 0; number < endpoints / perTenant; number++) {
    const organization = await addOrganization(database.url, `Crowd ${number}`)
    const urls = Array.from({ length: perTenant }, (_, index) => `${crowd.url}/${kind}/${number}/${index}`)
    const subscriptions = await addSubscriptions(database.client, { ...organization, urls })
    made.push({ ...organization, subscriptions, count: perTenant * backlog })
  }
  return made
}

/** Ends an attack: what waits is taken away, and what is under way comes back within an attempt's time. */
async function calm(database, tenantId) {
  await database.client.query('update webhook_queues set is_active = false where tenant_id = $1', [tenantId])
}

/** Milliseconds from what the event says of its time, a little before its commit, to its receipt. */
async function measure(database, server, forSeconds) {
  await healthy.clear()
  const { rows: mark } = await database.client.query('select now() as at')
  const load = await startNode('event-load.mjs', [
    JSON.stringify({ url: server.url, keys: [database.key], perSecond, seconds: forSeconds }),
  ])
  await load.ended
  const made = async () =>
    (
      await database.client.query(
        `select id, status, (extract(epoch from created_at) * 1000)::float8 as at from all_deliveries where tenant_id = $1 and created_at > $2`,
        [database.tenantId, mark[0].at],
      )
    ).rows
  let rows = await made()
  for (
    const deadline = performance.now() + 30_000;
    performance.now() < deadline && rows.some(({ status }) => status !== 'SUCCEEDED');
  ) {
    await sleep(200)
    rows = await made()
  }
  const arrivals = new Map(await healthy.arrivals())
  // What has not come by now counts as late as it is.
  const taken = rows.map(({ id, at }) => (arrivals.get(id) ?? Date.now()) - at).sort((a, b) => a - b)
  const percentile = (share) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? Number.NaN
  return { p50: percentile(0.5), p99: percentile(0.99), most: taken.at(-1) ?? Number.NaN }
}
