// Speed of an import: people from a CSV file, each with its events and, unless silent, a delivery to a receiver on this
// machine. CPU is that of everything: the server, the database and the receiver. Usage: npm run build && node
// bench/imports.mjs [rows]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsOfTree } from '../scripts/cpu-of-tree.mjs'
import { startDatabase } from './support/database.mjs'
import { startNode } from './support/processes.mjs'
import { startSink } from './support/sink.mjs'
import { addSubscriptions } from './support/webhook-load.mjs'

const rows = Number(process.argv[2] ?? 100_000)
const secondsMax = (120 * rows) / 100_000
const cores = 2
const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const sink = await startSink()
const database = await startDatabase()
const settings = { PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', PARLEY_DATA_DIR: dataDir }
const parley = await startNode('parley-server.mjs', [database.url, JSON.stringify(settings)], {
  NODE_EXTRA_CA_CERTS: sink.caFile,
})
let isGood = true
try {
  await addSubscriptions(database.client, { ...database, urls: [`${sink.url}/hook`] })
  for (const silent of [true, false]) isGood = (await measure(silent)) && isGood
} finally {
  await parley.stop()
  await database.stop()
  await sink.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exitCode = isGood ? 0 : 1

async function measure(silent) {
  const prefix = silent ? 's' : 'l'
  const lines = Array.from({ length: rows }, (_, n) => {
    const phone = `+1${silent ? 202 : 303}${String(2_000_000 + n).slice(0, 7)}`
    return `${prefix}${n},First${n},Last${n % 977},${phone},${prefix}${n}@example.com`
  })
  const file = `Id,firstName,lastName,primaryPhone,primaryEmail\n${lines.join('\n')}\n`
  const mapping = { Id: 'externalRefs.crm' }
  const { id } = await ask('POST', '/imports', { entity: 'people', format: 'csv', mapping, silent })
  const before = cpuSeconds()
  const began = performance.now()
  await send(id, file)
  let job = { status: 'queued' }
  while (['queued', 'running'].includes(job.status)) {
    await sleep(200)
    job = await ask('GET', `/imports/${id}`)
  }
  const seconds = (performance.now() - began) / 1000
  while (!silent && (await sink.count()).requests < rows) await sleep(100)
  const after = cpuSeconds()
  const cpu = after.all - before.all
  const serverCpu = after.server - before.server
  const all = (performance.now() - began) / 1000
  console.log(
    `${silent ? 'silent' : 'with deliveries'}: ${job.status}, ${job.created} created, ${job.failed} failed in ` +
      `${seconds.toFixed(1)} s (${Math.round(rows / seconds)} a second); ${((cpu / rows) * 1000).toFixed(2)} CPU seconds ` +
      `per 1,000 rows in all (${((serverCpu / rows) * 1000).toFixed(2)} of them the server's), so ${((cpu / rows) * (100_000 / cores)).toFixed(0)} s per 100,000 on ${cores} free cores` +
      `${silent ? '' : `; all delivered after ${all.toFixed(1)} s`}`,
  )
  return job.created === rows && cpu / cores < secondsMax
}

function cpuSeconds() {
  return { all: cpuSecondsOfTree(process.pid), server: cpuSecondsOfTree(parley.pid) }
}

async function ask(method, path, body) {
  const headers = { authorization: `Bearer ${database.key}`, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${parley.url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

function send(id, body) {
  return fetch(`${parley.url}/api/v1/imports/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${database.key}`, 'content-type': 'application/octet-stream' },
    body,
  })
}
