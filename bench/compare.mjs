// What requests cost two versions of Parley, in turn on one machine: requests a second, and CPU time of the server and of
// its database. The machine swings within seconds, so bursts are short and each is compared with its neighbour.
// Usage: build both, then node bench/compare.mjs <folder of the other version> [rounds] [rows] [kind …]
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { alternately, median, medianRatio } from './support/alternately.mjs'
import { requirePrograms } from './support/processes.mjs'
import { inTurn, measure, newEachTime } from './support/wrk.mjs'

requirePrograms('wrk')
const other = process.argv[2]
if (other === undefined) throw new Error('Name the folder of the other version')
const rounds = Number(process.argv[3] ?? 20)
const rows = Number(process.argv[4] ?? 20_000)
const PAGES = 100
const kinds = {
  'create a task': ({ key }) => ({ path: '/api/v1/tasks', lua: newEachTime(key, body) }),
  'list of 50': () => ({ path: '/api/v1/tasks' }),
  'the same, each another page': ({ pages }) => ({ path: '', lua: inTurn(pages) }),
  'get one': ({ ones }) => ({ path: ones[0] }),
  'the same, each another one': ({ ones }) => ({ path: '', lua: inTurn(ones) }),
}
const wanted = process.argv.length > 5 ? process.argv.slice(5) : Object.keys(kinds)
const unknown = wanted.filter((kind) => kinds[kind] === undefined)
if (unknown.length > 0) throw new Error(`No such kind: ${unknown}. There are: ${Object.keys(kinds).join('; ')}`)
const body = { title: 'Ring the customer back', description: 'Asked about the invoice of last month. '.repeat(11) }

const versions = [
  await start('before', resolve(other)),
  await start('now', resolve(new URL('..', import.meta.url).pathname)),
]
try {
  for (const kind of wanted) report(kind, await inBursts(kind))
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
  const headers = { authorization: `Bearer ${key}` }
  const made = await fetch(`${server.url}/api/v1/tasks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await copy(client, (await made.json()).id)
  for (const id of [1, 2])
    await client.query(
      `insert into webhook_subscriptions (tenant_id, id, version, updated_at, record, event_types)
       values ($1, $2, 1, now(), '{"status": "paused", "revokedAt": null}', '{}')`,
      [tenantId, firstIdAt(new Date(id))],
    )
  await client.query('vacuum analyze')
  const [postmaster] = (await client.query(`select pg_read_file('postmaster.pid') as file`)).rows[0].file.split('\n')
  return {
    name,
    url: server.url,
    key,
    headers,
    ...(await walk(server.url, headers)),
    pid: server.pid,
    postmaster: Number(postmaster),
    async stop() {
      await server.stop()
      await database.stop()
    },
  }
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

/** Paths of pages, and of their records. */
async function walk(url, headers) {
  const pages = ['/api/v1/tasks']
  const ones = []
  for (;;) {
    const { data, pagination } = await (await fetch(url + pages.at(-1), { headers })).json()
    ones.push(...data.map(({ id }) => `/api/v1/tasks/${id}`))
    if (pages.length === PAGES) return { pages, ones }
    pages.push(`/api/v1/tasks?cursor=${pagination.nextCursor}`)
  }
}

function inBursts(kind) {
  const burstOf = (version) => async (seconds) => {
    const { headers, pid, postmaster, url } = version
    const { path, lua } = kinds[kind](version)
    const backends = childrenOf(postmaster)
    const before = [cpuMicros([pid]), cpuMicros(backends)]
    const { requests, perSecond } = await measure(url + path, { headers, lua, seconds, warmUpSeconds: 0 })
    const [server, database] = [cpuMicros([pid]) - before[0], cpuMicros(backends) - before[1]]
    return { perSecond, server: server / requests, database: database / requests }
  }
  return alternately(rounds, { before: burstOf(versions[0]), now: burstOf(versions[1]) })
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

function report(kind, { before, now }) {
  const told = ['perSecond', 'server', 'database'].map((part) => {
    const [then, today] = [before, now].map((bursts) => bursts.map((burst) => burst[part]))
    return `${Math.round(median(then))} → ${Math.round(median(today))} (${medianRatio(today, then).toFixed(2)})`
  })
  console.log(`${kind}: ${told[0]} requests a second; µs of the server ${told[1]}, of the database ${told[2]}`)
}
