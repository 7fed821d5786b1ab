import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { planSegments, type Segment, type SentSegment } from '../../../src/resources/calls/segments.js'
import { clientOf, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const said = (sequence: number, text: string, more: object = {}) => ({
  sequence,
  speaker: 'caller',
  text,
  startMs: sequence * 100,
  ...more,
})

async function begin(): Promise<{ id: string; path: string }> {
  const { id } = (
    await service.api.post('/calls', {
      direction: 'inbound',
      from: '+15550100200',
      to: '+15559999999',
      status: 'in_progress',
    })
  ).body
  return { id, path: `/calls/${id}` }
}

const transcriptOf = async (path: string): Promise<Segment[]> => (await service.api.get(`${path}/transcript`)).body.data

describe('a batch of segments', () => {
  test('is answered with each segment as it now is, and is read back in order', async () => {
    const { id, path } = await begin()
    const answer = await service.api.post(`${path}/segments`, {
      segments: [
        said(1, 'second', { endMs: 250, confidence: 0.9 }),
        said(0, 'first', { isFinal: false, speaker: 'agent' }),
      ],
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: [
        {
          id: expect.any(String),
          callId: id,
          sequence: 0,
          speaker: 'agent',
          text: 'first',
          startMs: 0,
          endMs: null,
          confidence: null,
          isFinal: false,
        },
        {
          id: expect.any(String),
          callId: id,
          sequence: 1,
          speaker: 'caller',
          text: 'second',
          startMs: 100,
          endMs: 250,
          confidence: 0.9,
          isFinal: true,
        },
      ],
      meta: { requestId: expect.any(String) },
    })
    expect(await transcriptOf(path)).toEqual(answer.body.data)
    expect((await service.api.get(path)).body).toMatchObject({
      transcriptSegmentCount: 2,
      transcriptStatus: 'live',
      version: 1,
    })
  })

  test('a final segment takes the place of an interim one, never the reverse, and keeps its id', async () => {
    const { path } = await begin()
    const post = async (...segments: object[]) =>
      (await service.api.post(`${path}/segments`, { segments })).body.data[0]
    const first = await post(said(0, 'hel', { isFinal: false }))
    const second = await post(said(0, 'hello th', { isFinal: false }))
    const final = await post(said(0, 'hello there'))
    expect([second, final].map(({ id }) => id)).toEqual([first.id, first.id])
    expect(second.text).toBe('hello th')
    expect(await post(said(0, 'hel', { isFinal: false }))).toEqual(final)
    expect(await post(said(0, 'something else'))).toEqual(final)
    expect(await transcriptOf(path)).toEqual([final])
    expect(
      await post(said(1, 'a', { isFinal: false }), said(1, 'ab'), said(1, 'abc', { isFinal: false })),
    ).toMatchObject({ text: 'ab', isFinal: true })
  })

  test('batches that come out of order, twice and at once end in one transcript', async () => {
    const { path } = await begin()
    const all = Array.from({ length: 200 }, (_, sequence) => said(sequence, `final ${sequence}`))
    const interim = all.map((one) => ({ ...one, text: `interim ${one.sequence}`, isFinal: false }))
    const batches = Array.from({ length: 20 }, (_, index) => index).flatMap((index) => {
      const part = (from: object[]) => from.slice(index * 10, index * 10 + 15)
      return [part(all), part(interim), part(all)]
    })
    const shuffled = batches.map((batch) => ({ batch, order: Math.random() })).sort((a, b) => a.order - b.order)
    const answers = await Promise.all(
      shuffled.map(({ batch }) => service.api.post(`${path}/segments`, { segments: batch })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const transcript = await transcriptOf(path)
    expect(transcript.map(({ text }) => text)).toEqual(all.map(({ text }) => text))
    expect((await service.api.get(path)).body.transcriptSegmentCount).toBe(200)
    const [activity] = await service.database.query(
      sql`select segment_count, last_sequence from call_activity where call_id = ${path.slice(7)}`,
    )
    expect(activity).toEqual({ segment_count: 200, last_sequence: 199 })
  })

  test('the same on two nodes at once', async () => {
    const { path } = await begin()
    const other = await service.node()
    const apis = [service.api, clientOf(other.url, service.api.key)]
    const work = Array.from({ length: 60 }, (_, index) => index).map(async (index) => {
      await sleep(Math.random() * 50)
      const from = (index % 20) * 5
      const segments = Array.from({ length: 10 }, (_, offset) =>
        said(from + offset, `${from + offset}`, { isFinal: index % 3 !== 0 }),
      )
      return apis[index % 2]?.post(`${path}/segments`, { segments })
    })
    const answers = await Promise.all(work)
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]))
    const transcript = await transcriptOf(path)
    expect(transcript.map(({ sequence, isFinal }) => [sequence, isFinal])).toEqual(
      Array.from({ length: 105 }, (_, sequence) => [sequence, true]),
    )
    expect((await service.api.get(path)).body.transcriptSegmentCount).toBe(105)
  })

  test('is kept once under an idempotency key', async () => {
    const { path } = await begin()
    const send = () =>
      service.api.post(
        `${path}/segments`,
        { segments: [said(0, 'once', { isFinal: false })] },
        { 'idempotency-key': 'batch-1' },
      )
    const first = await send()
    await service.api.post(`${path}/segments`, { segments: [said(0, 'final')] })
    const replay = await send()
    expect(replay.text).toBe(first.text)
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
  })

  test('may come after the end: the transcript grows', async () => {
    const { path } = await begin()
    await service.api.post(`${path}/end`, {})
    expect((await service.api.post(`${path}/segments`, { segments: [said(0, 'late')] })).status).toBe(200)
    expect((await service.api.get(path)).body).toMatchObject({
      transcriptStatus: 'available',
      transcriptSegmentCount: 1,
    })
  })

  test('nothing in it: nothing happens', async () => {
    const { path } = await begin()
    expect((await service.api.post(`${path}/segments`, { segments: [] })).body.data).toEqual([])
  })
})

describe('the transcript', () => {
  test('comes as text and as WebVTT, from any place on', async () => {
    const { path } = await begin()
    await service.api.post(`${path}/segments`, {
      segments: [
        said(0, 'Is <this> &\n\nyou?', { endMs: 1500 }),
        said(1, 'Yes', { speaker: 'third_party', startMs: 3_723_004, endMs: 3_724_000 }),
        said(2, 'Bye', { speaker: 'ai', startMs: 3_725_000 }),
      ],
    })
    const text = await service.api.get(`${path}/transcript?format=text`)
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.text).toBe('Caller: Is <this> & you?\nThird party: Yes\nAI: Bye\n')
    const vtt = await service.api.get(`${path}/transcript?format=vtt&afterSequence=-1`)
    expect(vtt.status).toBe(400)
    const cues = await service.api.get(`${path}/transcript?format=vtt`)
    expect(cues.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(cues.text).toBe(
      'WEBVTT\n\n0\n00:00:00.000 --> 00:00:01.500\n<v Caller>Is &lt;this&gt; &amp; you?\n\n1\n01:02:03.004 --> 01:02:04.000\n<v Third party>Yes\n\n2\n01:02:05.000 --> 01:02:08.000\n<v AI>Bye\n',
    )
    expect(
      (await service.api.get(`${path}/transcript?afterSequence=1`)).body.data.map(({ sequence }: Segment) => sequence),
    ).toEqual([2])
    expect((await service.api.get(`${path}/transcript?afterSequence=2`)).body.data).toEqual([])
  })

  test('has all of a long call, in pages that nobody sees', async () => {
    const { path } = await begin()
    for (let from = 0; from < 1_700; from += 425) {
      await service.api.post(`${path}/segments`, {
        segments: Array.from({ length: 425 }, (_, index) => said(from + index, `${from + index}`)),
      })
    }
    expect((await transcriptOf(path)).map(({ text }) => text)).toEqual(
      Array.from({ length: 1_700 }, (_, index) => `${index}`),
    )
    expect((await service.api.get(`${path}/transcript?format=text`)).text.split('\n')).toHaveLength(1_701)
  })

  test('of no call is not found', async () => {
    expect((await service.api.get('/calls/01900000-0000-7000-8000-000000000000/transcript')).status).toBe(404)
    expect((await service.api.get('/calls/nonsense/transcript')).status).toBe(404)
  })
})

test('a plan is the same whichever way a batch is cut: what was final first stays', () => {
  const now = new Date()
  const sent: SentSegment[] = [0, 1, 2, 1, 0].map((sequence, index) => ({
    sequence,
    speaker: 'caller',
    text: `${index}`,
    startMs: 0,
    isFinal: index !== 0,
  }))
  const whole = planSegments('c', [], sent, now).results.map(({ sequence, text }) => [sequence, text])
  const first = planSegments('c', [], sent.slice(0, 3), now)
  const rest = planSegments('c', first.results, sent.slice(3), now)
  const cut = new Map([...first.results, ...rest.results].map(({ sequence, text }) => [sequence, text]))
  expect(whole).toEqual([...cut])
  expect(rest.inserts).toEqual([])
  expect(rest.updates.map(({ sequence }) => sequence)).toEqual([0])
})
