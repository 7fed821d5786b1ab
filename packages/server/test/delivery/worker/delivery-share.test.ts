// No tenant slows another's webhooks: a worker's slots are shared among tenants, and so is every claim.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { type ClaimOptions, claimDeliveries } from '../../../src/delivery/queue/claim.js'
import { settleRevoked } from '../../../src/delivery/queue/revocation.js'
import { tenantOf } from '../../support/events.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { makeTask, startSending, subscribe, until } from '../../support/webhooks/webhooks.js'
import { addDeliveries, countDeliveries } from '../../support/webhooks/workers.js'

let idle: Service
let busy: Service
beforeAll(async () => {
  idle = await startSending({ PARLEY_ROLE: 'api' })
  busy = await startSending({ PARLEY_WEBHOOK_TIMEOUT: '5m' }, { delivery: { slots: 16 } })
})
afterAll(() => Promise.all([idle.stop(), busy.stop()]))

/** A tenant with that many subscriptions, each with some deliveries due. */
async function crowd(service: Service, subscriptions: number, url: string, due: number) {
  const api = (await service.organization('Crowd')).sandbox
  const ids: string[] = []
  for (let count = 0; count < subscriptions; count++) ids.push((await subscribe(api, url)).id)
  for (const id of ids) await addDeliveries(service.database, id, due)
  return { api, ids, tenantId: await tenantOf(service, api) }
}

const revokeAll = (api: Client, ids: readonly string[]) => Promise.all(ids.map((id) => api.delete(`/webhooks/${id}`)))

test('a claim takes of every tenant in turn, whoever holds least first, and of none more than its share', async () => {
  const many = await crowd(idle, 20, 'https://example.com/many', 5)
  const one = await crowd(idle, 1, 'https://example.com/one', 5)
  const tenants = [many.tenantId, one.tenantId]
  const claim = async (more: Partial<ClaimOptions>) => {
    const options = { room: 10, rooms: new Map(), leaseMs: 30_000, attemptsMax: 8, tenants, now: raw('now()') }
    const { claimed } = await claimDeliveries(idle.database, { capacity: 4, ...options, ...more })
    return tenants.map((tenantId) => claimed.filter((delivery) => delivery.tenantId === tenantId).length)
  }
  expect(await claim({ capacity: 4 })).toEqual([expect.any(Number), expect.toSatisfy((count: number) => count >= 1)])
  const held = (many: number, room: number) => new Map([[tenants[0] ?? '', { held: many, room }]])
  expect(await claim({ capacity: 1, tenantSlots: held(3, 100) })).toEqual([0, 1])
  expect(await claim({ capacity: 100, tenantSlots: held(3, 7) })).toEqual([7, expect.any(Number)])
  expect(await claim({ capacity: 100, tenantSlots: held(3, 0) })).toEqual([0, 0])
})

test('a tenant whose endpoints all hang holds half of the slots, and another one is served meanwhile', async () => {
  const hanging = await subscriber(() => undefined)
  const healthy = await subscriber(ok)
  const attacker = await crowd(busy, 12, hanging.url, 5)
  await until(() => hanging.received.length === 8)
  const api = (await busy.organization('Neighbour')).sandbox
  await subscribe(api, healthy.url)
  for (let count = 1; count <= 10; count++) {
    await makeTask(api)
    await until(() => healthy.received.length === count)
  }
  // Ten deliveries later, with many sweeps between, it still has no more than its share.
  expect(hanging.received).toHaveLength(8)
  await revokeAll(attacker.api, attacker.ids)
})

test('open deliveries of 100 revoked subscriptions are settled in bounded batches, whatever workers still hold', async () => {
  const { api, ids } = await crowd(idle, 50, 'https://example.com/a', 40)
  const other = await crowd(idle, 50, 'https://example.com/b', 40)
  await revokeAll(api, ids)
  await revokeAll(other.api, other.ids)
  const { database } = idle
  const [held] = ids
  await database.query(
    sql`update webhook_deliveries set claim = gen_random_uuid(), leased_until = now() + interval '1 hour' where subscription_id = ${held}::uuid`,
  )
  const open = async () =>
    (
      await database.query<{ count: number }>(
        sql`select count(*)::int as count from all_deliveries
          where subscription_id = any (${[...ids, ...other.ids]}::uuid[]) and status in ('PENDING', 'RETRYING')`,
      )
    )[0]?.count ?? 0
  const left = [await open()]
  for (let hasMore = true; hasMore; left.push(await open())) hasMore = await settleRevoked(database, raw('now()'))
  expect(left).toEqual([4_000, 3_000, 2_000, 1_000, 40])
  await database.query(sql`update webhook_deliveries set leased_until = now() where subscription_id = ${held}::uuid`)
  await settleRevoked(database, raw('now()'))
  expect(await countDeliveries(database, held ?? '')).toEqual({ FAILED: 40 })
})
