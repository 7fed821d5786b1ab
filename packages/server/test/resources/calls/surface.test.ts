import { readFileSync } from 'node:fs'
import { callSurface } from '@parley/contract'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSurface } from '../../../src/resources/calls/surface.js'
import { Reader } from '../../../src/store/reader.js'
import { countingDatabase } from '../../support/counting-database.js'
import { tenantOf } from '../../support/events.js'
import { brokenPromises } from '../../support/frozen-schema.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const check = Compile(callSurface)

async function begin(body: object = {}) {
  const { id, personId } = (
    await service.api.post('/calls', {
      direction: 'inbound',
      from: '+15550100300',
      to: '+15559999999',
      status: 'in_progress',
      ...body,
    })
  ).body
  return { id, personId, path: `/calls/${id}` }
}

async function surfaceOf(path: string) {
  const answer = await service.api.get(`${path}/surface`)
  expect(answer.status).toBe(200)
  expect(check.Errors(answer.body)).toEqual([])
  expect(answer.headers.get('etag')).toBe(`"${answer.body.revision}"`)
  return answer.body
}

describe('the surface of a call', () => {
  test('has everything about it', async () => {
    const { api } = service
    const { id, path, personId } = await begin()
    const segments = Array.from({ length: 25 }, (_, sequence) => ({
      sequence,
      speaker: 'caller',
      text: `line ${sequence}`,
      startMs: sequence,
    }))
    await api.post(`${path}/segments`, { segments })
    const customer = (await api.post('/customers', { displayName: 'Lee & Co' })).body
    const work = (await api.post('/work-records', { title: 'Roof', canonicalKind: 'job', customerId: customer.id }))
      .body
    await api.patch(path, { customerId: customer.id, workRecordId: work.id })
    const [fact] = (await api.post(`${path}/facts`, { facts: [{ key: 'roof_area', value: 80, confidence: 0.8 }] })).body
      .data
    const signal = { kind: 'upsell', confidence: 0.9, callSessionId: id }
    await api.post('/signal-events', signal)
    const draft = (
      await api.post('/drafts', { callSessionId: id, title: 'Repair the roof', payload: { pitch: 'steep' } })
    ).body
    const live = await surfaceOf(path)
    expect(live).toMatchObject({
      callId: id,
      organizationId: service.demo.id,
      live: true,
      call: { id, status: 'in_progress', transcriptStatus: 'live', transcriptSegmentCount: 25 },
      person: { id: personId },
      customer: { id: customer.id },
      workRecord: { id: work.id, number: work.number },
      draft: { id: draft.id, status: 'draft' },
      facts: [{ id: fact.id }],
      signals: [{ kind: 'upsell', callSessionId: id }],
      transcript: {
        status: 'live',
        segmentCount: 25,
        lastSequence: 24,
        segmentsUrl: `${service.url}/api/v1${path}/transcript`,
        streamUrl: `${service.url}/api/v1${path}/stream`,
      },
      summary: { text: null, status: 'pending' },
      recording: { status: 'none', url: null },
    })
    expect(live.transcript.tail.map(({ sequence }: any) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 5),
    )
    expect(live.draftFields).toEqual([
      {
        key: 'title',
        label: 'Title',
        value: 'Repair the roof',
        required: false,
        source: 'draft',
        factId: null,
        confidence: null,
        state: 'proposed',
      },
      {
        key: 'pitch',
        label: 'Pitch',
        value: 'steep',
        required: false,
        source: 'draft',
        factId: null,
        confidence: null,
        state: 'proposed',
      },
      {
        key: 'roof_area',
        label: 'Roof area',
        value: 80,
        required: false,
        source: 'fact',
        factId: fact.id,
        confidence: 0.8,
        state: 'proposed',
      },
    ])
    expect(live.events.map(({ type }: any) => type)).toEqual([
      'call.started',
      'fact.proposed',
      'signal.fired',
      'draft.created',
    ])
    const logged = (await api.get(`/events/${live.events[1].id}`)).body
    expect(live.events[1]).toEqual({ id: logged.eventId, type: logged.type, at: logged.occurredAt, data: logged.data })

    await api.post(`${path}/end`, { summary: 'A roof', recordingUrl: 'https://recordings.example/r.mp3' })
    const ended = await surfaceOf(path)
    expect(ended).toMatchObject({
      live: false,
      draft: { status: 'pending_review' },
      transcript: { status: 'available' },
      summary: { text: 'A roof', status: 'available' },
      recording: { status: 'available', url: 'https://recordings.example/r.mp3' },
    })
    expect(ended.events.at(-1).type).toBe('call.ended')
  })

  test('of a call nobody knows more about is whole too', async () => {
    const { path } = await begin({ status: 'ringing' })
    expect(await surfaceOf(path)).toMatchObject({
      customer: null,
      workRecord: null,
      draft: null,
      draftFields: [],
      facts: [],
      signals: [],
      transcript: { status: 'none', lastSequence: null },
    })
    await service.api.post(`${path}/end`, {})
    expect(await surfaceOf(path)).toMatchObject({ live: false, summary: { text: null, status: 'none' } })
  })

  test('says what is required and still missing', async () => {
    const admin = (await service.organization('Required')).sandbox
    const [definition] = (await admin.get('/work-type-definitions?canonicalKind=repair_order')).body.data
    await admin.patch(`/work-type-definitions/${definition.id}`, { requiredFields: ['vin', 'mileage'] })
    const call = (
      await admin.post('/calls', {
        direction: 'inbound',
        from: '+15550100301',
        to: '+15559999999',
        status: 'in_progress',
      })
    ).body
    await admin.post('/drafts', { callSessionId: call.id, canonicalKind: 'repair_order', payload: { mileage: 90_000 } })
    const { draftFields } = (await admin.get(`/calls/${call.id}/surface`)).body
    expect(draftFields.map(({ key, value, required, state }: any) => [key, value, required, state])).toEqual([
      ['vin', null, true, 'missing'],
      ['mileage', 90_000, true, 'proposed'],
    ])
  })

  test('of the voicemail that was left names its audio', async () => {
    const { id, path } = await begin({ status: 'ringing' })
    const voicemail = (await service.api.post('/voicemails', { callerNumber: '+15550100300', callSessionId: id })).body
    expect((await surfaceOf(path)).recording).toEqual({ status: 'none', url: null })
    await fetch(`${service.url}/api/v1/voicemails/${voicemail.id}/recording`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/wav' },
      body: 'RIFF',
    })
    expect((await surfaceOf(path)).recording).toEqual({
      status: 'available',
      url: `${service.url}/api/v1/voicemails/${voicemail.id}/recording`,
    })
  })

  test('is read in one statement, however much there is', async () => {
    const { id, path } = await begin()
    await service.api.post(`${path}/facts`, {
      facts: Array.from({ length: 50 }, (_, index) => ({ key: `k${index}`, value: index })),
    })
    const { database, count } = countingDatabase(service.database)
    await readSurface(new Reader(database, await tenantOf(service, service.api)), id, 'http://x', new Date())
    expect(count()).toBe(1)
  })

  test('of another tenant or of no call is not found', async () => {
    const { path } = await begin()
    expect((await service.demo.live.get(`${path}/surface`)).status).toBe(404)
    expect((await service.api.get('/calls/01900000-0000-7000-8000-000000000000/surface')).status).toBe(404)
  })
})

describe('its revision', () => {
  test('rises with every change of the call and of what it shows, and only then; unchanged, it is "not modified"', async () => {
    const { api } = service
    const { id, path, personId } = await begin()
    const customer = (await api.post('/customers', { displayName: 'One' })).body
    const other = (await api.post('/people', { displayName: 'Other' })).body
    for (let round = 0; round < 5; round++) await api.patch(`/people/${personId}`, { legalName: `Round ${round}` })
    const draft = (await api.post('/drafts', { callSessionId: id, payload: {} })).body
    let before = (await surfaceOf(path)).revision
    const changes: Record<string, () => Promise<{ status: number; body: any }>> = {
      'a segment': () =>
        api.post(`${path}/segments`, {
          segments: [{ sequence: 0, speaker: 'caller', text: 'x', startMs: 0, isFinal: false }],
        }),
      'a segment made final': () =>
        api.post(`${path}/segments`, { segments: [{ sequence: 0, speaker: 'caller', text: 'xy', startMs: 0 }] }),
      'a report': () => api.patch(path, { outcome: 'booked' }),
      'a fact': () => api.post(`${path}/facts`, { facts: [{ key: 'a', value: 1 }] }),
      'the same fact again': () => api.post(`${path}/facts`, { facts: [{ key: 'a', value: 1 }] }),
      'a fact confirmed': async () =>
        api.post(`/facts/${(await api.get(`/facts?sourceCallSessionId=${id}`)).body.data[0].id}/confirm`),
      'a signal': () => api.post('/signal-events', { kind: 'complaint', confidence: 0.9, callSessionId: id }),
      'a draft edited': () => api.patch(`/drafts/${draft.id}`, { title: 'New' }),
      'a voicemail': () => api.post('/voicemails', { callerNumber: '+15550100300', callSessionId: id }),
      'a note in the log': () =>
        api.post('/notes', { body: 'n', subjectType: 'person', subjectId: personId, callSessionId: id }),
      'its person changed': () => api.patch(`/people/${personId}`, { legalName: 'Changed' }),
      'another person, of a lower version': () => api.patch(path, { personId: other.id }),
      'a customer': () => api.patch(path, { customerId: customer.id }),
      'its customer changed': () => api.patch(`/customers/${customer.id}`, { displayName: 'Two' }),
      'its customer deleted': () => api.delete(`/customers/${customer.id}`),
      'the end': () => api.post(`${path}/end`, {}),
      'a late segment': () =>
        api.post(`${path}/segments`, { segments: [{ sequence: 1, speaker: 'agent', text: 'z', startMs: 9 }] }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const answer = await change()
      expect(answer.status, name).toBeLessThan(300)
      const stale = await api.get(`${path}/surface`, { 'if-none-match': `"${before}"` })
      expect(stale.status, name).toBe(200)
      expect(stale.body.revision, name).toBeGreaterThan(before)
      before = stale.body.revision
      expect(await api.get(`${path}/surface`, { 'if-none-match': `"${before}"` }), name).toMatchObject({
        status: 304,
        text: '',
      })
    }
    const still = [
      api.post(`${path}/segments`, { segments: [{ sequence: 1, speaker: 'agent', text: 'other', startMs: 9 }] }),
      api.post(`${path}/end`, { summary: 'again' }),
      api.patch(path, { status: 'ringing' }),
    ]
    await Promise.all(still)
    expect((await surfaceOf(path)).revision).toBe(before)
  })
})

describe('its shape is promised', () => {
  const frozen = JSON.parse(
    readFileSync(new URL('../../../../contract/call-surface.frozen.json', import.meta.url), 'utf8'),
  )
  const now = JSON.parse(JSON.stringify(callSurface))

  test('nothing but optional keys has been added since it was frozen', () => {
    expect(brokenPromises(frozen, now)).toEqual([])
  })

  test('any other change would be noticed', () => {
    const changed = (change: (schema: any) => void) => {
      const schema = structuredClone(now)
      change(schema)
      return brokenPromises(frozen, schema)
    }
    expect(changed((schema) => (schema.properties.mood = { type: 'string' }))).toEqual([])
    expect(changed((schema) => (schema.properties.call.properties.mood = { type: 'string' }))).toEqual([])
    expect(changed((schema) => schema.required.push('mood') && (schema.properties.mood = {}))).not.toEqual([])
    expect(changed((schema) => delete schema.properties.summary)).not.toEqual([])
    expect(changed((schema) => schema.properties.transcript.required.pop())).not.toEqual([])
    expect(changed((schema) => (schema.properties.revision.type = 'string'))).not.toEqual([])
    expect(changed((schema) => schema.properties.transcript.properties.status.enum.push('lost'))).not.toEqual([])
    expect(changed((schema) => (schema.additionalProperties = false))).not.toEqual([])
  })
})
