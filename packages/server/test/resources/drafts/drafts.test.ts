import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, plantCall, rowCounts } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const propose = async (values: object = {}) =>
  (await api.post('/drafts', { callSessionId: randomUUID(), ...values })).body
const read = async (id: string) => (await api.get(`/drafts/${id}`)).body

test('a draft says what a call proposes, and waits', async () => {
  const call = await plantCall(service, api)
  const sent = {
    callSessionId: call.id,
    canonicalKind: 'job',
    title: 'Fix the sink',
    summary: 'The sink leaks.',
    payload: { priority: 'high', address: '1 Main St' },
    customerId: randomUUID(),
    personId: randomUUID(),
    confidence: 0.9,
    factIds: [randomUUID()],
  }
  const made = await api.post('/drafts', sent)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    ...sent,
    status: 'draft',
    missingFields: [],
    workRecordId: null,
    approvedBy: null,
    approvedAt: null,
    rejectedAt: null,
    version: 1,
  })
  expect((await api.get(`/drafts/${made.body.id}`)).text).toBe(made.text)
  const [event] = (await eventsOf(service, api)).filter(({ data }) => data.draftId === made.body.id)
  expect(event).toMatchObject({ type: 'draft.created', data: { callSessionId: call.id, draft: made.body } })
})

test('a draft made after its call has ended waits for review at once', async () => {
  const call = await plantCall(service, api, { status: 'completed', endedAt: new Date().toISOString() })
  expect(await propose({ callSessionId: call.id })).toMatchObject({ status: 'pending_review' })
  expect(await propose()).toMatchObject({ status: 'draft' })
})

test('the end of a call hands over its drafts, and only those that are still drafts', async () => {
  const call = await plantCall(service, api, { answeredAt: new Date().toISOString() })
  const [open, rejected, elsewhere] = [
    await propose({ callSessionId: call.id }),
    await propose({ callSessionId: call.id }),
    await propose(),
  ]
  await api.post(`/drafts/${rejected.id}/reject`)
  const ended = await api.post(`/calls/${call.id}/end`, { draft: { title: 'At the end' } })
  expect(ended.status).toBe(200)
  expect(await read(open.id)).toMatchObject({ status: 'pending_review', version: 2 })
  expect([(await read(rejected.id)).status, (await read(elsewhere.id)).status]).toEqual(['rejected', 'draft'])
  const { data } = (await api.get(`/drafts?callSessionId=${call.id}&status=pending_review`)).body
  expect(data).toMatchObject([
    { title: 'At the end', version: 1 },
    { id: open.id, version: 2 },
  ])
})

test('no draft slips between a call’s end and its own making, on two nodes', async () => {
  const other = clientOf((await service.node()).url, api.key)
  for (let round = 0; round < 10; round++) {
    const call = await plantCall(service, api, { from: `+1555020${1000 + round}` })
    const [ended, ...made] = await Promise.all([
      other.post(`/calls/${call.id}/end`, {}),
      ...[0, 1, 2].map(() => api.post('/drafts', { callSessionId: call.id })),
    ])
    expect([ended.status, ...made.map(({ status }) => status)]).toEqual([200, 201, 201, 201])
    for (const { body } of made) expect((await read(body.id)).status).toBe('pending_review')
  }
})

describe('missingFields', () => {
  test('are what work of its kind needs and the draft does not say, in payload or by itself', async () => {
    const { sandbox } = await service.organization('Plumbers')
    const [job] = (await sandbox.get('/work-type-definitions?canonicalKind=job')).body.data
    await sandbox.patch(`/work-type-definitions/${job.id}`, {
      requiredFields: ['title', 'customerId', 'scheduledStart', 'address', 'unit'],
    })
    const draft = (
      await sandbox.post('/drafts', { callSessionId: randomUUID(), canonicalKind: 'job', payload: { unit: ' ' } })
    ).body
    expect(draft.missingFields).toEqual(['title', 'customerId', 'scheduledStart', 'address', 'unit'])
    const patch = async (body: object) => (await sandbox.patch(`/drafts/${draft.id}`, body)).body.missingFields
    expect(
      await patch({ title: 'Sink', payload: { address: '1 Main St', structuredFieldsJson: { unit: 4 } } }),
    ).toEqual(['customerId', 'scheduledStart'])
    expect(await patch({ customerId: randomUUID(), payload: { scheduledStart: '2026-03-01T10:00:00Z' } })).toEqual([])
    expect(await patch({ payload: { scheduledStart: null } })).toEqual(['scheduledStart'])
    expect(await patch({ payload: { kind: 'MATTER' } })).toEqual([])
  })

  test('are those of the only kind that the organization does', async () => {
    const { sandbox } = await service.organization('Movers')
    for (const one of (await sandbox.get('/work-type-definitions')).body.data) {
      const change = one.canonicalKind === 'move' ? { requiredFields: ['from_address'] } : { enabled: false }
      await sandbox.patch(`/work-type-definitions/${one.id}`, change)
    }
    expect((await sandbox.post('/drafts', { callSessionId: randomUUID() })).body.missingFields).toEqual([
      'from_address',
    ])
  })
})

test('a draft is edited in part: its payload is merged, a null removes, and it stays with its call', async () => {
  const draft = await propose({ title: 'Old', payload: { a: 1, b: { c: 2, d: 3 } } })
  const changed = await api.patch(`/drafts/${draft.id}`, { title: 'New', payload: { a: null, b: { c: 9 }, e: 5 } })
  expect(changed.body).toEqual({
    ...draft,
    title: 'New',
    payload: { b: { c: 9 }, e: 5 },
    version: 2,
    updatedAt: expect.any(String),
  })
  const whole = await api.patch(`/drafts/${draft.id}`, changed.body)
  expect([whole.status, whole.body]).toEqual([200, changed.body])
  const moved = await api.patch(`/drafts/${draft.id}`, { callSessionId: randomUUID() })
  expect([moved.status, moved.body.error.details]).toEqual([409, { reason: 'fixed', field: 'callSessionId' }])
  expect((await api.patch(`/drafts/${draft.id}`, { title: 'x' }, { 'if-match': '"1"' })).status).toBe(409)
})

test('drafts are listed by status and call, and found by their words', async () => {
  const { sandbox } = await service.organization('Lists')
  const callSessionId = randomUUID()
  const make = async (values: object) => (await sandbox.post('/drafts', { callSessionId, ...values })).body.id
  const [a, b] = [
    await make({ title: 'Leaking sink' }),
    await make({ summary: 'A tow from the highway', callSessionId: randomUUID() }),
  ]
  await sandbox.post(`/drafts/${b}/submit`)
  const found = async (query: string) => (await sandbox.get(`/drafts?${query}`)).body.data.map((draft: any) => draft.id)
  expect(await found('')).toEqual([b, a])
  expect(await found('status=pending_review')).toEqual([b])
  expect(await found(`callSessionId=${callSessionId}`)).toEqual([a])
  expect(await found('q=highw')).toEqual([b])
  expect((await sandbox.get('/drafts?status=lost')).body.error.details[0].path).toBe('status')
})

test('ten drafts under one external reference at once are one draft', async () => {
  const body = {
    callSessionId: randomUUID(),
    title: 'Once',
    externalRefs: [{ system: 'ai', externalId: randomUUID() }],
  }
  const answers = await atOnce(10, () => api.post('/drafts', body))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  expect((await api.get(`/drafts?callSessionId=${body.callSessionId}`)).body.data).toHaveLength(1)
})

describe('what is wrong is refused by name, and nothing is written', () => {
  const cases: [string, object, string][] = [
    ['no call', { callSessionId: undefined }, 'callSessionId'],
    ['a call that is no UUID', { callSessionId: 'c' }, 'callSessionId'],
    ['an unknown kind', { canonicalKind: 'party' }, 'canonicalKind'],
    ['a title of 256 characters', { title: 'x'.repeat(256) }, 'title'],
    ['a summary that is too long', { summary: 'x'.repeat(20_001) }, 'summary'],
    ['a payload that is a list', { payload: [] }, 'payload'],
    ['a payload that is too large', { payload: { a: 'x'.repeat(70_000) } }, 'payload'],
    ['a confidence of 1.01', { confidence: 1.01 }, 'confidence'],
    ['a customer that is no UUID', { customerId: 'c' }, 'customerId'],
    ['a fact that is no UUID', { factIds: ['f'] }, 'factIds[0]'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ]
  test.each(cases)('%s', async (_, values, path) => {
    const before = await rowCounts(service)
    const refused = await api.post('/drafts', { callSessionId: randomUUID(), ...values })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
    expect(await rowCounts(service)).toEqual(before)
  })
})
