// What is understood while people talk and when they hang up: on the surface, as facts, signals and the one draft.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { talk } from '../../support/understanding/talk.js'
import { until } from '../../support/until.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService({}, { isUnderstanding: true })
  api = service.api
  await api.post('/fact-definitions', {
    key: 'roof_age',
    label: 'Roof age',
    valueType: 'number',
    subjectScope: 'work_record',
    hints: ['years old'],
  })
  await api.post('/fact-definitions', {
    key: 'has_pets',
    valueType: 'boolean',
    subjectScope: 'person',
    hints: ['pets'],
  })
  await api.post('/signal-definitions', { key: 'urgent', severity: 'warning', phrases: ['emergency', 'right away'] })
})
afterAll(() => service.stop())

const untilTrue = (look: () => Promise<boolean>) => until(look, (isSo) => isSo)

let numbers = 100
const caller = () => `+1555010${++numbers}`

async function newCall(body: object = {}): Promise<string> {
  const answer = await api.post('/calls', {
    direction: 'inbound',
    from: caller(),
    to: '+15550109999',
    startedAt: '2026-03-02T15:00:00Z',
    status: 'in_progress',
    ...body,
  })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function say(callId: string, text: string, from = 0): Promise<void> {
  const segments = talk(text).map((line, index) => ({
    ...line,
    sequence: from + index,
    startMs: (from + index) * 1_000,
  }))
  expect((await api.post(`/calls/${callId}/segments`, { segments })).status).toBe(200)
}

const surface = async (callId: string) => (await api.get(`/calls/${callId}/surface`)).body
const factsOf = async (callId: string) => (await api.get(`/facts?sourceCallSessionId=${callId}`)).body.data
const draftsOf = async (callId: string) => (await api.get(`/drafts?callSessionId=${callId}`)).body.data

/** Waits until the call's last words were read: a marker that is said last has become a fact. */
async function untilRead(callId: string, key: string, value: unknown): Promise<void> {
  await untilTrue(async () =>
    (await surface(callId)).draftFields.some((field: any) => field.key === key && field.value === value),
  )
}

describe('while people talk', () => {
  test('a new proposed fact and draft field are on the surface, with evidence that points to the words', async () => {
    const callId = await newCall()
    await say(callId, 'A: What is your name?\nC: My name is Maria Lopez. Please come tomorrow at 4:15 pm.')
    await untilRead(callId, 'preferred_time', '16:15')
    const shown = await surface(callId)
    expect(shown.draftFields).toContainEqual(
      expect.objectContaining({ key: 'preferred_date', value: '2026-03-03', state: 'proposed' }),
    )
    const [name] = shown.facts.filter(({ key }: any) => key === 'display_name')
    expect(name).toMatchObject({ value: 'Maria Lopez', status: 'proposed', subjectType: 'person', extractor: 'rules' })
    const [evidence] = name.evidence
    const { data: segments } = (await api.get(`/calls/${callId}/transcript`)).body
    const segment = segments.find(({ id }: any) => id === evidence.segmentId)
    expect(segment.text.slice(evidence.startChar, evidence.endChar)).toBe(evidence.quote)
    expect(evidence).toMatchObject({ callSessionId: callId, speaker: 'caller', startMs: 1_000, quote: 'Maria Lopez' })
    expect(shown.draft).toMatchObject({
      status: 'draft',
      payload: { preferred_date: '2026-03-03', preferred_time: '16:15' },
    })
  })

  test('a correction takes the place of what was proposed before', async () => {
    const callId = await newCall()
    await say(callId, 'C: Could you come on March 13th?')
    await untilRead(callId, 'preferred_date', '2026-03-13')
    await say(callId, 'A: March 13th, is that right?\nC: No, the 14th.', 1)
    await untilRead(callId, 'preferred_date', '2026-03-14')
    const dates = (await factsOf(callId)).filter(({ key }: any) => key === 'preferred_date')
    expect(dates.map(({ value, status }: any) => [value, status])).toEqual([
      ['2026-03-14', 'proposed'],
      ['2026-03-13', 'superseded'],
    ])
    expect(await draftsOf(callId)).toHaveLength(1)
  })

  test('the same words again propose nothing new', async () => {
    const callId = await newCall()
    await say(callId, 'C: My name is Maria Lopez, this is an emergency.')
    await untilRead(callId, 'display_name', 'Maria Lopez')
    await say(callId, 'C: As I said, my name is Maria Lopez, an emergency. Come tomorrow.', 1)
    await untilRead(callId, 'preferred_date', '2026-03-03')
    const names = (await factsOf(callId)).filter(({ key }: any) => key === 'display_name')
    expect(names).toHaveLength(1)
    expect(names[0]).toMatchObject({ version: 1, corroborationCount: 0 })
    expect((await api.get(`/signals?callSessionId=${callId}`)).body.data).toHaveLength(1)
  })
})

describe('when a call ends', () => {
  test('its draft is complete: title, summary, kind and what is missing', async () => {
    const { sandbox } = await service.organization('Roofers')
    const [job] = (await sandbox.get('/work-type-definitions?canonicalKind=job')).body.data
    await sandbox.patch(`/work-type-definitions/${job.id}`, {
      hints: ['roof'],
      requiredFields: ['roof_age', 'service_address'],
    })
    const call = (
      await sandbox.post('/calls', { direction: 'inbound', from: caller(), to: '+15550109999', status: 'in_progress' })
    ).body
    const transcript = talk(`
      C: Hi, I'd like someone to look at my roof.
      A: What is the address?
      C: 18 Quay Street.
      A: We will send somebody.`).map((line, sequence) => ({ ...line, sequence, startMs: sequence }))
    await sandbox.post(`/calls/${call.id}/end`, { transcript })
    const drafts = async () => (await sandbox.get(`/drafts?callSessionId=${call.id}`)).body.data
    await untilTrue(async () => (await drafts()).length > 0)
    const [draft] = await drafts()
    expect(draft).toMatchObject({
      status: 'pending_review',
      canonicalKind: 'job',
      title: 'Someone to look at my roof',
      missingFields: ['roof_age'],
      payload: { service_address: expect.stringContaining('18 Quay Street') },
      extraction: { extractor: 'rules', isDraftMade: true },
    })
    expect(draft.summary).toContain('look at my roof')
    expect((await sandbox.get(`/calls/${call.id}`)).body.summary).toBe(draft.summary)
  })

  test('what a client sent stands, and gaps are filled', async () => {
    const callId = await newCall()
    await say(callId, 'C: My name is Maria Lopez. Come to 18 Quay Street tomorrow at 4:15 pm please.')
    await untilRead(callId, 'preferred_time', '16:15')
    await api.post(`/calls/${callId}/facts`, { facts: [{ key: 'preferred_date', value: '2026-04-01' }] })
    const ended = await api.post(`/calls/${callId}/end`, {
      summary: 'Told by the agent.',
      draft: { title: 'Of the agent', payload: { preferred_time: 'noon' } },
    })
    expect(ended.status).toBe(200)
    await untilTrue(async () => (await factsOf(callId)).some(({ status }: any) => status === 'superseded'))
    const drafts = await draftsOf(callId)
    expect(drafts).toHaveLength(1)
    expect(drafts[0]).toMatchObject({
      status: 'pending_review',
      title: 'Of the agent',
      payload: { preferred_time: 'noon', service_address: expect.stringContaining('18 Quay Street') },
      extraction: { isDraftMade: false },
    })
    expect((await api.get(`/calls/${callId}`)).body.summary).toBe('Told by the agent.')
    const dates = (await factsOf(callId)).filter(({ key }: any) => key === 'preferred_date')
    expect(dates.filter(({ status }: any) => status === 'proposed')).toMatchObject([
      { value: '2026-04-01', extractor: null },
    ])
  })

  test('what a human decided stays', async () => {
    const callId = await newCall()
    await say(callId, 'C: My name is Maria Lopez, come tomorrow.')
    await untilRead(callId, 'preferred_date', '2026-03-03')
    const [name] = (await factsOf(callId)).filter(({ key }: any) => key === 'display_name')
    await api.post(`/facts/${name.id}/confirm`)
    const [draft] = await draftsOf(callId)
    await api.patch(`/drafts/${draft.id}`, { payload: { preferred_date: null }, title: 'As I see it' })
    await say(callId, 'C: Sorry, my name is Mario Lopez. Come at 4:15 pm.', 1)
    await untilRead(callId, 'preferred_time', '16:15')
    await api.post(`/calls/${callId}/end`)
    await untilTrue(async () => (await draftsOf(callId))[0].summary !== null)
    const [after] = await draftsOf(callId)
    expect(after).toMatchObject({ title: 'As I see it' })
    expect(after.payload).not.toHaveProperty('preferred_date')
    const names = (await factsOf(callId)).filter(({ key }: any) => key === 'display_name')
    expect(names).toMatchObject([{ id: name.id, status: 'confirmed', value: 'Maria Lopez' }])
  })

  test('a draft that was rejected is left alone, and no other is made', async () => {
    const callId = await newCall()
    await say(callId, 'C: Come tomorrow.')
    await untilTrue(async () => (await draftsOf(callId)).length === 1)
    const [draft] = await draftsOf(callId)
    const rejected = (await api.post(`/drafts/${draft.id}/reject`)).body
    await say(callId, 'C: My name is Maria Lopez.', 1)
    await untilTrue(async () => (await factsOf(callId)).some(({ key }: any) => key === 'display_name'))
    expect(await draftsOf(callId)).toEqual([rejected])
  })
})

describe('a call without a person or a work record', () => {
  test('keeps its findings as draft fields with evidence, and they become facts when a person is set', async () => {
    const callId = await newCall({ from: 'anonymous' })
    await say(callId, 'C: My name is Maria Lopez. Come tomorrow.')
    await untilRead(callId, 'display_name', 'Maria Lopez')
    expect(await factsOf(callId)).toEqual([])
    const [draft] = await draftsOf(callId)
    expect(draft.payload).toEqual({ preferred_date: '2026-03-03' })
    expect(draft.extraction.fields.map(({ key }: any) => key).toSorted()).toEqual(['display_name', 'preferred_date'])
    expect(draft.extraction.fields[0].evidence[0]).toMatchObject({ callSessionId: callId, speaker: 'caller' })
    const person = (await api.post('/people', { displayName: 'M. Lopez' })).body
    await api.patch(`/calls/${callId}`, { personId: person.id })
    await untilTrue(async () => (await factsOf(callId)).length === 2)
    expect((await factsOf(callId)).every(({ subjectId }: any) => subjectId === person.id)).toBe(true)
  })

  test('and when the draft is approved', async () => {
    const callId = await newCall({ from: 'anonymous' })
    await say(callId, 'C: The roof is 12 years old.')
    await untilRead(callId, 'roof_age', 12)
    await api.post(`/calls/${callId}/end`)
    await untilTrue(async () => (await draftsOf(callId))[0].summary !== null)
    const customer = (await api.post('/customers', { displayName: 'Someone' })).body
    const [draft] = await draftsOf(callId)
    const approved = await api.post(`/drafts/${draft.id}/approve`, { customerId: customer.id })
    expect(approved.status).toBe(200)
    await untilTrue(async () => (await factsOf(callId)).length === 1)
    expect(await factsOf(callId)).toMatchObject([
      { key: 'roof_age', value: 12, subjectType: 'work_record', subjectId: approved.body.workRecordId },
    ])
  })
})

test('a voicemail of a call extends that call’s draft', async () => {
  const callId = await newCall({ status: 'ringing' })
  const { from } = (await api.get(`/calls/${callId}`)).body
  await api.post('/voicemails', {
    callerNumber: from,
    callSessionId: callId,
    transcript: 'Hi, this is Maria Lopez, please come tomorrow.',
  })
  await untilTrue(async () => (await draftsOf(callId)).length === 1)
  const [draft] = await draftsOf(callId)
  expect(draft).toMatchObject({ title: 'Come tomorrow', payload: { preferred_date: expect.any(String) } })
  expect(draft.extraction.fields[0].evidence[0]).toMatchObject({ segmentId: null, messageId: expect.any(String) })
})

test('texts, and voicemails without a call, give facts and signals but no draft', async () => {
  const [texter, leaver] = [caller(), caller()]
  await api.post('/sms/inbound', {
    from: texter,
    to: '+15550109999',
    body: 'My email is maria@example.com, this is an emergency',
  })
  await api.post('/voicemails', { callerNumber: leaver, transcript: 'My name is John Smith, come right away please.' })
  const drafts = (await api.get('/drafts')).body.data.length
  const ofPhone = async (phone: string) => {
    const person = (await api.get(`/people/by-phone?phone=${encodeURIComponent(phone)}`)).body.data
    return (await api.get(`/facts?subjectId=${person.id}`)).body.data
  }
  await untilTrue(async () => (await ofPhone(texter)).length > 0 && (await ofPhone(leaver)).length > 0)
  expect(await ofPhone(texter)).toMatchObject([
    { key: 'primary_email', value: 'maria@example.com', source: 'sms', extractor: 'rules' },
  ])
  expect(await ofPhone(leaver)).toMatchObject([{ key: 'display_name', value: 'John Smith', source: 'voicemail' }])
  expect((await api.get('/signals?kind=urgent')).body.data.length).toBeGreaterThanOrEqual(2)
  expect((await api.get('/drafts')).body.data).toHaveLength(drafts)
})

test('no definition is made, and other keys make no facts', async () => {
  const keys = (await api.get('/fact-definitions')).body.data.map(({ key }: any) => key)
  expect(keys.toSorted()).toEqual(['has_pets', 'preferred_date', 'roof_age'])
})

test('with the extractor off nothing is proposed', async () => {
  const { sandbox } = await service.organization('Quiet')
  await sandbox.patch('/organization', { settings: { extractor: 'off' } })
  const call = (
    await sandbox.post('/calls', { direction: 'inbound', from: caller(), to: '+15550109999', status: 'in_progress' })
  ).body
  const segments = [{ sequence: 0, speaker: 'caller', text: 'My name is Maria Lopez', startMs: 0 }]
  await sandbox.post(`/calls/${call.id}/segments`, { segments })
  await untilTrue(async () => (await understoodRevision(call.id)) > 0)
  expect((await sandbox.get(`/facts?sourceCallSessionId=${call.id}`)).body.data).toEqual([])
})

async function understoodRevision(callId: string): Promise<number> {
  const [row] = await service.database.query<{ at: number }>(
    sql`select understood_revision::int as at from call_activity where call_id = ${callId}`,
  )
  return row?.at ?? 0
}
