// The fence around an organization that moves: triggers on its tables, made one table at a time so that nobody else
// waits for more than a moment, and a state that says what they let through.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { errorCode } from '../database/error-code.js'
import { type MovedTable, quoted } from './moved-tables.js'
import type { Move } from './moving.js'
import type { Shard } from './shards.js'

/** Tables into which workers put rows of many tenants in one statement. */
const insertedTogether = new Set([
  'request_log',
  'webhook_failures',
  'stats',
  'stat_changes',
  'call_transcripts',
  'understanding_jobs',
])
const LOCK_TIMED_OUT = '55P03'
const DEADLOCK = '40P01'

interface Fenced {
  readonly table: string
  /** The column that says whose row it is, and the values that are ours. */
  readonly column: string
  readonly ids: readonly string[]
  isBatched(operation: string): boolean
}

const fencedTables = ({ tables, tenantIds, organizationId }: Move): Fenced[] => [
  ...tables.map((table) => ({
    table: table.name,
    column: 'tenant_id',
    ids: tenantIds,
    isBatched: (operation: string) => isBatched(table, operation),
  })),
  { table: 'tenants', column: 'id', ids: tenantIds, isBatched: () => false },
  { table: 'organizations', column: 'id', ids: [organizationId], isBatched: () => false },
]

/** Whether a worker may do this to rows of several tenants at once. */
const isBatched = ({ name, isEntity }: MovedTable, operation: string): boolean =>
  operation === 'delete' || (operation === 'insert' ? insertedTogether.has(name) : !isEntity)

const operations = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const

const triggerName = ({ organizationId }: Move, operation: string): string =>
  `moving_${organizationId.replaceAll('-', '')}_${operation}`

export async function raiseFence(move: Move, { database }: Shard): Promise<void> {
  await database.withClient(async (client) => {
    for (const fenced of fencedTables(move))
      await patiently(client, async () => {
        for (const [operation, row] of operations) {
          const how = fenced.isBatched(operation) ? 'batched' : 'alone'
          const ids = fenced.ids.map((id) => `'${id}'::uuid`)
          await client.query(`create or replace trigger ${triggerName(move, operation)}
            before ${operation} on ${quoted(fenced.table)} for each row when (${row}.${fenced.column} in (${ids}))
            execute function refuse_moving('${move.organizationId}', '${how}')`)
        }
      })
  })
}

export async function dropFence(move: Move, { database }: Shard): Promise<void> {
  await database.withClient(async (client) => {
    for (const { table } of fencedTables(move))
      await patiently(client, async () => {
        // Triggers of partitions go before that of their table: whoever reads locks them the other way round.
        await client.query(`lock table only ${quoted(table)} in access exclusive mode`)
        for (const [operation] of operations)
          await client.query(`drop trigger if exists ${triggerName(move, operation)} on ${quoted(table)}`)
      })
  })
}

/** Others must not queue behind a lock that we wait for, so we give up quickly and try again. */
export async function patiently(client: pg.ClientBase, change: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '300ms'`)
      await change()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (![LOCK_TIMED_OUT, DEADLOCK].includes(errorCode(error) ?? '')) throw error
      await sleep(100)
    }
  }
}
