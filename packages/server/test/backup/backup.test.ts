// A backup that is made while others write is one moment of the database with its recordings, and what is restored from
// it is the same, row by row and byte by byte, but for what a restore has to end.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderPlace } from '../../src/backup/folder-place.js'
import { createSendingGate, type Held } from '../../src/backup/held-sending.js'
import { writeBackup } from '../../src/backup/write-backup.js'
import { sql } from '../../src/database/sql.js'
import { makeSignInLink } from '../../src/program/operator-sign-in.js'
import { folderBlobs } from '../../src/recordings/folder-blobs.js'
import { sweepBlobs } from '../../src/recordings/unnamed-blobs.js'
import { createSealer } from '../../src/store/secret-box.js'
import type { TestDatabase } from '../support/databases.js'
import { createEmptyDatabase, queryDatabase } from '../support/empty-database.js'
import { endPrograms, startProgram } from '../support/program.js'
import { type CommandHost, startCommandHost } from '../support/run/command-host.js'
import { makeScratchFolder } from '../support/run/scratch-folder.js'
import { hasS3, s3Credentials, startS3 } from '../support/servers/s3-server.js'
import { type Service, secret, startService } from '../support/service.js'
import { holdTable, untilLeft } from '../support/waiting/held-table.js'
import { type Content, contentAt, watchedSnapshot } from './database-content.js'

let folder: string
let service: Service
let host: CommandHost
let target: TestDatabase
let backups: string
beforeAll(async () => {
  folder = await makeScratchFolder('parley-backup-')
  backups = join(folder, 'backups')
  // Nothing is sent, so that all stays open that the backup should hold.
  service = await startService({ PARLEY_ROLE: 'api', PARLEY_DATA_DIR: join(folder, 'source') })
  host = await startCommandHost()
  target = await createEmptyDatabase()
})
afterAll(async () => {
  await host.stop()
  await endPrograms()
  await service.stop()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

const env = () => ({ DATABASE_URL: target.url, PARLEY_SECRET: secret, PARLEY_DATA_DIR: join(folder, 'target') })
const run = (args: string[], more: Record<string, string> = {}) => host.run(args, { ...env(), ...more })
const isUnfinished = async () =>
  (
    await queryDatabase<{ found: boolean }>(target.url, `select to_regclass('unfinished_restore') is not null as found`)
  )[0]?.found
const send = (id: string, sound: string) =>
  fetch(`${service.url}/api/v1/voicemails/${id}/recording`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/mpeg' },
    body: sound,
  })
const blobs = () => folderBlobs(join(folder, 'source', 'recordings'))
const newest = async () => join(backups, (await readdir(backups)).sort().at(-1) ?? '')

/** What a restore ends, and what tells of it. */
const ended = ['user_sessions', 'one_time_links', 'sending_hold', 'auth_revision', 'auth_changes']
const lasting = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).filter(([name]) => !ended.includes(name)))

let seen: Content
let voicemails: string[]

test('a backup beside writers is one moment: every row, and every recording that it names', async () => {
  const { api, database } = service
  voicemails = []
  for (let made = 0; made < 3; made++) {
    const { body } = await api.post('/voicemails', { callerNumber: `+1555010720${made}` })
    voicemails.push(body.id)
    await send(body.id, `first sound of ${body.id}`)
  }
  await api.post('/webhooks', { url: 'https://example.com/hooks' })
  expect((await api.post('/sms', { to: '+15550100200', body: 'On our way' })).status).toBe(201)
  await makeSignInLink(database, service.url, {}, new Date())
  await database.query(
    sql`insert into user_sessions (hash, id, user_id, created_at, last_used_at, expires_at)
      select 'x'::bytea, ${randomUUID()}::uuid, id, now(), now(), now() + interval '1 day' from users`,
  )

  await database.query(
    sql`insert into platform_keys (id, name, scopes, hash, prefix, last4)
      values (${randomUUID()}::uuid, 'All shops', '{read}', 'y'::bytea, 'pk_ABCD', 'WXYZ')`,
  )

  let isOver = false
  const writes = [0, 0, 0]
  const writing = writes.map(async (_, writer) => {
    for (let made = 0; !isOver; made++) {
      await api.post('/people', {
        displayName: `Writer ${writer} tab\tand\\slash ${made}\nnext line`,
        customFields: {},
      })
      await send(voicemails[writer] ?? '', `sound ${made}`)
      await sweepBlobs(database, blobs(), new Date())
      writes[writer] = made + 1
    }
  })
  const watched = watchedSnapshot(database, service.databaseUrl)
  await expect.poll(() => Math.min(...writes)).toBeGreaterThan(1)
  const { manifest, missing } = await writeBackup({
    database: watched.database,
    blobs: blobs(),
    sealer: createSealer(secret),
    place: folderPlace(backups),
    version: '0.0.0',
    now: new Date(),
  })
  isOver = true
  await Promise.all(writing)
  seen = await watched.seen()
  expect(missing).toEqual([])
  expect(manifest.recordings.count).toBe(3)
  expect(Object.fromEntries(manifest.tables.map(({ table, rows }) => [table, rows]))).toEqual(
    Object.fromEntries(Object.entries(seen).map(([table, rows]) => [table, rows.length])),
  )
})

test('files are for the owner alone, and hold neither the secret nor a key', async () => {
  const names = await readdir(await newest(), { recursive: true, withFileTypes: true })
  for (const entry of names) {
    const { mode } = await stat(join(entry.parentPath, entry.name))
    expect(mode & 0o777).toBe(entry.isDirectory() ? 0o700 : 0o600)
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    expect(bytes.includes(secret)).toBe(false)
    expect(bytes.includes(service.api.key)).toBe(false)
  }
})

test('a wrong secret and a damaged file are refused before anything is written', async () => {
  const before = await contentAt(target.url)
  const wrong = await run(['restore', backups], { PARLEY_SECRET: 'another secret altogether' })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/secret is not the one/)])
  const backup = await newest()
  const files = (await readdir(backup, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  for (const wanted of ['manifest.json', 'tables', 'recordings']) {
    const entry = files.find((one) => join(one.parentPath, one.name).startsWith(join(backup, wanted)))
    const path = join(entry?.parentPath ?? '', entry?.name ?? '')
    const whole = await readFile(path)
    const broken = Buffer.from(whole)
    broken.writeUInt8((broken.at(-5) ?? 0) ^ 1, broken.length - 5)
    await writeFile(path, broken)
    const refused = await run(['restore', backup])
    expect([refused.code, refused.stderr], path).toEqual([1, expect.stringMatching(/is damaged/)])
    await writeFile(path, whole)
  }
  expect(await contentAt(target.url)).toEqual(before)
})

test('what is restored is what was there; sessions and links are ended, sending is held, keys are named', async () => {
  const { code, stdout, stderr } = await run(['restore', backups, '--json'])
  expect([code, stderr]).toEqual([0, ''])
  const told = JSON.parse(stdout)
  expect(told).toMatchObject({ sessions: 1, links: 1, recordings: 3, keysRevoked: 0 })
  expect(told.keys.map(({ environment }: { environment: string }) => environment)).toEqual([
    'platform',
    'production',
    'sandbox',
  ])
  const restored = await contentAt(target.url)
  expect(lasting(restored)).toEqual(lasting(seen))
  expect([restored['user_sessions'], restored['one_time_links']]).toEqual([[], []])
  expect(restored['sending_hold']).toHaveLength(1)

  const recordings = await queryDatabase<{ folder: string; blob: string; bytes: number }>(
    target.url,
    `select tenant_id || '/' || voicemail_id as folder, blob, bytes::int from voicemail_recordings`,
  )
  expect(recordings).toHaveLength(3)
  for (const { folder: owner, blob, bytes } of recordings) {
    const path = join(folder, 'target', 'recordings', owner, blob)
    expect((await readFile(path)).length).toBe(bytes)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  }

  const held = await run(['resume', '--dry-run', '--json'])
  const open = (seen['webhook_deliveries'] ?? []).length
  expect(open).toBeGreaterThan(0)
  expect(JSON.parse(held.stdout)).toMatchObject({ deliveries: open, texts: 1, isReleased: false })
})

test('a target that holds something is replaced by force alone, and keys are revoked on demand', async () => {
  const refused = await run(['restore', backups])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/has organizations in it/)])
  const letGo = await holdTable(target.url, 'tasks', 'access share')
  const killed = await startProgram(['restore', backups, '--force'], env())
  await expect.poll(isUnfinished).toBe(true)
  killed.signal('SIGKILL')
  await killed.finished
  await letGo()
  await untilLeft(target.url)
  const unfinished = await run(['migrate'])
  expect([unfinished.code, unfinished.stderr]).toEqual([1, expect.stringMatching(/has not ended. Run it again/)])

  // What a killed restore has left is replaced without force.
  const { code, stdout, stderr } = await run(['restore', await newest(), '--revoke-keys', '--json'])
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toMatchObject({ keysRevoked: 3 })
  const keys = await queryDatabase(target.url, 'select 1 from api_keys where revoked_at is null')
  expect(keys).toEqual([])
  const untouched = (content: Content) => ({ ...lasting(content), api_keys: [], platform_keys: [] })
  expect(untouched(await contentAt(target.url))).toEqual(untouched(seen))
})

test('a backup that is killed leaves none; old ones go when there are more than are kept', async () => {
  const before = await folderPlace(backups).names()
  const letGo = await holdTable(service.databaseUrl, 'calendar_feeds', 'access exclusive')
  const killed = await startProgram(['backup', backups], { ...env(), DATABASE_URL: service.databaseUrl })
  await expect.poll(async () => (await readdir(backups)).some((name) => name.endsWith('.unfinished'))).toBe(true)
  killed.signal('SIGKILL')
  await killed.finished
  await letGo()
  expect(await folderPlace(backups).names()).toEqual(before)

  await rename(
    join(backups, (await readdir(backups)).find((name) => name.endsWith('.unfinished')) ?? ''),
    join(backups, 'parley-20200101T000000000Z.unfinished'),
  )
  const source = { DATABASE_URL: service.databaseUrl, PARLEY_DATA_DIR: join(folder, 'source') }
  const { code, stdout } = await run(['backup', backups, '--keep', '1', '--json'], source)
  expect(code).toBe(0)
  const { name, recordings, removed } = JSON.parse(stdout)
  expect([recordings, removed]).toEqual([3, before])
  expect(await readdir(backups)).toEqual([name])
})

test.skipIf(!hasS3)('a bucket holds backups as a folder does', async () => {
  const s3 = await startS3()
  const source = { DATABASE_URL: service.databaseUrl, PARLEY_DATA_DIR: join(folder, 'source'), ...s3Credentials }
  try {
    const away = await run(['backup', 's3://nowhere/x?endpoint=http://127.0.0.1:9'], {
      ...source,
      PARLEY_BLOBS_TIMEOUT: '1s',
    })
    expect([away.code, away.stderr]).toEqual([1, expect.stringMatching(/s3:\/\/nowhere\/x\/ at .* cannot be reached/)])
    const place = s3.url('recordings/nightly')
    const names: string[] = []
    for (const _ of [1, 2]) {
      const { code, stdout, stderr } = await run(['backup', place, '--keep', '1', '--json'], source)
      expect([code, stderr]).toEqual([0, ''])
      names.push(JSON.parse(stdout).name)
    }
    const [first, second = ''] = names
    const files = await readdir(s3.folderOf('recordings'), { recursive: true })
    expect(files.filter((path) => path.includes(`${first}`))).toEqual([])
    const one = await run(['restore', s3.url(`recordings/nightly/${second}`), '--check'], s3Credentials)
    expect([one.code, one.stdout]).toEqual([0, `${second} is whole.\n`])
  } finally {
    await s3.stop()
  }
})

test('while sending is held no node sends, and each goes on when the operator resumes', async () => {
  const { database, databaseUrl, api } = service
  await queryDatabase(databaseUrl, 'insert into sending_hold (since, restored_to) values (now(), now())')
  let hasBegun = false
  const told: Held[] = []
  const gate = createSendingGate({
    database,
    begin: () => void (hasBegun = true),
    onHeld: (held) => told.push(held),
    onTrouble: (error) => expect.fail(error.message),
    everyMs: 10,
  })
  gate.start()
  const worker = await service.node({ PARLEY_ROLE: 'worker' })
  await expect.poll(() => told).toHaveLength(1)
  const statuses = async () => (await api.get('/sms')).body.data.map(({ status }: { status: string }) => status)
  expect([hasBegun, await statuses()]).toEqual([false, ['queued']])
  const { stdout } = await run(['resume', '--json'], { DATABASE_URL: databaseUrl })
  expect(JSON.parse(stdout)).toMatchObject({ texts: 1, isReleased: true })
  await expect.poll(() => hasBegun).toBe(true)
  await expect.poll(statuses).not.toEqual(['queued'])
  expect((await run(['resume'], { DATABASE_URL: databaseUrl })).stdout).toBe('Nothing is held.\n')
  await gate.stop()
  await worker.stop()
})

test('each table that names blobs is one whose blobs are copied', async () => {
  const tables = await service.database.query<{ name: string }>(
    sql`select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'blob'
      and table_name <> 'unnamed_blobs' order by 1`,
  )
  expect(tables.map(({ name }) => name)).toEqual(['import_parts', 'voicemail_recordings'])
})
