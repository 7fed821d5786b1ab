import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFact, atOnce, makePerson, plantCall, rowCounts } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
let keyId: string
beforeAll(async () => {
  service = await startService()
  api = service.api
  keyId = (await api.get('/schema')).body.key.id
})
afterAll(() => service.stop())

let lastNumber = 0
const newNumber = () => `+1555030${String(++lastNumber).padStart(4, '0')}`
const makeCustomer = async () => (await api.post('/customers', { displayName: 'Reyes Household' })).body.id as string
const propose = async (values: object = {}) => {
  const made = await api.post('/drafts', { callSessionId: randomUUID(), ...values })
  expect(made.status).toBe(201)
  return made.body
}
const approve = (id: string, body?: object) => api.post(`/drafts/${id}/approve`, body)
const workOf = async (draft: { workRecordId: string }) => (await api.get(`/work-records/${draft.workRecordId}`)).body
const capture = async (values: object = {}) => (await api.post('/facts', aFact(values))).body
const factOf = async (id: string) => (await api.get(`/facts/${id}`)).body
/** What was told since some moment, in order. */
async function told<T>(work: () => Promise<T>): Promise<{ result: T; events: Awaited<ReturnType<typeof eventsOf>> }> {
  const before = (await eventsOf(service, api)).length
  const result = await work()
  return { result, events: (await eventsOf(service, api)).slice(before) }
}

test('an approved draft becomes a work record, with everything that belongs to it, told in order', async () => {
  const call = await plantCall(service, api, { from: newNumber(), callerName: 'Ada Reyes' })
  const [colour, size] = [
    await capture({ key: 'colour', sourceCallSessionId: call.id }),
    await capture({ key: 'size', value: 4, sourceCallSessionId: call.id }),
  ]
  const draft = await propose({
    callSessionId: call.id,
    canonicalKind: 'job',
    title: 'Fix the sink',
    summary: 'The kitchen sink leaks. She is home on Friday.',
    payload: { priority: 'normal', address: '1 Main St', floor: 2 },
    factIds: [colour.id, size.id],
  })
  const decision = {
    payload: { priority: 'high', scheduledStart: '2026-03-06T09:00:00+01:00', floor: null },
    acceptFactIds: [colour.id],
    rejectFactIds: [size.id],
  }
  const { result: answer, events } = await told(() => approve(draft.id, decision))
  expect(answer.status).toBe(200)
  const approved = answer.body
  const work = await workOf(approved)
  expect(approved).toEqual({
    ...draft,
    payload: { priority: 'high', scheduledStart: '2026-03-06T09:00:00+01:00', address: '1 Main St' },
    status: 'approved',
    workRecordId: work.id,
    approvedBy: keyId,
    approvedAt: approved.updatedAt,
    updatedAt: expect.any(String),
    version: 2,
  })
  expect(work).toMatchObject({
    canonicalKind: 'job',
    title: 'Fix the sink',
    description: draft.summary,
    source: 'call',
    sourceCallSessionId: call.id,
    draftId: draft.id,
    priority: 'high',
    scheduledStart: '2026-03-06T08:00:00.000Z',
    structuredFieldsJson: { address: '1 Main St' },
    recordState: 'active',
    number: expect.stringMatching(/^WR-\d{6}$/),
  })
  const person = (await api.get(`/people/by-phone?phone=${encodeURIComponent(call.from ?? '')}`)).body.data
  expect(person).toMatchObject({ displayName: 'Ada Reyes', createdVia: 'call', customerId: work.customerId })
  expect(work.primaryPersonId).toBe(person.id)
  expect((await api.get(`/customers/${work.customerId}`)).body).toMatchObject({
    displayName: 'Ada Reyes',
    primaryPersonId: person.id,
  })
  expect([await factOf(colour.id), await factOf(size.id)]).toMatchObject([
    { status: 'confirmed', confirmedVia: 'draft_approval', confirmedBy: keyId },
    { status: 'rejected', rejectedBy: keyId },
  ])
  const standard = events.filter(({ type }) => type !== 'fact.rejected')
  expect(standard.map(({ type }) => type)).toEqual([
    'person.created',
    'work_record.created',
    'fact.confirmed',
    'appointment.scheduled',
    'draft.approved',
  ])
  expect(events.map(({ type }) => type)).toContain('fact.rejected')
  expect(standard[0]?.data.person).toEqual(person)
  expect(standard[1]?.data.workRecord).toEqual(work)
  expect(standard[3]?.data).toMatchObject({
    workRecordId: work.id,
    appointmentId: null,
    scheduledStart: work.scheduledStart,
    origin: 'work_record',
  })
  expect(standard[4]?.data).toEqual({
    draftId: draft.id,
    callSessionId: call.id,
    workRecordId: work.id,
    approvedBy: keyId,
    approvedAt: approved.approvedAt,
    edits: {
      'payload.priority': { proposed: 'normal', approved: 'high' },
      'payload.floor': { proposed: 2, approved: null },
      'payload.scheduledStart': { proposed: null, approved: '2026-03-06T09:00:00+01:00' },
    },
    draft: approved,
    workRecord: work,
  })
  const history = (await api.get(`/field-history-entries?entityId=${work.id}`)).body.data
  expect(history).toMatchObject([{ changeType: 'create', actor: { type: 'key', id: keyId } }])
})

describe('the kind', () => {
  const kindOf = async (values: object, body?: object) =>
    (await workOf((await approve((await propose({ customerId: await makeCustomer(), ...values })).id, body)).body))
      .canonicalKind
  test('is the payload’s, else the draft’s, else a service request', async () => {
    expect(await kindOf({ canonicalKind: 'job', payload: { canonicalKind: 'matter' } })).toBe('matter')
    expect(await kindOf({ canonicalKind: 'job', payload: { kind: 'APPOINTMENT' } })).toBe('appointment_encounter')
    expect(await kindOf({ canonicalKind: 'job' }, { payload: { kind: 'DELIVERY' } })).toBe('move')
    expect(await kindOf({ canonicalKind: 'job' })).toBe('job')
    expect(await kindOf({})).toBe('service_request')
  })

  test('is the only one that the organization does', async () => {
    const { sandbox } = await service.organization('Movers')
    for (const one of (await sandbox.get('/work-type-definitions')).body.data) {
      if (one.canonicalKind !== 'move') await sandbox.patch(`/work-type-definitions/${one.id}`, { enabled: false })
    }
    const customerId = (await sandbox.post('/customers', {})).body.id
    const draft = (await sandbox.post('/drafts', { callSessionId: randomUUID(), customerId })).body
    const { workRecordId } = (await sandbox.post(`/drafts/${draft.id}/approve`)).body
    expect((await sandbox.get(`/work-records/${workRecordId}`)).body).toMatchObject({
      canonicalKind: 'move',
      title: 'Move',
    })
    const refused = (await sandbox.post('/drafts', { callSessionId: randomUUID(), customerId, canonicalKind: 'job' }))
      .body
    const answer = await sandbox.post(`/drafts/${refused.id}/approve`)
    expect([answer.status, answer.body.error.details[0]]).toMatchObject([
      400,
      { path: 'payload.canonicalKind', code: 'kind_not_enabled' },
    ])
  })
})

test('the title is the payload’s, else the draft’s, else the summary’s first sentence, else the kind and who called', async () => {
  const call = await plantCall(service, api, { from: newNumber(), callerName: 'Bo' })
  const titleOf = async (values: object) =>
    (
      await workOf(
        (
          await approve((await propose({ callSessionId: call.id, canonicalKind: 'job', ...values })).id)
        ).body,
      )
    ).title
  const summary = 'Mr. O’Brien called!  He wants 2.5 meters of pipe. Soon'
  expect(await titleOf({ payload: { title: 'One' }, title: 'Two', summary })).toBe('One')
  expect(await titleOf({ payload: { title: '  ' }, title: 'Two', summary })).toBe('Two')
  expect(await titleOf({ title: ' ', summary })).toBe('Mr. O’Brien called!')
  expect(await titleOf({ title: '', summary: 'He wants 2.5 meters of pipe. Soon' })).toBe(
    'He wants 2.5 meters of pipe.',
  )
  expect(await titleOf({ summary: 'no full stop' })).toBe('no full stop')
  expect((await titleOf({ summary: 'x'.repeat(400) })).length).toBe(255)
  expect(await titleOf({})).toBe('Job: Bo')
  const nameless = await plantCall(service, api, { direction: 'outbound', from: '+15550109999', to: newNumber() })
  expect(await titleOf({ callSessionId: nameless.id })).toBe(`Job: ${nameless.to}`)
})

describe('the customer', () => {
  test('is the one named in the approval, the payload, the draft or the call, else that of the caller', async () => {
    const [said, inPayload, inDraft, inCall, ofPerson] = [
      await makeCustomer(),
      await makeCustomer(),
      await makeCustomer(),
      await makeCustomer(),
      await makeCustomer(),
    ]
    const person = await makePerson(api, { customerId: ofPerson, primaryPhone: newNumber() })
    const caller = { from: person.primaryPhone, personId: person.id }
    const call = await plantCall(service, api, { ...caller, customerId: inCall })
    const callOfPerson = await plantCall(service, api, caller)
    const callOfNumber = await plantCall(service, api, { from: person.primaryPhone })
    const customerOf = async (values: object, body?: object) => {
      const work = await workOf((await approve((await propose(values)).id, body)).body)
      expect(work.primaryPersonId).toBe(person.id)
      return work.customerId
    }
    const full = { callSessionId: call.id, customerId: inDraft, payload: { customerId: inPayload } }
    expect(await customerOf(full, { customerId: said })).toBe(said)
    expect(await customerOf(full)).toBe(inPayload)
    expect(await customerOf({ ...full, payload: {} })).toBe(inDraft)
    expect(await customerOf({ callSessionId: call.id })).toBe(inCall)
    expect(await customerOf({ callSessionId: callOfPerson.id })).toBe(ofPerson)
    expect(await customerOf({ callSessionId: callOfNumber.id })).toBe(ofPerson)
    expect(await customerOf({ personId: person.id })).toBe(ofPerson)
    expect(await customerOf({ payload: { personId: person.id } })).toBe(ofPerson)
  })

  test('is made from a person who has none, once', async () => {
    const person = await makePerson(api)
    const works = [
      await approve((await propose({ personId: person.id })).id),
      await approve((await propose({ personId: person.id })).id),
    ]
    const [a, b] = [await workOf(works[0]!.body), await workOf(works[1]!.body)]
    expect(a.customerId).toBe(b.customerId)
    expect((await api.get(`/people/${person.id}`)).body.customerId).toBe(a.customerId)
  })

  test('is asked for when nobody is known', async () => {
    const draft = await propose({ title: 'Whose?' })
    const before = await rowCounts(service)
    const refused = await approve(draft.id)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'payload.customerId'])
    expect(await rowCounts(service)).toEqual(before)
  })

  test('named in the approval is an edit of the draft', async () => {
    const [proposed, approved] = [await makeCustomer(), await makeCustomer()]
    const { result, events } = await told(async () =>
      approve((await propose({ customerId: proposed })).id, { customerId: approved }),
    )
    expect(result.body.customerId).toBe(approved)
    expect(events.at(-1)?.data.edits).toEqual({ customerId: { proposed, approved } })
  })
})

test('the call shows what came of it, unless it was about some work already', async () => {
  const call = await plantCall(service, api, { from: newNumber() })
  const work = await workOf((await approve((await propose({ callSessionId: call.id })).id)).body)
  const links = { workRecordId: work.id, personId: work.primaryPersonId, customerId: work.customerId }
  expect((await api.get(`/calls/${call.id}`)).body).toMatchObject({ ...links, version: 2 })
  expect((await api.get(`/calls/${call.id}/surface`)).body).toMatchObject({
    workRecord: { id: work.id },
    draft: { status: 'approved' },
  })
  await approve((await propose({ callSessionId: call.id })).id)
  expect((await api.get(`/calls/${call.id}`)).body).toMatchObject({ ...links, version: 2 })
})

test('what only the service says of work is not taken from a payload', async () => {
  const payload = {
    number: 'WR-1',
    id: randomUUID(),
    source: 'import',
    sourceCallSessionId: randomUUID(),
    draftId: randomUUID(),
    completedAt: '2020-01-01T00:00:00Z',
    tags: ['a'],
    nothing: null,
  }
  const draft = await propose({ customerId: await makeCustomer(), payload })
  const work = await workOf((await approve(draft.id)).body)
  expect(work).toMatchObject({
    source: 'call',
    sourceCallSessionId: draft.callSessionId,
    draftId: draft.id,
    completedAt: null,
    tags: ['a'],
    structuredFieldsJson: {},
  })
  expect(work.number).not.toBe('WR-1')
})

describe('facts', () => {
  const where = () => ({ subjectId: randomUUID(), key: `key_${randomUUID()}` })
  const draftOf = async () => (await propose({ customerId: await makeCustomer() })).id as string

  test('accepted in one slot: all are confirmed, and what was observed last stands', async () => {
    const slot = where()
    const [late, early] = [
      await capture({ ...slot, value: 'b', observedAt: '2026-01-02T00:00:00Z' }),
      await capture({ ...slot, value: 'a', observedAt: '2026-01-01T00:00:00Z' }),
    ]
    const { result, events } = await told(async () =>
      approve(await draftOf(), { acceptFactIds: [late.id, early.id, late.id] }),
    )
    expect(result.status).toBe(200)
    expect([await factOf(early.id), await factOf(late.id)]).toMatchObject([
      { status: 'superseded', supersededById: late.id, confirmedVia: 'draft_approval', version: 2 },
      { status: 'confirmed', version: 2 },
    ])
    expect(events.filter(({ type }) => type === 'fact.confirmed').map(({ data }) => data.factId)).toEqual([
      early.id,
      late.id,
    ])
  })

  test('rejected beside an accepted one of the same slot stay rejected', async () => {
    const slot = where()
    const [no, yes] = [await capture({ ...slot, value: 'a' }), await capture({ ...slot, value: 'b' })]
    expect((await approve(await draftOf(), { acceptFactIds: [yes.id], rejectFactIds: [no.id] })).status).toBe(200)
    expect([(await factOf(no.id)).status, (await factOf(yes.id)).status]).toEqual(['rejected', 'confirmed'])
  })

  test('decided the same way before are left as they are', async () => {
    const [confirmed, rejected] = [await capture({ status: 'confirmed' }), await capture()]
    await api.post(`/facts/${rejected.id}/reject`)
    const { events } = await told(async () =>
      approve(await draftOf(), { acceptFactIds: [confirmed.id], rejectFactIds: [rejected.id] }),
    )
    expect(await factOf(confirmed.id)).toEqual(confirmed)
    expect(events.filter(({ type }) => type.startsWith('fact.'))).toEqual([])
  })

  test('decided the other way refuse the approval, and nothing is written', async () => {
    const [confirmed, rejected] = [await capture({ status: 'confirmed' }), await capture()]
    await api.post(`/facts/${rejected.id}/reject`)
    const id = await draftOf()
    const before = await rowCounts(service)
    for (const body of [{ acceptFactIds: [rejected.id] }, { rejectFactIds: [confirmed.id] }]) {
      const refused = await approve(id, body)
      expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'state'])
    }
    expect(await rowCounts(service)).toEqual(before)
    expect((await api.get(`/drafts/${id}`)).body.status).toBe('draft')
  })
})

test('approving again, approved or synced, answers the same and makes nothing', async () => {
  const draft = await propose({ customerId: await makeCustomer() })
  const first = await approve(draft.id)
  const before = await rowCounts(service)
  expect((await approve(draft.id, { payload: { title: 'Other' } })).text).toBe(first.text)
  await api.post(`/drafts/${draft.id}/synced`)
  const again = await approve(draft.id)
  expect([again.status, again.body.workRecordId, again.body.status]).toEqual([200, first.body.workRecordId, 'synced'])
  const after = await rowCounts(service)
  expect([after['work_records'], after['customers']]).toEqual([before['work_records'], before['customers']])
})

test('approvals of one draft at once, on two nodes, make one work record and tell once', async () => {
  const other = clientOf((await service.node()).url, api.key)
  for (let round = 0; round < 8; round++) {
    const call = await plantCall(service, api, { from: newNumber() })
    const fact = await capture({ sourceCallSessionId: call.id })
    const draft = await propose({ callSessionId: call.id })
    const { result: answers, events } = await told(() =>
      atOnce(6, (index) => (index % 2 ? api : other).post(`/drafts/${draft.id}/approve`, { acceptFactIds: [fact.id] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(events.map(({ type }) => type)).toEqual([
      'person.created',
      'work_record.created',
      'fact.confirmed',
      'draft.approved',
    ])
    const works = (await api.get(`/work-records?primaryPersonId=${events[0]?.data.personId}`)).body.data
    expect(works.map((work: any) => work.draftId)).toEqual([draft.id])
  }
})

test('two drafts of one unknown caller approved at once make one person and one customer', async () => {
  const other = clientOf((await service.node()).url, api.key)
  const call = await plantCall(service, api, { from: newNumber() })
  const [a, b] = [await propose({ callSessionId: call.id }), await propose({ callSessionId: call.id })]
  const { result: answers, events } = await told(() =>
    Promise.all([approve(a.id), other.post(`/drafts/${b.id}/approve`)]),
  )
  const works = [await workOf(answers[0].body), await workOf(answers[1].body)]
  expect(works[0].customerId).toBe(works[1].customerId)
  expect(works[0].number).not.toBe(works[1].number)
  expect(events.filter(({ type }) => type === 'person.created')).toHaveLength(1)
})
