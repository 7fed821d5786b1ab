// Who may use the platform API: holders of a platform key with the scope that an endpoint needs, and nobody else.
import { platformScopes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { platformEndpoints } from '../../src/platform/index.js'
import { listPlatformKeys, revokePlatformKey, rotatePlatformKey } from '../../src/platform/platform-keys.js'
import { PLATFORM_ID } from '../../src/store/caller.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { openEvents } from '../support/event-source.js'
import { expectOfEach, expectRefusal } from '../support/every-endpoint.js'
import { PLATFORM, platformClient } from '../support/platform/platform-client.js'
import { clientOf, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_RATE_LIMIT_PLATFORM: '1:40', PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const pathOf = (path: string) => path.replace(/\{\w+\}/g, nobodysId)

test('while there is no platform key there is no platform API, whoever asks', async () => {
  const never = clientOf(service.url, `pk_${'0'.repeat(32)}`, PLATFORM)
  for (const client of [never, clientOf(service.url, service.api.key, PLATFORM)])
    for (const path of ['/organizations', '/openapi.json', '/nothing'])
      expectRefusal(await client.get(path), 404, 'not_found')
})

test('every endpoint needs a platform key with its own scope; keys of organizations and cookies are nothing here', async () => {
  const keys = await Promise.all(
    platformScopes.map(async (one) => [one, await platformClient(service, [one])] as const),
  )
  const byScope = new Map(keys)
  await expectOfEach(
    platformEndpoints.filter(({ platformScope }) => platformScope !== undefined),
    async ({ method, path, platformScope }) => {
      const stranger = clientOf(service.url, service.api.key, PLATFORM)
      expectRefusal(await stranger.request(method, pathOf(path)), 401, 'unauthorized')
      const other = byScope.get(platformScope === 'read' ? 'keys' : 'read')
      const refused = await other?.request(method, pathOf(path))
      expect(refused?.status, refused?.text).toBe(403)
      expect(refused?.body.error.details).toMatchObject({ reason: 'scope', requiredScope: platformScope })
    },
  )
  const cookie = await fetch(`${service.url}${PLATFORM}/organizations`, {
    headers: { cookie: `__session=${'a'.repeat(43)}`, 'x-parley-organization': service.demo.id },
  })
  expect(cookie.status).toBe(401)
  const basic = await fetch(`${service.url}${PLATFORM}/organizations`, { headers: { authorization: 'Basic cGs6' } })
  expect(basic.status).toBe(401)
  // Nor is a platform key anything to an organization.
  const [[, client] = []] = keys
  expectRefusal(await clientOf(service.url, client?.key ?? '').get('/tasks'), 401, 'unauthorized')
  expectRefusal((await client?.get('/nothing')) ?? expect.fail(), 404, 'not_found')
  expectRefusal((await client?.post('/openapi.json', {})) ?? expect.fail(), 405, 'method_not_allowed')
})

test('a key is kept as its hash, expires, is rotated with a grace period, and revoked at once', async () => {
  const { database } = service
  const client = await platformClient(service)
  expect(client.key).toMatch(/^pk_[0-9A-HJKMNP-TV-Z]{32}$/)
  const [row] = await database.query(sql`select * from platform_keys where id = ${client.keyId}`)
  expect(JSON.stringify(row)).not.toContain(client.key.slice(7, -4))
  expect((await client.get('/organizations')).status).toBe(200)
  await until(
    async () => (await listPlatformKeys(database, false, new Date())).find(({ id }) => id === client.keyId)?.lastUsedAt,
    (at) => typeof at === 'string',
  )
  const brief = await platformClient(service, ['read'], { expiresAt: new Date(Date.now() + 60_000) })
  await database.query(sql`update platform_keys set expires_at = now() - interval '1 second' where id = ${brief.keyId}`)
  expectRefusal(await brief.get('/organizations'), 401, 'unauthorized')

  const stream = await openEvents(`${service.url}${PLATFORM}/events/stream`, client.key)
  const rotated = await rotatePlatformKey(database, client.keyId, { graceMs: 60_000, expiresAt: null }, new Date())
  expect((await client.get('/organizations')).status).toBe(200)
  const successor = clientOf(service.url, rotated?.key ?? '', PLATFORM)
  expect((await successor.get('/organizations')).status).toBe(200)
  expect(await revokePlatformKey(database, { key: client.key }, new Date())).toMatchObject({ id: client.keyId })
  expectRefusal(await client.get('/organizations'), 401, 'unauthorized')
  // What it had opened ends with it.
  await stream.ended
})

test('each key has limits of its own, and says how much is left', async () => {
  const [one, other] = [await platformClient(service, ['read']), await platformClient(service, ['read'])]
  // Many more at once than a slow machine could answer one after the other while the bucket fills again.
  const answers = await Promise.all(Array.from({ length: 100 }, () => one.get('/organizations?limit=1')))
  const refused = answers.find(({ status }) => status === 429) ?? expect.fail('never refused')
  expectRefusal(refused, 429, 'rate_limited')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.get('/organizations?limit=1')).headers.get('x-ratelimit-limit')).toBe('40')
})

test('what was asked of the platform is in its own request log, and in that of no organization', async () => {
  const client = await platformClient(service)
  await client.post('/organizations', { name: '' })
  // Asked of the database: the key may ask for the log only so often, and what is refused would be the newest in it.
  await until(
    () => service.database.query(sql`select 1 from request_log where actor_id = ${client.keyId} and status = 400`),
    (rows) => rows.length === 1,
  )
  const logged = (await client.get('/request-log?failed=true')).body.data
  expect(logged[0]).toMatchObject({
    method: 'POST',
    path: `${PLATFORM}/organizations`,
    status: 400,
    actor: { type: 'key', id: client.keyId },
    error: { code: 'bad_request', field: 'name' },
  })
  const rows = await service.database.query<{ tenant_id: string }>(
    sql`select distinct tenant_id from request_log where path like '/platform/%'`,
  )
  expect(rows).toEqual([{ tenant_id: PLATFORM_ID }])
})

test('on a port of its own the port of the API knows nothing of it, and the other way round', async () => {
  const node = await service.node({ PARLEY_PLATFORM_PORT: '0' })
  const client = await platformClient(service, ['read'], { url: node.platformUrl ?? '' })
  expect((await client.get('/organizations')).status).toBe(200)
  expectRefusal(await clientOf(node.url, client.key, PLATFORM).get('/organizations'), 404, 'not_found')
  expectRefusal(await clientOf(node.platformUrl ?? '', service.api.key).get('/tasks'), 404, 'not_found')
  expect((await clientOf(node.url, service.api.key).get('/tasks')).status).toBe(200)
  await node.stop()
})
