// The secret that everything at rest is encrypted with, the secrets of webhooks among it: a start with another one, or
// without the one there was, is refused.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/databases.js'
import { queryDatabase } from '../../support/empty-database.js'
import { endPrograms, newDataDir, type Program, runProgram, serveProgram } from '../../support/program.js'
import { type CommandHost, startCommandHost } from '../../support/run/command-host.js'
import { clientOf } from '../../support/service.js'

let database: TestDatabase
let host: CommandHost
/** Of the server that is not embedded. */
let own: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase()
  host = await startCommandHost()
  own = { DATABASE_URL: database.url, PARLEY_DATA_DIR: await newDataDir() }
})
afterAll(async () => {
  await host.stop()
  await endPrograms()
  await database.drop()
})

const right = { PARLEY_SECRET: 'the secret of this database' }
const wrong = { PARLEY_SECRET: 'some other secret, too late' }

/** A key, and the webhook that was made with it under the right secret. */
let made: { key: string; id: string; secret: string }

async function makeWebhook({ url }: Program, key: string): Promise<typeof made> {
  const wanted = { url: 'https://hooks.example.com/parley', eventTypes: ['task.created'] }
  const { status, body } = await clientOf(url, key).post('/webhooks', wanted)
  expect(status).toBe(201)
  return { key, id: body.id, secret: body.secret }
}

/** What it says when it does not start. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runProgram(['serve'], { PORT: '0', LOG_LEVEL: 'warn', ...env })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return stderr
}

test('another PARLEY_SECRET is refused, by several nodes that start together too; the right one goes on', async () => {
  const nodes = await Promise.all([1, 2, 3].map(async () => serveProgram({ DATABASE_URL: database.url, ...right })))
  expect(nodes.map(({ url }) => url !== '')).toEqual([true, true, true])
  expect(await queryDatabase(database.url, 'select count(*)::int as count from secret_canary')).toEqual([{ count: 1 }])
  const said = await refusal({ ...own, ...wrong })
  expect(said).toMatch(/PARLEY_SECRET is not the secret.*Set it to the old one again/)
  for (const { PARLEY_SECRET } of [right, wrong]) expect(said).not.toContain(PARLEY_SECRET)
  await Promise.all(nodes.map((node) => node.stop()))
  // The operator's commands work without a secret.
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await host.run([...args, '--json'], { ...own, ...wrong })
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const { organizationId } = await run('org', 'create', 'Second')
  const { key } = await run('keys', 'mint', '--org', organizationId, '--env', 'test', '--scope', 'ADMIN')
  const again = await serveProgram({ DATABASE_URL: database.url, ...right })
  made = await makeWebhook(again, key)
  await again.stop()
})

test('a database from before this was checked takes the first secret that comes', async () => {
  await queryDatabase(database.url, 'delete from secret_canary')
  const next = await serveProgram({ DATABASE_URL: database.url, ...right })
  expect(next.url).not.toBe('')
  await next.stop()
  expect(await refusal({ ...own, ...wrong })).toContain('PARLEY_SECRET')
})

test('a secret file that is lost or another one beside its embedded database is refused, and no new one is made', async () => {
  const dataDir = await newDataDir()
  const file = join(dataDir, 'secret')
  const first = await serveProgram({ PARLEY_DATA_DIR: dataDir })
  expect(first.url).not.toBe('')
  await first.stop()
  const kept = await readFile(file, 'utf8')
  await rm(file)
  const lost = await refusal({ PARLEY_DATA_DIR: dataDir })
  expect(lost).toContain(`${file} is missing`)
  expect(lost).toContain('set PARLEY_SECRET to that secret')
  await expect(readFile(file, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(file, 'not what it was, but long enough\n', { mode: 0o600 })
  expect(await refusal({ PARLEY_DATA_DIR: dataDir })).toContain(`The secret in ${file} is not the one`)
  await rm(file)
  // What the message says helps: the old secret as a setting.
  const given = await serveProgram({ PARLEY_DATA_DIR: dataDir, PARLEY_SECRET: kept.trim() })
  expect(given.url).not.toBe('')
  await given.stop()
})

test('a secret that is lost for good is given up: keys go on, and webhooks and connections take new secrets', async () => {
  const asked = await host.run(['secret', 'reset'], { ...own, ...wrong })
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/0 connections.* 1 webhooks.*--yes/)])
  expect(await refusal({ ...own, ...wrong })).toContain('PARLEY_SECRET')
  const reset = await host.run(['secret', 'reset', '--yes', '--json'], { ...own, ...wrong })
  expect([reset.code, JSON.parse(reset.stdout)]).toEqual([0, { connections: 0, webhooks: 1 }])

  const after = await serveProgram({ ...own, ...wrong })
  const client = clientOf(after.url, made.key)
  const rotated = await client.post(`/webhooks/${made.id}/rotate-secret`, { gracePeriodSeconds: 60 })
  // The old one signs nothing any more, whatever grace was asked for.
  expect(rotated).toMatchObject({ status: 200, body: { previousSecretExpiresAt: null } })
  expect(rotated.body.secret).not.toBe(made.secret)
  await after.stop()
})
