import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFact, atOnce, makePerson, makeWork, rowCounts } from '../../support/captured.js'
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

const capture = async (values: object = {}) =>
  (await api.post('/facts', aFact({ status: 'confirmed', ...values }))).body
const makeCompany = async (values: object = {}) => (await api.post('/companies', { name: 'Acme', ...values })).body
const makeCustomer = async (values: object = {}) =>
  (await api.post('/customers', { displayName: 'Acme', ...values })).body
const valuesOf = async (entityId: string) => (await api.get(`/field-values?entityId=${entityId}`)).body.data
const promotionsOf = async (entityId: string) =>
  (await api.get(`/field-history-entries?entityId=${entityId}`)).body.data.filter(
    (entry: any) => entry.changeType === 'promote',
  )
const promotedEvents = async (factId: string) =>
  (await eventsOf(service, api)).filter(({ type, data }) => type === 'fact.promoted' && data.factId === factId)

test('a promoted fact becomes a lasting attribute of its subject, with its provenance', async () => {
  const person = await makePerson(api, { customFields: { allergies: 'none', size: 'M' } })
  const fact = await capture({ subjectId: person.id, key: 'allergies', value: 'nuts', confidence: 0.8 })
  const answer = await api.post(`/facts/${fact.id}/promote`)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    ...fact,
    status: 'promoted',
    promotedSubjectType: 'person',
    promotedSubjectId: person.id,
    promotedAt: answer.body.updatedAt,
    promotedBy: keyId,
    updatedAt: expect.any(String),
    version: 2,
  })
  const after = (await api.get(`/people/${person.id}`)).body
  expect([after.customFields, after.version]).toEqual([{ allergies: 'nuts', size: 'M' }, 2])
  expect(await valuesOf(person.id)).toEqual([
    expect.objectContaining({
      entityType: 'person',
      key: 'allergies',
      value: 'nuts',
      source: 'fact',
      sourceFactId: fact.id,
      confidence: 0.8,
      locked: false,
    }),
  ])
  expect(await promotionsOf(person.id)).toEqual([
    expect.objectContaining({
      field: 'allergies',
      previousValue: 'none',
      newValue: 'nuts',
      sourceFactId: fact.id,
      actor: { type: 'key', id: keyId },
      requestId: answer.headers.get('x-request-id'),
    }),
  ])
  const [event] = await promotedEvents(fact.id)
  expect(event?.data).toEqual({
    factId: fact.id,
    key: 'allergies',
    value: 'nuts',
    targetSubjectType: 'person',
    targetSubjectId: person.id,
    previousValue: 'none',
    fact: answer.body,
  })
  expect(
    (await eventsOf(service, api))
      .filter(({ type, data }) => type === 'person.updated' && data.personId === person.id)
      .map(({ data }) => data.changedFields),
  ).toEqual([['customFields']])
})

describe('well-known keys set the field itself', () => {
  const cases: [string, string, unknown, string, unknown, () => Promise<any>][] = [
    ['person', 'display_name', 'Ada L. Reyes', 'displayName', 'Ada L. Reyes', () => makePerson(api)],
    ['person', 'legal_name', 'Ada Lovelace Reyes', 'legalName', 'Ada Lovelace Reyes', () => makePerson(api)],
    ['person', 'primary_email', ' Ada@Example.COM ', 'primaryEmail', 'ada@example.com', () => makePerson(api)],
    ['person', 'primary_phone', '+1 (555) 010-7777', 'primaryPhone', '+15550107777', () => makePerson(api)],
    ['company', 'display_name', 'Acme Ltd', 'name', 'Acme Ltd', makeCompany],
    ['company', 'legal_name', 'Acme Limited', 'legalName', 'Acme Limited', makeCompany],
    ['customer', 'primary_email', 'a@b.co', 'primaryEmail', 'a@b.co', makeCustomer],
    ['customer', 'display_name', 'Acme & Sons', 'displayName', 'Acme & Sons', makeCustomer],
  ]
  const slugs: Record<string, string> = { person: 'people', company: 'companies', customer: 'customers' }
  test.each(cases)('%s %s', async (subjectType, key, value, column, kept, make) => {
    const target = await make()
    const fact = await capture({ subjectType, subjectId: target.id, key, value })
    expect((await api.post(`/facts/${fact.id}/promote`)).status).toBe(200)
    const after = (await api.get(`/${slugs[subjectType]}/${target.id}`)).body
    expect([after[column], after.customFields, after.version]).toEqual([kept, {}, 2])
    expect(await valuesOf(target.id)).toEqual([expect.objectContaining({ key, value, sourceFactId: fact.id })])
    expect(await promotionsOf(target.id)).toEqual([
      expect.objectContaining({ field: column, previousValue: target[column], newValue: kept }),
    ])
    expect(
      (await api.get(`/${slugs[subjectType]}?q=${encodeURIComponent(String(kept))}`)).body.data.map(
        ({ id }: any) => id,
      ),
    ).toContain(target.id)
  })

  test('a customer has no legal name, so it becomes a custom field', async () => {
    const target = await makeCustomer()
    const fact = await capture({
      subjectType: 'customer',
      subjectId: target.id,
      key: 'legal_name',
      value: 'Acme Limited',
    })
    await api.post(`/facts/${fact.id}/promote`)
    expect((await api.get(`/customers/${target.id}`)).body.customFields).toEqual({ legal_name: 'Acme Limited' })
  })

  test('a value that the field cannot hold is refused, and nothing is written', async () => {
    const person = await makePerson(api)
    for (const [key, value, path] of [
      ['primary_email', 'not an address', 'primaryEmail'],
      ['primary_phone', '555', 'primaryPhone'],
      ['display_name', '  ', 'displayName'],
    ]) {
      const fact = await capture({ subjectId: person.id, key, value })
      const before = await rowCounts(service)
      const refused = await api.post(`/facts/${fact.id}/promote`)
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
      expect(await rowCounts(service)).toEqual(before)
    }
    expect((await api.get(`/people/${person.id}`)).body).toEqual(person)
  })
})

describe('the target', () => {
  test('is the one that was asked for', async () => {
    const [person, company] = [await makePerson(api), await makeCompany()]
    const fact = await capture({ subjectId: person.id })
    const { body } = await api.post(`/facts/${fact.id}/promote`, {
      targetSubjectType: 'company',
      targetSubjectId: company.id,
    })
    expect(body).toMatchObject({
      subjectType: 'person',
      subjectId: person.id,
      promotedSubjectType: 'company',
      promotedSubjectId: company.id,
    })
    expect((await api.get(`/companies/${company.id}`)).body.customFields).toEqual({ [fact.key]: 'blue' })
    expect((await api.get(`/people/${person.id}`)).body).toEqual(person)
  })

  test('of a fact on a work record is its primary person, else its company, else its customer', async () => {
    const [person, company, customer] = [await makePerson(api), await makeCompany(), await makeCustomer()]
    const promoted = async (work: object, body?: object) => {
      const { id } = await makeWork(api, { customerId: customer.id, ...work })
      const fact = await capture({ subjectType: 'work_record', subjectId: id })
      const answer = await api.post(`/facts/${fact.id}/promote`, body)
      return [answer.body.promotedSubjectType, answer.body.promotedSubjectId]
    }
    expect(await promoted({ primaryPersonId: person.id, primaryCompanyId: company.id })).toEqual(['person', person.id])
    expect(await promoted({ primaryCompanyId: company.id })).toEqual(['company', company.id])
    expect(await promoted({})).toEqual(['customer', customer.id])
    expect(
      await promoted({ primaryPersonId: person.id, primaryCompanyId: company.id }, { targetSubjectType: 'company' }),
    ).toEqual(['company', company.id])
  })

  test('that cannot be told is asked for', async () => {
    const fact = await capture({ subjectType: 'work_record', subjectId: randomUUID() })
    const { id } = await makeWork(api)
    const onWork = await capture({ subjectType: 'work_record', subjectId: id })
    const before = await rowCounts(service)
    const refusals: [string, object | undefined, string][] = [
      [fact.id, undefined, 'targetSubjectId'],
      [onWork.id, { targetSubjectType: 'person' }, 'targetSubjectId'],
      [onWork.id, { targetSubjectId: randomUUID() }, 'targetSubjectType'],
      [onWork.id, { targetSubjectType: 'work_record', targetSubjectId: id }, 'targetSubjectType'],
      [onWork.id, { targetSubjectType: 'person', targetSubjectId: 'x' }, 'targetSubjectId'],
      [onWork.id, { target: id }, 'target'],
    ]
    for (const [factId, body, path] of refusals) {
      const refused = await api.post(`/facts/${factId}/promote`, body)
      expect([body, refused.status, refused.body.error.details[0].path]).toEqual([body, 400, path])
    }
    expect(await rowCounts(service)).toEqual(before)
  })

  test('of another tenant, or of nobody, is refused and nothing is written, there or here', async () => {
    const elsewhere = await service.organization('Elsewhere')
    const theirs = await makePerson(elsewhere.sandbox)
    const ours = await makePerson(service.demo.live)
    const work = await makeWork(api)
    const fact = (await api.post('/facts', aFact({ subjectType: 'work_record', subjectId: work.id }))).body
    const before = await rowCounts(service)
    for (const id of [theirs.id, ours.id, randomUUID()]) {
      const refused = await api.post(`/facts/${fact.id}/promote`, { targetSubjectType: 'person', targetSubjectId: id })
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'targetSubjectId'])
    }
    expect(await rowCounts(service)).toEqual(before)
    expect((await elsewhere.sandbox.get(`/people/${theirs.id}`)).body).toEqual(theirs)
    expect((await api.get(`/facts/${fact.id}`)).body).toEqual(fact)
  })
})

test('promoting again answers the same with the same target or none, and refuses another', async () => {
  const [person, other] = [await makePerson(api), await makePerson(api)]
  const fact = await capture({ subjectId: person.id })
  const first = await api.post(`/facts/${fact.id}/promote`)
  const before = await rowCounts(service)
  expect((await api.post(`/facts/${fact.id}/promote`)).text).toBe(first.text)
  expect(
    (await api.post(`/facts/${fact.id}/promote`, { targetSubjectType: 'person', targetSubjectId: person.id })).text,
  ).toBe(first.text)
  const refused = await api.post(`/facts/${fact.id}/promote`, {
    targetSubjectType: 'person',
    targetSubjectId: other.id,
  })
  expect([refused.status, refused.body.error.details]).toMatchObject([
    409,
    { reason: 'state', from: 'promoted', to: 'promoted' },
  ])
  expect(await rowCounts(service)).toEqual(before)
})

test('a locked field value is not overwritten', async () => {
  const person = await makePerson(api)
  const { id: fieldValueId } = (
    await api.post('/field-values', { entityType: 'person', entityId: person.id, key: 'shoe', value: 41, locked: true })
  ).body
  const fact = await capture({ subjectId: person.id, key: 'shoe', value: 44 })
  const before = await rowCounts(service)
  const refused = await api.post(`/facts/${fact.id}/promote`)
  expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'locked', fieldValueId }])
  expect(await rowCounts(service)).toEqual(before)
  expect((await api.get(`/people/${person.id}`)).body).toEqual(person)
  await api.patch(`/field-values/${fieldValueId}`, { locked: false })
  expect((await api.post(`/facts/${fact.id}/promote`)).status).toBe(200)
  expect(await valuesOf(person.id)).toEqual([
    expect.objectContaining({ id: fieldValueId, value: 44, source: 'fact', sourceFactId: fact.id }),
  ])
})

test('a fresher fact of the same key takes over the attribute, and the older promoted one gives way', async () => {
  const person = await makePerson(api)
  const old = await capture({ subjectId: person.id, key: 'plan', value: 'basic', observedAt: '2026-01-01T00:00:00Z' })
  await api.post(`/facts/${old.id}/promote`)
  const fresh = await capture({ subjectId: person.id, key: 'plan', value: 'gold', observedAt: '2026-01-02T00:00:00Z' })
  expect((await api.get(`/facts/${old.id}`)).body).toMatchObject({
    status: 'superseded',
    supersededById: fresh.id,
    promotedSubjectId: person.id,
  })
  await api.post(`/facts/${fresh.id}/promote`)
  expect((await api.get(`/people/${person.id}`)).body.customFields).toEqual({ plan: 'gold' })
  expect((await valuesOf(person.id)).map(({ value }: any) => value)).toEqual(['gold'])
  expect((await promotedEvents(fresh.id))[0]?.data.previousValue).toBe('basic')
})

test('promotions of different keys onto one person at once all arrive, on two nodes', async () => {
  const other = clientOf((await service.node()).url, api.key)
  const person = await makePerson(api)
  const made = await atOnce(8, (index) => capture({ subjectId: person.id, key: `k${index}`, value: index }))
  const answers = await atOnce(8, (index) => (index % 2 ? api : other).post(`/facts/${made[index].id}/promote`))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await api.get(`/people/${person.id}`)).body.customFields).toEqual(
    Object.fromEntries(made.map(({ key, value }) => [key, value])),
  )
  expect(await valuesOf(person.id)).toHaveLength(8)
})

test('promoting one fact ten times at once promotes it once', async () => {
  const person = await makePerson(api)
  const fact = await capture({ subjectId: person.id })
  const answers = await atOnce(10, () => api.post(`/facts/${fact.id}/promote`))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await promotedEvents(fact.id)).toHaveLength(1)
  expect(await promotionsOf(person.id)).toHaveLength(1)
})
