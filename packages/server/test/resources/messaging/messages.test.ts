import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Mail')).sandbox
const mail = {
  channel: 'email',
  direction: 'inbound',
  from: ' Ada@Example.com ',
  to: 'desk@plumbing.example',
  body: 'My sink leaks',
}
const unknownId = '0190b2f0-0000-7000-8000-000000000001'

test('mail is kept as a message in the thread of its two addresses, whoever wrote', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Ada', primaryEmail: 'ada@example.com' })
  const received = await api.post('/messages', mail)
  expect(received.status).toBe(201)
  expect(received.body).toMatchObject({
    channel: 'email',
    direction: 'inbound',
    from: 'ada@example.com',
    to: 'desk@plumbing.example',
    personId: person.id,
    smsId: null,
  })
  const answered = await api.post('/messages', {
    ...mail,
    direction: 'outbound',
    from: mail.to,
    to: mail.from,
    body: 'We are on our way',
  })
  expect(answered.body).toMatchObject({ threadId: received.body.threadId, personId: person.id })
  expect((await api.get(`/conversations/${received.body.threadId}`)).body).toMatchObject({
    channel: 'email',
    participantAddress: 'ada@example.com',
    ourAddress: 'desk@plumbing.example',
    personId: person.id,
    messageCount: 2,
    lastMessagePreview: 'We are on our way',
  })
  expect((await api.get(`/messages/${received.body.id}`)).text).toBe(received.text)
})

test('a thread may be named; one that is not of mail is refused; one that is not there only where the side is strict', async () => {
  const api = await side()
  const { body: thread } = await api.post('/conversations', { channel: 'email', subject: 'Sinks' })
  expect((await api.post('/messages', { ...mail, threadId: thread.id })).body.threadId).toBe(thread.id)
  expect((await api.get(`/conversations/${thread.id}`)).body.messageCount).toBe(1)
  const { body: texts } = await api.post('/conversations', { channel: 'sms' })
  expect((await api.post('/messages', { ...mail, threadId: texts.id })).body.error.details[0].path).toBe('threadId')
  expect((await api.post('/messages', { ...mail, threadId: unknownId })).body.threadId).toBe(unknownId)
  await api.patch('/organization', { settings: { strictReferences: true } })
  expect((await api.post('/messages', { ...mail, threadId: unknownId })).body.error.details[0].path).toBe('threadId')
})

test('mail pushed again under its external reference corrects itself and is counted once', async () => {
  const api = await side()
  const body = { ...mail, externalRefs: [{ system: 'imap', externalId: '<1@example.com>' }] }
  const first = await api.post('/messages', body)
  const again = await api.post('/messages', { ...body, body: 'My sink leaks badly' })
  expect([first.status, again.status, again.body.id, again.body.body]).toEqual([
    201,
    200,
    first.body.id,
    'My sink leaks badly',
  ])
  const crowd = await Promise.all(
    Array.from({ length: 10 }, () =>
      api.post('/messages', { ...mail, externalRefs: [{ system: 'imap', externalId: '<2@example.com>' }] }),
    ),
  )
  expect(crowd.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  expect((await api.get(`/conversations/${first.body.threadId}`)).body.messageCount).toBe(2)
})

test('ten mails between two new addresses at once make one thread', async () => {
  const api = await side()
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/messages', mail)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
  expect((await api.get('/conversations')).body.data).toMatchObject([{ messageCount: 10 }])
})

test('messages are listed across channels, newest first, by channel, direction, thread, person and word', async () => {
  const api = await side()
  const email = (await api.post('/messages', mail)).body
  const sms = (await api.post('/sms/inbound', { from: '+15550100200', to: '+15550109001', body: 'Leaking still' })).body
  const sent = (await api.post('/sms', { to: '+15550100200', body: 'Coming' })).body
  const all = (await api.get('/messages')).body.data
  expect(
    all.map(({ channel, direction, body }: { channel: string; direction: string; body: string }) => [
      channel,
      direction,
      body,
    ]),
  ).toEqual([
    ['sms', 'outbound', 'Coming'],
    ['sms', 'inbound', 'Leaking still'],
    ['email', 'inbound', 'My sink leaks'],
  ])
  const ids = async (query: string) =>
    (await api.get(`/messages?${query}`)).body.data.map(({ id }: { id: string }) => id)
  const [outbound, inbound] = all.map(({ id }: { id: string }) => id)
  expect(await ids('channel=email')).toEqual([email.id])
  expect(await ids('channel=voice')).toEqual([])
  expect(await ids('direction=outbound')).toEqual([outbound])
  expect(await ids(`threadId=${sms.threadId}`)).toEqual([inbound])
  expect(await ids(`personId=${sms.personId}`)).toEqual([outbound, inbound])
  expect(await ids('q=leak')).toEqual([inbound, email.id])
  expect(sent.threadId).not.toBe(sms.threadId)
})

test.each<[string, object, string]>([
  ['a text', { channel: 'sms' }, 'channel'],
  ['a call', { channel: 'voice' }, 'channel'],
  ['an unknown channel', { channel: 'fax' }, 'channel'],
  ['no direction', { direction: undefined }, 'direction'],
  ['no body', { body: undefined }, 'body'],
  ['no sender', { from: undefined }, 'from'],
  ['a sender that is no address', { from: 'Ada' }, 'from'],
  ['no recipient', { to: null }, 'to'],
  ['too long a body', { body: 'x'.repeat(20_001) }, 'body'],
  ['a thread that is no id', { threadId: '7' }, 'threadId'],
  ['an unknown field', { cc: 'x@example.com' }, 'cc'],
])('%s is refused and leaves nothing behind', async (_what, values, path) => {
  const api = await side()
  const refused = await api.post('/messages', { ...mail, ...values })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
  expect((await api.get('/messages')).body.data).toEqual([])
  expect((await api.get('/conversations')).body.data).toEqual([])
})
