// What is measured of the state behind a node when someone looks at the metrics: its version, the database and how
// large it is, the disk of the data folder, and how long the work in each queue has waited.
import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { oldestDueSeconds, type TenantQueue } from '../queue/tenant-queue.js'
import { fetchQueue } from '../recordings/fetch-queue.js'
import { inboundQueue } from '../resources/integrations/inbound-queue.js'
import { understandingQueue } from '../resources/understanding/understanding-queue.js'
import { gauge, kept } from './gauges.js'

export interface NodeParts {
  readonly version: string
  /** Where recordings are, and the database if it is embedded. */
  readonly dataDir: string
}

/** Sizes move slowly, and a large database takes a moment to add them up. */
const SIZE_KEPT_MS = 60_000

export function addNodeGauges(registry: Registry, { version, dataDir }: NodeParts): void {
  const info = { name: 'parley_build_info', help: 'Always 1; the version is its label', registers: [registry] }
  new Gauge({ ...info, labelNames: ['version'] }).set({ version }, 1)
  gauge(registry, 'parley_data_free_bytes', 'Space left on the disk of the data folder', async () => {
    const disk = await statfs(dataDir).catch(() => undefined)
    return disk && disk.bavail * disk.bsize
  })
}

export function addStateGauges(registry: Registry, database: Database, clock: () => Date): void {
  addDatabaseGauges(registry, database)
  addQueueGauges(registry, database, clock)
}

function addDatabaseGauges(registry: Registry, database: Database): void {
  gauge(registry, 'parley_database_up', '1 when the database answers, else 0', () =>
    database.read(sql`select 1`).then(
      () => 1,
      () => 0,
    ),
  )
  const size = kept(() => measureDatabase(database), SIZE_KEPT_MS)
  gauge(registry, 'parley_database_size_bytes', 'Size of the database on its disk', async () => (await size())?.bytes)
  gauge(
    registry,
    'parley_database_transaction_age',
    'Transactions since the oldest row that was not frozen yet; PostgreSQL stops taking writes at two billion',
    async () => (await size())?.transactions,
  )
}

async function measureDatabase(database: Database): Promise<{ bytes: number; transactions: number } | undefined> {
  const [row] = await database.query<{ bytes: number; transactions: number }>(
    sql`select pg_database_size(oid) as bytes, age(datfrozenxid) as transactions from pg_database
      where datname = current_database()`,
  )
  return row
}

/** By the name that operators know. */
const queues: Readonly<Record<string, TenantQueue>> = {
  inbound: inboundQueue,
  recordings: fetchQueue,
  understanding: understandingQueue,
}

function addQueueGauges(registry: Registry, database: Database, clock: () => Date): void {
  const ages = kept(() =>
    Promise.all(
      Object.entries(queues).map(async ([queue, one]) => ({
        queue,
        age: await oldestDueSeconds(database, one, clock()),
      })),
    ),
  )
  new Gauge({
    name: 'parley_queue_oldest_due_seconds',
    help: 'How long the oldest due work of a queue has waited',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { queue, age } of (await ages()) ?? []) this.set({ queue }, age)
    },
  })
}
