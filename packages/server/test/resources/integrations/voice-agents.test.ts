// Voice agents of Vapi, Retell and ElevenLabs: each proves in its own way that it is itself, and all become calls with
// what was said and learned.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audio, carrierFiles } from '../../support/carrier-files.js'
import { eventsOf } from '../../support/events.js'
import { connectTwilio, newSid, sendForm } from '../../support/providers/twilio.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'
import { authority } from '../../support/webhooks/sending.js'

let service: Service
let api: Client
beforeAll(async () => {
  const env = {
    PARLEY_INBOUND_RETRY_DELAYS: '50ms,50ms,50ms,50ms,50ms,50ms',
    PARLEY_RECORDING_ALLOW_NETWORKS: '127.0.0.0/8',
    PARLEY_RECORDING_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms,10ms',
  }
  service = await startService(env, { delivery: { ca: authority.ca } })
  api = service.api
  await api.patch('/organization', { settings: { factAutoConfirmThreshold: 0.1 } })
})
afterAll(() => service.stop())

const secret = 'the secret that only the vendor knows'
const ours = '+12125550001'
const theirs = '+14155550400'
const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex')

interface Vendor {
  readonly kind: string
  readonly credentials: Record<string, string>
  /** The headers that prove it, made from the body at a time. */
  readonly sign: (body: string, atMs: number, key?: string) => Record<string, string>
  readonly windowMs: number | null
}

const vendors: Record<string, Vendor> = {
  vapi: {
    kind: 'server',
    credentials: { serverSecret: secret },
    sign: (_body, _atMs, key = secret) => ({ 'x-vapi-secret': key }),
    windowMs: null,
  },
  retell: {
    kind: 'webhook',
    credentials: { apiKey: secret },
    sign: (body, atMs, key) => ({ 'x-retell-signature': `v=${atMs},d=${hmac(body + atMs, key)}` }),
    windowMs: 5 * 60_000,
  },
  elevenlabs: {
    kind: 'post-call',
    credentials: { webhookSecret: secret },
    sign(body, atMs, key) {
      const seconds = Math.floor(atMs / 1_000)
      return { 'elevenlabs-signature': `t=${seconds},v0=${hmac(`${seconds}.${body}`, key)}` }
    },
    windowMs: 30 * 60_000,
  },
}

interface Connected extends Vendor {
  readonly id: string
  readonly url: string
  readonly post: (payload: object, headers?: Record<string, string>) => Promise<Response>
}

async function connect(provider: string): Promise<Connected> {
  const vendor = vendors[provider] as Vendor
  const made = await api.post('/integration-connections', { provider, name: provider, credentials: vendor.credentials })
  expect(made.status, made.text).toBe(201)
  expect(made.body.kind).toBe('voice_ai')
  const url = made.body.inboundUrls[vendor.kind]
  const post = (payload: object, headers?: Record<string, string>) => {
    const body = JSON.stringify(payload)
    const signed = headers ?? vendor.sign(body, Date.now())
    return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body })
  }
  return { ...vendor, id: made.body.id, url, post }
}

const log = async (id: string) => (await api.get(`/integration-connections/${id}/inbound`)).body.data
const settled = (id: string) =>
  until(
    () => log(id),
    (all) => all.length > 0 && all.every(({ status }: any) => status !== 'pending'),
  )
const callOf = async (entry: any) =>
  (await api.get(`/calls/${entry.records.find(({ entityType }: any) => entityType === 'call')?.id}`)).body

let reports = 0
const startedAt = '2026-11-10T15:00:00.000Z'
const startMs = Date.parse(startedAt)

const vapiReport = (more: Record<string, any> = {}) => ({
  message: {
    type: 'end-of-call-report',
    endedReason: 'customer-ended-call',
    startedAt,
    endedAt: '2026-11-10T15:01:30.000Z',
    cost: 0.1234,
    call: { id: `vapi-${++reports}`, type: 'inboundPhoneCall', phoneCallProvider: 'twilio', ...more['call'] },
    phoneNumber: { number: ours, twilioAccountSid: 'AC1', twilioAuthToken: 'a token of the customer' },
    customer: { number: theirs },
    assistant: { name: 'Riley' },
    artifact: {
      messages: [
        { role: 'system', message: 'You are Riley.', secondsFromStart: 0 },
        { role: 'bot', message: 'Hello, this is Riley.', secondsFromStart: 0.5, duration: 1_200 },
        { role: 'user', message: 'My boiler leaks.', secondsFromStart: 2.5, duration: 900 },
        { role: 'tool_calls', toolCalls: [] },
      ],
      ...more['artifact'],
    },
    analysis: { summary: 'The boiler leaks.', structuredData: { urgency: 'high', rooms: 2, nothing: null } },
  },
})

const retellCall = (more: object = {}) => ({
  call_id: `retell-${++reports}`,
  call_type: 'phone_call',
  agent_name: 'Front desk',
  direction: 'inbound',
  from_number: theirs,
  to_number: ours,
  start_timestamp: startMs,
  ...more,
})

const retellEnd = {
  end_timestamp: startMs + 61_000,
  duration_ms: 61_000,
  disconnection_reason: 'user_hangup',
  transcript_object: [
    { role: 'agent', content: 'Front desk.', words: [{ word: 'Front', start: 0.4, end: 1.1 }] },
    { role: 'user', content: 'A room for two.', words: [{ word: 'A', start: 2, end: 3.5 }] },
  ],
  call_cost: { combined_cost: 7 },
}

const elevenLabsReport = (more: object = {}) => ({
  type: 'post_call_transcription',
  event_timestamp: Math.floor(startMs / 1_000),
  data: {
    agent_id: 'agent_1',
    agent_name: 'Sam',
    conversation_id: `conv_${++reports}`,
    status: 'done',
    transcript: [
      { role: 'agent', message: 'Hi, Sam here.', time_in_call_secs: 0 },
      { role: 'user', message: 'I want to move on Friday.', time_in_call_secs: 3 },
      { role: 'agent', message: null, time_in_call_secs: 5 },
    ],
    metadata: {
      start_time_unix_secs: startMs / 1_000,
      call_duration_secs: 42,
      cost: 296,
      termination_reason: 'Call ended by remote party',
      phone_call: { type: 'twilio', direction: 'inbound', agent_number: ours, external_number: theirs, ...more },
    },
    analysis: {
      transcript_summary: 'Wants to move on Friday.',
      data_collection_results: {
        moving_day: { value: 'Friday', rationale: 'The caller said: I want to move on Friday.' },
        budget: { value: null, rationale: 'Not mentioned.' },
      },
    },
  },
})

const payloads: Record<string, () => object> = {
  vapi: () => vapiReport(),
  retell: () => ({ event: 'call_ended', call: { ...retellCall(), ...retellEnd } }),
  elevenlabs: () => elevenLabsReport(),
}

describe.each(Object.keys(vendors))('%s', (provider) => {
  test('is believed for its own signature alone, within its time', async () => {
    const { id, url, sign, windowMs, post } = await connect(provider)
    const body = JSON.stringify(payloads[provider]?.())
    const send = async (headers: Record<string, string>, sent = body) =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: sent }))
        .status
    const now = Date.now()
    expect(await send({})).toBe(403)
    expect(await send(sign(body, now, 'another secret'))).toBe(403)
    if (windowMs !== null) {
      expect(await send(sign(body, now), `${body} `)).toBe(403)
      expect(await send(sign(body, now - windowMs - 60_000))).toBe(403)
      expect(await send(sign(body, now + windowMs + 60_000))).toBe(403)
    }
    expect(await log(id)).toEqual([])
    expect(await send(sign(body, now))).toBe(204)
    expect((await post({ nothing: 'that the vendor sends' })).status).toBe(204)
    const entries = await settled(id)
    expect(entries.map(({ status }: any) => status).toSorted()).toEqual(['failed', 'processed'])
  })

  test('reports one call, however often', async () => {
    const { id, post } = await connect(provider)
    const payload = payloads[provider]?.() ?? {}
    await Promise.all([post(payload), post(payload), post(payload)])
    const entries = await settled(id)
    expect(entries.map(({ status }: any) => status).toSorted()).toEqual(['ignored', 'ignored', 'processed'])
    const call = await callOf(entries.find(({ status }: any) => status === 'processed'))
    expect(call).toMatchObject({ status: 'completed', direction: 'inbound', from: theirs, to: ours, provider })
    expect(call.handledBy.type).toBe('ai')
    const types = (await eventsOf(service, api))
      .filter(({ data }: any) => data.callId === call.id)
      .map(({ type }) => type)
    expect(types.filter((type) => type === 'call.ended')).toHaveLength(1)
  })

  test('reports a call that Twilio has told of as the same call', async () => {
    const { id, post } = await connect(provider)
    const twilio = await connectTwilio(api)
    const CallSid = newSid('CA')
    const leg = { CallSid, From: theirs, To: ours, Direction: 'inbound' }
    const named: Record<string, object> = {
      vapi: vapiReport({ call: { phoneCallProviderId: CallSid } }),
      retell: {
        event: 'call_ended',
        call: { ...retellCall(), ...retellEnd, telephony_identifier: { twilio_call_sid: CallSid } },
      },
      elevenlabs: elevenLabsReport({ call_sid: CallSid }),
    }
    await sendForm(twilio.urls['voice-status'] as string, { ...leg, CallStatus: 'ringing' })
    await settled(twilio.id)
    await post(named[provider] ?? {})
    const [entry] = await settled(id)
    await sendForm(twilio.urls['voice-status'] as string, { ...leg, CallStatus: 'completed', CallDuration: '70' })
    const legs = await settled(twilio.id)
    expect([...legs, entry].filter(({ status }: any) => status === 'failed')).toEqual([])
    const call = await callOf(entry)
    expect(call).toMatchObject({ provider: 'twilio', providerCallId: CallSid, status: 'completed' })
    expect(call.externalRefs.map(({ system }: any) => system).toSorted()).toEqual([provider, 'twilio'].toSorted())
    expect(call.transcriptSegmentCount).toBe(2)
    // The other way round: the leg is told of after the report.
    const second = newSid('CA')
    const report = JSON.parse(
      JSON.stringify(named[provider])
        .replaceAll(CallSid, second)
        .replaceAll(/(vapi-|retell-|conv_)\d+/g, `$1${++reports}`),
    )
    await post(report)
    await settled(id)
    await sendForm(twilio.urls['voice-status'] as string, {
      ...leg,
      CallSid: second,
      CallStatus: 'completed',
      CallDuration: '9',
    })
    await settled(twilio.id)
    const found = (await api.get('/calls?limit=100')).body.data.filter(({ externalRefs }: any) =>
      externalRefs.some(({ externalId }: any) => externalId === second),
    )
    expect(found).toHaveLength(1)
  })
})

const factsOf = async (callId: string) => (await api.get(`/facts?sourceCallSessionId=${callId}`)).body.data

test('a report of Vapi brings transcript, summary, cost, recording and facts; keys of the customer are not kept', async () => {
  const files = await carrierFiles((_path, response) =>
    audio(response, 'the call', { 'content-type': 'binary/octet-stream' }),
  )
  const { id, post } = await connect('vapi')
  const report = vapiReport({ artifact: { recordingUrl: `${files.url}/call.wav` } })
  const callId = report.message.call.id
  await post({ message: { ...report.message, type: 'status-update', status: 'in-progress' } })
  const [begun] = await settled(id)
  expect(await callOf(begun)).toMatchObject({ status: 'in_progress', providerCallId: callId })
  await post(report)
  const [entry] = await settled(id)
  expect(JSON.stringify(entry)).not.toContain('a token of the customer')
  const call = await until(
    () => callOf(entry),
    ({ recordingStatus }) => recordingStatus === 'available',
  )
  expect(call).toMatchObject({
    status: 'completed',
    duration: 90,
    endReason: 'customer-ended-call',
    summary: 'The boiler leaks.',
    metadata: { cost: { usd: 0.1234 } },
    handledBy: { type: 'ai', agentName: 'Riley' },
  })
  expect(call.transcriptSegments).toMatchObject([
    { speaker: 'ai', text: 'Hello, this is Riley.', startMs: 500, endMs: 1_700 },
    { speaker: 'caller', text: 'My boiler leaks.', startMs: 2_500, endMs: 3_400 },
  ])
  const facts = (await factsOf(call.id)).filter(({ extractor }: any) => extractor === 'vapi')
  expect(facts.map(({ key, value, status }: any) => [key, value, status]).toSorted()).toEqual([
    ['rooms', 2, 'proposed'],
    ['urgency', 'high', 'proposed'],
  ])
})

test('Vapi may sign with an HMAC of time and body instead', async () => {
  const { post } = await connect('vapi')
  const report = vapiReport()
  const at = String(Math.floor(Date.now() / 1_000))
  const signed = (timestamp: string) => ({
    'x-signature': hmac(`${timestamp}.${JSON.stringify(report)}`),
    'x-timestamp': timestamp,
  })
  expect((await post(report, signed(at))).status).toBe(204)
  expect((await post(report, signed(String(Number(at) - 600)))).status).toBe(403)
  expect((await post(report, { ...signed(at), 'x-timestamp': String(Number(at) + 1) })).status).toBe(403)
})

test('the analysis of Retell adds to the call that it is of', async () => {
  const { id, post } = await connect('retell')
  const call = retellCall()
  await post({ event: 'call_started', call })
  expect(await callOf((await settled(id))[0])).toMatchObject({ status: 'in_progress' })
  await post({ event: 'call_ended', call: { ...call, ...retellEnd } })
  const call_analysis = {
    call_summary: 'Booked a room.',
    user_sentiment: 'Positive',
    custom_analysis_data: { guests: 2, breakfast: true },
  }
  await post({ event: 'call_analyzed', call: { ...call, ...retellEnd, call_analysis } })
  const entries = await settled(id)
  expect(entries.map(({ status }: any) => status)).toEqual(['processed', 'processed', 'processed'])
  const ended = await callOf(entries[0])
  expect(ended).toMatchObject({
    status: 'completed',
    duration: 61,
    summary: 'Booked a room.',
    sentiment: 'positive',
    endReason: 'user_hangup',
    metadata: { cost: { usd: 0.07 } },
    transcriptSegmentCount: 2,
  })
  const facts = (await factsOf(ended.id)).filter(({ extractor }: any) => extractor === 'retell')
  expect(facts.map(({ key, status }: any) => [key, status]).toSorted()).toEqual([
    ['breakfast', 'proposed'],
    ['guests', 'proposed'],
  ])
})

test('ElevenLabs tells why it believes a value, and its audio finds the call even when it comes first', async () => {
  const { id, post } = await connect('elevenlabs')
  const report = elevenLabsReport()
  const { conversation_id } = report.data
  const full_audio = Buffer.from('ID3 sound').toString('base64')
  await post({ type: 'post_call_audio', data: { agent_id: 'agent_1', conversation_id, full_audio } })
  await post(report)
  const entries = await settled(id)
  expect(entries.map(({ status }: any) => status)).toEqual(['processed', 'processed'])
  const call = await callOf(entries[0])
  expect(call).toMatchObject({ duration: 42, recordingStatus: 'available', metadata: { cost: { credits: 296 } } })
  const redirect = await api.get(new URL(call.recordingUrl).pathname.replace('/api/v1', ''))
  expect(await (await fetch(redirect.headers.get('location') ?? '')).text()).toBe('ID3 sound')
  const facts = (await factsOf(call.id)).filter(({ extractor }: any) => extractor === 'elevenlabs')
  expect(facts).toMatchObject([
    {
      key: 'moving_day',
      value: 'Friday',
      status: 'proposed',
      confidence: null,
      rationale: 'The caller said: I want to move on Friday.',
      evidence: [{ quote: 'The caller said: I want to move on Friday.' }],
    },
  ])
})

test('a value that does not fit its definition is left out, and the rest is kept', async () => {
  await api.post('/fact-definitions', { key: 'guests_count', valueType: 'number', subjectScope: 'person' })
  const { id, post } = await connect('retell')
  const call_analysis = { custom_analysis_data: { guests_count: 'two', late_arrival: true } }
  await post({ event: 'call_analyzed', call: { ...retellCall(), ...retellEnd, call_analysis } })
  const [entry] = await settled(id)
  expect(entry.status).toBe('processed')
  const facts = (await factsOf((await callOf(entry)).id)).filter(({ extractor }: any) => extractor === 'retell')
  expect(facts.map(({ key }: any) => key)).toEqual(['late_arrival'])
})

test('a web call, which has no numbers, is ignored with that reason', async () => {
  const { id, post } = await connect('retell')
  await post({ event: 'call_ended', call: { call_id: 'web-1', call_type: 'web_call' } })
  expect(await settled(id)).toMatchObject([
    { status: 'ignored', error: expect.stringContaining('no telephone numbers') },
  ])
})
