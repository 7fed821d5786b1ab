// Some nodes of Parley behind one PgBouncer on a database of their own, with as many processes of a plain program
// beside them as a control, and the CPU time of each part.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'undici'
import { cpuSecondsOfTree } from '../../scripts/cpu-of-tree.mjs'
import { startDatabase } from './database.mjs'
import { startPgBouncer } from './pgbouncer.mjs'
import { startNode } from './processes.mjs'

/** Every request is written down: by default a node keeps so many a second, and four keep four times as many. */
const settings = JSON.stringify({ LOG_LEVEL: 'silent', PARLEY_REQUEST_LOG_RATE: '1000000:1000000' })

export async function startCluster(count, serverConnections) {
  const database = await startDatabase()
  const bouncer = await startPgBouncer(database.url, serverConnections)
  const postgresPid = Number((await readFile(join(database.folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const several = (start) => Promise.all(Array.from({ length: count }, start))
  const nodes = await several(() => startNode('parley-server.mjs', [bouncer.url, settings]))
  // One after the other: each makes the table unless it is there.
  const controls = []
  while (controls.length < count) controls.push(await startNode('plain-pg-server.mjs', [bouncer.url]))
  const clientOf = ({ url }) => new Pool(url, { pipelining: 1 })
  const [parley, plain] = [nodes.map(clientOf), controls.map(clientOf)]
  const cpuOf = (servers) => servers.reduce((sum, { pid }) => sum + cpuSecondsOfTree(pid), 0)
  return {
    count,
    /** Clients of the nodes, and of the plain program. */
    parley,
    plain,
    call: (client, method, path, body) => call(client, database.key, method, path, body),
    cpu: () => ({
      nodes: cpuOf(nodes),
      plain: cpuOf(controls),
      bouncer: cpuSecondsOfTree(bouncer.pid),
      database: cpuSecondsOfTree(postgresPid),
    }),
    /** So that autovacuum does not happen to come while something else is measured. */
    settle: () => database.client.query('vacuum (analyze)'),
    async stop() {
      for (const client of [...parley, ...plain]) await client.close()
      for (const server of [...nodes, ...controls]) await server.stop()
      await bouncer.stop()
      await database.stop()
    },
  }
}

async function call(client, key, method, path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await client.request({
    method,
    path: `/api/v1${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
  return JSON.parse(text)
}
