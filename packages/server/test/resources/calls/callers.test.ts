// Callers and senders as carriers report them: numbers, short codes, names, and those who show nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Callers')).sandbox
const us = '+15550109001'
const ring = (api: Client, from: unknown, more: object = {}) =>
  api.post('/calls', { direction: 'inbound', from, to: us, ...more })
const text = (api: Client, from: unknown, body = 'Hello') => api.post('/sms/inbound', { from, to: us, body })
const leave = (api: Client, callerNumber: unknown, more: object = {}) =>
  api.post('/voicemails', { callerNumber, to: us, ...more })
const count = async (api: Client, slug: string) => (await api.get(`/${slug}`)).body.data.length
const dataOf = async (api: Client, type: string) =>
  (await eventsOf(service, api)).filter((event) => event.type === type).map(({ data }) => data)

describe('who calls or texts', () => {
  test.each([
    ['+1 (555) 010-0200', '+15550100200'],
    ['123', '123'],
    ['12345678', '12345678'],
    ['12-345', '12345'],
    ['A', 'A'],
    [' Acme4you ', 'Acme4you'],
    ['12345678901'.replace('1', 'x'), 'x2345678901'],
    ['anonymously', 'anonymously'],
  ])('%j is kept as %j, and shows a number', async (from, kept) => {
    const api = await side()
    expect((await ring(api, from)).body).toMatchObject({ from: kept, fromWithheld: false })
    expect((await text(api, from)).body).toMatchObject({ from: kept, fromWithheld: false })
    expect((await leave(api, from)).body).toMatchObject({ callerNumber: kept, callerWithheld: false })
  })

  test.each(['anonymous', 'Restricted', 'UNAVAILABLE', ' unknown ', null])('%j is a withheld number', async (from) => {
    const api = await side()
    expect((await ring(api, from)).body).toMatchObject({ from: null, fromWithheld: true, personId: null })
    expect((await text(api, from)).body).toMatchObject({ from: null, fromWithheld: true, personId: null })
    expect((await leave(api, from)).body).toMatchObject({ callerNumber: null, callerWithheld: true, personId: null })
    expect(await count(api, 'people')).toBe(0)
  })

  test.each(['', ' ', '12', '123456789', '5550100200', 'twelve-chars', 'abcdefghijkl', 'Åcme', 'a b', '+', 12345])(
    '%j is 400',
    async (from) => {
      const api = await side()
      for (const [refused, path] of [
        [await ring(api, from), 'from'],
        [await text(api, from), 'from'],
        [await leave(api, from), 'callerNumber'],
      ] as const) {
        expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
      }
    },
  )

  test('the refusal of a number says what is taken and which setting reads more', async () => {
    const { details } = (await ring(await side(), '5550100200')).body.error
    expect(details[0].message).toContain('E.164')
    expect(details[0].message).toContain('settings.defaultCountry')
  })

  test('a short code is nobody, unless a contact method says whose it is', async () => {
    const api = await side()
    expect((await text(api, '72345')).body.personId).toBeNull()
    expect(await count(api, 'people')).toBe(0)
    const bank = (await api.post('/people', { displayName: 'The bank' })).body
    const method = await api.post('/contact-methods', {
      channel: 'sms',
      value: '72345',
      ownerType: 'person',
      ownerId: bank.id,
    })
    expect([method.status, method.body.normalizedValue]).toEqual([201, '72345'])
    expect((await text(api, '72345')).body.personId).toBe(bank.id)
    expect((await api.get('/people/by-phone?phone=72345')).body.data.id).toBe(bank.id)
    expect((await api.get('/people/by-phone?phone=Anonymous')).body.data).toBeNull()
  })

  test('a contact method of texts takes no word for a withheld number', async () => {
    expect((await (await side()).post('/contact-methods', { channel: 'sms', value: 'anonymous' })).status).toBe(400)
  })
})

describe('withheld callers', () => {
  test('share no thread, with each other or with anyone', async () => {
    const api = await side()
    const threads = new Set<string>()
    for (const from of ['anonymous', 'unknown', 'anonymous']) threads.add((await text(api, from)).body.threadId)
    for (const from of ['anonymous', 'anonymous']) {
      const call = (await ring(api, from)).body
      threads.add((await api.post(`/calls/${call.id}/end`, {})).body.conversationId)
    }
    expect(threads.size).toBe(5)
    for (const id of threads)
      expect((await api.get(`/conversations/${id}`)).body).toMatchObject({
        participantAddress: null,
        ourAddress: us,
        messageCount: 1,
      })
  })

  test('are in one thread with the voicemail that they leave, whichever is told first', async () => {
    const api = await side()
    const first = (await ring(api, 'anonymous')).body
    await leave(api, 'anonymous', { callSessionId: first.id })
    const ended = (await api.post(`/calls/${first.id}/end`, {})).body
    expect((await api.get(`/conversations/${ended.conversationId}`)).body.messageCount).toBe(2)
    const second = (await ring(api, 'anonymous')).body
    const { conversationId } = (await api.post(`/calls/${second.id}/end`, {})).body
    const late = (await leave(api, 'anonymous', { callSessionId: second.id })).body
    const [message] = (await api.get(`/messages?threadId=${conversationId}`)).body.data
    expect(message).toMatchObject({ voicemailId: late.id, threadId: conversationId, from: null })
    expect(await count(api, 'conversations')).toBe(2)
  })

  test('are told in events as null, which their schemas allow', async () => {
    const api = await side()
    const missed = (await ring(api, 'anonymous')).body
    await api.post(`/calls/${missed.id}/end`, {})
    const answered = (await ring(api, 'restricted', { status: 'in_progress' })).body
    await api.post(`/calls/${answered.id}/end`, {})
    await text(api, 'unknown')
    await leave(api, 'unavailable')
    expect(await dataOf(api, 'call.missed')).toMatchObject([
      { from: null, personId: null, call: { fromWithheld: true } },
    ])
    expect(await dataOf(api, 'call.ended')).toMatchObject([{ from: null, personId: null }])
    expect(await dataOf(api, 'sms.received')).toMatchObject([{ from: null, sms: { fromWithheld: true } }])
    expect(await dataOf(api, 'voicemail.received')).toMatchObject([
      { callerNumber: null, voicemail: { callerWithheld: true } },
    ])
    expect(await dataOf(api, 'person.created')).toEqual([])
  })

  test('show in lists, reads and the surface alike, and a call is sent back whole', async () => {
    const api = await side()
    const call = (await ring(api, 'anonymous', { provider: 'acme', providerCallId: 'CA-1' })).body
    const read = (await api.get(`/calls/${call.id}`)).body
    expect(read).toMatchObject({ from: null, fromWithheld: true })
    expect((await api.get('/calls')).body.data).toMatchObject([{ from: null, fromWithheld: true }])
    expect((await api.get(`/calls/${call.id}/surface`)).body.call).toMatchObject({ from: null, fromWithheld: true })
    for (const sentBack of [await api.patch(`/calls/${call.id}`, read), await api.post('/calls', read)]) {
      expect(sentBack).toMatchObject({ status: 200, body: { from: null, fromWithheld: true } })
    }
    expect(
      (await api.get('/schema')).body.entities.find(({ slug }: { slug: string }) => slug === 'calls').scalarFields,
    ).toContainEqual(expect.objectContaining({ name: 'fromWithheld', type: 'boolean', readOnly: true }))
  })

  test('whose work a draft becomes is for the one who approves to say', async () => {
    const api = await side()
    const call = (await ring(api, 'anonymous', { status: 'in_progress' })).body
    const draft = (await api.post('/drafts', { callSessionId: call.id, canonicalKind: 'job', payload: {} })).body
    expect((await api.post(`/drafts/${draft.id}/approve`, {})).status).toBe(400)
    const customer = (await api.post('/customers', { displayName: 'Known by voice' })).body
    const approved = await api.post(`/drafts/${draft.id}/approve`, { customerId: customer.id })
    expect([approved.status, await count(api, 'people')]).toEqual([200, 0])
  })

  test('keep the person that a call was given by hand', async () => {
    const api = await side()
    const person = (await api.post('/people', { displayName: 'Known by voice' })).body
    const call = (await ring(api, 'anonymous', { personId: person.id })).body
    expect((await leave(api, 'anonymous', { callSessionId: call.id })).body.personId).toBe(person.id)
  })

  test('told again under the same reference, a voicemail may learn its number', async () => {
    const api = await side()
    const externalRefs = [{ system: 'acme', externalId: 'vm-1' }]
    expect((await leave(api, 'anonymous', { externalRefs })).body.callerWithheld).toBe(true)
    expect((await leave(api, '+15550100200', { externalRefs })).body).toMatchObject({
      callerNumber: '+15550100200',
      callerWithheld: false,
    })
  })
})

describe('a reply', () => {
  test.each(['ACME', 'anonymous', 'Unknown'])('to %s is 422: nothing can go there', async (to) => {
    const api = await side()
    const refused = await api.post('/sms', { to, body: 'Hello?' })
    expect([refused.status, refused.body.error.details.reason, refused.body.error.details.to]).toEqual([
      422,
      'recipient_unreachable',
      to,
    ])
    expect(await count(api, 'sms')).toBe(0)
  })

  test('to a short code is sent, in its thread, until it says STOP', async () => {
    const api = await side()
    const asked = (await text(api, '72345')).body
    const reply = await api.post('/sms', { to: '72345', body: 'Yes' })
    expect([reply.status, reply.body.to, reply.body.personId]).toEqual([201, '72345', null])
    const fromUs = (await text(api, '72345', 'Again')).body
    expect(fromUs.threadId).toBe(asked.threadId)
    await until(
      () => api.get(`/sms/${reply.body.id}`),
      ({ body }) => body.status === 'delivered',
    )
    await text(api, '72345', 'STOP')
    expect((await api.get('/contact-methods')).body.data).toMatchObject([
      { channel: 'sms', normalizedValue: '72345', ownerType: null, ownerId: null, optInStatus: 'opted_out' },
    ])
    expect((await api.post('/sms', { to: '72345', body: 'Yes' })).body.error.details.reason).toBe('recipient_opted_out')
    await text(api, '72345', 'START')
    expect((await api.post('/sms', { to: '72345', body: 'Yes' })).status).toBe(201)
  })

  test('to a short code that has sent nothing is 400: it may be a number without its area code', async () => {
    const refused = await (await side()).post('/sms', { to: '72345', body: 'Hello?' })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'to'])
  })

  test('HELP and STOP of those who cannot be texted are kept and not answered', async () => {
    const api = await side()
    await api.post('/phone-numbers', { e164: us, isDefault: true })
    await api.patch('/organization', { settings: { smsHelpMessage: 'Call us' } })
    for (const from of ['anonymous', 'ACME']) {
      for (const word of ['HELP', 'STOP']) expect((await text(api, from, word)).status).toBe(201)
    }
    expect((await api.get('/sms?direction=outbound')).body.data).toEqual([])
    expect(await count(api, 'contact-methods')).toBe(0)
  })
})

describe('a picture', () => {
  test('without words is stored, with what the carrier says of it', async () => {
    const api = await side()
    const mediaUrls = ['https://media.example/1.jpg', 'https://media.example/2.jpg']
    const got = await api.post('/sms/inbound', { from: '+15550100200', to: us, body: '', mediaUrls })
    expect([got.status, got.body]).toMatchObject([201, { body: '', numMedia: 2, mediaUrls }])
    const counted = await api.post('/sms/inbound', { from: '+15550100200', to: us, numMedia: 1 })
    expect([counted.status, counted.body]).toMatchObject([201, { body: '', numMedia: 1, mediaUrls: [] }])
    expect(
      (await api.get(`/messages?threadId=${got.body.threadId}`)).body.data.map(({ body }: { body: string }) => body),
    ).toEqual(['', ''])
    expect(await dataOf(api, 'sms.received')).toMatchObject([{ body: '', sms: { numMedia: 2 } }, { body: '' }])
  })

  test('more than ten are 400', async () => {
    const api = await side()
    const mediaUrls = Array.from({ length: 11 }, (_, index) => `https://media.example/${index}`)
    for (const media of [{ mediaUrls }, { numMedia: 11 }, { numMedia: -1 }]) {
      expect((await api.post('/sms/inbound', { from: '+15550100200', to: us, body: 'x', ...media })).status).toBe(400)
    }
  })
})
