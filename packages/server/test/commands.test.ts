// The operator's commands, beside a running server with its own embedded database, and on a database that nobody serves.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestDatabase } from './support/databases.js'
import { createEmptyDatabase, queryDatabase } from './support/empty-database.js'
import { nobodysId } from './support/endpoint-requests.js'
import { eachOf } from './support/every-endpoint.js'
import { endPrograms, type Finished, newDataDir, type Program, runProgram, serveProgram } from './support/program.js'
import { clientOf } from './support/service.js'

// Every command is a process of its own, which takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

describe('beside a running server with an embedded database', () => {
  let server: Program
  beforeAll(async () => {
    server = await serveProgram({ PARLEY_DATA_DIR: await newDataDir() })
  })
  afterAll(endPrograms)

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(args, { PARLEY_DATA_DIR: server.dataDir })
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }
  const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'))
  const limitOf = async (key: string, method = 'GET') => (await clientOf(server.url, key).request(method, '/tasks')).headers.get('x-ratelimit-limit')

  test('an organization is made, gets keys, is limited, disabled and enabled, and the server follows within a second', async () => {
    const { organizationId, name } = await runJson('org', 'create', 'Second & Co')
    expect(name).toBe('Second & Co')
    const minted = await runJson('keys', 'mint', '--org', organizationId, '--env', 'test', '--scope', 'WRITE', '--name', 'CI')
    expect(minted).toEqual({ key: expect.stringMatching(/^ak_test_/), scope: 'WRITE', environment: 'sandbox' })
    const live = (await run('keys', 'mint', '--org', organizationId, '--env', 'live', '--scope', 'ADMIN')).trim()
    expect(live).toMatch(/^ak_live_[0-9A-Z]{32}$/)
    const client = clientOf(server.url, minted.key)
    const { body } = await client.get('/schema')
    expect(body).toMatchObject({ organization: { id: organizationId, name: 'Second & Co' }, key: { scope: 'WRITE', environment: 'sandbox' } })
    expect(body.canonicalKinds.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(13)
    expect((await clientOf(server.url, live).get('/api-keys')).body.data).toMatchObject([{ name: 'Minted by the operator' }])

    expect(await runJson('org', 'limits', organizationId, '--read', '7:9', '--write', '3:5')).toEqual({
      organizationId,
      limits: { read: { sustained: 7, burst: 9 }, write: { sustained: 3, burst: 5 } },
    })
    await expect.poll(() => limitOf(minted.key), { timeout: 2_500 }).toBe('9')
    expect(await limitOf(live, 'POST')).toBe('5')
    await run('org', 'limits', organizationId)
    await expect.poll(() => limitOf(minted.key), { timeout: 2_500 }).toBe('200')

    expect(await runJson('org', 'disable', organizationId)).toEqual({ organizationId, apiEnabled: false })
    await expect.poll(async () => (await client.get('/schema')).status, { timeout: 2_500 }).toBe(403)
    await run('org', 'enable', organizationId)
    await expect.poll(async () => (await client.get('/schema')).status, { timeout: 2_500 }).toBe(200)
  })

  test('migrate has nothing to do, and the server goes on serving', async () => {
    expect(await runJson('migrate')).toEqual({ applied: [] })
    expect(await run('migrate')).toBe('Nothing to do.\n')
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
  const run = (...args: string[]) => runProgram(args, { DATABASE_URL: database.url, PARLEY_SECRET: 'sixteen characters or more' })

  test('a command on an empty database says to migrate first; migrate makes it whole', async () => {
    expect(await run('keys', 'mint', '--org', nobodysId, '--env', 'test', '--scope', 'READ')).toMatchObject({
      code: 1,
      stderr: 'The database is empty. Run parley-server migrate first.\n',
    })
    const first = await run('migrate', '--json')
    expect([first.code, JSON.parse(first.stdout).applied[0]]).toEqual([0, '0001_foundation.sql'])
    const [views] = await queryDatabase<{ count: number }>(database.url, "select count(*)::int as count from pg_views where schemaname = 'analytics'")
    expect(views?.count).toBeGreaterThan(25)
    const created = await run('org', 'create', 'Alone')
    expect(created.stdout).toMatch(/^Organization Alone: [0-9a-f-]{36}\nNext: parley-server keys mint --org /)
    expect(await queryDatabase(database.url, 'select name, api_enabled from organizations')).toEqual([{ name: 'Alone', api_enabled: true }])
  })

  test('migrate brings the views of analysts up to date, and touches them only when they have changed', async () => {
    const viewId = async () => (await queryDatabase<{ oid: number | null }>(database.url, "select to_regclass('analytics.tasks')::oid as oid"))[0]?.oid
    const before = await viewId()
    await run('migrate')
    expect(await viewId()).toBe(before)
    await queryDatabase(database.url, "drop view analytics.tasks; update derived_schema set text = 'of an older version'")
    expect((await run('migrate')).code).toBe(0)
    expect(await viewId()).not.toBeNull()
    expect(await viewId()).not.toBe(before)
  })

  test('wrong arguments are said in one line, exit with 1, and change nothing', async () => {
    const refused: [string, string[], RegExp][] = [
      ['an unknown organization', ['org', 'disable', nobodysId], /^There is no organization/],
      ['an id that is none', ['org', 'enable', '-'.repeat(36).replace(/^-/, 'x')], /is not an organization id/],
      ['a limit that is none', ['org', 'limits', nobodysId, '--read', 'fast'], /^--read takes sustained:burst/],
      ['a blank name', ['org', 'create', '  '], /^A name has 1 to 255 characters/],
      ['an unknown scope', ['keys', 'mint', '--org', nobodysId, '--env', 'test', '--scope', 'ROOT'], /Allowed choices are READ, WRITE, ADMIN/],
      ['no organization', ['keys', 'mint', '--env', 'test', '--scope', 'READ'], /required option '--org <id>'/],
      ['an unknown command', ['frobnicate'], /^error: /],
    ]
    const answers = await eachOf(refused, ([, args]) => run(...args))
    for (const [index, [what, , message]] of refused.entries()) {
      const { code, stdout, stderr } = answers[index] as Finished
      expect([what, code, stdout]).toEqual([what, 1, ''])
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/^\s+at /m)
    }
    expect(await queryDatabase(database.url, 'select count(*)::int as count from organizations')).toEqual([{ count: 1 }])
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
