// The embedded database comes back as it was at a moment between two writes, by a backup and the log since; in a new
// place it comes back from the backup alone.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endPrograms, newDataDir, serveProgram } from '../support/program.js'
import { type CommandHost, startCommandHost } from '../support/run/command-host.js'
import { clientOf } from '../support/service.js'

let host: CommandHost
beforeAll(async () => {
  host = await startCommandHost()
})
afterAll(async () => {
  await host.stop()
  await endPrograms()
})

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
  const backup = await host.run(['backup', backups], env)
  expect([backup.code, backup.stderr]).toEqual([0, ''])
  await add('after the backup')
  await sleep(2)
  const moment = new Date().toISOString()
  await sleep(2)
  await add('too late')
  const refused = await host.run(['restore', backups, '--at', moment], env)
  expect(refused.stderr).toMatch(/A server runs on .* Stop it first/)
  await server.stop()

  const overwriting = await host.run(['restore', backups, '--at', moment], env)
  expect(overwriting.stderr).toMatch(/There is a database in .* Use --force/)
  const restored = await host.run(['restore', backups, '--at', moment, '--force', '--json'], env)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const { kept, links, keys, missing } = JSON.parse(restored.stdout)
  expect([links, keys.length, missing]).toEqual([1, 2, 0])
  expect((await stat(join(kept, 'PG_VERSION'))).isFile()).toBe(true)
  // As a restore that was killed before its end leaves it.
  const mark = join(kept, '..', 'unfinished-restore')
  await writeFile(mark, '')
  expect((await host.run(['migrate'], env)).stderr).toMatch(/has not ended. Run it again/)
  await rm(mark)
  for (const name of await readdir(backups, { recursive: true }))
    expect((await stat(join(backups, name))).mode & 0o077, name).toBe(0)

  server = await serveProgram(env, /(Webhooks and texts are held)/)
  await expect.poll(() => server.output()).toMatch(/Serving/)
  api = await serving(server)
  expect(await namesOf()).toEqual(['after the backup', 'before the backup'])
  await add('and on it goes')
  const resumed = await host.run(['resume', '--json'], env)
  expect(JSON.parse(resumed.stdout)).toMatchObject({ deliveries: 0, texts: 0, isReleased: true })
  await server.stop()

  // Another machine: the backup, the secret, nothing else.
  const elsewhere = await newDataDir()
  await mkdir(elsewhere, { recursive: true })
  const alone = await host.run(['restore', backups], { PARLEY_DATA_DIR: elsewhere })
  expect(alone.stderr).toMatch(/The secret is not known/)
  expect(await readdir(elsewhere)).toEqual([])
  await cp(join(dataDir, 'secret'), join(elsewhere, 'secret'))
  const moved = await host.run(['restore', backups, '--json'], { PARLEY_DATA_DIR: elsewhere })
  expect([moved.code, moved.stderr]).toEqual([0, ''])
  expect(JSON.parse(moved.stdout)).toMatchObject({ links: 1, recordings: 0 })
  const listed = await host.run(['org', 'list', '--json'], { PARLEY_DATA_DIR: elsewhere })
  expect(JSON.parse(listed.stdout).organizations).toMatchObject([{ name: 'Demo', activeKeys: 2 }])
})

async function serving(server: Awaited<ReturnType<typeof serveProgram>>) {
  const url = /Serving (http:\/\/[^/"]+)\/api\/v1/.exec(server.output())?.[1] ?? ''
  const { keys } = JSON.parse(await readFile(join(server.dataDir, 'first-run.json'), 'utf8'))
  return clientOf(url, keys.test)
}
