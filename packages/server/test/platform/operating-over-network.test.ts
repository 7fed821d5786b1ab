// The operator's commands: platform keys on the database, and everything about organizations and API keys over the
// platform API, with the same words as on the database.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nobodysId } from '../support/endpoint-requests.js'
import { type CommandHost, startCommandHost } from '../support/run/command-host.js'
import { clientOf, type Service, secret, startService } from '../support/service.js'
import { until } from '../support/until.js'

let service: Service
let host: CommandHost
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
  host = await startCommandHost()
})
afterAll(async () => {
  await host.stop()
  await service.stop()
})

const onDatabase = () => ({ DATABASE_URL: service.databaseUrl, PARLEY_SECRET: secret })
const run = async (args: string[], env: Record<string, string>) => {
  const { code, stdout, stderr } = await host.run(args, env)
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  return stdout
}
const refused = async (args: string[], env: Record<string, string>) => {
  const { code, stdout, stderr } = await host.run(args, env)
  expect([code, stdout]).toEqual([1, ''])
  return stderr
}

test('platform keys are minted, listed, rotated and revoked on the database alone', async () => {
  const mint = ['platform-keys', 'mint', '--name', 'Integrator', '--scopes', 'read,manage,keys', '--expires', '30d']
  const minted = JSON.parse(await run([...mint, '--json'], onDatabase()))
  expect(minted).toEqual({
    id: expect.any(String),
    key: expect.stringMatching(/^pk_[0-9A-Z]{32}$/),
    expiresAt: expect.stringMatching(/Z$/),
  })
  const platform = (key: string) => clientOf(service.url, key, '/platform/v1')
  await until(
    async () => (await platform(minted.key).get('/organizations')).status,
    (status) => status === 200,
  )
  const listed = await run(['platform-keys', 'list'], onDatabase())
  expect(listed).toMatch(/^ID +KEY +SCOPES +LAST USED +EXPIRES +REVOKED +NAME\n\S+ +pk_\w{4}…\w{4} +read,manage,keys +/)
  expect(listed).not.toContain(minted.key)
  const next = (await run(['platform-keys', 'rotate', minted.id, '--grace', '0s'], onDatabase())).trim()
  expect((await platform(minted.key).get('/organizations')).status).toBe(401)
  expect((await platform(next).get('/organizations')).status).toBe(200)
  expect(await run(['platform-keys', 'revoke', next], onDatabase())).toMatch(/\(Integrator\) is revoked\.\n$/)
  expect(await run(['platform-keys', 'list'], onDatabase())).toBe('No platform keys.\n')
  const all = JSON.parse(await run(['platform-keys', 'list', '--all', '--json'], onDatabase()))
  expect(all.keys).toHaveLength(2)
  for (const [args, message] of [
    [['mint', '--name', 'X', '--scopes', 'root'], /root is no scope/],
    [['mint', '--name', 'X', '--scopes', 'read', '--expires', '2020-01-01'], /Give days such as 90d/],
    [['rotate', nobodysId], /There is no such key/],
    [['rotate', nobodysId, '--grace', '90d'], /--grace takes/],
    [['revoke', 'mine'], /is not a platform key or its id/],
  ] as const)
    expect(await refused(['platform-keys', ...args], onDatabase())).toMatch(message)
})

test('with --url the commands do the same over the platform API as on the database', async () => {
  const key = (
    await run(['platform-keys', 'mint', '--name', 'Remote', '--scopes', 'read,manage,keys'], onDatabase())
  ).trim()
  const far = { PARLEY_PLATFORM_KEY: key }
  const over = async (...args: string[]) => JSON.parse(await run([...args, '--url', service.url, '--json'], far))
  await until(
    async () => (await host.run(['org', 'list', '--url', service.url], far)).code,
    (code) => code === 0,
  )
  const near = async (...args: string[]) => JSON.parse(await run([...args, '--json'], onDatabase()))

  const { organizationId } = await over('org', 'create', 'Far away')
  expect(await refused(['org', 'create', 'far AWAY', '--url', service.url], far)).toMatch(/is called far AWAY already/)
  const listed = await over('org', 'list')
  expect(listed).toEqual(await near('org', 'list'))
  expect((await over('org', 'list', '--limit', '1')).next).toBe(listed.organizations[0].id)
  expect(await over('org', 'list', '--after', listed.organizations[0].id)).toEqual(
    await near('org', 'list', '--after', listed.organizations[0].id),
  )
  const limits = ['org', 'limits', organizationId]
  expect(await over(...limits, '--read', '7:9', '--items', '3:4')).toEqual({
    organizationId,
    limits: { read: { sustained: 7, burst: 9 }, items: { sustained: 3, burst: 4 } },
  })
  expect(await run([...limits, '--url', service.url], far)).toBe(
    'Reads         7 a second, 9 at once\nWrites        as the server is set\nItems         3 a second, 4 at once\n',
  )
  expect((await over(...limits, '--reset')).limits).toEqual({})
  expect(await over('org', 'disable', organizationId)).toEqual({ organizationId, apiEnabled: false })
  expect((await near('org', 'show', organizationId)).apiEnabled).toBe(false)
  await over('org', 'enable', organizationId)

  const mint = ['keys', 'mint', '--org', organizationId, '--env', 'test', '--scope', 'READ']
  const { key: leaked } = await over(...mint, '--name', 'Leaked')
  const { key: good } = await over(...mint)
  expect((await clientOf(service.url, good).get('/tasks')).status).toBe(200)
  const keys = ['keys', 'list', '--org', organizationId]
  // When a key was last used is written down now and then.
  const unused = (found: { keys: object[] }) => found.keys.map((one) => ({ ...one, lastUsedAt: null }))
  expect(unused(await over(...keys))).toEqual(unused(await near(...keys)))
  expect(await over('keys', 'revoke', leaked, '--org', organizationId)).toMatchObject({ name: 'Leaked' })
  expect((await over(...keys)).keys).toHaveLength(1)
  expect((await over(...keys, '--all')).keys).toHaveLength(2)
  expect((await clientOf(service.url, leaked).get('/tasks')).status).toBe(401)

  for (const [args, env, message] of [
    [['org', 'list', '--url', service.url], {}, /set PARLEY_PLATFORM_KEY/],
    [['org', 'list', '--url', 'ftp://x'], far, /--url takes the address/],
    [['org', 'list', '--url', 'http://127.0.0.1:1'], far, /does not answer/],
    [['org', 'list', '--url', service.url], { PARLEY_PLATFORM_KEY: `pk_${'0'.repeat(32)}` }, /valid platform key/],
    [['org', 'show', nobodysId, '--url', service.url], far, /^There is no organization/],
    [['keys', 'list', '--org', nobodysId, '--url', service.url], far, /^There is no organization/],
    [['keys', 'revoke', leaked, '--url', service.url], far, /say whose key it is/],
  ] as const)
    expect(await refused([...args], env)).toMatch(message)
})
