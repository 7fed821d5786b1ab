// Races between two processes on one database, where no queue in memory can help: only what the commit itself checks.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFact, atOnce, makePerson, plantCall } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { endPrograms, serveProgram } from '../../support/program.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

/** A race is lost once in a few rounds, or the commit checks what it must. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 8)

let service: Service
let api: Client
let other: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
  const limits = { PARLEY_RATE_LIMIT_READ: '100000:100000', PARLEY_RATE_LIMIT_WRITE: '100000:100000' }
  const program = await serveProgram({
    DATABASE_URL: service.databaseUrl,
    PARLEY_SECRET: 'a secret for tests only',
    ...limits,
  })
  other = clientOf(program.url, api.key)
})
afterAll(async () => {
  await endPrograms()
  await service.stop()
})

const either = (index: number): Client => (index % 2 ? other : api)
const capture = async (values: object = {}) => (await api.post('/facts', aFact(values))).body
const read = async (id: string) => (await api.get(`/facts/${id}`)).body
const eventsAbout = async (...ids: string[]) =>
  (await eventsOf(service, api)).filter(({ data }) => ids.includes(data.factId)).map(({ type }) => type)
const newKey = () => `key_${randomUUID()}`

test('twenty identical facts are one fact that was corroborated nineteen times', async () => {
  const fact = aFact({ sourceCallSessionId: randomUUID() })
  const answers = await atOnce(20, (index) => either(index).post('/facts', fact))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  expect((await api.get(`/facts?subjectId=${fact.subjectId}`)).body.data).toMatchObject([
    { corroborationCount: 19, version: 20 },
  ])
  expect((await api.get(`/fact-definitions?key=${fact.key}`)).body.data).toHaveLength(1)
})

test('two confirmations in one slot leave exactly one confirmed', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const where = { subjectId: randomUUID(), key: newKey() }
    const [a, b] = [await capture({ ...where, value: 'a' }), await capture({ ...where, value: 'b' })]
    const answers = await Promise.all([api.post(`/facts/${a.id}/confirm`), other.post(`/facts/${b.id}/confirm`)])
    expect([(await read(a.id)).status, (await read(b.id)).status].sort()).toEqual(['confirmed', 'superseded'])
    const confirmed = (await eventsAbout(a.id, b.id)).filter((type) => type === 'fact.confirmed')
    expect(confirmed).toHaveLength(answers.filter(({ status }) => status === 200).length)
  }
})

test('of confirm and reject one wins', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await capture()
    const [confirmed, rejected] = await Promise.all([
      api.post(`/facts/${id}/confirm`),
      other.post(`/facts/${id}/reject`),
    ])
    expect([confirmed.status, rejected.status].sort()).toEqual([200, 409])
    const status = confirmed.status === 200 ? 'confirmed' : 'rejected'
    expect([(await read(id)).status, await eventsAbout(id)]).toEqual([status, ['fact.proposed', `fact.${status}`]])
  }
})

test('two retypes end in one of the two types', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = newKey()
    await capture({ key, value: '2026-03-01' })
    const answers = await Promise.all([
      api.post('/fact-definitions', { key, valueType: 'date' }),
      other.post('/fact-definitions', { key, valueType: 'enum', enumValues: ['2026-03-01'] }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('a fact that arrives while its definition is retyped either fits or was there before', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = newKey()
    await capture({ key, value: '2026-03-01' })
    const [retyped, captured] = await Promise.all([
      api.post('/fact-definitions', { key, valueType: 'date' }),
      other.post('/facts', aFact({ key, value: 'next Tuesday' })),
    ])
    expect([retyped.status, captured.status].sort()).toEqual(retyped.status === 200 ? [200, 400] : [201, 409])
  }
})

test('the first fact of a configured definition and its retyping do not pass each other by', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = newKey()
    await api.post('/fact-definitions', { key, valueType: 'string', subjectScope: 'person' })
    const [retyped, captured] = await Promise.all([
      api.post('/fact-definitions', { key, valueType: 'number' }),
      other.post('/facts', aFact({ key, value: 'text' })),
    ])
    expect([retyped.status, captured.status].sort()).toEqual(retyped.status === 200 ? [200, 400] : [201, 409])
  }
})

test('requests that bring the same new keys in opposite order all go through', async () => {
  const { id: personId } = await makePerson(api)
  for (let round = 0; round < ROUNDS / 2; round++) {
    const keys = Array.from({ length: 10 }, newKey)
    const calls = await atOnce(4, () => plantCall(service, api, { personId }))
    const answers = await atOnce(4, (index) => {
      const ordered = index % 2 ? keys : [...keys].reverse()
      return either(index).post(`/calls/${calls[index]?.id}/facts`, {
        facts: ordered.map((key) => ({ key, value: index })),
      })
    })
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
})

test('promotions of different keys onto one person all arrive', async () => {
  const person = await makePerson(api)
  const made = await atOnce(8, (index) =>
    capture({ subjectId: person.id, key: `k${index}`, value: index, status: 'confirmed' }),
  )
  const answers = await atOnce(8, (index) => either(index).post(`/facts/${made[index].id}/promote`))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await api.get(`/people/${person.id}`)).body.customFields).toEqual(
    Object.fromEntries(made.map(({ key, value }) => [key, value])),
  )
})

test('approvals of one draft make one work record and tell once', async () => {
  for (let round = 0; round < ROUNDS / 2; round++) {
    const call = await plantCall(service, api, { from: `+1555040${1000 + round}` })
    const fact = await capture({ sourceCallSessionId: call.id })
    const draft = (await api.post('/drafts', { callSessionId: call.id })).body
    const before = (await eventsOf(service, api)).length
    const answers = await atOnce(6, (index) =>
      either(index).post(`/drafts/${draft.id}/approve`, { acceptFactIds: [fact.id] }),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const events = (await eventsOf(service, api)).slice(before)
    expect(events.map(({ type }) => type)).toEqual([
      'person.created',
      'work_record.created',
      'fact.confirmed',
      'draft.approved',
    ])
    expect((await api.get(`/work-records?primaryPersonId=${events[0]?.data.personId}`)).body.data).toHaveLength(1)
  }
})

test('no draft slips between a call’s end and its own making', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const call = await plantCall(service, api, { from: `+1555050${1000 + round}` })
    const [ended, ...made] = await Promise.all([
      other.post(`/calls/${call.id}/end`, {}),
      ...[0, 1, 2].map(() => api.post('/drafts', { callSessionId: call.id })),
    ])
    expect([ended.status, ...made.map(({ status }) => status)]).toEqual([200, 201, 201, 201])
    for (const { body } of made) expect((await api.get(`/drafts/${body.id}`)).body.status).toBe('pending_review')
  }
})
