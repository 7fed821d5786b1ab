// A voicemail and its call: how the call ends when somebody spoke to the machine, and how the two find each other when
// they are reported apart.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const numbers = { from: '+15550107101', to: '+15559999999' }
const left = { callerNumber: numbers.from, to: numbers.to, transcript: 'Please call me back' }
const absent = '01900000-0000-7000-8000-000000000000'

const begin = async (api: Client = service.api) => (await api.post('/calls', { direction: 'inbound', ...numbers })).body
const callOf = async (id: string, api: Client = service.api) => (await api.get(`/calls/${id}`)).body
const typesOfCall = async (id: string) =>
  (await eventsOf(service, service.api))
    .filter(({ data }) => [data.callId, data.callSessionId].includes(id))
    .map(({ type }) => type)

describe('a call with a voicemail', () => {
  test('ends as a voicemail, however long the caller spoke', async () => {
    const call = await begin()
    await service.api.post('/voicemails', { ...left, callSessionId: call.id })
    const ended = await service.api.post(`/calls/${call.id}/end`, { duration: 42 })
    expect(ended.body).toMatchObject({ status: 'voicemail', answeredAt: null, endedAt: expect.any(String) })
    expect(await typesOfCall(call.id)).toEqual(['call.started', 'voicemail.received'])
  })

  test.each(['missed', 'canceled', 'failed', 'completed', 'voicemail'])(
    'ends as a voicemail when %s is reported',
    async (status) => {
      const api = (await service.organization(`Ends by ${status}`)).sandbox
      const call = await begin(api)
      const voicemail = (await api.post('/voicemails', { ...left, callSessionId: call.id })).body
      const reported = await api.patch(`/calls/${call.id}`, { status, outcome: 'noted' })
      const asEnded = {
        status: 'voicemail',
        endedAt: expect.any(String),
        answeredAt: null,
        duration: 0,
        outcome: 'noted',
        voicemailId: voicemail.id,
      }
      expect(reported).toMatchObject({ status: 200, body: asEnded })
      expect(await callOf(call.id, api)).toEqual(reported.body)
      expect((await eventsOf(service, api)).map(({ type }) => type)).toEqual([
        'person.created',
        'call.started',
        'voicemail.received',
      ])
      expect((await api.get('/messages')).body.data).toHaveLength(2)
      expect((await api.post(`/calls/${call.id}/end`, {})).body).toEqual(reported.body)
    },
  )

  test('goes on while an open status comes late', async () => {
    const call = await begin()
    await service.api.post('/voicemails', { ...left, callSessionId: call.id })
    for (const status of ['ringing', 'in_progress']) {
      expect((await service.api.patch(`/calls/${call.id}`, { status })).body).toMatchObject({
        status: 'voicemail',
        endedAt: null,
      })
    }
  })
})

describe('a voicemail that is sent again under its external reference', () => {
  const refs = (externalId: string) => ({ externalRefs: [{ system: 'pbx', externalId }] })

  test('finds the call that it names only now', async () => {
    const call = await begin()
    const first = (await service.api.post('/voicemails', { ...left, ...refs('late-call') })).body
    expect(first.callSessionId).toBeNull()
    const again = await service.api.post('/voicemails', { ...left, ...refs('late-call'), callSessionId: call.id })
    expect(again).toMatchObject({ status: 200, body: { id: first.id, callSessionId: call.id, version: 2 } })
    expect(await callOf(call.id)).toMatchObject({ status: 'voicemail', voicemailId: first.id, endedAt: null })
    expect((await service.api.post(`/calls/${call.id}/end`, {})).body.status).toBe('voicemail')
    expect(await typesOfCall(call.id)).toEqual(['call.started', 'voicemail.updated'])
  })

  test('takes its message along: the transcript and the call that came later', async () => {
    const call = await begin()
    const { transcript: _, ...bare } = left as Record<string, unknown>
    const { id } = (await service.api.post('/voicemails', { ...bare, ...refs('later') })).body
    const messageOf = async () =>
      (await service.api.get('/messages?limit=100')).body.data.filter(
        (one: { voicemailId: string }) => one.voicemailId === id,
      )
    expect(await messageOf()).toMatchObject([{ body: '', callSessionId: null, version: 1 }])
    const sent = { ...bare, ...refs('later'), transcript: 'It leaks again', callSessionId: call.id }
    for (let times = 0; times < 2; times++) {
      expect((await service.api.post('/voicemails', sent)).status).toBe(200)
      expect(await messageOf()).toMatchObject([{ body: 'It leaks again', callSessionId: call.id, version: 2 }])
    }
  })

  test('leaves a call its first voicemail', async () => {
    const call = await begin()
    const first = (await service.api.post('/voicemails', { ...left, callSessionId: call.id })).body
    await service.api.post('/voicemails', { ...left, ...refs('second') })
    expect((await service.api.post('/voicemails', { ...left, ...refs('second'), callSessionId: call.id })).status).toBe(
      200,
    )
    expect((await callOf(call.id)).voicemailId).toBe(first.id)
  })

  test('unchanged, changes nothing: neither itself nor its call', async () => {
    const call = await begin()
    const sent = { ...left, ...refs('same'), to: null, callSessionId: call.id }
    const first = (await service.api.post('/voicemails', sent)).body
    expect(first).toMatchObject({ to: call.to, version: 1 })
    const before = await callOf(call.id)
    const again = await service.api.post('/voicemails', sent)
    expect(again).toMatchObject({ status: 200, body: first })
    expect((await service.api.get(`/voicemails/${first.id}`)).body).toEqual(first)
    expect(await callOf(call.id)).toEqual(before)
  })

  test('must name what exists where the side is strict', async () => {
    const api = (await service.organization('Strict voicemails')).sandbox
    await api.patch('/organization', { settings: { strictReferences: true } })
    const first = (await api.post('/voicemails', { ...left, ...refs('strict') })).body
    const refused = await api.post('/voicemails', { ...left, ...refs('strict'), callSessionId: absent })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'callSessionId', code: 'reference' }] } },
    })
    expect((await api.get(`/voicemails/${first.id}`)).body).toEqual(first)
  })
})
