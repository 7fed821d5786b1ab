import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldSchemaIssues, valueIssues } from '../../../src/resources/work/work-field-schema.js'
import { type Client, type Service, startService } from '../../support/service.js'

const customerId = '0190b2f0-0000-7000-8000-000000000001'
let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

async function definitionOf(api: Client, kind: string) {
  const { body } = await api.get(`/work-type-definitions?canonicalKind=${kind}`)
  return body.data[0]
}

async function sideWith(values: object): Promise<Client> {
  const { sandbox: api } = await service.organization('Fields')
  const definition = await definitionOf(api, 'job')
  const { status } = await api.patch(`/work-type-definitions/${definition.id}`, values)
  expect(status).toBe(200)
  return api
}

test('a kind that is not enabled, or not defined any more, is refused for new work and open for old', async () => {
  const { sandbox: api } = await service.organization('Kinds')
  const before = await api.post('/work-records', { title: 'Old', kind: 'JOB', customerId })
  const definition = await definitionOf(api, 'job')
  await api.patch(`/work-type-definitions/${definition.id}`, { enabled: false })
  const refused = await api.post('/work-records', { title: 'New', kind: 'JOB', customerId })
  expect([refused.status, refused.body.error.details[0]]).toMatchObject([
    400,
    { path: 'canonicalKind', code: 'kind_not_enabled' },
  ])
  expect((await api.patch(`/work-records/${before.body.id}`, { recordState: 'completed' })).status).toBe(200)
  await api.delete(`/work-type-definitions/${(await definitionOf(api, 'move')).id}`)
  expect((await api.post('/work-records', { title: 'New', kind: 'DELIVERY', customerId })).status).toBe(400)
  expect((await api.get('/work-records')).body.data).toHaveLength(1)
})

test('status and stage begin where the definition says', async () => {
  const api = await sideWith({ defaultStatus: 'triage', defaultStage: 'front desk' })
  const made = await api.post('/work-records', { title: 'x', kind: 'JOB', customerId })
  expect(made.body).toMatchObject({ status: 'triage', stage: 'front desk' })
  expect(
    (await api.post('/work-records', { title: 'x', kind: 'JOB', customerId, status: 'odd', stage: 'own' })).body,
  ).toMatchObject({
    status: 'odd',
    stage: 'own',
  })
  expect(
    (await api.put(`/work-records/${made.body.id}`, { title: 'y', canonicalKind: 'job', customerId })).body,
  ).toMatchObject({
    status: 'triage',
    stage: 'front desk',
  })
})

test('fields keep their order and the names that people gave them, also on the surface of a call', async () => {
  const plate = { type: 'string', title: 'Licence plate' }
  const fieldSchema = { type: 'object', properties: { zone: { type: 'string' }, plate, age: { type: 'number' } } }
  const api = await sideWith({ fieldSchema, requiredFields: ['plate'] })
  const kept = (await definitionOf(api, 'job')).fieldSchema
  expect([kept, Object.keys(kept.properties)]).toEqual([fieldSchema, ['zone', 'plate', 'age']])
  const call = await api.post('/calls', { direction: 'inbound', from: '+15550142201', to: '+15550100000' })
  await api.post('/drafts', { callSessionId: call.body.id, title: 'Tow', canonicalKind: 'job' })
  const surface = await api.get(`/calls/${call.body.id}/surface`)
  expect(surface.body.draftFields).toContainEqual(
    expect.objectContaining({ key: 'plate', label: 'Licence plate', state: 'missing' }),
  )
  const unnamed = { properties: { plate: { title: ' ' } } }
  expect(fieldSchemaIssues(unnamed, 'fieldSchema')).toMatchObject([{ path: 'fieldSchema.properties.plate.title' }])
})

const vehicle = {
  type: 'object',
  required: ['plate'],
  properties: {
    plate: { type: 'string', minLength: 2, maxLength: 8 },
    year: { type: 'integer', minimum: 1900, maximum: 2100 },
    fuel: { enum: ['petrol', 'diesel', 'electric'] },
    faults: { type: 'array', items: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } } },
    seen: { type: 'string', format: 'date' },
    mail: { type: ['string', 'null'], format: 'email' },
  },
}

test.each<[string, object, string | undefined]>([
  [
    'a full one',
    {
      plate: 'B 123',
      year: 2020,
      fuel: 'diesel',
      faults: [{ code: 'P0300' }],
      seen: '2026-02-28',
      mail: null,
      more: true,
    },
    undefined,
  ],
  ['nothing', {}, 'structuredFieldsJson.plate'],
  ['a wrong type', { plate: 7 }, 'structuredFieldsJson.plate'],
  ['too short', { plate: 'B' }, 'structuredFieldsJson.plate'],
  ['too long', { plate: 'B 12345678' }, 'structuredFieldsJson.plate'],
  ['too early', { plate: 'B 1', year: 1899 }, 'structuredFieldsJson.year'],
  ['too late', { plate: 'B 1', year: 2101 }, 'structuredFieldsJson.year'],
  ['no integer', { plate: 'B 1', year: 2000.5 }, 'structuredFieldsJson.year'],
  ['not in the enum', { plate: 'B 1', fuel: 'coal' }, 'structuredFieldsJson.fuel'],
  ['a bad item', { plate: 'B 1', faults: [{ code: 'a' }, {}] }, 'structuredFieldsJson.faults[1].code'],
  ['no such day', { plate: 'B 1', seen: '2026-02-30' }, 'structuredFieldsJson.seen'],
  ['no address', { plate: 'B 1', mail: 'nobody' }, 'structuredFieldsJson.mail'],
])('structuredFieldsJson under a fieldSchema: %s', async (_what, structuredFieldsJson, path) => {
  const api = await sideWith({ fieldSchema: vehicle })
  const made = await api.post('/work-records', { title: 'Tow', kind: 'JOB', customerId, structuredFieldsJson })
  if (path === undefined)
    return expect([made.status, made.body.structuredFieldsJson]).toEqual([201, structuredFieldsJson])
  expect([made.status, made.body.error.details[0].path]).toEqual([400, path])
})

test('a merge is judged as a whole, and fields that a write does not touch are left alone', async () => {
  const api = await sideWith({})
  const old = await api.post('/work-records', { title: 'Tow', kind: 'JOB', customerId })
  await api.patch(`/work-type-definitions/${(await definitionOf(api, 'job')).id}`, { fieldSchema: vehicle })
  const path = `/work-records/${old.body.id}`
  expect((await api.patch(path, { title: 'Tow it' })).status).toBe(200)
  expect((await api.patch(path, { structuredFieldsJson: { year: 2020 } })).body.error.details[0].path).toBe(
    'structuredFieldsJson.plate',
  )
  expect((await api.patch(path, { structuredFieldsJson: { plate: 'B 1' } })).status).toBe(200)
  expect((await api.patch(path, { structuredFieldsJson: { year: 2020 } })).body.structuredFieldsJson).toEqual({
    plate: 'B 1',
    year: 2020,
  })
  expect((await api.patch(path, { structuredFieldsJson: { plate: null } })).status).toBe(400)
})

describe('a fieldSchema is refused when it uses what we do not check', () => {
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } }
  test.each<[string, unknown, string]>([
    ['pattern', { properties: { a: { pattern: '^(a+)+$' } } }, 'fieldSchema.properties.a.pattern'],
    ['$ref', { $ref: '#/definitions/a' }, 'fieldSchema.$ref'],
    ['a conditional', { if: {}, else: {} }, 'fieldSchema.if'],
    ['additionalProperties', { additionalProperties: false }, 'fieldSchema.additionalProperties'],
    ['an unknown type', { properties: { a: { type: 'date' } } }, 'fieldSchema.properties.a.type'],
    ['an unknown format', { properties: { a: { format: 'ipv4' } } }, 'fieldSchema.properties.a.format'],
    ['a format from nowhere', { properties: { a: { format: 'constructor' } } }, 'fieldSchema.properties.a.format'],
    ['an empty enum', { properties: { a: { enum: [] } } }, 'fieldSchema.properties.a.enum'],
    ['a negative length', { properties: { a: { minLength: -1 } } }, 'fieldSchema.properties.a.minLength'],
    ['a property that is no schema', { properties: { a: true } }, 'fieldSchema.properties.a'],
    ['items that are a list', { properties: { a: { items: [] } } }, 'fieldSchema.properties.a.items'],
    ['required that is no list', { required: 'a' }, 'fieldSchema.required'],
    ['a schema of something else', { type: 'string' }, 'fieldSchema.type'],
    [
      'too large',
      {
        properties: Object.fromEntries(
          Array.from({ length: 1_500 }, (_, index) => [`field${index}`, { type: 'string' }]),
        ),
      },
      'fieldSchema',
    ],
    ['too deep', deep(6), 'fieldSchema'],
    ['no object', ['a'], 'fieldSchema'],
  ])('%s', async (_what, fieldSchema, path) => {
    const { sandbox: api } = await service.organization('Schemas')
    const definition = await definitionOf(api, 'job')
    const refused = await api.patch(`/work-type-definitions/${definition.id}`, { fieldSchema })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
    expect(await definitionOf(api, 'job')).toEqual(definition)
  })
})

test('a schema may be taken away again', async () => {
  const api = await sideWith({ fieldSchema: vehicle })
  expect(
    (await api.patch(`/work-type-definitions/${(await definitionOf(api, 'job')).id}`, { fieldSchema: null })).body
      .fieldSchema,
  ).toBeNull()
  expect(
    (await api.post('/work-records', { title: 'Tow', kind: 'JOB', customerId, structuredFieldsJson: { plate: 7 } }))
      .status,
  ).toBe(201)
})

test('names from an object’s prototype are ordinary names', () => {
  const schema = JSON.parse(
    '{"properties": {"__proto__": {"type": "string"}, "toString": {"type": "number"}}, "required": ["constructor"]}',
  )
  expect(fieldSchemaIssues(schema, 's')).toEqual([])
  expect(valueIssues(schema, {}, 'v').map(({ path }) => path)).toEqual(['v.constructor'])
  expect(
    valueIssues(schema, JSON.parse('{"__proto__": 1, "toString": 1, "constructor": 1}'), 'v').map(({ path }) => path),
  ).toEqual(['v.__proto__'])
})
