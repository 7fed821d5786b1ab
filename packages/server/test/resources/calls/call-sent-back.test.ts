// Whatever was read of a call may be sent back: late, whole, or inside another body. It must not undo what was learned
// since.
import { annotationsOf, drafts, type Entity, facts, fieldsOf, signalEvents } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { eventsOf } from '../../support/events.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
let numbers = 0
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

async function begin(body: object = {}) {
  const from = `+1555${String(++numbers).padStart(7, '0')}`
  const made = await service.api.post('/calls', { direction: 'inbound', from, to: '+15559999999', ...body })
  expect(made.status).toBe(201)
  return made.body
}

const typesOfCall = async (id: string) =>
  (await eventsOf(service, service.api)).filter(({ data }) => data.callId === id).map(({ type }) => type)

describe('an answered call', () => {
  test.each(['patch', 'post'] as const)(
    'stays answered when a copy from before the answer comes back by %s',
    async (method) => {
      const { api } = service
      const stale = await begin({ providerCallId: `CA-${method}` })
      const answered = (await api.patch(`/calls/${stale.id}`, { status: 'in_progress' })).body
      const late =
        method === 'patch'
          ? await api.patch(`/calls/${stale.id}`, { ...stale, outcome: 'noted' })
          : await api.post('/calls', { ...stale, status: 'ringing', outcome: 'noted' })
      expect(late).toMatchObject({
        status: 200,
        body: { status: 'in_progress', answeredAt: answered.answeredAt, outcome: 'noted' },
      })
      const ended = (await api.post(`/calls/${stale.id}/end`, {})).body
      expect(ended).toMatchObject({ status: 'completed', answeredAt: answered.answeredAt })
      expect(await typesOfCall(stale.id)).toEqual(['call.started', 'call.ended'])
    },
  )

  test('was answered by its status alone, also when its record has lost the time of the answer', async () => {
    const { api } = service
    for (const [end, answeredAt, duration] of [
      [{ endedAt: '2026-03-01T09:10:00Z' }, '2026-03-01T09:10:00.000Z', 0],
      [{ endedAt: '2026-03-01T09:10:00Z', duration: 30 }, '2026-03-01T09:09:30.000Z', 30],
    ] as const) {
      const call = await begin({ status: 'in_progress', startedAt: '2026-03-01T09:00:00Z' })
      await service.database.query(
        sql`update calls set record = jsonb_set(record::jsonb, '{answeredAt}', 'null')::json where id = ${call.id}`,
      )
      expect((await api.post(`/calls/${call.id}/end`, end)).body).toMatchObject({
        status: 'completed',
        answeredAt,
        duration,
      })
      expect(await typesOfCall(call.id)).toEqual(['call.started', 'call.ended'])
    }
  })
})

describe('what the service sets is ignored inside another body too', () => {
  const readOnlyOf = (entity: Entity): string[] =>
    Object.keys(fieldsOf(entity)).filter((name) => annotationsOf(fieldsOf(entity)[name] ?? {}).readOnly)
  /** Every read-only field, with a value that no record may take over. */
  const nonsense = (entity: Entity) => Object.fromEntries(readOnlyOf(entity).map((name) => [name, 'nonsense']))

  test('in the facts of a call', async () => {
    const call = await begin({ status: 'in_progress' })
    const sent = await service.api.post(`/calls/${call.id}/facts`, {
      facts: [{ ...nonsense(facts), key: 'roof_area', value: 80 }],
    })
    expect(sent.status, sent.text).toBe(200)
    const [fact] = sent.body.data
    expect(fact).toMatchObject({
      key: 'roof_area',
      value: 80,
      valueType: 'number',
      status: 'proposed',
      confirmedAt: null,
      promotedAt: null,
      version: 1,
    })
    expect(JSON.stringify(fact)).not.toContain('nonsense')
    const again = await service.api.post(`/calls/${call.id}/facts`, { facts: [fact] })
    expect(again).toMatchObject({ status: 200, body: { data: [{ id: fact.id, corroborationCount: 1 }] } })
  })

  test('in the facts, the draft and the signals of an end', async () => {
    const call = await begin({ status: 'in_progress' })
    const ended = await service.api.post(`/calls/${call.id}/end`, {
      facts: [{ ...nonsense(facts), key: 'budget', value: 100 }],
      draft: { ...nonsense(drafts), title: 'Fix the roof' },
      signals: [{ ...nonsense(signalEvents), kind: 'upsell', confidence: 0.9 }],
    })
    expect(ended.status, ended.text).toBe(200)
    expect(ended.body).toMatchObject({
      facts: [{ key: 'budget', status: 'proposed', confirmedAt: null }],
      drafts: [{ title: 'Fix the roof', status: 'pending_review', workRecordId: null, approvedAt: null }],
      signals: [{ kind: 'upsell' }],
    })
    expect(JSON.stringify([ended.body.facts, ended.body.drafts, ended.body.signals])).not.toContain('nonsense')
  })

  test('and what nobody knows is still refused by its name, even behind all of them', async () => {
    const call = await begin({ status: 'in_progress' })
    for (const [path, body, field] of [
      ['facts', { facts: [{ key: 'a', value: 1, ...nonsense(facts), mood: 'good' }] }, 'facts[0].mood'],
      ['end', { facts: [{ key: 'a', value: 1, ...nonsense(facts), mood: 'good' }] }, 'facts[0].mood'],
      ['end', { draft: { ...nonsense(drafts), mood: 'good' } }, 'draft.mood'],
      ['end', { signals: [{ kind: 'a', confidence: 1, ...nonsense(signalEvents), mood: 'good' }] }, 'signals[0].mood'],
      ['end', { draft: { identity: 1 } }, 'draft.identity'],
    ] as const) {
      const refused = await service.api.post(`/calls/${call.id}/${path}`, body)
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: field, code: 'unknown_field' }] } },
      })
    }
    expect((await service.api.get(`/calls/${call.id}`)).body).toMatchObject({ endedAt: null, facts: [] })
  })
})
