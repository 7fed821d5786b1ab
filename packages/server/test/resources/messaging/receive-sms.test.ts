import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inboundSmsEndpoints } from '../../../src/resources/messaging/receive-sms.js'
import { eventsOf } from '../../support/events.js'
import { overtaken } from '../../support/overtaken.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Inbound')).sandbox
const [them, us] = ['+15550100200', '+15550109001']
const typesOf = async (api: Client) => (await eventsOf(service, api)).map(({ type }) => type)

test('a text that comes in makes its person, thread and message, and one event', async () => {
  const api = await side()
  const { body: number } = await api.post('/phone-numbers', { e164: us })
  const received = await api.post('/sms/inbound', {
    from: '+1 555 010 0200',
    to: us,
    body: 'My sink leaks',
    sentAt: '2026-03-01T12:00:00+02:00',
    providerMessageId: 'SM1',
  })
  expect(received.status).toBe(201)
  expect(received.body).toMatchObject({
    direction: 'inbound',
    status: 'received',
    from: them,
    to: us,
    sentAt: '2026-03-01T10:00:00.000Z',
    providerMessageId: 'SM1',
    phoneNumberId: number.id,
  })
  const { body: person } = await api.get(`/people/${received.body.personId}`)
  expect(person).toMatchObject({ displayName: them, primaryPhone: them, createdVia: 'sms' })
  const [message] = (await api.get(`/messages?threadId=${received.body.threadId}`)).body.data
  expect(message).toMatchObject({
    channel: 'sms',
    direction: 'inbound',
    body: 'My sink leaks',
    smsId: received.body.id,
    personId: person.id,
  })
  expect((await api.get(`/conversations/${received.body.threadId}`)).body).toMatchObject({
    direction: 'inbound',
    phoneNumberId: number.id,
    personId: person.id,
    participantAddress: them,
    ourAddress: us,
    messageCount: 1,
    lastMessageAt: '2026-03-01T10:00:00.000Z',
  })
  const events = await eventsOf(service, api)
  expect(events.map(({ type }) => type)).toEqual(['person.created', 'sms.received'])
  expect(events[1]?.data).toEqual({
    smsId: received.body.id,
    messageId: message.id,
    threadId: received.body.threadId,
    from: them,
    to: us,
    body: 'My sink leaks',
    sentAt: '2026-03-01T10:00:00.000Z',
    personId: person.id,
    sms: received.body,
  })
})

test('the same provider id twenty times at once is one text; again later it is 200 and the same', async () => {
  const api = await side()
  const body = { from: them, to: us, body: 'My sink leaks', providerMessageId: 'SM1' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/sms/inbound', body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect([(await api.post('/sms/inbound', { ...body, body: 'changed' })).text]).toEqual([answers[0]?.text])
  for (const path of ['/sms', '/messages', '/people', '/conversations'])
    expect((await api.get(path)).body.data).toHaveLength(1)
  expect(await typesOf(api)).toEqual(['person.created', 'sms.received'])
})

test('twenty different texts of one unknown number at once: one person, one thread, twenty messages', async () => {
  const api = await side()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => api.post('/sms/inbound', { from: them, to: us, body: `Text ${index}` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  expect((await api.get('/people')).body.data).toHaveLength(1)
  const threads = (await api.get('/conversations')).body.data
  expect(threads).toMatchObject([{ messageCount: 20 }])
  const types = await typesOf(api)
  expect(types.filter((type) => type === 'person.created')).toHaveLength(1)
  expect(types.filter((type) => type === 'sms.received')).toHaveLength(20)
})

test('a text that comes late does not become the thread’s last, and one that comes in opens a closed thread', async () => {
  const api = await side()
  const first = await api.post('/sms/inbound', {
    from: them,
    to: us,
    body: 'Second said',
    sentAt: '2026-03-01T10:00:00Z',
  })
  await api.post('/sms/inbound', { from: them, to: us, body: 'First said', sentAt: '2026-03-01T09:00:00Z' })
  const path = `/conversations/${first.body.threadId}`
  expect((await api.get(path)).body).toMatchObject({
    messageCount: 2,
    lastMessagePreview: 'Second said',
    lastMessageAt: '2026-03-01T10:00:00.000Z',
  })
  await api.patch(path, { status: 'closed' })
  await api.post('/sms/inbound', { from: them, to: us, body: 'Hello?' })
  expect((await api.get(path)).body).toMatchObject({ status: 'open', messageCount: 3, lastMessagePreview: 'Hello?' })
})

test.each<[string, object, string]>([
  ['no sender', { from: undefined }, 'from'],
  ['a sender that is none', { from: '12' }, 'from'],
  ['no recipient', { to: undefined }, 'to'],
  ['no text', { body: undefined }, 'body'],
  ['an empty text', { body: '' }, 'body'],
  ['too long a text', { body: 'x'.repeat(1_601) }, 'body'],
  ['a time that is none', { sentAt: 'now' }, 'sentAt'],
  ['a blank provider id', { providerMessageId: ' ' }, 'providerMessageId'],
  ['no text and no picture', { body: '', numMedia: 0, mediaUrls: [] }, 'body'],
  ['a picture that is not fetched safely', { mediaUrls: ['http://media.example/1'] }, 'mediaUrls[0]'],
  ['an unknown field', { pictures: [] }, 'pictures'],
])('%s is refused and leaves nothing behind', async (_what, values, path) => {
  const api = await side()
  const refused = await api.post('/sms/inbound', { from: them, to: us, body: 'Hello', ...values })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
  for (const list of ['/sms', '/people', '/conversations']) expect((await api.get(list)).body.data).toEqual([])
  expect(await eventsOf(service, api)).toEqual([])
})

describe('opting out and in', () => {
  const say = (api: Client, body: string) => api.post('/sms/inbound', { from: them, to: us, body })
  const optIns = async (api: Client) =>
    (await api.get('/contact-methods')).body.data.map(({ optInStatus }: { optInStatus: string }) => optInStatus)
  const canText = async (api: Client) => (await api.post('/sms', { to: them, body: 'Hello' })).status === 201

  test.each(['STOP', 'stopall', ' Unsubscribe ', 'CANCEL.', 'End', 'QUIT!'])('%j opts out', async (word) => {
    const api = await side()
    const received = await say(api, word)
    expect((await api.get('/contact-methods')).body.data).toMatchObject([
      {
        channel: 'sms',
        value: them,
        normalizedValue: them,
        ownerType: 'person',
        ownerId: received.body.personId,
        optInStatus: 'opted_out',
      },
    ])
    const refused = await api.post('/sms', { to: them, body: 'Hello' })
    expect([refused.status, refused.body.error.details]).toEqual([422, { reason: 'recipient_opted_out', to: them }])
    expect((await api.post('/sms', { personId: received.body.personId, body: 'Hello' })).status).toBe(422)
  })

  test.each(['START', 'unstop', 'Yes'])('%j after STOP opts in again', async (word) => {
    const api = await side()
    await say(api, 'STOP')
    expect(await canText(api)).toBe(false)
    await say(api, word)
    expect(await optIns(api)).toEqual(['opted_in'])
    expect(await canText(api)).toBe(true)
  })

  test.each(['YES', 'HELP', 'stop it', 'Please start', 'End of story'])('%j is ordinary talk', async (words) => {
    const api = await side()
    expect((await say(api, words)).status).toBe(201)
    expect(await optIns(api)).toEqual([])
    expect(await canText(api)).toBe(true)
  })

  test('all contact methods of the number follow, whoever owns them; other numbers and sides do not', async () => {
    const organization = await service.organization('Both sides')
    const api = organization.sandbox
    for (const ownerType of ['person', 'customer'])
      await api.post('/contact-methods', { channel: 'phone', value: them, ownerType })
    await api.post('/contact-methods', { channel: 'email', value: 'ada@example.com' })
    await say(api, 'STOP')
    expect((await optIns(api)).sort()).toEqual(['opted_out', 'opted_out', 'opted_out', 'unknown'])
    expect((await api.post('/sms', { to: '+15550100201', body: 'Hello' })).status).toBe(201)
    expect((await organization.live.get('/contact-methods')).body.data).toEqual([])
    await say(api, 'START')
    expect((await optIns(api)).sort()).toEqual(['opted_in', 'opted_in', 'opted_in', 'unknown'])
  })

  test('an operator’s own opt-out counts as well', async () => {
    const api = await side()
    const { body: method } = await api.post('/contact-methods', {
      channel: 'sms',
      value: them,
      optInStatus: 'opted_out',
    })
    expect(await canText(api)).toBe(false)
    await api.patch(`/contact-methods/${method.id}`, { optInStatus: 'opted_in' })
    expect(await canText(api)).toBe(true)
  })

  test('STOP ten times at once makes one contact method', async () => {
    const api = await side()
    await Promise.all(Array.from({ length: 10 }, () => say(api, 'STOP')))
    expect(await optIns(api)).toEqual(['opted_out'])
  })
})

describe('HELP', () => {
  const message = 'Mended & Sons: call 555-0100. Reply STOP to opt out.'
  const say = (api: Client, body: string, more = {}) => api.post('/sms/inbound', { from: them, to: us, body, ...more })
  const sent = async (api: Client) => (await api.get('/sms?direction=outbound')).body.data
  const helpful = async (): Promise<Client> => {
    const api = await side()
    await api.post('/phone-numbers', { e164: us, status: 'active' })
    await api.patch('/organization', { settings: { smsHelpMessage: message } })
    return api
  }

  test.each(['HELP', 'help!', ' Info '])(
    '%j is answered from the number that was asked, in its thread',
    async (word) => {
      const api = await helpful()
      const { body: asked } = await say(api, word)
      expect(await sent(api)).toMatchObject([
        { from: us, to: them, body: message, threadId: asked.threadId, personId: asked.personId },
      ])
      expect((await api.get('/conversations')).body.data).toMatchObject([
        { messageCount: 2, lastMessagePreview: message },
      ])
      await vi.waitFor(async () => expect(await typesOf(api)).toContain('sms.sent'), { timeout: 120_000 })
    },
  )

  test('twenty retries at once get one answer', async () => {
    const api = await helpful()
    await Promise.all(Array.from({ length: 20 }, () => say(api, 'HELP', { providerMessageId: 'help-1' })))
    expect(await sent(api)).toHaveLength(1)
  })

  test.each([
    [
      'there is no message',
      async (api: Client) => api.patch('/organization', { settings: { smsHelpMessage: null } }),
      'HELP',
    ],
    ['it is part of a sentence', async () => undefined, 'Help me with my sink'],
    ['the sender has opted out', async (api: Client) => say(api, 'STOP'), 'HELP'],
  ])('is not answered when %s', async (_why, prepare, words) => {
    const api = await helpful()
    await prepare(api)
    expect((await say(api, words)).status).toBe(201)
    expect(await sent(api)).toEqual([])
  })

  test('is not answered from a number that cannot send', async () => {
    const api = await side()
    await api.patch('/organization', { settings: { smsHelpMessage: message } })
    expect((await say(api, 'HELP')).status).toBe(201)
    expect(await sent(api)).toEqual([])
  })
})

test.each([
  ['primaryPhone', 'Hello'],
  ['participantAddress', 'Hello'],
  ['normalizedValue', 'STOP'],
])(
  'a twin that comes between any look-up by %s and the commit leaves one person, one thread and at most one opt-out',
  async (field, words) => {
    const body = { from: them, to: us, body: words }
    let refused = 0
    for (let look = 1; ; look++) {
      const api = await side()
      const late = await overtaken(service, api, {
        endpoint: inboundSmsEndpoints[0],
        body,
        field,
        look,
        meanwhile: () => api.post('/sms/inbound', body),
      })
      if (late === undefined) break
      await late.commit().catch((error: { code?: string }) => {
        expect(error.code).toBe('PA001')
        refused++
      })
      for (const path of ['/people', '/conversations', ...(words === 'STOP' ? ['/contact-methods'] : [])]) {
        expect((await api.get(path)).body.data).toHaveLength(1)
      }
    }
    expect(refused).toBeGreaterThan(0)
  },
)
