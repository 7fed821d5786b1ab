// Streams with more to tell than fits into memory or a socket: they catch up as fast as they are read, and lose nothing
// on the way.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openSocket, plainGet } from '../../support/raw-http.js'
import { type Client, type Service, startService } from '../../support/service.js'

const sockets: Socket[] = []
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => service.stop())

/** A stream that is read only while it is told to. */
function openStream(path: string, key: string, lastEventId?: string): { socket: Socket; text(): string; read(): void } {
  const socket = openSocket(service.url)
  sockets.push(socket)
  socket.write(plainGet(path, key, lastEventId === undefined ? '' : `last-event-id: ${lastEventId}\r\n`))
  const chunks: Buffer[] = []
  return {
    socket,
    text: () => Buffer.concat(chunks).toString(),
    read: () => void socket.on('data', (chunk: Buffer) => chunks.push(chunk)),
  }
}

/** Chunked encoding puts its lengths between the lines, or within one. */
const idsIn = (text: string): string[] =>
  [...text.replace(/\r\n[0-9a-f]+\r\n/g, '').matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? '')

async function addNotes(api: Client, count: number): Promise<void> {
  const { body: person } = await api.post('/people', { firstName: 'Ada' })
  const note = { body: 'x'.repeat(9_500), subjectType: 'person', subjectId: person.id }
  for (let made = 0; made < count; made += 20)
    await Promise.all(Array.from({ length: 20 }, () => api.post('/notes', note)))
}

/** All of them, once the log shows so many: no open transaction of the whole server may still come before them. */
async function allEventIds(api: Client, count: number): Promise<string[]> {
  await expect.poll(async () => (await api.get('/events?limit=1&count=true')).body.pagination.count).toBe(count)
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: any } = await api.get(`/events?limit=100${cursor && `&cursor=${cursor}`}`)
    ids.unshift(...body.data.map(({ eventId }: any) => eventId).reverse())
    cursor = body.pagination.nextCursor
  }
  return ids
}

describe('the stream of events', () => {
  test('catches up with 520 notes of 9.5 kB, whether it is read at once or slowly', async () => {
    const { sandbox: api } = await service.organization('Backlog')
    await addNotes(api, 520)
    const expected = await allEventIds(api, 521)
    const quick = openStream('/events/stream', api.key, '0')
    quick.read()
    await expect.poll(() => idsIn(quick.text()).length).toBe(expected.length)
    expect(idsIn(quick.text())).toEqual(expected)
    const slow = openStream('/events/stream', api.key, '0')
    slow.read()
    for (let pauses = 0; pauses < 20; pauses++) {
      slow.socket.pause()
      await delay(50)
      slow.socket.resume()
      await once(slow.socket, 'data')
    }
    await expect.poll(() => idsIn(slow.text()).length).toBe(expected.length)
    expect(idsIn(slow.text())).toEqual(expected)
  })

  test('that is not read while much happens goes on from there when it is read again', async () => {
    const { sandbox: api } = await service.organization('Behind')
    const late = openStream('/events/stream', api.key)
    const prompt = openStream('/events/stream', api.key)
    prompt.read()
    await expect.poll(() => prompt.text()).toContain('retry:')
    await addNotes(api, 600)
    const expected = await allEventIds(api, 601)
    await expect.poll(() => idsIn(prompt.text()).length).toBe(expected.length)
    late.read()
    await expect.poll(() => idsIn(late.text()).length).toBe(expected.length)
    expect(idsIn(late.text())).toEqual(expected)
    await api.post('/tasks', { title: 'after all that' })
    await expect.poll(() => idsIn(late.text()).length).toBe(expected.length + 1)
    expect(idsIn(prompt.text())).toEqual(idsIn(late.text()))
  })
})

describe('the stream of a call', () => {
  test('catches up with a transcript of 5 MB past the last that was seen, and goes on', async () => {
    const { api } = service
    const { body: call } = await api.post('/calls', {
      direction: 'inbound',
      from: '+15550100400',
      to: '+15559999999',
      status: 'in_progress',
    })
    const first = openStream(`/calls/${call.id}/stream`, api.key)
    first.read()
    await expect.poll(() => idsIn(first.text()).length).toBe(1)
    const [seen = ''] = idsIn(first.text())
    first.socket.destroy()
    const segment = (sequence: number) => ({
      sequence,
      speaker: 'caller',
      text: `${sequence} ${'x'.repeat(7_900)}`,
      startMs: sequence,
    })
    for (let from = 0; from < 640; from += 80) {
      const segments = Array.from({ length: 80 }, (_, index) => segment(from + index))
      expect((await api.post(`/calls/${call.id}/segments`, { segments })).status).toBe(200)
    }
    const back = openStream(`/calls/${call.id}/stream`, api.key, seen)
    back.read()
    const sequences = () =>
      [...back.text().matchAll(/"sequence":(\d+),"speaker"/g)].map(([, sequence]) => Number(sequence))
    await expect.poll(() => sequences().length).toBe(640)
    expect(sequences()).toEqual(Array.from({ length: 640 }, (_, index) => index))
    // Each frame has an id to go on from.
    const half = idsIn(back.text())[3] ?? ''
    const resumed = openStream(`/calls/${call.id}/stream`, api.key, half)
    resumed.read()
    await expect.poll(() => resumed.text()).toContain('"sequence":639')
    expect(resumed.text()).not.toContain('"sequence":0,')
    expect(resumed.text()).not.toContain('event: surface')
    await api.post(`/calls/${call.id}/facts`, { facts: [{ key: 'budget', value: 7 }] })
    await expect.poll(() => back.text()).toContain('event: surface')
  })
})
