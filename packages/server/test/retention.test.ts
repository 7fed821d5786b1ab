// Retention: what is old goes, in bounded batches; what is still needed stays, however old.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chore } from '../src/chores.js'
import { sql } from '../src/database/sql.js'
import { retentionChores } from '../src/retention.js'
import { tenantOf } from './support/events.js'
import { type Client, type Service, startService } from './support/service.js'

let service: Service
const now = new Date('2027-06-01T00:00:00Z')
const dayMs = 24 * 60 * 60 * 1_000
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const chores = (): Chore[] => retentionChores({ database: service.database, clock: () => now, days: 90 })
/** All chores until none has more to do; says how many rounds that took. */
async function keepHouse(): Promise<number> {
  let rounds = 0
  for (const { run } of chores()) {
    do rounds++
    while (await run())
  }
  return rounds
}
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
const count = async (table: string, where = 'true'): Promise<number> => {
  const rows = await service.database.withClient((client) => client.query(`select count(*)::int as count from ${table} where ${where}`))
  return rows.rows[0].count
}

async function addDeliveries(tenantId: string, subscriptionId: string, status: string, at: Date, number: number): Promise<void> {
  await service.database.query(sql`with made as (
      insert into events (tenant_id, id, type, opt_in, occurred_at, body)
      select ${tenantId}::uuid, md5(random()::text || n), 'task.created', false, ${at}::timestamptz, '{}' from generate_series(1, ${number}::int) n returning id
    ),
    queued as (
      insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, status, created_at, next_attempt_at)
      select ${tenantId}::uuid, uuid_v7(${at}::timestamptz), ${subscriptionId}::uuid, id, 'task.created', ${status}, ${at}::timestamptz, ${at}::timestamptz from made returning id
    )
    insert into webhook_attempts (tenant_id, delivery_id, number, started_at, duration_ms, trigger) select ${tenantId}::uuid, id, 1, ${at}::timestamptz, 1, 'event' from queued`)
}

const subscribe = async (api: Client, status: string): Promise<string> => {
  const { id } = (await api.post('/webhooks', { url: 'https://example.com/' })).body
  if (status === 'revoked') await api.delete(`/webhooks/${id}`)
  else if (status !== 'active') await api.patch(`/webhooks/${id}`, { status })
  return id
}

test('finished deliveries, their attempts and their events go after the days they are kept, in batches', async () => {
  const { sandbox: api } = await service.organization('Old')
  const tenantId = await tenantOf(service, api)
  const id = await subscribe(api, 'active')
  for (const status of ['SUCCEEDED', 'FAILED', 'DEAD_LETTERED']) {
    await addDeliveries(tenantId, id, status, daysAgo(91), 900)
    await addDeliveries(tenantId, id, status, daysAgo(89), 5)
  }
  const rounds = await keepHouse()
  expect(rounds).toBeGreaterThan(6)
  const mine = `tenant_id = '${tenantId}'`
  expect([await count('webhook_deliveries', mine), await count('webhook_attempts', mine), await count('events', mine)]).toEqual([15, 15, 15])
  expect(await keepHouse()).toBe(chores().length)
})

test.each([
  ['active', 10],
  ['paused', 10],
  ['disabled', 0],
  ['revoked', 0],
])('deliveries that wait for a subscription that is %s: %i of 10 are kept, with what they would send', async (status, kept) => {
  const { sandbox: api } = await service.organization('Waiting')
  const tenantId = await tenantOf(service, api)
  const id = await subscribe(api, status)
  await addDeliveries(tenantId, id, 'PENDING', daysAgo(200), 5)
  await addDeliveries(tenantId, id, 'RETRYING', daysAgo(200), 5)
  await addDeliveries(tenantId, id, 'SUCCEEDED', daysAgo(200), 5)
  await keepHouse()
  const mine = `tenant_id = '${tenantId}'`
  expect([await count('webhook_deliveries', mine), await count('events', mine)]).toEqual([kept, kept])
})

test('deleted records go after the same days, idempotency keys after 24 hours, finished replays too', async () => {
  const { sandbox: api } = await service.organization('Records')
  const tenantId = await tenantOf(service, api)
  const mine = `tenant_id = '${tenantId}'`
  await service.database.query(sql`insert into deleted_records (tenant_id, id, entity_type, record_id, deleted_at, record)
    select ${tenantId}::uuid, uuid_v7(at), 'task', gen_random_uuid(), at, '{}' from unnest(${[daysAgo(91), daysAgo(89)]}::timestamptz[]) at`)
  await service.database.query(sql`insert into idempotency_keys (tenant_id, key, fingerprint, status, body, sealed, headers, created_at)
    select ${tenantId}::uuid, at::text, '', 200, '', false, '{}', at from unnest(${[daysAgo(1.01), daysAgo(0.9)]}::timestamptz[]) at`)
  await service.database.query(sql`insert into webhook_replays (tenant_id, id, subscription_id, status, since, until, statuses, event_types, matched, cursor, last)
    select ${tenantId}::uuid, uuid_v7(at), gen_random_uuid(), status, at, at, '{}', '{}', 0, gen_random_uuid(), gen_random_uuid()
    from unnest(${[daysAgo(91), daysAgo(89)]}::timestamptz[]) at, unnest('{running,completed}'::text[]) status`)
  await keepHouse()
  expect([await count('deleted_records', mine), await count('idempotency_keys', mine), await count('webhook_replays', mine)]).toEqual([1, 1, 3])
})
