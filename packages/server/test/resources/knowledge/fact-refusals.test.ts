import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFact, rowCounts } from '../../support/captured.js'
import { type Client, type Service, startService } from '../../support/service.js'

const now = new Date('2026-05-05T12:00:00Z')
let service: Service
let api: Client
beforeAll(async () => {
  service = await startService({}, { clock: () => now })
  api = service.api
  for (const [key, more] of Object.entries({
    size: { valueType: 'enum', enumValues: ['S', 'M'] },
    born: { valueType: 'date' },
    of_company: { subjectScope: 'company' },
  })) {
    await api.post('/fact-definitions', { key, valueType: 'string', subjectScope: 'polymorphic', ...more })
  }
  await api.post('/facts', aFact({ key: 'inferred', value: 5 }))
})
afterAll(() => service.stop())

const deep = (levels: number): unknown => (levels === 0 ? 1 : { below: deep(levels - 1) })

const cases: [string, object, string][] = [
  ['no subject', { subjectType: undefined, subjectId: undefined }, 'subjectType'],
  ['no subject id', { subjectId: undefined }, 'subjectId'],
  ['no subject type', { subjectType: undefined }, 'subjectType'],
  ['an unknown subject type', { subjectType: 'planet' }, 'subjectType'],
  ['a subject id that is no UUID', { subjectId: '17' }, 'subjectId'],
  ['no key', { key: undefined }, 'key'],
  ['a blank key', { key: '  ' }, 'key'],
  ['a key of 256 characters', { key: 'k'.repeat(256) }, 'key'],
  ['no value', { value: undefined }, 'value'],
  ['null for a value of no known type', { value: null }, 'value'],
  ['a confidence of 1.01', { confidence: 1.01 }, 'confidence'],
  ['a negative confidence', { confidence: -0.01 }, 'confidence'],
  ['a confidence in words', { confidence: 'high' }, 'confidence'],
  ['a status that is reached by a move', { status: 'promoted' }, 'status'],
  ['a status of its own', { status: 'maybe' }, 'status'],
  ['an unknown source', { source: 'dream' }, 'source'],
  ['a call that is no UUID', { sourceCallSessionId: 'c1' }, 'sourceCallSessionId'],
  ['an observation more than five minutes ahead', { observedAt: '2026-05-05T12:05:00.001Z' }, 'observedAt'],
  ['an observation without a time', { observedAt: '2026-05-05' }, 'observedAt'],
  ['a day that is not', { key: 'born', value: '2026-02-30' }, 'value'],
  ['a value that is not in the enum', { key: 'size', value: 'XL' }, 'value'],
  ['a subject outside the scope', { key: 'of_company' }, 'subjectType'],
  ['a type that contradicts the inferred one', { key: 'inferred', value: '5' }, 'value'],
  ['a value of more than 64 KiB', { value: 'x'.repeat(70_000) }, 'value'],
  ['a value nested too deep', { value: deep(11) }, 'value'],
  ['evidence without a quote', { evidence: [{ startMs: 1 }] }, 'evidence[0].quote'],
  ['evidence from before the call', { evidence: [{ quote: 'x', startMs: -1 }] }, 'evidence[0].startMs'],
  ['too much evidence', { evidence: Array.from({ length: 51 }, () => ({ quote: 'x' })) }, 'evidence'],
  ['an unknown field', { colour: 'red' }, 'colour'],
  ['an external reference without an id', { externalRefs: [{ system: 'crm' }] }, 'externalRefs[0].externalId'],
]

describe('what is wrong with a fact is refused by name, and nothing is written', () => {
  test.each(cases)('%s', async (_, values, path) => {
    const before = await rowCounts(service)
    const refused = await api.post('/facts', aFact(values))
    expect([refused.status, refused.body.error.code, refused.body.error.details[0].path]).toEqual([
      400,
      'bad_request',
      path,
    ])
    expect(await rowCounts(service)).toEqual(before)
  })
})

test('a number too large to be exact is refused, however it is written', async () => {
  const before = await rowCounts(service)
  for (const number of ['1e400', '9007199254740992', '-1e308']) {
    const body = JSON.stringify(aFact()).replace('"blue"', number)
    expect([number, (await api.post('/facts', body)).status]).toEqual([number, 400])
  }
  expect(await rowCounts(service)).toEqual(before)
})

test('five minutes ahead is still now', async () => {
  expect((await api.post('/facts', aFact({ observedAt: '2026-05-05T12:05:00Z' }))).status).toBe(201)
})

test('a body that is not there, and one where none belongs', async () => {
  expect((await api.post('/facts')).status).toBe(400)
  const { id } = (await api.post('/facts', aFact())).body
  expect((await api.post(`/facts/${id}/confirm`, { status: 'confirmed' })).status).toBe(400)
  expect((await api.post(`/facts/${id}/confirm`, {})).status).toBe(200)
})

test('a key that may only read captures and decides nothing', async () => {
  const reader = await service.keyOf(service.demo.id, 'sandbox', 'READ')
  const { id } = (await api.post('/facts', aFact())).body
  const before = await rowCounts(service)
  for (const path of [
    '/facts',
    `/facts/${id}/confirm`,
    `/facts/${id}/reject`,
    `/facts/${id}/promote`,
    '/fact-definitions',
  ]) {
    expect([path, (await reader.post(path, {})).status]).toEqual([path, 403])
  }
  expect((await reader.get(`/facts/${id}`)).status).toBe(200)
  expect(await rowCounts(service)).toEqual(before)
})

test('facts are neither edited nor deleted', async () => {
  const { id } = (await api.post('/facts', aFact())).body
  for (const method of ['PATCH', 'PUT', 'DELETE']) {
    const refused = await api.request(method, `/facts/${id}`, method === 'DELETE' ? undefined : { value: 'green' })
    expect([method, refused.status, refused.headers.get('allow')]).toEqual([
      method,
      405,
      expect.stringContaining('GET'),
    ])
  }
})

test('a key under which a fact was captured answers the same again, and confirms nothing twice', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const fact = aFact({ sourceCallSessionId: randomUUID() })
  const first = await api.post('/facts', fact, headers)
  const replay = await api.post('/facts', fact, headers)
  expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true'])
  expect((await api.get(`/facts/${first.body.id}`)).body.corroborationCount).toBe(0)
})
