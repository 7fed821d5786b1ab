// Sending is held after a restore: webhooks and texts that were open in the backup may have gone out since. A node
// looks once when it starts, and again only while they are held.
import type pg from 'pg'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'

export interface Held {
  readonly since: string
  /** The moment that was restored. */
  readonly restoredTo: string
}

export interface WouldSend {
  readonly deliveries: number
  readonly texts: number
}

const LOOK_MS = 1_000

/** Part of the last transaction of a restore. */
export async function holdSending(client: pg.ClientBase, restoredTo: Date): Promise<void> {
  await client.query(
    `insert into sending_hold (since, restored_to) values (now(), $1)
      on conflict (only_row) do update set since = now(), restored_to = excluded.restored_to`,
    [restoredTo],
  )
}

export async function readHold(database: Database): Promise<Held | undefined> {
  const [row] = await database.query<{ since: Date; restored_to: Date }>(
    sql`select since, restored_to from sending_hold`,
  )
  return row && { since: row.since.toISOString(), restoredTo: row.restored_to.toISOString() }
}

/** What is open, and would go out: webhooks of active subscriptions, and texts that no carrier has taken yet. */
export async function countHeld(database: Database): Promise<WouldSend> {
  return database.withClient(async (client) => {
    const { rows } = await client.query<{ deliveries: number; texts: number }>(
      `select (select count(*) from webhook_deliveries d join webhook_queues q using (tenant_id, subscription_id)
          where q.is_active and d.status in ('PENDING', 'RETRYING'))::int as deliveries,
        (select count(*) from sms_outbox where step = 'send')::int as texts`,
    )
    return rows[0] ?? { deliveries: 0, texts: 0 }
  })
}

export async function releaseSending(database: Database): Promise<void> {
  await database.query(sql`delete from sending_hold`)
}

export interface SendingGate {
  /** Calls `begin` once sending is not held, maybe at once. */
  start(): void
  stop(): Promise<void>
}

export interface GateParts {
  readonly database: Database
  readonly begin: () => void
  readonly onHeld: (held: Held) => void
  readonly onTrouble: (error: Error) => void
  readonly everyMs?: number
}

export function createSendingGate({ database, begin, onHeld, onTrouble, everyMs = LOOK_MS }: GateParts): SendingGate {
  let isStopped = false
  let hasTold = false
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const look = async () => {
    const held = await readHold(database)
    if (isStopped) return
    if (held === undefined) return begin()
    if (!hasTold) onHeld(held)
    hasTold = true
    again()
  }
  const again = () => {
    if (isStopped) return
    timer = setTimeout(lookSafely, everyMs).unref()
  }
  const lookSafely = () => {
    looking = look().catch((error: Error) => {
      onTrouble(error)
      again()
    })
  }
  return {
    start: lookSafely,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
