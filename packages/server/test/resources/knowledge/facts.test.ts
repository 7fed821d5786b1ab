import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFact, atOnce, makePerson, plantCall } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const typesAbout = async (factId: string) =>
  (await eventsOf(service, api)).filter(({ data }) => data.factId === factId).map(({ type }) => type)

test('a fact is captured as it was said, about its subject, with what is known of its origin', async () => {
  const call = await plantCall(service, api)
  const evidence = [
    { callSessionId: call.id, quote: 'It is the blue one', startMs: 1_000, endMs: 2_000, speaker: 'caller' },
  ]
  const sent = aFact({
    key: 'door_color',
    confidence: 0.7,
    sourceCallSessionId: call.id,
    observedAt: '2026-03-01T10:00:00+01:00',
    evidence,
    extractor: 'v2',
    rationale: 'said twice',
  })
  const made = await api.post('/facts', sent)
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    ...sent,
    observedAt: '2026-03-01T09:00:00.000Z',
    status: 'proposed',
    label: 'Door color',
    valueType: 'string',
    source: 'call',
    corroborationCount: 0,
    confirmedAt: null,
    supersededById: null,
    version: 1,
  })
  expect((await api.get(`/facts/${made.body.id}`)).text).toBe(made.text)
  expect(await typesAbout(made.body.id)).toEqual(['fact.proposed'])
})

test('what nobody says is filled in: observed when created, by API, proposed', async () => {
  const { body } = await api.post('/facts', aFact())
  expect(body).toMatchObject({
    observedAt: body.createdAt,
    source: 'api',
    status: 'proposed',
    confidence: null,
    sourceCallSessionId: null,
    evidence: [],
  })
})

describe('a key without a definition gets one', () => {
  const kinds: [unknown, string][] = [
    ['text', 'string'],
    ['2026-03-01', 'string'],
    [4.5, 'number'],
    [false, 'boolean'],
    [{ a: 1 }, 'json'],
    [[1, 2], 'json'],
  ]
  test.each(kinds)('%j makes it %s', async (value, valueType) => {
    const { status, body } = await api.post('/facts', aFact({ value }))
    expect([status, body.value, body.valueType]).toEqual([201, value, valueType])
    const [definition] = (await api.get(`/fact-definitions?key=${body.key}`)).body.data
    expect(definition).toMatchObject({
      key: body.key,
      valueType,
      subjectScope: 'polymorphic',
      cardinality: 'one',
      inferred: true,
    })
  })

  test('once, however many first facts come at once', async () => {
    const key = `first_${randomUUID()}`
    const answers = await atOnce(10, () => api.post('/facts', aFact({ key })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect((await api.get(`/fact-definitions?key=${key}`)).body.data).toHaveLength(1)
  })
})

describe('the same value again from the same call', () => {
  test('corroborates the fact that is there', async () => {
    const fact = aFact({
      sourceCallSessionId: randomUUID(),
      value: { b: 1, a: [2] },
      confidence: 0.6,
      evidence: [{ quote: 'one' }],
    })
    const first = await api.post('/facts', fact)
    const again = await api.post('/facts', {
      ...fact,
      value: { a: [2], b: 1 },
      confidence: 0.8,
      evidence: [{ quote: 'one' }, { quote: 'two' }],
    })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({
      ...first.body,
      corroborationCount: 1,
      confidence: 0.8,
      evidence: [first.body.evidence[0], { ...first.body.evidence[0], quote: 'two' }],
      version: 2,
      updatedAt: expect.any(String),
    })
    expect(await typesAbout(first.body.id)).toEqual(['fact.proposed'])
  })

  test('twenty at once, on two nodes, make one fact that was corroborated nineteen times', async () => {
    const other = clientOf((await service.node()).url, api.key)
    const fact = aFact({ sourceCallSessionId: randomUUID() })
    const answers = await atOnce(20, (index) => (index % 2 ? api : other).post('/facts', fact))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    const { data } = (await api.get(`/facts?subjectId=${fact.subjectId}`)).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ corroborationCount: 19, version: 20 })
    expect(answers.map(({ body }) => body.corroborationCount).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    )
  })

  test('but from another call, from no call, or with another value, it is another fact', async () => {
    const fact = aFact({ sourceCallSessionId: randomUUID() })
    const answers = [
      await api.post('/facts', fact),
      await api.post('/facts', { ...fact, sourceCallSessionId: randomUUID() }),
      await api.post('/facts', { ...fact, value: 'red' }),
      await api.post('/facts', { ...fact, sourceCallSessionId: null }),
      await api.post('/facts', { ...fact, sourceCallSessionId: null }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(5)
  })

  test('a rejected fact stays rejected when it is heard again', async () => {
    const fact = aFact({ sourceCallSessionId: randomUUID() })
    const { id } = (await api.post('/facts', fact)).body
    await api.post(`/facts/${id}/reject`)
    const again = await api.post('/facts', { ...fact, status: 'confirmed' })
    expect(again).toMatchObject({ status: 200, body: { id, status: 'rejected', corroborationCount: 1 } })
  })
})

describe('a fact confirms itself', () => {
  const confidences = { 'below the threshold': 0.89, 'at the threshold': 0.9, 'over it': 1 }
  test.each(Object.entries(confidences))('%s of its definition', async (_, confidence) => {
    const { key } = (
      await api.post('/fact-definitions', {
        key: `k_${randomUUID()}`,
        valueType: 'string',
        subjectScope: 'person',
        autoConfirmThreshold: 0.9,
      })
    ).body
    const { body } = await api.post('/facts', aFact({ key, confidence }))
    const isSure = confidence >= 0.9
    expect(body).toMatchObject({
      status: isSure ? 'confirmed' : 'proposed',
      confirmedVia: isSure ? 'threshold' : null,
      confirmedBy: null,
    })
    expect(await typesAbout(body.id)).toEqual([isSure ? 'fact.confirmed' : 'fact.proposed'])
  })

  test('by the side’s threshold where the definition has none, and never without a confidence', async () => {
    const { sandbox } = await service.organization('Thresholds')
    const off = await sandbox.post('/facts', aFact({ confidence: 1 }))
    expect(off.body.status).toBe('proposed')
    await sandbox.patch('/organization', { settings: { factAutoConfirmThreshold: 0.5 } })
    expect((await sandbox.post('/facts', aFact({ confidence: 0.5 }))).body).toMatchObject({
      status: 'confirmed',
      confirmedVia: 'threshold',
    })
    expect((await sandbox.post('/facts', aFact({ confidence: 0.49 }))).body.status).toBe('proposed')
    expect((await sandbox.post('/facts', aFact())).body.status).toBe('proposed')
    const strict = { key: `k_${randomUUID()}`, valueType: 'string', subjectScope: 'person', autoConfirmThreshold: 0.99 }
    await sandbox.post('/fact-definitions', strict)
    expect((await sandbox.post('/facts', aFact({ key: strict.key, confidence: 0.9 }))).body.status).toBe('proposed')
  })

  test('when the corroboration is sure enough', async () => {
    const { key } = (
      await api.post('/fact-definitions', {
        key: `k_${randomUUID()}`,
        valueType: 'string',
        subjectScope: 'person',
        autoConfirmThreshold: 0.9,
      })
    ).body
    const fact = aFact({ key, sourceCallSessionId: randomUUID() })
    const { id } = (await api.post('/facts', { ...fact, confidence: 0.5 })).body
    expect((await api.post('/facts', { ...fact, confidence: 0.95 })).body).toMatchObject({
      id,
      status: 'confirmed',
      confirmedVia: 'threshold',
      corroborationCount: 1,
      version: 2,
    })
    expect(await typesAbout(id)).toEqual(['fact.proposed', 'fact.confirmed'])
  })
})

test('a fact may be captured as confirmed, by whoever sends it', async () => {
  const { body } = await api.post('/facts', aFact({ status: 'confirmed' }))
  const { key } = (await api.get('/schema')).body
  expect(body).toMatchObject({
    status: 'confirmed',
    confirmedVia: 'api',
    confirmedBy: key.id,
    confirmedAt: expect.any(String),
    version: 1,
  })
  expect(await typesAbout(body.id)).toEqual(['fact.confirmed'])
})

test('facts are listed by subject, key, status, call, confidence and time of observation, and found by their words', async () => {
  const { sandbox } = await service.organization('Lists')
  const call = randomUUID()
  const person = await makePerson(sandbox)
  const company = randomUUID()
  const capture = async (values: object) => (await sandbox.post('/facts', aFact(values))).body.id as string
  const a = await capture({
    subjectId: person.id,
    key: 'pet',
    value: 'Åsa the cat',
    confidence: 0.2,
    observedAt: '2026-01-01T00:00:00Z',
  })
  const b = await capture({
    subjectId: person.id,
    key: 'car',
    value: 'Volvo',
    confidence: 0.9,
    observedAt: '2026-02-01T00:00:00Z',
    status: 'confirmed',
  })
  const c = await capture({
    subjectType: 'company',
    subjectId: company,
    key: 'size',
    value: 12,
    observedAt: '2026-03-01T00:00:00Z',
    sourceCallSessionId: call,
  })
  const found = async (query: string) =>
    (await sandbox.get(`/facts?${query}`)).body.data.map((fact: { id: string }) => fact.id)
  expect(await found('')).toEqual([c, b, a])
  expect(await found('subjectType=company')).toEqual([c])
  expect(await found('subjectType=person,company')).toEqual([c, b, a])
  expect(await found(`subjectId=${person.id},%20${company}`)).toEqual([c, b, a])
  expect(await found('key=pet,size')).toEqual([c, a])
  expect(await found('status=proposed')).toEqual([c, a])
  expect(await found('status=confirmed,rejected')).toEqual([b])
  expect(await found(`sourceCallSessionId=${call}`)).toEqual([c])
  expect(await found('minConfidence=0.9')).toEqual([b])
  expect(await found('minConfidence=0.1')).toEqual([b, a])
  expect(await found('since=2026-02-01T00:00:00Z')).toEqual([c, b])
  expect(await found('until=2026-02-01T00:00:00Z')).toEqual([a])
  expect(await found('since=2026-01-15T00:00:00Z&until=2026-02-15T00:00:00Z&status=confirmed')).toEqual([b])
  expect(await found('q=asa')).toEqual([a])
  expect(await found('q=volv')).toEqual([b])
  for (const query of [
    'status=unsure',
    'subjectType=planet',
    'subjectId=x',
    'minConfidence=2',
    'since=yesterday',
    'color=red',
  ]) {
    const refused = await sandbox.get(`/facts?${query}`)
    expect([query, refused.status, refused.body.error.details[0].path]).toEqual([query, 400, query.split('=')[0]])
  }
})

test('a fact that comes again under its external reference is the same fact, and may not say something else', async () => {
  const fact = aFact({ externalRefs: [{ system: 'crm', externalId: randomUUID() }] })
  const first = await api.post('/facts', fact)
  expect(first.body.externalRefs).toEqual([{ ...fact.externalRefs[0], url: null }])
  const again = await api.post('/facts', fact)
  expect([again.status, again.body.id, again.body.corroborationCount]).toEqual([200, first.body.id, 1])
  const other = await api.post('/facts', { ...fact, value: 'green' })
  expect([other.status, other.body.error.details]).toEqual([409, { reason: 'external_ref_taken', id: first.body.id }])
})

test('ten facts under one external reference at once are one fact', async () => {
  const fact = aFact({ externalRefs: [{ system: 'crm', externalId: randomUUID() }] })
  const answers = await atOnce(10, () => api.post('/facts', fact))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  expect((await api.get(`/facts?subjectId=${fact.subjectId}`)).body.data).toMatchObject([{ corroborationCount: 9 }])
})

test('where references are strict, the subject must exist', async () => {
  const { sandbox } = await service.organization('Strict')
  await sandbox.patch('/organization', { settings: { strictReferences: true } })
  const refused = await sandbox.post('/facts', aFact())
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'subjectId'])
  const { id } = await makePerson(sandbox)
  expect((await sandbox.post('/facts', aFact({ subjectId: id }))).status).toBe(201)
})
