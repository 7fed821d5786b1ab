// The sweep costs by what is due, not by what is open: thousands of subscriptions that wait do not slow it, and what
// comes due among them is found at once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, raw, sql } from '../../../src/database/sql.js'
import {
  findDueTenants,
  roundStep,
  sweepStart,
  sweepStatement,
  type WorkerRoom,
} from '../../../src/delivery/queue/due-deliveries.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const room: WorkerRoom = { capacity: 1_000, room: 10, rooms: new Map(), now: raw('now()') }

/** Subscriptions of a tenant each, with one delivery that is tried again later. */
const addIdle = (count: number) =>
  service.database.query(sql`with made as (
      insert into webhook_queues (tenant_id, subscription_id, version, is_active, is_revoked)
      select gen_random_uuid(), gen_random_uuid(), 1, true, false from generate_series(1, ${count}::int) returning *
    )
    insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, status, is_fresh,
      next_attempt_at, created_at)
    select tenant_id, uuid_v7(now()), subscription_id, 'e', 'task.created', 'RETRYING', false,
      now() + interval '1 hour', now() from made`)

interface Plan {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
}

async function pagesOfSweep(): Promise<number> {
  const { text, values } = compile(sweepStatement(room, sweepStart))
  const plan = await service.database.withClient(async (client) => {
    await client.query('vacuum analyze webhook_deliveries, webhook_queues')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    )
    return rows[0]?.['QUERY PLAN'][0].Plan
  })
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

/** Sets the time of what one subscription waits for, and returns its tenant. */
async function makeDue(secondsAgo: number, place = 0): Promise<string> {
  const [row] = await service.database.query<{ tenant_id: string }>(
    sql`update webhook_deliveries set next_attempt_at = now() - make_interval(secs => ${secondsAgo}) where ctid = (
        select ctid from webhook_deliveries where next_attempt_at > now() order by tenant_id desc offset ${place} limit 1
      ) returning tenant_id`,
  )
  return row?.tenant_id ?? ''
}

test('what is due is found among 10,000 that wait, at the cost of a hundred', async () => {
  await addIdle(200)
  const few = await pagesOfSweep()
  // No statement may take longer than two seconds.
  for (let added = 200; added < 10_000; added += 1_400) await addIdle(1_400)
  const many = await pagesOfSweep()
  expect(many).toBeLessThan(few * 1.5 + 10)
  expect(many).toBeLessThan(1_500)

  // It came due just now: the first sweep finds it, though the round is far from it.
  const now = await makeDue(1, 9_990)
  const first = await findDueTenants(service.database, room, sweepStart)
  expect(first.due).toEqual([{ tenantId: now, subscriptions: 1 }])
  // Whatever the clock says later, what was found is looked at again until it is no longer due.
  const old = await makeDue(3_600, 1_000)
  let at = first.next
  const seen = new Set<string>()
  for (let sweeps = 0; sweeps < 1_100 / roundStep; sweeps++) {
    const { due, next } = await findDueTenants(service.database, room, at)
    expect(due.map(({ tenantId }) => tenantId)).toContain(now)
    for (const { tenantId } of due) seen.add(tenantId)
    at = next
  }
  expect(seen).toEqual(new Set([now, old]))
})
