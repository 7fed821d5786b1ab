// The life of a key: minted, listed, rotated, revoked, expired; on one node and on two; and never seen again after it
// was shown.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/databases.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { endPrograms, type Program, serveProgram } from '../../support/program.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

const shown = [
  'id',
  'name',
  'scope',
  'environment',
  'agentWrites',
  'prefix',
  'last4',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
]

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const mint = async (body: object = {}, by: Client = api) =>
  (await by.post('/api-keys', { name: 'A key', scope: 'READ', ...body })).body
const works = async (key: string, url = service.url): Promise<number> =>
  (await clientOf(url, key).get('/schema')).status

describe('minting', () => {
  test.each([
    ['sandbox', 'ak_test_'],
    ['production', 'ak_live_'],
  ] as const)('on the %s side shows a whole %s key once, and it works at once', async (environment, prefix) => {
    const client = environment === 'sandbox' ? api : service.demo.live
    const made = await client.post('/api-keys', { name: 'Reporting', scope: 'WRITE' })
    expect(made.status).toBe(201)
    expect(Object.keys(made.body).sort()).toEqual([...shown, 'key'].sort())
    const { key } = made.body
    expect(key).toMatch(new RegExp(`^${prefix}[0-9A-HJKMNP-TV-Z]{32}$`))
    expect(made.body).toMatchObject({
      name: 'Reporting',
      scope: 'WRITE',
      environment,
      prefix: key.slice(0, 12),
      last4: key.slice(-4),
      expiresAt: null,
      revokedAt: null,
    })
    expect((await clientOf(service.url, key).get('/schema')).body.key).toEqual({
      id: made.body.id,
      scope: 'WRITE',
      environment,
    })
  })

  test('keys are random: 100 of them share nothing', async () => {
    const keys = await Promise.all(Array.from({ length: 100 }, () => mint()))
    expect(new Set(keys.map(({ key }) => key.slice(8, 20))).size).toBe(100)
  })

  test('a key mints keys of its own side and organization only, whatever the body says', async () => {
    const made = await mint({ environment: 'production', id: nobodysId, prefix: 'ak_live_xxxx' })
    expect(made).toMatchObject({ environment: 'sandbox' })
    expect(made.id).not.toBe(nobodysId)
    const other = await service.organization('Another')
    for (const stranger of [service.demo.live, other.sandbox, other.live]) {
      expectRefusal(await stranger.get(`/api-keys/${made.id}`), 404, 'not_found')
      expectRefusal(await stranger.delete(`/api-keys/${made.id}`), 404, 'not_found')
      expectRefusal(await stranger.post(`/api-keys/${made.id}/rotate`), 404, 'not_found')
      expect((await stranger.get('/api-keys')).text).not.toContain(made.id)
    }
    expect(await works(made.key)).toBe(200)
  })

  test('an expiry must lie ahead', async () => {
    expectRefusal(
      await api.post('/api-keys', { name: 'x', scope: 'READ', expiresAt: '2020-01-01T00:00:00Z' }),
      400,
      'bad_request',
    )
    expect((await mint({ expiresAt: '2099-01-01T00:00:00+01:00' })).expiresAt).toBe('2098-12-31T23:00:00.000Z')
  })
})

test('lists and single reads show what a key is for, never the key', async () => {
  const made = await mint({ name: 'Listed' })
  const one = await api.get(`/api-keys/${made.id}`)
  expect(Object.keys(one.body).sort()).toEqual([...shown].sort())
  const list = await api.get('/api-keys?limit=100')
  expect(list.body.data).toContainEqual(one.body)
  for (const { text } of [one, list]) expect(text).not.toContain(made.key.slice(12, -4))
})

describe('rotating', () => {
  test('gives a new key of the same name and scope; the old one works until the grace period ends', async () => {
    const old = await mint({ name: 'Turning', scope: 'WRITE' })
    const before = Date.now()
    const rotated = await api.post(`/api-keys/${old.id}/rotate`, { gracePeriodSeconds: 3_600 })
    expect(rotated.status).toBe(200)
    expect(rotated.body).toMatchObject({ name: 'Turning', scope: 'WRITE', expiresAt: null })
    expect(rotated.body.key).not.toBe(old.key)
    expect([await works(old.key), await works(rotated.body.key)]).toEqual([200, 200])
    const expiresAt = new Date((await api.get(`/api-keys/${old.id}`)).body.expiresAt).getTime()
    expect(expiresAt - before).toBeGreaterThanOrEqual(3_600_000)
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(3_600_000)
  })

  test('without a grace period ends the old key at once; without a body it ends in a day', async () => {
    const [at, later] = [await mint(), await mint()]
    expect(await works(at.key)).toBe(200)
    await api.post(`/api-keys/${at.id}/rotate`, { gracePeriodSeconds: 0 })
    expect(await works(at.key)).toBe(401)
    await api.post(`/api-keys/${later.id}/rotate`)
    const left = new Date((await api.get(`/api-keys/${later.id}`)).body.expiresAt).getTime() - Date.now()
    expect(Math.round(left / 60_000)).toBe(24 * 60)
  })

  test('never prolongs a key, takes 0 to 604,800 seconds, and no revoked key', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString()
    const short = await mint({ expiresAt: soon })
    await api.post(`/api-keys/${short.id}/rotate`, { gracePeriodSeconds: 604_800 })
    expect((await api.get(`/api-keys/${short.id}`)).body.expiresAt).toBe(soon)
    for (const gracePeriodSeconds of [-1, 604_801, 1.5, '60']) {
      expectRefusal(await api.post(`/api-keys/${short.id}/rotate`, { gracePeriodSeconds }), 400, 'bad_request')
    }
    await api.delete(`/api-keys/${short.id}`)
    expectRefusal(await api.post(`/api-keys/${short.id}/rotate`), 409, 'conflict')
  })
})

describe('the end of a key', () => {
  test('revoked, it is refused at once on this node, however often it was used before', async () => {
    for (let round = 0; round < 10; round++) {
      const made = await mint()
      expect(await works(made.key)).toBe(200)
      const busy = Promise.all(Array.from({ length: 5 }, () => works(made.key)))
      expect((await api.delete(`/api-keys/${made.id}`)).status).toBe(204)
      expect(await works(made.key)).toBe(401)
      expect((await busy).every((status) => status === 200 || status === 401)).toBe(true)
      expect(await works(made.key)).toBe(401)
    }
  })

  test('revoked, it is still listed with the time, and a second revocation is 404', async () => {
    const made = await mint()
    await api.delete(`/api-keys/${made.id}`)
    expect((await api.get(`/api-keys/${made.id}`)).body.revokedAt).toMatch(/Z$/)
    expectRefusal(await api.delete(`/api-keys/${made.id}`), 404, 'not_found')
  })

  test('expired, it is refused from that moment on, though the node remembers it', async () => {
    for (let lifeMs = 700; ; lifeMs *= 2) {
      const expiresAt = Date.now() + lifeMs
      const made = await mint({ expiresAt: new Date(expiresAt).toISOString() })
      const status = await works(made.key)
      // A machine that is too busy to use it in time gets one that lives longer.
      if (status !== 200 && Date.now() >= expiresAt) continue
      expect(status).toBe(200)
      await delay(expiresAt - Date.now() + 50)
      expect(await works(made.key)).toBe(401)
      return
    }
  })

  test('a key that revokes itself is done', async () => {
    const { id, key } = await mint({ scope: 'ADMIN' })
    const self = clientOf(service.url, key)
    expect((await self.delete(`/api-keys/${id}`)).status).toBe(204)
    expect(await works(key)).toBe(401)
  })
})

describe('two processes on one database', () => {
  let database: TestDatabase
  let nodes: [Program, Program]
  beforeAll(async () => {
    database = await createTestDatabase()
    const env = { DATABASE_URL: database.url, PARLEY_SECRET: 'shared by both of the nodes', LOG_LEVEL: 'trace' }
    const first = await serveProgram(env)
    nodes = [first, await serveProgram({ ...env, PARLEY_DATA_DIR: first.dataDir })]
  })
  afterAll(async () => {
    await endPrograms()
    await database.drop()
  })

  test('a key revoked on one is refused by the other within a second', async () => {
    const [here, there] = nodes
    const admin = await here.client()
    for (let round = 0; round < 3; round++) {
      const made = await mint({}, admin)
      await expect.poll(() => works(made.key, there.url)).toBe(200)
      await delay(700)
      expect(await works(made.key, there.url)).toBe(200)
      await admin.delete(`/api-keys/${made.id}`)
      const revokedAt = Date.now()
      expect(await works(made.key, here.url)).toBe(401)
      for (let status = 200; status === 200; await delay(20)) {
        const askedAt = Date.now()
        status = await works(made.key, there.url)
        if (status === 200) expect(askedAt - revokedAt).toBeLessThan(1_000)
      }
    }
  })

  test('no key is in a log line, a stored row or a file, but for the file that tells the first two', async () => {
    const [here, there] = nodes
    const admin = await here.client()
    const made = await admin.post('/api-keys', { name: 'Secret', scope: 'ADMIN' }, { 'idempotency-key': 'mint-once' })
    const rotated = await admin.post(`/api-keys/${made.body.id}/rotate`, {}, { 'idempotency-key': 'rotate-once' })
    const replayed = await admin.post(
      '/api-keys',
      { name: 'Secret', scope: 'ADMIN' },
      { 'idempotency-key': 'mint-once' },
    )
    expect(replayed.text).toBe(made.text)
    await clientOf(here.url, made.body.key).get('/nonsense?key=x')
    await clientOf(there.url, rotated.body.key).post('/tasks', '{"broken')
    const keys = [admin.key, made.body.key, rotated.body.key]
    const secrets = keys.flatMap((key) => [key.slice(12, -4), Buffer.from(key.slice(12, -4)).toString('hex')])
    const tables = await allRowsOf(database.url)
    expect(tables).toContain(made.body.id)
    const logs = here.output() + there.output()
    expect(logs.length).toBeGreaterThan(100)
    for (const secret of secrets) {
      expect(tables.includes(secret)).toBe(false)
      expect(logs.includes(secret)).toBe(false)
    }
    const files = await readdir(here.dataDir)
    for (const file of files.filter((name) => name !== 'first-run.json')) {
      const text = await readFile(join(here.dataDir, file), 'utf8').catch(() => '')
      for (const secret of secrets) expect(text.includes(secret)).toBe(false)
    }
  })

  test('lastUsedAt is kept, without a write for each request', async () => {
    const [here, there] = nodes
    const admin = await here.client()
    const made = await mint({}, admin)
    const lastUsedAt = async () => (await admin.get(`/api-keys/${made.id}`)).body.lastUsedAt
    const rowVersion = async () =>
      /\(.*\)/.exec(await rowsOf(database.url, `select xmin, id from api_keys where id = '${made.id}'`))?.[0]
    expect(await lastUsedAt()).toBeNull()
    const startedAt = Date.now()
    const versions = new Set([await rowVersion()])
    for (let use = 0; use < 30; use++) {
      // A node whose machine stood still may say that the database took too long.
      await expect.poll(() => works(made.key, there.url)).toBe(200)
      versions.add(await rowVersion())
    }
    const usedAt = Date.now()
    // What was used is written down every five seconds, for all keys together.
    expect(versions.size).toBeLessThanOrEqual(2 + Math.floor((usedAt - startedAt) / 5_000))
    expect((await there.stop()).code).toBe(0)
    const at = new Date(await lastUsedAt()).getTime()
    expect(at).toBeGreaterThanOrEqual(startedAt)
    expect(at).toBeLessThanOrEqual(usedAt)
  })
})

/** Every row of every table, as one text. */
async function allRowsOf(url: string): Promise<string> {
  const tables = await rowsOf(url, "select tablename from pg_tables where schemaname = 'public'")
  return rowsOf(url, ...[...tables.matchAll(/\((\w+)\)/g)].map(([, name]) => `select * from "${name}"`))
}

/** The rows of queries as Postgres writes them. */
async function rowsOf(url: string, ...queries: string[]): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const texts: string[] = []
    for (const query of queries) {
      const { rows } = await client.query<{ text: string }>(`select q::text as text from (${query}) q`)
      texts.push(...rows.map(({ text }) => text))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}
