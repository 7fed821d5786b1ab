import { type CallStatus, callMoves, callStatuses, canMove } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presentCalls } from '../../../src/resources/calls/composed-call.js'
import { Reader } from '../../../src/store/reader.js'
import { countingDatabase } from '../../support/counting-database.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let numbers = 0
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** A number nobody has used yet, so that tests do not meet in one person. */
const newNumber = (): string => `+1555${String(++numbers).padStart(7, '0')}`

async function begin(body: object = {}, api: Client = service.api) {
  const made = await api.post('/calls', { direction: 'inbound', from: newNumber(), to: '+15559999999', ...body })
  expect(made.status).toBe(201)
  return made.body
}

/** The events that name a call, in order, and checked against their schemas. */
async function eventsOfCall(id: string, api: Client = service.api) {
  return (await eventsOf(service, api)).filter(({ data }) => data.callId === id)
}
const typesOfCall = async (id: string) => (await eventsOfCall(id)).map(({ type }) => type)

/** How a call is brought into each status by reports. */
const ways: Record<CallStatus, CallStatus[]> = {
  ringing: [],
  in_progress: ['in_progress'],
  completed: ['in_progress', 'completed'],
  missed: ['missed'],
  voicemail: ['voicemail'],
  canceled: ['canceled'],
  failed: ['failed'],
}

async function callIn(status: CallStatus) {
  let call = await begin()
  for (const step of ways[status]) call = (await service.api.patch(`/calls/${call.id}`, { status: step })).body
  expect(call.status).toBe(status)
  return call
}

describe('a call begins', () => {
  test('with all its fields, and reads back as it was answered', async () => {
    const { api } = service
    const made = await api.post('/calls', {
      direction: 'inbound',
      from: '+1 (555) 010-0200',
      to: '+15550100999',
      callerName: 'Ann Lee',
      provider: 'acme',
      providerCallId: 'CA1',
      startedAt: '2026-03-01T10:00:00+01:00',
      metadata: { trunk: 7 },
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      direction: 'inbound',
      status: 'ringing',
      from: '+15550100200',
      startedAt: '2026-03-01T09:00:00.000Z',
      answeredAt: null,
      endedAt: null,
      duration: 0,
      handledBy: { type: 'none' },
      transcriptStatus: 'none',
      transcriptSegmentCount: 0,
      transcriptSegments: [],
      drafts: [],
      facts: [],
      signals: [],
      recordingStatus: 'none',
      provider: 'acme',
      metadata: { trunk: 7 },
      version: 1,
    })
    const read = await api.get(`/calls/${made.body.id}`)
    expect(read.body).toEqual(made.body)
    expect(read.headers.get('etag')).toBe('"1"')
    expect((await api.get('/calls?q=ann')).body.data).toEqual([made.body])
    const person = await api.get(`/people/${made.body.personId}`)
    expect(person.body).toMatchObject({ displayName: 'Ann Lee', primaryPhone: '+15550100200', createdVia: 'call' })
    expect(await typesOfCall(made.body.id)).toEqual(['call.started'])
  })

  test.each([
    ['inbound', 'from'],
    ['outbound', 'to'],
  ])('%s: the person is the one at the %s end, and the number of ours is known', async (direction, theirs) => {
    const { api } = service
    const [ours, other] = [newNumber(), newNumber()]
    const number = await api.post('/phone-numbers', { e164: ours })
    const person = await api.post('/people', { displayName: 'Known', primaryPhone: other })
    const call = await begin({
      direction,
      from: theirs === 'from' ? other : ours,
      to: theirs === 'from' ? ours : other,
    })
    expect(call).toMatchObject({ personId: person.body.id, phoneNumberId: number.body.id })
  })

  test('in progress: it was answered when it began', async () => {
    const call = await begin({ status: 'in_progress', startedAt: '2026-03-01T09:00:00Z' })
    expect(call).toMatchObject({ status: 'in_progress', answeredAt: '2026-03-01T09:00:00.000Z' })
  })

  test('once per provider and its id, also when twenty reports come at once', async () => {
    const { api } = service
    const body = {
      direction: 'inbound',
      from: newNumber(),
      to: '+15559999999',
      provider: 'acme',
      providerCallId: 'CA-crowd',
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/calls', body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    const id = answers[0]?.body.id
    expect(new Set(answers.map((answer) => answer.body.id))).toEqual(new Set([id]))
    expect(await typesOfCall(id)).toEqual(['call.started'])
    const people = await api.get(`/people?primaryPhone=${encodeURIComponent(body.from)}`)
    expect(people.body.data).toHaveLength(1)
    const other = await api.post('/calls', { ...body, provider: 'other' })
    expect(other.status).toBe(201)
  })

  test('a report that knows the call by its provider updates it, and does not move it back', async () => {
    const { api } = service
    const body = { direction: 'inbound', from: newNumber(), to: '+15559999999', providerCallId: 'CA-late' }
    const call = await begin(body)
    await api.patch(`/calls/${call.id}`, { status: 'in_progress' })
    const late = await api.post('/calls', { ...body, status: 'ringing', metadata: { hops: 2 } })
    expect(late.status).toBe(200)
    expect(late.body).toMatchObject({ id: call.id, status: 'in_progress', metadata: { hops: 2 } })
    const byReference = await api.post('/calls', {
      ...body,
      providerCallId: null,
      externalRefs: [{ system: 'pbx', externalId: '7' }],
    })
    expect(byReference.status).toBe(201)
    const again = await api.post('/calls', {
      ...body,
      providerCallId: null,
      callerName: 'Bo',
      externalRefs: [{ system: 'pbx', externalId: '7' }],
    })
    expect(again).toMatchObject({ status: 200, body: { id: byReference.body.id, callerName: 'Bo' } })
  })
})

describe('reports', () => {
  /** An end that contradicts what is known of a call that goes on. */
  const isRefused = (from: CallStatus, to: CallStatus) =>
    from === 'in_progress' && ['missed', 'voicemail', 'canceled'].includes(to)
  const moves = callStatuses.flatMap((from) =>
    callStatuses.map((to) => [from, to, canMove(callMoves, from, to) ? to : from] as const),
  )

  test.each(moves.filter(([from, to]) => isRefused(from, to)))('%s, told it is %s: refused', async (from, to) => {
    const call = await callIn(from)
    const answer = await service.api.patch(`/calls/${call.id}`, { status: to, outcome: 'noted' })
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'state', from, to, allowed: callMoves[from] } } },
    })
    expect((await service.api.get(`/calls/${call.id}`)).body).toEqual(call)
  })

  test.each(moves.filter(([from, to]) => !isRefused(from, to)))('%s, told it is %s: %s', async (from, to, expected) => {
    const { api } = service
    const call = await callIn(from)
    const answer = await api.patch(`/calls/${call.id}`, { status: to, outcome: 'noted' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: expected, outcome: 'noted' })
    const types = await typesOfCall(call.id)
    const ends = types.filter((type) => type === 'call.ended' || type === 'call.missed')
    const hasEnded = answer.body.endedAt !== null
    expect(hasEnded).toBe(expected !== 'ringing' && expected !== 'in_progress')
    expect(ends.length).toBeLessThanOrEqual(1)
    if (answer.body.answeredAt !== null && hasEnded) expect(ends).toEqual(['call.ended'])
    if (answer.body.answeredAt === null && hasEnded)
      expect(ends).toEqual(
        from === 'voicemail' || (to === 'voicemail' && from !== 'missed' && expected === 'voicemail')
          ? []
          : ['call.missed'],
      )
    const messages = await api.get(`/messages?personId=${call.personId}`)
    expect(messages.body.data).toHaveLength(hasEnded ? 1 : 0)
  })

  test('that it was answered, with the time: it is being talked on', async () => {
    const call = await begin({ startedAt: '2026-03-01T09:00:00Z' })
    const answered = await service.api.patch(`/calls/${call.id}`, { answeredAt: '2026-03-01T09:00:05Z' })
    expect(answered.body).toMatchObject({ status: 'in_progress', answeredAt: '2026-03-01T09:00:05.000Z', version: 2 })
    const same = await service.api.patch(`/calls/${call.id}`, { answeredAt: '2026-03-01T09:00:05Z' })
    expect(same.body.version).toBe(2)
  })

  test('a call can be read, changed and sent back whole; what was settled at its beginning stays', async () => {
    const call = await begin()
    const answer = await service.api.patch(`/calls/${call.id}`, {
      ...call,
      from: '+15550000001',
      summary: 'Short',
      handledBy: { agentName: 'Ana' },
    })
    expect(answer.body).toMatchObject({
      from: call.from,
      summary: 'Short',
      handledBy: { type: 'none', agentName: 'Ana' },
    })
  })

  test('If-Match names the version that the caller has seen', async () => {
    const call = await begin()
    const stale = await service.api.patch(`/calls/${call.id}`, { summary: 'x' }, { 'if-match': '"9"' })
    expect(stale).toMatchObject({ status: 409, body: { error: { code: 'conflict', details: { reason: 'version' } } } })
    expect((await service.api.patch(`/calls/${call.id}`, { summary: 'x' }, { 'if-match': '"1"' })).status).toBe(200)
  })
})

describe('the end', () => {
  const ends = [
    ['inbound', 'ringing', {}, 'missed', 'call.missed'],
    ['inbound', 'ringing', { endReason: 'busy' }, 'missed', 'call.missed'],
    ['outbound', 'ringing', { endReason: 'no_answer' }, 'canceled', undefined],
    ['outbound', 'ringing', { endReason: 'busy' }, 'failed', undefined],
    ['outbound', 'ringing', { endReason: 'error' }, 'failed', undefined],
    ['inbound', 'in_progress', { endReason: 'caller_hangup' }, 'completed', 'call.ended'],
    ['outbound', 'in_progress', { endReason: 'error' }, 'completed', 'call.ended'],
    // Talk seconds are talk: a call whose answer nobody reported was answered.
    ['inbound', 'ringing', { duration: 42 }, 'completed', 'call.ended'],
  ] as const

  test.each(ends)('%s, %s, ended with %j: %s', async (direction, status, body, expected, type) => {
    const call = await begin({ direction, status })
    const ended = await service.api.post(`/calls/${call.id}/end`, body)
    expect(ended.status).toBe(200)
    expect(ended.body).toMatchObject({
      status: expected,
      endReason: 'endReason' in body ? body.endReason : null,
      endedAt: expect.any(String),
    })
    expect((await typesOfCall(call.id)).slice(1)).toEqual(type ? [type] : [])
    expect((await service.api.get(`/calls/${call.id}`)).body).toEqual(ended.body)
  })

  test('tells what was said, learned and proposed, and hands the draft over for review', async () => {
    const { api } = service
    const call = await begin({ status: 'in_progress', startedAt: '2026-03-01T09:00:00Z' })
    const path = `/calls/${call.id}`
    const early = await api.post('/drafts', { callSessionId: call.id, title: 'Early' })
    expect(early.body.status).toBe('draft')
    await api.post(`${path}/segments`, {
      segments: [{ sequence: 0, speaker: 'caller', text: 'My sink leaks', startMs: 0 }],
    })
    const ended = await api.post(`${path}/end`, {
      endedAt: '2026-03-01T09:01:35.400Z',
      endReason: 'caller_hangup',
      summary: 'A leak',
      recordingUrl: 'https://recordings.example/1.mp3',
      transcript: [{ sequence: 1, speaker: 'agent', text: 'We\ncome', startMs: 2000 }],
      facts: [{ key: 'issue', value: 'leak', confidence: 0.9 }],
      signals: [{ kind: 'urgent', confidence: 0.95 }],
      draft: { title: 'Fix the sink', canonicalKind: 'job' },
    })
    expect(ended.body).toMatchObject({
      status: 'completed',
      duration: 95,
      summary: 'A leak',
      recordingStatus: 'available',
      transcriptStatus: 'available',
      transcriptSegmentCount: 2,
      drafts: [
        { id: early.body.id, status: 'pending_review' },
        { title: 'Fix the sink', status: 'pending_review', personId: call.personId, factIds: [ended.body.facts[0].id] },
      ],
      facts: [
        { key: 'issue', source: 'call', subjectType: 'person', subjectId: call.personId, sourceCallSessionId: call.id },
      ],
      signals: [{ kind: 'urgent', callSessionId: call.id, personId: call.personId }],
    })
    expect((await api.get(path)).body).toEqual(ended.body)
    const event = (await eventsOfCall(call.id)).at(-1)
    expect(event).toMatchObject({
      type: 'call.ended',
      data: {
        callId: call.id,
        direction: 'inbound',
        duration: 95,
        summary: 'A leak',
        transcript: 'Caller: My sink leaks\nAgent: We come',
        transcriptTruncated: false,
        transcriptStatus: 'available',
        recordingUrl: 'https://recordings.example/1.mp3',
        workRecordId: null,
        endReason: 'caller_hangup',
        draftId: ended.body.drafts[1].id,
        facts: ended.body.facts,
        signals: ended.body.signals,
      },
    })
    const [message] = (await api.get(`/messages?personId=${call.personId}`)).body.data
    expect(message).toMatchObject({
      channel: 'voice',
      direction: 'inbound',
      body: 'A leak',
      from: call.from,
      to: call.to,
      callSessionId: call.id,
    })
    expect(ended.body.conversationId).toBe(message.threadId)
  })

  test('comes once, also when twenty report it at once', async () => {
    const { api } = service
    const call = await begin({ status: 'in_progress' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => api.post(`/calls/${call.id}/end`, { summary: `Report ${index}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await typesOfCall(call.id)).filter((type) => type === 'call.ended')).toHaveLength(1)
    expect((await api.get(`/messages?personId=${call.personId}`)).body.data).toHaveLength(1)
    const again = await api.post(`/calls/${call.id}/end`, { summary: 'Too late', endReason: 'error' })
    expect(again.text).toBe(answers[0]?.text)
  })

  test('of two calls between the same numbers is two messages in one thread', async () => {
    const { api } = service
    const ends = { from: newNumber(), to: newNumber() }
    const [first, second] = [await begin(ends), await begin(ends)]
    const [one, two] = await Promise.all([first, second].map(({ id }) => api.post(`/calls/${id}/end`, {})))
    expect(one?.body.conversationId).toBe(two?.body.conversationId)
    expect((await api.get(`/conversations/${one?.body.conversationId}`)).body).toMatchObject({
      channel: 'voice',
      messageCount: 2,
      personId: first.personId,
    })
  })

  test('a transcript sent as text becomes segments, unless segments were streamed', async () => {
    const { api } = service
    const call = await begin({ status: 'in_progress' })
    const text = 'Agent: Good morning\nCaller: Hi,\n  it is Bo\n\nThird party: Hello'
    const ended = await api.post(`/calls/${call.id}/end`, { transcript: text })
    expect(ended.body.transcriptSegments.map(({ sequence, speaker, text }: any) => [sequence, speaker, text])).toEqual([
      [0, 'agent', 'Good morning'],
      [1, 'caller', 'Hi,'],
      [2, 'caller', 'it is Bo'],
      [3, 'third_party', 'Hello'],
    ])
    const streamed = await begin({ status: 'in_progress' })
    await api.post(`/calls/${streamed.id}/segments`, {
      segments: [{ sequence: 0, speaker: 'caller', text: 'Live', startMs: 0 }],
    })
    expect((await api.post(`/calls/${streamed.id}/end`, { transcript: text })).body).toMatchObject({
      transcriptSegmentCount: 1,
    })
  })

  test('an end a little before the start is a matter of clocks, long before it is an error', async () => {
    const { api } = service
    const call = await begin({ status: 'in_progress', startedAt: '2026-03-01T09:00:00Z' })
    const wrong = await api.post(`/calls/${call.id}/end`, { endedAt: '2026-03-01T08:00:00Z' })
    expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ path: 'endedAt', code: 'order' }] } } })
    const ended = await api.post(`/calls/${call.id}/end`, { endedAt: '2026-03-01T08:59:59Z' })
    expect(ended.body).toMatchObject({ endedAt: '2026-03-01T09:00:00.000Z', duration: 0, status: 'completed' })
  })

  test('a transcript longer than an event may be is cut at the end of a segment', async () => {
    const { api } = service
    const call = await begin({ status: 'in_progress' })
    const segments = Array.from({ length: 10 }, (_, sequence) => ({
      sequence,
      speaker: 'caller',
      text: 'ä'.repeat(4_000),
      startMs: sequence,
    }))
    await api.post(`/calls/${call.id}/segments`, { segments })
    await api.post(`/calls/${call.id}/end`, {})
    const event = (await eventsOfCall(call.id)).at(-1)
    expect(event?.data).toMatchObject({ transcriptTruncated: true, transcriptStatus: 'available' })
    expect(event?.data.transcript.split('\n')).toHaveLength(8)
    expect(Buffer.byteLength(event?.data.transcript)).toBeLessThanOrEqual(64 * 1024)
  })
})

describe('facts of a call', () => {
  test('are about its work record, else its person, and come back as they stand', async () => {
    const { api } = service
    const call = await begin({ status: 'in_progress' })
    const about = await api.post(`/calls/${call.id}/facts`, {
      facts: [
        { key: 'budget', value: 100, confidence: 0.4 },
        { key: 'budget', value: 100, confidence: 0.7 },
      ],
    })
    expect(about.status).toBe(200)
    expect(about.body.data).toHaveLength(2)
    expect(about.body.data[0]).toEqual(about.body.data[1])
    expect(about.body.data[0]).toMatchObject({
      subjectType: 'person',
      subjectId: call.personId,
      source: 'call',
      corroborationCount: 1,
      confidence: 0.7,
    })
    const work = await api.post('/work-records', { title: 'Roof', canonicalKind: 'job', personId: call.personId })
    await api.patch(`/calls/${call.id}`, { workRecordId: work.body.id })
    const more = await api.post(`/calls/${call.id}/facts`, { facts: [{ key: 'roof_area', value: 80 }] })
    expect(more.body.data[0]).toMatchObject({ subjectType: 'work_record', subjectId: work.body.id })
    expect((await api.get(`/calls/${call.id}`)).body.facts.map((fact: any) => fact.key)).toEqual([
      'budget',
      'roof_area',
    ])
  })

  test('are all taken or none: the problem is named by its place in the list', async () => {
    const { api } = service
    const call = await begin()
    const answer = await api.post(`/calls/${call.id}/facts`, {
      facts: [
        { key: 'ok', value: 1 },
        { key: 'late', value: 1, observedAt: '2099-01-01T00:00:00Z' },
      ],
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', details: [{ path: 'facts[1].observedAt' }] } },
    })
    expect((await api.get(`/facts?sourceCallSessionId=${call.id}`)).body.data).toEqual([])
  })
})

describe('what is embedded', () => {
  test('is the first 50 segments and at most 16 KiB of their text', async () => {
    const { api } = service
    const call = await begin()
    const segments = Array.from({ length: 60 }, (_, sequence) => ({
      sequence,
      speaker: 'caller',
      text: `line ${sequence}`,
      startMs: sequence * 10,
    }))
    await api.post(`/calls/${call.id}/segments`, { segments })
    const read = await api.get(`/calls/${call.id}`)
    expect(read.body).toMatchObject({ transcriptSegmentCount: 60, transcriptStatus: 'live' })
    expect(read.body.transcriptSegments.map((one: any) => one.sequence)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    )
    const long = await begin()
    await api.post(`/calls/${long.id}/segments`, {
      segments: segments.slice(0, 5).map((one) => ({ ...one, text: 'ä'.repeat(2_500) })),
    })
    expect((await api.get(`/calls/${long.id}`)).body.transcriptSegments).toHaveLength(3)
  })

  test('costs a page of many calls as many statements as a page of one', async () => {
    const api = (await service.organization('Lists')).sandbox
    for (let index = 0; index < 30; index++) {
      const call = await begin({}, api)
      await api.post(`/calls/${call.id}/facts`, { facts: [{ key: 'n', value: index }] })
    }
    const { database, count } = countingDatabase(service.database)
    const read = new Reader(database, await tenantOf(service, api))
    const listed = (await api.get('/calls?limit=30')).body.data as {
      id: string
      version: number
      facts: { value: number }[]
    }[]
    expect(listed.map(({ facts }) => facts[0]?.value)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index))
    const rows = listed.map(({ id, version }) => ({ id, version, text: '' }))
    await presentCalls(rows.slice(0, 1), read)
    const forOne = count()
    await presentCalls(rows, read)
    expect(count() - forOne).toBe(forOne)
    expect(forOne).toBe(1)
  })

  test('lists filter by status, direction, person and time', async () => {
    const api = (await service.organization('Filters')).sandbox
    const [a, b] = [
      await begin({ startedAt: '2026-03-01T09:00:00Z' }, api),
      await begin({ direction: 'outbound', startedAt: '2026-03-02T09:00:00Z' }, api),
    ]
    await api.post(`/calls/${a.id}/end`, {})
    const ids = async (query: string) => (await api.get(`/calls?${query}`)).body.data.map(({ id }: any) => id)
    expect(await ids('status=missed')).toEqual([a.id])
    expect(await ids('direction=outbound')).toEqual([b.id])
    expect(await ids(`personId=${b.personId}`)).toEqual([b.id])
    expect(await ids('since=2026-03-02T00:00:00Z')).toEqual([b.id])
    expect(await ids('until=2026-03-02T00:00:00Z')).toEqual([a.id])
  })
})
