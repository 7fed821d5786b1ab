// The operator's commands, beside a running server with its own embedded database, and on a database that nobody
// serves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../support/databases.js'
import { createEmptyDatabase, queryDatabase } from '../support/empty-database.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { endPrograms, newDataDir, type Program, runProgram, serveProgram } from '../support/program.js'
import { type CommandHost, startCommandHost } from '../support/run/command-host.js'
import { clientOf } from '../support/service.js'

let host: CommandHost
beforeAll(async () => {
  host = await startCommandHost()
})
afterAll(() => host.stop())

describe('beside a running server with an embedded database', () => {
  let server: Program
  beforeAll(async () => {
    server = await serveProgram({ PARLEY_DATA_DIR: await newDataDir() })
  })
  afterAll(endPrograms)

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await host.run(args, { PARLEY_DATA_DIR: server.dataDir })
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }
  const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'))
  const limitOf = async (key: string, method = 'GET') =>
    (await clientOf(server.url, key).request(method, '/tasks')).headers.get('x-ratelimit-limit')

  test('an organization is made, gets keys, is disabled and enabled, and the server follows within a second', async () => {
    const { organizationId, name } = await runJson('org', 'create', 'Second & Co')
    expect(name).toBe('Second & Co')
    const minted = await runJson(
      'keys',
      'mint',
      '--org',
      organizationId,
      '--env',
      'test',
      '--scope',
      'WRITE',
      '--name',
      'CI',
    )
    expect(minted).toEqual({ key: expect.stringMatching(/^ak_test_/), scope: 'WRITE', environment: 'sandbox' })
    const live = (await run('keys', 'mint', '--org', organizationId, '--env', 'live', '--scope', 'ADMIN')).trim()
    expect(live).toMatch(/^ak_live_[0-9A-Z]{32}$/)
    const client = clientOf(server.url, minted.key)
    const { body } = await client.get('/schema')
    expect(body).toMatchObject({
      organization: { id: organizationId, name: 'Second & Co' },
      key: { scope: 'WRITE', environment: 'sandbox' },
    })
    expect(body.canonicalKinds.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(13)
    expect((await clientOf(server.url, live).get('/api-keys')).body.data).toMatchObject([
      { name: 'Minted by the operator' },
    ])

    expect(await runJson('org', 'disable', organizationId)).toEqual({ organizationId, apiEnabled: false })
    await expect.poll(async () => (await client.get('/schema')).status).toBe(403)
    await run('org', 'enable', organizationId)
    await expect.poll(async () => (await client.get('/schema')).status).toBe(200)
  })

  test('limits are shown without changing them, changed one by one, and reset, and the server follows within a second', async () => {
    const { organizationId } = await runJson('org', 'create', 'Limited')
    const { key } = await runJson('keys', 'mint', '--org', organizationId, '--env', 'test', '--scope', 'WRITE')
    expect(await runJson('org', 'limits', organizationId, '--read', '7:9', '--write', '3:5')).toEqual({
      organizationId,
      limits: { read: { sustained: 7, burst: 9 }, write: { sustained: 3, burst: 5 } },
    })
    await expect.poll(() => limitOf(key)).toBe('9')
    expect(await limitOf(key, 'POST')).toBe('5')
    // Looking changes nothing, one limit leaves the other alone, and only --reset resets.
    expect(await run('org', 'limits', organizationId)).toBe(
      'Reads         7 a second, 9 at once\nWrites        3 a second, 5 at once\n' +
        'Items         500 a second, 2000 at once (setting)\n',
    )
    expect((await runJson('org', 'limits', organizationId, '--write', '4:6')).limits).toEqual({
      read: { sustained: 7, burst: 9 },
      write: { sustained: 4, burst: 6 },
    })
    expect((await runJson('org', 'show', organizationId)).limits).toEqual({
      read: { sustained: 7, burst: 9 },
      write: { sustained: 4, burst: 6 },
    })
    expect((await runJson('org', 'limits', organizationId, '--reset')).limits).toEqual({})
    await expect.poll(() => limitOf(key)).toBe('200')
    expect(await run('org', 'limits', organizationId)).toBe(
      'Reads         100 a second, 200 at once (setting)\nWrites        30 a second, 60 at once (setting)\n' +
        'Items         500 a second, 2000 at once (setting)\n',
    )
  })

  test('organizations are listed and shown', async () => {
    const { organizationId } = await runJson('org', 'create', 'Listed Ltd')
    await runJson('keys', 'mint', '--org', organizationId, '--env', 'test', '--scope', 'READ')
    const listed = {
      id: organizationId,
      name: 'Listed Ltd',
      apiEnabled: true,
      activeKeys: 1,
      createdAt: expect.stringMatching(/Z$/),
    }
    expect(await runJson('org', 'list', '--name', 'LISTED')).toEqual({ organizations: [listed], next: null })
    const first = await runJson('org', 'list', '--limit', '1')
    expect([first.organizations[0].name, first.next]).toEqual(['Demo', first.organizations[0].id])
    const rest = await runJson('org', 'list', '--after', first.next)
    expect(rest.organizations).toContainEqual(listed)
    expect(rest.organizations).not.toContainEqual(first.organizations[0])
    const text = await run('org', 'list')
    expect(text.split('\n')[0]).toMatch(/^ID +ENABLED +KEYS +CREATED +NAME$/)
    expect(text).toMatch(new RegExp(`^${organizationId} +yes +1 +\\S+ +Listed Ltd$`, 'm'))
    expect(await runJson('org', 'show', organizationId)).toEqual({
      id: organizationId,
      name: 'Listed Ltd',
      apiEnabled: true,
      createdAt: listed.createdAt,
      limits: {},
      environments: [
        { environment: 'sandbox', tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/), activeKeys: 1, lastUsedAt: null },
        {
          environment: 'production',
          tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          activeKeys: 0,
          lastUsedAt: null,
        },
      ],
    })
    expect(await run('org', 'show', organizationId)).toMatch(
      /^Organization {2}Listed Ltd\nId {12}\S+\nAPI {11}enabled\n/,
    )
  })

  test('two organizations do not share a name by accident', async () => {
    const { organizationId } = await runJson('org', 'create', 'Twice GmbH')
    const again = await runProgram(['org', 'create', '  twice  GMBH '], { PARLEY_DATA_DIR: server.dataDir })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toBe(
      `Organization ${organizationId} is called Twice GmbH already. Use it, choose another name, or repeat with --force.\n`,
    )
    expect((await runJson('org', 'create', 'Twice GmbH', '--force')).organizationId).not.toBe(organizationId)
    const racing = await Promise.all(
      [1, 2].map(() => runProgram(['org', 'create', 'At once'], { PARLEY_DATA_DIR: server.dataDir })),
    )
    expect(racing.map(({ code }) => code).toSorted()).toEqual([0, 1])
  })

  test('keys are listed without showing them, and a revoked one is refused by the running server within a second', async () => {
    const { organizationId } = await runJson('org', 'create', 'Keys Inc')
    const mint = async (env: string) =>
      (
        await run('keys', 'mint', '--org', organizationId, '--env', env, '--scope', 'WRITE', '--name', `CI ${env}`)
      ).trim()
    const [test, live] = [await mint('test'), await mint('live')]
    const list = async (...more: string[]) => (await runJson('keys', 'list', '--org', organizationId, ...more)).keys
    expect(await list()).toMatchObject([
      {
        environment: 'production',
        name: 'CI live',
        scope: 'WRITE',
        prefix: live.slice(0, 12),
        last4: live.slice(-4),
        revokedAt: null,
      },
      {
        environment: 'sandbox',
        name: 'CI test',
        scope: 'WRITE',
        prefix: test.slice(0, 12),
        last4: test.slice(-4),
        revokedAt: null,
      },
    ])
    const text = await run('keys', 'list', '--org', organizationId, '--env', 'test')
    expect(text).toMatch(
      /^ID +KEY +SCOPE +LAST USED +EXPIRES +REVOKED +NAME\n\S+ +ak_test_\S{4}…\S{4} +WRITE +- +- +- +CI test\n$/,
    )
    expect(text).not.toContain(test)

    const client = clientOf(server.url, test)
    expect((await client.get('/schema')).status).toBe(200)
    const [{ id }] = await list('--env', 'test')
    expect(await run('keys', 'revoke', id)).toBe(`Key ${id} (CI test) is revoked.\n`)
    await expect.poll(async () => (await client.get('/schema')).status, { interval: 50 }).toBe(401)
    expect(await run('keys', 'revoke', id)).toMatch(/was revoked already, at /)
    expect(await list('--env', 'test')).toEqual([])
    expect(await list('--env', 'test', '--all')).toMatchObject([{ id, revokedAt: expect.stringMatching(/Z$/) }])
    // One that has leaked may be all that is known of it.
    expect(await runJson('keys', 'revoke', live)).toMatchObject({
      name: 'CI live',
      revokedAt: expect.stringMatching(/Z$/),
    })
    expect((await clientOf(server.url, live).get('/schema')).status).toBe(401)
  })

  test('migrate has nothing to do, and the server goes on serving', async () => {
    expect(await runJson('migrate')).toEqual({ applied: [] })
    const alone = await runProgram(['migrate'], { PARLEY_DATA_DIR: server.dataDir })
    expect(alone).toEqual({ code: 0, signal: null, stdout: 'Nothing to do.\n', stderr: '' })
    expect((await (await server.client()).get('/schema')).status).toBe(200)
  })
})

describe('on a database that nobody serves', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createEmptyDatabase()
  })
  afterAll(async () => {
    await endPrograms()
    await database.drop()
  })
  const settings = () => ({ DATABASE_URL: database.url, PARLEY_SECRET: 'sixteen characters or more' })
  const run = (...args: string[]) => host.run(args, settings())

  test('a command on an empty database says to migrate first; migrate makes it whole', async () => {
    expect(await run('keys', 'mint', '--org', nobodysId, '--env', 'test', '--scope', 'READ')).toMatchObject({
      code: 1,
      stderr: 'The database is empty. Run parley-server migrate first.\n',
    })
    const first = await run('migrate', '--json')
    expect([first.code, JSON.parse(first.stdout).applied[0]]).toEqual([0, '0001_foundation.sql'])
    const [views] = await queryDatabase<{ count: number }>(
      database.url,
      "select count(*)::int as count from pg_views where schemaname = 'analytics'",
    )
    expect(views?.count).toBeGreaterThan(25)
    const created = await run('org', 'create', 'Alone')
    expect(created.stdout).toMatch(/^Organization Alone: [0-9a-f-]{36}\nNext: parley-server keys mint --org /)
    expect(await queryDatabase(database.url, 'select name, api_enabled from organizations')).toEqual([
      { name: 'Alone', api_enabled: true },
    ])
  })

  test('migrate brings the views of analysts up to date, and touches them only when they have changed', async () => {
    const viewId = async () =>
      (
        await queryDatabase<{ oid: number | null }>(database.url, "select to_regclass('analytics.tasks')::oid as oid")
      )[0]?.oid
    const before = await viewId()
    await run('migrate')
    expect(await viewId()).toBe(before)
    await queryDatabase(
      database.url,
      "drop view analytics.tasks; update derived_schema set text = 'of an older version'",
    )
    expect((await run('migrate')).code).toBe(0)
    expect(await viewId()).not.toBeNull()
    expect(await viewId()).not.toBe(before)
  })

  test('wrong arguments are said in one line, exit with 1, and change nothing', async () => {
    const refused: [string, string[], RegExp][] = [
      ['an unknown organization', ['org', 'disable', nobodysId], /^There is no organization/],
      ['an id that is none', ['org', 'enable', '-'.repeat(36).replace(/^-/, 'x')], /is not an organization id/],
      ['a limit that is none', ['org', 'limits', nobodysId, '--read', 'fast'], /^--read takes sustained:burst/],
      ['a list of too many', ['org', 'list', '--limit', '0'], /^--limit takes a whole number from 1 to 1000/],
      ['an organization to show that is not there', ['org', 'show', nobodysId], /^There is no organization .*org list/],
      ['limits of one that is not there', ['org', 'limits', nobodysId], /^There is no organization/],
      ['keys of one that is not there', ['keys', 'list', '--org', nobodysId], /^There is no organization/],
      ['a key that is not there', ['keys', 'revoke', nobodysId], /^There is no such key/],
      ['neither a key nor an id', ['keys', 'revoke', 'mine'], /^mine is not a key or its id/],
      ['a blank name', ['org', 'create', '  '], /^A name has 1 to 255 characters/],
      [
        'an unknown scope',
        ['keys', 'mint', '--org', nobodysId, '--env', 'test', '--scope', 'ROOT'],
        /Allowed choices are READ, WRITE, ADMIN/,
      ],
      ['no organization', ['keys', 'mint', '--env', 'test', '--scope', 'READ'], /required option '--org <id>'/],
      ['an unknown command', ['frobnicate'], /^error: /],
    ]
    // The last one in a process of its own, where the exit is real.
    const runIt = (args: string[], index: number) =>
      index === refused.length - 1 ? runProgram(args, settings()) : run(...args)
    for (const [index, [what, args, message]] of refused.entries()) {
      const { code, stdout, stderr } = await runIt(args, index)
      expect([what, code, stdout]).toEqual([what, 1, ''])
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/^\s+at /m)
    }
    expect(await queryDatabase(database.url, 'select count(*)::int as count from organizations')).toEqual([
      { count: 1 },
    ])
    expect(await queryDatabase(database.url, 'select count(*)::int as count from api_keys')).toEqual([{ count: 0 }])
  })

  test('a wrong setting is said before anything is done', async () => {
    const { code, stderr } = await runProgram(['migrate'], { DATABASE_URL: database.url, PARLEY_NONSENSE: '1' })
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('PARLEY_SECRET is not set'),
      expect.stringContaining('PARLEY_NONSENSE is not a setting'),
    ])
  })
})
