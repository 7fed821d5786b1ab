// What the log tells of requests and of errors, and what it never tells.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import { mintKey } from '../../src/http/gate/api-keys.js'
import { createOrganization } from '../../src/program/create-organization.js'
import { createLog, describeError } from '../../src/program/log.js'
import { type Server, startServer } from '../../src/server/server.js'
import { newId } from '../../src/store/id.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'
import { type Client, clientOf, secret } from '../support/service.js'
import { until } from '../support/until.js'

interface Line {
  readonly level: number
  readonly msg: string
  readonly requestId: string
  readonly [name: string]: unknown
}

let testDatabase: TestDatabase
let database: ReturnType<typeof openDatabase>
const key = mintKey('sandbox')
const organizationId = newId(new Date())
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, connections: 4, statementTimeoutMs: 10_000 })
  await createOrganization(database, { id: organizationId, name: 'Logged' }, new Date(), [
    { environment: 'sandbox', minted: key },
  ])
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

interface Logged {
  readonly server: Server
  readonly api: Client
  readonly lines: Line[]
  /** The line of a request, once it is there. */
  line(requestId: string): Promise<Line>
}

async function logged(env: Record<string, string>, use: (logged: Logged) => Promise<void>): Promise<Line[]> {
  const lines: Line[] = []
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: testDatabase.url,
    PARLEY_SECRET: secret,
    PARLEY_ROLE: 'api',
    ...env,
  })
  const log = createLog({
    level: config.logLevel,
    isTerminal: false,
    write: (text) =>
      void lines.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
  })
  const server = await startServer({ config: { ...config, secret }, database, log })
  const line = async (id: string) =>
    (await until(
      async () => lines.find(({ requestId }) => requestId === id),
      (found) => found !== undefined,
    )) as Line
  try {
    await use({ server, api: clientOf(server.url, key.key), lines, line })
  } finally {
    await server.stop()
  }
  return lines.filter(({ msg }) => msg === 'request')
}

test('a request id of any characters keeps the line whole', async () => {
  await logged({}, async ({ api, line }) => {
    await api.get('/tasks', withId('a"b\\c'))
    expect(await line('a"b\\c')).toMatchObject({ status: 200 })
  })
})

const withId = (id: string) => ({ 'x-request-id': id })

test('each request has one line: id, method, route, status, time, bytes, key and organization', async () => {
  const told = await logged({}, async ({ api, line }) => {
    const made = await api.post('/tasks', { title: 'A very private title' }, withId('making'))
    await api.get(`/tasks/${made.body.id}?unknown=private`, withId('asking'))
    await api.get('/tasks', withId('listing'))
    expect(await line('making')).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      msg: 'request',
      requestId: 'making',
      method: 'POST',
      route: '/api/v1/tasks',
      status: 201,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organizationId,
    })
    expect(await line('asking')).toMatchObject({ method: 'GET', route: '/api/v1/tasks/:id', status: 400, level: 30 })
    const { bytes, ms } = await line('listing')
    expect([Number(bytes) > 300, Number(ms) >= 0]).toEqual([true, true])
    const text = JSON.stringify([await line('making'), await line('asking')])
    expect(text).not.toMatch(/private/)
    expect(text).not.toContain(made.body.id)
  })
  expect(told.map(({ requestId }) => requestId).toSorted()).toEqual(['asking', 'listing', 'making'])
})

test('strangers, unknown paths and packed answers are told of too, without key and without address', async () => {
  await logged({}, async ({ server, api, line, lines }) => {
    await fetch(`${server.url}/api/v1/people/s3cret-part?q=words`, { headers: withId('stranger') })
    await fetch(`${server.url}/no/s3cret-path`, { headers: withId('lost') })
    await api.get('/openapi.json', { ...withId('packed'), 'accept-encoding': 'gzip' })
    expect(await line('stranger')).toMatchObject({ route: '/api/v1/people/:id', status: 401 })
    expect(await line('stranger')).not.toHaveProperty('keyId')
    expect(await line('lost')).toMatchObject({ route: null, status: 404 })
    expect(Number((await line('packed'))['bytes'])).toBeGreaterThan(10_000)
    const text = JSON.stringify(lines)
    expect(text).not.toMatch(/s3cret|words/)
    expect(text).not.toContain(key.key)
  })
})

test('a stream is told of when its reader has gone, once', async () => {
  const told = await logged({}, async ({ server, line }) => {
    const leaving = new AbortController()
    const stream = await fetch(`${server.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${key.key}`, ...withId('streaming') },
      signal: leaving.signal,
    })
    expect(stream.status).toBe(200)
    leaving.abort()
    expect(await line('streaming')).toMatchObject({ route: '/api/v1/events/stream', status: 200, aborted: true })
  })
  expect(told.filter(({ requestId }) => requestId === 'streaming')).toHaveLength(1)
})

describe('LOG_REQUESTS and LOG_LEVEL', () => {
  const statuses = async (env: Record<string, string>) => {
    const told = await logged(env, async ({ server, api }) => {
      await fetch(`${server.url}/healthz`)
      for (let times = 0; times < 5; times++) await api.get('/tasks')
      await api.get('/tasks?limit=0')
    })
    return told.map(({ status }) => status)
  }

  test('choose which requests are told of', async () => {
    expect(await statuses({})).toEqual([200, 200, 200, 200, 200, 400])
    expect(await statuses({ LOG_LEVEL: 'debug' })).toEqual([200, 200, 200, 200, 200, 200, 400])
    expect(await statuses({ LOG_REQUESTS: 'errors' })).toEqual([400])
    expect(await statuses({ LOG_REQUESTS: 'none' })).toEqual([])
    expect(await statuses({ LOG_REQUESTS: '0' })).toEqual([])
    expect(await statuses({ LOG_REQUESTS: '1' })).toHaveLength(6)
    expect(await statuses({ LOG_LEVEL: 'warn' })).toEqual([])
  })

  test('a share tells of about so many, and nonsense is refused', async () => {
    const told = await logged({ LOG_REQUESTS: '0.5', PARLEY_RATE_LIMIT_READ: '100000:100000' }, async ({ api }) => {
      for (let times = 0; times < 200; times++) await api.get('/tasks')
    })
    expect(told.length).toBeGreaterThan(50)
    expect(told.length).toBeLessThan(150)
    for (const written of ['some', '2', '-1', '1.5', '0.'])
      expect(() => readConfig({ LOG_REQUESTS: written })).toThrow(/LOG_REQUESTS is/)
  })
})

test('at a terminal the same is text', () => {
  const printed: string[] = []
  const log = createLog({ level: 'info', isTerminal: true, write: (line) => void printed.push(line) })
  log.info('Serving http://127.0.0.1:3000/api/v1')
  log.info(
    {
      requestId: 'r1',
      method: 'GET',
      route: '/api/v1/tasks/:id',
      status: 200,
      ms: 1.5,
      bytes: 734,
      keyId: 'k1',
      organizationId: 'o1',
    },
    'request',
  )
  log.warn(
    { err: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) },
    'database connection lost',
  )
  expect(printed.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'info  Serving http://127.0.0.1:3000/api/v1\n',
    'info  GET /api/v1/tasks/:id 200 1.5 ms 734 B requestId=r1 keyId=k1 organizationId=o1\n',
    'WARN  database connection lost: connect ECONNREFUSED (ECONNREFUSED)\n',
  ])
})

describe('an error in the log', () => {
  test('shows where it was thrown only when it is a bug', () => {
    expect(describeError(new TypeError('x is not a function')).stack).toMatch(/^\s+at /)
    for (const code of ['ECONNREFUSED', '57P01', '57014', '53300', '40001', 'ENOSPC']) {
      expect(describeError(Object.assign(new Error('no'), { code }))).toEqual({ type: 'Error', message: 'no', code })
    }
    expect(describeError(Object.assign(new Error('syntax error'), { code: '42601' })).stack).toMatch(/at /)
  })

  test('carries no rows, no connection, and of a statement or an address only the beginning', async () => {
    const broken = await database.query(sql`select ${'a private word'}::text::int`).catch((error: unknown) => error)
    expect(describeError(broken)).toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type integer: "…"',
    })
    const error = Object.assign(new Error(`select ${'x'.repeat(1_000)} in /api/v1/feeds/s3cret.ics`), {
      code: '23505',
      detail: 'Key (email)=(private)',
    })
    const described = JSON.stringify([
      describeError(error),
      describeError(broken),
      describeError(new Error('sent twice: /api/v1/feeds/s3cret.ics')),
    ])
    expect(described).not.toMatch(/private|s3cret|"client"|detail/)
    expect(describeError(error).message).toHaveLength(301)
  })

  test('that says the database is away is not repeated by every loop several times a second', () => {
    const printed: string[] = []
    const log = createLog({ level: 'info', isTerminal: false, write: (line) => void printed.push(line) })
    for (let times = 0; times < 50; times++) {
      log.warn(
        { err: Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }) },
        'claiming deliveries failed; it is tried again',
      )
      log.warn({ err: new TypeError('a bug') }, 'background work failed; it is tried again')
    }
    expect(printed.filter((line) => line.includes('gone'))).toHaveLength(1)
    expect(printed.filter((line) => line.includes('a bug'))).toHaveLength(50)
  })
})
