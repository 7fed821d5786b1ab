// Worker nodes in processes of their own, which a test can kill, freeze and stop, and a load of deliveries for them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../src/database/pool.js'
import { sql } from '../../../src/database/sql.js'
import { closeAfterTest } from '../after-each.js'
import { programFile } from '../run/bundled-programs.js'
import { authority } from './sending.js'

export interface WorkerProcess {
  readonly pid: number
  /** Where it serves health and numbers. */
  readonly url: string
  readonly exited: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** What it has logged so far, where a level was given. */
  output(): string
  /** The value of a metric, summed over its labels. */
  metric(name: string): Promise<number>
}

const folder = mkdtempSync(join(tmpdir(), 'parley-workers-'))
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, authority.ca)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

export interface WorkerOptions {
  /** Short where a lease has to lapse: a process that a busy machine holds up for as long sends twice. */
  readonly leaseMs?: number
  readonly env?: Record<string, string>
  /** The level of a log that the test reads. */
  readonly log?: string
}

export async function startWorker(
  url: string,
  { leaseMs = 30_000, env = {}, log }: WorkerOptions = {},
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [await programFile('delivery-worker'), JSON.stringify({ url, leaseMs, env })], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile, ...(log !== undefined && { TEST_LOG: log }) },
    stdio: ['ignore', 'pipe', log === undefined ? 'inherit' : 'pipe'],
  })
  let logged = ''
  child.stderr?.on('data', (chunk) => {
    logged += chunk
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  closeAfterTest(() => {
    child.kill('SIGKILL')
    return exited
  })
  const servingAt = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const found = /^ready (.*)$/m.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(`The worker ended before it was ready: ${printed}`)))
  })
  return {
    pid: child.pid ?? 0,
    url: servingAt,
    exited,
    signal: (name) => void child.kill(name),
    output: () => logged,
    async metric(name) {
      const text = await (await fetch(`${servingAt}/metrics`)).text()
      return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      )
    },
  }
}

/** Events and deliveries that are due, made by the database, so that thousands take a moment. */
export async function addDeliveries(database: Database, subscriptionId: string, count: number): Promise<void> {
  const body = JSON.stringify({ eventId: '%ID%', type: 'task.created', data: { note: 'x'.repeat(200) } })
  // No statement may take longer than two seconds.
  const [now, later] = [Math.min(count, 2_500), count - 2_500]
  await database.query(sql`with queue as (select tenant_id from webhook_queues where subscription_id = ${subscriptionId}::uuid),
    made as (
      insert into events (tenant_id, id, type, opt_in, occurred_at, body)
      select tenant_id, i.id, 'task.created', false, now(), replace(${body}, '%ID%', i.id)
      from queue, (select upper(left(md5(random()::text || n), 26)) as id from generate_series(1, ${now}::int) n) i returning tenant_id, id
    )
    insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at)
    select tenant_id, uuid_v7(now()), ${subscriptionId}::uuid, id, 'task.created', now(), now() from made`)
  if (later > 0) await addDeliveries(database, subscriptionId, later)
}

export async function countDeliveries(database: Database, subscriptionId: string): Promise<Record<string, number>> {
  const rows = await database.query<{ status: string; count: number }>(
    sql`select status, count(*)::int as count from all_deliveries where subscription_id = ${subscriptionId} group by 1`,
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
