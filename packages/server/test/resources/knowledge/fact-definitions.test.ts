import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { aFact, atOnce, rowCounts } from '../../support/captured.js'
import { tenantOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const newKey = () => `key_${randomUUID()}`
const define = (values: object) =>
  api.post('/fact-definitions', { valueType: 'string', subjectScope: 'polymorphic', ...values })
const definitionOf = async (key: string) => (await api.get(`/fact-definitions?key=${key}`)).body.data[0]

/** Until some statement is held up by a lock. */
const someoneWaits = () => {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return expect.poll(async () => (await service.database.query(waiting)).length, { interval: 10 }).toBeGreaterThan(0)
}

test('a definition is made once per key; sent again, it is updated with what is sent and keeps the rest', async () => {
  const key = newKey()
  const made = await define({ key, description: 'Which plan', autoConfirmThreshold: 0.9 })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ key, valueType: 'string', cardinality: 'one', inferred: false, enumValues: null })
  expect(made.body.label).toBe(`Key ${key.slice(4)}`)
  const same = await define({ key })
  expect([same.status, same.body]).toEqual([200, made.body])
  const updated = await api.post('/fact-definitions', { key, label: 'Plan', cardinality: 'many' })
  expect([updated.status, updated.body]).toEqual([
    200,
    { ...made.body, label: 'Plan', cardinality: 'many', version: 2, updatedAt: expect.any(String) },
  ])
  const atLast = await atOnce(10, () => define({ key: 'raced' }))
  expect(atLast.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
})

test('patched, read, listed by type, and deleted', async () => {
  const { id, key } = (await define({ key: newKey(), valueType: 'number' })).body
  expect((await api.patch(`/fact-definitions/${id}`, { label: 'How many' })).body).toMatchObject({
    label: 'How many',
    version: 2,
    inferred: false,
  })
  expect((await api.get('/fact-definitions?valueType=number')).body.data.map((one: any) => one.id)).toContain(id)
  expect((await api.delete(`/fact-definitions/${id}`)).status).toBe(204)
  expect((await api.get(`/fact-definitions/${id}`)).status).toBe(404)
  expect((await api.post('/facts', aFact({ key, value: 'now text' }))).body.valueType).toBe('string')
  expect((await definitionOf(key)).inferred).toBe(true)
})

describe('typed values are exact', () => {
  const types: [string, object, unknown[], unknown[]][] = [
    ['string', {}, ['', 'x', '5'], [5, true, null, ['x'], { a: 1 }]],
    ['number', {}, [0, -1.5, 9007199254740991], ['5', true, null, [1]]],
    ['boolean', {}, [true, false], ['true', 1, 0, null]],
    ['enum', { enumValues: ['S', 'M'] }, ['S', 'M'], ['L', 's', '', 1, null]],
    [
      'date',
      {},
      ['2024-02-29', '0001-01-01', '9999-12-31'],
      ['2026-02-30', '2023-02-29', '2026-1-1', '2026-01-01T00:00:00Z', '0000-01-01', 20260101, null],
    ],
    ['json', {}, [null, 'x', 1, false, [], { a: [1] }], []],
  ]
  test.each(types)('%s', async (valueType, more, fit, unfit) => {
    const { key } = (await define({ key: newKey(), valueType, ...more })).body
    for (const value of fit) {
      const { status, body } = await api.post('/facts', aFact({ key, value }))
      expect([status, body.value, body.valueType]).toEqual([201, value, valueType])
    }
    const before = await rowCounts(service)
    for (const value of unfit) {
      const refused = await api.post('/facts', aFact({ key, value }))
      expect([value, refused.status, refused.body.error?.details[0].path]).toEqual([value, 400, 'value'])
    }
    expect(await rowCounts(service)).toEqual(before)
  })
})

test('a fact must be about what its definition is about', async () => {
  const { key } = (await define({ key: newKey(), subjectScope: 'company' })).body
  const refused = await api.post('/facts', aFact({ key }))
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'subjectType'])
  expect((await api.post('/facts', aFact({ key, subjectType: 'company' }))).status).toBe(201)
})

describe('retyping', () => {
  test('is free while there are no facts', async () => {
    const { key } = (await define({ key: newKey() })).body
    expect((await define({ key, valueType: 'number', subjectScope: 'person' })).body).toMatchObject({
      valueType: 'number',
      subjectScope: 'person',
    })
  })

  test('is refused once there are facts, by POST and by PATCH; everything else may change', async () => {
    const { key, id } = (await define({ key: newKey() })).body
    await api.post('/facts', aFact({ key }))
    for (const change of [{ valueType: 'json' }, { subjectScope: 'person' }]) {
      for (const answer of [await define({ key, ...change }), await api.patch(`/fact-definitions/${id}`, change)]) {
        expect([answer.status, answer.body.error.details]).toEqual([409, { reason: 'facts_exist', key }])
      }
    }
    expect((await api.patch(`/fact-definitions/${id}`, { label: 'Other', autoConfirmThreshold: 0.5 })).status).toBe(200)
  })

  test('an inferred definition takes a type that its facts fit, and is configured from then on', async () => {
    const key = newKey()
    await api.post('/facts', aFact({ key, value: '2026-03-01' }))
    await api.post('/facts', aFact({ key, value: '2026-04-01' }))
    expect(await definitionOf(key)).toMatchObject({ valueType: 'string', inferred: true })
    const typeMismatch = await api.post('/fact-definitions', { key, valueType: 'number' })
    expect([typeMismatch.status, typeMismatch.body.error.details.reason]).toEqual([409, 'facts_do_not_fit'])
    expect((await api.post('/fact-definitions', { key, label: 'Born' })).body).toMatchObject({
      inferred: true,
      valueType: 'string',
    })
    expect((await api.post('/fact-definitions', { key, valueType: 'date' })).body).toMatchObject({
      valueType: 'date',
      inferred: false,
      label: 'Born',
    })
    expect((await api.post('/facts', aFact({ key, value: '2026-02-30' }))).status).toBe(400)
    expect((await api.post('/fact-definitions', { key, valueType: 'string' })).status).toBe(409)
  })

  test('an inferred definition takes a scope that its facts are in', async () => {
    const key = newKey()
    await api.post('/facts', aFact({ key }))
    expect((await api.post('/fact-definitions', { key, subjectScope: 'company' })).status).toBe(409)
    expect((await api.post('/fact-definitions', { key, subjectScope: 'person' })).body).toMatchObject({
      subjectScope: 'person',
      inferred: false,
    })
  })

  test('a definition that is deleted and made anew must fit the facts that stayed', async () => {
    const key = newKey()
    await api.post('/facts', aFact({ key, value: 'M' }))
    await api.delete(`/fact-definitions/${(await definitionOf(key)).id}`)
    expect((await define({ key, valueType: 'boolean' })).status).toBe(409)
    expect((await define({ key, valueType: 'enum', enumValues: ['L', 'M'] })).status).toBe(201)
  })

  test('two retypes at once, on two nodes, end in one of the two types, and the other is refused', async () => {
    const other = clientOf((await service.node()).url, api.key)
    for (let round = 0; round < 10; round++) {
      const key = newKey()
      await api.post('/facts', aFact({ key, value: '2026-03-01' }))
      const answers = await Promise.all([
        api.post('/fact-definitions', { key, valueType: 'date' }),
        other.post('/fact-definitions', { key, valueType: 'enum', enumValues: ['2026-03-01'] }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await definitionOf(key)).valueType).toBe(answers[0].status === 200 ? 'date' : 'enum')
    }
  })

  test('a fact that arrives while its definition is retyped either fits the new type or was there before', async () => {
    const other = clientOf((await service.node()).url, api.key)
    for (let round = 0; round < 15; round++) {
      const key = newKey()
      await api.post('/facts', aFact({ key, value: '2026-03-01' }))
      const [retyped, captured] = await Promise.all([
        api.post('/fact-definitions', { key, valueType: 'date' }),
        other.post('/facts', aFact({ key, value: 'next Tuesday' })),
      ])
      // Exactly one of the two came first and made the other impossible.
      expect([retyped.status, captured.status].sort()).toEqual(retyped.status === 200 ? [200, 400] : [201, 409])
    }
  })

  test('waits for a fact that is being written, and then counts it', async () => {
    const key = newKey()
    const { body: fitting } = await api.post('/facts', aFact({ key, value: '2026-03-01' }))
    const { id } = await definitionOf(key)
    const retyped = await service.database.withClient(async (client) => {
      await client.query('begin')
      await client.query('select 1 from fact_definitions where id = $1 for share', [id])
      const fact = JSON.stringify({ ...fitting, id: randomUUID(), value: 'next Tuesday' })
      await client.query(
        'insert into facts (tenant_id, id, version, updated_at, record) select tenant_id, $1, 1, now(), $2 from facts where id = $3',
        [JSON.parse(fact).id, fact, fitting.id],
      )
      const request = api.post('/fact-definitions', { key, valueType: 'date' })
      await someoneWaits()
      await client.query('commit')
      return request
    })
    expect([retyped.status, retyped.body.error.details.reason]).toEqual([409, 'facts_do_not_fit'])
  })

  test('is waited for by a fact, which then must fit', async () => {
    const key = newKey()
    await api.post('/facts', aFact({ key, value: '2026-03-01' }))
    const definition = await definitionOf(key)
    const captured = await service.database.withClient(async (client) => {
      await client.query('begin')
      const record = JSON.stringify({ ...definition, valueType: 'date', version: 2 })
      await client.query('update fact_definitions set version = 2, record = $1 where id = $2', [record, definition.id])
      const request = api.post('/facts', aFact({ key, value: 'next Tuesday' }))
      await someoneWaits()
      await client.query('commit')
      return request
    })
    expect([captured.status, captured.body.error.details[0].path]).toEqual([400, 'value'])
  })

  test('facts of one definition do not wait for each other', async () => {
    const { body: first } = await api.post('/facts', aFact())
    const { id } = await definitionOf(first.key)
    await service.database.withClient(async (client) => {
      await client.query('begin')
      await client.query('select 1 from fact_definitions where id = $1 for share', [id])
      expect((await api.post('/facts', aFact({ key: first.key }))).status).toBe(201)
      await client.query('rollback')
    })
  })

  test('looks at no more than twenty thousand facts', async () => {
    const key = newKey()
    const { body } = await api.post('/facts', aFact({ key, value: 'M' }))
    for (let batch = 0; batch < 10; batch++) {
      await service.database.query(sql`insert into facts (tenant_id, id, version, updated_at, record)
        select ${await tenantOf(service, api)}, gen_random_uuid(), 1, now(), ${JSON.stringify(body)}::json from generate_series(1, 2000)`)
    }
    const refused = await api.post('/fact-definitions', { key, valueType: 'enum', enumValues: ['M'] })
    expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'too_many_facts', key }])
    await service.database.query(sql`delete from facts where id in (select id from facts where key = ${key} limit 1)`)
    expect((await api.post('/fact-definitions', { key, valueType: 'enum', enumValues: ['M'] })).status).toBe(200)
  })
})

describe('what is wrong is refused by name, and nothing is written', () => {
  const complete = { key: 'k', valueType: 'string', subjectScope: 'person' }
  const cases: [string, object, string][] = [
    ['no key', { ...complete, key: undefined }, 'key'],
    ['a blank key', { ...complete, key: ' ' }, 'key'],
    ['a long key', { ...complete, key: 'k'.repeat(256) }, 'key'],
    ['a new one without a type', { key: 'new', subjectScope: 'person' }, 'valueType'],
    ['a new one without a scope', { key: 'new', valueType: 'string' }, 'subjectScope'],
    ['an unknown type', { ...complete, valueType: 'integer' }, 'valueType'],
    ['an unknown scope', { ...complete, subjectScope: 'planet' }, 'subjectScope'],
    ['an enum without values', { ...complete, valueType: 'enum' }, 'enumValues'],
    ['an enum of nothing', { ...complete, valueType: 'enum', enumValues: [] }, 'enumValues'],
    ['an enum of numbers', { ...complete, valueType: 'enum', enumValues: [1] }, 'enumValues[0]'],
    ['a threshold over one', { ...complete, autoConfirmThreshold: 1.01 }, 'autoConfirmThreshold'],
    ['a negative threshold', { ...complete, autoConfirmThreshold: -0.1 }, 'autoConfirmThreshold'],
    ['an unknown cardinality', { ...complete, cardinality: 'few' }, 'cardinality'],
    ['an unknown field', { ...complete, colour: 'red' }, 'colour'],
  ]
  test.each(cases)('%s', async (_, body, path) => {
    const before = await rowCounts(service)
    const refused = await api.post('/fact-definitions', body)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
    expect(await rowCounts(service)).toEqual(before)
  })

  test('another key', async () => {
    const { id } = (await define({ key: newKey() })).body
    const refused = await api.patch(`/fact-definitions/${id}`, { key: newKey() })
    expect([refused.status, refused.body.error.details]).toEqual([409, { reason: 'fixed', field: 'key' }])
  })

  test('the enum values of an enum cannot be taken away', async () => {
    const { id } = (await define({ key: newKey(), valueType: 'enum', enumValues: ['a'] })).body
    expect((await api.patch(`/fact-definitions/${id}`, { enumValues: null })).body.error.details[0].path).toBe(
      'enumValues',
    )
  })
})
