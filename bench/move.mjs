// Moving an organization between two servers while it is written to: how long writes wait, and for what.
// Usage: npm run build && node bench/move.mjs [megabytes] [moves], by default 1024 and 3: there, back, and there again.
// It needs about five times the megabytes in the temporary folder, and a quarter of an hour for each move of a gigabyte on
// two busy cores.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../packages/server/dist/database/pool.js'
import { startEmbedded } from '../packages/server/dist/embedded-postgres/embedded.js'
import { createOrganization, mintKeyFor } from '../packages/server/dist/program/create-organization.js'
import { prepareDatabase } from '../packages/server/dist/server/server.js'
import { newId } from '../packages/server/dist/store/id.js'
import { addEvents } from './support/growth-load.mjs'

const megabytes = Number(process.argv[2] ?? 1024)
const moves = Number(process.argv[3] ?? 3)
const WRITERS = 4
const PAUSE_MS = 20
const program = new URL('../packages/server/dist/main.js', import.meta.url).pathname
const settings = {
  wal_level: 'logical',
  max_replication_slots: 20,
  max_worker_processes: 24,
  max_logical_replication_workers: 16,
  max_wal_size: '4GB',
}

const children = new Set()
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')))

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
await chmod(folder, 0o755)
const servers = { main: await startReplicating('main'), a: await startReplicating('a') }
try {
  const organization = await fill(servers.main.url)
  const env = {
    ...process.env,
    DATABASE_URL: servers.main.url,
    DATABASE_SHARDS: `a=${servers.a.url}`,
    PARLEY_SECRET: 'a secret for benchmarks only',
    PARLEY_RATE_LIMIT_WRITE: '1000000:1000000',
    PORT: String(await freePort()),
  }
  const url = `http://127.0.0.1:${env.PORT}`
  const node = run(['serve'], env)
  node.stderr.pipe(process.stderr)
  // What nobody reads stops who writes it.
  node.stdout.resume()
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (node.exitCode !== null) throw new Error(`The node ended with ${node.exitCode}`)
    await sleep(200)
  }
  const table = []
  for (let count = 0; count < moves; count++) {
    table.push(await moveOnce(organization, env, url, count % 2 ? 'main' : 'a'))
    console.log(JSON.stringify(table.at(-1)))
  }
  console.table(table)
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all([...children].map(({ ended }) => ended))
  for (const server of Object.values(servers)) await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function startReplicating(name) {
  const first = await startEmbedded(join(folder, name), () => {})
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  for (const [key, value] of Object.entries(settings)) await client.query(`alter system set ${key} = '${value}'`)
  await client.end()
  await first.stop()
  const server = await startEmbedded(join(folder, name), () => {})
  const database = openDatabase({ url: server.url, connections: 2, statementTimeoutMs: 0 })
  await prepareDatabase(database)
  await database.close()
  return server
}

/** An organization with as many megabytes of events. */
async function fill(url) {
  const database = openDatabase({ url, connections: 2, statementTimeoutMs: 0 })
  const id = newId(new Date())
  await createOrganization(database, { id, name: 'Large' }, new Date())
  const key = await mintKeyFor(database, id, 'sandbox', 'ADMIN', 'Bench', new Date())
  await database.close()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows: tenants } = await client.query(
    `select id from tenants where organization_id = $1 and environment = 'sandbox'`,
    [id],
  )
  await client.query(`update tenants set settings = (settings::jsonb || '{"extractor": "off"}')::json`)
  const size = await addEvents(client, tenants[0].id, megabytes, (done) => process.stderr.write(`\r${done} MB `))
  await client.query('vacuum analyze events')
  await client.end()
  process.stderr.write(`made: ${size.rows} events, ${size.megabytes} MB of rows\n`)
  return { id, key, size }
}

async function moveOnce({ id, key, size }, env, url, target) {
  const load = startWriters(url, key)
  const startedAt = Date.now()
  const told = []
  const mover = run(['organizations', 'move', id, '--to', target, '--json'], env)
  mover.stderr.on('data', (chunk) => {
    for (const line of String(chunk).split('\n').filter(Boolean)) {
      told.push({ line, atMs: Date.now() - startedAt })
      process.stderr.write(`${((Date.now() - startedAt) / 1_000).toFixed(1)} s  ${line}\n`)
    }
  })
  let printed = ''
  mover.stdout.on('data', (chunk) => (printed += chunk))
  const code = await mover.ended
  const writes = await load.stop()
  if (code !== 0) throw new Error(`The move ended with ${code}`)
  const at = (words) => told.find(({ line }) => line.includes(words))?.atMs ?? Number.NaN
  const seconds = (ms) => Number((ms / 1_000).toFixed(1))
  return {
    to: target,
    rows: size.rows,
    MB: size.megabytes,
    'copy s': seconds(at('verifying') - at('copying')),
    'compare s': seconds(at('Comparing is done') - at('verifying')),
    'paused ms': JSON.parse(printed).pausedMs,
    phases: told.find(({ line }) => line.startsWith('Closed for'))?.line.replace(/^Closed for [^:]*: /, ''),
    writes: writes.count,
    refused: writes.refused,
    'slowest write ms': writes.slowestMs,
    load: Number(loadavg()[0].toFixed(1)),
  }
}

function startWriters(url, key) {
  const seen = { count: 0, refused: 0, slowestMs: 0 }
  let isOver = false
  const write = async () => {
    for (; !isOver; await sleep(PAUSE_MS)) {
      const startedAt = performance.now()
      const answer = await fetch(`${url}/api/v1/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: randomUUID() }),
      })
      await answer.arrayBuffer()
      seen.count++
      if (answer.status !== 201) seen.refused++
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - startedAt))
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  return {
    async stop() {
      isOver = true
      await Promise.all(writers)
      return seen
    },
  }
}

function run(args, env) {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.once('exit', () => children.delete(child))
  return Object.assign(child, { ended })
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
