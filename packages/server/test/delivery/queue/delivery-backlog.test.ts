// Claiming where there is a backlog: a worker goes on from where it was, and whatever lies before that is found all the
// same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { type ClaimOptions, claimDeliveries } from '../../../src/delivery/queue/claim.js'
import type { Place, Room } from '../../../src/delivery/queue/due-deliveries.js'
import { tenantOf } from '../../support/events.js'
import type { Client, Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { startSending, subscribe, until } from '../../support/webhooks/webhooks.js'
import { addDeliveries } from '../../support/webhooks/workers.js'

let idle: Service
let busy: Service
beforeAll(async () => {
  idle = await startSending({ PARLEY_ROLE: 'api' })
  busy = await startSending()
})
afterAll(() => Promise.all([idle.stop(), busy.stop()]))

const newTenant = async (service: Service): Promise<Client> => (await service.organization('Backlog')).sandbox

/** A subscription with that many first attempts due, and a way to claim some of them. */
async function backlog(count: number) {
  const api = await newTenant(idle)
  const { id } = await subscribe(api, 'https://example.com/hooks')
  await addDeliveries(idle.database, id, count)
  const tenants = [await tenantOf(idle, api)]
  const claim = async (deliveries: number, after: Place | undefined, more: Partial<ClaimOptions> = {}) => {
    const rooms = new Map<string, Room>([[id, { deliveries, after }]])
    return claimDeliveries(idle.database, {
      capacity: 100,
      room: 0,
      rooms,
      leaseMs: 30_000,
      attemptsMax: 8,
      tenants,
      now: raw('now()'),
      ...more,
    })
  }
  const order = (
    await idle.database.query<{ id: string }>(
      sql`select id from webhook_deliveries where subscription_id = ${id} order by next_attempt_at, id`,
    )
  ).map((row) => row.id)
  return { id, claim, order }
}

test('a claim goes on after the place of the one before, in the order in which they fell due', async () => {
  const { claim, order } = await backlog(25)
  const taken: string[] = []
  let place: Place | undefined
  for (const isFull of [true, true, false]) {
    const { claimed, turns } = await claim(10, place)
    taken.push(...claimed.map(({ id }) => id))
    expect(turns).toMatchObject([{ isFull, place: { id: taken.at(-1) } }])
    place = turns[0]?.place
  }
  expect(taken).toEqual(order)
})

test('what comes to light before the place is left to a claim that looks at everything, and so are retries not', async () => {
  const { claim, order } = await backlog(20)
  const { turns } = await claim(10, undefined)
  const [late, retried] = order
  await idle.database.query(sql`update webhook_deliveries set claim = null, leased_until = null where id = ${late}`)
  await idle.database.query(
    sql`update webhook_deliveries set claim = null, leased_until = null, is_fresh = false, status = 'RETRYING' where id = ${retried}`,
  )
  const next = await claim(5, turns[0]?.place)
  const ids = next.claimed.map((one) => one.id)
  expect(ids).toHaveLength(5)
  expect(ids).toContain(retried)
  expect(ids).not.toContain(late)
  const everything = await claim(1, next.turns[0]?.place, { isThorough: true })
  expect(everything.claimed.map((one) => one.id)).toEqual([late])
})

test('a tenant that always has more to send does not keep others from being looked at', async () => {
  const much = await subscriber(ok)
  const little = await subscriber(ok)
  const [crowded, quiet] = [await newTenant(busy), await newTenant(busy)]
  const [many, one] = [await subscribe(crowded, much.url), await subscribe(quiet, little.url)]
  await addDeliveries(busy.database, many.id, 2_500)
  await until(() => much.received.length > 100)
  // Nobody is told of this one: it is as if another node had committed it, together with more for the other.
  await busy.database.transaction('', async (inside) => {
    await addDeliveries(inside, many.id, 3_500)
    await addDeliveries(inside, one.id, 1)
  })
  await until(() => little.received.length === 1)
  expect(much.received.length).toBeLessThan(6_000)
  await until(() => much.received.length === 6_000, undefined, 180_000)
})
