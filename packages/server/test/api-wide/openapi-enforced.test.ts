// The document and the server judge alike: what one allows the other takes, and what one refuses the other does too.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dereferenced, type Json, operationsOf, problemsOf } from '../support/openapi-document.js'
import { type Service, startService } from '../support/service.js'

let service: Service
let document: Json
beforeAll(async () => {
  service = await startService()
  document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Json
})
afterAll(() => service.stop())

const operationAt = (method: string, path: string): Json => {
  const found = operationsOf(document).find((one) => one.method === method && one.path === path)
  if (found === undefined) throw new Error(`${method} ${path} is not in the document`)
  return found.operation
}

/** Bodies that differ in what a rule of the server asks for, by the path that they are posted to. */
const bodies: Readonly<Record<string, { taken: readonly Json[]; refused: readonly Json[] }>> = {
  '/parties': {
    taken: [
      { partyType: 'organization', orgName: 'Acme' },
      { partyType: 'person', firstName: 'Ada' },
    ],
    refused: [{ partyType: 'person' }, { partyType: 'person', firstName: ' ', lastName: null }],
  },
  '/locations': {
    taken: [{ addressLine1: 'Main St 1' }, { geo: { lat: 1, lng: 2 } }],
    refused: [{}, { formattedAddress: '', addressLine1: null, geo: null }],
  },
  '/contact-methods': {
    taken: [
      { channel: 'phone', value: '+1 (202) 555-0143' },
      { channel: 'sms', value: 'Acme' },
      { channel: 'web', value: 'acme.test' },
    ],
    refused: [
      { channel: 'phone', value: 'Acme' },
      { channel: 'whatsapp', value: '12345' },
      { channel: 'sms', value: 'not a number' },
    ],
  },
  '/external-refs': {
    taken: [{ entityType: 'person', entityId: '019caf13-ee88-7ee6-8cdc-79dd61fba05a', system: 'crm', externalId: '1' }],
    refused: [
      { entityType: 'planet', entityId: '019caf13-ee88-7ee6-8cdc-79dd61fba05a', system: 'crm', externalId: '1' },
    ],
  },
  '/people/upsert': {
    taken: [{ displayName: 'Ada' }, { externalRefs: [{ system: 'crm', externalId: 'ada' }] }],
    refused: [{}, { tags: ['vip'] }, { externalRefs: [] }, { firstName: ' ' }],
  },
  '/sms/inbound': {
    taken: [
      { from: '+12025550143', to: '+12025550100', body: 'hi' },
      { from: null, to: '+12025550100', numMedia: 1 },
    ],
    refused: [
      { from: '+12025550143', to: '+12025550100' },
      { from: '+12025550143', to: '+12025550100', body: ' ', numMedia: 0, mediaUrls: [] },
    ],
  },
  '/messages': {
    taken: [{ channel: 'email', direction: 'inbound', body: 'Hello', from: 'ada@example.com', to: 'us@example.com' }],
    refused: [
      { channel: 'email', direction: 'inbound', body: 'Hello', from: 'ada@example.com' },
      { channel: 'sms', direction: 'inbound', body: 'Hello', from: 'ada@example.com', to: 'us@example.com' },
      { channel: 'email', direction: 'inbound', body: 'Hello', from: 'Ada', to: 'us@example.com' },
    ],
  },
  '/webhooks': {
    taken: [{ url: 'https://example.com/hook', eventTypes: ['call.ended'], status: 'paused' }],
    refused: [
      { url: 'http://example.com/hook' },
      { url: 'https://example.com/hook', eventTypes: ['call.started.never'] },
      { url: 'https://example.com/hook', status: 'disabled' },
      { url: 'https://example.com/hook', status: 'asleep' },
    ],
  },
}

for (const [path, { taken, refused }] of Object.entries(bodies)) {
  test(`the bodies of POST ${path}`, async () => {
    const { schema } = operationAt('post', path)['requestBody'].content['application/json']
    for (const [body, isTaken] of [
      ...taken.map((one) => [one, true] as const),
      ...refused.map((one) => [one, false] as const),
    ]) {
      const said = JSON.stringify(body)
      expect(problemsOf(document, schema, body).length === 0, `the document on ${said}`).toBe(isTaken)
      const { status } = await service.api.post(path, body)
      expect(isTaken ? [200, 201] : [400], `the server on ${said}`).toContain(status)
    }
  })
}

test('a text must go to a number or to a person', async () => {
  const { schema } = operationAt('post', '/sms')['requestBody'].content['application/json']
  for (const body of [{ body: 'hi' }, { body: 'hi', to: null, personId: null }]) {
    expect(problemsOf(document, schema, body)).not.toEqual([])
    expect((await service.api.post('/sms', body)).status).toBe(400)
  }
  expect(problemsOf(document, schema, { body: 'hi', to: '+12025550143' })).toEqual([])
})

const parameterAt = (path: string, name: string): Json => {
  const parameters: Json[] = operationAt('get', path)['parameters'].map((one: Json) => dereferenced(document, one))
  const found = parameters.find((one) => one['name'] === name)
  if (found === undefined) throw new Error(`${path} has no ${name}`)
  return found
}

test('comma lists are arrays of the values that are taken', async () => {
  const { data } = (await service.api.get('/webhooks')).body
  for (const [path, at, name] of [
    ['/events', '/events', 'type'],
    ['/facts', '/facts', 'subjectType'],
    ['/webhooks/{id}/deliveries', `/webhooks/${data[0].id}/deliveries`, 'status'],
    ['/webhooks/{id}/deliveries', `/webhooks/${data[0].id}/deliveries`, 'expand'],
  ] as const) {
    const { style, explode, schema } = parameterAt(path, name)
    expect([style, explode, schema.type]).toEqual(['form', false, 'array'])
    const values: string[] = schema.items.enum
    expect((await service.api.get(`${at}?${name}=${values.slice(0, 2).join(', ')}`)).status).toBe(200)
    for (const wrong of [
      '',
      'nothing',
      `${values[0]},`,
      Array.from({ length: schema.maxItems + 1 }, () => values[0]).join(),
    ]) {
      const refused = await service.api.get(`${at}?${name}=${wrong}`)
      expect([refused.status, refused.body.error.details[0].path], wrong).toEqual([400, name])
    }
  }
})

test('a filter of few values names them, whatever other spellings are taken', async () => {
  for (const path of ['/work-records', '/work-records/search']) {
    const { enum: kinds } = parameterAt(path, 'kind')['schema']
    expect(kinds).toContain('work_order')
    expect((await service.api.get(`${path}?kind=${kinds[0]}`)).status).toBe(200)
    expect((await service.api.get(`${path}?kind=planet`)).status).toBe(400)
  }
})

test('what is looked for is as long as the document says, and may be blank', async () => {
  const email = parameterAt('/people', 'primaryEmail')['schema']
  const tooLong = `${'a'.repeat(email.maxLength)}@example.com`
  expect((await service.api.get(`/people?primaryEmail=${tooLong}`)).status).toBe(400)
  const { schema } = parameterAt('/customers', 'customerNumber')
  expect([schema.minLength, schema.pattern]).toEqual([undefined, undefined])
  expect((await service.api.get('/customers?customerNumber=%20')).status).toBe(200)
})

test('the document and the server mean the same by an e-mail address', async () => {
  const { properties } = dereferenced(
    document,
    operationAt('post', '/people')['requestBody'].content['application/json'].schema,
  )
  const { pattern, format } = properties.primaryEmail
  expect(format).toBeUndefined()
  const addresses = ['dana@example.com', ' Dana@Example.com ', 'jörg@bücher.example', 'a..b@example.com', 'o+b@a.b.c']
  const others = [
    'dana',
    'dana@localhost',
    '"d r"@example.com',
    'dana@[127.0.0.1]',
    'd@e@example.com',
    'd r@example.com',
  ]
  for (const primaryEmail of [...addresses, ...others]) {
    const isTaken = addresses.includes(primaryEmail)
    expect(new RegExp(pattern, 'u').test(primaryEmail), `the document on ${primaryEmail}`).toBe(isTaken)
    const { status } = await service.api.post('/people', { displayName: 'Dana', primaryEmail })
    expect(status, `the server on ${primaryEmail}`).toBe(isTaken ? 201 : 400)
  }
})

test('numbers have the range that is taken, and may be written with an exponent in a query', async () => {
  const { schema } = operationAt('post', '/money-records')['requestBody'].content['application/json']
  const money = (amountCents: number) => ({ recordType: 'invoice', amountCents })
  expect(problemsOf(document, schema, money(Number.MAX_SAFE_INTEGER))).toEqual([])
  expect(problemsOf(document, schema, money(2 ** 53))).not.toEqual([])
  expect((await service.api.post('/money-records', money(Number.MAX_SAFE_INTEGER))).status).toBe(201)
  expect((await service.api.post('/money-records', money(2 ** 53))).status).toBe(400)
  expect((await service.api.get('/signals?minConfidence=1e-7')).status).toBe(200)
  expect((await service.api.get('/signals?minConfidence=1e7')).status).toBe(400)
  expect((await service.api.get('/signals?limit=1e1')).status).toBe(400)
})

test('a space before a number in a query is its plus only where it has none', async () => {
  const { id } = (await service.api.post('/people', { displayName: 'Grace', primaryPhone: '+12025550177' })).body
  for (const phone of ['+12025550177', '%2B12025550177', '%20%2B1%20202%20555%200177', '%20(%2B1)%202025550177']) {
    expect((await service.api.get(`/people/by-phone?phone=${phone}`)).body.data, phone).toMatchObject({ id })
  }
})
