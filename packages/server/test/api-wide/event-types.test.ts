// Every standard event, made to happen through the public API and checked against the schema that subscribers are
// given. The table below must have all of them.
import { annotationsOf, events, isNullable, standardEventTypes } from '@parley/contract'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, type LoggedEvent } from '../support/events.js'
import { type Client, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const theirs = '+15550107301'
const ours = '+15559999999'

async function make(api: Client, path: string, body: object = {}) {
  const answer = await api.post(path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const newCall = (api: Client, status: string) =>
  make(api, '/calls', { direction: 'inbound', from: theirs, to: ours, status })
const newPerson = (api: Client) =>
  make(api, '/people', { displayName: 'Ann', primaryPhone: theirs, primaryEmail: 'ann@example.com' })
const newFact = async (api: Client) =>
  make(api, '/facts', {
    subjectType: 'person',
    subjectId: (await newPerson(api)).id,
    key: 'preferred_window',
    value: 'mornings',
    confidence: 0.9,
  })
const newWork = async (api: Client, body: object = {}) =>
  make(api, '/work-records', { title: 'Roof', canonicalKind: 'job', personId: (await newPerson(api)).id, ...body })

interface Way {
  /** Does what fires the event, and says which record the event is about. */
  readonly act: (api: Client) => Promise<string>
  /** The keys that may be null, beside those whose value is the caller's own. */
  readonly nullable: readonly string[]
  /** What the event must say. */
  readonly says?: object
}

const ofSms = ['threadId', 'personId']
const ofVoicemail = ['callerNumber', 'callSessionId', 'transcript', 'recordingUrl', 'recordingApiUrl', 'personId']

const ways: Readonly<Record<string, Way>> = {
  'call.ended': {
    async act(api) {
      const { id } = await newCall(api, 'in_progress')
      const end = {
        duration: 9,
        summary: 'A leak',
        transcript: 'Caller: It leaks',
        recordingUrl: 'https://recordings.example/1.mp3',
      }
      const learned = {
        facts: [{ key: 'issue', value: 'leak' }],
        signals: [{ kind: 'urgent', confidence: 0.95 }],
        draft: { title: 'Fix the sink' },
      }
      await make(api, `/calls/${id}/end`, { ...end, ...learned })
      return id
    },
    nullable: [
      'from',
      'summary',
      'transcript',
      'recordingUrl',
      'workRecordId',
      'endReason',
      'answeredAt',
      'personId',
      'customerId',
      'draftId',
      'draft',
    ],
    says: {
      duration: 9,
      transcript: 'Caller: It leaks',
      facts: [{ key: 'issue' }],
      signals: [{ kind: 'urgent' }],
      draft: { status: 'pending_review' },
    },
  },
  'sms.received': {
    act: async (api) => (await make(api, '/sms/inbound', { from: theirs, to: ours, body: 'Is nine fine?' })).id,
    nullable: ['from', ...ofSms],
    says: { messageId: expect.any(String), body: 'Is nine fine?' },
  },
  'sms.sent': {
    act: async (api) => (await make(api, '/sms', { to: theirs, body: 'We are on our way' })).id,
    nullable: ofSms,
    says: { messageId: expect.any(String), sms: { status: 'sent' } },
  },
  'voicemail.received': {
    act: async (api) => (await make(api, '/voicemails', { callerNumber: theirs, transcript: 'Call me' })).id,
    nullable: ofVoicemail,
    says: { transcript: 'Call me', recordingUrl: null, recordingApiUrl: null },
  },
  'call.missed': {
    async act(api) {
      const { id } = await newCall(api, 'ringing')
      await make(api, `/calls/${id}/end`)
      return id
    },
    nullable: ['from', 'personId'],
    // Nobody said why, so it is what every missed call is.
    says: { reason: 'no_answer', call: { status: 'missed', endReason: null } },
  },
  'person.created': {
    act: async (api) => (await newPerson(api)).id,
    nullable: ['primaryPhone', 'primaryEmail'],
    says: { createdVia: 'api', primaryPhone: theirs },
  },
  'work_record.created': {
    act: async (api) => (await newWork(api)).id,
    nullable: [],
    says: { title: 'Roof', recordState: 'active' },
  },
  'work_record.updated': {
    async act(api) {
      const { id } = await newWork(api)
      await api.patch(`/work-records/${id}`, { priority: 'high' })
      return id
    },
    nullable: [],
    says: { changedFields: ['priority'], changes: { priority: { from: 'normal', to: 'high' } } },
  },
  'fact.confirmed': {
    async act(api) {
      const { id } = await newFact(api)
      await make(api, `/facts/${id}/confirm`)
      return id
    },
    nullable: ['confidence'],
    says: { confirmedVia: 'api', fact: { status: 'confirmed' } },
  },
  'fact.promoted': {
    async act(api) {
      const { id } = await newFact(api)
      await make(api, `/facts/${id}/confirm`)
      await make(api, `/facts/${id}/promote`)
      return id
    },
    nullable: [],
    says: { targetSubjectType: 'person', fact: { status: 'promoted' } },
  },
  'draft.approved': {
    async act(api) {
      const { id: callSessionId } = await newCall(api, 'in_progress')
      const { id } = await make(api, '/drafts', { callSessionId, title: 'Fix the sink' })
      await make(api, `/drafts/${id}/approve`)
      return id
    },
    nullable: ['approvedBy'],
    says: { draft: { status: 'approved' }, workRecord: { source: 'call' } },
  },
  'signal.fired': {
    async act(api) {
      const { id: callSessionId } = await newCall(api, 'in_progress')
      await make(api, '/signal-events', { kind: 'complaint', confidence: 1, callSessionId, details: { times: 3 } })
      return (await api.get(`/signals?callSessionId=${callSessionId}`)).body.data[0].id
    },
    nullable: ['callSessionId', 'workRecordId'],
    says: { kind: 'complaint', details: { times: 3 } },
  },
  'workflow.finished': {
    async act(api) {
      const { id } = await make(api, '/workflow-runs', { workflowKey: 'intake', capturedFields: { zip: '20001' } })
      await api.patch(`/workflow-runs/${id}`, { status: 'completed' })
      return id
    },
    nullable: [],
    says: {
      workflowKey: 'intake',
      capturedFields: { zip: '20001' },
      finishedAt: expect.any(String),
      workflowRun: { status: 'completed' },
    },
  },
  'appointment.scheduled': {
    act: async (api) => (await make(api, '/appointments', { title: 'Visit', startAt: '2027-03-01T10:00:00Z' })).id,
    nullable: ['appointmentId', 'workRecordId', 'scheduledEnd', 'customerId', 'personId'],
    says: { origin: 'appointment', scheduledStart: '2027-03-01T10:00:00.000Z', appointment: { status: 'scheduled' } },
  },
  'task.created': {
    act: async (api) => (await make(api, '/tasks', { title: 'Call back' })).id,
    nullable: ['subjectType', 'subjectId'],
  },
  'note.added': {
    act: async (api) =>
      (await make(api, '/notes', { body: 'Has a dog', subjectType: 'person', subjectId: (await newPerson(api)).id }))
        .id,
    nullable: [],
    says: { subjectType: 'person', note: { body: 'Has a dog' } },
  },
}

/** The only event of a type on a side, once it is there; `eventsOf` has checked it against its schema. */
async function onlyEvent(api: Client, type: string): Promise<LoggedEvent> {
  const found = await until(
    async () => (await eventsOf(service, api)).filter((event) => event.type === type),
    (list) => list.length > 0,
  )
  expect(found).toHaveLength(1)
  return found[0] as LoggedEvent
}

test('the table has every standard event, and there are sixteen', () => {
  expect(Object.keys(ways).sort()).toEqual([...standardEventTypes].sort())
  expect(standardEventTypes).toHaveLength(16)
})

describe('happens through the API, and fits its schema', () => {
  test.each(Object.entries(ways))('%s', async (type, { act, says = {} }) => {
    const api = (await service.organization(type)).sandbox
    const id = await act(api)
    const event = await onlyEvent(api, type)
    const { subject } = events[event.type]
    expect(event).toMatchObject({ type, environment: 'sandbox', data: { ...says, [subject]: id } })
  })

  test('appointment.scheduled, when a work record gets its first start', async () => {
    const api = (await service.organization('Scheduled work')).sandbox
    const work = await newWork(api, { scheduledStart: '2027-03-01T10:00:00Z' })
    const { data } = await onlyEvent(api, 'appointment.scheduled')
    expect(data).toMatchObject({
      origin: 'work_record',
      appointmentId: null,
      workRecordId: work.id,
      scheduledStart: work.scheduledStart,
    })
  })
})

describe('says which of its keys may be null', () => {
  test.each(Object.entries(ways))('%s', (type, { nullable }) => {
    const { properties } = events[type as keyof typeof events].data as unknown as {
      properties: Record<string, TSchema>
    }
    const isTyped = (schema: TSchema) => annotationsOf(schema).type !== undefined
    const found = Object.entries(properties).filter(([, schema]) => isTyped(schema) && isNullable(schema))
    expect(found.map(([name]) => name).sort()).toEqual([...nullable].sort())
  })
})
