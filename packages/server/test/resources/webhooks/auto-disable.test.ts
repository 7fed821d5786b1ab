// What disables a subscription, and what does not: an answer counts for the URL that gave it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { tenantOf } from '../../support/events.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import {
  deliveriesOf,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_WEBHOOK_TIMEOUT: '60s' })
})
afterAll(() => service.stop())

const newSide = async (): Promise<Client> => (await service.organization('Mover')).sandbox

test('a late 410 of the old URL does not disable the new one', async () => {
  let answer = () => {}
  const old = await subscriber((_request, response) => {
    answer = () => response.writeHead(410).end()
  })
  const moved = await subscriber(ok)
  const api = await newSide()
  const { id } = await subscribe(api, old.url)
  await makeTask(api)
  await until(() => old.received.length === 1)
  expect((await api.patch(`/webhooks/${id}`, { url: moved.url })).status).toBe(200)
  answer()
  expect(await deliveryWith(api, id, 'FAILED')).toMatchObject({ lastError: 'endpoint_gone' })
  await makeTask(api)
  await until(() => moved.received.length === 1)
  await until(async () => (await deliveriesOf(api, id, '?status=SUCCEEDED')).length === 1)
  expect((await api.get(`/webhooks/${id}`)).body).toMatchObject({
    status: 'active',
    disabledReason: null,
    url: moved.url,
  })
})

test('a new URL starts without the failures of the old one; another change does not', async () => {
  const api = await newSide()
  const tenantId = await tenantOf(service, api)
  const { id } = await subscribe(api, 'https://example.com/old', { status: 'paused' })
  const failures = async () =>
    (
      await service.database.query<{ attempts: number }>(
        sql`select attempts from webhook_failures where subscription_id = ${id}`,
      )
    ).map(({ attempts }) => attempts)
  await service.database.query(
    sql`insert into webhook_failures (tenant_id, subscription_id, since, attempts) values (${tenantId}::uuid, ${id}::uuid, now() - interval '4 days', 19)`,
  )
  expect((await api.patch(`/webhooks/${id}`, { name: 'Other', url: 'https://example.com/old' })).status).toBe(200)
  expect(await failures()).toEqual([19])
  expect((await api.patch(`/webhooks/${id}`, { url: 'https://example.com/new' })).status).toBe(200)
  expect(await failures()).toEqual([])
})
