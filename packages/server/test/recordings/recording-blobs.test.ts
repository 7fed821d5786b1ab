// Recordings on disk: what was replaced or never came to be named leaves it, and what a row names stays.
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { folderBlobs } from '../../src/recordings/folder-blobs.js'
import { folderOf, listBlob, sweepBlobs, takeBlob } from '../../src/recordings/unnamed-blobs.js'
import { commit } from '../../src/store/commit.js'
import { noContent } from '../../src/store/response.js'
import { committing, systemWork } from '../support/committing.js'
import { tenantOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

let service: Service
let dataDir: string
let tenantId: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-blobs-'))
  service = await startService({ PARLEY_DATA_DIR: dataDir })
  tenantId = await tenantOf(service, service.api)
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const leave = async (): Promise<string> =>
  (await service.api.post('/voicemails', { callerNumber: '+15550107201' })).body.id
const send = (id: string, sound: string) =>
  fetch(`${service.url}/api/v1/voicemails/${id}/recording`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/mpeg' },
    body: sound,
  })
const filesOf = (id: string) => readdir(join(dataDir, 'recordings', tenantId, id))
const play = async (id: string) => (await fetch((await service.api.get(`/voicemails/${id}`)).body.recordingUrl)).text()
const listed = async (id: string) =>
  (await service.database.query(sql`select 1 from unnamed_blobs where voicemail_id = ${id}`)).length
const blobs = () => folderBlobs(join(dataDir, 'recordings'))
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

test('a replaced recording leaves the disk, also when many replace it at once and with the same bytes', async () => {
  const id = await leave()
  const sounds = ['a', 'b', 'a', 'b', 'a', 'b']
  for (const answer of await Promise.all(sounds.map((sound) => send(id, sound)))) expect(answer.status).toBe(200)
  await send(id, 'last')
  await expect.poll(() => filesOf(id)).toHaveLength(1)
  await expect.poll(() => listed(id)).toBe(0)
  expect(await play(id)).toBe('last')
})

test('whoever is reading a recording that is replaced reads it to the end, and an address always plays', async () => {
  const id = await leave()
  await send(id, 'x'.repeat(5_000_000))
  const { recordingUrl } = (await service.api.get(`/voicemails/${id}`)).body
  const reading = await fetch(recordingUrl)
  await send(id, 'new')
  await expect.poll(() => filesOf(id)).toHaveLength(1)
  expect((await reading.text()).length).toBe(5_000_000)
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await send(id, `sound ${index}`)
      const played = await fetch(recordingUrl)
      expect([played.status, await played.text()]).toEqual([200, expect.stringMatching(/^(new|sound \d+)$/)])
    }),
  )
})

test('what a crash left between the bytes and the commit is swept; what is being written, or named, stays', async () => {
  const id = await leave()
  await send(id, 'named')
  const owner = { tenantId, voicemailId: id }
  const options = { bytesMax: 100, tooLarge: () => new Error('too large') }
  // A process that died after its last byte, one that died before its first, and one that is still writing.
  const list = () => listBlob(service.database, owner, new Date())
  const [orphan, empty, young] = [await list(), await list(), await list()]
  for (const { blob } of [orphan, young]) await blobs().put(folderOf(owner), blob, [Buffer.from('left')], options)
  // Not before the bytes are there: the service sweeps too.
  await service.database.query(sql`update unnamed_blobs set due_at = ${inHours(-1)}::timestamptz
    where blob = any (${[orphan.blob, empty.blob]}::text[])`)
  const [{ blob: named } = { blob: '' }] = await service.database.query<{ blob: string }>(
    sql`select blob from voicemail_recordings where voicemail_id = ${id}`,
  )
  // Whatever brought a named blob into the list: it is not removed.
  await service.database.query(
    sql`insert into unnamed_blobs values (${tenantId}, ${id}, ${named}, ${inHours(-2)}::timestamptz)`,
  )
  while (await sweepBlobs(service.database, blobs(), new Date()));
  // The service sweeps too, and may be in the middle of it.
  await expect.poll(async () => (await filesOf(id)).sort()).toEqual([named, young.blob].sort())
  expect(await filesOf(id)).not.toContain(empty.blob)
  expect(await play(id)).toBe('named')
  await service.database.query(sql`delete from unnamed_blobs where blob = ${named}`)
})

test('a blob that the sweep has taken can be named by no commit, and one that is named is not swept', async () => {
  const owner = { tenantId, voicemailId: await leave() }
  const place = await listBlob(service.database, owner, new Date())
  await service.database.query(sql`update unnamed_blobs set is_doomed = true where blob = ${place.blob}`)
  const naming = async (where: typeof place) => {
    const work = await systemWork(service.database, tenantId)
    work.addStatement(takeBlob(where), 1)
    return commit(committing(service.database), work, noContent)
  }
  await expect(naming(place)).rejects.toThrow()
  const kept = await listBlob(service.database, owner, new Date())
  expect(await naming(kept)).toBe(true)
  expect(await listed(owner.voicemailId)).toBe(1)
})

test('a sweep works in bounded rounds', async () => {
  const voicemailId = randomUUID()
  // Due long before everything else, and only by a clock that is ahead of the one by which the service sweeps.
  await service.database.query(sql`update unnamed_blobs set due_at = due_at + interval '10 days'`)
  await service.database.query(sql`insert into unnamed_blobs (tenant_id, voicemail_id, blob, due_at)
    select ${tenantId}::uuid, ${voicemailId}::uuid, 'old ' || n, now() + interval '1 day' from generate_series(1, 250) n`)
  expect(await sweepBlobs(service.database, blobs(), inHours(48))).toBe(true)
  expect(await listed(voicemailId)).toBe(150)
  while (await sweepBlobs(service.database, blobs(), inHours(48)));
  expect(await listed(voicemailId)).toBe(0)
})
