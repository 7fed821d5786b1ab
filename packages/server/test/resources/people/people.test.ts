import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { personUpsertEndpoints } from '../../../src/resources/people/people-upsert.js'
import { eventsOf } from '../../support/events.js'
import { overtaken } from '../../support/overtaken.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('People')).sandbox
const unknownId = '0190b2f0-0000-7000-8000-000000000001'
const typesOf = async (api: Client) => (await eventsOf(service, api)).map(({ type }) => type)

describe('GET /people/by-phone', () => {
  test('finds by primary phone however the number is written, and says null for nobody', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { displayName: 'Ada', primaryPhone: '+1 (555) 010-0200' })
    expect(person.primaryPhone).toBe('+15550100200')
    for (const phone of ['%2B15550100200', '+15550100200', '%2B1%20(555)%20010-0200', '%201.555.010.0200']) {
      const found = await api.get(`/people/by-phone?phone=${phone}`)
      expect([found.status, found.body.data]).toEqual([200, person])
      expect(Object.keys(found.body)).toEqual(['data', 'meta'])
    }
    expect((await api.get('/people/by-phone?phone=%2B15550100201')).body).toEqual({
      data: null,
      meta: { requestId: expect.any(String) },
    })
  })

  test('of several people the oldest; a primary phone comes before a contact method; the dead are not found', async () => {
    const api = await side()
    const phone = '+15550100300'
    const { body: withMethod } = await api.post('/people', { displayName: 'By contact method' })
    const found = async () => (await api.get(`/people/by-phone?phone=${encodeURIComponent(phone)}`)).body.data?.id
    for (const [ownerType, ownerId] of [
      ['person', unknownId],
      ['company', unknownId],
      ['person', withMethod.id],
    ]) {
      await api.post('/contact-methods', { channel: 'phone', value: phone, ownerType, ownerId })
    }
    await api.post('/contact-methods', {
      channel: 'web',
      value: phone,
      ownerType: 'person',
      ownerId: (await api.post('/people', { displayName: 'Web' })).body.id,
    })
    expect(await found()).toBe(withMethod.id)
    const { body: older } = await api.post('/people', { displayName: 'Older', primaryPhone: phone })
    await api.post('/people', { displayName: 'Younger', primaryPhone: phone })
    expect(await found()).toBe(older.id)
    await api.delete(`/people/${older.id}`)
    expect((await api.get(`/people/by-phone?phone=${encodeURIComponent(phone)}`)).body.data.displayName).toBe('Younger')
  })

  test.each([
    ['', 'phone'],
    ['?phone=', 'phone'],
    ['?phone=5550100200', 'phone'],
    ['?phone=%2B1555x', 'phone'],
    ['?phone=%2B15550100200&q=1', 'q'],
  ])('refuses %s by name', async (query, path) => {
    const refused = await service.api.get(`/people/by-phone${query}`)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
  })

  test('another organization’s people are nobody', async () => {
    const [one, other] = [await side(), await side()]
    await one.post('/people', { displayName: 'Theirs', primaryPhone: '+15550100400' })
    expect((await other.get('/people/by-phone?phone=%2B15550100400')).body.data).toBeNull()
  })
})

test('a person is named by the best that is known', async () => {
  const api = await side()
  const nameOf = async (body: object) => (await api.post('/people', body)).body.displayName
  expect(await nameOf({ firstName: 'Ada', lastName: 'Moss', legalName: 'Ada M. Moss' })).toBe('Ada Moss')
  expect(await nameOf({ legalName: 'Ada M. Moss', primaryEmail: 'ada@example.com' })).toBe('Ada M. Moss')
  expect(await nameOf({ primaryEmail: 'ADA@example.com', primaryPhone: '+15550100200' })).toBe('ada')
  expect(await nameOf({ primaryPhone: '+15550100200' })).toBe('+15550100200')
  expect(await nameOf({})).toBe('Unknown')
})

test('person.created once, person.updated for what changed, with history', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Ada', createdVia: 'call' })
  expect(person.createdVia).toBe('api')
  const changed = await api.patch(`/people/${person.id}`, { legalName: 'Ada Moss', customFields: { vip: true } })
  await api.patch(`/people/${person.id}`, { legalName: 'Ada Moss' })
  const events = await eventsOf(service, api)
  expect(events.map(({ type }) => type)).toEqual(['person.created', 'person.updated'])
  expect(events[0]?.data).toEqual({
    personId: person.id,
    displayName: 'Ada',
    primaryPhone: null,
    primaryEmail: null,
    createdVia: 'api',
    person,
  })
  expect(events[1]?.data).toMatchObject({
    personId: person.id,
    changedFields: ['legalName', 'customFields'],
    changes: { legalName: { from: null, to: 'Ada Moss' }, customFields: { from: {}, to: { vip: true } } },
    person: changed.body,
  })
  expect((await api.get(`/field-history-entries?entityId=${person.id}`)).body.data).toHaveLength(3)
})

describe('POST /people/upsert', () => {
  test('creates, then updates what it finds by phone or by e-mail, and keeps what is not said', async () => {
    const api = await side()
    const first = await api.post('/people/upsert', {
      displayName: 'Ada',
      primaryPhone: '+15550100200',
      primaryEmail: ' Ada@Example.com ',
      customFields: { a: 1, gone: null },
    })
    expect([first.status, first.body.primaryEmail, first.body.customFields]).toEqual([201, 'ada@example.com', { a: 1 }])
    const byPhone = await api.post('/people/upsert', {
      legalName: 'Ada Moss',
      primaryPhone: '+1 555 010 0200',
      customFields: { b: 2 },
    })
    expect([byPhone.status, byPhone.body]).toMatchObject([
      200,
      { id: first.body.id, displayName: 'Ada', legalName: 'Ada Moss', customFields: { a: 1, b: 2 }, version: 2 },
    ])
    const byEmail = await api.post('/people/upsert', { primaryEmail: 'ADA@example.com', customFields: { a: null } })
    expect([byEmail.status, byEmail.body]).toMatchObject([
      200,
      { id: first.body.id, primaryPhone: '+15550100200', customFields: { b: 2 }, version: 3 },
    ])
    const again = await api.post('/people/upsert', { primaryEmail: 'ada@example.com' })
    expect([again.status, again.body]).toEqual([200, byEmail.body])
    expect(await typesOf(api)).toEqual(['person.created', 'person.updated', 'person.updated'])
  })

  test('an external reference wins over the phone, and the phone over the e-mail; nothing is taken from another person', async () => {
    const api = await side()
    const add = async (body: object) => (await api.post('/people', body)).body
    const referred = await add({ displayName: 'Referred', externalRefs: [{ system: 'crm', externalId: '1' }] })
    const phoned = await add({ displayName: 'Phoned', primaryPhone: '+15550100201' })
    const mailed = await add({ displayName: 'Mailed', primaryEmail: 'mailed@example.com' })
    const both = await api.post('/people/upsert', {
      primaryPhone: '+15550100201',
      primaryEmail: 'mailed@example.com',
      legalName: 'Phoned for sure',
    })
    expect([both.status, both.body]).toMatchObject([
      200,
      { id: phoned.id, primaryEmail: null, legalName: 'Phoned for sure' },
    ])
    expect((await api.get(`/people/${mailed.id}`)).body).toEqual(mailed)
    const all = await api.post('/people/upsert', {
      externalRefs: [{ system: 'crm', externalId: '1' }],
      primaryPhone: '+15550100201',
      primaryEmail: 'new@example.com',
    })
    expect([all.status, all.body]).toMatchObject([
      200,
      { id: referred.id, primaryPhone: null, primaryEmail: 'new@example.com' },
    ])
  })

  test('a further number of someone finds them and does not push out the first one', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { displayName: 'Ada', primaryPhone: '+15550100200' })
    await api.post('/contact-methods', {
      channel: 'phone',
      value: '+15550100999',
      ownerType: 'person',
      ownerId: person.id,
    })
    const found = await api.post('/people/upsert', { primaryPhone: '+15550100999', legalName: 'Ada Moss' })
    expect([found.status, found.body]).toMatchObject([
      200,
      { id: person.id, primaryPhone: '+15550100200', legalName: 'Ada Moss' },
    ])
  })

  test('references of two people are ambiguous', async () => {
    const api = await side()
    for (const externalId of ['1', '2'])
      await api.post('/people', { displayName: externalId, externalRefs: [{ system: 'crm', externalId }] })
    const refs = [
      { system: 'crm', externalId: '1' },
      { system: 'crm', externalId: '2' },
    ]
    const refused = await api.post('/people/upsert', { displayName: 'Who?', externalRefs: refs })
    expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'ambiguous_external_refs'])
  })

  test.each<[object, string]>([
    [{}, ''],
    [{ customFields: { a: 1 } }, ''],
    [{ primaryPhone: null, primaryEmail: null, legalName: null }, ''],
    [{ externalRefs: [] }, ''],
    [{ displayName: ' ' }, 'displayName'],
    [{ displayName: null }, ''],
    [{ primaryPhone: '555' }, 'primaryPhone'],
    [{ primaryEmail: 'ada' }, 'primaryEmail'],
    [{ displayName: 'Ada', nickname: 'A' }, 'nickname'],
    [{ externalRefs: [{ system: 'crm' }] }, 'externalRefs[0].externalId'],
  ])('%j is refused', async (body, path) => {
    const api = await side()
    const refused = await api.post('/people/upsert', body)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
    expect((await api.get('/people')).body.data).toEqual([])
  })
})

describe('races', () => {
  const onTwoNodes = async (api: Client): Promise<Client[]> => {
    const node = await service.node()
    const post: Client['post'] = async (path, body) => {
      const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
      const response = await fetch(`${node.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    }
    return [api, { ...api, post }]
  }

  test('50 upserts of one phone at once, on two nodes, make one person and one person.created', async () => {
    const api = await side()
    const nodes = await onTwoNodes(api)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (nodes[index % 2] as Client).post('/people/upsert', {
          primaryPhone: '+15550100200',
          customFields: { [`from${index}`]: true },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    const { body } = await api.get('/people')
    expect(body.data).toHaveLength(1)
    expect(Object.keys(body.data[0].customFields)).toHaveLength(50)
    const types = await typesOf(api)
    expect(types.filter((type) => type === 'person.created')).toHaveLength(1)
    expect(types.filter((type) => type === 'person.updated')).toHaveLength(49)
  })

  test('upserts whose phones and e-mails cross end with one owner for each', async () => {
    const api = await side()
    const nodes = await onTwoNodes(api)
    const [p, q] = ['+15550100200', '+15550100201']
    const [e, f] = ['e@example.com', 'f@example.com']
    const pairs = [
      [p, e],
      [p, f],
      [q, e],
      [q, f],
    ] as const
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const [primaryPhone, primaryEmail] = pairs[index % 4] as (typeof pairs)[number]
        return (nodes[index % 2] as Client).post('/people/upsert', { primaryPhone, primaryEmail })
      }),
    )
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true)
    const people = (await api.get('/people')).body.data as {
      id: string
      primaryPhone: string | null
      primaryEmail: string | null
    }[]
    for (const field of ['primaryPhone', 'primaryEmail'] as const) {
      const values = people.map((person) => person[field]).filter((value) => value !== null)
      expect(new Set(values).size).toBe(values.length)
    }
    expect(people.length).toBeLessThanOrEqual(2)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(people.length)
    expect((await typesOf(api)).filter((type) => type === 'person.created')).toHaveLength(people.length)
  })

  test('a plain POST and upserts of the same number at once leave the upserts with one person', async () => {
    const api = await side()
    const [plain, ...upserts] = await Promise.all([
      api.post('/people', { displayName: 'Plain', primaryPhone: '+15550100200' }),
      ...Array.from({ length: 10 }, () => api.post('/people/upsert', { primaryPhone: '+15550100200' })),
    ])
    expect(plain?.status).toBe(201)
    // Before the plain one or after it, the upserts agree: at most one of them made someone.
    expect(upserts.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
    const ids = new Set(upserts.map(({ body }) => body.id))
    expect(ids.size).toBeLessThanOrEqual(2)
    const { body } = await api.get('/people')
    expect(body.data).toHaveLength(1 + upserts.filter(({ status }) => status === 201).length)
  })

  test.each(['primaryPhone', 'primaryEmail'])(
    'someone with the same %s who appears between the look-up and the commit makes the commit fail',
    async (field) => {
      const api = await side()
      const values = { [field]: field === 'primaryPhone' ? '+15550100200' : 'ada@example.com' }
      const late = await overtaken(service, api, {
        endpoint: personUpsertEndpoints[0],
        body: values,
        field,
        meanwhile: () => api.post('/people', values),
      })
      expect(late?.status).toBe(201)
      await expect(late?.commit()).rejects.toMatchObject({ code: 'PA001' })
      expect((await api.get('/people')).body.data).toHaveLength(1)
    },
  )

  test('external references pushed twice at once make one person', async () => {
    const api = await side()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        api.post('/people/upsert', { displayName: 'Ada', externalRefs: [{ system: 'crm', externalId: '9' }] }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect((await api.get('/people')).body.data).toHaveLength(1)
  })
})
