// The queue holds what is open, whatever the history: what is finished lies in a table of its own with its attempts, is
// listed with the rest, and comes back when it is replayed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { retentionChores } from '../../../src/maintenance/retention.js'
import { tenantOf } from '../../support/events.js'
import type { Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { deliveriesOf, deliveryWith, makeTask, startSending, subscribe } from '../../support/webhooks/webhooks.js'

let service: Service
beforeAll(async () => {
  service = await startSending()
})
afterAll(() => service.stop())

const rowsOf = async (table: string, subscriptionId: string): Promise<number> =>
  (await service.database.query(sql`select 1 from ${raw(table)} where subscription_id = ${subscriptionId}::uuid`))
    .length

const chore = async (name: string) => {
  const chores = retentionChores({ database: service.database, clock: () => new Date(), days: 90 })
  const found = chores.find((one) => one.name === name)
  let rounds = 1
  while (await found?.run()) rounds++
  return rounds
}

test('a finished delivery leaves the queue with its attempts, and comes back to be replayed', async () => {
  const { sandbox: api } = await service.organization('Moved')
  const { url, received } = await subscriber(ok)
  const { id } = await subscribe(api, url)
  await makeTask(api)
  const sent = await deliveryWith(api, id, 'SUCCEEDED')
  expect([await rowsOf('webhook_deliveries', id), await rowsOf('finished_deliveries', id)]).toEqual([0, 1])
  const [listed] = await deliveriesOf(api, id, '?expand=attempts')
  expect(listed).toMatchObject({ id: sent.id, attemptCount: 1, attempts: [{ number: 1, responseStatus: 200 }] })

  const again = await api.post(`/webhooks/${id}/deliveries/${sent.id}/replay`, { force: true })
  expect([again.status, again.body.replayCount]).toEqual([202, 1])
  await expect.poll(() => received.length).toBe(2)
  const resent = await deliveryWith(api, id, 'SUCCEEDED')
  expect(resent).toMatchObject({ id: sent.id, attemptCount: 2, replayCount: 1 })
  expect([await rowsOf('webhook_deliveries', id), await rowsOf('finished_deliveries', id)]).toEqual([0, 1])

  const since = new Date(Date.now() - 3_600_000).toISOString()
  const job = await api.post(`/webhooks/${id}/replay`, { since, statuses: ['SUCCEEDED'] })
  expect(job.body.matched).toBe(1)
  await expect.poll(() => received.length).toBe(3)
  expect(await deliveryWith(api, id, 'SUCCEEDED')).toMatchObject({ attemptCount: 3, replayCount: 2 })
})

test('what was finished before there was a table for it moves in batches, whatever the planner knows of it', async () => {
  const { sandbox: api } = await service.organization('Before')
  const { id } = await subscribe(api, 'https://example.com/')
  await api.patch(`/webhooks/${id}`, { status: 'paused' })
  const tenantId = await tenantOf(service, api)
  const add = (count: number, daysAgo: number) =>
    service.database.query(sql`insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type,
        status, created_at)
      select ${tenantId}::uuid, uuid_v7(now() - make_interval(days => ${daysAgo}::int)), ${id}::uuid, n::text,
        'task.created', case when n % 2 = 0 then 'SUCCEEDED' else 'FAILED' end, now()
      from generate_series(1, ${count}::int) n`)
  // The planner believes the table to be empty.
  await service.database.withClient(async (client) => {
    await client.query('alter table webhook_deliveries set (autovacuum_enabled = off)')
    await client.query('analyze webhook_deliveries')
  })
  await add(1_500, 1)
  await add(10, 91)
  expect((await api.get(`/webhooks/${id}/deliveries?count=true&limit=1`)).body.pagination.count).toBe(1_510)
  expect(await chore('moving of finished deliveries')).toBe(2)
  expect([await rowsOf('webhook_deliveries', id), await rowsOf('finished_deliveries', id)]).toEqual([0, 1_500])
  const failed = await api.get(`/webhooks/${id}/deliveries?status=FAILED&count=true&limit=1`)
  expect(failed.body.pagination.count).toBe(750)
})
