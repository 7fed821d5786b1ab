import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { magicNumbers } from '../../../src/telephony/sandbox.js'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
let now = new Date('2026-03-01T10:00:00Z')
beforeAll(async () => {
  service = await startService({}, { clock: () => now })
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Texts')).sandbox
const unknownId = '0190b2f0-0000-7000-8000-000000000001'
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000)
}
const settled = (api: Client, id: string, status: string) =>
  until(
    async () => (await api.get(`/sms/${id}`)).body,
    (sms) => sms.status === status,
  )
const typesOf = async (api: Client) => (await eventsOf(service, api)).map(({ type }) => type)

test('a text is queued at once, sent by the worker, delivered by receipt, and kept as a message of its thread', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Ada', primaryPhone: '+15550100200' })
  const queued = await api.post('/sms', { to: '+1 555 010 0200', body: 'We are on our way' })
  expect(queued.status).toBe(201)
  expect(queued.body).toMatchObject({
    direction: 'outbound',
    status: 'queued',
    from: '+15005550006',
    to: '+15550100200',
    body: 'We are on our way',
    personId: person.id,
    sentAt: now.toISOString(),
    deliveredAt: null,
    providerMessageId: null,
    version: 1,
  })
  const sent = await settled(api, queued.body.id, 'sent')
  expect(sent).toMatchObject({ providerMessageId: `sandbox-${queued.body.id}`, sentAt: queued.body.sentAt, version: 2 })
  later(2)
  const delivered = await settled(api, queued.body.id, 'delivered')
  expect(delivered).toMatchObject({ deliveredAt: now.toISOString(), sentAt: queued.body.sentAt, version: 3 })
  const [message] = (await api.get('/messages')).body.data
  expect(message).toMatchObject({
    channel: 'sms',
    direction: 'outbound',
    smsId: sent.id,
    threadId: sent.threadId,
    personId: person.id,
    from: sent.from,
    to: sent.to,
  })
  expect((await api.get(`/conversations/${sent.threadId}`)).body).toMatchObject({
    channel: 'sms',
    direction: 'outbound',
    participantAddress: '+15550100200',
    ourAddress: '+15005550006',
    personId: person.id,
    messageCount: 1,
    lastMessagePreview: 'We are on our way',
    lastMessageAt: queued.body.sentAt,
  })
  const events = await eventsOf(service, api)
  expect(events.map(({ type }) => type)).toEqual(['person.created', 'sms.sent', 'sms.delivered'])
  expect(events[1]?.data).toEqual({
    smsId: sent.id,
    messageId: message.id,
    threadId: sent.threadId,
    from: sent.from,
    to: sent.to,
    body: sent.body,
    sentAt: sent.sentAt,
    personId: person.id,
    sms: sent,
  })
  expect(events[2]?.data.sms).toEqual(delivered)
})

describe('the sandbox’s numbers', () => {
  const send = async (to: string, body = 'Hello') => {
    const api = await side()
    const { body: sms } = await api.post('/sms', { to, body })
    return { api, sms }
  }

  test('invalid and blocked are refused: failed, and no sms.sent', async () => {
    for (const [to, errorCode] of [
      [magicNumbers.invalid, 'invalid_number'],
      [magicNumbers.blocked, 'blocked'],
    ] as const) {
      const { api, sms } = await send(to)
      expect(await settled(api, sms.id, 'failed')).toMatchObject({
        errorCode,
        errorMessage: expect.any(String),
        providerMessageId: null,
      })
      expect(await typesOf(api)).toEqual(['sms.failed'])
    }
  })

  test('unreachable is sent, then undelivered', async () => {
    const { api, sms } = await send(magicNumbers.unreachable)
    await settled(api, sms.id, 'sent')
    later(2)
    expect(await settled(api, sms.id, 'undelivered')).toMatchObject({ errorCode: 'unreachable', deliveredAt: null })
    expect(await typesOf(api)).toEqual(['sms.sent', 'sms.failed'])
  })

  test('slow is delivered after half a minute', async () => {
    const { api, sms } = await send(magicNumbers.slow)
    await settled(api, sms.id, 'sent')
    later(27)
    const other = await send('+15550100299')
    await settled(other.api, other.sms.id, 'sent')
    later(2)
    // The worker has looked for what is due, and its turn has not come.
    await settled(other.api, other.sms.id, 'delivered')
    expect((await api.get(`/sms/${sms.id}`)).body.status).toBe('sent')
    later(2)
    await settled(api, sms.id, 'delivered')
  })

  test('busy is taken on the second try', async () => {
    const { api, sms } = await send(magicNumbers.busy)
    const other = await send('+15550100299')
    await settled(other.api, other.sms.id, 'sent')
    expect((await api.get(`/sms/${sms.id}`)).body).toEqual(sms)
    later(6)
    await settled(api, sms.id, 'sent')
    expect(await typesOf(api)).toEqual(['sms.sent'])
  })

  test('the replying number answers in the same thread', async () => {
    const { api, sms } = await send(magicNumbers.replies, 'Are you home?')
    await settled(api, sms.id, 'sent')
    later(2)
    await settled(api, sms.id, 'delivered')
    const [reply] = (await api.get('/sms?direction=inbound')).body.data
    expect(reply).toMatchObject({
      from: magicNumbers.replies,
      to: sms.from,
      body: 'You wrote: Are you home?',
      threadId: sms.threadId,
      status: 'received',
    })
    expect(await typesOf(api)).toEqual(['sms.sent', 'sms.delivered', 'person.created', 'sms.received'])
    expect((await api.get(`/conversations/${sms.threadId}`)).body).toMatchObject({
      messageCount: 2,
      personId: reply.personId,
    })
  })

  test('the stopping number opts out, and is not texted again', async () => {
    const { api, sms } = await send(magicNumbers.stops)
    await settled(api, sms.id, 'sent')
    later(2)
    await settled(api, sms.id, 'delivered')
    const refused = await api.post('/sms', { to: magicNumbers.stops, body: 'Again' })
    expect([refused.status, refused.body.error.details.reason]).toEqual([422, 'recipient_opted_out'])
  })
})

describe('who it goes to', () => {
  test('a person’s primary number; `to` wins when both are given; a text may be retried under an external reference', async () => {
    const api = await side()
    const { body: person } = await api.post('/people', { displayName: 'Ada', primaryPhone: '+15550100200' })
    expect((await api.post('/sms', { personId: person.id, body: 'x' })).body).toMatchObject({
      to: '+15550100200',
      personId: person.id,
    })
    expect((await api.post('/sms', { personId: person.id, to: '+15550100299', body: 'x' })).body).toMatchObject({
      to: '+15550100299',
      personId: person.id,
    })
    const body = { to: '+15550100200', body: 'once', externalRefs: [{ system: 'shop', externalId: 'order-1' }] }
    const [first, second] = [await api.post('/sms', body), await api.post('/sms', body)]
    expect([first.status, second.status, second.body.id]).toEqual([201, 200, first.body.id])
  })

  test.each<[string, object, number, string]>([
    ['nobody', { body: 'x' }, 400, 'to'],
    ['nobody, said twice', { body: 'x', to: null, personId: null }, 400, 'to'],
    ['no text', { to: '+15550100200' }, 400, 'body'],
    ['a blank text', { to: '+15550100200', body: ' \n' }, 400, 'body'],
    ['a text over the limit', { to: '+15550100200', body: 'x'.repeat(1_601) }, 400, 'body'],
    ['no number', { to: '555', body: 'x' }, 400, 'to'],
    ['no uuid', { personId: '7', body: 'x' }, 400, 'personId'],
    ['a person that does not exist', { personId: unknownId, body: 'x' }, 400, 'personId'],
    [
      'a person that does not exist beside a number',
      { personId: unknownId, to: '+15550100200', body: 'x' },
      400,
      'personId',
    ],
    [
      'a sender that does not exist',
      { to: '+15550100200', fromPhoneNumberId: unknownId, body: 'x' },
      400,
      'fromPhoneNumberId',
    ],
    ['an unknown field', { to: '+15550100200', body: 'x', pictures: [] }, 400, 'pictures'],
  ])('%s is refused, and nothing is queued', async (_what, body, status, path) => {
    const api = await side()
    const refused = await api.post('/sms', body)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([status, path])
    expect((await api.get('/sms')).body.data).toEqual([])
    expect((await api.get('/phone-numbers')).body.data).toEqual([])
  })

  test('a person without a number, and a person of another organization', async () => {
    const [api, other] = [await side(), await side()]
    const { body: person } = await api.post('/people', { displayName: 'No phone' })
    const refused = await api.post('/sms', { personId: person.id, body: 'x' })
    expect([refused.status, refused.body.error.code, refused.body.error.details.reason]).toEqual([
      422,
      'unprocessable',
      'person_has_no_phone',
    ])
    expect((await other.post('/sms', { personId: person.id, body: 'x' })).status).toBe(400)
  })

  test('a text as long as the limit goes through, emoji and all', async () => {
    const api = await side()
    const queued = await api.post('/sms', { to: '+15550100200', body: '🙂'.repeat(800) })
    expect(queued.status).toBe(201)
    await settled(api, queued.body.id, 'sent')
    expect((await eventsOf(service, api))[0]?.data.body).toBe('🙂'.repeat(800))
    expect((await api.get(`/conversations/${queued.body.threadId}`)).body.lastMessagePreview.isWellFormed()).toBe(true)
  })
})

describe('which number it comes from', () => {
  test('the named one, else the thread’s, else the default, else a simulated one that is made once', async () => {
    const api = await side()
    const add = async (e164: string, isDefault: boolean) => (await api.post('/phone-numbers', { e164, isDefault })).body
    const simulated = await Promise.all(
      Array.from({ length: 5 }, () => api.post('/sms', { to: '+15550100200', body: 'x' })),
    )
    expect(new Set(simulated.map(({ body }) => body.from))).toEqual(new Set(['+15005550006']))
    expect((await api.get('/phone-numbers')).body.data).toMatchObject([
      { e164: '+15005550006', provider: 'sandbox', isDefault: true },
    ])
    const [office, desk] = [await add('+15550109001', true), await add('+15550109002', false)]
    expect((await api.post('/sms', { to: '+15550100300', body: 'x' })).body.from).toBe(office.e164)
    expect((await api.post('/sms', { to: '+15550100300', fromPhoneNumberId: desk.id, body: 'x' })).body).toMatchObject({
      from: desk.e164,
      phoneNumberId: desk.id,
    })
    later(1)
    await api.post('/sms/inbound', { from: '+15550100300', to: desk.e164, body: 'here' })
    expect((await api.post('/sms', { to: '+15550100300', body: 'x' })).body.from).toBe(desk.e164)
    expect((await api.post('/sms', { to: '+15550100200', body: 'x' })).body.from).toBe('+15005550006')
  })

  test('a number that is not active does not send; a thread on it moves to the default', async () => {
    const api = await side()
    const { body: old } = await api.post('/phone-numbers', { e164: '+15550109001', isDefault: true })
    const { body: mute } = await api.post('/phone-numbers', { e164: '+15550109002', capabilities: { sms: false } })
    await api.post('/sms', { to: '+15550100200', body: 'x' })
    await api.patch(`/phone-numbers/${old.id}`, { status: 'released' })
    for (const fromPhoneNumberId of [old.id, mute.id]) {
      const refused = await api.post('/sms', { to: '+15550100200', fromPhoneNumberId, body: 'x' })
      expect([refused.status, refused.body.error.details.reason]).toEqual([422, 'sender_not_active'])
    }
    const { body: fresh } = await api.post('/phone-numbers', { e164: '+15550109003', isDefault: true })
    expect((await api.post('/sms', { to: '+15550100200', body: 'x' })).body.phoneNumberId).toBe(fresh.id)
  })

  test('a simulated number that was retired is not used again', async () => {
    const api = await side()
    await api.post('/sms', { to: '+15550100200', body: 'x' })
    const [number] = (await api.get('/phone-numbers')).body.data
    await api.patch(`/phone-numbers/${number.id}`, { status: 'retired' })
    expect((await api.post('/sms', { to: '+15550100200', body: 'x' })).body.from).toBe('+15005550100')
  })
})

test('a live key without a carrier cannot send', async () => {
  const { live } = await service.organization('Live')
  await live.post('/phone-numbers', { e164: '+15550109001', isDefault: true })
  await live.post('/integration-connections', {
    provider: 'unheard-of',
    name: 'x',
    kind: 'telephony',
    status: 'active',
  })
  const refused = await live.post('/sms', { to: '+15550100200', body: 'x' })
  expect([refused.status, refused.body.error.code, refused.body.error.details.reason]).toEqual([
    422,
    'unprocessable',
    'no_carrier',
  ])
  expect((await live.get('/sms')).body.data).toEqual([])
})

test('texts are listed by direction, time, thread, person, status and word', async () => {
  const api = await side()
  const out = (await api.post('/sms', { to: '+15550100200', body: 'outbound words' })).body
  later(60)
  const inbound = (await api.post('/sms/inbound', { from: '+15550100201', to: out.from, body: 'inbound words' })).body
  const ids = async (query: string) => (await api.get(`/sms?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([inbound.id, out.id])
  expect(await ids('direction=outbound')).toEqual([out.id])
  expect(await ids(`since=${inbound.sentAt}`)).toEqual([inbound.id])
  expect(await ids(`until=${inbound.sentAt}`)).toEqual([out.id])
  expect(await ids(`threadId=${out.threadId}`)).toEqual([out.id])
  expect(await ids(`personId=${inbound.personId}`)).toEqual([inbound.id])
  expect(await ids('status=received')).toEqual([inbound.id])
  expect(await ids('q=inbound')).toEqual([inbound.id])
  expect(await ids('q=555%20010%200201')).toEqual([inbound.id])
  expect((await api.get(`/sms/${out.id}`)).body.id).toBe(out.id)
  expect((await api.get('/sms?direction=sideways')).status).toBe(400)
  expect((await api.get('/sms?since=yesterday')).status).toBe(400)
})
