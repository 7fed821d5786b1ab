// Calls over Twilio, from the ring to the voicemail: what TwiML the caller gets, and what the call becomes, whichever
// way and in whichever order the reports come.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audio, carrierFiles } from '../../support/carrier-files.js'
import { eventsOf } from '../../support/events.js'
import { accountSid, connectTwilio, newSid, sendForm, type TwilioConnection } from '../../support/providers/twilio.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'
import { authority } from '../../support/webhooks/sending.js'

let service: Service
let api: Client
let connection: TwilioConnection
let now = new Date('2026-11-16T15:00:00.000Z')
beforeAll(async () => {
  const env = {
    PARLEY_INBOUND_RETRY_DELAYS: '0s,0s,0s,0s,0s,0s',
    PARLEY_TWILIO_URL: 'https://127.0.0.1:1',
    PARLEY_RECORDING_ALLOW_NETWORKS: '127.0.0.0/8',
    PARLEY_RECORDING_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms,10ms',
  }
  // The clock stands on a Monday morning in New York, and moves on by itself so that ids are in order.
  const begun = Date.now()
  const clock = () => new Date(now.getTime() + (Date.now() - begun))
  service = await startService(env, { clock, delivery: { ca: authority.ca } })
  api = service.api
  connection = await connectTwilio(api)
})
afterAll(() => service.stop())

const caller = '+14155550300'
let lines = 0
/** A number of ours with this routing. */
async function numberWith(routing: object | null): Promise<string> {
  const e164 = `+1212555${String(1000 + lines++)}`
  const made = await api.post('/phone-numbers', { e164, integrationConnectionId: connection.id, routing })
  expect(made.status, made.text).toBe(201)
  return e164
}

type Fields = Record<string, string>

/** One call as Twilio reports it. */
function callTo(to: string, from = caller) {
  const CallSid = newSid('CA')
  const base = { CallSid, From: from, To: to, Direction: 'inbound' }
  const report = async (kind: string, fields: Fields) => {
    const answer = await sendForm(connection.urls[kind] as string, { ...base, ...fields })
    expect(answer.status).toBeLessThan(300)
    return answer.text()
  }
  return {
    CallSid,
    report,
    ring: () => report('voice', { CallStatus: 'ringing' }),
    status: (CallStatus: string, more: Fields = {}) => report('voice-status', { CallStatus, ...more }),
    dialled: (DialCallStatus: string, more: Fields = {}) =>
      report('dial-action', { CallStatus: 'in-progress', DialCallStatus, DialCallSid: newSid('CA'), ...more }),
  }
}

const log = async () => (await api.get(`/integration-connections/${connection.id}/inbound?limit=100`)).body.data

/** The call, once everything that was sent has been worked on. */
async function settledCall(CallSid: string): Promise<any> {
  const entries = await until(log, (all) =>
    all
      .filter(({ providerIds }: any) => [providerIds.CallSid, providerIds.ParentCallSid].includes(CallSid))
      .every(({ status }: any) => status !== 'pending'),
  )
  const failed = entries.filter(({ status }: any) => status === 'failed')
  expect(failed).toEqual([])
  const { data } = (await api.get(`/calls?q=${encodeURIComponent(caller)}&limit=100`)).body
  const { data: withheld } = (await api.get('/calls?limit=100')).body
  const found = [...data, ...withheld].find(({ providerCallId }: any) => providerCallId === CallSid)
  return found && (await api.get(`/calls/${found.id}`)).body
}

const eventsOfCall = async (id: string) =>
  (await eventsOf(service, api))
    .filter(({ data }: any) => data.callId === id || data.callSessionId === id)
    .map(({ type }) => type)

const forwarding = { forwardTo: ['+12125559001'], voicemail: true }

describe('what a caller hears', () => {
  test('on a number without routing: a short announcement and a hang-up, and the parent report counts', async () => {
    const call = callTo(await numberWith(null))
    const heard = await call.ring()
    expect(heard).toMatch(/<Response><Say>.+<\/Say><Hangup\/><\/Response>/)
    expect(heard).not.toContain('Record')
    await call.status('completed', { CallDuration: '4' })
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'completed', duration: 4, recordingStatus: 'none' })
  })

  test('on an unknown number of the account: the same, and the number is ours from then on', async () => {
    const to = '+12125558888'
    const call = callTo(to)
    await call.ring()
    const { phoneNumberId } = await settledCall(call.CallSid)
    expect((await api.get(`/phone-numbers/${phoneNumberId}`)).body).toMatchObject({ e164: to, autoCreated: true })
    const other = callTo('+12125558889')
    await other.status('completed', { CallDuration: '1' })
    expect(await settledCall(other.CallSid)).toMatchObject({ phoneNumberId: null })
  })

  test('with routing: the announcement, then everybody who may answer, with what is to be kept', async () => {
    const to = await numberWith({
      forwardTo: ['+12125559001', '+12125559002'],
      ringSeconds: 25,
      strategy: 'sequential',
      consentMessage: 'Calls may be "recorded" & kept',
      greeting: 'Welcome <friend>',
      record: true,
      transcribe: true,
    })
    const heard = await callTo(to).ring()
    expect(heard).toContain('<Say>Calls may be &quot;recorded&quot; &amp; kept</Say>')
    expect(heard).toContain('<Say>Welcome &lt;friend&gt;</Say>')
    expect(heard).toMatch(/<Start><Transcription [^>]*transcription"[^>]*track="both_tracks"\/><\/Start>/)
    expect(heard).toMatch(/<Dial action="[^"]*\/dial-action" method="POST" timeout="25"[^>]* sequential="true"/)
    expect(heard).toContain('record="record-from-answer-dual"')
    expect(heard.match(/<Number [^>]*>\+1212555900[12]<\/Number>/g)).toHaveLength(2)
  })

  test('outside the hours: voicemail, in the time zone of the hours, and never on a closed day', async () => {
    const weekly = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => ({ day, from: '09:00', to: '17:00' }))
    const hours = { timeZone: 'America/New_York', weekly, closed: ['2026-11-17'] }
    const to = await numberWith({ ...forwarding, hours })
    const at = async (instant: string) => {
      now = new Date(Date.parse(instant))
      return (await callTo(to).ring()).includes('<Dial') ? 'dial' : 'voicemail'
    }
    try {
      expect(await at('2026-11-16T14:05:00Z')).toBe('dial')
      expect(await at('2026-11-16T13:50:00Z')).toBe('voicemail')
      expect(await at('2026-11-16T22:05:00Z')).toBe('voicemail')
      expect(await at('2026-11-17T15:00:00Z')).toBe('voicemail')
      expect(await at('2026-11-21T15:00:00Z')).toBe('voicemail')
    } finally {
      now = new Date('2026-11-16T15:00:00.000Z')
    }
    const bad = await api.post('/phone-numbers', {
      e164: '+12125557777',
      routing: { hours: { ...hours, timeZone: 'Mars' } },
    })
    expect(bad.body.error.details[0].path).toBe('routing.hours.timeZone')
    const short = await api.post('/phone-numbers', { e164: '+12125557777', routing: { ringSeconds: 4 } })
    expect(short.body.error.details[0].path).toBe('routing.ringSeconds')
  })

  test('while the connection is paused: that nobody can take the call, which is worked on later', async () => {
    const paused = await connectTwilio(api, { status: 'paused' })
    const CallSid = newSid('CA')
    const to = await numberWith(forwarding)
    const heard = await sendForm(paused.urls['voice'] as string, {
      CallSid,
      From: caller,
      To: to,
      CallStatus: 'ringing',
    })
    expect(await heard.text()).toMatch(/<Say>.+<\/Say><Hangup\/>/)
    await api.patch(`/integration-connections/${paused.id}`, { status: 'active' })
    await until(
      async () => (await api.get(`/integration-connections/${paused.id}/inbound`)).body.data,
      ([entry]) => entry.status === 'processed',
    )
  })
})

describe('a call that is forwarded', () => {
  test('is answered when dial-action says so, with its duration, whatever the parent leg says', async () => {
    const call = callTo(await numberWith(forwarding))
    await call.ring()
    await call.status('in-progress')
    const ringing = await settledCall(call.CallSid)
    expect(ringing).toMatchObject({ status: 'ringing', answeredAt: null })
    const child = newSid('CA')
    await sendForm(connection.urls['voice-status'] as string, {
      CallSid: child,
      ParentCallSid: call.CallSid,
      From: caller,
      To: '+12125559001',
      Direction: 'outbound-dial',
      CallStatus: 'in-progress',
    })
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'in_progress' })
    expect(await call.dialled('completed', { DialCallDuration: '33' })).toContain('<Hangup/>')
    await call.status('completed', { CallDuration: '61' })
    const ended = await settledCall(call.CallSid)
    expect(ended).toMatchObject({ id: ringing.id, status: 'completed', duration: 33 })
    expect((await eventsOfCall(ended.id)).toSorted()).toEqual(['call.ended', 'call.started'])
    const legs = (await api.get('/calls?limit=100')).body.data
    expect(legs.some(({ providerCallId }: any) => providerCallId === child)).toBe(false)
  })

  test('and ends before its dial-action is heard of is still what dial-action says', async () => {
    const call = callTo(await numberWith(forwarding))
    await call.ring()
    await call.status('completed', { CallDuration: '50' })
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'ringing', endedAt: null })
    await call.dialled('completed', { DialCallDuration: '41' })
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'completed', duration: 41 })
    const missed = callTo(await numberWith(forwarding))
    await missed.ring()
    await missed.status('completed', { CallDuration: '20' })
    await missed.dialled('no-answer')
    expect(await settledCall(missed.CallSid)).toMatchObject({ status: 'missed', duration: 0 })
  })

  test('and that nobody answers is missed without voicemail', async () => {
    const call = callTo(await numberWith({ ...forwarding, voicemail: false }))
    await call.ring()
    expect(await call.dialled('busy')).not.toContain('<Record')
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'missed', endReason: 'busy', answeredAt: null })
  })

  test('keeps its recording, fetched with the credentials and played from a signed address', async () => {
    const files = await carrierFiles((_path, response, { headers }) =>
      headers.authorization ? audio(response, 'two voices') : void response.writeHead(401).end(),
    )
    const call = callTo(await numberWith({ ...forwarding, record: true }))
    await call.ring()
    await call.dialled('completed', { DialCallDuration: '9' })
    const RecordingSid = newSid('RE')
    await sendForm(connection.urls['recording'] as string, {
      CallSid: call.CallSid,
      RecordingSid,
      RecordingStatus: 'completed',
      RecordingSource: 'DialVerb',
      RecordingUrl: `${files.url}/2010-04-01/Accounts/${accountSid}/Recordings/${RecordingSid}`,
      RecordingDuration: '9',
    })
    const kept = await until(
      () => settledCall(call.CallSid),
      ({ recordingStatus }) => recordingStatus === 'available',
    )
    expect(files.asked.at(-1)).toMatch(/\.mp3$/)
    const redirect = await api.get(new URL(kept.recordingUrl).pathname.replace('/api/v1', ''))
    expect(redirect.status).toBe(302)
    expect(await (await fetch(redirect.headers.get('location') ?? '')).text()).toBe('two voices')
  })
})

describe('a voicemail', () => {
  async function leave(fields: Fields, more: { transcribe?: boolean } = {}) {
    const call = callTo(await numberWith({ ...forwarding, ...more }))
    await call.ring()
    expect(await call.dialled('no-answer')).toMatch(/<Record action="[^"]*\/voicemail"/)
    const RecordingSid = newSid('RE')
    await call.report('voicemail', { CallStatus: 'completed', RecordingSid, ...fields })
    return { call, RecordingSid }
  }

  test('is what the caller left: its call, its audio and its transcript, each once', async () => {
    const files = await carrierFiles((_path, response) => audio(response, 'please call back'))
    const RecordingUrl = `${files.url}/2010-04-01/Accounts/${accountSid}/Recordings/RE1`
    const { call, RecordingSid } = await leave({ RecordingUrl, RecordingDuration: '12' }, { transcribe: true })
    const recorded = { CallSid: call.CallSid, RecordingSid, RecordingUrl, RecordingDuration: '12' }
    for (let again = 0; again < 2; again++)
      await sendForm(connection.urls['recording'] as string, {
        ...recorded,
        RecordingStatus: 'completed',
        RecordingSource: 'RecordVerb',
      })
    await sendForm(connection.urls['transcription'] as string, {
      ...recorded,
      From: caller,
      TranscriptionSid: newSid('TR'),
      TranscriptionStatus: 'completed',
      TranscriptionText: 'Please call me back.',
    })
    await call.status('completed', { CallDuration: '40' })
    const ended = await settledCall(call.CallSid)
    expect(ended).toMatchObject({ status: 'voicemail', duration: 0, answeredAt: null })
    const voicemail = await until(
      async () => (await api.get(`/voicemails/${ended.voicemailId}`)).body,
      ({ recordingStatus }) => recordingStatus === 'available',
    )
    expect(voicemail).toMatchObject({
      callerNumber: caller,
      callSessionId: ended.id,
      durationSeconds: 12,
      transcript: 'Please call me back.',
    })
    expect(await (await fetch(voicemail.recordingUrl)).text()).toBe('please call back')
    const all = (await api.get('/voicemails?limit=100')).body.data
    expect(all.filter(({ callSessionId }: any) => callSessionId === ended.id)).toHaveLength(1)
    expect(await eventsOfCall(ended.id)).not.toContain('call.missed')
  })

  test('that is empty is a missed call', async () => {
    const { call } = await leave({ RecordingUrl: 'https://127.0.0.1:1/RE', RecordingDuration: '0' })
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'missed', voicemailId: null })
    const absent = callTo(await numberWith(forwarding))
    await absent.ring()
    await absent.dialled('no-answer')
    await sendForm(connection.urls['recording'] as string, {
      CallSid: absent.CallSid,
      RecordingSid: newSid('RE'),
      RecordingStatus: 'absent',
      RecordingSource: 'RecordVerb',
    })
    expect(await settledCall(absent.CallSid)).toMatchObject({ status: 'missed', voicemailId: null })
  })

  test('that is not left, because the caller hangs up before the tone, is a missed call', async () => {
    const call = callTo(await numberWith(forwarding))
    await call.ring()
    await call.dialled('no-answer')
    await call.status('completed', { CallDuration: '22' })
    expect(await settledCall(call.CallSid)).toMatchObject({ status: 'missed', duration: 0 })
  })
})

describe('who calls', () => {
  test('from a withheld number is nobody; from SIP or a client is told in the metadata', async () => {
    const to = await numberWith(null)
    for (const from of ['', '+266696687', 'Restricted', 'sip:desk@example.com', 'client:maria']) {
      const call = callTo(to, from)
      await call.ring()
      const made = await settledCall(call.CallSid)
      expect(made, from).toMatchObject({ from: null, fromWithheld: true, personId: null })
      if (from.includes(':')) expect(made.metadata).toMatchObject({ callerAddress: from })
    }
  })

  test('from one of our numbers makes an outbound call', async () => {
    const from = await numberWith(null)
    const CallSid = newSid('CA')
    await sendForm(connection.urls['voice-status'] as string, {
      CallSid,
      From: from,
      To: caller,
      Direction: 'outbound-api',
      CallStatus: 'busy',
    })
    expect(await settledCall(CallSid)).toMatchObject({ direction: 'outbound', status: 'failed', endReason: 'busy' })
  })
})

test('what is said appears on the surface while the call lasts', async () => {
  const call = callTo(await numberWith({ ...forwarding, transcribe: true }))
  await call.ring()
  const TranscriptionSid = newSid('GT')
  const say = (SequenceId: number, Track: string, transcript: string, more: Fields = {}) =>
    sendForm(connection.urls['transcription'] as string, {
      CallSid: call.CallSid,
      TranscriptionSid,
      TranscriptionEvent: 'transcription-content',
      SequenceId: String(SequenceId),
      Track,
      Timestamp: new Date(now.getTime() + 60_000 + SequenceId * 1_000).toISOString(),
      TranscriptionData: JSON.stringify({ transcript, confidence: 0.93 }),
      Final: 'true',
      ...more,
    })
  await say(1, 'inbound_track', 'x', { TranscriptionEvent: 'transcription-started' })
  await say(3, 'outbound_track', 'Northside Plumbing, how can I help?')
  await say(4, 'inbound_track', 'My sink', { Final: 'false' })
  await say(5, 'inbound_track', 'My sink leaks.')
  await say(5, 'inbound_track', 'My sink leaks.')
  const { id } = await settledCall(call.CallSid)
  const surface = (await api.get(`/calls/${id}/surface`)).body
  expect(surface.transcript.tail.map(({ speaker, text }: any) => [speaker, text])).toEqual([
    ['agent', 'Northside Plumbing, how can I help?'],
    ['caller', 'My sink leaks.'],
  ])
})
