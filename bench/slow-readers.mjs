// What clients that do not read cost: sockets that ask for a page of large records and never read it, the memory of the
// server meanwhile, and how a neighbour fares. Bounded: it ends after the given seconds, whatever the server does.
// Usage: npm run build && node bench/slow-readers.mjs [sockets] [seconds]
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { mintKey } from '../packages/server/dist/http/gate/api-keys.js'
import { startDatabase } from './support/database.mjs'
import { startNode } from './support/processes.mjs'

const sockets = Number(process.argv[2] ?? 250)
const seconds = Number(process.argv[3] ?? 45)
const NOTES = 100
const MiB = 1024 * 1024
const mebi = (bytes) => `${Math.round(bytes / MiB)} MiB`
const database = await startDatabase()
try {
  await measure()
} finally {
  await database.stop()
}

async function measure() {
  const server = await startNode('parley-server.mjs', [database.url])
  const neighbour = await neighbourKey()
  const page = await plant(server.url)
  const before = await memoryOf(server.pid)
  const attackers = Array.from({ length: sockets }, () => askAndDoNotRead(server.url))
  const { peak, latencies, statuses } = await watch(server, neighbour)
  const after = await memoryOf(server.pid)
  for (const socket of attackers) socket.destroy()
  const sorted = latencies.sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1)
  console.log(
    `${sockets} sockets that ask for ${(page / MiB).toFixed(1)} MiB and do not read, ${seconds} s, Node ${process.version}`,
  )
  console.log(`memory (RSS): ${mebi(before)} before, ${mebi(peak)} at most, ${mebi(after)} at the end`)
  console.log(
    `neighbour: ${sorted.length} requests, statuses ${JSON.stringify(statuses)}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
  await server.stop()
}

async function neighbourKey() {
  const { key, hash, prefix, last4 } = mintKey('production')
  const values = [database.organizationId, hash, prefix, last4]
  await database.client.query(
    `insert into api_keys (tenant_id, id, name, scope, hash, prefix, last4)
     select id, gen_random_uuid(), 'Neighbour', 'ADMIN', $2, $3, $4 from tenants where organization_id = $1 and environment = 'production'`,
    values,
  )
  return key
}

/** Notes of 57 kB each; returns the bytes of the page that the sockets will ask for. */
async function plant(url) {
  const headers = { authorization: `Bearer ${database.key}`, 'content-type': 'application/json' }
  const post = async (path, body) =>
    (await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  const { id } = await post('/people', { firstName: 'Ada' })
  for (let made = 0; made < NOTES; made++)
    await post('/notes', { body: '語'.repeat(19_000), subjectType: 'person', subjectId: id })
  return (await (await fetch(`${url}/api/v1/notes?limit=100`, { headers })).arrayBuffer()).byteLength
}

function askAndDoNotRead(url) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /api/v1/notes?limit=100 HTTP/1.1\r\nhost: parley\r\nauthorization: Bearer ${database.key}\r\n\r\n`)
  return socket
}

async function watch(server, key) {
  const latencies = []
  const statuses = {}
  let peak = 0
  for (const until = Date.now() + seconds * 1_000; Date.now() < until; await sleep(50)) {
    const began = performance.now()
    const { status } = await fetch(`${server.url}/api/v1/tasks`, { headers: { authorization: `Bearer ${key}` } })
    latencies.push(performance.now() - began)
    statuses[status] = (statuses[status] ?? 0) + 1
    peak = Math.max(peak, await memoryOf(server.pid))
  }
  return { peak, latencies, statuses }
}

async function memoryOf(pid) {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
