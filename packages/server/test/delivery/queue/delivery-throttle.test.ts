// A throttled subscription on a clock of the test: however claims come, and however long they kept away, no second has
// more than it takes.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { claimDeliveries } from '../../../src/delivery/queue/claim.js'
import { sqlNow } from '../../../src/delivery/queue/due-deliveries.js'
import { tenantOf } from '../../support/events.js'
import type { Service } from '../../support/service.js'
import { startSending, subscribe } from '../../support/webhooks/webhooks.js'
import { addDeliveries } from '../../support/webhooks/workers.js'

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

test.each([1, 7, 40])('%i a second, and no more in any second', async (throttlePerSecond) => {
  const { sandbox: api } = await service.organization('Throttled')
  const { id } = await subscribe(api, 'https://example.com/hooks', { throttlePerSecond })
  const tenantId = await tenantOf(service, api)
  await addDeliveries(service.database, id, 60 + 6 * throttlePerSecond)
  const begun = Date.now() + 60_000
  const claimedAt: number[] = []
  // Often, seldom, after three seconds of silence, and often again.
  const steps = [...Array(60).fill(20), ...Array(5).fill(230), 3_000, ...Array(60).fill(15), ...Array(9).fill(90)]
  let at = begun
  for (const step of steps) {
    at += step
    const { claimed } = await claimDeliveries(service.database, {
      capacity: 100,
      room: 100,
      rooms: new Map(),
      now: sqlNow(() => new Date(at)),
      tenants: [tenantId],
      leaseMs: 3_600_000,
      attemptsMax: 8,
    })
    claimedAt.push(...claimed.map(() => at))
  }
  const most = Math.max(...claimedAt.map((from) => claimedAt.filter((one) => one >= from && one < from + 1_000).length))
  expect(most).toBeLessThanOrEqual(throttlePerSecond)
  expect(claimedAt.length).toBeGreaterThan(throttlePerSecond)
  const left = await service.database.query(
    sql`select 1 from webhook_deliveries where subscription_id = ${id} and claim is null`,
  )
  expect(left.length).toBeGreaterThan(0)
})
