// GET /quality/facts: what became of proposals, and what their confidence was worth.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
let personId: string
let callId: string
beforeAll(async () => {
  service = await startService()
  api = service.api
  const call = (await api.post('/calls', { direction: 'inbound', from: '+15550100201', to: '+15550109999' })).body
  personId = call.personId
  callId = call.id
})
afterAll(() => service.stop())

let values = 0
async function propose(key: string, extractor: string | null, confidence: number, more: object = {}): Promise<string> {
  values++
  const body = { subjectType: 'person', subjectId: personId, sourceCallSessionId: callId, source: 'call' }
  const answer = await api.post('/facts', { ...body, key, value: `value ${values}`, extractor, confidence, ...more })
  expect(answer.status).toBe(201)
  return answer.body.id
}
const confirm = async (id: string) => expect((await api.post(`/facts/${id}/confirm`)).status).toBe(200)
const reject = async (id: string) => expect((await api.post(`/facts/${id}/reject`)).status).toBe(200)
const quality = async (query: string) => (await api.get(`/quality/facts?${query}`)).body

test('proposals are counted by what became of them', async () => {
  await api.post('/fact-definitions', {
    key: 'hobby',
    valueType: 'string',
    subjectScope: 'person',
    cardinality: 'many',
  })
  await confirm(await propose('hobby', 'rules', 0.9))
  await reject(await propose('hobby', 'rules', 0.6))
  await propose('hobby', 'rules', 0.6)
  await confirm(await propose('hobby', 'model:m', 0.9))
  // Of one value only: the first gives way to the second, which somebody confirmed.
  await propose('car', 'rules', 0.7)
  await confirm(await propose('car', null, 1))
  const { groups, isTruncated } = await quality('groupBy=key,extractor')
  expect(isTruncated).toBe(false)
  const counts = groups.map(({ key, extractor, proposed, confirmed, edited, rejected, ignored }: any) => [
    key,
    extractor,
    { proposed, confirmed, edited, rejected, ignored },
  ])
  expect(counts).toHaveLength(4)
  expect(counts).toEqual(
    expect.arrayContaining([
      ['hobby', 'rules', { proposed: 3, confirmed: 1, edited: 0, rejected: 1, ignored: 1 }],
      ['hobby', 'model:m', { proposed: 1, confirmed: 1, edited: 0, rejected: 0, ignored: 0 }],
      ['car', 'rules', { proposed: 1, confirmed: 0, edited: 1, rejected: 0, ignored: 0 }],
      ['car', null, { proposed: 1, confirmed: 1, edited: 0, rejected: 0, ignored: 0 }],
    ]),
  )
  const byExtractor = await quality('groupBy=extractor')
  expect(byExtractor.groups[0]).toMatchObject({ key: null, extractor: 'rules', proposed: 4, precision: 0.333 })
  expect((await quality('')).groups).toHaveLength(1)
})

test('confidence is held against outcomes, and a threshold is suggested from it', async () => {
  await api.post('/fact-definitions', {
    key: 'taste',
    valueType: 'string',
    subjectScope: 'person',
    cardinality: 'many',
  })
  for (let index = 0; index < 20; index++) await confirm(await propose('taste', 'rules', 0.92))
  for (let index = 0; index < 5; index++) await reject(await propose('taste', 'rules', 0.72))
  await propose('taste', 'rules', 1)
  const [group] = (await quality('groupBy=key')).groups.filter(({ key }: any) => key === 'taste')
  const filled = group.calibration.filter(({ proposed }: any) => proposed > 0)
  expect(filled.map(({ from, to, proposed, precision }: any) => [from, to, proposed, precision])).toEqual([
    [0.7, 0.8, 5, 0],
    [0.9, 0.95, 20, 1],
    [0.95, 1, 1, null],
  ])
  expect(group.suggestedThreshold).toBe(0.92)
})

test('what a threshold confirmed, nobody has looked at', async () => {
  await api.post('/fact-definitions', {
    key: 'sure',
    valueType: 'string',
    subjectScope: 'person',
    autoConfirmThreshold: 0.5,
  })
  await propose('sure', 'rules', 0.9)
  const [group] = (await quality('groupBy=key')).groups.filter(({ key }: any) => key === 'sure')
  expect(group).toMatchObject({ proposed: 1, confirmed: 0, ignored: 1, precision: null, suggestedThreshold: null })
})

test('a period narrows it, another tenant sees nothing of it, and nonsense is refused', async () => {
  expect((await quality('until=2020-01-01T00:00:00Z')).groups).toEqual([])
  const { sandbox } = await service.organization('Another')
  expect((await sandbox.get('/quality/facts')).body.groups).toEqual([])
  expect((await api.get('/quality/facts?groupBy=colour')).status).toBe(400)
  expect((await api.get('/quality/facts?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z')).status).toBe(400)
})
