// Idempotency keys: one effect and one answer, however often a request is sent, at once or later, across a crash, a
// day, a changed mind.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { setEnabled } from '../../src/program/create-organization.js'
import { createTestDatabase } from '../support/databases.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { endPrograms, serveProgram } from '../support/program.js'
import { startPostgresProxy } from '../support/servers/postgres-proxy.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const under = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'
const storedUnder = async (key: string) =>
  (
    await service.database.query<{ status: number; body: Buffer }>(
      sql`select status, body from answered_keys where key = ${key}`,
    )
  )[0]
const eventsOf = async (subjectId: string) =>
  (
    await service.database.query<{ count: number }>(
      sql`select count(*)::int as count from events where subject_id = ${subjectId}`,
    )
  )[0]?.count

describe('twins', () => {
  test('50 at once have one effect, one event, and byte-identical answers', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/tasks', { title: 'Once' }, under(key))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers.get('etag')))).toEqual(new Set(['"1"']))
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect((await api.get('/tasks?q=once')).body.data).toHaveLength(1)
    expect(await eventsOf(answers[0]?.body.id)).toBe(1)
  })

  test('on two nodes are one as well', async () => {
    const key = randomUUID()
    const other = clientOf((await service.node()).url, api.key)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? api : other).post('/tasks', { title: 'Across' }, under(key)),
      ),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await api.get('/tasks?q=across')).body.data).toHaveLength(1)
  })

  test('of a PATCH move the record once', async () => {
    const { body } = await api.post('/tasks', { title: 'x' })
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.patch(`/tasks/${body.id}`, { title: 'y' }, under(key))),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await api.get(`/tasks/${body.id}`)).body.version).toBe(2)
  })

  test('that differ in their bodies: one body has its effect, the other is 422, whichever comes first', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => api.post('/tasks', { title: `Rival ${index % 2}` }, under(key))),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(new Set(won.map(({ text }) => text)).size).toBe(1)
    expect(won).toHaveLength(15)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectRefusal(answer, 422, 'idempotency_conflict')
    expect((await api.get('/tasks?q=rival')).body.data).toHaveLength(1)
  })

  test('of a conflict are refused alike: one of two requests for a unique value wins under its own key', async () => {
    const send = (key: string) => api.post('/customers', { displayName: key, customerNumber: 'C-one' }, under(key))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(index % 2 ? 'conflict-a' : 'conflict-b')),
    )
    const byKey = [answers.filter((_, index) => index % 2), answers.filter((_, index) => index % 2 === 0)]
    for (const twins of byKey) expect(new Set(twins.map(({ text }) => text)).size).toBe(1)
    expect(byKey.map(([first]) => first?.status).sort()).toEqual([201, 409])
  })
})

describe('a replay', () => {
  test('has the stored status, bytes and ETag, the new request id, and says that it is one', async () => {
    const key = randomUUID()
    const first = await api.post('/tasks', { title: 'x' }, under(key, { 'x-request-id': 'first' }))
    await api.patch(`/tasks/${first.body.id}`, { title: 'changed meanwhile' })
    const again = await api.post('/tasks', { title: 'x' }, under(key, { 'x-request-id': 'second' }))
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([201, first.text, '"1"'])
    expect([again.headers.get('x-request-id'), isReplay(again), isReplay(first)]).toEqual(['second', true, false])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
  })

  test('of a refusal keeps the first request’s id in its body', async () => {
    const key = randomUUID()
    const send = (requestId: string) =>
      api.patch(`/tasks/${nobodysId}`, { title: 'x' }, under(key, { 'x-request-id': requestId }))
    const [first, again] = [await send('one'), await send('two')]
    expectRefusal(first, 404, 'not_found')
    expect([again.text, again.headers.get('x-request-id'), isReplay(again)]).toEqual([first.text, 'two', true])
    expect(again.body.meta.requestId).toBe('one')
  })

  test('recognises the same request however its JSON is written', async () => {
    const key = randomUUID()
    const first = await api.post('/tasks', '{"title":"x","priority":"high","externalRefs":[]}', under(key))
    const again = await api.post('/tasks', ' {"externalRefs" : [ ], "priority":"h\\u0069gh",\n"title":"x"}', under(key))
    expect([again.text, isReplay(again)]).toEqual([first.text, true])
  })

  test('is subject to scope, rate and standing like any request', async () => {
    const org = await service.organization('Replaying')
    const writer = await service.keyOf(org.id, 'sandbox', 'WRITE')
    const reader = await service.keyOf(org.id, 'sandbox', 'READ')
    const key = randomUUID()
    const first = await writer.post('/tasks', { title: 'x' }, under(key))
    expect((await org.sandbox.post('/tasks', { title: 'x' }, under(key))).text).toBe(first.text)
    expectRefusal(await reader.post('/tasks', { title: 'x' }, under(key)), 403, 'forbidden')
    await setEnabled(service.database, org.id, false)
    await expect.poll(async () => (await writer.post('/tasks', { title: 'x' }, under(key))).status).toBe(403)
  })

  test('belongs to one tenant: the same key elsewhere is another key', async () => {
    const key = randomUUID()
    const other = await service.organization('Elsewhere')
    const answers = await Promise.all(
      [api, service.demo.live, other.sandbox].map((client) => client.post('/tasks', { title: 'x' }, under(key))),
    )
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual([
      [201, false],
      [201, false],
      [201, false],
    ])
  })
})

describe('another request under a used key', () => {
  test('is 422, whatever differs: method, path, query or body, even when it has no shape at all', async () => {
    const key = randomUUID()
    const { body } = await api.post('/tasks', { title: 'x' }, under(key))
    for (const answer of [
      await api.post('/tasks', { title: 'y' }, under(key)),
      await api.post('/tasks', { title: 'x', description: null }, under(key)),
      await api.post('/tasks', { nonsense: 1 }, under(key)),
      await api.post('/tasks', undefined, under(key)),
      await api.post('/notes', { title: 'x' }, under(key)),
      await api.post('/tasks?a=1', { title: 'x' }, under(key)),
      await api.patch(`/tasks/${body.id}`, { title: 'x' }, under(key)),
      await api.put(`/tasks/${body.id}`, { title: 'x' }, under(key)),
    ]) {
      expectRefusal(answer, 422, 'idempotency_conflict')
      expect(answer.body.error).not.toHaveProperty('details')
    }
    expect((await api.get(`/tasks/${body.id}`)).body.version).toBe(1)
  })

  test('is answered by its own shape when it is malformed JSON or not JSON', async () => {
    const key = randomUUID()
    await api.post('/tasks', { title: 'x' }, under(key))
    expectRefusal(await api.post('/tasks', '{"title":', under(key)), 400, 'bad_request')
    expectRefusal(
      await api.post('/tasks', 'title=x', under(key, { 'content-type': 'text/plain' })),
      415,
      'unsupported_media_type',
    )
  })
})

describe('what is kept', () => {
  test('2xx, 404, 409 and 422 are; 400, 403, 413 and 415 are not, so the key can be used again', async () => {
    const { body: task } = await api.post('/tasks', { title: 'x' })
    const reader = await service.keyOf(service.demo.id, 'sandbox', 'READ')
    const outcomes: [string, Promise<{ status: number }>][] = [
      ['kept-201', api.post('/tasks', { title: 'x' }, under('kept-201'))],
      ['kept-200', api.patch(`/tasks/${task.id}`, { title: 'y' }, under('kept-200'))],
      ['kept-404', api.put(`/tasks/${nobodysId}`, { title: 'x' }, under('kept-404'))],
      ['kept-409', api.patch(`/tasks/${task.id}`, { title: 'z' }, under('kept-409', { 'if-match': '"99"' }))],
      ['kept-422', service.demo.live.post('/sms', { to: '+15550100200', body: 'x' }, under('kept-422'))],
      [
        'lost-413',
        api.post('/tasks', { title: 'x'.repeat(1_100_000) }, under('lost-413')).catch(() => ({ status: 413 })),
      ],
      ['lost-400', api.post('/tasks', { title: '' }, under('lost-400'))],
      ['lost-403', reader.post('/tasks', { title: 'x' }, under('lost-403'))],
      ['lost-415', api.post('/tasks', 'x', under('lost-415', { 'content-type': 'text/plain' }))],
    ]
    for (const [key, answer] of outcomes) {
      const { status } = await answer
      expect(`${key}: ${status}`).toBe(`${key}: ${key.slice(5)}`)
      expect((await storedUnder(key))?.status).toBe(key.startsWith('kept') ? status : undefined)
    }
    expect((await api.post('/tasks', { title: 'mended' }, under('lost-400'))).status).toBe(201)
  })

  test('a conflict stays a conflict, though its cause is gone', async () => {
    const taken = (await api.post('/customers', { displayName: 'a', customerNumber: 'C-held' })).body
    const send = () => api.post('/customers', { displayName: 'b', customerNumber: 'C-held' }, under('conflict-stays'))
    const first = await send()
    expectRefusal(first, 409, 'conflict')
    await api.delete(`/customers/${taken.id}`)
    expect((await send()).text).toBe(first.text)
  })

  test('an answer that shows a secret is encrypted', async () => {
    const first = await api.post('/api-keys', { name: 'x', scope: 'READ' }, under('secret-answer'))
    const stored = (await storedUnder('secret-answer'))?.body as Buffer
    expect(stored.includes(first.body.id)).toBe(false)
    expect(stored.includes(first.body.key.slice(12))).toBe(false)
    const again = await api.post('/api-keys', { name: 'x', scope: 'READ' }, under('secret-answer'))
    expect([again.text, isReplay(again)]).toEqual([first.text, true])
    expect((await storedUnder('kept-201'))?.body.includes('"title":"x"')).toBe(true)
  })

  test('after 24 hours the key is new, once, however many come at once', async () => {
    const send = (title: string) => api.post('/tasks', { title }, under('a-day-old'))
    const first = await send('yesterday')
    const age = (interval: string) =>
      service.database.query(
        sql`update answered_keys set created_at = now() - ${interval}::interval where key = 'a-day-old'`,
      )
    await age('23 hours 59 minutes')
    expect((await send('yesterday')).text).toBe(first.text)
    expectRefusal(await send('today'), 422, 'idempotency_conflict')
    await age('24 hours 1 second')
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('today')))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.title).toBe('today')
    expect((await api.get('/tasks?q=today')).body.data).toHaveLength(1)
  })
})

describe('the key itself', () => {
  test('has 1 to 255 visible characters', async () => {
    for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
      const answer = await api.post('/tasks', { title: 'x' }, under(Buffer.from(key).toString('latin1')))
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toBe('Idempotency-Key')
    }
    for (const key of ['!', '"~\\', 'x'.repeat(255)])
      expect((await api.post('/tasks', { title: 'x' }, under(key))).status).toBe(201)
  })

  test('means nothing to reads and deletions', async () => {
    const key = randomUUID()
    const { body } = await api.post('/tasks', { title: 'x' }, under(key))
    expect((await api.get(`/tasks/${body.id}`, under(key))).status).toBe(200)
    expect((await api.delete(`/tasks/${body.id}`, under(key))).status).toBe(204)
    expect((await api.delete(`/tasks/${body.id}`, under(key))).status).toBe(404)
  })
})

test('a server killed between commit and answer: the retry gets the answer that was never sent', async () => {
  const database = await createTestDatabase()
  const proxy = await startPostgresProxy(database.url)
  const env = { PARLEY_SECRET: 'survives the crash' }
  try {
    const first = await serveProgram({ ...env, DATABASE_URL: proxy.url })
    const { key } = await first.client()
    const second = await serveProgram({ ...env, DATABASE_URL: database.url, PARLEY_DATA_DIR: first.dataDir })
    // The statement that claims the key reaches the database and is committed there; its server waits for the answer
    // until it is killed.
    proxy.withholdAnswersTo('insert into answered_keys')
    const lost = clientOf(first.url, key)
      .post('/tasks', { title: 'Crash' }, under('crash'))
      .catch((error: Error) => error)
    const client = clientOf(second.url, key)
    await expect.poll(async () => (await client.get('/tasks')).body.data.length, { interval: 20 }).toBe(1)
    first.signal('SIGKILL')
    expect((await first.finished).signal).toBe('SIGKILL')
    expect(await lost).toBeInstanceOf(Error)
    const [committed] = (await client.get('/tasks')).body.data
    const retry = await client.post('/tasks', { title: 'Crash' }, under('crash'))
    expect([retry.status, isReplay(retry), retry.text]).toEqual([201, true, JSON.stringify(committed)])
    expect((await client.get('/tasks')).body.data).toHaveLength(1)
  } finally {
    await endPrograms()
    await proxy.stop()
    await database.drop()
  }
})
