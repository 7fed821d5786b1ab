// What becomes known of a voicemail later: who left it, that somebody listened, its transcript, its audio. Each is told
// once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordSchema, voicemails } from '@parley/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { eventsOf } from '../../support/events.js'
import type { Client, Service } from '../../support/service.js'
import { subscriber } from '../../support/webhooks/sending.js'
import { startSending, subscribe } from '../../support/webhooks/webhooks.js'

let service: Service
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-updates-'))
  service = await startSending({ PARLEY_DATA_DIR: dataDir })
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const from = '+15550107101'
const leave = async (api: Client, body: object = {}) =>
  (await api.post('/voicemails', { callerNumber: from, to: '+15559999999', ...body })).body
const updatesOf = async (api: Client) =>
  (await eventsOf(service, api)).filter(({ type }) => type === 'voicemail.updated')

const sendAudio = (api: Client, id: string, bytes: string) =>
  fetch(`${service.url}/api/v1/voicemails/${id}/recording`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'audio/mpeg' },
    body: bytes,
  })

test('PATCH says what was said, who said it and that somebody listened; message and thread follow', async () => {
  const { sandbox: api } = await service.organization('Patched')
  const voicemail = await leave(api)
  const person = (await api.post('/people', { displayName: 'Someone else' })).body
  const listenedAt = '2026-03-01T09:00:00.000Z'
  const said = { transcript: 'Please call me back', personId: person.id, listenedAt }
  const changed = await api.patch(`/voicemails/${voicemail.id}`, said)
  expect(changed).toMatchObject({ status: 200, body: { ...said, version: 2, callerNumber: from, recordingUrl: null } })
  expect(changed.headers.get('etag')).toBe('"2"')
  expect((await api.get(`/voicemails/${voicemail.id}`)).body).toEqual(changed.body)
  const [message] = (await api.get('/messages')).body.data
  expect(message).toMatchObject({ voicemailId: voicemail.id, body: said.transcript, personId: person.id })
  expect((await api.get(`/conversations/${message.threadId}`)).body).toMatchObject({
    lastMessagePreview: said.transcript,
    messageCount: 1,
  })
  const [update, ...others] = await updatesOf(api)
  expect(others).toEqual([])
  expect(update?.data).toMatchObject({
    voicemailId: voicemail.id,
    changedFields: ['personId', 'transcript', 'listenedAt'],
    voicemail: changed.body,
  })

  // What was read can be sent back whole, and changes nothing.
  expect(await api.patch(`/voicemails/${voicemail.id}`, changed.body)).toMatchObject({
    status: 200,
    body: { version: 2 },
  })
  expect((await api.patch(`/voicemails/${voicemail.id}`, { listenedAt: null })).body).toMatchObject({
    listenedAt: null,
    version: 3,
  })
  expect(
    (await api.patch(`/voicemails/${voicemail.id}`, { externalRefs: [{ system: 'pbx', externalId: 'v' }] })).body
      .version,
  ).toBe(4)
  expect(await updatesOf(api)).toHaveLength(2)
})

test('PATCH refuses what is wrong, stale or of somebody else', async () => {
  const { sandbox: api } = await service.organization('Refused')
  const { sandbox: other } = await service.organization('Other')
  const { id } = await leave(api)
  for (const [field, value] of [
    ['listenedAt', 'yesterday'],
    ['listenedAt', true],
    ['personId', 'x'],
    ['transcript', 5],
    ['durationSeconds', -1],
    ['listened', true],
    ['recordingUrl', 'http://example.com/a.mp3'],
    ['recordingUrl', 'https://127.0.0.1/a.mp3'],
    ['recordingUrl', 'https://user:secret@example.com/a.mp3'],
  ] as const) {
    const refused = await api.patch(`/voicemails/${id}`, { [field]: value })
    expect(refused.status, `${field} ${value}`).toBe(400)
    expect(refused.body.error.details[0].path).toBe(field)
  }
  expect((await api.patch(`/voicemails/${id}`, { transcript: 'x' }, { 'if-match': '"7"' })).status).toBe(409)
  expect((await other.patch(`/voicemails/${id}`, { transcript: 'x' })).status).toBe(404)
  expect((await api.get(`/voicemails/${id}`)).body).toMatchObject({ version: 1, transcript: null })
  expect(await updatesOf(api)).toEqual([])
})

test('a transcript that is sent again under its reference is told as well', async () => {
  const { sandbox: api } = await service.organization('Again')
  const externalRefs = [{ system: 'pbx', externalId: 'later' }]
  const first = await leave(api, { externalRefs })
  for (const round of [1, 2])
    expect((await leave(api, { externalRefs, transcript: 'Now' })).version, String(round)).toBe(2)
  expect((await updatesOf(api)).map(({ data }) => [data.voicemailId, data.changedFields])).toEqual([
    [first.id, ['transcript']],
  ])
})

test('audio that comes later is told with an address that plays at once, and with one that lasts', async () => {
  const { sandbox: api } = await service.organization('Audio')
  const heard = await subscriber((_request, response) => response.end())
  await subscribe(api, heard.url, { eventTypes: ['voicemail.received', 'voicemail.updated'] })
  const silent = await subscriber((_request, response) => response.end())
  await subscribe(api, silent.url)
  const voicemail = await leave(api)
  expect(voicemail).toMatchObject({
    recordingUrl: null,
    recordingApiUrl: null,
    recordingStatus: 'none',
    recordingError: null,
  })
  for (const sound of ['first', 'second']) expect((await sendAudio(api, voicemail.id, sound)).status).toBe(200)

  const read = (await api.get(`/voicemails/${voicemail.id}`)).body
  const lasting = `${service.url}/api/v1/voicemails/${voicemail.id}/recording`
  expect(read).toMatchObject({ recordingStatus: 'available', recordingApiUrl: lasting, version: 3 })
  await expect.poll(() => heard.received.length).toBe(3)
  const bodies = heard.received.map(({ body }) => JSON.parse(body.toString('utf8')))
  const updates = bodies.filter(({ type }) => type === 'voicemail.updated')
  expect(bodies.find(({ type }) => type === 'voicemail.received').data).toMatchObject({
    recordingUrl: null,
    recordingApiUrl: null,
  })
  expect(updates.map(({ data }) => data.changedFields).sort()).toEqual([
    ['recordingUrl'],
    ['recordingUrl', 'recordingApiUrl', 'recordingStatus'],
  ])
  for (const { data } of updates) {
    expect(data).toMatchObject({
      recordingApiUrl: lasting,
      voicemail: { recordingUrl: data.recordingUrl, recordingStatus: 'available' },
    })
    expect(await (await fetch(data.recordingUrl)).text()).toBe('second')
  }
  expect((await fetch(lasting)).status).toBe(401)
  expect((await api.get(`/voicemails/${voicemail.id}/recording`)).status).toBe(302)
  // It is opt-in: whoever names no types hears of the voicemail alone. A later event shows that nothing came in
  // between.
  await api.post('/tasks', { title: 'Marker' })
  const typesHeard = () => silent.received.map(({ headers }) => headers['parley-event'] ?? headers['x-parley-event'])
  await expect.poll(() => silent.received.length).toBeGreaterThanOrEqual(3)
  expect(typesHeard()).not.toContain('voicemail.updated')
})

test('a voicemail of before has every key, in answers and in events', async () => {
  const { sandbox: api } = await service.organization('Before')
  const { id } = await leave(api, { transcript: '"listenedAt"' })
  await service.database.query(
    sql`update voicemails set record = (record::jsonb - 'listenedAt')::json, shape = 0 where id = ${id}`,
  )
  const check = Compile(recordSchema(voicemails))
  const read = (await api.get(`/voicemails/${id}`)).body
  expect(read.listenedAt).toBeNull()
  expect(check.Check(read)).toBe(true)
  expect(check.Check((await api.get('/voicemails')).body.data[0])).toBe(true)
  expect((await api.patch(`/voicemails/${id}`, read)).body.version).toBe(1)
  expect((await sendAudio(api, id, 'sound')).status).toBe(200)
  expect(await updatesOf(api)).toHaveLength(1)
})
