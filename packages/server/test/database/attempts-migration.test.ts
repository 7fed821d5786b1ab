// Attempts that an earlier version kept in a table of their own are found in their deliveries after the upgrade.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { prepareDatabase } from '../../src/server/server.js'
import { closeAfterTest } from '../support/after-each.js'
import { startService } from '../support/service.js'
import { deliveriesOf, makeTask, subscribe } from '../support/webhooks/webhooks.js'

const migration = '0051_attempts_of_deliveries.sql'
const folder = new URL('../../src/database/migrations/', import.meta.url)

test('attempts of every delivery move into its row, in their order, at most the last hundred', async () => {
  const service = await startService({ PARLEY_ROLE: 'api' })
  closeAfterTest(() => service.stop())
  const { id } = await subscribe(service.api, 'https://example.com/hooks')
  for (let made = 0; made < 3; made++) await makeTask(service.api)
  const [few, many, none] = await deliveriesOf(service.api, id)
  const before =
    (await readFile(new URL('0040_delivery_queue.sql', folder), 'utf8')).match(
      /create table webhook_attempts \([^;]*\);/,
    )?.[0] ?? ''
  let reader = ''
  await service.database.withClient(async (client) => {
    const view = await client.query(`select pg_get_viewdef('all_deliveries') as text`)
    reader = view.rows[0].text
    await client.query(`${before} drop view all_deliveries; alter table webhook_deliveries drop column attempts`)
    await client.query('delete from migrations where name = $1', [migration])
    const attempts = `insert into webhook_attempts select d.tenant_id, d.id, n, '2026-03-02T15:04:05.678Z', 12.5, 0.1, 0, null, 11, 500, 'Say "no"', 'http_500', 'retry'
      from webhook_deliveries d, generate_series(1, $2) n where d.id = $1 order by n desc`
    await client.query(attempts, [few?.id, 2])
    await client.query(attempts, [many?.id, 120])
  })
  await prepareDatabase(service.database)
  await service.database.withClient((client) => client.query(`create view all_deliveries as ${reader}`))
  const after = await deliveriesOf(service.api, id, '?expand=attempts')
  const logs = after.map(({ attempts }) => attempts as { number: number }[])
  expect(logs.map((log) => log.map(({ number }) => number))).toEqual([
    [1, 2],
    Array.from({ length: 100 }, (_, index) => index + 21),
    [],
  ])
  expect(after.map((one) => one.id)).toEqual([few?.id, many?.id, none?.id])
  expect(logs[0]?.[0]).toEqual({
    number: 1,
    startedAt: '2026-03-02T15:04:05.678Z',
    durationMs: 12.5,
    timings: { dns: 0.1, connect: 0, tls: null, firstByte: 11 },
    responseStatus: 500,
    responseBody: 'Say "no"',
    error: 'http_500',
    trigger: 'retry',
  })
  const tables = await service.database.query(sql`select 1 from pg_tables where tablename = 'webhook_attempts'`)
  expect(tables).toEqual([])
})
