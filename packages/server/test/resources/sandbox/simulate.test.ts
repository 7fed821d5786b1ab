import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScriptName } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { scripts } from '../../../src/resources/sandbox/scripts.js'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-simulate-'))
  service = await startService({ PARLEY_DATA_DIR: dataDir })
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function simulate(api: Client, body: object) {
  const answer = await api.post('/sandbox/simulate', { speed: 200, ...body })
  expect(answer.status).toBe(202)
  return answer.body
}

const eventTypesOf = async (api: Client) => (await eventsOf(service, api)).map(({ type }) => type)
const ended = (api: Client, callId: string) =>
  until(
    async () => (await api.get(`/calls/${callId}`)).body,
    ({ endedAt }) => endedAt !== null,
  )

describe('a simulation', () => {
  test.each(Object.keys(scripts) as ScriptName[])(
    'of a full intake, %s: a person, a transcript, facts, signals, a draft for review, and their events',
    async (script) => {
      const api = (await service.organization(script)).sandbox
      const answer = await simulate(api, { scenario: 'full_intake', script })
      expect(answer).toEqual({ scenario: 'full_intake', callId: expect.any(String), smsId: null, voicemailId: null })
      const call = await ended(api, answer.callId)
      const { lines, callerName, from, summary, draft } = scripts[script]
      expect(call).toMatchObject({
        status: 'completed',
        from,
        callerName,
        summary,
        duration: lines.reduce((sum, { seconds }) => sum + seconds, 0),
        provider: 'sandbox',
      })
      expect(call.transcriptSegments.map(({ text, isFinal }: any) => [text, isFinal])).toEqual(
        lines.map(({ text }) => [text, true]),
      )
      const expected = lines.flatMap((line) =>
        'facts' in line ? (line.facts as readonly (readonly [string, unknown, number])[]) : [],
      )
      expect(call.facts.map(({ key, value }: any) => [key, value])).toEqual(
        expected.map(([key, value]) => [key, value]),
      )
      for (const fact of call.facts) {
        expect(fact).toMatchObject({
          status: 'proposed',
          subjectType: 'person',
          subjectId: call.personId,
          evidence: [{ callSessionId: call.id, speaker: 'caller' }],
        })
      }
      expect(call.signals).toHaveLength(1)
      expect(call.drafts).toMatchObject([
        {
          title: draft.title,
          canonicalKind: draft.canonicalKind,
          status: 'pending_review',
          factIds: call.facts.map(({ id }: any) => id),
        },
      ])
      expect((await api.get(`/people/${call.personId}`)).body).toMatchObject({
        displayName: callerName,
        primaryPhone: from,
      })
      const types = await eventTypesOf(api)
      expect(types.slice(0, 2)).toEqual(['person.created', 'call.started'])
      expect(types.slice(-2)).toEqual(['draft.created', 'call.ended'])
      expect(types.filter((type) => type === 'fact.proposed')).toHaveLength(call.facts.length)
      expect(types.filter((type) => type === 'signal.fired')).toHaveLength(1)
      const approved = await api.post(`/drafts/${call.drafts[0].id}/approve`)
      expect(approved).toMatchObject({ status: 200, body: { status: 'approved' } })
    },
  )

  test('of a call that is answered has its transcript and its end, and nothing more', async () => {
    const api = (await service.organization('Inbound')).sandbox
    const { callId } = await simulate(api, { scenario: 'inbound_call', script: 'tow' })
    expect(await ended(api, callId)).toMatchObject({
      status: 'completed',
      facts: [],
      drafts: [],
      signals: [],
      transcriptSegmentCount: scripts.tow.lines.length,
    })
    expect(await eventTypesOf(api)).toEqual(['person.created', 'call.started', 'call.ended'])
  })

  test('of a missed call, of a voicemail and of a text', async () => {
    const api = (await service.organization('Others')).sandbox
    const missed = await simulate(api, { scenario: 'missed_call' })
    expect(await ended(api, missed.callId)).toMatchObject({ status: 'missed', endReason: 'no_answer' })
    const voicemail = await simulate(api, { scenario: 'voicemail' })
    expect(await ended(api, voicemail.callId)).toMatchObject({
      status: 'voicemail',
      voicemailId: voicemail.voicemailId,
    })
    const { recordingUrl } = await until(
      async () => (await api.get(`/voicemails/${voicemail.voicemailId}`)).body,
      (read) => read.recordingUrl !== null,
    )
    const audio = await fetch(recordingUrl)
    expect(audio.headers.get('content-type')).toBe('audio/wav')
    expect(
      Buffer.from(await audio.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF')
    const text = await simulate(api, { scenario: 'inbound_sms', script: 'clinic_appointment' })
    expect(text).toMatchObject({ callId: null, voicemailId: null })
    expect((await api.get(`/sms/${text.smsId}`)).body).toMatchObject({
      direction: 'inbound',
      status: 'received',
      body: scripts.clinic_appointment.sms,
    })
    expect(await eventTypesOf(api)).toEqual([
      'person.created',
      'call.started',
      'call.missed',
      'call.started',
      'voicemail.received',
      'voicemail.updated',
      'person.created',
      'sms.received',
    ])
  })

  test('goes as fast as asked, and is played once under an idempotency key', async () => {
    const api = (await service.organization('Speed')).sandbox
    const send = () =>
      api.post('/sandbox/simulate', { scenario: 'missed_call', speed: 20 }, { 'idempotency-key': 'once' })
    const since = Date.now()
    const [first, second] = [await send(), await send()]
    expect(second.text).toBe(first.text)
    await ended(api, first.body.callId)
    // Twenty seconds of ringing, twenty times faster than life.
    expect(Date.now() - since).toBeGreaterThan(900)
    expect((await api.get('/calls')).body.data).toHaveLength(1)
  })

  test('is given up when the server stops: what was played stays, and is as if the caller had gone away', async () => {
    const own = await startService()
    const { callId } = (await own.api.post('/sandbox/simulate', { scenario: 'full_intake', speed: 4 })).body
    await until(
      async () => (await own.api.get(`/calls/${callId}`)).body,
      ({ facts }) => facts.length > 0,
    )
    const since = Date.now()
    await own.server.stop()
    // Requests under way get twelve seconds; a call that is played gets none of them.
    expect(Date.now() - since).toBeLessThan(12_000)
    const [left] =
      await own.database.query(sql`select a.is_live, a.segment_count, (select count(*)::int from call_segments s where s.call_id = a.call_id) as segments,
      (select count(*)::int from facts f where f.source_call_session_id = a.call_id) as facts, (select count(*)::int from events e where e.type = 'fact.proposed') as proposed
      from call_activity a where a.call_id = ${callId}`)
    expect(left).toMatchObject({ is_live: true, segment_count: left?.['segments'], proposed: left?.['facts'] })
    await own.stop().catch(() => undefined)
  })
})

test('an endpoint that is gone disables its subscription, by ADMIN keys alone, and says so', async () => {
  const { sandbox: api, live, id } = await service.organization('Gone')
  const { body: subscription } = await api.post('/webhooks', {
    url: 'https://example.com/hooks',
    eventTypes: ['webhook.disabled'],
  })
  const body = { scenario: 'webhook_gone', webhookId: subscription.id }
  const writer = await service.keyOf(id, 'sandbox', 'WRITE')
  expect(await writer.post('/sandbox/simulate', body)).toMatchObject({
    status: 403,
    body: { error: { details: { requiredScope: 'ADMIN' } } },
  })
  expect(await live.post('/sandbox/simulate', body)).toMatchObject({ status: 403 })
  expect(await simulate(api, body)).toMatchObject({ scenario: 'webhook_gone', callId: null })
  expect((await api.get(`/webhooks/${subscription.id}`)).body).toMatchObject({
    status: 'disabled',
    disabledReason: 'gone',
  })
  const [event] = await eventsOf(service, api)
  expect(event).toMatchObject({
    type: 'webhook.disabled',
    data: { subscriptionId: subscription.id, url: 'https://example.com/hooks', reason: 'gone' },
  })
  for (const webhookId of [undefined, subscription.id, service.demo.id])
    expect(await api.post('/sandbox/simulate', { scenario: 'webhook_gone', webhookId })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'webhookId' }] } },
    })
})

test('is for the sandbox only, and knows its scenarios and scripts', async () => {
  const { api, demo } = service
  expect(await demo.live.post('/sandbox/simulate', { scenario: 'inbound_call' })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  const reader = await service.keyOf(demo.id, 'sandbox', 'READ')
  expect(await reader.post('/sandbox/simulate', { scenario: 'inbound_call' })).toMatchObject({
    status: 403,
    body: { error: { details: { requiredScope: 'WRITE' } } },
  })
  for (const [body, path] of [
    [{ scenario: 'earthquake' }, 'scenario'],
    [{}, 'scenario'],
    [{ scenario: 'inbound_call', script: 'hamlet' }, 'script'],
    [{ scenario: 'inbound_call', speed: 0 }, 'speed'],
    [{ scenario: 'inbound_call', speed: 'fast' }, 'speed'],
    [{ scenario: 'inbound_call', mood: 'good' }, 'mood'],
  ] as const) {
    expect(await api.post('/sandbox/simulate', body), path).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', details: [{ path }] } },
    })
  }
  expect((await api.get('/calls')).body.data).toEqual([])
})
