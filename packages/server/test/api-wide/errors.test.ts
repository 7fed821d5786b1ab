// What every response carries, success or not: request id, envelope, security headers; and how the service says no when
// it is itself in trouble.
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { errors } from '@parley/contract'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { startServer } from '../../src/server/server.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { jsonOf, type RawAnswer, type RawRequest, rawRequest } from '../support/raw-http.js'
import { startPostgresProxy } from '../support/servers/postgres-proxy.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const ask = (path: string, { headers = {}, ...rest }: RawRequest = {}, url = service.url): Promise<RawAnswer> =>
  rawRequest(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${api.key}`, ...headers }, ...rest })
const secret = 'a secret for tests only'
const json = { 'content-type': 'application/json' }

/** One response of each status that can be had without breaking anything. */
async function everyResponse(headers: Record<string, string> = {}): Promise<Map<number, RawAnswer>> {
  const { body: task } = await api.post('/tasks', { title: 'x' })
  const post = (path: string, body: string, more = {}) =>
    ask(path, { method: 'POST', body, headers: { ...json, ...headers, ...more } })
  const answers = [
    await ask('/tasks', { headers }),
    await post('/tasks', '{"title":"y"}'),
    await ask(`/tasks/${task.id}`, { headers: { 'if-none-match': '"1"', ...headers } }),
    await ask(`/tasks/${task.id}`, {
      method: 'PATCH',
      body: '{"title":"z"}',
      headers: { ...json, 'if-match': '"9"', ...headers },
    }),
    await ask(`/tasks/${task.id}`, { method: 'DELETE', headers }),
    await post('/tasks', '{'),
    await ask('/tasks', { headers: { authorization: 'Bearer x', ...headers } }),
    await (await service.keyOf(service.demo.id, 'sandbox', 'READ'))
      .post('/tasks', {}, headers)
      .then(({ status, headers: got, text }) => ({
        status,
        headers: Object.fromEntries(got),
        bytes: Buffer.from(text),
      })),
    await ask(`/tasks/${nobodysId}`, { headers }),
    await ask('/schema', { method: 'POST', headers }),
    await post('/tasks', `{"title":"${'x'.repeat(1_048_576)}"}`),
    await post('/tasks', 'title', { 'content-type': 'text/plain' }),
    await post('/tasks', '{"title":"a"}', { 'idempotency-key': 'used' }).then(() =>
      post('/tasks', '{"title":"b"}', { 'idempotency-key': 'used' }),
    ),
  ]
  return new Map(answers.map((answer) => [answer.status, answer]))
}

test('every response has a request id and the security headers, with or without a body', async () => {
  const responses = await everyResponse()
  expect([...responses.keys()].sort()).toEqual([200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422])
  for (const [status, { headers, bytes }] of responses) {
    expect(headers['x-request-id'], String(status)).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers, String(status)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(bytes.length === 0).toBe(status === 204 || status === 304)
    if (bytes.length > 0) expect(headers['content-type']).toBe('application/json; charset=utf-8')
    if (status >= 400) expect(jsonOf({ bytes } as RawAnswer).meta.requestId).toBe(headers['x-request-id'])
  }
})

test('the request id is the caller’s own when it is 1 to 128 visible ASCII characters, else a new one', async () => {
  for (const sent of ['x', 'a/b:c;~!', 'r'.repeat(128)]) {
    for (const [status, { headers }] of await everyResponse({ 'x-request-id': sent }))
      expect(headers['x-request-id'], String(status)).toBe(sent)
    expect((await api.get('/tasks', { 'x-request-id': sent })).body.meta.requestId).toBe(sent)
  }
  for (const sent of ['', 'a b', 'é', 'r'.repeat(129), 'tab\there']) {
    expect((await ask('/tasks', { headers: { 'x-request-id': sent } })).headers['x-request-id']).toMatch(
      /^[0-9a-f]{8}-/,
    )
  }
})

test('an error has the status of its code in the one catalogue, and nothing else in its body', async () => {
  for (const [status, answer] of await everyResponse()) {
    if (status < 400) continue
    const { error, ...rest } = jsonOf(answer)
    expect(Object.keys(rest)).toEqual(['meta'])
    expect(errors[error.code as keyof typeof errors].status).toBe(status)
    expect(Object.keys(error).filter((name) => !['code', 'message', 'details'].includes(name))).toEqual([])
  }
})

describe('sizes', () => {
  test('a body over 1 MiB is 413 and says the limit; one of exactly 1 MiB is read', async () => {
    const bodyOf = (bytes: number) => `{"nonsense":"${'x'.repeat(bytes - '{"nonsense":""}'.length)}"}`
    const over = await ask('/tasks', { method: 'POST', headers: json, body: bodyOf(1_048_577) })
    expect([over.status, jsonOf(over).error.details]).toEqual([413, { limitBytes: 1_048_576 }])
    expect((await ask('/tasks', { method: 'POST', headers: json, body: bodyOf(1_048_576) })).status).toBe(400)
  })

  test('a chunked body that never says its length is cut at the limit', async () => {
    const answer = await ask('/tasks', {
      method: 'POST',
      headers: { ...json, 'transfer-encoding': 'chunked' },
      body: 'x'.repeat(1_200_000),
    }).catch((error) => error)
    if (!(answer instanceof Error)) expect(answer.status).toBe(413)
    expect((await api.get('/tasks')).status).toBe(200)
  })

  test('a compressed body is read, a bomb is cut at the limit, and what cannot be unpacked is refused', async () => {
    const send = (body: Buffer, encoding: string) =>
      ask('/tasks', { method: 'POST', headers: { ...json, 'content-encoding': encoding }, body })
    expect((await send(gzipSync('{"title":"zipped"}'), 'gzip')).status).toBe(201)
    const bomb = await send(gzipSync(Buffer.alloc(50_000_000, 32)), 'gzip')
    expect([bomb.status, jsonOf(bomb).error.code]).toEqual([413, 'payload_too_large'])
    const broken = await send(Buffer.from('{"title":"not zipped"}'), 'gzip')
    expect([broken.status, jsonOf(broken).error.code]).toEqual([400, 'bad_request'])
    const unknown = await send(Buffer.from('{"title":"x"}'), 'zstd')
    expect([unknown.status, jsonOf(unknown).error.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('responses over 1 KiB are compressed by br or gzip for those who take it; smaller ones never', async () => {
    const { body } = await api.post('/companies', { name: 'Long', customFields: { text: 'compressible '.repeat(200) } })
    const plain = await ask(`/companies/${body.id}`)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const brotli = await ask(`/companies/${body.id}`, { headers: { 'accept-encoding': 'gzip, br' } })
    expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.bytes).equals(plain.bytes)]).toEqual([
      'br',
      true,
    ])
    const zipped = await ask(`/companies/${body.id}`, { headers: { 'accept-encoding': 'gzip' } })
    expect([zipped.headers['content-encoding'], gunzipSync(zipped.bytes).equals(plain.bytes)]).toEqual(['gzip', true])
    expect(zipped.headers.vary?.toLowerCase()).toContain('accept-encoding')
    expect(zipped.headers.etag).toBe(plain.headers.etag)
    expect(
      (await ask(`/companies/${body.id}`, { headers: { 'accept-encoding': 'zstd, deflate' } })).headers,
    ).not.toHaveProperty('content-encoding')
    const { body: small } = await api.post('/tasks', { title: 'x' })
    const short = await ask(`/tasks/${small.id}`, { headers: { 'accept-encoding': 'gzip, br' } })
    expect([short.bytes.length < 1_024, short.headers['content-encoding']]).toEqual([true, undefined])
  })
})

test('HEAD answers like GET without the body, and checks like it', async () => {
  const { body } = await api.post('/tasks', { title: 'x' })
  for (const path of [`/tasks/${body.id}`, '/schema', '/organization', `/tasks/${nobodysId}`, '/tasks?limit=0']) {
    const [get, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
    expect([head.status, head.bytes.length, head.headers['content-type'], head.headers.etag]).toEqual([
      get.status,
      0,
      get.headers['content-type'],
      get.headers.etag,
    ])
    expect(head.headers['content-length']).toBe(String(get.bytes.length))
  }
  expect((await ask('/tasks', { method: 'HEAD', headers: { authorization: 'Bearer x' } })).status).toBe(401)
})

test('unknown paths and versions are 404', async () => {
  for (const path of ['/nonsense', '/tasks/', '/tasks/a/b/c', '/', '/people/by-fax', `/tasks/${nobodysId}/nonsense`]) {
    const answer = await ask(path)
    expect([path, answer.status, jsonOf(answer).error.code]).toEqual([path, 404, 'not_found'])
  }
  for (const path of ['/api/v2/tasks', '/api/v1', '/api', '/v1/tasks', '/', '/.env']) {
    const answer = await rawRequest(`${service.url}${path}`)
    expect([path, answer.status, jsonOf(answer).error?.code]).toEqual([path, 404, 'not_found'])
    expect(answer.headers['x-request-id']).toMatch(/\S/)
  }
})

test('what is no HTTP request is refused in the same envelope', async () => {
  const { port } = new URL(service.url)
  const say = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(Number(port), '127.0.0.1', () => socket.end(text))
      socket.on('data', (chunk) => (answer += chunk)).on('end', () => resolve(answer))
      socket.on('error', reject)
    })
  for (const text of [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n',
  ]) {
    const [head = '', body = ''] = (await say(text)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 400 /)
    const { error, meta } = JSON.parse(body)
    expect(error.code).toBe('bad_request')
    expect(head).toContain(`x-request-id: ${meta.requestId}`)
  }
})

describe('when the service is in trouble', () => {
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    await client.query(statement)
    return client
  }
  /** One more node of the same service, with a database and a log of its own. */
  const startNode = (database: Database, { url = service.databaseUrl, log = pino({ level: 'silent' }) } = {}) => {
    const config = readConfig({ PORT: '0', DATABASE_URL: url, PARLEY_SECRET: secret })
    return startServer({ config: { ...config, secret }, database, log })
  }
  afterEach(async () => {
    await (await admin('alter table if exists hidden rename to notes')).end()
  })

  test('the unexpected is 500, tells nothing but the request id, and is logged', async () => {
    await (await admin('alter table notes rename to hidden')).end()
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
    const server = await startNode(service.database, { log })
    const client = clientOf(server.url, api.key)
    const answers = [
      await client.get('/notes'),
      await client.post('/notes', { body: 'x', subjectType: 'person', subjectId: nobodysId }),
    ]
    await server.stop()
    for (const answer of answers) {
      expectRefusal(answer, 500, 'internal_error')
      expect(lines.find((line) => line.includes(answer.body.meta.requestId))).toContain('relation')
      expect(answer.body.error).not.toHaveProperty('details')
      expect(answer.text).not.toMatch(/relation|notes|select|insert|at .*\.ts|\.js/i)
    }
    expect((await api.get('/tasks')).status).toBe(200)
  })

  test('a statement that takes too long is 503 with Retry-After, and the next one is answered', async () => {
    const hasty = openDatabase({ url: service.databaseUrl, connections: 4, statementTimeoutMs: 2_000 })
    const server = await startNode(hasty)
    const client = clientOf(server.url, api.key)
    const blocker = await admin('begin; lock table locations in access exclusive mode')
    const [read, write] = await Promise.all([
      client.get('/locations?isPrimary=1&q=x').then(() => client.get('/locations?q=x')),
      client.post('/locations', { label: 'x', city: 'y', addressLine1: 'z' }),
    ])
    await blocker.end()
    await expect.poll(async () => (await client.get('/locations')).status).toBe(200)
    await server.stop()
    await hasty.close()
    for (const answer of [read, write]) {
      expectRefusal(answer, 503, 'unavailable')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
  })

  test('a database that is away is 503 with Retry-After, for keys known and unknown, and all is well when it is back', async () => {
    const proxy = await startPostgresProxy(service.databaseUrl)
    const database = openDatabase({ url: proxy.url, connections: 4, statementTimeoutMs: 10_000 })
    const server = await startNode(database, { url: proxy.url })
    try {
      const client = clientOf(server.url, api.key)
      const unknown = await service
        .keyOf(service.demo.id, 'sandbox', 'READ')
        .then(({ key }) => clientOf(server.url, key))
      expect((await client.get('/tasks')).status).toBe(200)
      proxy.shut()
      for (const answer of [
        await client.get('/tasks'),
        await unknown.get('/tasks'),
        await client.post('/tasks', { title: 'x' }),
        await client.get('/tasks?q=x'),
        await client.patch(`/tasks/${nobodysId}`, { title: 'x' }),
      ]) {
        expectRefusal(answer, 503, 'unavailable')
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      }
      expect((await rawRequest(`${server.url}/healthz`)).status).toBe(200)
      const notReady = await rawRequest(`${server.url}/readyz`)
      expect([notReady.status, jsonOf(notReady)]).toEqual([503, { status: 'not ready', reason: 'database away' }])
      proxy.open()
      await expect.poll(async () => (await client.post('/tasks', { title: 'back' })).status).toBe(201)
      await expect.poll(async () => (await rawRequest(`${server.url}/readyz`)).status).toBe(200)
    } finally {
      proxy.open()
      await server.stop()
      await database.close()
      await proxy.stop()
    }
  })
})

test('a disk of the database that is full is 503 for writes, reads go on, and so does all once there is room', async () => {
  const { body: task } = await api.post('/tasks', { title: 'Before' })
  // What PostgreSQL says when it cannot extend a file.
  await service.database.query(sql`create function disk_is_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
  await service.database.query(sql`create trigger full_disk before insert on tasks execute function disk_is_full()`)
  const refused = await ask('/tasks', { method: 'POST', body: '{"title":"Meanwhile"}', headers: json })
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30'])
  expect(jsonOf(refused).error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('disk') })
  expect((await api.get(`/tasks/${task.id}`)).status).toBe(200)
  await service.database.query(sql`drop trigger full_disk on tasks`)
  expect((await api.post('/tasks', { title: 'After' })).status).toBe(201)
})
