import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setEnabled } from '../../../src/program/create-organization.js'
import { type EventSource, type Frame, openEvents } from '../../support/event-source.js'
import { withoutRechecks } from '../../support/rechecks.js'
import { type PostgresProxy, startPostgresProxy } from '../../support/servers/postgres-proxy.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let door: PostgresProxy
const open: EventSource[] = []
beforeAll(async () => {
  service = await startService({}, { through: async (url) => (door = await startPostgresProxy(url)).url })
})
afterEach(() => {
  for (const source of open.splice(0)) source.close()
})
afterAll(async () => {
  await service.stop()
  await door.stop()
})

async function follow(
  path: string,
  headers: Record<string, string> = {},
  api: Client = service.api,
  url = service.url,
): Promise<EventSource> {
  const source = await openEvents(`${url}/api/v1${path}`, api.key, headers)
  open.push(source)
  return source
}

async function begin(api: Client = service.api) {
  const { id, personId } = (
    await api.post('/calls', { direction: 'inbound', from: '+15550100400', to: '+15559999999', status: 'in_progress' })
  ).body
  return { id, personId, path: `/calls/${id}` }
}

const said = (sequence: number) => ({ sequence, speaker: 'caller', text: `line ${sequence}`, startMs: sequence })
const sequencesOf = (frames: readonly Frame[]): number[] =>
  frames
    .filter(({ event }) => event === 'transcript')
    .flatMap(({ data }) => data.segments.map(({ sequence }: any) => sequence))

describe('the stream of a call', () => {
  test('is the surface, then what is said, then the surface again when anything else has changed', async () => {
    const { api } = service
    const { id, path } = await begin()
    const source = await follow(`${path}/stream`)
    expect(source.status).toBe(200)
    expect(source.headers.get('cache-control')).toBe('no-store')
    expect(source.headers.get('x-request-id')).toBeTruthy()
    const [first] = await source.atLeast(1)
    expect(first).toMatchObject({ event: 'surface', data: { callId: id, live: true } })
    expect({ ...first?.data, asOf: '' }).toEqual({ ...(await api.get(`${path}/surface`)).body, asOf: '' })
    await api.post(`${path}/segments`, { segments: [said(0), said(1)] })
    const transcript = (await source.atLeast(2))[1]
    expect(transcript).toMatchObject({
      event: 'transcript',
      data: { callId: id, segments: [{ sequence: 0, callId: id, text: 'line 0' }, { sequence: 1 }] },
    })
    expect(transcript?.data.revision).toBeGreaterThan(first?.data.revision)
    await api.post(`${path}/facts`, { facts: [{ key: 'budget', value: 7 }] })
    const surface = (await source.atLeast(3))[2]
    expect(surface).toMatchObject({ event: 'surface', data: { facts: [{ key: 'budget' }] } })
    await api.post(`${path}/end`, { transcript: [said(2)], summary: 'Done' })
    const [late, last] = (await source.atLeast(5)).slice(3)
    expect(late).toMatchObject({ event: 'transcript', id: surface?.id, data: { segments: [{ sequence: 2 }] } })
    expect(last).toMatchObject({ event: 'surface', data: { live: false, summary: { text: 'Done' } } })
    expect(last?.id).not.toBe(surface?.id)
  })

  test('goes on where it was left, on any node', async () => {
    const { api } = service
    const { path } = await begin()
    const other = await service.node()
    const source = await follow(`${path}/stream`, {}, api, other.url)
    await source.atLeast(1)
    await api.post(`${path}/segments`, { segments: [said(0)] })
    await source.atLeast(2)
    source.close()
    const lastId = source.lastId ?? ''
    const quiet = await follow(`${path}/stream`, { 'last-event-id': lastId })
    for (let sequence = 1; sequence <= 30; sequence++)
      await api.post(`${path}/segments`, { segments: [said(sequence)] })
    const back = await follow(`${path}/stream`, { 'last-event-id': lastId })
    await back.atLeast(1)
    expect(sequencesOf(back.frames)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    expect(back.frames.every(({ event }) => event === 'transcript')).toBe(true)
    // Nothing had come to it before these.
    const [next] = await quiet.atLeast(1)
    expect([next?.event, next?.data.segments[0].sequence]).toEqual(['transcript', 1])
    quiet.close()
    back.close()
    await api.patch(path, { outcome: 'booked' })
    const changed = await follow(`${path}/stream`, { 'last-event-id': back.lastId ?? '' }, api, other.url)
    expect((await changed.atLeast(1))[0]).toMatchObject({ event: 'surface', data: { call: { outcome: 'booked' } } })
    for (const unknown of ['nonsense', '1', '99999999-99999999']) {
      expect((await (await follow(`${path}/stream`, { 'last-event-id': unknown })).atLeast(1))[0]?.event).toBe(
        'surface',
      )
    }
  })

  test('loses no segment, whoever follows and however batches overtake each other', async () => {
    const { api } = service
    const { path } = await begin()
    const other = await service.node()
    const sources = await Promise.all(
      Array.from({ length: 10 }, (_, index) => follow(`${path}/stream`, {}, api, index % 2 ? other.url : service.url)),
    )
    await Promise.all(sources.map((source) => source.atLeast(1)))
    const batches = Array.from({ length: 40 }, (_, index) =>
      Array.from({ length: 5 }, (_, offset) => said(index * 5 + offset)),
    )
    await Promise.all(
      batches.map(async (segments, index) => {
        await sleep(Math.random() * 400)
        await (index % 2 ? api : clientOf(other.url, api.key)).post(`${path}/segments`, { segments })
      }),
    )
    for (const source of sources) {
      await expect.poll(() => new Set(sequencesOf(source.frames)).size).toBe(200)
      expect(sequencesOf(source.frames)).toHaveLength(200)
    }
  })

  test('of no call, or with a key that may not read it, is refused as any read', async () => {
    expect((await follow('/calls/01900000-0000-7000-8000-000000000000/stream')).status).toBe(404)
    const { path } = await begin()
    expect((await follow(`${path}/stream`, {}, service.demo.live)).status).toBe(404)
    expect((await openEvents(`${service.url}/api/v1${path}/stream`, 'ak_test_none')).status).toBe(401)
    const head = await fetch(`${service.url}/api/v1${path}/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${service.api.key}` },
    })
    expect(head.status).toBe(200)
  })
})

describe('the stream of events', () => {
  test('brings each event as it was stored, once, from any node', async () => {
    const api = (await service.organization('Events')).sandbox
    const other = await service.node()
    const fromTheFirst = { 'last-event-id': '0' }
    const source = await follow('/events/stream', fromTheFirst, api, other.url)
    const filtered = await follow('/events/stream?type=note.added', fromTheFirst, api)
    const task = (await api.post('/tasks', { title: 'One' })).body
    const note = (await api.post('/notes', { body: 'n', subjectType: 'person', subjectId: task.id })).body
    const [first, second] = await source.atLeast(2)
    expect(first).toMatchObject({ event: 'task.created', data: { type: 'task.created', data: { taskId: task.id } } })
    expect(first?.id).toBe(first?.data.eventId)
    expect(first?.text).toBe((await api.get(`/events/${first?.id}`)).text)
    expect(second?.data.data.noteId).toBe(note.id)
    expect((await filtered.atLeast(1)).map(({ event }) => event)).toEqual(['note.added'])
    await api.post('/tasks', { title: 'Marker' })
    expect((await source.atLeast(3)).map(({ event }) => event)).toEqual(['task.created', 'note.added', 'task.created'])
  })

  test('opens when it knows where it begins, and brings everything from then on', async () => {
    const api = (await service.organization('From now on')).sandbox
    // Connections that have not heard the statement yet are sent its text.
    const { url } = await service.node()
    const isHeld = door.holdUp('select pg_snapshot_xmin(pg_current_snapshot())::text')
    const opening = follow('/events/stream', {}, api, url)
    const letGo = await isHeld
    const isOpen = opening.then(() => true)
    expect(await Promise.race([isOpen, api.post('/tasks', { title: 'Before' }).then(() => false)])).toBe(false)
    letGo()
    const source = await opening
    const { body: task } = await api.post('/tasks', { title: 'After' })
    // What happened before may come too, when others were writing.
    await expect.poll(() => source.frames.map(({ data }) => data.data.taskId)).toContain(task.id)
  })

  test('goes on past the last event, through a crowd of writers', async () => {
    const api = (await service.organization('Resume')).sandbox
    const source = await follow('/events/stream', { 'last-event-id': '0' }, api)
    await api.post('/tasks', { title: 'first' })
    const [first] = await source.atLeast(1)
    source.close()
    await Promise.all(Array.from({ length: 30 }, () => api.post('/tasks', { title: 'missed' })))
    const writing = Promise.all(
      Array.from({ length: 30 }, async () => {
        await sleep(Math.random() * 600)
        await api.post('/tasks', { title: 'meanwhile' })
      }),
    )
    const back = await follow('/events/stream', { 'last-event-id': first?.id ?? '' }, api)
    await writing
    await api.post('/tasks', { title: 'marker' })
    const frames = await back.atLeast(61)
    expect(new Set(frames.map(({ id }) => id)).size).toBe(61)
    expect(frames.at(-1)?.data.data.task.title).toBe('marker')
    const listed = (await api.get(`/events?after=${first?.id}&limit=100`)).body.data.map(({ eventId }: any) => eventId)
    expect(frames.map(({ id }) => id)).toEqual(listed)
  })

  test('begins with the oldest event that is kept when the last one is 0, on an empty log too', async () => {
    const api = (await service.organization('Oldest')).sandbox
    const early = await follow('/events/stream', { 'last-event-id': '0' }, api)
    await Promise.all(Array.from({ length: 20 }, (_, index) => api.post('/tasks', { title: `task ${index}` })))
    await early.atLeast(20)
    const late = await follow('/events/stream', { 'last-event-id': '0' }, api)
    const filtered = await follow('/events/stream?type=note.added', { 'last-event-id': '0' }, api)
    await api.post('/notes', { body: 'n', subjectType: 'person', subjectId: service.demo.id })
    const ids = (await early.atLeast(21)).map(({ id }) => id)
    expect((await late.atLeast(21)).map(({ id }) => id)).toEqual(ids)
    expect((await filtered.atLeast(1)).map(({ id }) => id)).toEqual(ids.slice(20))
    const listed = (await api.get('/events?limit=100')).body.data.map(({ eventId }: any) => eventId)
    expect(ids).toEqual(listed.reverse())
  })

  test('refuses an event that it does not know', async () => {
    for (const id of ['nonsense', '01AN4Z07BY79KA1307SR9X4MV3']) {
      expect(await follow('/events/stream', { 'last-event-id': id })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'Last-Event-ID' }] } },
      })
    }
  })
})

describe('streams', () => {
  test('of a tenant are at most a hundred; one that closes makes room', async () => {
    const api = (await service.organization('Many')).sandbox
    const sources = await Promise.all(Array.from({ length: 100 }, () => follow('/events/stream', {}, api)))
    expect(new Set(sources.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await follow('/events/stream', {}, api)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await follow('/events/stream', {}, service.api)).status).toBe(200)
    sources[0]?.close()
    await expect.poll(async () => (await follow('/events/stream', {}, api)).status).toBe(200)
  })

  test.each([
    ['this node', () => service.url],
    ['another node', async () => (await service.node()).url],
  ])('end when their key is revoked, on %s without waiting for the next recheck', async (_, urlOf) => {
    const { id: organizationId, sandbox } = await service.organization('Revoked')
    const url = await urlOf()
    const key = await service.keyOf(organizationId, 'sandbox', 'READ')
    const [revoked] = (await sandbox.get('/api-keys')).body.data.filter(({ scope }: any) => scope === 'READ')
    const [other, source] = await withoutRechecks(async () => [
      await follow('/events/stream', { 'last-event-id': '0' }, sandbox, url),
      await follow('/events/stream', {}, key, url),
    ])
    expect((await sandbox.delete(`/api-keys/${revoked.id}`)).status).toBe(204)
    await source.ended
    await sandbox.post('/tasks', { title: 'still' })
    await other.atLeast(1)
  })

  test('end when their organization is disabled, though bad keys flood in from their address', async () => {
    const { id, sandbox } = await service.organization('Disabled')
    const source = await follow('/events/stream', {}, sandbox)
    const guesses: number[] = []
    let isOver = false
    const guess = async () => {
      while (!isOver)
        guesses.push((await clientOf(service.url, 'ak_test_0123456789ABCDEFGHJKMNPQRSTVWXYZ').get('/tasks')).status)
    }
    const flood = Promise.all(Array.from({ length: 8 }, guess))
    await expect.poll(() => guesses.includes(429)).toBe(true)
    await setEnabled(service.database, id, false)
    await source.ended
    isOver = true
    await flood
    expect((await sandbox.get('/tasks')).status).toBe(403)
  })

  test('end when the server stops, which does not wait for them', async () => {
    const own = await startService()
    const [events, call] = [
      await openEvents(`${own.url}/api/v1/events/stream`, own.api.key),
      (await own.api.post('/calls', { direction: 'inbound', from: '+15550100401', to: '+15559999999' })).body,
    ]
    const stream = await openEvents(`${own.url}/api/v1/calls/${call.id}/stream`, own.api.key)
    await stream.atLeast(1)
    const since = Date.now()
    await own.server.stop()
    // Requests under way get twelve seconds.
    expect(Date.now() - since).toBeLessThan(12_000)
    await Promise.all([events.ended, stream.ended])
    await own.stop()
  })
})
