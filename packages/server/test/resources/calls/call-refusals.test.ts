import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { tenantOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
let call: { id: string; personId: string }
const absent = '01900000-0000-7000-8000-000000000000'

beforeAll(async () => {
  service = await startService()
  api = (await service.organization('Refusals')).sandbox
  call = (
    await api.post('/calls', { direction: 'inbound', from: '+15550100600', to: '+15559999999', status: 'in_progress' })
  ).body
})
afterAll(() => service.stop())

/** All that a tenant has: what a refused request must not change. */
async function holdings(): Promise<string> {
  const tenantId = await tenantOf(service, api)
  const tables = [
    'calls',
    'call_segments',
    'people',
    'facts',
    'fact_definitions',
    'drafts',
    'signals',
    'signal_events',
    'voicemails',
    'messages',
    'conversations',
    'events',
  ]
  const counts = await Promise.all(
    tables.map(async (table) => {
      const [row] = await service.database.query<{ count: number }>({
        parts: [`select count(*)::int as count from ${table} where tenant_id = `, ''],
        values: [tenantId],
      })
      return `${table} ${row?.count}`
    }),
  )
  const [activity] = await service.database.query(sql`select revision from call_activity where call_id = ${call.id}`)
  return `${counts.join(', ')}, revision ${activity?.['revision']}`
}

const segment = { sequence: 0, speaker: 'caller', text: 'x', startMs: 0 }
const newCall = { direction: 'inbound', from: '+15550100600', to: '+15559999999' }
const long = (length: number) => 'x'.repeat(length)

/** What is sent, and the field that is named for it. */
const refusals: readonly (readonly [method: 'post' | 'patch', path: string, body: unknown, field: string])[] = [
  ['post', '/calls', {}, 'direction'],
  ['post', '/calls', { ...newCall, direction: 'sideways' }, 'direction'],
  ['post', '/calls', { ...newCall, from: '015550155501' }, 'from'],
  ['post', '/calls', { ...newCall, to: 'desk' }, 'to'],
  ['post', '/calls', { ...newCall, status: 'completed' }, 'status'],
  ['post', '/calls', { ...newCall, status: 'asleep' }, 'status'],
  ['post', '/calls', { ...newCall, startedAt: '2026-02-30T00:00:00Z' }, 'startedAt'],
  ['post', '/calls', { ...newCall, startedAt: '2026-02-03' }, 'startedAt'],
  ['post', '/calls', { ...newCall, personId: '7' }, 'personId'],
  ['post', '/calls', { ...newCall, callerName: long(256) }, 'callerName'],
  ['post', '/calls', { ...newCall, metadata: [] }, 'metadata'],
  ['post', '/calls', { ...newCall, metadata: { big: long(70_000) } }, 'metadata'],
  ['post', '/calls', { ...newCall, handledBy: { type: 'dog' } }, 'handledBy.type'],
  ['post', '/calls', { ...newCall, providerCallId: ' ' }, 'providerCallId'],
  ['post', '/calls', { ...newCall, mood: 'good' }, 'mood'],
  ['patch', '/calls/{id}', { status: 'asleep' }, 'status'],
  ['patch', '/calls/{id}', { status: null }, 'status'],
  ['patch', '/calls/{id}', { answeredAt: 'noon' }, 'answeredAt'],
  ['patch', '/calls/{id}', { workRecordId: 'WR-1' }, 'workRecordId'],
  ['patch', '/calls/{id}', { recordingUrl: 'nowhere' }, 'recordingUrl'],
  ['patch', '/calls/{id}', { summary: long(20_001) }, 'summary'],
  ['patch', '/calls/{id}', { sentiment: long(65) }, 'sentiment'],
  ['patch', '/calls/{id}', { mood: 'good' }, 'mood'],
  ['post', '/calls/{id}/segments', {}, 'segments'],
  ['post', '/calls/{id}/segments', { segments: segment }, 'segments'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, text: long(8_001) }] }, 'segments[0].text'],
  [
    'post',
    '/calls/{id}/segments',
    { segments: Array.from({ length: 501 }, (_, sequence) => ({ ...segment, sequence })) },
    'segments',
  ],
  ['post', '/calls/{id}/segments', { segments: [segment, { ...segment, sequence: -1 }] }, 'segments[1].sequence'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, sequence: 1.5 }] }, 'segments[0].sequence'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, sequence: 2_147_483_648 }] }, 'segments[0].sequence'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, speaker: 'ghost' }] }, 'segments[0].speaker'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, startMs: -1 }] }, 'segments[0].startMs'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, startMs: 5, endMs: 4 }] }, 'segments[0].endMs'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, confidence: 1.01 }] }, 'segments[0].confidence'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, confidence: 'high' }] }, 'segments[0].confidence'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, text: undefined }] }, 'segments[0].text'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, mood: 'x' }] }, 'segments[0].mood'],
  ['post', '/calls/{id}/segments', { segments: [{ ...segment, text: 'nul \0 byte' }] }, 'segments[0].text'],
  ['post', '/calls/{id}/facts', { facts: [{ key: 'a' }] }, 'facts[0].value'],
  ['post', '/calls/{id}/facts', { facts: [{ key: 'a', value: 1, confidence: 1.01 }] }, 'facts[0].confidence'],
  ['post', '/calls/{id}/facts', { facts: [{ key: 'a', value: 1, status: 'promoted' }] }, 'facts[0].status'],
  ['post', '/calls/{id}/facts', { facts: [{ key: 'a', value: 1, subjectType: 'person' }] }, 'facts[0].subjectId'],
  [
    'post',
    '/calls/{id}/facts',
    { facts: [{ key: 'a', value: 1, subjectType: 'planet', subjectId: absent }] },
    'facts[0].subjectType',
  ],
  ['post', '/calls/{id}/end', { duration: -1 }, 'duration'],
  ['post', '/calls/{id}/end', { duration: 1.5 }, 'duration'],
  ['post', '/calls/{id}/end', { endedAt: '2026-02-30T00:00:00Z' }, 'endedAt'],
  ['post', '/calls/{id}/end', { endedAt: '2001-01-01T00:00:00Z' }, 'endedAt'],
  ['post', '/calls/{id}/end', { endReason: long(65) }, 'endReason'],
  ['post', '/calls/{id}/end', { transcript: 7 }, 'transcript'],
  ['post', '/calls/{id}/end', { transcript: 'Caller: hm\n'.repeat(5_001) }, 'transcript'],
  ['post', '/calls/{id}/end', { transcript: [{ ...segment, endMs: -2 }] }, 'transcript[0].endMs'],
  ['post', '/calls/{id}/end', { transcript: [{ ...segment, startMs: 9, endMs: 2 }] }, 'transcript[0].endMs'],
  [
    'post',
    '/calls/{id}/end',
    { facts: [{ key: 'a', value: 1, observedAt: '2999-01-01T00:00:00Z' }] },
    'facts[0].observedAt',
  ],
  ['post', '/calls/{id}/end', { signals: [{ kind: 'x', confidence: 2 }] }, 'signals[0].confidence'],
  ['post', '/calls/{id}/end', { draft: { canonicalKind: 'poem' } }, 'draft.canonicalKind'],
  ['post', '/calls/{id}/end', { draft: { confidence: -0.1 } }, 'draft.confidence'],
  ['post', '/calls/{id}/end', { status: 'completed' }, 'status'],
  ['post', '/voicemails', {}, 'callerNumber'],
  ['post', '/voicemails', { callerNumber: 'not a number' }, 'callerNumber'],
  ['post', '/voicemails', { callerNumber: '+15550100600', durationSeconds: -1 }, 'durationSeconds'],
  ['post', '/voicemails', { callerNumber: '+15550100600', callSessionId: 'x' }, 'callSessionId'],
  ['post', '/voicemails', { callerNumber: '+15550100600', transcript: long(20_001) }, 'transcript'],
]

describe('what is refused names the field, and nothing is written', () => {
  test.each(
    refusals.map(
      ([method, path, body, field]) =>
        [`${method} ${path} ${JSON.stringify(body)?.slice(0, 90)}`, field, method, path, body] as const,
    ),
  )('%s: %s', async (_name, field, method, path, body) => {
    const before = await holdings()
    const answer = await api[method](path.replace('{id}', call.id), body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
    expect(answer.body.error.details.map((issue: { path: string }) => issue.path)).toContain(field)
    expect(await holdings()).toBe(before)
  })

  test.each([
    'get /calls/{id}',
    'get /calls/{id}/transcript',
    'patch /calls/{id}',
    'post /calls/{id}/segments',
    'post /calls/{id}/facts',
    'post /calls/{id}/end',
  ])('%s of another tenant or of no call: 404', async (name) => {
    const [method = '', path = ''] = name.split(' ')
    const bodies: Record<string, object> = {
      '/calls/{id}/segments': { segments: [segment] },
      '/calls/{id}/facts': { facts: [{ key: 'a', value: 1 }] },
      '/calls/{id}': { summary: 'x' },
    }
    const body = method === 'get' ? undefined : (bodies[path] ?? {})
    const before = await holdings()
    expect((await service.api.request(method.toUpperCase(), path.replace('{id}', call.id), body)).status).toBe(404)
    for (const id of [absent, 'nonsense'])
      expect((await api.request(method.toUpperCase(), path.replace('{id}', id), body)).status).toBe(404)
    expect(await holdings()).toBe(before)
  })

  test('queries that mean nothing', async () => {
    for (const [query, field] of [
      ['status=asleep', 'status'],
      ['direction=up', 'direction'],
      ['personId=1', 'personId'],
      ['since=noon', 'since'],
      ['limit=0', 'limit'],
      ['mood=good', 'mood'],
    ]) {
      expect(await api.get(`/calls?${query}`)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: field }] } },
      })
    }
    for (const query of ['format=pdf', 'afterSequence=x', 'limit=0'])
      expect((await api.get(`/calls/${call.id}/transcript?${query}`)).status).toBe(400)
    for (const verb of ['PUT', 'DELETE']) expect((await api.request(verb, `/calls/${call.id}`)).status).toBe(405)
  })

  test('references are checked where the side is strict', async () => {
    const strict = (await service.organization('Strict')).sandbox
    await strict.patch('/organization', { settings: { strictReferences: true } })
    expect(await strict.post('/calls', { ...newCall, workRecordId: absent })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'workRecordId', code: 'reference' }] } },
    })
    const known = (await strict.post('/calls', newCall)).body
    expect(await strict.patch(`/calls/${known.id}`, { customerId: absent })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'customerId' }] } },
    })
    expect(await strict.post('/voicemails', { callerNumber: '+15550100600', callSessionId: absent })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'callSessionId' }] } },
    })
  })
})
