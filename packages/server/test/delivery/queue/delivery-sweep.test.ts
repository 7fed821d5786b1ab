// The sweep costs by what is due, not by what is open: thousands of subscriptions that wait do not slow it, and what
// comes due among them is found at once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, raw, sql } from '../../../src/database/sql.js'
import type { WorkerRoom } from '../../../src/delivery/queue/due-deliveries.js'
import { forgetWorkers, noteAlive } from '../../../src/delivery/queue/live-workers.js'
import { findDueTenants, type SweepPlace, start, sweepStatement } from '../../../src/delivery/queue/sweep.js'
import { quickStep, roundStep, SweepPlaces } from '../../../src/delivery/worker/sweep-places.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const now = raw('now()')
const room: WorkerRoom = { capacity: 1_000, room: 10, rooms: new Map(), now }
const byTime: SweepPlace = { sweptAt: null, found: [], after: start, step: 0 }

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

async function pagesOfSweep(at: SweepPlace): Promise<number> {
  const { text, values } = compile(sweepStatement(room, at))
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

const settle = (tenantId: string) =>
  service.database.query(sql`delete from webhook_deliveries where tenant_id = ${tenantId}::uuid`)

const dueOf = async (at: SweepPlace, options = room) => {
  const sweep = await findDueTenants(service.database, options, at)
  return { ...sweep, tenants: sweep.due.map(({ tenantId }) => tenantId) }
}

/** Deliveries of a subscription that came due an hour ago. */
const addBacklog = (tenantId: string, id: string, count: number) =>
  service.database.query(sql`insert into webhook_deliveries
      (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at)
    select ${tenantId}::uuid, uuid_v7(now()), ${id}::uuid, 'e', 'task.created', now() - interval '1 hour', now()
    from generate_series(1, ${count}::int)`)

test('that one of two subscriptions has nothing due is not found out by reading the backlog of the other', async () => {
  await addIdle(2)
  const [busy] = await service.database.query<{ tenant_id: string; subscription_id: string }>(
    sql`select tenant_id, subscription_id from webhook_queues limit 1`,
  )
  await addBacklog(busy?.tenant_id ?? '', busy?.subscription_id ?? '', 4_500)
  expect(await pagesOfSweep({ ...byTime, step: roundStep })).toBeLessThan(50)
  await service.database.query(sql`delete from webhook_deliveries`)
  await service.database.query(sql`delete from webhook_queues`)
})

test('what is due is found among 10,000 that wait, at the cost of a hundred', async () => {
  await addIdle(200)
  const due = await makeDue(1)
  const { found } = await dueOf(byTime)
  await service.database.query(sql`update webhook_deliveries set next_attempt_at = now() - interval '1 hour'
    where tenant_id = ${due}::uuid`)
  const again = (await dueOf({ ...byTime, found })).found
  expect(again).toMatchObject([{ tenantId: due }])
  const cost = async () => ({
    nothing: await pagesOfSweep(byTime),
    one: await pagesOfSweep({ ...byTime, found: again }),
  })
  const few = await cost()
  // No statement may take longer than two seconds.
  for (let added = 200; added < 10_000; added += 1_400) await addIdle(1_400)
  const many = await cost()
  // Two indexes are a page deeper than with 200.
  expect(many.nothing).toBeLessThanOrEqual(few.nothing + 1)
  expect(many.one).toBeLessThanOrEqual(few.one + 2)
  expect(many.one).toBeLessThan(12)
  // Where something is due for longer, a little of the round; where nothing is, none of it.
  expect(await pagesOfSweep({ ...byTime, step: roundStep })).toBeLessThan(20 + 5 * roundStep)
  await settle(due)
  expect(await pagesOfSweep({ ...byTime, step: roundStep })).toBeLessThan(20)

  // It came due just now, or was queued by a node whose clock is late: the first sweep finds it.
  for (const secondsAgo of [1, 50]) {
    const tenantId = await makeDue(secondsAgo, 9_980)
    expect((await dueOf(byTime)).tenants).toEqual([tenantId])
    await settle(tenantId)
  }
  // Nobody swept for a while: the next sweep looks at all of that time.
  const away = await makeDue(600, 5_000)
  expect((await dueOf(byTime)).tenants).toEqual([])
  const tenMinutesAgo = new Date(Date.now() - 600_000).toISOString()
  expect((await dueOf({ ...byTime, sweptAt: tenMinutesAgo })).tenants).toEqual([away])
  await settle(away)
})

test('what has no room yet is remembered until it has', async () => {
  const tenantId = await makeDue(1, 700)
  const full = { ...room, tenantSlots: new Map([[tenantId, { held: 1, room: 0 }]]) }
  const found = await dueOf(byTime, full)
  expect(found.tenants).toEqual([])
  expect(found.found).toMatchObject([{ tenantId }])
  // By then it came due long ago.
  await service.database.query(sql`update webhook_deliveries set next_attempt_at = now() - interval '1 hour'
    where tenant_id = ${tenantId}::uuid`)
  expect((await dueOf(byTime)).tenants).toEqual([])
  const later = await dueOf({ ...byTime, found: found.found })
  expect(later.tenants).toEqual([tenantId])
  // Where the delivery lies that was due says nothing by itself: it may have moved, or be another's by now.
  const [one] = later.found
  for (const row of ['(0,65535)', '(4000000000,1)']) {
    const moved = await dueOf({ ...byTime, found: [{ tenantId, id: one?.id ?? '', row }] })
    expect(moved.found).toEqual([one])
  }
  const [idle] = await service.database.query<{ tenantId: string; id: string }>(
    sql`select tenant_id as "tenantId", subscription_id as id from webhook_queues
      where tenant_id <> ${tenantId}::uuid limit 1`,
  )
  expect((await dueOf({ ...byTime, found: idle && one ? [{ ...idle, row: one.row }] : [] })).found).toEqual([])
  await settle(tenantId)
})

test('a long backlog of one subscription is looked at by its first delivery, not by all of it', async () => {
  const tenantId = await makeDue(1, 300)
  const { found } = await dueOf(byTime)
  await addBacklog(tenantId, found[0]?.id ?? '', 5_000)
  expect(await pagesOfSweep({ ...byTime, found })).toBeLessThan(50)
  await settle(tenantId)
})

test('a subscription that goes on after a pause is found at once', async () => {
  const { sandbox: api } = await service.organization('Resumed')
  const { id } = (await api.post('/webhooks', { url: 'https://example.com/' })).body
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  await api.post('/tasks', { title: 'Held' })
  const mine = sql`subscription_id = ${id}::uuid`
  await service.database.query(
    sql`update webhook_deliveries set next_attempt_at = now() - interval '1 day' where ${mine}`,
  )
  expect((await dueOf(byTime)).tenants).toEqual([])
  await api.patch(`/webhooks/${id}`, { status: 'active' })
  expect((await dueOf(byTime)).due).toMatchObject([{ subscriptions: 1 }])
  await service.database.query(sql`delete from webhook_deliveries where ${mine}`)
})

test('what a worker held that is gone is found as soon as its leases have lapsed', async () => {
  let nowMs = 0
  const forgotten: string[] = []
  const parts = { leaseMs: 30_000, forget: (at: string) => forgotten.push(at), clock: () => nowMs }
  let places = new SweepPlaces(parts)
  const sweep = async () => {
    const asked = places.next()
    const found = await findDueTenants(service.database, room, asked)
    places.note(asked, found)
    return { asked, tenants: found.due.map(({ tenantId }) => tenantId) }
  }
  // Nothing is due, so there is nothing to go through.
  await sweep()
  expect(places.isQuick).toBe(false)

  // Where something is, a worker that starts goes through everything once, and from then on a little once a second.
  const held = await makeDue(3_600, 9_000)
  const holdUntil = (seconds: number) =>
    service.database.query(sql`update webhook_deliveries set claim = gen_random_uuid(),
      leased_until = now() + make_interval(secs => ${seconds}) where tenant_id = ${held}::uuid`)
  await holdUntil(3_600)
  places = new SweepPlaces(parts)
  let sweeps = 0
  for (; places.isQuick; sweeps++) expect((await sweep()).asked.step).toBe(quickStep)
  expect(sweeps).toBeGreaterThan(9_000 / quickStep)
  expect((await sweep()).asked.step).toBe(0)
  nowMs += 1_000
  expect((await sweep()).asked.step).toBe(roundStep)
  expect((await sweep()).asked.step).toBe(0)

  await holdUntil(-1)
  await noteAlive(service.database, crypto.randomUUID(), -1, now)
  await noteAlive(service.database, crypto.randomUUID(), 60_000, now)
  const seen = new Set<string>()
  for (let swept = 0; swept < sweeps + 2; swept++) for (const tenantId of (await sweep()).tenants) seen.add(tenantId)
  expect([...seen]).toEqual([held])
  expect(forgotten).toHaveLength(1)
  await forgetWorkers(service.database, forgotten[0] ?? '')
  const left = await service.database.query<{ count: number }>(sql`select count(*)::int as count from delivery_workers`)
  expect(left).toEqual([{ count: 1 }])
  while (places.isQuick) await sweep()
  expect((await sweep()).asked.step).toBe(0)

  // One that could not give back what it held looks for it when its own leases have lapsed.
  places.leftToLeases()
  nowMs += 31_000
  await sweep()
  expect(places.isQuick).toBe(true)
})
