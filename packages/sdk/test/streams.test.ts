// Streams: cut at any byte, broken by restarts, started on an empty log, and still every event once and in order.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../server/src/database/sql.js'
import { type Service, startService } from '../../server/test/support/service.js'
import { BadRequestError, type CallMessage, NotFoundError, Parley, type ParleyEvent } from '../src/index.js'
import { createParser, type Message } from '../src/stream.js'
import { recordingFetch } from './support/recording-fetch.js'
import { startRestartable } from './support/restartable.js'
import { until } from './support/until.js'

let service: Service
let parley: Parley

beforeAll(async () => {
  service = await startService()
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
})
afterAll(() => service?.stop())

test('a stream is cut into the same messages wherever its bytes are cut', () => {
  const text =
    'retry: 1000\n\n:\n\nid: 1\nevent: a\ndata: {"x":1}\n\nid:2\r\ndata:one\r\ndata: two\r\n\r\nevent: b\rdata\r\rdata: end\n\n'
  const whole: Message[] = [
    { id: '1', event: 'a', data: '{"x":1}' },
    { id: '2', event: 'message', data: 'one\ntwo' },
    { id: '2', event: 'b', data: '' },
    { id: '2', event: 'message', data: 'end' },
  ]
  expect(createParser()(text)).toEqual(whole)
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 40 }), (cuts) => {
      const parse = createParser()
      const ends = [...cuts.sort((a, b) => a - b), text.length]
      expect(ends.flatMap((end, index) => parse(text.slice(ends[index - 1] ?? 0, end)))).toEqual(whole)
    }),
  )
})

const addNote = (client: Parley, body: string) =>
  client.notes.create({ body, subjectType: 'person', subjectId: service.demo.id })
const noteOf = (event: ParleyEvent) => (event.type === 'note.added' ? event.data.note.body : event.type)

/** Reads `count` messages, then stops. */
async function take<T>(stream: AsyncIterable<T>, count: number): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) if (all.push(one) >= count) break
  return all
}

test('a stream that begins on an empty log misses nothing', async () => {
  const { sandbox } = await service.organization('Fresh')
  const { fetch, asked } = recordingFetch()
  const fresh = new Parley({ apiKey: sandbox.key, baseUrl: service.url, fetch })
  const reading = take(fresh.events.stream({ type: ['note.added'] }), 3)
  await until(() => asked.some(({ path }) => path === '/events'), 'the stream knows where it begins')
  await fresh.tasks.create({ title: 'not asked for' })
  for (const body of ['one', 'two', 'three']) await addNote(fresh, body)
  expect((await reading).map(noteOf)).toEqual(['one', 'two', 'three'])
})

test('the log: newest first, past an event oldest first, one by id', async () => {
  for (const body of ['a', 'b', 'c']) await addNote(parley, body)
  await until(async () => (await parley.events.list({ type: 'note.added' })).data.length === 3)
  const newest = await parley.events.list({ type: 'note.added', limit: 2 })
  expect(newest.data.map(noteOf)).toEqual(['c', 'b'])
  const all = await parley.events.list({ type: 'note.added', limit: 2 }).toArray()
  const first = all.at(-1) as ParleyEvent
  expect((await parley.events.list({ after: first.eventId, limit: 1 }).toArray()).map(noteOf)).toEqual(['b', 'c'])
  expect(await parley.events.get(first.eventId)).toEqual(first)
  await expect(parley.events.get('01KDVDNKG0000000000000000')).rejects.toBeInstanceOf(NotFoundError)
})

test('with lastEventId it begins after that event, and one that is unknown is refused', async () => {
  const marker = await addNote(parley, 'marker')
  await until(async () => (await parley.events.list({ subjectId: marker.id })).data.length === 1)
  const event = (await parley.events.list({ subjectId: marker.id })).data[0] as ParleyEvent
  await addNote(parley, 'after')
  expect((await take(parley.events.stream({ lastEventId: event.eventId }), 1)).map(noteOf)).toEqual(['after'])
  await expect(take(parley.events.stream({ lastEventId: '01KDVDNKG00000000000000000' }), 1)).rejects.toBeInstanceOf(
    BadRequestError,
  )
})

test('an empty lastEventId begins with the oldest event, in one request', async () => {
  const { sandbox } = await service.organization('Whole log')
  const { fetch, asked } = recordingFetch()
  const own = new Parley({ apiKey: sandbox.key, baseUrl: service.url, fetch })
  for (const body of ['one', 'two', 'three']) await addNote(own, body)
  asked.length = 0
  expect((await take(own.events.stream({ lastEventId: '' }), 3)).map(noteOf)).toEqual(['one', 'two', 'three'])
  expect(asked.map(({ path }) => path)).toEqual(['/events/stream'])
})

test('a stream that was away until its position was dropped goes on with the oldest event that is left', async () => {
  const { id, sandbox } = await service.organization('Long away')
  const own = new Parley({ apiKey: sandbox.key, baseUrl: service.url })
  const node = await startRestartable(service)
  const events = new Parley({ apiKey: sandbox.key, baseUrl: node.url }).events.stream({
    type: 'note.added',
    lastEventId: '',
  })
  await addNote(own, 'seen')
  const first = (await events.next()).value as ParleyEvent
  expect([noteOf(first), first.organizationId]).toEqual(['seen', id])
  await node.stop()
  for (const body of ['missed', 'kept']) await addNote(own, body)
  await until(async () => (await own.events.list()).data.length === 3)
  await service.database.query(sql`delete from events where id = ${first.eventId}`)
  await node.start()
  expect((await take(events, 2)).map(noteOf)).toEqual(['missed', 'kept'])
  await node.stop()
})

test('an abort ends a stream quietly, before it is connected as well as after', async () => {
  const { fetch, asked } = recordingFetch()
  const recorded = new Parley({ apiKey: service.api.key, baseUrl: service.url, fetch })
  const controller = new AbortController()
  const reading = take(recorded.events.stream({ signal: controller.signal }), 1)
  await until(() => asked.some(({ path }) => path === '/events/stream'), 'the stream is connected')
  controller.abort()
  expect(await reading).toEqual([])
  expect(await take(parley.events.stream({ signal: AbortSignal.abort() }), 1)).toEqual([])
  const early = new AbortController()
  const asking = take(parley.events.stream({ signal: early.signal }), 1)
  early.abort()
  expect(await asking).toEqual([])
})

test('streams go on across restarts of the service: every event once, in order', async () => {
  const { sandbox } = await service.organization('Restarts')
  const node = await startRestartable(service)
  const steady = new Parley({ apiKey: sandbox.key, baseUrl: service.url })
  const restarted = new Parley({ apiKey: sandbox.key, baseUrl: node.url })
  const breaks: unknown[] = []
  const events = take(
    restarted.events.stream({ type: 'note.added', lastEventId: '', onBreak: (reason) => breaks.push(reason) }),
    30,
  )
  const call = await steady.calls.create({
    direction: 'inbound',
    from: '+12025550143',
    to: '+12025550100',
    status: 'in_progress',
  })
  const watching = watch(restarted, call.id)
  for (let round = 0; round < 3; round += 1) {
    for (let index = 0; index < 5; index += 1) await addNote(steady, `${round}.${index}`)
    await steady.calls.addSegments(call.id, [
      { sequence: round * 2, speaker: 'caller', text: `up ${round}`, startMs: round },
    ])
    await node.stop()
    for (let index = 5; index < 10; index += 1) await addNote(steady, `${round}.${index}`)
    await steady.calls.addSegments(call.id, [
      { sequence: round * 2 + 1, speaker: 'caller', text: `down ${round}`, startMs: round },
    ])
    await node.start()
  }
  await steady.calls.end(call.id, { summary: 'Done' })
  const expected = [0, 1, 2].flatMap((round) => Array.from({ length: 10 }, (_, index) => `${round}.${index}`))
  expect((await events).map(noteOf)).toEqual(expected)
  // A restart that falls into the wait after the one before is no break of its own.
  expect(breaks.length).toBeGreaterThanOrEqual(1)
  expect(await watching).toEqual(['up 0', 'down 0', 'up 1', 'down 1', 'up 2', 'down 2'])
  await node.stop()
})

/** What is said on a call, by its stream, until it has ended. */
async function watch(client: Parley, id: string): Promise<string[]> {
  const said = new Map<number, string>()
  const keep = (message: CallMessage) => {
    const segments = message.event === 'surface' ? message.data.transcript.tail : message.data.segments
    for (const { sequence, text } of segments) said.set(sequence, text)
  }
  for await (const message of client.calls.stream(id)) {
    keep(message)
    if (message.event === 'surface' && !message.data.live) break
  }
  return [...said].sort(([a], [b]) => a - b).map(([, text]) => text)
}
