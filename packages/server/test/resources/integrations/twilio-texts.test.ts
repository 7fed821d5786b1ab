// Texts over Twilio's REST API, played by a local server: sent once, refused in words, followed by signed callbacks in
// any order; and pictures fetched with the account's credentials.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carrierFiles } from '../../support/carrier-files.js'
import { eventsOf } from '../../support/events.js'
import {
  accountSid,
  connectTwilio,
  ours,
  sendForm,
  type TwilioConnection,
  textForm,
} from '../../support/providers/twilio.js'
import { apiKey, behaviours, startTwilioApi, type TwilioApi } from '../../support/providers/twilio-api.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'
import { authority } from '../../support/webhooks/sending.js'

let api: TwilioApi
let service: Service
let live: Client
let connection: TwilioConnection
beforeAll(async () => {
  api = await startTwilioApi()
  const env = {
    PARLEY_TWILIO_URL: api.url,
    PARLEY_PROVIDER_TIMEOUT: '4s',
    PARLEY_INBOUND_RETRY_DELAYS: '0s,0s,0s,0s,0s,0s',
    PARLEY_RECORDING_ALLOW_NETWORKS: '127.0.0.0/8',
    PARLEY_RECORDING_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms,10ms',
  }
  service = await startService(env, { delivery: { ca: authority.ca } })
  live = service.demo.live
  connection = await connectTwilio(live)
  await live.post('/phone-numbers', { e164: ours, isDefault: true, integrationConnectionId: connection.id })
})
afterAll(async () => {
  await service.stop()
  await api.stop()
})

const send = async (to: string, body = `To ${to}`): Promise<string> => {
  const answer = await live.post('/sms', { to, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}
const read = async (id: string) => (await live.get(`/sms/${id}`)).body
const reached = (id: string, status: string, timeoutMs?: number) =>
  until(
    () => read(id),
    (sms) => sms.status === status,
    timeoutMs,
  )
const troubles = [behaviours.busyOnce, behaviours.brokenOnce, behaviours.slowOnce, behaviours.answerLost]
/** The texts that meet trouble, by whom they go to. */
let texts: Promise<ReadonlyMap<string, string>> | undefined
const troubled = () =>
  (texts ??= Promise.all(troubles.map(async (to) => [to, await send(to)] as const)).then((all) => new Map(all)))
const takenFor = (to: string) => api.messages.filter((message) => message.to === to)

describe('a text that we send', () => {
  test('goes through Messages with a status callback, and its callbacks never move it back', async () => {
    const id = await send('+14155550200')
    const { providerMessageId } = await reached(id, 'sent')
    const [message] = takenFor('+14155550200')
    expect(message).toMatchObject({ sid: providerMessageId, from: ours })
    expect(message?.statusCallback).toBe(`${connection.urls['sms-status']}?sms=${id}`)
    if (message === undefined) return
    expect((await api.report(message, 'delivered')).status).toBe(204)
    await reached(id, 'delivered')
    for (const status of ['sent', 'sending', 'queued', 'delivered', 'delivered']) await api.report(message, status)
    const log = await until(
      async () => (await live.get(`/integration-connections/${connection.id}/inbound`)).body.data,
      (entries) =>
        entries.filter((entry: any) => entry.providerIds.MessageSid === message.sid && entry.status !== 'pending')
          .length === 6,
    )
    expect(log.filter(({ status }: any) => status === 'failed')).toEqual([])
    expect((await read(id)).status).toBe('delivered')
    const types = (await eventsOf(service, live)).filter(({ data }: any) => data.smsId === id).map(({ type }) => type)
    expect(types).toEqual(['sms.sent', 'sms.delivered'])
  })

  test('that Twilio refuses fails with its code and in words', async () => {
    const id = await send(behaviours.invalid)
    expect(await reached(id, 'failed')).toMatchObject({ errorCode: '21211', errorMessage: 'The number does not exist' })
    const stopped = await send(behaviours.optedOut)
    expect(await reached(stopped, 'failed')).toMatchObject({
      errorCode: '21610',
      errorMessage: 'The recipient has opted out with STOP',
    })
  })

  test('that is reported undeliverable says why', async () => {
    const id = await send('+14155550201')
    await reached(id, 'sent')
    const [message] = takenFor('+14155550201')
    if (message) await api.report(message, 'undelivered', { ErrorCode: '30003' })
    expect(await reached(id, 'undelivered')).toMatchObject({
      errorCode: '30003',
      errorMessage: 'The phone is off or out of reach',
    })
  })

  // Each waits five seconds for its next try, so all of them do at once.
  test.each([
    ['again when Twilio was too busy', behaviours.busyOnce],
    ['again when Twilio was broken', behaviours.brokenOnce],
    ['again when Twilio was too slow', behaviours.slowOnce],
    ['once when the answer of Twilio was lost', behaviours.answerLost],
  ])('is sent %s', async (_why, to) => {
    const { providerMessageId } = await reached((await troubled()).get(to) ?? '', 'sent')
    expect(takenFor(to).map(({ sid }) => sid)).toEqual([providerMessageId])
  })

  test('that a callback overtakes is not sent again', async () => {
    const id = await send('+14155550202')
    await until(
      async () => takenFor('+14155550202').length,
      (count) => count === 1,
    )
    const [message] = takenFor('+14155550202')
    if (message) await api.report(message, 'delivered')
    expect(await reached(id, 'delivered')).toMatchObject({ providerMessageId: message?.sid })
    expect(takenFor('+14155550202')).toHaveLength(1)
  })
})

describe('a check', () => {
  const check = async (id: string) => (await live.post(`/integration-connections/${id}/check`)).body
  const connect = async (credentials: object, more: object = {}) =>
    (await connectTwilio(live, { credentials, status: 'pending', ...more })).id

  test('makes a connection active, with the token and with an API key', async () => {
    const id = await connect({ authToken: 'wrong, but not asked', ...apiKey })
    expect(await check(id)).toMatchObject({ ok: true, status: 'active' })
    expect((await live.get(`/integration-connections/${id}`)).body).toMatchObject({ status: 'active', lastError: null })
  })

  test('says in plain words what is wrong, and PATCH sets the status without one', async () => {
    const id = await connect({ authToken: 'wrong' })
    const result = await check(id)
    expect(result).toMatchObject({ ok: false, status: 'error' })
    expect(result.message).toContain('accountSid and authToken')
    expect((await live.get(`/integration-connections/${id}`)).body).toMatchObject({
      status: 'error',
      lastError: result.message,
    })
    const patched = await live.patch(`/integration-connections/${id}`, { status: 'active' })
    expect(patched.body).toMatchObject({ status: 'active', lastError: null })
    const paused = await connect({ authToken: 'wrong' }, { status: 'paused' })
    expect(await check(paused)).toMatchObject({ ok: false, status: 'paused' })
  })
})

describe('pictures that come with a text', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const receive = async (fields: Record<string, string>) => {
    const form = textForm({ Body: '', ...fields })
    await sendForm(connection.urls['sms'] as string, form)
    const found = await until(
      async () => (await live.get('/sms?direction=inbound')).body.data,
      (all) => all.some((sms: any) => sms.providerMessageId === form['MessageSid']),
    )
    return found.find((sms: any) => sms.providerMessageId === form['MessageSid'])
  }
  const settled = (id: string) =>
    until(
      () => read(id),
      ({ media }) => media.every(({ status }: any) => status !== 'pending'),
    )

  test('are fetched with the credentials of the account and played from signed addresses', async () => {
    const files = await carrierFiles((_path, response, request) => {
      const isOurs = request.headers.authorization?.startsWith('Basic ')
      if (!isOurs) return void response.writeHead(401).end()
      response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    })
    const media = `${files.url}/2010-04-01/Accounts/${accountSid}/Messages/MM1/Media/ME1`
    const { id } = await receive({ NumMedia: '1', MediaUrl0: media, MediaContentType0: 'image/png' })
    const { media: kept, numMedia } = await settled(id)
    expect(numMedia).toBe(1)
    expect(kept).toMatchObject([{ status: 'available', contentType: 'image/png', bytes: png.length }])
    const file = await fetch(kept[0].url)
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(png)
    const received = (await eventsOf(service, live)).find(({ data }: any) => data.smsId === id) as any
    expect(received.data.sms.media[0]).toMatchObject({ id: kept[0].id, contentType: 'image/png', status: 'pending' })
    expect(received.data.sms.media[0].url).toContain('/recordings/')
  })

  test('of another host get no credentials, and what cannot be had is shown as failed', async () => {
    const seen: (string | undefined)[] = []
    const other = await carrierFiles((_path, response, request) => {
      seen.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>')
    })
    const { id } = await receive({
      NumMedia: '2',
      MediaUrl0: `${other.url}/other-account/picture`,
      MediaContentType0: 'image/png',
      MediaUrl1: 'https://169.254.169.254/latest/meta-data',
      MediaContentType1: 'image/png',
    })
    expect((await settled(id)).media).toMatchObject([
      { status: 'failed', url: null },
      { status: 'failed', url: null },
    ])
    expect(seen).toEqual([undefined])
  })
})
