// How a call went: a call that was talked on is never missed, whoever ends it and however, and its end is told once.
import { callMoves, callOutcomes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSilentCalls } from '../../../src/resources/calls/stale-call-worker.js'
import { committing } from '../../support/committing.js'
import { eventsOf } from '../../support/events.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
let numbers = 0
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const newNumber = (): string => `+1555${String(++numbers).padStart(7, '0')}`
const startedAt = '2026-03-01T09:00:00.000Z'
const endedAt = '2026-03-01T09:02:00.000Z'

async function begin(body: object = {}) {
  const made = await service.api.post('/calls', {
    direction: 'inbound',
    from: newNumber(),
    to: '+15559999999',
    startedAt,
    ...body,
  })
  expect(made.status).toBe(201)
  return made.body
}
const end = (id: string, body: object = {}) => service.api.post(`/calls/${id}/end`, body)
const report = (id: string, body: object) => service.api.patch(`/calls/${id}`, body)
const read = async (id: string) => (await service.api.get(`/calls/${id}`)).body
const say = (id: string, ...speakers: string[]) =>
  service.api.post(`/calls/${id}/segments`, {
    segments: speakers.map((speaker, sequence) => ({
      sequence,
      speaker,
      text: 'Hello',
      startMs: sequence * 10_000,
      endMs: sequence * 10_000 + 9_000,
    })),
  })

/** The events of the end of a call, checked against their schemas. */
async function endsOf(id: string): Promise<string[]> {
  const told = (await eventsOf(service, service.api)).filter(({ data }) => data.callId === id)
  return told.map(({ type }) => type).filter((type) => type === 'call.ended' || type === 'call.missed')
}

const fact = { key: 'issue', value: 'leak' }

describe('a ringing call whose answer nobody reported', () => {
  const signsOfTalk: [string, (id: string) => Promise<unknown>, object][] = [
    ['an agent spoke', (id) => say(id, 'agent'), {}],
    ['an AI spoke', (id) => say(id, 'caller', 'ai'), {}],
    ['two others spoke', (id) => say(id, 'caller', 'third_party'), {}],
    ['facts were learned', (id) => service.api.post(`/calls/${id}/facts`, { facts: [fact] }), {}],
    ['a draft was made', (id) => service.api.post('/drafts', { callSessionId: id }), {}],
    ['it was summed up before', (id) => report(id, { summary: 'A leak' }), {}],
    ['its end has a summary', async () => {}, { summary: 'A leak' }],
    ['its end has facts', async () => {}, { facts: [fact] }],
    ['its end has a draft', async () => {}, { draft: { title: 'Sink' } }],
    ['its end has talk seconds', async () => {}, { duration: 1 }],
    ['its end has a transcript of two', async () => {}, { transcript: 'Caller: Hi\nAgent: Hello' }],
    [
      'its end has segments of an agent',
      async () => {},
      { transcript: [{ sequence: 0, speaker: 'agent', text: 'Hello', startMs: 0 }] },
    ],
  ]

  test.each(signsOfTalk)('was answered: %s', async (_name, happen, body) => {
    for (const direction of ['inbound', 'outbound']) {
      const call = await begin({ direction })
      await happen(call.id)
      const ended = await end(call.id, { endedAt, ...body })
      expect(ended, ended.text).toMatchObject({
        status: 200,
        body: { status: 'completed', endedAt, answeredAt: expect.any(String) },
      })
      expect(ended.body.answeredAt >= startedAt && ended.body.answeredAt <= endedAt).toBe(true)
      expect(await endsOf(call.id)).toEqual(['call.ended'])
      expect(await read(call.id)).toEqual(ended.body)
    }
  })

  test('of a text that came too late to be taken, it still shows that two spoke', async () => {
    const call = await begin()
    await say(call.id, 'caller')
    const ended = await end(call.id, { transcript: 'Caller: Hi\nAgent: Hello' })
    expect(ended.body).toMatchObject({ status: 'completed', transcriptSegmentCount: 1 })
  })

  const signsOfSilence: [string, (id: string) => Promise<unknown>, object][] = [
    ['nothing', async () => {}, {}],
    ['nulls', async () => {}, { outcome: null, duration: null, endedAt: null, summary: null, draft: null, facts: [] }],
    ['no talk and a blank summary', async () => {}, { duration: 0, summary: ' ' }],
    ['the caller alone', (id) => say(id, 'caller', 'system', 'caller'), {}],
    ['a transcript of the caller alone', async () => {}, { transcript: 'Caller: Hello?\nSystem: Nobody is here' }],
    ['a signal', async () => {}, { signals: [{ kind: 'urgent', confidence: 0.9 }] }],
  ]

  test.each(signsOfSilence)('was missed: %s', async (_name, happen, body) => {
    const call = await begin()
    await happen(call.id)
    const ended = await end(call.id, body)
    expect(ended, ended.text).toMatchObject({
      status: 200,
      body: { status: 'missed', answeredAt: null, duration: 0, outcome: null },
    })
    expect(await endsOf(call.id)).toEqual(['call.missed'])
  })

  test('talked as long as it is said, else as long as its transcript goes, and never before it began', async () => {
    const times = async (said: string[], body: object) => {
      const call = await begin()
      if (said.length > 0) await say(call.id, ...said)
      const { answeredAt, duration } = (await end(call.id, { endedAt, ...body })).body
      return [answeredAt, duration]
    }
    expect(await times(['agent', 'caller'], {})).toEqual(['2026-03-01T09:01:41.000Z', 19])
    expect(await times(['agent'], { duration: 100 })).toEqual(['2026-03-01T09:00:20.000Z', 100])
    expect(await times([], { duration: 500 })).toEqual([startedAt, 500])
    expect(await times([], { outcome: 'answered' })).toEqual([endedAt, 0])
    expect(await times([], { outcome: 'answered', duration: 60 })).toEqual(['2026-03-01T09:01:00.000Z', 60])
  })
})

describe('the outcome of an end decides', () => {
  const outcomes = Object.entries(callOutcomes)
  const kinds = ['inbound', 'outbound'].flatMap((direction) =>
    ['ringing', 'in_progress'].map((status) => [direction, status] as const),
  )
  const cases = kinds.flatMap(([direction, status]) =>
    outcomes.map(([outcome, expected]) => [direction, status, outcome, expected] as const),
  )

  /**
   * What tells of the end: a call that was talked on ended, whatever broke it off; one that came in and was not, was
   * missed, unless a machine took it.
   */
  function endOf(direction: string, status: string, outcome: string): string[] {
    if (outcome === 'answered') return ['call.ended']
    if (outcome === 'voicemail') return []
    if (outcome !== 'missed' && status === 'in_progress') return ['call.ended']
    return direction === 'inbound' ? ['call.missed'] : []
  }

  test.each(cases)('%s, %s, %s: %s', async (direction, status, outcome, expected) => {
    const call = await begin({ direction, status })
    const ended = await end(call.id, { outcome, endedAt })
    expect(ended, ended.text).toMatchObject({ status: 200, body: { status: expected, outcome, endedAt } })
    expect(ended.body.answeredAt !== null).toBe(
      outcome === 'answered' || (status === 'in_progress' && ['canceled', 'failed'].includes(outcome)),
    )
    expect(await endsOf(call.id)).toEqual(endOf(direction, status, outcome))
    for (const [another] of outcomes)
      expect((await end(call.id, { outcome: another, duration: 9 })).text).toBe(ended.text)
    expect(await endsOf(call.id)).toEqual(endOf(direction, status, outcome))
  })

  test('over all that shows otherwise', async () => {
    const spoken = await begin()
    await say(spoken.id, 'agent', 'caller')
    expect((await end(spoken.id, { outcome: 'missed', summary: 'Hung up at the greeting' })).body).toMatchObject({
      status: 'missed',
      answeredAt: null,
    })
    expect(await endsOf(spoken.id)).toEqual(['call.missed'])
    const left = await begin()
    await service.api.post('/voicemails', { callerNumber: left.from, callSessionId: left.id })
    expect((await end(left.id, { outcome: 'answered', duration: 30 })).body).toMatchObject({
      status: 'completed',
      duration: 30,
    })
    expect(await endsOf(left.id)).toEqual(['call.ended'])
  })

  test('and is kept where the call has no outcome of its own', async () => {
    const call = await begin()
    await report(call.id, { outcome: 'lead_won' })
    expect((await end(call.id, { outcome: 'answered' })).body).toMatchObject({
      status: 'completed',
      outcome: 'lead_won',
    })
    for (const outcome of ['completed', 'Answered', '', 7]) {
      expect(await end((await begin()).id, { outcome })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'outcome' }] } },
      })
    }
  })

  test('a voicemail that comes after the end finds the call that said there would be one', async () => {
    const call = await begin()
    await end(call.id, { outcome: 'voicemail' })
    expect(await endsOf(call.id)).toEqual([])
    const voicemail = await service.api.post('/voicemails', {
      callerNumber: call.from,
      callSessionId: call.id,
      transcript: 'Call me',
    })
    expect(voicemail.status).toBe(201)
    expect(await read(call.id)).toMatchObject({
      status: 'voicemail',
      outcome: 'voicemail',
      voicemailId: voicemail.body.id,
      endedAt: expect.any(String),
    })
    const told = (await eventsOf(service, service.api)).filter(({ data }) =>
      [data.callId, data.callSessionId].includes(call.id),
    )
    expect(told.map(({ type }) => type)).toEqual(['call.started', 'voicemail.received'])
  })
})

describe('a report by PATCH', () => {
  test('ends the call with the duration and the time that it says; what it says again is late', async () => {
    for (const status of ['ringing', 'in_progress']) {
      const call = await begin({ status })
      const ended = await report(call.id, { status: 'completed', duration: 60, endedAt })
      const answeredAt = status === 'ringing' ? '2026-03-01T09:01:00.000Z' : startedAt
      expect(ended, ended.text).toMatchObject({
        status: 200,
        body: { status: 'completed', duration: 60, endedAt, answeredAt, version: 2 },
      })
      expect(await endsOf(call.id)).toEqual(['call.ended'])
      const { handledBy: _, ...whole } = ended.body
      for (const late of [
        { duration: 5 },
        { endedAt: startedAt },
        { status: 'completed', duration: 5, endedAt: null },
        { status: 'missed' },
        whole,
      ]) {
        expect(await report(call.id, late)).toMatchObject({ status: 200, body: ended.body })
      }
      expect(await endsOf(call.id)).toEqual(['call.ended'])
    }
  })

  test('that says when it was answered as well is believed', async () => {
    const call = await begin()
    const ended = await report(call.id, { status: 'completed', answeredAt: '2026-03-01T09:00:30Z', endedAt })
    expect(ended.body).toMatchObject({ status: 'completed', answeredAt: '2026-03-01T09:00:30.000Z', duration: 90 })
  })

  test.each([
    [{ duration: -1 }, 'duration'],
    [{ duration: 1.5 }, 'duration'],
    [{ duration: null }, 'duration'],
    [{ endedAt: 'noon' }, 'endedAt'],
    [{ endedAt: '2026-03-01T08:00:00Z' }, 'endedAt'],
  ])('cannot say %j', async (body, path) => {
    const call = await begin()
    expect(await report(call.id, { status: 'completed', ...body })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path }] } },
    })
    expect(await read(call.id)).toEqual(call)
  })

  const contradictions: [string, object, string, (id: string) => Promise<unknown>][] = [
    ['missed, and it is being talked on', { status: 'missed' }, 'in_progress', async () => {}],
    ['voicemail, and it is being talked on', { status: 'voicemail' }, 'in_progress', async () => {}],
    ['canceled, and it is being talked on', { status: 'canceled' }, 'in_progress', async () => {}],
    ['missed, and an AI spoke', { status: 'missed' }, 'ringing', (id) => say(id, 'ai')],
    ['missed after talk', { status: 'missed', duration: 42 }, 'ringing', async () => {}],
    ['missed after an answer', { status: 'missed', answeredAt: startedAt }, 'ringing', async () => {}],
    ['talk seconds, and it goes on', { duration: 42 }, 'in_progress', async () => {}],
    ['talk seconds of what rings', { status: 'ringing', duration: 42 }, 'ringing', async () => {}],
    ['when it ended, and it goes on', { endedAt }, 'in_progress', async () => {}],
  ]

  test.each(contradictions)('is refused, and told why: %s', async (_name, body, status, happen) => {
    const call = await begin({ status })
    await happen(call.id)
    const before = await read(call.id)
    const refused = await report(call.id, { ...body, summary: 'Not taken either' })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict', details: { reason: 'state' } } } })
    expect(
      refused.body.error.details.allowed.every((one: string) =>
        (callMoves[call.status as 'ringing'] as readonly string[]).includes(one),
      ),
    ).toBe(true)
    expect(await read(call.id)).toEqual(before)
    expect(await endsOf(call.id)).toEqual([])
  })

  test('that it was missed may say why', async () => {
    const call = await begin()
    expect((await report(call.id, { status: 'missed', summary: 'Rang out', endedAt })).body).toMatchObject({
      status: 'missed',
      endedAt,
      duration: 0,
    })
    expect(await endsOf(call.id)).toEqual(['call.missed'])
  })
})

test('a call that is left behind ends by what it shows', async () => {
  const [silent, spoken, learned] = [await begin(), await begin(), await begin({ direction: 'outbound' })]
  await say(spoken.id, 'ai', 'caller')
  await service.api.post(`/calls/${learned.id}/facts`, { facts: [fact] })
  const parts = {
    ...committing(service.database),
    clock: () => new Date(Date.now() + 5 * 3_600_000),
    onCommit: () => {},
  }
  await endSilentCalls(parts, (error) => {
    throw error
  })
  expect(await read(silent.id)).toMatchObject({ status: 'missed', endReason: 'timeout', answeredAt: null })
  expect(await read(spoken.id)).toMatchObject({ status: 'completed', endReason: 'timeout', duration: 19 })
  expect(await read(learned.id)).toMatchObject({ status: 'completed', endReason: 'timeout' })
  for (const [{ id }, type] of [
    [silent, 'call.missed'],
    [spoken, 'call.ended'],
    [learned, 'call.ended'],
  ] as const)
    expect(await endsOf(id)).toEqual([type])
})
