// Moves an organization with the operator's own command, which is killed on its way, and looks at what is left.
import { expect } from 'vitest'
import { raw, sql } from '../../src/database/sql.js'
import { listMoves } from '../../src/shards/move-register.js'
import { movedTables } from '../../src/shards/moved-tables.js'
import { nameOf } from '../../src/shards/moving.js'
import { runProgram, startProgram } from './program.js'
import type { ShardedService } from './sharded-service.js'
import { until } from './until.js'

/** What the command says in each phase. */
export const said = ['preparing', 'copying', 'verifying', 'Comparing is done', 'Closed', 'Switched', 'cleaning']

/** A move that is killed and given up leaves the organization as it was. */
export async function giveUpMove(service: ShardedService, id: string, source: string, target: string): Promise<void> {
  await killAt(service, ['organizations', 'move', id, '--to', target], 'copying')
  const canceled = await runProgram(['organizations', 'move', id, '--cancel', '--json'], service.env)
  expect(canceled, canceled.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(canceled.stdout)).toEqual({ organizationId: id, shard: source })
  await expectNothingLeft(service, id, [target])
}

export async function moveWithKills(
  service: ShardedService,
  id: string,
  [source, target]: readonly [string, string],
  killedAt: readonly string[],
): Promise<void> {
  const command = ['organizations', 'move', id, '--to', target]
  for (const words of killedAt) await killAt(service, command, words)
  const finished = await runProgram(command, service.env)
  if (finished.code !== 0) expect(finished.stderr).toContain('already')
  const [moved] = await listMoves(service.shards.main.database)
  expect(moved).toMatchObject({ organizationId: id, source, target, phase: 'done' })
}

/** As a mover leaves it that was killed between the end of the slot and that of the subscription. */
export async function loseSlot(service: ShardedService, organizationId: string, source: string): Promise<void> {
  const isOurs = sql`slot_name = ${nameOf({ organizationId })}`
  await until(
    async () => {
      const { database } = service.shards.named(source)
      await database.query(sql`select pg_terminate_backend(active_pid) from pg_replication_slots where ${isOurs}`)
      const drop = sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots where ${isOurs}`
      return database.query(drop).catch(() => [])
    },
    (dropped) => dropped.length === 1,
  )
}

export async function killAt({ env }: ShardedService, command: readonly string[], words: string): Promise<void> {
  const mover = await startProgram(command, env)
  let isOver = false
  void mover.finished.then(() => (isOver = true))
  await until(
    async () => mover.output(),
    (output) => isOver || output.includes(words),
    120_000,
  )
  mover.signal('SIGKILL')
  await mover.finished
}

/** Neither rows nor triggers nor slots. */
export async function expectNothingLeft(
  service: ShardedService,
  organizationId: string,
  shards: readonly string[],
): Promise<void> {
  const tenants = await service.shards.main.database.query<{ id: string }>(
    sql`select id from tenants where organization_id = ${organizationId}`,
  )
  for (const shard of shards) {
    const { database } = service.shards.named(shard)
    for (const { name } of await movedTables(database))
      for (const { id } of tenants)
        expect(await database.query(sql`select 1 from ${raw(name)} where tenant_id = ${id}`), name).toEqual([])
    const left = await database.query(sql`select tgname::text from pg_trigger where tgname like 'moving%'
      union all select slot_name::text from pg_replication_slots where database = current_database()
      union all select subname::text from pg_subscription where subname like 'parley_move%'`)
    expect(left).toEqual([])
  }
}
