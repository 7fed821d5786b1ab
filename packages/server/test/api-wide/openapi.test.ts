import {
  entities,
  eventTypes,
  freeForm,
  object,
  optional,
  standardEventTypes,
  text,
  webhookHeaders,
} from '@parley/contract'
import { expect, test } from 'vitest'
import { type Endpoint, endpoint } from '../../src/http/endpoint.js'
import { openApiDocument } from '../../src/http/openapi/openapi.js'
import { endpoints } from '../../src/resources/index.js'
import { bareBodies, brokenReferences, unusedComponents, wrongExamples } from '../support/openapi-complaints.js'
import {
  dereferenced,
  examplesIn,
  type Json,
  operationsOf,
  problemsOf,
  webhooksIn,
} from '../support/openapi-document.js'
import { redoclyErrors } from '../support/redocly.js'

const publicUrl = 'https://parley.test/base'
const document: Json = openApiDocument({ endpoints, publicUrl })
const { schemas } = document['components'] as Json
const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

test('every endpoint is in the document under its real path, and nothing else is', () => {
  const documented = operationsOf(document).map(
    ({ method, path, operation }) => `${method.toUpperCase()} ${path} ${operation['operationId']}`,
  )
  expect(documented.sort()).toEqual(
    endpoints.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).sort(),
  )
  expect(Object.keys(document['paths']).filter((path) => /[*:]|^[^/]/.test(path))).toEqual([])
})

test('every operation has a name of its own, a summary and a tag that is described', () => {
  const all = [...operationsOf(document), ...webhooksIn(document)].map(({ operation }) => operation)
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  const described = new Map((document['tags'] as Json[]).map(({ name, description }) => [name, description]))
  for (const { summary, tags, operationId } of all) {
    expect(summary, operationId).toMatch(/\S/)
    expect(tags, operationId).toHaveLength(1)
    expect(described.get(tags[0]), operationId).toMatch(/\S/)
  }
})

test('it says which version it is of, and where it is served', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: 'v1', license: { identifier: 'Apache-2.0' } } })
  expect((document['servers'] as Json[]).map(({ url }) => url)).toEqual(['https://parley.test/base/api/v1', '/api/v1'])
})

test('every reference resolves, and no component stands there unused', () => {
  expect([...brokenReferences(document), ...unusedComponents(document)]).toEqual([])
})

test('every example fits its schema', () => {
  expect(examplesIn(document).length).toBeGreaterThan(endpoints.length)
  expect(wrongExamples(document)).toEqual([])
  expect(problemsOf(document, { $ref: '#/components/schemas/Task' }, { title: 5 })).not.toEqual([])
})

test('every JSON body and every JSON answer has an example', () => {
  expect(bareBodies(document)).toEqual([])
})

test('a record is one component per entity, referred to wherever it stands', () => {
  for (const entity of entities) {
    const name = pascal(entity.name)
    expect(schemas[name]?.type, name).toBe('object')
    const one = document['paths'][`/${entity.slug}/{id}`].get.responses['200'].content['application/json'].schema
    expect(one, name).toEqual({ $ref: `#/components/schemas/${name}` })
    const page = document['paths'][`/${entity.slug}`].get.responses['200'].content['application/json'].schema
    expect(page, name).toEqual({ $ref: `#/components/schemas/${name}Page` })
    const { data, pagination, meta } = schemas[`${name}Page`].properties
    expect(data.items, name).toEqual({ $ref: `#/components/schemas/${name}` })
    expect(pagination.$ref).toBe('#/components/schemas/Pagination')
    expect(meta.$ref).toBe('#/components/schemas/Meta')
  }
  expect(schemas.Call.properties.drafts.items).toEqual({ $ref: '#/components/schemas/Draft' })
  expect(schemas.CallEndedEventData.properties.draft.anyOf).toEqual([
    { $ref: '#/components/schemas/DraftSnapshot' },
    { type: 'null' },
  ])
})

test('annotations that only the service reads are left out, those of JSON Schema are kept', () => {
  expect(JSON.stringify(document)).not.toMatch(/"(x-optional|x-required|x-state|x-merge|x-free-form|~[a-z]+)"/)
  expect(schemas.Task.properties.id).toMatchObject({ type: 'string', format: 'uuid', readOnly: true })
  expect(schemas.Task.properties.status).toMatchObject({
    default: 'open',
    enum: ['open', 'in_progress', 'done', 'canceled'],
  })
  expect(schemas.Task.properties.dueAt).toMatchObject({ type: ['string', 'null'], format: 'date-time' })
  expect(schemas.TaskCreate).toMatchObject({ required: ['title'], additionalProperties: false })
  expect(schemas.TaskCreate.properties.id).toBeUndefined()
})

test('answers may gain fields, bodies may not; a change carries no defaults that would reset what was not sent', () => {
  expect(schemas.Task.additionalProperties).toBeUndefined()
  expect(schemas.TaskUpdate.additionalProperties).toBe(false)
  expect(JSON.stringify(schemas.TaskUpdate)).not.toContain('"default"')
})

test('each operation says what it needs and how it can fail', () => {
  const { get, post } = document['paths']['/tasks'] as Json
  const { patch, delete: remove, get: getOne } = document['paths']['/tasks/{id}'] as Json
  expect(get.security).toEqual([{ apiKey: ['READ'] }, { session: ['READ'] }])
  expect(post.security).toEqual([{ apiKey: ['WRITE'] }, { session: ['WRITE'] }])
  expect(Object.keys(get.responses)).toEqual(['200', '400', '401', '403', '429', '500', '503'])
  expect(Object.keys(post.responses)).toEqual([
    '200',
    '201',
    '400',
    '401',
    '403',
    '408',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ])
  expect(Object.keys(getOne.responses)).toContain('304')
  const names = ({ parameters }: Json) => (parameters as Json[]).map((one) => dereferenced(document, one)['name'])
  expect(names(get)).toEqual([
    'limit',
    'cursor',
    'count',
    'q',
    'createdSince',
    'createdBefore',
    'updatedSince',
    'status',
    'priority',
    'assignedToId',
    'workRecordId',
    'personId',
    'customerId',
    'sort',
    'dueAtFrom',
    'dueAtBefore',
    'createdAtFrom',
    'createdAtBefore',
    'updatedAtFrom',
    'updatedAtBefore',
  ])
  expect(names(post)).toEqual(['Idempotency-Key'])
  expect(names(patch)).toEqual(['id', 'Idempotency-Key', 'If-Match'])
  expect(names(remove)).toEqual(['id', 'If-Match'])
  expect(names(document['paths']['/api-keys/{id}'].delete)).toEqual(['id'])
  expect(document['paths']['/openapi.json'].get.security).toEqual([])
})

test('successes and errors carry the headers that they are sent with', () => {
  const headersOf = (response: Json) => Object.keys(dereferenced(document, response)['headers'])
  const { post } = document['paths']['/tasks'] as Json
  const rates = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  expect(headersOf(post.responses['201'])).toEqual(['x-request-id', ...rates, 'ETag', 'Idempotent-Replayed'])
  expect(headersOf(post.responses['401'])).toEqual(['x-request-id', 'WWW-Authenticate'])
  expect(headersOf(post.responses['429'])).toEqual(['x-request-id', ...rates, 'Retry-After'])
  expect(headersOf(post.responses['503'])).toEqual(['x-request-id', 'Retry-After'])
})

test('the webhooks section has every type of event, and marks the ones that must be asked for', () => {
  const webhooks = document['webhooks'] as Json
  expect(Object.keys(webhooks)).toEqual(eventTypes)
  const optIn = Object.entries(webhooks).filter(([, item]) => item.post['x-opt-in'] === true)
  expect(optIn.map(([type]) => type)).toEqual(eventTypes.filter((type) => !standardEventTypes.includes(type)))
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    expect(example.type).toBe(type)
    expect(dereferenced(document, schema)['properties'].type).toMatchObject({ type: 'string', const: type })
    expect((post.parameters as Json[]).map((one) => dereferenced(document, one)['name'])).toEqual(
      Object.values(webhookHeaders),
    )
  }
})

const example = (more: Partial<Endpoint>): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/things/{id}',
    scope: 'READ',
    operationId: 'getThing',
    summary: 'Get a thing',
    tag: 'Things',
    returns: { status: 200, schema: freeForm() },
    handle: async () => ({ status: 204, body: null }),
    ...more,
  })

test('a schema with a title is a component of that name, one for each direction', () => {
  const thing = { ...object({ name: text(), more: optional(text()) }), title: 'Thing' }
  const body = { schema: thing as never, ignored: [], aliases: {}, required: true }
  const made: Json = openApiDocument({
    publicUrl,
    endpoints: [
      example({ returns: { status: 200, schema: thing } }),
      example({ method: 'POST', operationId: 'make', body }),
    ],
  })
  expect(made['paths']['/things/{id}'].get.responses['200'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/Thing',
  })
  expect(made['components'].schemas.Thing).toEqual({
    type: 'object',
    properties: expect.anything(),
    required: ['name'],
  })
  expect(made['components'].schemas.ThingInput).toMatchObject({ additionalProperties: false })
})

test('what is no JSON is shown with its media type', () => {
  const listening = example({ returns: { status: 200, schema: null, mediaTypes: ['text/event-stream'] } })
  const taking = example({
    method: 'PUT',
    operationId: 'putThing',
    receive: async () => undefined,
    receives: ['audio/*'],
    idempotent: false,
  })
  const { get, put } = (openApiDocument({ publicUrl, endpoints: [listening, taking] }) as Json)['paths']['/things/{id}']
  expect(get.responses['200'].content).toEqual({ 'text/event-stream': { schema: {} } })
  expect(put.requestBody.content).toEqual({ 'audio/*': { schema: { type: 'string', format: 'binary' } } })
  expect(Object.keys(put.responses)).toEqual(expect.arrayContaining(['413', '415']))
  expect(Object.keys(put.responses)).not.toContain('422')
})

test('the document is the same whenever it is made', () => {
  expect(JSON.stringify(openApiDocument({ endpoints, publicUrl }))).toBe(JSON.stringify(document))
})

test("Redocly's recommended rules find no error in it", async () => {
  expect(await redoclyErrors(document)).toEqual([])
})
