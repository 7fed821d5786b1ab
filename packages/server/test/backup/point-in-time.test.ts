// The embedded database comes back as it was at a moment between two writes, by a backup and the log since; in a new
// place it comes back from the backup alone.
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { endPrograms, newDataDir, runProgram, serveProgram } from '../support/program.js'

afterAll(endPrograms)

test('any moment since a backup comes back, and nobody starts on half of it', async () => {
  const dataDir = await newDataDir()
  const env = { PARLEY_DATA_DIR: dataDir, PARLEY_WAL_ARCHIVE: `${dataDir}-wal` }
  const backups = `${dataDir}-backups`
  let server = await serveProgram(env)
  let api = await server.client()
  const namesOf = async () => {
    const { body } = await api.get('/people?limit=100')
    return body.data.map(({ displayName }: { displayName: string }) => displayName).sort()
  }
  const add = async (displayName: string) => expect((await api.post('/people', { displayName })).status).toBe(201)
  await add('before the backup')
  const backup = await runProgram(['backup', backups], env)
  expect([backup.code, backup.stderr]).toEqual([0, ''])
  await add('after the backup')
  await sleep(2)
  const moment = new Date().toISOString()
  await sleep(2)
  await add('too late')
  const refused = await runProgram(['restore', backups, '--at', moment], env)
  expect(refused.stderr).toMatch(/A server runs on .* Stop it first/)
  await server.stop()

  const overwriting = await runProgram(['restore', backups, '--at', moment], env)
  expect(overwriting.stderr).toMatch(/There is a database in .* Use --force/)
  const restored = await runProgram(['restore', backups, '--at', moment, '--force', '--json'], env)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const { kept, links, keys, missing } = JSON.parse(restored.stdout)
  expect([links, keys.length, missing]).toEqual([1, 2, 0])
  expect((await stat(join(kept, 'PG_VERSION'))).isFile()).toBe(true)
  for (const name of await readdir(backups, { recursive: true }))
    expect((await stat(join(backups, name))).mode & 0o077, name).toBe(0)

  server = await serveProgram(env, /(Webhooks and texts are held)/)
  await expect.poll(() => server.output()).toMatch(/Serving/)
  api = await serving(server)
  expect(await namesOf()).toEqual(['after the backup', 'before the backup'])
  await add('and on it goes')
  const resumed = await runProgram(['resume', '--json'], env)
  expect(JSON.parse(resumed.stdout)).toMatchObject({ deliveries: 0, texts: 0, isReleased: true })
  await server.stop()

  // Another machine: the backup, the secret, nothing else.
  const elsewhere = await newDataDir()
  await mkdir(elsewhere, { recursive: true })
  const alone = await runProgram(['restore', backups], { PARLEY_DATA_DIR: elsewhere })
  expect(alone.stderr).toMatch(/The secret is not known/)
  expect(await readdir(elsewhere)).toEqual([])
  await cp(join(dataDir, 'secret'), join(elsewhere, 'secret'))
  await cp(join(dataDir, 'first-run.json'), join(elsewhere, 'first-run.json'))
  const moved = await runProgram(['restore', backups, '--json'], { PARLEY_DATA_DIR: elsewhere })
  expect([moved.code, moved.stderr]).toEqual([0, ''])
  server = await serveProgram({ PARLEY_DATA_DIR: elsewhere })
  api = await server.client()
  expect(await namesOf()).toEqual(['before the backup'])
  const { body } = await api.get('/events?limit=100')
  expect(body.data.map(({ type }: { type: string }) => type)).toContain('person.created')
}, 180_000)

async function serving(server: Awaited<ReturnType<typeof serveProgram>>) {
  const url = /Serving (http:\/\/[^/"]+)\/api\/v1/.exec(server.output())?.[1] ?? ''
  const { keys } = JSON.parse(await readFile(join(server.dataDir, 'first-run.json'), 'utf8'))
  const { clientOf } = await import('../support/service.js')
  return clientOf(url, keys.test)
}
