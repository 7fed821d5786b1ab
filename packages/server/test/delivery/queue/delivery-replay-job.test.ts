// Replay jobs batch by batch, moved by hand: no worker runs here.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { moveReplayOn } from '../../../src/delivery/queue/replay-job.js'
import type { Client, Service } from '../../support/service.js'
import { startSending, subscribe } from '../../support/webhooks/webhooks.js'
import { addDeliveries } from '../../support/webhooks/workers.js'

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const move = () => moveReplayOn(service.database, raw('now()'))
/** What is queued becomes what it was, as if a worker had tried it in vain. */
const failAgain = (id: string) =>
  service.database.query(
    sql`update webhook_deliveries set status = 'FAILED', next_attempt_at = null where subscription_id = ${id} and status = 'PENDING'`,
  )

async function job(count: number) {
  const { sandbox: api }: { sandbox: Client } = await service.organization('Jobs')
  const { id } = await subscribe(api, 'https://example.com/', { status: 'paused' })
  await addDeliveries(service.database, id, count)
  await failAgain(id)
  const made = await api.post(`/webhooks/${id}/replay`, { since: '2020-01-01T00:00:00Z' })
  expect(made.body).toMatchObject({ matched: count })
  return {
    id,
    now: async () =>
      (await api.get(`/webhooks/${id}/replays/${made.body.id}`)).body as { status: string; queued: number },
  }
}

test('a delivery that fails again between two batches is not queued again', async () => {
  const { id, now } = await job(1_200)
  for (const queued of [500, 1_000, 1_200]) {
    expect(await move()).toBeDefined()
    expect((await now()).queued).toBe(queued)
    await failAgain(id)
  }
  expect(await now()).toMatchObject({ status: 'completed', queued: 1_200 })
  expect(await move()).toBeUndefined()
  const [row] = await service.database.query<{ least: number; most: number }>(
    sql`select min(replay_count)::int as least, max(replay_count)::int as most from all_deliveries where subscription_id = ${id}`,
  )
  expect(row).toEqual({ least: 1, most: 1 })
})

test('jobs take turns: a long one does not hold up the others, whichever came first', async () => {
  const jobs = [await job(1_200), await job(1_200), await job(3)]
  const queued = async () => (await Promise.all(jobs.map(({ now }) => now()))).map((one) => one.queued)
  for (let moved = 0; moved < 3; moved++) await move()
  expect(await queued()).toEqual([500, 500, 3])
  for (let moved = 0; moved < 2; moved++) await move()
  expect(await queued()).toEqual([1_000, 1_000, 3])
  while (await move());
  expect(await queued()).toEqual([1_200, 1_200, 3])
})
