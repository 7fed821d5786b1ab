// The story of one intake, from the ring of a phone to an approved work record, told through the public API alone.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEvents } from '../support/event-source.js'
import { eventsOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('Maria’s sink leaks: from ring to approved work record to events', async () => {
  const { api } = service
  const number = (await api.post('/phone-numbers', { e164: '+15550160000', label: 'Front desk' })).body

  // The phone rings. Nobody has heard of this caller before.
  const call = (
    await api.post('/calls', {
      direction: 'inbound',
      from: '+15550142201',
      to: number.e164,
      callerName: 'Maria',
      provider: 'acme',
      providerCallId: 'CA-77',
    })
  ).body
  expect(call).toMatchObject({ status: 'ringing', phoneNumberId: number.id })
  const maria = (await api.get('/people/by-phone?phone=%2B15550142201')).body.data
  expect(maria).toMatchObject({ id: call.personId, displayName: 'Maria', createdVia: 'call', customerId: null })

  // Somebody at the desk opens the surface and looks on.
  const path = `/calls/${call.id}`
  const desk = await openEvents(`${service.url}/api/v1${path}/stream`, api.key)
  await desk.atLeast(1)

  // The call is answered, and its transcript streams in: interim words first, then what was really said.
  await api.patch(path, { status: 'in_progress', handledBy: { type: 'ai', agentName: 'Front desk AI' } })
  const [heard] = (
    await api.post(`${path}/segments`, {
      segments: [{ sequence: 0, speaker: 'caller', text: 'My kitchen sing', startMs: 0, isFinal: false }],
    })
  ).body.data
  const lines = [
    {
      sequence: 0,
      speaker: 'caller',
      text: 'My kitchen sink is leaking, I am at 18 Quay Street.',
      startMs: 0,
      endMs: 4_000,
    },
    { sequence: 1, speaker: 'ai', text: 'Can we come tomorrow at nine?', startMs: 4_200, endMs: 6_000 },
    {
      sequence: 2,
      speaker: 'caller',
      text: 'Yes. This is outrageous though, it is the third time!',
      startMs: 6_100,
      endMs: 9_000,
    },
  ]
  const segments = (await api.post(`${path}/segments`, { segments: lines })).body.data
  expect(segments[0]).toMatchObject({ id: heard.id, isFinal: true })

  // What was learned stands with the words that say it.
  const evidence = [
    {
      callSessionId: call.id,
      segmentId: heard.id,
      quote: 'leaking, I am at 18 Quay Street',
      startMs: 0,
      endMs: 4_000,
      speaker: 'caller',
    },
  ]
  const captured = (
    await api.post(`${path}/facts`, {
      facts: [
        { key: 'issue', value: 'kitchen sink leaking', confidence: 0.96, evidence },
        { key: 'service_address', value: '18 Quay Street', confidence: 0.93, evidence },
        { key: 'budget', value: 100, confidence: 0.3 },
      ],
    })
  ).body.data
  const [issue, address, budget] = captured
  expect(captured.map(({ status, subjectType, subjectId }: any) => [status, subjectType, subjectId])).toEqual(
    Array(3).fill(['proposed', 'person', maria.id]),
  )
  await api.post('/signal-events', {
    kind: 'complaint',
    confidence: 0.9,
    callSessionId: call.id,
    details: { times: 3 },
  })

  // Maria hangs up. The call ends with a summary and a draft of the work.
  const ended = (
    await api.post(`${path}/end`, {
      duration: 9,
      endReason: 'caller_hangup',
      summary: 'Kitchen sink leaks for the third time. Wants a plumber tomorrow at nine.',
      draft: {
        canonicalKind: 'job',
        title: 'Repair kitchen sink',
        payload: { priority: 'normal', scheduledStart: '2027-01-05T09:00:00Z' },
        confidence: 0.9,
      },
    })
  ).body
  expect(ended).toMatchObject({
    status: 'completed',
    duration: 9,
    transcriptStatus: 'available',
    signals: [{ kind: 'complaint' }],
  })
  const [draft] = (await api.get('/drafts?status=pending_review')).body.data
  expect(draft).toMatchObject({
    callSessionId: call.id,
    personId: maria.id,
    factIds: captured.map(({ id }: any) => id),
    missingFields: [],
  })

  // A human looks at it, raises the priority, believes the address and not the budget, and approves.
  const approved = (
    await api.post(`/drafts/${draft.id}/approve`, {
      payload: { priority: 'urgent' },
      acceptFactIds: [issue.id, address.id],
      rejectFactIds: [budget.id],
    })
  ).body
  const work = (await api.get(`/work-records/${approved.workRecordId}`)).body
  expect(work).toMatchObject({
    number: 'WR-000001',
    canonicalKind: 'job',
    title: 'Repair kitchen sink',
    priority: 'urgent',
    source: 'call',
    sourceCallSessionId: call.id,
    draftId: draft.id,
    primaryPersonId: maria.id,
    scheduledStart: '2027-01-05T09:00:00.000Z',
  })
  expect((await api.get(`/customers/${work.customerId}`)).body).toMatchObject({
    displayName: 'Maria',
    primaryPersonId: maria.id,
  })
  const statuses = await Promise.all(captured.map(async ({ id }: any) => (await api.get(`/facts/${id}`)).body.status))
  expect(statuses).toEqual(['confirmed', 'confirmed', 'rejected'])

  // The surface shows how it ended, and the desk has seen it all happen.
  const surface = (await api.get(`${path}/surface`)).body
  expect(surface).toMatchObject({
    live: false,
    workRecord: { id: work.id },
    customer: { id: work.customerId },
    draft: { status: 'approved' },
  })
  await expect.poll(() => desk.frames.at(-1)?.data.revision).toBe(surface.revision)
  const streamed = desk.frames.filter(({ event }) => event === 'transcript').flatMap(({ data }) => data.segments)
  expect(new Set(streamed.map(({ sequence }) => sequence))).toEqual(new Set([0, 1, 2]))
  desk.close()

  // Every step is in the log, once and in order.
  const log = await eventsOf(service, api)
  expect(log.map(({ type }) => type)).toEqual([
    'person.created',
    'call.started',
    'fact.proposed',
    'fact.proposed',
    'fact.proposed',
    'signal.fired',
    'draft.created',
    'call.ended',
    // Maria is a customer now.
    'person.updated',
    'work_record.created',
    'fact.rejected',
    'fact.confirmed',
    'fact.confirmed',
    'appointment.scheduled',
    'draft.approved',
  ])
  expect(log.at(-1)?.data).toMatchObject({
    callSessionId: call.id,
    workRecordId: work.id,
    edits: { 'payload.priority': { proposed: 'normal', approved: 'urgent' } },
  })
  await expect
    .poll(async () => (await api.get(`/events?after=${log[0]?.eventId}&limit=100`)).body.data)
    .toEqual(log.slice(1))

  // The customer calls again: everyone is known now.
  const again = (await api.post('/calls', { direction: 'inbound', from: '+15550142201', to: number.e164 })).body
  expect(again).toMatchObject({ personId: maria.id, customerId: work.customerId })
})
