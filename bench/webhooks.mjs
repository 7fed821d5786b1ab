// Speed of sending webhooks against what bounds it and against job queues on the same Postgres, and how soon a
// committed event arrives. Everything sends over TLS to the same sink on this machine. Usage: npm run build && node
// bench/webhooks.mjs [deliveries] [seconds of each latency run] [throughput|latency]
import { setTimeout as sleep } from 'node:timers/promises'
import { startDatabase } from './support/database.mjs'
import { startNode } from './support/processes.mjs'
import { fillGraphile, fillPgBoss, installRivals } from './support/rivals.mjs'
import { startSink } from './support/sink.mjs'
import { printTable } from './support/table.mjs'
import { addDeliveries, addOrganization, addSubscriptions, openCount, statements } from './support/webhook-load.mjs'

const deliveries = Number(process.argv[2] ?? 40_000)
const seconds = Number(process.argv[3] ?? 10)
const part = process.argv[4] ?? 'all'
const rounds = 5
const networks = { PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'silent' }

const sink = await startSink()
const trusting = { NODE_EXTRA_CA_CERTS: sink.caFile }
const start = (script, options) => startNode(script, [JSON.stringify(options)], trusting)
const startParley = (database, env) =>
  startNode('parley-server.mjs', [database.url, JSON.stringify({ ...networks, ...env })], trusting)
let isGood = true
try {
  if (part !== 'latency') isGood = (await throughput()) && isGood
  if (part !== 'throughput') isGood = (await latency()) && isGood
} finally {
  await sink.stop()
}
process.exitCode = isGood ? 0 : 1

/** Requests a second between the first and the last fifth, when everything is warm. */
async function rate(count, begin) {
  await sink.clear()
  const contender = await begin()
  for (let seen = 0; seen < count; ) {
    await sleep(100)
    seen = (await sink.count()).requests
  }
  const times = (await sink.times()).slice(0, count)
  await contender.stop()
  const [from, to] = [Math.floor(count * 0.2), Math.floor(count * 0.8)]
  return (to - from) / ((times[to] - times[from]) / 1000)
}

async function throughput() {
  const rivals = installRivals()
  const database = await startDatabase()
  try {
    const subscriptions = await addSubscriptions(database.client, {
      ...database,
      urls: Array.from({ length: 10 }, (_, index) => `${sink.url}/hook${index}`),
    })
    const bare = () =>
      rate(deliveries, () => start('bare-client.mjs', { url: sink.url, count: deliveries, isSigned: false }))
    const signed = () =>
      rate(deliveries, () => start('bare-client.mjs', { url: sink.url, count: deliveries, isSigned: true }))
    let perDelivery = 0
    const parley = async () => {
      await addDeliveries(database.client, { ...database, subscriptions, count: deliveries })
      const before = await statements(database.client)
      const measured = await rate(deliveries, () => startParley(database, { PARLEY_ROLE: 'worker' }))
      perDelivery = ((await statements(database.client)) - before) / deliveries
      if ((await openCount(database.client)) !== 0) throw new Error('Deliveries are left')
      return measured
    }
    const boss = async () => {
      await fillPgBoss(rivals.folder, database.url, deliveries)
      return rate(deliveries, () =>
        start('pg-boss-worker.mjs', { url: database.url, sinkUrl: sink.url, folder: rivals.folder }),
      )
    }
    const graphileWith = (isTuned) => async () => {
      await fillGraphile(rivals.folder, database.url, deliveries)
      return rate(deliveries, () =>
        start('graphile-worker.mjs', { url: database.url, sinkUrl: sink.url, folder: rivals.folder, isTuned }),
      )
    }
    const graphile = graphileWith(false)
    const tuned = graphileWith(true)
    // In turns, and compared within each turn, because the speed of a machine changes by half within a minute. The
    // middle one of the turns counts.
    const figures = { bare: [], signed: [], parley: [], boss: [], graphile: [], tuned: [] }
    for (let round = 0; round < rounds; round++) {
      for (const [name, measure] of Object.entries({ bare, signed, parley, boss, graphile, tuned }))
        figures[name].push(await measure())
      console.log(
        `  ${Object.entries(figures)
          .map(([name, all]) => `${name} ${Math.round(all[round])}/s`)
          .join(', ')}`,
      )
    }
    const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
    const against = (name) => middle(figures.parley.map((ours, round) => ours / figures[name][round]))
    const value = (name) => middle(figures[name])
    const [pgBossName, graphileName] = rivals.names
    return printTable(`${deliveries.toLocaleString('en')} deliveries over TLS, Node ${process.version}`, [
      { what: 'undici, the same bytes, each signed', value: value('signed') },
      { what: 'undici, the same bytes, signed once', value: value('bare') },
      {
        what: 'Parley',
        value: value('parley'),
        ratio: against('signed'),
        against: 'of undici that signs each',
        target: 0.6,
      },
      { what: '', ratio: against('bare'), against: 'of undici that signs once' },
      { what: pgBossName, value: value('boss'), ratio: against('boss'), against: 'times it', target: 1.5 },
      {
        what: `${graphileName}, as it comes`,
        value: value('graphile'),
        ratio: against('graphile'),
        against: 'times it',
        target: 1.5,
      },
      {
        what: `${graphileName}, local queue, batches`,
        value: value('tuned'),
        ratio: against('tuned'),
        against: 'times it',
        target: 1.5,
      },
      {
        what: 'SQL statements a delivery',
        value: perDelivery,
        unit: '',
        ratio: perDelivery,
        against: '',
        target: 3,
        isAtMost: true,
      },
    ])
  } finally {
    await database.stop()
    rivals.remove()
  }
}

/** Twenty organizations; the endpoints of one of them, 5 %, fail where the run says so. */
async function latency() {
  const rows = []
  const run = async (what, { perSecond, fanOut, hasFailing = false, isKilled = false }, targets = {}) => {
    const result = await measureLatency({ perSecond, fanOut, hasFailing, isKilled })
    rows.push(
      {
        what: `${what}: p50`,
        value: result.p50,
        unit: 'ms',
        ...(targets.p50 && { ratio: result.p50, target: targets.p50, isAtMost: true }),
      },
      {
        what: `${what}: p99`,
        value: result.p99,
        unit: 'ms',
        ...(targets.p99 && { ratio: result.p99, target: targets.p99, isAtMost: true }),
      },
    )
    console.log(
      `  ${what}: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, max ${result.max.toFixed(0)} ms, ${result.made} events, ${result.arrived} of ${result.expected} arrived, ${result.repeats} repeated`,
    )
  }
  await run('200 events/s', { perSecond: 200, fanOut: 1 }, { p50: 15, p99: 100 })
  for (const perSecond of [100, 500, 1_000]) {
    for (const fanOut of [1, 10])
      await run(`${perSecond} events/s to ${fanOut}, 5 % failing`, { perSecond, fanOut, hasFailing: true })
  }
  await run('200 events/s, 5 % failing, a worker killed every 10 s', {
    perSecond: 200,
    fanOut: 1,
    hasFailing: true,
    isKilled: true,
  })
  return printTable(`From commit to receipt, ${seconds} s each`, rows)
}

async function measureLatency({ perSecond, fanOut, hasFailing, isKilled }) {
  const database = await startDatabase()
  await sink.clear()
  try {
    const keys = await addOrganizations(database, fanOut, hasFailing)
    const api = await startParley(database, { PARLEY_ROLE: isKilled ? 'api' : 'all' })
    const workers = isKilled
      ? [await startParley(database, { PARLEY_ROLE: 'worker' }), await startParley(database, { PARLEY_ROLE: 'worker' })]
      : []
    // Plans, connections and code are warm before anything counts.
    await load(api, keys, 50, 3)
    await sleep(1_000)
    const { rows: mark } = await database.client.query('select now() as at')
    await sink.clear()
    const killing = isKilled ? killEveryTenSeconds(database, workers) : undefined
    await load(api, keys, perSecond, isKilled ? Math.max(30, seconds) : seconds)
    await killing?.stop()
    const result = await settled(database, mark[0].at, isKilled ? 40_000 : 15_000)
    for (const node of [api, ...workers]) await node.stop()
    return result
  } finally {
    await database.stop()
  }
}

async function load(api, keys, perSecond, forSeconds) {
  const made = await start('event-load.mjs', { url: api.url, keys, perSecond, seconds: forSeconds })
  await made.ended
}

async function addOrganizations(database, fanOut, hasFailing) {
  const keys = []
  for (let number = 0; number < 20; number++) {
    const organization = await addOrganization(database.url, `Bench ${number}`)
    const path = hasFailing && number === 0 ? 'fail' : 'hook'
    const urls = Array.from({ length: fanOut }, (_, index) => `${sink.url}/${path}/${number}/${index}`)
    await addSubscriptions(database.client, { ...organization, urls })
    keys.push(organization.key)
  }
  return keys
}

function killEveryTenSeconds(database, workers) {
  let isOver = false
  const done = (async () => {
    for (let turn = 0; !isOver; turn++) {
      for (let waited = 0; waited < 10_000 && !isOver; waited += 100) await sleep(100)
      if (isOver) return
      await workers[turn % workers.length].kill()
      workers[turn % workers.length] = await startParley(database, { PARLEY_ROLE: 'worker' })
    }
  })()
  return {
    stop() {
      isOver = true
      return done
    },
  }
}

/**
 * Waits until what should arrive has arrived. Time counts from the moment that the event itself names, which is a
 * little before its commit.
 */
async function settled(database, since, withinMs) {
  const healthy = `from all_deliveries d join webhook_subscriptions s on s.tenant_id = d.tenant_id and s.id = d.subscription_id
    where d.created_at > $1 and s.record ->> 'url' not like '%/fail/%'`
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(500)) {
    const { rows } = await database.client.query(
      `select count(*)::int as count ${healthy} and d.status <> 'SUCCEEDED'`,
      [since],
    )
    if (rows[0].count === 0) break
  }
  const { rows } = await database.client.query(
    `select d.id, (extract(epoch from d.created_at) * 1000)::float8 as at ${healthy}`,
    [since],
  )
  const { rows: events } = await database.client.query(
    'select count(*)::int as count from events where occurred_at > $1',
    [since],
  )
  const arrivals = new Map(await sink.arrivals())
  const taken = rows
    .filter(({ id }) => arrivals.has(id))
    .map(({ id, at }) => arrivals.get(id) - at)
    .sort((a, b) => a - b)
  const percentile = (share) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? Number.NaN
  return {
    p50: percentile(0.5),
    p99: percentile(0.99),
    max: taken.at(-1) ?? Number.NaN,
    made: events[0].count,
    expected: rows.length,
    arrived: taken.length,
    repeats: (await sink.count()).repeats,
  }
}
