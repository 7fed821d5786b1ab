// What requests cost two versions of Parley, in turn on one machine: CPU time of the server and of its database, which
// says more than requests a second where the machine is busy besides.
// Usage: build both, then node bench/compare.mjs <folder of the other version> [rounds] [rows]
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { resolve } from 'node:path'

const other = process.argv[2]
if (other === undefined) throw new Error('Name the folder of the other version')
const rounds = Number(process.argv[3] ?? 40)
const rows = Number(process.argv[4] ?? 20_000)
const CONNECTIONS = 16
const PAGES = 30
/** How many requests a burst has, and how many warm the server up. */
const kinds = {
  create: { burst: 64, warmUp: 3_000 },
  'list, each another page': { burst: 256, warmUp: 6_000 },
  list: { burst: 256, warmUp: 6_000 },
  get: { burst: 256, warmUp: 6_000 },
}
const body = { title: 'Ring the customer back', description: 'Asked about the invoice of last month. '.repeat(11) }

const versions = [
  await start('before', resolve(other)),
  await start('now', resolve(new URL('..', import.meta.url).pathname)),
]
try {
  for (const kind of Object.keys(kinds)) report(kind, await measure(kind))
} finally {
  for (const version of versions) await version.stop()
}

/** A database with tasks and two subscriptions that want their events, and a server, by the version's own code. */
async function start(name, tree) {
  const { startDatabase } = await import(`${tree}/bench/support/database.mjs`)
  const { startNode } = await import(`${tree}/bench/support/processes.mjs`)
  const { firstIdAt } = await import(`${tree}/packages/server/dist/store/id.js`)
  const database = await startDatabase()
  const { client, tenantId, key } = database
  const server = await startNode(`${tree}/bench/support/parley-server.mjs`, [database.url])
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const made = JSON.parse(await ask({ url: server.url, key, agent }, '/api/v1/tasks', body))
  await copy(client, made.id)
  for (const id of [1, 2])
    await client.query(
      `insert into webhook_subscriptions (tenant_id, id, version, updated_at, record, event_types)
       values ($1, $2, 1, now(), '{"status": "paused", "revokedAt": null}', '{}')`,
      [tenantId, firstIdAt(new Date(id))],
    )
  await client.query('vacuum analyze')
  const [postmaster] = (await client.query(`select pg_read_file('postmaster.pid') as file`)).rows[0].file.split('\n')
  const version = { name, url: server.url, key, agent, pid: server.pid, postmaster: Number(postmaster) }
  version.pages = await walk(version)
  version.one = `/api/v1/tasks/${made.id}`
  version.stop = async () => {
    await server.stop()
    await database.stop()
  }
  return version
}

/** As many tasks as wanted of one that the version has written itself. */
async function copy(client, id) {
  const { rows: columns } = await client.query(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'tasks'
       and is_generated = 'NEVER' and column_name not in ('id', 'record')`,
  )
  const names = columns.map(({ name }) => name)
  await client.query(
    `insert into tasks (id, record, ${names.join(', ')})
     select i.id, replace(t.record::text, t.id::text, i.id::text)::json, ${names.map((name) => `t.${name}`).join(', ')}
     from tasks t, (select uuid_v7(now() - n * interval '1 second') as id from generate_series(1, $1::int) n) i
     where t.id = $2`,
    [rows, id],
  )
}

async function walk(version) {
  const pages = ['/api/v1/tasks']
  while (pages.length < PAGES) {
    const { pagination } = JSON.parse(await ask(version, pages.at(-1)))
    pages.push(`/api/v1/tasks?cursor=${pagination.nextCursor}`)
  }
  return pages
}

async function measure(kind) {
  const { burst, warmUp } = kinds[kind]
  for (const version of versions) await send(version, kind, warmUp)
  const costs = versions.map(() => ({ server: [], database: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const index of round % 2 ? [1, 0] : [0, 1]) {
      const version = versions[index]
      const backends = childrenOf(version.postmaster)
      const before = [cpuMicros([version.pid]), cpuMicros(backends)]
      await send(version, kind, burst)
      costs[index].server.push((cpuMicros([version.pid]) - before[0]) / burst)
      costs[index].database.push((cpuMicros(backends) - before[1]) / burst)
    }
  }
  return costs
}

async function send(version, kind, count) {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      if (kind === 'create') await ask(version, '/api/v1/tasks', body)
      else if (kind === 'get') await ask(version, version.one)
      else await ask(version, kind === 'list' ? version.pages[0] : version.pages[left % PAGES])
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
}

function ask({ url, key, agent }, path, sent) {
  const headers = { authorization: `Bearer ${key}` }
  if (sent) Object.assign(headers, { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() })
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { method: sent ? 'POST' : 'GET', headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      response.on('end', () => (response.statusCode < 300 ? resolve(text) : reject(new Error(text))))
    })
    request.on('error', reject).end(sent && JSON.stringify(sent))
  })
}

function childrenOf(parent) {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]) === parent
      )
    } catch {
      return false
    }
  })
}

/** Of all threads, as the scheduler counts it. */
function cpuMicros(pids) {
  let nanos = 0
  for (const pid of pids) {
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended.
    }
  }
  return nanos / 1_000
}

/** The quickest quarter of the rounds was disturbed least; the median of the ratios of neighbours is told beside it. */
function report(kind, [before, now]) {
  const at = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]
  for (const part of ['server', 'database']) {
    const [old, recent] = [at(before[part], 0.25), at(now[part], 0.25)]
    const pairs = at(
      now[part].map((cost, round) => cost / before[part][round]),
      0.5,
    )
    console.log(
      `${kind}, ${part}: ${old.toFixed(0)} → ${recent.toFixed(0)} µs, ${(recent / old).toFixed(2)}; by pairs ${pairs.toFixed(2)}`,
    )
  }
}
