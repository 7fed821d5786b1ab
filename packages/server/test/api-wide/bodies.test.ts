// The bodies of every endpoint that takes one: what is unknown, of the wrong type, null or missing is refused by name;
// what is read-only is ignored.
import { annotationsOf, entities, fieldsOf, limits, takes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.js'
import { endpoints } from '../../src/resources/index.js'
import { pathOf, propertiesOf, refusesNull, smallestBody, wrongValue } from '../support/endpoint-requests.js'
import { expectOfEach, expectRefusal } from '../support/every-endpoint.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { type Browser, isOfPages, member } from '../support/sign-in/browser.js'

const withBody = endpoints.filter(({ body }) => body !== undefined)
const schemaOf = ({ body }: Endpoint) => body?.schema ?? {}
/** A refusal names at most this many problems. */
const NAMED_MAX = 20

let service: Service
/** Our own page, with somebody signed in. */
let page: Browser
beforeAll(async () => {
  service = await startService()
  page = await member(service, 'owner')
})
afterAll(() => service.stop())

/** Who may ask at all. */
const askerOf = (endpoint: Endpoint): Pick<Browser, 'request'> => {
  if (isOfPages(endpoint)) return page
  return endpoint.isOrganizationWide ? service.demo.live : service.api
}

const send = (endpoint: Endpoint, body: unknown): Promise<Answer> =>
  askerOf(endpoint).request(endpoint.method, pathOf(endpoint), body)

/** Sends the fields in portions that one refusal can name, and demands that each is named. */
async function expectEachNamed(endpoint: Endpoint, wrong: readonly (readonly [string, unknown])[]): Promise<void> {
  for (let at = 0; at < wrong.length; at += NAMED_MAX) {
    const portion = Object.fromEntries(wrong.slice(at, at + NAMED_MAX))
    const answer = await send(endpoint, { ...smallestBody(endpoint), ...portion })
    expectRefusal(answer, 400, 'bad_request')
    const named = answer.body.error.details.map(({ path }: { path: string }) => path.split(/[.[]/)[0])
    expect(Object.keys(portion).filter((name) => !named.includes(name))).toEqual([])
  }
}

test('an unknown field is refused by name, whatever it is called', async () => {
  await expectOfEach(withBody, (endpoint) =>
    expectEachNamed(
      endpoint,
      ['nonsense', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'Title', ' title'].map(
        (name) => [name, 1] as const,
      ),
    ),
  )
})

test('an unknown field of a nested object is refused by its path', async () => {
  for (const [path, body, at] of [
    [
      '/tasks',
      { title: 'x', externalRefs: [{ system: 'a', externalId: 'b', nonsense: 1 }] },
      'externalRefs[0].nonsense',
    ],
    ['/locations', { geo: { lat: 1, lng: 2, alt: 3 } }, 'geo.alt'],
    [
      '/money-records',
      {
        recordType: 'fee',
        amountCents: 1,
        lineItems: [{ description: '', quantity: 1, unitAmountCents: 1, amountCents: 1 }, { x: 1 }],
      },
      'lineItems[1].x',
    ],
  ] as const) {
    const answer = await service.api.post(path, body)
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details).toContainEqual({
      path: at,
      message: 'is not a known field',
      code: 'unknown_field',
    })
  }
})

test('a key __proto__ is refused at any depth, and changes no prototype', async () => {
  await expectOfEach(withBody, async (endpoint) => {
    for (const body of ['{"__proto__":{"polluted":true}}', '{"customFields":{"a":[{"__proto__":1}]}}']) {
      expectRefusal(await send(endpoint, body), 400, 'bad_request')
    }
  })
  expect({}).not.toHaveProperty('polluted')
  const { error } = (await service.api.post('/people', '{"displayName":"x","customFields":{"a":{"__proto__":1}}}')).body
  expect(error.details[0]).toMatchObject({ path: 'customFields.a.__proto__', code: 'reserved_name' })
  expect(error.message).toContain('choose another name')
})

test('a value of the wrong type is refused by name; nothing is coerced', async () => {
  await expectOfEach(withBody, (endpoint) =>
    expectEachNamed(
      endpoint,
      Object.entries(propertiesOf(schemaOf(endpoint)))
        .map(([name, schema]) => [name, wrongValue(schema)] as const)
        .filter(([, value]) => value !== undefined),
    ),
  )
})

test('null is refused where a field cannot be null', async () => {
  await expectOfEach(withBody, (endpoint) =>
    expectEachNamed(
      endpoint,
      Object.entries(propertiesOf(schemaOf(endpoint)))
        .filter(([, schema]) => refusesNull(schema))
        .map(([name]) => [name, null] as const),
    ),
  )
})

test('a body that is no object is refused', async () => {
  await expectOfEach(withBody, async (endpoint) => {
    for (const body of ['[]', '[{}]', '"text"', '7', 'true', 'null']) {
      const answer = await send(endpoint, body)
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details).toEqual([{ path: '', message: 'The body must be a JSON object', code: 'type' }])
    }
  })
})

test('a missing body is 400 only where one is required', async () => {
  await expectOfEach(withBody, async (endpoint) => {
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }] as Record<
      string,
      string
    >[]) {
      const answer = await askerOf(endpoint).request(endpoint.method, pathOf(endpoint), '', headers)
      if (endpoint.body?.required) {
        expectRefusal(answer, 400, 'bad_request')
        expect(answer.body.error.details).toEqual([{ path: '', message: 'A JSON body is required', code: 'required' }])
      } else expect(`${answer.status} ${answer.body?.error?.code}`).not.toMatch(/^(400|415|5)/)
    }
  })
})

test('every missing required field is named at once', async () => {
  await expectOfEach(withBody, async (endpoint) => {
    const { required = [] } = schemaOf(endpoint) as { required?: readonly string[] }
    if (required.length === 0) return
    const answer = await send(endpoint, {})
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual([...required].sort())
  })
})

test('read-only fields are ignored in any body of a generic entity, so that a record can be sent back whole', async () => {
  const generic = withBody.filter(({ path, method }) =>
    entities.some((entity) => path === `/${entity.slug}${method === 'POST' ? '' : '/{id}'}`),
  )
  expect(generic.length).toBeGreaterThan(50)
  await expectOfEach(generic, async (endpoint) => {
    const entity = entities.find(({ slug }) => endpoint.path.split('/')[1] === slug)
    const ignored = Object.entries(entity ? fieldsOf(entity) : {}).filter(
      ([, schema]) => annotationsOf(schema).readOnly,
    )
    const body = {
      ...smallestBody(endpoint),
      ...Object.fromEntries(ignored.map(([name]) => [name, { of: 'no type at all' }])),
    }
    const answer = await send(endpoint, body)
    const issues: { path: string; code: string }[] = answer.status === 400 ? answer.body.error.details : []
    const named = issues.filter(({ code }) => code !== 'required').map(({ path }) => path)
    expect(ignored.map(([name]) => name).filter((name) => named.includes(name))).toEqual([])
    expect(answer.status).toBeLessThan(500)
  })
})

test('an enum value outside its list is refused, and the refusal tells the list', async () => {
  await expectOfEach(withBody, async (endpoint) => {
    const enums = Object.entries(propertiesOf(schemaOf(endpoint))).filter(
      ([, schema]) => annotationsOf(schema).enum !== undefined,
    )
    for (const [name, schema] of enums) {
      const answer = await send(endpoint, { ...smallestBody(endpoint), [name]: 'no such value' })
      expectRefusal(answer, 400, 'bad_request')
      const issue = answer.body.error.details.find(({ path }: { path: string }) => path === name)
      const values = annotationsOf(schema).enum?.filter((value) => value !== null) as string[]
      for (const value of values) expect(issue?.message).toContain(value)
    }
  })
})

test('text has its limit in characters, not in bytes or code units', async () => {
  const make = (title: string) => service.api.post('/tasks', { title })
  expect((await make('a'.repeat(255))).status).toBe(201)
  expect((await make('😀'.repeat(255))).body.title).toBe('😀'.repeat(255))
  expectRefusal(await make('a'.repeat(256)), 400, 'bad_request')
  expectRefusal(await make('😀'.repeat(256)), 400, 'bad_request')
  expect((await service.api.post('/tasks', { title: 'x', description: 'd'.repeat(20_000) })).status).toBe(201)
  expectRefusal(await service.api.post('/tasks', { title: 'x', description: 'd'.repeat(20_001) }), 400, 'bad_request')
  expectRefusal(await service.api.post('/tasks', { title: 'x', source: 'w'.repeat(65) }), 400, 'bad_request')
})

test('text that is made to be slow to read is refused quickly', async () => {
  const slow = withBody.filter((endpoint) =>
    Object.values(propertiesOf(schemaOf(endpoint))).some((schema) => annotationsOf(schema).format === 'email'),
  )
  expect(slow.length).toBeGreaterThan(5)
  const body = (size: number) => ({
    displayName: 'x',
    name: 'x',
    partyType: 'person',
    primaryEmail: `a@${'.'.repeat(size)},`,
  })
  const startedAt = performance.now()
  for (const endpoint of slow) expectRefusal(await send(endpoint, body(500_000)), 400, 'bad_request')
  expectRefusal(await service.api.get(`/people?primaryEmail=a@${'.'.repeat(12_000)},`), 400, 'bad_request')
  expect(performance.now() - startedAt).toBeLessThan(60_000)
})

const keyed = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))

test('a body of more values than any needs is refused before it is parsed, wherever they are', async () => {
  const issue = {
    path: '',
    message: `The body must have at most ${limits.bodyValues} values; send it in parts`,
    code: 'values',
  }
  const many = `[${'0,'.repeat(limits.bodyValues)}0]`
  // Were it parsed, the last of these would be refused as no JSON.
  const bodies = [keyed(70_000), `{"customFields":{"a":${many}}}`, many, `${many.slice(0, -1)}!`]
  for (const body of bodies) {
    const answer = await service.api.post('/tasks', body)
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error).toMatchObject({ message: issue.message, details: [issue] })
  }
  const { body: schema } = await service.api.get('/schema')
  expect(schema.limits.bodyValues).toBe(limits.bodyValues)
})

test('commas and brackets in texts are no values, and a full body of segments passes', async () => {
  const text = '[{,"\\,'.repeat(250)
  expect((await service.api.post('/tasks', { title: 'x', description: text.repeat(9) })).body.description).toBe(
    text.repeat(9),
  )
  const { body: call } = await service.api.post('/calls', {
    direction: 'inbound',
    from: '+15550100200',
    to: '+15559999999',
  })
  const segment = { speaker: 'agent', text: text.slice(0, 1_300), endMs: 500, confidence: 0.5, isFinal: true }
  const segments = Array.from({ length: limits.segmentsPerRequest }, (_, sequence) => ({
    sequence,
    startMs: sequence,
    ...segment,
  }))
  expect(JSON.stringify({ segments }).length).toBeGreaterThan(limits.bodyBytes * 0.8)
  const answer = await service.api.post(`/calls/${call.id}/segments`, { segments })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const disordered = await service.api.post(`/calls/${call.id}/segments`, {
    segments: segments.map((one) => ({ ...one, startMs: 501 })),
  })
  expectRefusal(disordered, 400, 'bad_request')
  expect(disordered.body.error.details).toHaveLength(NAMED_MAX)
})

test('a refusal is short, however many and however long the unknown fields are', async () => {
  for (const body of [
    keyed(19_000),
    { ['n'.repeat(500_000)]: 1 },
    { externalRefs: [keyed(10_000)], ['😀'.repeat(1_000)]: 1 },
  ]) {
    const answer = await service.api.post('/tasks', { title: 'x', ...body })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details.length).toBeLessThanOrEqual(NAMED_MAX)
    expect(answer.text.length).toBeLessThan(10_000)
    expect(answer.text.isWellFormed()).toBe(true)
  }
})

test('a problem of the body as a whole reads as one sentence', async () => {
  for (const [body, message] of [
    ['[]', 'The body must be a JSON object'],
    ['', 'A JSON body is required'],
    ['"\\u0000"', 'The body must not contain NUL bytes'],
    ['{', /^The body is not valid JSON: /],
  ] as const) {
    const { error } = (await service.api.post('/tasks', body, { 'content-type': 'application/json' })).body
    if (typeof message === 'string') expect(error).toMatchObject({ message, details: [{ path: '', message }] })
    else expect(error.message).toMatch(message)
  }
  const { error } = (await service.api.post('/people/upsert', { customFields: {} })).body
  expect(error.message).toMatch(/^One of displayName, .* is required$/)
})

test('every generic entity that takes a creation takes its smallest body', async () => {
  const special = [
    'calls',
    'sms',
    'messages',
    'voicemails',
    'drafts',
    'facts',
    'fact-definitions',
    'signal-definitions',
    'signal-events',
    'work-type-definitions',
  ]
  const plain = entities
    .filter((entity) => takes(entity, 'create') && !special.includes(entity.slug))
    .map(({ slug }) => `/${slug}`)
  const creations = endpoints.filter(({ method, path }) => method === 'POST' && plain.includes(path))
  expect(creations.length).toBe(plain.length)
  const { sandbox } = await service.organization('With nothing yet')
  await expectOfEach(creations, async (endpoint) => {
    const answer = await sandbox.post(endpoint.path, smallestBody(endpoint))
    expect(answer.status, answer.text).toBe(201)
    const schema = endpoint.returns.schema ?? {}
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys(propertiesOf(schema)).sort())
    expect(answer.body.version).toBe(1)
  })
})
