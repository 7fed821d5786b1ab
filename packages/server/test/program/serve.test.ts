// The program as it is run: what it says when it cannot start, what it leaves on a first start, how it is watched, and
// how it stops.
import { once } from 'node:events'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireServer } from '../../src/database/migrate.js'
import { openDatabase } from '../../src/database/pool.js'
import { StartupError } from '../../src/database/startup-error.js'
import { mintKey } from '../../src/http/gate/api-keys.js'
import { createOrganization } from '../../src/program/create-organization.js'
import { newId } from '../../src/store/id.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'
import { createEmptyDatabase, queryDatabase } from '../support/empty-database.js'
import { endPrograms, newDataDir, type Program, runProgram, serveProgram } from '../support/program.js'
import { jsonOf, rawRequest } from '../support/raw-http.js'
import { clientOf } from '../support/service.js'
import { Browser, tokenOf } from '../support/sign-in/browser.js'
import { until } from '../support/until.js'

const secret = { PARLEY_SECRET: 'sixteen characters or more' }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await endPrograms()
  await database.drop()
})

describe('it says in plain lines why it cannot start, and exits with 1', () => {
  const fails = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await runProgram(['serve'], {
      PARLEY_DATA_DIR: await newDataDir(),
      LOG_LEVEL: 'warn',
      PORT: '0',
      ...env,
    })
    expect(code).toBe(1)
    expect(stdout + stderr).not.toMatch(/^\s+at /m)
    return stderr.trim().split('\n')
  }

  test('with every wrong and unknown setting at once', async () => {
    const lines = await fails({
      PORT: '70000',
      HOST: 'not a host',
      PARLEY_RATE_LIMIT_READ: 'fast',
      PARLEY_NONSENSE: '1',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
    })
    for (const name of [
      'PORT',
      'HOST',
      'PARLEY_RATE_LIMIT_READ',
      'PARLEY_NONSENSE',
      'DATABASE_URL',
      'LOG_LEVEL',
      'PARLEY_SECRET',
    ]) {
      expect(lines.filter((line) => line.startsWith(`${name} `))).toHaveLength(1)
    }
    expect(lines).toHaveLength(7)
  })

  test('without a secret for a database of its own', async () => {
    expect(await fails({ DATABASE_URL: database.url })).toEqual([expect.stringContaining('PARLEY_SECRET is not set')])
  })

  test('with a database that does not answer, does not exist, or refuses the password', async () => {
    expect(await fails({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', ...secret })).toEqual([
      expect.stringMatching(/does not answer.*ECONNREFUSED/),
    ])
    expect(await fails({ DATABASE_URL: 'postgres://u:p@nowhere.invalid/x', ...secret })).toEqual([
      expect.stringMatching(/does not answer.*(ENOTFOUND|EAI_AGAIN)/),
    ])
    expect(await fails({ DATABASE_URL: database.url.replace(/parley_test_\w+/, 'parley_no_such'), ...secret })).toEqual(
      [expect.stringContaining('does not exist')],
    )
    const name = new pg.Client({ connectionString: database.url }).user ?? ''
    const wrong = database.url.replace(new RegExp(`//${name}:[^@]*@`), `//${name}:wrong@`)
    if (wrong !== database.url)
      expect(await fails({ DATABASE_URL: wrong, ...secret })).toEqual([expect.stringContaining('password')])
  })

  test('with a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    expect(await fails({ PORT: String(port), DATABASE_URL: database.url, ...secret })).toEqual([
      expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    ])
    other.close()
  })

  test('with a host that is not of this machine', async () => {
    expect(await fails({ HOST: '203.0.113.1', DATABASE_URL: database.url, ...secret })).toEqual([
      expect.stringContaining('Cannot listen on 203.0.113.1'),
    ])
  })

  test('with a damaged first-run.json', async () => {
    for (const text of ['{', '{"keys":{"test":1}}']) {
      const dataDir = await newDataDir()
      await mkdir(dataDir, { recursive: true })
      await writeFile(join(dataDir, 'first-run.json'), text)
      const lines = await fails({ PARLEY_DATA_DIR: dataDir, DATABASE_URL: database.url, ...secret })
      expect(lines).toEqual([expect.stringMatching(/first-run\.json is damaged\. Delete it/)])
    }
  })

  test('with a PostgreSQL older than 15', () => {
    expect(() => requireServer(140_012)).toThrow(
      new StartupError(
        'DATABASE_URL points to PostgreSQL 14; Parley needs 15 or later. Upgrade that server or use another one.',
      ),
    )
    expect(() => requireServer(150_000)).not.toThrow()
  })

  test('with a database of a newer Parley', async () => {
    const newer = await createTestDatabase()
    await queryDatabase(newer.url, "insert into migrations (name) values ('9999_from_the_future.sql')")
    expect(await fails({ DATABASE_URL: newer.url, ...secret })).toEqual([
      expect.stringMatching(/newer Parley \(9999_from_the_future\.sql\)/),
    ])
    await newer.drop()
  })

  test('with a data folder that cannot be made', async () => {
    const file = join(await newDataDir(), '..', 'a-file')
    await writeFile(file, 'in the way')
    const empty = await createTestDatabase()
    const [line] = await fails({ PARLEY_DATA_DIR: join(file, 'data'), DATABASE_URL: empty.url, ...secret })
    expect(line).toMatch(/data folder|PARLEY_DATA_DIR/)
    await empty.drop()
  })
})

describe('the first start on an empty database', () => {
  test('makes the organization Demo, two keys that work, and a private file that tells them', async () => {
    const empty = await createEmptyDatabase()
    const program = await serveProgram({ DATABASE_URL: empty.url, ...secret })
    const first = await program.firstRun()
    expect(Object.keys(first)).toEqual(['baseUrl', 'organizationId', 'keys', 'signInUrl'])
    expect(first.baseUrl).toBe(program.url)
    expect((await stat(join(program.dataDir, 'first-run.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(program.dataDir)).mode & 0o077).toBe(0)
    for (const [key, environment] of [
      [first.keys.test, 'sandbox'],
      [first.keys.live, 'production'],
    ] as const) {
      const { body } = await clientOf(program.url, key).get('/schema')
      expect(body).toMatchObject({
        organization: { id: first.organizationId, name: 'Demo', environment },
        key: { scope: 'ADMIN' },
      })
      expect(body.canonicalKinds.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(13)
      expect(program.output()).not.toContain(key)
    }
    expect(program.output()).toContain(join(program.dataDir, 'first-run.json'))
    expect(program.output().split('\n')).toContainEqual(
      expect.stringMatching(/^Sign in .*: http\S+\/sign-in#[\w-]{43}$/),
    )
    expect(program.output()).toContain(first.signInUrl)
    expect(program.output()).toMatch(/Database: postgres/)
    expect(program.output()).not.toContain(new pg.Client({ connectionString: empty.url }).password)
    await stopping(program, 'SIGTERM')
    const again = await serveProgram({ DATABASE_URL: empty.url, ...secret, PARLEY_DATA_DIR: program.dataDir })
    expect(await again.firstRun()).toEqual(first)
    expect((await clientOf(again.url, first.keys.test).get('/schema')).status).toBe(200)
    await again.stop()
    await empty.drop()
  })

  test('gives the owner a link that signs in, and the operator can make another that voids it', async () => {
    const empty = await createTestDatabase()
    const program = await serveProgram({ DATABASE_URL: empty.url, ...secret })
    const { signInUrl, organizationId, baseUrl } = await program.firstRun()
    expect(signInUrl.startsWith(`${baseUrl}/sign-in#`)).toBe(true)
    const command = { DATABASE_URL: empty.url, ...secret, PARLEY_DATA_DIR: program.dataDir }
    const made = await runProgram(['sign-in-link'], command)
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(made.stdout.trim()).toMatch(new RegExp(`^${baseUrl}/sign-in#[\\w-]{43}$`))
    const browser = new Browser(program.url)
    expect((await browser.post('/session/exchange', { token: tokenOf(signInUrl) })).status).toBe(422)
    const { body } = await browser.post('/session/exchange', { token: tokenOf(made.stdout.trim()) })
    expect(body.session.organizations).toEqual([{ id: organizationId, name: 'Demo', role: 'owner' }])
    const simulated = await browser.at(organizationId).post('/sandbox/simulate', { scenario: 'missed_call' })
    expect(simulated.status).toBe(202)
    const unknown = await runProgram(['sign-in-link', '--email', 'nobody@example.com'], command)
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('No user has the address')])
    await program.stop()
    await empty.drop()
  })

  test('of several nodes at once migrates once and makes one organization', async () => {
    const empty = await createEmptyDatabase()
    const programs = await Promise.all([1, 2, 3].map(() => serveProgram({ DATABASE_URL: empty.url, ...secret })))
    expect(programs.map(({ url }) => url !== '')).toEqual([true, true, true])
    expect(await queryDatabase(empty.url, 'select name from organizations')).toEqual([{ name: 'Demo' }])
    const [migrations] = await queryDatabase<{ count: number }>(
      empty.url,
      'select count(*)::int as count from migrations',
    )
    expect(migrations?.count).toBeGreaterThanOrEqual(2)
    const told = await Promise.all(
      programs.map(async ({ dataDir }) =>
        (await readdir(dataDir).catch((): string[] => [])).includes('first-run.json'),
      ),
    )
    expect(told.filter(Boolean)).toHaveLength(1)
    const key = (await programs[told.indexOf(true)]?.firstRun())?.keys.test ?? ''
    for (const { url } of programs) expect((await clientOf(url, key).get('/schema')).status).toBe(200)
    await Promise.all(programs.map((program) => program.stop()))
    await empty.drop()
  })
})

test('health, readiness and numbers are there for the operator, without a key', async () => {
  const program = await serveProgram({ DATABASE_URL: database.url, ...secret, PARLEY_DATA_DIR: await sharedDataDir() })
  const ask = (path: string) => rawRequest(program.url + path)
  expect(jsonOf(await ask('/healthz'))).toEqual({ status: 'ok' })
  expect(jsonOf(await ask('/readyz'))).toEqual({ status: 'ready' })
  const client = await program.client()
  const { body } = await client.post('/tasks', { title: 'x' })
  await client.get(`/tasks/${body.id}`)
  const metrics = (await ask('/metrics')).bytes.toString()
  expect(metrics).toMatch(
    /parley_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/tasks\/:id",status="200"\} 1/,
  )
  expect(metrics).toMatch(
    /parley_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/tasks",status="201"\} 1/,
  )
  expect(metrics).toContain('process_cpu_seconds_total')
  expect(metrics).not.toContain(body.id)
  await stopping(program, 'SIGINT')
})

/** An idle server stops without the twelve seconds that requests get, although connections are still open. */
async function stopping(program: Program, signal: NodeJS.Signals): Promise<void> {
  const askedAt = Date.now()
  program.signal(signal)
  expect(await program.finished).toMatchObject({ code: 0, signal: null })
  expect(Date.now() - askedAt).toBeLessThan(12_000)
}

describe.concurrent('SIGTERM', () => {
  test('lets requests under way finish, tells others that it is stopping, and exits with 0', async () => {
    const program = await serveProgram({
      DATABASE_URL: database.url,
      ...secret,
      PARLEY_DATA_DIR: await sharedDataDir(),
    })
    const client = await program.client()
    const { body } = await client.post('/tasks', { title: 'before' })
    const blocker = new pg.Client({ connectionString: database.url })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select 1 from tasks where id = $1 for update', [body.id])
    const underWay = client.patch(`/tasks/${body.id}`, { title: 'finished' })
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(
      () => queryDatabase(database.url, waiting),
      (found) => found.length > 0,
    )
    program.signal('SIGTERM')
    await until(
      () => rawRequest(`${program.url}/readyz`),
      ({ status }) => status === 503,
    )
    const [ready, alive, other] = await Promise.all([
      rawRequest(`${program.url}/readyz`),
      rawRequest(`${program.url}/healthz`),
      client.get('/tasks'),
    ])
    expect([ready.status, jsonOf(ready).reason, alive.status]).toEqual([503, 'stopping', 200])
    expect([other.status, other.body.error.code, other.headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
    await blocker.query('commit')
    await blocker.end()
    expect(await underWay).toMatchObject({ status: 200, body: { title: 'finished' } })
    expect(await program.finished).toMatchObject({ code: 0, signal: null })
    expect(
      await queryDatabase(database.url, `select record ->> 'title' as title from tasks where id = '${body.id}'`),
    ).toEqual([{ title: 'finished' }])
  })

  test('in the middle of starting leaves nothing behind: the next start is an ordinary one', async () => {
    const dataDir = await newDataDir()
    const env = { PARLEY_DATA_DIR: dataDir, PORT: '0' }
    await stopping(await serveProgram(env), 'SIGTERM')
    for (const afterMs of [20, 150, 300]) {
      const program = await serveProgram(env, /Database: embedded/)
      await delay(afterMs)
      program.signal('SIGTERM')
      expect(await program.finished).toMatchObject({ code: 0, signal: null })
    }
    const program = await serveProgram(env)
    expect(program.output()).not.toContain('left running')
    await stopping(program, 'SIGTERM')
  })

  test('ends it even when a caller never finishes sending', async () => {
    const program = await serveProgram({
      DATABASE_URL: database.url,
      ...secret,
      PARLEY_DATA_DIR: await sharedDataDir(),
    })
    const { key } = await program.client()
    const { port } = new URL(program.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `POST /api/v1/tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"title":`,
    )
    await delay(200)
    program.signal('SIGTERM')
    // Given up on, it would end with 1.
    expect(await program.finished).toMatchObject({ code: 0 })
    socket.destroy()
  })
})

/** A data folder with keys of the database that the tests share. */
async function sharedDataDir(): Promise<string> {
  const dataDir = await newDataDir()
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const pool = openDatabase({ url: database.url, connections: 1, statementTimeoutMs: 30_000 })
  const organizationId = newId(new Date())
  const [test, live] = [mintKey('sandbox'), mintKey('production')]
  const keys = [
    { environment: 'sandbox', minted: test },
    { environment: 'production', minted: live },
  ] as const
  await createOrganization(pool, { id: organizationId, name: 'Shared' }, new Date(), keys)
  await pool.close()
  await writeFile(
    join(dataDir, 'first-run.json'),
    JSON.stringify({ baseUrl: '', organizationId, keys: { test: test.key, live: live.key } }),
  )
  return dataDir
}
