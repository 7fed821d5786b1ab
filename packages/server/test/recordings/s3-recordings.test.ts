// Recordings in an S3-compatible store, through the service: sent, played, replaced and swept as on a disk; and what
// happens when the store refuses, goes away, or the process dies between the bytes and the commit.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { readBlobPlace } from '../../src/object-store/blob-place.js'
import { openBlobs } from '../../src/recordings/open-blobs.js'
import { folderOf, listBlob, sweepBlobs } from '../../src/recordings/unnamed-blobs.js'
import { tenantOf } from '../support/events.js'
import { startCommandHost } from '../support/run/command-host.js'
import { hasS3, type S3Server, s3Credentials, startS3 } from '../support/servers/s3-server.js'
import { clientOf, type Service, secret, startService } from '../support/service.js'
import { until } from '../support/until.js'

describe.skipIf(!hasS3)('recordings in S3', () => {
  let store: S3Server
  let service: Service
  let tenantId: string
  const place = () => store.url('recordings/parley')
  beforeAll(async () => {
    for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value)
    store = await startS3()
    service = await startService({ PARLEY_BLOBS_URL: place(), PARLEY_BLOBS_TIMEOUT: '20s' })
    tenantId = await tenantOf(service, service.api)
  })
  afterAll(async () => {
    await service?.stop()
    await store?.stop()
    vi.unstubAllEnvs()
  })

  const leave = async (): Promise<string> =>
    (await service.api.post('/voicemails', { callerNumber: '+15550107201' })).body.id
  const send = (id: string, sound: string | Buffer) =>
    fetch(`${service.url}/api/v1/voicemails/${id}/recording`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/mpeg' },
      body: new Uint8Array(Buffer.from(sound)),
    })
  const addressOf = async (id: string): Promise<string> =>
    (await service.api.get(`/voicemails/${id}`)).body.recordingUrl
  const objectsOf = (id: string) => readdir(join(store.folderOf('recordings'), 'parley', tenantId, id)).catch(() => [])

  test('one is sent in parts, played whole and in part, and replaced', async () => {
    const id = await leave()
    const sound = randomBytes(10 * 1024 * 1024)
    expect((await send(id, sound)).status).toBe(200)
    const url = await addressOf(id)
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
    const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(sha256(whole)).toBe(sha256(sound))
    const part = await fetch(url, { headers: { range: 'bytes=9000000-9000009' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(sound.subarray(9_000_000, 9_000_010))
    expect((await send(id, 'new')).status).toBe(200)
    expect(await (await fetch(await addressOf(id))).text()).toBe('new')
    await until(
      () => objectsOf(id),
      (names) => names.length === 1,
    )
  })

  test('too much and nothing at all are refused, and nothing of them stays', async () => {
    const id = await leave()
    expect((await send(id, Buffer.alloc(50 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await send(id, '')).status).toBe(400)
    expect(await objectsOf(id)).toEqual([])
  })

  test('what a crash left between the bytes and the commit is swept', async () => {
    const id = await leave()
    const { blobs, close } = await openBlobs(readBlobPlace(place()) ?? { kind: 'folder', path: '' }, {
      timeoutMs: 20_000,
      isSigning: false,
      onTrouble: () => undefined,
    })
    const owner = { tenantId, voicemailId: id }
    const orphan = await listBlob(service.database, owner, new Date())
    await blobs.put(folderOf(owner), orphan.blob, [Buffer.from('left')], { bytesMax: 9, tooLarge: () => new Error() })
    expect(await objectsOf(id)).toEqual([orphan.blob])
    await service.database.query(
      sql`update unnamed_blobs set due_at = now() - interval '1 hour' where blob = ${orphan.blob}`,
    )
    while (await sweepBlobs(service.database, blobs, new Date()));
    await until(
      () => objectsOf(id),
      (names) => names.length === 0,
    )
    close()
  })

  test('with PARLEY_BLOBS_ADDRESSES=store others are sent to the store, and pages of ours are not', async () => {
    const id = await leave()
    await send(id, 'from the store')
    const signing = await service.node({ PARLEY_BLOBS_ADDRESSES: 'store' })
    const { recordingUrl } = (await clientOf(signing.url, service.api.key).get(`/voicemails/${id}`)).body
    const answer = await fetch(recordingUrl, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
    const location = answer.headers.get('location') ?? ''
    expect(location).toContain(`${store.endpoint}/recordings/parley/${tenantId}/${id}/`)
    const played = await fetch(location)
    expect([played.headers.get('content-type'), await played.text()]).toEqual(['audio/mpeg', 'from the store'])
    expect(played.headers.get('content-disposition')).toBe(`attachment; filename="voicemail-${id}"`)
    const page = await fetch(recordingUrl, { redirect: 'manual', headers: { 'sec-fetch-site': 'same-origin' } })
    expect([page.status, await page.text()]).toEqual([200, 'from the store'])
    await signing.stop()
  })

  test('recordings are copied to a folder and back, verified, and a copy that broke off goes on', async () => {
    const host = await startCommandHost()
    const folder = await mkdtemp(join(tmpdir(), 'parley-copies-'))
    try {
      const env = { DATABASE_URL: service.databaseUrl, PARLEY_SECRET: secret, ...s3Credentials }
      const run = (...args: string[]) =>
        host.run(['recordings', 'copy', ...args], { ...env, PARLEY_BLOBS_URL: place(), PARLEY_BLOBS_TIMEOUT: '20s' })
      const runJson = async (...args: string[]) => {
        const { code, stdout, stderr } = await run(...args, '--json')
        expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
        return JSON.parse(stdout)
      }
      const id = await leave()
      await send(id, randomBytes(9 * 1024 * 1024))
      const [name = ''] = await objectsOf(id)
      const there = await readFile(join(store.folderOf('recordings'), 'parley', tenantId, id, name))
      const out = await runJson('--to', `file://${folder}`)
      expect(out).toMatchObject({ present: 0, missing: 0 })
      const copy = join(folder, tenantId, id, name)
      expect(there.equals(await readFile(copy))).toBe(true)
      expect((await stat(copy)).mode & 0o777).toBe(0o600)
      // A copy that broke off in the middle, and one whose bytes have changed since.
      await truncate(copy, 1_000)
      expect(await runJson('--to', folder)).toMatchObject({ copied: 1, present: out.copied - 1 })
      await writeFile(copy, Buffer.alloc(there.length))
      expect(await runJson('--to', folder)).toMatchObject({ copied: 0 })
      expect(await runJson('--to', folder, '--verify')).toMatchObject({ copied: 1 })
      // And back, under another prefix.
      const back = store.url('recordings/back')
      expect(await runJson('--from', folder, '--to', back)).toMatchObject({ copied: out.copied, bytes: out.bytes })
      expect(there.equals(await readFile(join(store.folderOf('recordings'), 'back', tenantId, id, name)))).toBe(true)
      await rm(copy)
      const lacking = await run('--from', folder, '--to', store.url('recordings/other'))
      expect([lacking.code, lacking.stderr]).toEqual([
        1,
        expect.stringContaining(`1 that the database names are not at`),
      ])
      expect(lacking.stderr).toContain(`${tenantId}/${id}/${name}`)
      const wrong = await run('--to', 'ftp://somewhere')
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('--to is no place for recordings')])
      expect((await run('--to', place())).stderr).toContain('name another place with --to')
    } finally {
      await host.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('a store that refuses keeps the service from starting, and says why', async () => {
    await expect(service.node({ PARLEY_BLOBS_URL: store.url('no-such-bucket') })).rejects.toThrow(
      /there is no such bucket; create it, or correct its name/,
    )
  })

  test('a store that is away is told as 503, everything else goes on, and it is used again when it is back', async () => {
    const [id, other] = [await leave(), await leave()]
    await send(id, 'kept')
    const url = await addressOf(id)
    await store.kill()
    expect([(await fetch(url)).status, (await send(other, 'lost')).status]).toEqual([503, 503])
    expect((await service.api.get(`/voicemails/${id}`)).status).toBe(200)
    // A node that starts meanwhile serves, and tells of it.
    const late = await service.node()
    const ready = await fetch(`${late.url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', recordings: 'away' }])
    await late.stop()
    await store.start()
    expect(await (await fetch(url)).text()).toBe('kept')
    expect((await send(other, 'again')).status).toBe(200)
  })
})
