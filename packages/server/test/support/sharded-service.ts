// Nodes over several PostgreSQL servers: `main` and `a` on one that replicates, `b`, where organizations only go to, on the
// server of the run, which counts transactions otherwise.
// Between nodes and servers stand doors that a test can shut.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../src/config/config.js'
import { openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded-postgres/embedded.js'
import { mintKeyFor } from '../../src/program/create-organization.js'
import { createAt } from '../../src/program/organizations-everywhere.js'
import { prepareDatabase, type Server, startServer } from '../../src/server/server.js'
import { type Shards, shardsOf } from '../../src/shards/shards.js'
import { newId } from '../../src/store/id.js'
import { createTestDatabase, patient, urlOf } from './databases.js'
import { makeScratchFolder } from './run/scratch-folder.js'
import { type PostgresProxy, startPostgresProxy } from './servers/postgres-proxy.js'
import { type Client, clientOf, secret } from './service.js'
import { authority } from './webhooks/sending.js'

export interface ShardedService {
  /** The servers themselves, past every door. */
  readonly shards: Shards
  readonly nodes: readonly Server[]
  /** For the operator's commands. */
  readonly env: Record<string, string>
  readonly urls: Readonly<Record<'main' | 'a' | 'b', string>>
  /** What the nodes reach the server of that name by. */
  readonly door: (shard: string) => PostgresProxy
  /** An organization on a server, with clients of its sandbox on each node. */
  organization(name: string, shard: string): Promise<{ id: string; key: string; clients: readonly Client[] }>
  stop(): Promise<void>
}

const names = ['main', 'a', 'b'] as const

export async function startSharded(nodeCount: number): Promise<ShardedService> {
  const folder = await makeScratchFolder('parley-shards-')
  const [first, other] = await Promise.all([startReplicating(join(folder, 'data')), createTestDatabase()])
  const urls = { main: patient(urlOf(first.url, 'parley_main')), a: patient(first.url), b: other.url }
  const doors = new Map<string, PostgresProxy>()
  for (const name of names) doors.set(name, await startPostgresProxy(urls[name]))
  const door = (name: string): PostgresProxy => {
    const found = doors.get(name)
    if (found === undefined) throw new Error(`No door to ${name}`)
    return found
  }
  const open = (url: string) => openDatabase({ url, connections: 8, statementTimeoutMs: 120_000 })
  const shardsBy = (urlFor: (name: string) => string) => {
    const others = ['a', 'b'].map((name) => ({ name, database: open(urlFor(name)), prepared: Promise.resolve() }))
    return shardsOf(open(urlFor('main')), others)
  }
  const direct = shardsBy((name) => urls[name as 'a'])
  for (const { database } of direct.all) await prepareDatabase(database)
  const started: { server: Server; shards: Shards }[] = []
  for (let count = 0; count < nodeCount; count++) {
    const shards = shardsBy((name) => door(name).url)
    started.push({ server: await startNode(shards), shards })
  }
  return {
    shards: direct,
    nodes: started.map(({ server }) => server),
    env: { DATABASE_URL: urls.main, DATABASE_SHARDS: `a=${urls.a},b=${urls.b}`, PARLEY_SECRET: secret },
    urls,
    door,
    async organization(name, shard) {
      const home = direct.named(shard)
      const id = newId(new Date())
      await createAt(direct, home, { id, name }, new Date())
      await home.database.query(sql`update tenants
        set settings = (settings::jsonb || '{"extractor": "off"}')::json where organization_id = ${id}`)
      const key = (await mintKeyFor(home.database, id, 'sandbox', 'ADMIN', 'Test', new Date())) ?? ''
      return { id, key, clients: started.map(({ server }) => clientOf(server.url, key)) }
    },
    async stop() {
      for (const one of doors.values()) one.open()
      for (const { server } of started) await server.stop()
      for (const shards of [direct, ...started.map((one) => one.shards)])
        for (const { database } of shards.all) await database.close()
      for (const one of doors.values()) await one.stop()
      await other.drop()
      await first.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const startNode = (shards: Shards): Promise<Server> =>
  startServer({
    config: {
      ...readConfig({
        PORT: '0',
        DATABASE_URL: 'postgresql://x@y/z',
        PARLEY_SECRET: secret,
        PARLEY_RATE_LIMIT_READ: '100000:100000',
        PARLEY_RATE_LIMIT_WRITE: '100000:100000',
        PARLEY_RATE_LIMIT_PLATFORM: '100000:100000',
        PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      }),
      secret,
    },
    database: shards.main.database,
    shards: shards.all.slice(1),
    delivery: { ca: authority.ca },
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
  })

/** A server of its own whose rows can be replicated, with a second database. */
async function startReplicating(folder: string): Promise<EmbeddedDatabase> {
  const first = await startEmbedded(folder, () => {})
  const database = openDatabase({ url: first.url, connections: 1, statementTimeoutMs: 0 })
  await database.withClient(async (client) => {
    await client.query('create database parley_main')
    for (const [name, value] of Object.entries(serverSettings))
      await client.query(`alter system set ${name} = '${value}'`)
  })
  await database.close()
  await first.stop()
  return startEmbedded(folder, () => {})
}

const serverSettings = {
  max_connections: 200,
  wal_level: 'logical',
  fsync: 'off',
  full_page_writes: 'off',
  max_worker_processes: 24,
  max_logical_replication_workers: 16,
  max_sync_workers_per_subscription: 8,
  max_replication_slots: 20,
}
