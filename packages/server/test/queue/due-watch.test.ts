// One look for everything that is due: what an idle node costs, that nothing which another node queued is missed, and
// that one bad question harms no other.
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { watch, whenDue } from '../../src/queue/due-watch.js'
import { startServer } from '../../src/server/server.js'
import { closeAfterTest } from '../support/after-each.js'
import { countingDatabase } from '../support/counting-database.js'
import { type Service, secret } from '../support/service.js'
import { until } from '../support/until.js'
import { authority, ok, subscriber } from '../support/webhooks/sending.js'
import { startSending, subscribe } from '../support/webhooks/webhooks.js'

let service: Service
beforeAll(async () => {
  // It takes requests and works on nothing: whatever is done is found by another node.
  service = await startSending({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

/** A node that works, with what it asks of the database. */
async function workingNode() {
  const opened = openDatabase({ url: service.databaseUrl, connections: 10, statementTimeoutMs: 30_000 })
  const counting = countingDatabase(opened)
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: service.databaseUrl,
    PARLEY_SECRET: secret,
    PARLEY_ROLE: 'worker',
    PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  })
  const server = await startServer({
    config: { ...config, secret },
    database: counting.database,
    log: pino({ level: 'silent' }),
    delivery: { ca: authority.ca },
  })
  closeAfterTest(() => server.stop().then(() => opened.close()))
  return { server, texts: counting.texts }
}

/** Waits until nothing but the watch is asked for a while: what begins with a node is done. */
async function untilQuiet(texts: string[]): Promise<void> {
  const others = () => texts.filter((text) => !text.includes('auth_revision'))
  await until(
    async () => {
      const before = others().length
      await sleep(600)
      return others().length - before
    },
    (more) => more === 0,
  )
}

test('an idle node asks at most three questions a second, all together', async () => {
  const held = await subscriber(ok)
  // A subscription that is paused with something to send, and a text for later: neither is due.
  const { id } = await subscribe(service.api, held.url)
  await service.api.patch(`/webhooks/${id}`, { status: 'paused' })
  await service.api.post('/tasks', { title: 'Held' })
  const { texts } = await workingNode()
  await untilQuiet(texts)
  texts.splice(0)
  const startedMs = performance.now()
  await sleep(3_000)
  // A process that was held up all the while has asked once.
  await until(
    async () => texts.length,
    (count) => count >= 2,
  )
  const seconds = (performance.now() - startedMs) / 1_000
  expect(texts.length, texts.map((text) => text.slice(0, 200)).join('\n')).toBeLessThanOrEqual(3 * seconds)
})

test('what another node queued is found: a webhook, a text, the words of a transcript, a merge, an import', async () => {
  const { api } = service
  const { url, received } = await subscriber(ok)
  await workingNode()
  await subscribe(api, url, { eventTypes: ['task.created'] })
  await api.post('/tasks', { title: 'Ring back' })
  const text = (await api.post('/sms', { to: '+15550110001', body: 'On our way' })).body
  const call = (await api.post('/calls', { direction: 'inbound', from: '+15550110002', to: '+15550110003' })).body
  await api.post(`/calls/${call.id}/segments`, {
    segments: [{ sequence: 1, speaker: 'caller', text: 'Kaleidoscope', startMs: 0 }],
  })
  const kept = await api.post('/people', { firstName: 'Ada' })
  const other = await api.post('/people', { firstName: 'Ada' })
  const merged = await api.post(`/people/${other.body.id}/merge`, { intoId: kept.body.id })
  const imported = (await api.post('/imports', { entity: 'people', format: 'csv', mapping: { name: 'firstName' } }))
    .body
  await fetch(`${service.url}/api/v1/imports/${imported.id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'text/csv' },
    body: 'name\nGrace\n',
  })
  await until(
    async () => received.length,
    (count) => count === 1,
  )
  await until(
    async () => (await api.get(`/sms/${text.id}`)).body.status,
    (status) => status === 'delivered',
  )
  await until(
    async () => (await api.get('/search?q=kaleidoscope')).body.data.length,
    (count) => count === 1,
  )
  expect(merged.status, merged.text).toBeLessThan(300)
  await until(
    async () => (await service.database.read<[string]>(sql`select status from merges`))[0]?.[0],
    (status) => status === 'done',
  )
  await until(
    async () => (await api.get(`/imports/${imported.id}`)).body.status,
    (status) => status === 'completed',
  )
})

test('a question that fails is told of, and harms no other', async () => {
  const heard: unknown[] = []
  const trouble: string[] = []
  const one = openDatabase({ url: service.databaseUrl, connections: 1, statementTimeoutMs: 30_000 })
  const onTrouble = (error: Error) => trouble.push(error.message)
  const ends = [
    watch(one, {
      ask: () => sql`select revision from auth_revision`,
      hear: (answer) => void heard.push(answer),
      onTrouble,
    }),
    whenDue(
      one,
      () => sql`select from no_such_table`,
      () => heard.push('never'),
      onTrouble,
    ),
    whenDue(
      one,
      () => sql`select from tenants limit 1`,
      () => heard.push('due'),
      onTrouble,
    ),
  ]
  await until(
    async () => heard.length,
    (count) => count >= 2,
  )
  expect(trouble).toContain('relation "no_such_table" does not exist')
  expect(heard).toEqual([expect.any(Number), 'due'])
  for (const end of ends) await end()
  await one.close()
})
