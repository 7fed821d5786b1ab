// Texts that Twilio sends: whom we believe, what is written down, and what becomes of it. The signatures are made by
// Twilio's own library.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountSid,
  connectTwilio,
  newSid,
  ours,
  sendForm,
  sendJson,
  signatureOf,
  type TwilioConnection,
  textForm,
} from '../../support/providers/twilio.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
let api: Client
let connection: TwilioConnection
beforeAll(async () => {
  service = await startService({ PARLEY_INBOUND_RETRY_DELAYS: '0s,0s,0s,0s,0s,0s' })
  api = service.api
  connection = await connectTwilio(api)
})
afterAll(() => service.stop())

type Entry = {
  id: string
  status: string
  kind: string
  error: string | null
  records: { entityType: string; id: string }[]
  providerIds: Record<string, string>
  body?: string
  headers?: Record<string, string>
  simulated: boolean
}

const logOf = async (id = connection.id, as: Client = api): Promise<Entry[]> =>
  (await as.get(`/integration-connections/${id}/inbound`)).body.data

/** The newest entry about a message, once it has come to an end. */
const settled = async (sid: string, id = connection.id): Promise<Entry> => {
  const entries = await until(
    () => logOf(id),
    (all) => all.some(({ providerIds, status }) => providerIds['MessageSid'] === sid && status !== 'pending'),
  )
  return entries.find(({ providerIds }) => providerIds['MessageSid'] === sid) as Entry
}

const urlOf = (kind: string): string => connection.urls[kind] as string

describe('a text that comes in', () => {
  test('is answered at once with empty TwiML and becomes one SMS on a number that was made for it', async () => {
    const form = textForm({ Body: 'Is the shop open?' })
    const answer = await sendForm(urlOf('sms'), form)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/xml')
    expect(await answer.text()).toContain('<Response></Response>')
    const entry = await settled(form['MessageSid'] as string)
    expect(entry).toMatchObject({ status: 'processed', kind: 'sms', error: null, simulated: false })
    const record = entry.records.find(({ entityType }) => entityType === 'sms')
    const { body: sms } = await api.get(`/sms/${record?.id}`)
    expect(sms).toMatchObject({ from: '+14155550100', to: ours, body: 'Is the shop open?', direction: 'inbound' })
    expect(sms.providerMessageId).toBe(form['MessageSid'])
    const { body: number } = await api.get(`/phone-numbers/${sms.phoneNumberId}`)
    expect(number).toMatchObject({ autoCreated: true, isDefault: false, status: 'active', provider: 'twilio' })
    expect(number.integrationConnectionId).toBe(connection.id)
  })

  test('is one text however often it is sent, also at the same time', async () => {
    const form = textForm({ Body: 'Once' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendForm(urlOf('sms'), form)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const sid = form['MessageSid'] as string
    const entries = await until(
      async () => (await logOf()).filter(({ providerIds }) => providerIds['MessageSid'] === sid),
      (all) => all.every(({ status }) => status !== 'pending'),
    )
    expect(entries.map(({ status }) => status).toSorted()).toEqual([
      'ignored',
      'ignored',
      'ignored',
      'ignored',
      'processed',
    ])
    const found = await api.get('/sms?q=Once')
    expect(found.body.data).toHaveLength(1)
  })

  test('keeps the order of its sender', async () => {
    const forms = Array.from({ length: 8 }, (_, index) => textForm({ From: '+14155550111', Body: `Part ${index}` }))
    for (const form of forms) await sendForm(urlOf('sms'), form)
    await settled(forms.at(-1)?.['MessageSid'] as string)
    const { data } = (await api.get('/sms?q=Part')).body
    expect(data.map(({ body }: { body: string }) => body)).toEqual(forms.map(({ Body }) => Body).toReversed())
  })

  test('from a withheld number belongs to nobody, and no two of them to the same person', async () => {
    const spellings = [
      '',
      '+266696687',
      '+7378742833',
      '+2562533',
      '+8656696',
      '+86282452253',
      'Anonymous',
      'Restricted',
    ]
    for (const From of spellings) {
      const form = textForm({ From, Body: `From ${From || 'nobody'}` })
      await sendForm(urlOf('sms'), form)
      const { records } = await settled(form['MessageSid'] as string)
      const { body } = await api.get(`/sms/${records.find(({ entityType }) => entityType === 'sms')?.id}`)
      expect(body, From).toMatchObject({ from: null, fromWithheld: true, personId: null })
    }
  })

  test('of WhatsApp is ignored, and says why', async () => {
    const form = textForm({ From: 'whatsapp:+14155550100', To: `whatsapp:${ours}` })
    expect((await sendForm(urlOf('sms'), form)).status).toBe(200)
    expect(await settled(form['MessageSid'] as string)).toMatchObject({
      status: 'ignored',
      error: 'WhatsApp messages are not taken yet',
      records: [],
    })
  })

  test('with OptOutType opts out whatever word was used', async () => {
    const form = textForm({ From: '+14155550122', Body: 'arret', OptOutType: 'STOP' })
    await sendForm(urlOf('sms'), form)
    await settled(form['MessageSid'] as string)
    const { data } = (await api.get('/contact-methods?q=%2B14155550122')).body
    expect(data).toMatchObject([{ optInStatus: 'opted_out' }])
  })

  test('as JSON with a hash of its body is believed as well', async () => {
    const form = textForm({ Body: 'In JSON' })
    const answer = await sendJson(urlOf('sms'), { AccountSid: accountSid, ...form })
    expect(answer.status).toBe(200)
    expect(await settled(form['MessageSid'] as string)).toMatchObject({ status: 'processed' })
  })

  test('that nobody could make sense of is kept as failed, and can be taken again', async () => {
    const form = { ...textForm(), MessageSid: '' }
    expect((await sendForm(urlOf('sms'), form)).status).toBeLessThan(300)
    const [entry] = await logOf()
    expect(entry).toMatchObject({ status: 'failed', error: 'MessageSid is missing' })
    const path = `/integration-connections/${connection.id}/inbound/${entry?.id}`
    expect(await api.get(path)).toMatchObject({
      status: 200,
      body: { ...entry, body: expect.stringContaining('From=') },
    })
    const stranger = (await service.organization('Strangers')).sandbox
    expect([(await stranger.get(path)).status, (await api.get(`${path.slice(0, -1)}z`)).status]).toEqual([404, 404])
    const again = await api.post(`${path}/reprocess`)
    expect(again).toMatchObject({ status: 202, body: { status: 'pending' } })
    const after = await until(logOf, (all) => all.find(({ id }) => id === entry?.id)?.status === 'failed')
    expect(after.find(({ id }) => id === entry?.id)?.error).toBe('MessageSid is missing')
  })
})

describe('a request that is not what it says', () => {
  const countLog = async () =>
    (await api.get(`/integration-connections/${connection.id}/inbound?count=true`)).body.pagination.count

  test('is refused, counted and not written down', async () => {
    const before = await countLog()
    const form = textForm()
    const refused = [
      await sendForm(urlOf('sms'), form, { token: 'another token' }),
      await sendForm(urlOf('sms'), form, { signature: '' }),
      await sendForm(urlOf('sms'), form, { signature: signatureOf(urlOf('sms'), { ...form, Body: 'Other' }) }),
      await sendForm(urlOf('sms'), form, { signature: signatureOf(urlOf('voice'), form) }),
      // A host that the sender chose is not what is signed.
      await sendForm(urlOf('sms'), form, {
        signature: signatureOf(urlOf('sms').replace(/\/\/[^/]+/, '//evil.example'), form),
        headers: { 'x-forwarded-host': 'evil.example' },
      }),
      await sendForm(urlOf('sms'), { ...form, AccountSid: `AC${'1'.repeat(32)}` }),
      await fetch(urlOf('sms').replace(connection.id, '01890000-0000-7000-8000-000000000000'), { method: 'POST' }),
      await fetch(urlOf('sms').replace(connection.id, 'nonsense'), { method: 'POST' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(await countLog()).toBe(before)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/parley_inbound_refused_total\{provider="twilio",reason="signature"\} [5-9]/)
    expect(metrics).toMatch(/parley_inbound_refused_total\{provider="twilio",reason="other_account"\} 1/)
    expect(metrics).toMatch(/parley_inbound_refused_total\{provider="unknown",reason="unknown_connection"\} 2/)
  })

  test('is refused when it is too large, before it is looked at', async () => {
    const answer = await sendForm(urlOf('sms'), textForm({ Body: 'x'.repeat(1_100_000) }))
    expect(answer.status).toBe(413)
  })

  test('is bounded in pace by its connection, signed ones alone', async () => {
    const slow = await startService({ PARLEY_RATE_LIMIT_INBOUND: '1:2' })
    try {
      const { urls } = await connectTwilio(slow.api)
      const url = urls['sms'] as string
      for (let count = 0; count < 5; count++) await sendForm(url, textForm(), { token: 'wrong' })
      const statuses: number[] = []
      for (let count = 0; count < 2; count++) statuses.push((await sendForm(url, textForm())).status)
      expect(statuses).toEqual([200, 200])
      // More at once than tokens come back while they are answered.
      const crowd = await Promise.all(Array.from({ length: 40 }, () => sendForm(url, textForm())))
      expect(crowd.map(({ status }) => status)).toContain(429)
    } finally {
      await slow.stop()
    }
  })
})

describe('a connection', () => {
  test('takes the other token while one takes the place of the other', async () => {
    const { urls } = await connectTwilio(api, {
      credentials: { authToken: 'new token', secondaryAuthToken: 'old token' },
    })
    for (const token of ['new token', 'old token'])
      expect((await sendForm(urls['sms'] as string, textForm(), { token })).status).toBe(200)
    expect((await sendForm(urls['sms'] as string, textForm(), { token: 'older token' })).status).toBe(403)
  })

  test('that is paused keeps what comes, and works on it when it is resumed', async () => {
    const paused = await connectTwilio(api, { status: 'paused' })
    const form = textForm({ Body: 'While paused' })
    expect((await sendForm(paused.urls['sms'] as string, form)).status).toBe(200)
    // A later request to another connection shows that the worker came by.
    const marker = textForm({ Body: 'Marker' })
    await sendForm(urlOf('sms'), marker)
    await settled(marker['MessageSid'] as string)
    expect(await logOf(paused.id)).toMatchObject([{ status: 'pending' }])
    await api.patch(`/integration-connections/${paused.id}`, { status: 'active' })
    expect(await settled(form['MessageSid'] as string, paused.id)).toMatchObject({ status: 'processed' })
  })

  test('that is revoked or deleted refuses, and one that has not been checked does not', async () => {
    for (const status of ['pending', 'error']) {
      const { urls } = await connectTwilio(api, { status })
      expect((await sendForm(urls['sms'] as string, textForm())).status).toBe(200)
    }
    const { id, urls } = await connectTwilio(api, { status: 'revoked' })
    expect((await sendForm(urls['sms'] as string, textForm())).status).toBe(403)
    await api.delete(`/integration-connections/${id}`)
    expect((await sendForm(urls['sms'] as string, textForm())).status).toBe(403)
  })
})

describe('the log', () => {
  test('shows bodies and headers to ADMIN keys alone, and no signature to anybody', async () => {
    const form = textForm({ Body: 'Secret or not' })
    await sendForm(urlOf('sms'), form)
    const entry = await settled(form['MessageSid'] as string)
    expect(entry.body).toContain('Secret+or+not')
    expect(entry.headers).toMatchObject({ 'content-type': expect.stringContaining('form') })
    expect(JSON.stringify(entry.headers)).not.toContain('signature')
    const reader = await service.keyOf(service.demo.id, 'sandbox', 'READ')
    const [shown] = await logOf(connection.id, reader)
    expect(shown).toBeDefined()
    expect(shown).not.toHaveProperty('body')
    expect(shown).not.toHaveProperty('headers')
  })

  test('is narrowed by status, paged by cursor, and belongs to its tenant', async () => {
    const path = `/integration-connections/${connection.id}/inbound`
    const ignored = await api.get(`${path}?status=ignored&limit=1`)
    expect(ignored.body.data).toMatchObject([{ status: 'ignored' }])
    const next = await api.get(`${path}?status=ignored&limit=1&cursor=${ignored.body.pagination.nextCursor}`)
    expect(next.body.data[0].id).not.toBe(ignored.body.data[0].id)
    const found = await api.get(`${path}?q=whatsapp`)
    expect(found.body.data.length).toBeGreaterThan(0)
    const other = await service.organization('Other')
    expect((await other.sandbox.get(path)).status).toBe(404)
  })

  test('takes a request in the place of the provider, in the sandbox and marked as such', async () => {
    const path = `/integration-connections/${connection.id}/inbound/simulate`
    const sid = newSid('SM')
    const body = new URLSearchParams({ AccountSid: accountSid, ...textForm({ MessageSid: sid, Body: 'Pretended' }) })
    const answer = await api.post(path, { kind: 'sms', body: body.toString() })
    expect(answer).toMatchObject({ status: 202, body: { entry: { simulated: true, kind: 'sms' } } })
    expect(answer.body.answer).toMatchObject({ status: 200, contentType: expect.stringContaining('xml') })
    expect(await settled(sid)).toMatchObject({ status: 'processed', simulated: true })
    const live = await service.demo.live.post('/integration-connections', {
      provider: 'twilio',
      name: 'Live',
      config: { accountSid },
      credentials: { authToken: 'live' },
    })
    const refused = await service.demo.live.post(`/integration-connections/${live.body.id}/inbound/simulate`, {
      kind: 'sms',
      body: body.toString(),
    })
    expect(refused).toMatchObject({ status: 403, body: { error: { details: { reason: 'sandbox_only' } } } })
    const unknown = await api.post(path, { kind: 'fax', body: '' })
    expect(unknown.status).toBe(400)
  })
})
