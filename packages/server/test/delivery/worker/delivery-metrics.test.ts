// The numbers of the delivery engine, as an operator sees them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { measureBacklog } from '../../../src/delivery/queue/backlog.js'
import type { Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { deliveryThat, makeTask, startSending, subscribe, until } from '../../support/webhooks/webhooks.js'
import { addDeliveries } from '../../support/webhooks/workers.js'

let service: Service
beforeAll(async () => {
  service = await startSending()
})
afterAll(() => service.stop())

async function metric(line: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.split(' ')
      .at(-1),
  )
}

test('attempts are counted by outcome and by response, and timed', async () => {
  const failing = await subscriber((_request, response) => response.writeHead(503).end())
  const healthy = await subscriber(ok)
  for (const { url } of [failing, healthy]) {
    const { id } = await subscribe(service.api, url)
    await makeTask(service.api)
    await deliveryThat(service.api, id, ({ status }) => status !== 'PENDING')
  }
  // The failing one was told of both tasks, and may be behind with the second.
  await until(async () => (await metric('parley_webhook_attempt_duration_seconds_count')) >= 3)
  expect(await metric('parley_webhook_deliveries_total{status="SUCCEEDED"}')).toBe(1)
  expect(await metric('parley_webhook_deliveries_total{status="RETRYING"}')).toBe(2)
  expect(await metric('parley_webhook_responses_total{response="200"}')).toBe(1)
  expect(await metric('parley_webhook_responses_total{response="503"}')).toBe(2)
  expect(await metric('parley_webhook_attempt_duration_seconds_count')).toBe(3)
  expect(await metric('parley_webhook_claims_total')).toBeGreaterThanOrEqual(2)
  // What waited too long was given back, and claimed again.
  const givenBack = (await metric('parley_webhook_withheld_total')) || 0
  expect((await metric('parley_webhook_claimed_deliveries_total')) - givenBack).toBe(3)
  expect(await metric('parley_webhook_settles_refused_total')).toBe(0)
  expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
    /# HELP parley_webhook_backlog .* up to 10,000 for each subscription/,
  )
})

test('the backlog is what is due and may be sent, with the age of the oldest', async () => {
  const { sandbox: api } = await service.organization('Backlog')
  const { id } = await subscribe(api, 'https://127.0.0.1:1/', { status: 'paused' })
  await addDeliveries(service.database, id, 30)
  await service.database.query(
    sql`update webhook_deliveries set next_attempt_at = now() - interval '90 s', is_fresh = false, status = 'RETRYING' where subscription_id = ${id}`,
  )
  await addDeliveries(service.database, id, 10)
  const measured = () => measureBacklog(service.database, raw('now()'))
  expect(await measured()).toMatchObject({ due: 0, oldestMs: 0 })
  // As if it were active, without a worker that sends them meanwhile.
  await service.database.query(
    sql`update webhook_queues set is_active = true, throttle_per_second = 1, free_at = now() + interval '1 hour' where subscription_id = ${id}`,
  )
  const { due, oldestMs } = await measured()
  expect(due).toBe(40)
  expect(oldestMs).toBeGreaterThanOrEqual(90_000)
  expect(oldestMs).toBeLessThan(120_000)
})
