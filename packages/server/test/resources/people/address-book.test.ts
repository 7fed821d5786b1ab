// The address book and what hangs on work: names that are put together, addresses that are brought to one form, the
// rules and events of the plain entities.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nobodysId } from '../../support/endpoint-requests.js'
import { eventsOf } from '../../support/events.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

/** The events that name a record, each checked against its schema. */
const eventsAbout = async (id: string) =>
  (await eventsOf(service, api)).filter((event) => JSON.stringify(event).includes(id))

describe('names', () => {
  test('of a party come from its own names when none is given, and some name must be given', async () => {
    const named = async (body: object) =>
      (await api.post('/parties', { partyType: 'person', ...body })).body?.displayName
    expect(await named({ firstName: 'Ann', lastName: 'Lee' })).toBe('Ann Lee')
    expect(await named({ lastName: 'Lee' })).toBe('Lee')
    expect(await named({ orgName: ' Lee Ltd ', firstName: 'Ann' })).toBe('Lee Ltd')
    expect(await named({ displayName: 'Boss', firstName: 'Ann' })).toBe('Boss')
    for (const body of [{}, { firstName: '  ' }, { orgName: '' }]) {
      const answer = await api.post('/parties', { partyType: 'person', ...body })
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toBe('displayName')
    }
  })

  test('of a customer come from its person, else its company', async () => {
    const { body: person } = await api.post('/people', { displayName: 'Ann Lee' })
    const { body: company } = await api.post('/companies', { name: 'Lee Ltd' })
    const named = async (body: object) => (await api.post('/customers', body)).body.displayName
    expect(await named({ primaryPersonId: person.id, primaryCompanyId: company.id })).toBe('Ann Lee')
    expect(await named({ primaryCompanyId: company.id })).toBe('Lee Ltd')
    expect(await named({ primaryPersonId: nobodysId })).toBe('Unnamed customer')
    expect(await named({})).toBe('Unnamed customer')
  })
})

describe('contact methods', () => {
  test.each([
    ['phone', '+1 (555) 010-0200', '+15550100200'],
    ['sms', '+44 20 7946 0000', '+442079460000'],
    ['whatsapp', '+15550100200', '+15550100200'],
    ['email', ' Ann@Example.COM ', 'ann@example.com'],
    ['web', ' https://example.com/Ann ', 'https://example.com/Ann'],
  ])('by %s keep %j as it is and find it as %j', async (channel, value, normalizedValue) => {
    const { body } = await api.post('/contact-methods', { channel, value, normalizedValue: 'ignored' })
    expect(body).toMatchObject({ value, normalizedValue })
    const found = await api.get(
      `/contact-methods?channel=${channel}&normalizedValue=${encodeURIComponent(normalizedValue)}`,
    )
    expect(found.body.data).toContainEqual(body)
  })

  test('by phone must be phone numbers, also after a change of either', async () => {
    expectRefusal(await api.post('/contact-methods', { channel: 'phone', value: 'ring me' }), 400, 'bad_request')
    const { body } = await api.post('/contact-methods', { channel: 'web', value: 'ring me' })
    expectRefusal(await api.patch(`/contact-methods/${body.id}`, { channel: 'sms' }), 400, 'bad_request')
    expect(
      (await api.patch(`/contact-methods/${body.id}`, { channel: 'sms', value: '+1 555 0100' })).body.normalizedValue,
    ).toBe('+15550100')
  })
})

test('a location needs an address or a place on earth, and keeps one through changes', async () => {
  for (const body of [{}, { label: 'Home', city: 'Leeds' }])
    expectRefusal(await api.post('/locations', body), 400, 'bad_request')
  const { body } = await api.post('/locations', { geo: { lat: -90, lng: 180 } })
  expectRefusal(await api.patch(`/locations/${body.id}`, { geo: null }), 400, 'bad_request')
  expect((await api.patch(`/locations/${body.id}`, { geo: null, formattedAddress: '1 High Street' })).status).toBe(200)
  for (const geo of [{ lat: 91, lng: 0 }, { lat: 0, lng: -181 }, { lat: 0 }, {}])
    expectRefusal(await api.post('/locations', { geo }), 400, 'bad_request')
})

describe('appointments', () => {
  test('do not end before they start, compared as moments and not as text', async () => {
    const start = { title: 'x', startAt: '2026-03-01T10:00:00+02:00' }
    expect((await api.post('/appointments', { ...start, endAt: '2026-03-01T09:00:00+01:00' })).status).toBe(201)
    expectRefusal(await api.post('/appointments', { ...start, endAt: '2026-03-01T09:30:00+02:00' }), 400, 'bad_request')
    const { body } = await api.post('/appointments', { ...start, endAt: '2026-03-01T12:00:00+02:00' })
    expectRefusal(
      await api.patch(`/appointments/${body.id}`, { startAt: '2026-03-01T13:00:00+02:00' }),
      400,
      'bad_request',
    )
  })
})

describe('events', () => {
  test.each([
    ['task.created', '/tasks', { title: 'x' }],
    ['note.added', '/notes', { body: 'x', subjectType: 'person', subjectId: nobodysId }],
    ['appointment.scheduled', '/appointments', { title: 'x', startAt: '2026-03-01T10:00:00Z' }],
    ['workflow.finished', '/workflow-runs', { workflowKey: 'k', status: 'completed' }],
  ])('%s fires once when one is made, with the record as the API shows it', async (type, path, body) => {
    const { body: record } = await api.post(path, body)
    await api.patch(`${path}/${record.id}`, body)
    const [event, ...others] = await eventsAbout(record.id)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type,
      eventId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      environment: 'sandbox',
      organizationId: service.demo.id,
    })
    expect(JSON.stringify(event?.data)).toContain(JSON.stringify(record))
  })

  test('workflow.finished fires when a run becomes completed, and not again', async () => {
    const { body } = await api.post('/workflow-runs', { workflowKey: 'k' })
    expect(body).toMatchObject({ status: 'running', finishedAt: null })
    expect(await eventsAbout(body.id)).toEqual([])
    const { body: done } = await api.patch(`/workflow-runs/${body.id}`, { status: 'completed' })
    expect(done.finishedAt).toMatch(/Z$/)
    await api.patch(`/workflow-runs/${body.id}`, { capturedFields: { a: 1 } })
    expect((await eventsAbout(body.id)).map(({ type }) => type)).toEqual(['workflow.finished'])
  })
})

describe('the history of a tracked record', () => {
  test('has one entry for its making, one for each field of a change, one for its end, with who did it and in which request', async () => {
    const { body: me } = await api.get('/schema')
    const { body } = await api.post('/companies', { name: 'Before', industry: 'steel' })
    await api.patch(
      `/companies/${body.id}`,
      { name: 'After', industry: null, externalRefs: [{ system: 'a', externalId: 'history' }] },
      { 'x-request-id': 'the-change' },
    )
    await api.delete(`/companies/${body.id}`)
    const { data } = (await api.get(`/field-history-entries?entityType=company&entityId=${body.id}`)).body
    expect(
      data.map(({ changeType, field, previousValue, newValue }: Record<string, unknown>) => [
        changeType,
        field,
        previousValue,
        newValue,
      ]),
    ).toEqual([
      ['delete', null, null, null],
      ['update', 'industry', 'steel', null],
      ['update', 'name', 'Before', 'After'],
      ['create', null, null, null],
    ])
    expect(data[1]).toMatchObject({ requestId: 'the-change', source: 'api', actor: { type: 'key', id: me.key.id } })
  })

  test('is not kept of others, and cannot be written', async () => {
    const { body } = await api.post('/tasks', { title: 'x' })
    expect((await api.get(`/field-history-entries?entityId=${body.id}`)).body.data).toEqual([])
    expectRefusal(await api.post('/field-history-entries', {}), 405, 'method_not_allowed')
  })
})

test('a field value is one for each record and key: sending it again replaces it', async () => {
  const at = { entityType: 'customer', entityId: nobodysId, key: 'tier' }
  const made = await api.post('/field-values', { ...at, value: 'gold', source: 'human' })
  const again = await api.post('/field-values', { ...at, value: { level: 2 } })
  expect([made.status, again.status, again.body.id]).toEqual([201, 200, made.body.id])
  expect(again.body).toMatchObject({ value: { level: 2 }, source: 'human', version: 2 })
  expect((await api.post('/field-values', { ...at, key: 'other', value: null })).body.value).toBeNull()
  expectRefusal(
    await api.patch(`/field-values/${(await api.post('/field-values', { ...at, key: 'third', value: 1 })).body.id}`, {
      key: 'tier',
    }),
    409,
    'conflict',
  )
})
