// Events that come from a server that has counted its transactions further keep their order, and are read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { raiseTransactionIds } from '../../src/database/transaction-ids.js'
import { prepareDatabase } from '../../src/server/server.js'
import { untilShown } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

test('events of a server that is further on are read in the order they had, not in that of their ids', async () => {
  const { database, api } = service
  for (let made = 0; made < 6; made++) await api.post('/people', { displayName: `Number ${made}` })
  const feed = async () => {
    await untilShown(service, api)
    const { body } = await api.get('/events?limit=100')
    return body.data.map(({ eventId }: { eventId: string }) => eventId).reverse()
  }
  const ids: string[] = await feed()
  // As if each pair had been committed the other way round, long after what this server has counted to.
  const order = ids.map((_, index) => ids[index ^ 1] ?? '')
  const far = 9_000_000_000_000_000n
  for (const [place, id] of order.entries())
    await database.query(sql`update events set xact = ${String(far + BigInt(place))}::xid8 where id = ${id}`)
  expect((await api.get('/events')).body.data).toEqual([])
  await prepareDatabase(database)
  expect(await feed()).toEqual(order)
  const { body } = await api.get(`/events?after=${order[2]}`)
  expect(body.data.map(({ eventId }: { eventId: string }) => eventId)).toEqual(order.slice(3))
})

test('a server counts on until a transaction is past, where that takes seconds', async () => {
  await service.database.withClient(async (client) => {
    const next = async () =>
      Number((await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text as next')).rows[0].next)
    const before = await next()
    await raiseTransactionIds(client, String(before + 500))
    expect(await next()).toBeGreaterThan(before + 500)
    await raiseTransactionIds(client, String(before + 900_000_000))
    expect(await next()).toBeLessThan(before + 900_000_000)
  })
})
