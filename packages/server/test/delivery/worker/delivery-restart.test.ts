// The database restarted under load, for real: a cluster of its own is stopped and started again while a worker sends.
// It goes on by itself, and nothing is lost.
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/pool.js'
import { sql } from '../../../src/database/sql.js'
import { newSecret } from '../../../src/delivery/attempt/sign.js'
import { type EmbeddedDatabase, startEmbedded } from '../../../src/embedded-postgres/embedded.js'
import { createOrganization } from '../../../src/program/create-organization.js'
import { prepareDatabase } from '../../../src/server/server.js'
import { newId } from '../../../src/store/id.js'
import { createSealer } from '../../../src/store/secret-box.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { until } from '../../support/webhooks/webhooks.js'
import { addDeliveries, countDeliveries, startWorker } from '../../support/webhooks/workers.js'

let folder: string
let embedded: EmbeddedDatabase
const start = async () => {
  embedded = await startEmbedded(join(folder, 'data'), () => {})
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `parley-restart-${randomBytes(2).toString('hex')}`))
  await chmod(folder, 0o755)
  await start()
})
afterAll(async () => {
  await embedded.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
})

test('a worker survives three restarts of its database', async () => {
  const { url, received } = await subscriber(ok)
  const database = openDatabase({
    url: embedded.url,
    connections: 3,
    statementTimeoutMs: 30_000,
    onError: () => undefined,
  })
  await prepareDatabase(database)
  const organizationId = newId(new Date())
  await createOrganization(database, { id: organizationId, name: 'Restarted' }, new Date())
  const id = newId(new Date())
  const sealed = createSealer('a secret for tests only').seal(JSON.stringify({ current: newSecret() }))
  await database.query(sql`insert into webhook_subscriptions (tenant_id, id, version, updated_at, record, sealed)
    select t.id, ${id}::uuid, 1, now(), ${JSON.stringify({ url, status: 'active', revokedAt: null })}::json, ${sealed}::bytea from tenants t where environment = 'sandbox'`)
  const worker = await startWorker(embedded.url, { leaseMs: 3_000 })
  const batch = 700
  for (let round = 1; round <= 3; round++) {
    await until(() =>
      addDeliveries(database, id, batch).then(
        () => true,
        () => false,
      ),
    )
    await until(
      () => received.length > (round - 1) * batch + 50,
      () => `${received.length} came`,
    )
    await embedded.stop()
    await sleep(1_000)
    await start()
  }
  const total = 3 * batch
  await until(
    async () =>
      ((await countDeliveries(database, id).catch(() => ({}) as Record<string, number>))['SUCCEEDED'] ?? 0) === total,
    () => `${received.length} came`,
    550_000,
  )
  const ids = received.map(({ headers }) => headers['x-service-delivery-id'])
  expect(new Set(ids).size).toBe(total)
  console.log(`3 restarts of the database, ${total} deliveries, ${ids.length - total} sent more than once`)
  worker.signal('SIGTERM')
  expect(await worker.exited).toBe(0)
  await database.close()
})
