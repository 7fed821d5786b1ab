// What the operator's log says of deliveries: which one, of which event, for whom. Never what was in it, nor what
// signed it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import type { Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import { deliveriesOf, makeTask, startSending, subscribe, until } from '../../support/webhooks/webhooks.js'
import { startWorker } from '../../support/webhooks/workers.js'

let service: Service
beforeAll(async () => {
  service = await startSending({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

interface Line {
  readonly msg: string
  readonly deliveryId?: string
  readonly eventId?: string
  readonly subscriptionId?: string
  readonly status?: string
  readonly error?: string
}

test('a line names the delivery, its event and its subscription, and holds neither secret nor payload', async () => {
  const { sandbox: api } = await service.organization('Logged')
  const word = 'Xylophonic-Quandary'
  const endpoints = {
    healthy: await subscriber(ok),
    failing: await subscriber((_request, response) => response.writeHead(500).end(`we got ${word}`)),
    gone: await subscriber((_request, response) => response.writeHead(410).end()),
  }
  const healthy = await subscribe(api, endpoints.healthy.url)
  const failing = await subscribe(api, endpoints.failing.url)
  const gone = await subscribe(api, endpoints.gone.url)
  const refused = await subscribe(api, 'https://127.0.0.1:1/')
  const broken = await subscribe(api, endpoints.healthy.url)
  const exhausted = await subscribe(api, endpoints.healthy.url)
  await makeTask(api, word)
  await service.database.query(sql`update webhook_subscriptions set sealed = 'nonsense' where id = ${broken.id}`)
  await service.database.query(
    sql`update webhook_deliveries set attempt_count = 8 where subscription_id = ${exhausted.id}`,
  )
  const worker = await startWorker(service.databaseUrl, { log: 'trace' })
  const lines = () =>
    worker
      .output()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  const linesOf = (id: string) => lines().filter(({ subscriptionId }) => subscriptionId === id)
  const all = [healthy, failing, gone, refused, broken, exhausted]
  await until(() => all.every(({ id }) => linesOf(id).length > 0))
  await until(async () => (await api.get(`/webhooks/${gone.id}`)).body.status === 'disabled')
  worker.signal('SIGTERM')
  expect(await worker.exited).toBe(0)

  for (const { id } of [healthy, failing, gone, refused, exhausted]) {
    const [delivery] = await deliveriesOf(api, id)
    for (const line of linesOf(id))
      expect(line, line.msg).toMatchObject({ deliveryId: delivery?.id, eventId: delivery?.eventId, subscriptionId: id })
  }
  expect(linesOf(healthy.id)).toMatchObject([{ msg: 'webhook delivered' }])
  expect(linesOf(failing.id)).toMatchObject([{ msg: 'webhook attempt failed', status: 'RETRYING', error: 'http_500' }])
  expect(linesOf(gone.id)).toMatchObject([{ status: 'FAILED', error: 'endpoint_gone' }])
  expect(linesOf(refused.id)).toMatchObject([{ status: 'RETRYING', error: 'connection_refused' }])
  expect(linesOf(broken.id)).toMatchObject([{ msg: expect.stringContaining('cannot be opened') }])
  const output = worker.output()
  expect(output).not.toContain(word)
  expect(output).not.toContain('whsec_')
  for (const { secret } of all) expect(output).not.toContain(secret.slice('whsec_'.length))
  for (const { headers } of Object.values(endpoints).flatMap(({ received }) => received)) {
    const { 'x-service-signature': ours, 'webhook-signature': standard } = headers
    for (const signature of [String(ours).split('v1=')[1], String(standard).split(',')[1]])
      expect(output).not.toContain(signature)
  }
})
