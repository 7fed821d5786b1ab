// `settings.defaultCountry`: numbers as people of one country write them, wherever a number is taken.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const setCountry = (api: Client, defaultCountry: unknown) =>
  api.patch('/organization', { settings: { defaultCountry } })
async function sideIn(country: string): Promise<Client> {
  const api = (await service.organization(`In ${country}`)).sandbox
  expect((await setCountry(api, country)).body.settings.defaultCountry).toBe(country)
  return api
}
const query = (text: string) => encodeURIComponent(text)

describe('the setting', () => {
  test('is null until it is set, and takes a country with telephones', async () => {
    const api = (await service.organization('Settings')).sandbox
    expect((await api.get('/organization')).body.settings.defaultCountry).toBeNull()
    for (const wrong of ['us', 'USA', 'XX', 'ZZ', '', 1]) {
      const refused = await setCountry(api, wrong)
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'settings.defaultCountry'])
    }
    expect((await setCountry(api, 'DE')).status).toBe(200)
    expect((await setCountry(api, null)).body.settings.defaultCountry).toBeNull()
  })

  test('is for an ADMIN to set', async () => {
    const { id } = await service.organization('Writers')
    expect((await setCountry(await service.keyOf(id, 'sandbox', 'WRITE'), 'US')).status).toBe(403)
  })

  test('belongs to one side', async () => {
    const { sandbox, live } = await service.organization('Sides')
    await setCountry(sandbox, 'US')
    expect((await sandbox.post('/people', { primaryPhone: '(555) 010-0300' })).status).toBe(201)
    expect((await live.post('/people', { primaryPhone: '(555) 010-0300' })).status).toBe(400)
  })

  test('without it E.164 is required, and the refusal says so and names the setting', async () => {
    const api = (await service.organization('Nowhere')).sandbox
    const expected = expect.stringMatching(/E\.164.*settings\.defaultCountry/)
    const inBody = await api.post('/people', { primaryPhone: '(555) 010-0300' })
    expect([inBody.status, inBody.body.error.details]).toEqual([
      400,
      [{ path: 'primaryPhone', message: expected, code: 'format' }],
    ])
    const inQuery = await api.get(`/people/by-phone?phone=${query('(555) 010-0300')}`)
    expect([inQuery.status, inQuery.body.error.details[0].message]).toEqual([400, expected])
    const method = await api.post('/contact-methods', { channel: 'phone', value: '(555) 010-0300' })
    expect([method.status, method.body.error.details[0].message]).toEqual([400, expected])
  })
})

describe('what is read', () => {
  test.each([
    ['US', '(555) 010-0300', '+15550100300'],
    ['US', '555.010.0300', '+15550100300'],
    ['US', '1 555 010 0300', '+15550100300'],
    ['US', '011 44 20 7946 0958', '+442079460958'],
    ['GB', '020 7946 0958', '+442079460958'],
    ['DE', '030 / 123456', '+4930123456'],
    ['IT', '06 1234 5678', '+390612345678'],
    ['FR', '06 12 34 56 78', '+33612345678'],
    ['US', '+44 20 7946 0958', '+442079460958'],
    ['US', '+12', '+12'],
  ])('in %s, %s is %s', async (country, written, kept) => {
    expect((await (await sideIn(country)).post('/people', { primaryPhone: written })).body.primaryPhone).toBe(kept)
  })

  test.each([
    '555-0100',
    '(555) 010-0300 ext. 5',
    '1-800-FLOWERS',
    'call me',
    '12345',
    `5550100300${' '.repeat(100)}1`,
    '555 010 0300 0000',
    '',
  ])('in the US, %j is no number', async (primaryPhone) => {
    const refused = await (await sideIn('US')).post('/people', { primaryPhone })
    expect([refused.status, refused.body.error.details[0]]).toMatchObject([
      400,
      { path: 'primaryPhone', message: expect.stringContaining('US') },
    ])
  })

  test('a valid national number wins over a short code, and only that', async () => {
    const norway = await sideIn('NO')
    const from = async (api: Client, text: string) =>
      (await api.post('/sms/inbound', { from: text, to: '+15550109001', body: 'x' })).body.from
    expect(await from(norway, '22 34 56 78')).toBe('+4722345678')
    expect(await from(norway, '1987')).toBe('1987')
    const denmark = await sideIn('DK')
    expect(await from(denmark, '12345678')).toBe('12345678')
    const states = await sideIn('US')
    expect(await from(states, '72345')).toBe('72345')
    expect(await from(states, '(555) 010-0300')).toBe('+15550100300')
    expect(await from(states, 'anonymous')).toBeNull()
  })
})

describe('it holds everywhere a number is taken', () => {
  const written = '(555) 010-0300'
  const kept = '+15550100300'
  let api: Client
  beforeAll(async () => {
    api = await sideIn('US')
  })

  test('in every body', async () => {
    const person = (await api.post('/people/upsert', { primaryPhone: written, displayName: 'Ann' })).body
    expect(person.primaryPhone).toBe(kept)
    expect((await api.patch(`/people/${person.id}`, { primaryPhone: '555-010-0300' })).body).toMatchObject({
      primaryPhone: kept,
      version: 1,
    })
    const number = (await api.post('/phone-numbers', { e164: '(555) 010-9001', isDefault: true })).body
    expect(number.e164).toBe('+15550109001')
    const call = (await api.post('/calls', { direction: 'inbound', from: written, to: '(555) 010-9001' })).body
    expect(call).toMatchObject({ from: kept, to: '+15550109001', personId: person.id, phoneNumberId: number.id })
    const received = (await api.post('/sms/inbound', { from: written, to: '(555) 010-9001', body: 'Hello' })).body
    expect(received).toMatchObject({ from: kept, personId: person.id, phoneNumberId: number.id })
    expect((await api.post('/sms', { to: written, body: 'Hello' })).body).toMatchObject({
      to: kept,
      threadId: received.threadId,
    })
    expect((await api.post('/voicemails', { callerNumber: written, to: '(555) 010-9001' })).body).toMatchObject({
      callerNumber: kept,
      personId: person.id,
    })
    for (const slug of ['parties', 'customers', 'companies']) {
      const body = { partyType: 'person', displayName: 'x', primaryPhone: written }
      const { partyType: _, ...plain } = body
      expect((await api.post(`/${slug}`, slug === 'parties' ? body : plain)).body.primaryPhone, slug).toBe(kept)
    }
  })

  test('in queries', async () => {
    const person = (await api.post('/people', { primaryPhone: '(555) 010-0400' })).body
    expect((await api.get(`/people/by-phone?phone=${query('(555) 010-0400')}`)).body.data.id).toBe(person.id)
    expect((await api.get(`/people/by-phone?phone=${query(' (555) 010-0400')}`)).body.data.id).toBe(person.id)
    expect((await api.get(`/people/by-phone?phone=+15550100400`)).body.data.id).toBe(person.id)
    expect((await api.get(`/people?primaryPhone=${query('555 010 0400')}`)).body.data).toMatchObject([
      { id: person.id },
    ])
  })

  test('in contact methods, whose value stays as it was written', async () => {
    const method = (await api.post('/contact-methods', { channel: 'phone', value: '(555) 010-0500' })).body
    expect(method).toMatchObject({ value: '(555) 010-0500', normalizedValue: '+15550100500' })
    await setCountry(api, 'DE')
    const labelled = await api.patch(`/contact-methods/${method.id}`, { label: 'Work' })
    await setCountry(api, null)
    const again = await api.patch(`/contact-methods/${method.id}`, { isPrimary: true })
    await setCountry(api, 'US')
    for (const { status, body } of [labelled, again])
      expect([status, body.normalizedValue]).toEqual([200, '+15550100500'])
  })

  test('in the fields that an organization gives its work', async () => {
    const [definition] = (await api.get('/work-type-definitions?canonicalKind=job')).body.data
    const fieldSchema = { type: 'object', properties: { gate: { type: 'string', format: 'phone' } } }
    expect((await api.patch(`/work-type-definitions/${definition.id}`, { fieldSchema })).status).toBe(200)
    const customer = (await api.post('/customers', { displayName: 'x' })).body
    const work = (gate: string) =>
      api.post('/work-records', {
        canonicalKind: 'job',
        title: 'x',
        customerId: customer.id,
        structuredFieldsJson: { gate },
      })
    expect([(await work(written)).status, (await work('555-0100')).status]).toEqual([201, 400])
  })

  test('in facts that become a number', async () => {
    const person = (await api.post('/people', { displayName: 'Fact' })).body
    const fact = (
      await api.post('/facts', {
        subjectType: 'person',
        subjectId: person.id,
        key: 'primary_phone',
        value: '(555) 010-0600',
      })
    ).body
    await api.post(`/facts/${fact.id}/confirm`)
    expect((await api.post(`/facts/${fact.id}/promote`)).status).toBe(200)
    expect((await api.get(`/people/${person.id}`)).body.primaryPhone).toBe('+15550100600')
  })
})

describe('search', () => {
  const found = async (api: Client, slug: string, q: string) =>
    (await api.get(`/${slug}?q=${query(q)}`)).body.data.map(({ id }: { id: string }) => id)

  test('finds a number however it is written, with the prefix that is dialled at home', async () => {
    const api = await sideIn('GB')
    const person = (await api.post('/people', { displayName: 'Ann', primaryPhone: '+442079460958' })).body
    await api.post('/people', { displayName: 'Bob', primaryPhone: '+442079460959' })
    const call = (await api.post('/calls', { direction: 'inbound', from: '+442079460958', to: '+442079460000' })).body
    const number = (await api.post('/phone-numbers', { e164: '+442079460001' })).body
    const note = (await api.post('/notes', { body: 'Call 020 7946 0958', subjectType: 'person', subjectId: person.id }))
      .body
    for (const q of ['020 7946 0958', '02079460958', '+44 20 7946 0958', '(020) 7946-0958']) {
      expect(await found(api, 'people', q), q).toEqual([person.id])
      expect(await found(api, 'calls', q), q).toEqual([call.id])
    }
    expect(await found(api, 'phone-numbers', '020 7946 0001')).toEqual([number.id])
    expect(await found(api, 'notes', '020 7946 0958')).toEqual([note.id])
    expect(await found(api, 'people', 'ann 0958')).toEqual([person.id])
  })

  test('of a number in brackets works in the US, and pages on', async () => {
    const api = await sideIn('US')
    const ids: string[] = []
    for (let made = 0; made < 3; made++)
      ids.unshift((await api.post('/companies', { name: `C${made}`, primaryPhone: '+15550100300' })).body.id)
    expect(await found(api, 'companies', '(555) 010-0300')).toEqual(ids)
    const first = (await api.get(`/companies?limit=2&q=${query('(555) 010-0300')}`)).body
    const second = (
      await api.get(`/companies?limit=2&q=${query('(555) 010-0300')}&cursor=${first.pagination.nextCursor}`)
    ).body
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids)
  })
})
