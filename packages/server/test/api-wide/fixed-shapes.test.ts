// Objects of fixed shape within a record: merged field by field, never half there, and always with all of their keys.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { type Client, type Service, startService } from '../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

let numbers = 0
const newCall = () => ({
  direction: 'inbound',
  from: `+1555010${String(++numbers).padStart(4, '0')}`,
  to: '+15559999999',
})
const nobody = { type: 'none', userId: null, agentName: null }
const said = {
  quote: 'said',
  callSessionId: null,
  segmentId: null,
  messageId: null,
  startMs: null,
  endMs: null,
  speaker: null,
}

describe('an object of fixed shape', () => {
  test('is merged field by field, and a null clears what may be null', async () => {
    const { body: call } = await api.post('/calls', {
      ...newCall(),
      handledBy: { type: 'ai', agentName: 'Front desk' },
    })
    expect(call.handledBy).toEqual({ type: 'ai', userId: null, agentName: 'Front desk' })
    const userId = randomUUID()
    const { body: named } = await api.patch(`/calls/${call.id}`, { handledBy: { userId } })
    expect(named.handledBy).toEqual({ type: 'ai', userId, agentName: 'Front desk' })
    const { body: cleared } = await api.patch(`/calls/${call.id}`, { handledBy: { agentName: null } })
    expect(cleared.handledBy).toEqual({ type: 'ai', userId, agentName: null })
  })

  test('refuses null for a field that cannot be null, and nothing is stored', async () => {
    const { body: call } = await api.post('/calls', newCall())
    const refused = await api.patch(`/calls/${call.id}`, { handledBy: { type: null } })
    expectRefusal(refused, 400, 'bad_request')
    expect(refused.body.error.details[0].path).toBe('handledBy.type')
    expect((await api.get(`/calls/${call.id}`)).body.handledBy).toEqual(nobody)
    const { body: number } = await api.post('/phone-numbers', { e164: '+15550107001', capabilities: { sms: false } })
    expectRefusal(await api.patch(`/phone-numbers/${number.id}`, { capabilities: { sms: null } }), 400, 'bad_request')
    expect((await api.get(`/phone-numbers/${number.id}`)).body.capabilities).toEqual({ voice: true, sms: false })
  })

  test('may be sent in part where the rest is known, and is refused by name where it is not', async () => {
    const { body: place } = await api.post('/locations', { addressLine1: '1 High Street' })
    const refused = await api.patch(`/locations/${place.id}`, { geo: { lat: 1 } })
    expectRefusal(refused, 400, 'bad_request')
    expect(refused.body.error.details).toEqual([{ path: 'geo.lng', message: 'is required', code: 'required' }])
    await api.patch(`/locations/${place.id}`, { geo: { lat: 1, lng: 2 } })
    expect((await api.patch(`/locations/${place.id}`, { geo: { lat: 3 } })).body.geo).toEqual({ lat: 3, lng: 2 })
    expect((await api.patch(`/locations/${place.id}`, { geo: null })).body.geo).toBeNull()
  })
})

test('items of a list are completed with the keys that were left out, and the list is replaced whole', async () => {
  const { body: fact } = await api.post('/facts', {
    subjectType: 'person',
    subjectId: randomUUID(),
    key: 'pets',
    value: 2,
    evidence: [{ quote: 'said' }],
  })
  expect(fact.evidence).toEqual([said])
  const { body: event } = await api.post('/signal-events', {
    kind: 'upset',
    confidence: 0.99,
    evidence: [{ quote: 'said' }],
  })
  expect(event.evidence).toEqual([said])
  const item = { description: 'Visit', quantity: 1, unitAmountCents: 100, amountCents: 100 }
  const { body: money } = await api.post('/money-records', {
    recordType: 'fee',
    amountCents: 100,
    lineItems: [item, item],
  })
  expect(
    (await api.patch(`/money-records/${money.id}`, { lineItems: [{ ...item, quantity: 2 }] })).body.lineItems,
  ).toEqual([{ ...item, quantity: 2 }])
  expectRefusal(await api.patch(`/money-records/${money.id}`, { lineItems: [{ quantity: 3 }] }), 400, 'bad_request')
  const { body: task } = await api.post('/tasks', { title: 'x', externalRefs: [{ system: 'crm', externalId: 'T-1' }] })
  expect(task.externalRefs).toEqual([{ system: 'crm', externalId: 'T-1', url: null }])
})

test('facts, a draft and signals that come with the end of a call are complete', async () => {
  const { body: call } = await api.post('/calls', newCall())
  const facts = [{ key: 'pets', value: 3, evidence: [{ quote: 'said' }] }]
  const ended = await api.post(`/calls/${call.id}/end`, {
    duration: 5,
    facts,
    signals: [{ kind: 'angry', confidence: 1, evidence: [{ quote: 'said' }] }],
  })
  expect(ended.status, ended.text).toBe(200)
  expect(ended.body.facts[0].evidence).toEqual([said])
  expect(ended.body.signals[0].evidence).toEqual([said])
})

test('a free-form object keeps its merge of one level, in which null removes a key', async () => {
  const { body: person } = await api.post('/people', { displayName: 'Ann', customFields: { a: 1, b: { c: 2, d: 3 } } })
  expect(
    (await api.patch(`/people/${person.id}`, { customFields: { a: null, b: { c: 4 } } })).body.customFields,
  ).toEqual({ b: { c: 4 } })
})

test('a subscription and the organization stay as they are when they are patched back whole', async () => {
  const { body: made } = await api.post('/webhooks', { url: 'https://example.com/hook' })
  for (const path of [`/webhooks/${made.id}`, '/organization']) {
    const { body: read } = await api.get(path)
    expect((await api.patch(path, read)).body).toEqual(read)
  }
})

test('a copy of an inferred fact definition that is patched back leaves it inferred', async () => {
  await api.post('/facts', { subjectType: 'person', subjectId: randomUUID(), key: 'shoe_size', value: 43 })
  const { body: definition } = (await api.get('/fact-definitions?key=shoe_size')).body.data.map((body: object) => ({
    body,
  }))[0]
  const back = await api.patch(`/fact-definitions/${definition.id}`, { ...definition, inferred: false })
  expect(back.body).toEqual({ ...definition, inferred: true, version: 1 })
})

test('a record from before is not changed by a patch that says nothing, and completed by one that does', async () => {
  const { body: call } = await api.post('/calls', newCall())
  await service.database.query(
    sql`update calls set shape = 0, record = replace(record::text, ${JSON.stringify(nobody)}, '{"agentName":"Old","type":"ai"}')::json where id = ${call.id}`,
  )
  expect((await api.patch(`/calls/${call.id}`, {})).body.version).toBe(1)
  expect((await api.patch(`/calls/${call.id}`, { summary: 'Short' })).body).toMatchObject({
    version: 2,
    handledBy: { type: 'ai', userId: null, agentName: 'Old' },
  })
})

test('rows from before are read complete: keys that were left out, and a type that was taken away', async () => {
  const evidence = [{ quote: 'said' }, { quote: 'again', speaker: 'caller' }]
  const { body: fact } = await api.post('/facts', {
    subjectType: 'person',
    subjectId: randomUUID(),
    key: 'cats',
    value: { evidence: 1 },
    evidence,
  })
  const { body: event } = await api.post('/signal-events', { kind: 'glad', confidence: 0.99, evidence })
  const { body: call } = await api.post('/calls', { ...newCall(), metadata: { handledBy: 'me' } })
  const [signal] = (await api.get('/signals?kind=glad')).body.data
  await service.database.withClient(async (client) => {
    for (const [table, { id }] of [
      ['facts', fact],
      ['signals', signal],
      ['signal_events', event],
    ] as const) {
      const text = `replace(record::text, $1, $2)::json`
      await client.query(`update ${table} set shape = 0, record = ${text} where id = $3`, [
        JSON.stringify(fact.evidence),
        JSON.stringify(evidence),
        id,
      ])
    }
    await client.query('update calls set shape = 0, record = replace(record::text, $1, $2)::json where id = $3', [
      JSON.stringify(nobody),
      '{"agentName":"Ana"}',
      call.id,
    ])
  })
  for (const [path, record] of [
    [`/facts/${fact.id}`, fact],
    [`/signals/${signal.id}`, signal],
    [`/signal-events/${event.id}`, event],
  ] as const) {
    expect((await api.get(path)).body).toEqual(record)
  }
  expect((await api.get(`/calls/${call.id}`)).body).toEqual({ ...call, handledBy: { ...nobody, agentName: 'Ana' } })
})
