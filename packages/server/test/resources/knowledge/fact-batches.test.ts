import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson, plantCall, rowCounts } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const callOf = async () => {
  const { id: personId } = await makePerson(api)
  return plantCall(service, api, { personId })
}
const typesAbout = async (factId: string) =>
  (await eventsOf(service, api)).filter(({ data }) => data.factId === factId).map(({ type }) => type)

test('facts of one request share a definition that does not exist yet', async () => {
  const call = await callOf()
  const key = `pet_${randomUUID()}`
  const { status, body } = await api.post(`/calls/${call.id}/facts`, {
    facts: ['cat', 'dog', 'fish'].map((value) => ({ key, value })),
  })
  expect([status, body.data.map((fact: any) => [fact.value, fact.subjectId, fact.source])]).toEqual([
    200,
    ['cat', 'dog', 'fish'].map((value) => [value, call.personId, 'call']),
  ])
  expect((await api.get(`/fact-definitions?key=${key}`)).body.data).toHaveLength(1)
})

test('the same value twice in one request is one fact, corroborated once', async () => {
  const call = await callOf()
  const { body } = await api.post(`/calls/${call.id}/facts`, {
    facts: [
      { key: 'car', value: 'Volvo' },
      { key: 'car', value: 'Volvo' },
    ],
  })
  expect(body.data).toHaveLength(2)
  expect(body.data[0]).toEqual(body.data[1])
  expect(body.data[0]).toMatchObject({ corroborationCount: 1, version: 1 })
  expect((await api.get(`/facts?sourceCallSessionId=${call.id}`)).body.data).toEqual([body.data[0]])
})

test('confirmed facts of one slot in one request leave the last one standing', async () => {
  const call = await callOf()
  const key = `plan_${randomUUID()}`
  const facts = ['a', 'b', 'c'].map((value) => ({ key, value, status: 'confirmed' }))
  const { body } = await api.post(`/calls/${call.id}/facts`, { facts })
  const [a, b, c] = body.data
  expect([a, b, c]).toMatchObject([
    { status: 'superseded', supersededById: b.id, version: 1 },
    { status: 'superseded', supersededById: c.id, version: 1 },
    { status: 'confirmed', supersededById: null, version: 1 },
  ])
  expect(await typesAbout(a.id)).toEqual(['fact.confirmed', 'fact.superseded'])
  expect(await typesAbout(c.id)).toEqual(['fact.confirmed'])
})

test('one fact that is wrong refuses them all, and says which', async () => {
  const call = await callOf()
  await api.post('/fact-definitions', { key: 'rooms', valueType: 'number', subjectScope: 'person' })
  const before = await rowCounts(service)
  const cases: [object, string][] = [
    [{ key: 'rooms', value: 'two' }, 'facts[1].value'],
    [{ key: 'rooms', value: 2, subjectType: 'company', subjectId: randomUUID() }, 'facts[1].subjectType'],
    [{ key: 'rooms', value: 2, subjectType: 'person' }, 'facts[1].subjectId'],
    [{ key: 'rooms', value: 2, confidence: 1.01 }, 'facts[1].confidence'],
    [{ key: 'rooms', value: 2, status: 'promoted' }, 'facts[1].status'],
    [{ key: 'rooms', value: 2, observedAt: new Date(Date.now() + 400_000).toISOString() }, 'facts[1].observedAt'],
  ]
  for (const [fact, path] of cases) {
    const refused = await api.post(`/calls/${call.id}/facts`, {
      facts: [{ key: `new_${randomUUID()}`, value: 1 }, fact],
    })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
  }
  expect(await rowCounts(service)).toEqual(before)
})

test('requests that bring the same new keys in opposite order, on two nodes, all go through', async () => {
  const other = clientOf((await service.node()).url, api.key)
  for (let round = 0; round < 5; round++) {
    const keys = Array.from({ length: 10 }, (_, index) => `k${index}_${randomUUID()}`)
    const calls = await Promise.all([callOf(), callOf(), callOf(), callOf()])
    const answers = await Promise.all(
      calls.map((call, index) => {
        const ordered = index % 2 ? keys : [...keys].reverse()
        return (index < 2 ? api : other).post(`/calls/${call.id}/facts`, {
          facts: ordered.map((key) => ({ key, value: index })),
        })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await api.get(`/facts?key=${keys.slice(0, 5).join(',')}`)).body.data).toHaveLength(20)
    expect((await api.get(`/fact-definitions?key=${keys[0]}`)).body.data).toHaveLength(1)
  }
})

test('a hundred facts arrive in one request', async () => {
  const call = await callOf()
  const facts = Array.from({ length: 100 }, (_, index) => ({ key: `h${index}`, value: index, status: 'confirmed' }))
  const { status, body } = await api.post(`/calls/${call.id}/facts`, { facts })
  expect([status, body.data.length]).toEqual([200, 100])
})
