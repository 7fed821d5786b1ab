// Whatever is sent to whichever endpoint, the answer is never that something broke: generated bodies, mutated bodies,
// broken bytes, odd headers and queries.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.js'
import { endpoints } from '../../src/resources/index.js'
import { objectOf, propertyRuns, wireJson, wireText } from '../support/arbitraries.js'
import { isRead, nameOf, pathOf, propertiesOf, slugOf, smallestBody } from '../support/endpoint-requests.js'
import { eachOf } from '../support/every-endpoint.js'
import { plantOneOfEach } from '../support/planted-records.js'
import { type Service, startService } from '../support/service.js'

const writes = endpoints.filter((endpoint) => !isRead(endpoint))
const RUNS = Math.ceil(propertyRuns * 0.4)

let service: Service
/** A record for each path to aim at, so that a body gets past "no such record" into the rules. */
let targets: Map<string, string>
beforeAll(async () => {
  service = await startService()
  targets = new Map((await plantOneOfEach(service, service.api)).map(({ entity, id }) => [entity.slug, id]))
})
afterAll(() => service.stop())

interface Sending {
  readonly query?: string
  readonly body?: string | undefined
  readonly headers?: Record<string, string>
}

/** Whom an overloaded machine turns away comes again, as `Retry-After` asks; what a request breaks, it breaks each time. */
async function statusOf(endpoint: Endpoint, sending: Sending): Promise<number> {
  let status = 503
  for (let times = 0; status === 503 && times < 4; times++) status = await statusOfOne(endpoint, sending)
  return status
}

/** Only the status is waited for: some answers are streams that do not end by themselves. */
async function statusOfOne(endpoint: Endpoint, { query = '', body, headers = {} }: Sending): Promise<number> {
  const response = await fetch(`${service.url}/api/v1${pathOf(endpoint, targets.get(slugOf(endpoint)))}?${query}`, {
    method: endpoint.method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${service.api.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  await response.body?.cancel()
  return response.status
}

/** JSON text that a strict reader must survive, written by hand because no JSON value has these. */
const hostileTexts = [
  '1e400',
  '-1e400',
  '123456789012345678901234567890',
  '"\\ud800"',
  '"\\u0000"',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  `"${'x'.repeat(300_000)}"`,
  `[${'0,'.repeat(50_000)}0]`,
  '"\\u202e\\ufeff"',
  '"9999-12-31T23:59:59.999999999-23:59"',
  '"\' or 1=1 --"',
  '"${7*7}"',
]

/** A valid body with one of its fields, known or not, set to something else. */
const mutated = (endpoint: Endpoint): fc.Arbitrary<string> => {
  const fields = Object.keys(propertiesOf(endpoint.body?.schema ?? {}))
  const field = fc.constantFrom(...fields, 'externalRefs', 'version', 'id', 'constructor', '__proto__', 'nonsense')
  const value = fc.oneof(
    wireJson.map((one) => JSON.stringify(one)),
    fc.constantFrom(...hostileTexts),
    wireText(300).map((one) => JSON.stringify(one)),
  )
  const valid = endpoint.body
    ? fc.oneof(
        fc.constant(smallestBody(endpoint) ?? {}),
        objectOf(endpoint.body.schema).map(({ sent }) => sent as object),
      )
    : fc.constant({})
  return fc.tuple(valid, field, value).map(([body, name, text]) => {
    const { [name as keyof object]: _, ...rest } = body as Record<string, unknown>
    const entries = Object.entries(rest).map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`)
    return `{${[...entries, `${JSON.stringify(name)}:${text}`].join(',')}}`
  })
}

const anyBody = (endpoint: Endpoint): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: mutated(endpoint) },
    { weight: 1, arbitrary: wireJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
  )

test('no JSON body at any endpoint gives a 5xx', async () => {
  const broken = await eachOf(writes, async (endpoint) => {
    const found = await fc.check(
      fc.asyncProperty(anyBody(endpoint), fc.boolean(), async (body, isKeyed) => {
        return (await statusOf(endpoint, { body, headers: isKeyed ? { 'idempotency-key': 'hostile' } : {} })) < 500
      }),
      { numRuns: RUNS },
    )
    return found.failed ? [`${nameOf(endpoint)} ${JSON.stringify(found.counterexample)?.slice(0, 1_000)}`] : []
  })
  expect(broken.flat()).toEqual([])
})

test('no query at any endpoint gives a 5xx', async () => {
  const texts = fc.oneof(
    wireText(60),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e9',
      '9'.repeat(400),
      '2026-01-01',
      "'",
      '%',
      '*:*',
      '& | !',
      '"',
      '\\',
      ',,,',
      'null',
      'true',
      '*',
    ),
  )
  const broken = await eachOf(endpoints, async (endpoint) => {
    const names = fc.constantFrom(...Object.keys(endpoint.query ?? {}), 'q', 'limit', 'cursor')
    const found = await fc.check(
      fc.asyncProperty(fc.array(fc.tuple(names, texts), { minLength: 1, maxLength: 3 }), async (parameters) => {
        const query = new URLSearchParams(parameters).toString()
        const body = isRead(endpoint) ? undefined : '{}'
        return (await statusOf(endpoint, { query, body })) < 500
      }),
      { numRuns: RUNS },
    )
    return found.failed ? [`${nameOf(endpoint)} ${JSON.stringify(found.counterexample)}`] : []
  })
  expect(broken.flat()).toEqual([])
})

test('no header at any endpoint gives a 5xx', async () => {
  const names = [
    'if-match',
    'if-none-match',
    'idempotency-key',
    'x-request-id',
    'accept-encoding',
    'accept',
    'content-type',
    'cookie',
    'range',
    'x-parley-environment',
    'expect-ct',
  ]
  const values = [
    '',
    '*',
    '"',
    '"1',
    'W/',
    ',,,',
    '\u00ff',
    'a'.repeat(4_000),
    '__session=x',
    'bytes=0-',
    '-1',
    'gzip;q=nonsense',
    'application/json; charset=nonsense',
  ]
  const broken = await eachOf(endpoints, async (endpoint, index) => {
    const complaints = []
    // A third of the headers at each endpoint, every pair of header and value at some.
    for (const [at, name] of names.entries()) {
      if ((index + at) % 3 !== 0) continue
      const value = values[(index + at * 5) % values.length] as string
      const body = isRead(endpoint) ? undefined : JSON.stringify(smallestBody(endpoint) ?? {})
      const status = await statusOf(endpoint, { body, headers: { [name]: value } })
      if (status >= 500) complaints.push(`${nameOf(endpoint)} ${name}: ${value.slice(0, 40)} → ${status}`)
    }
    return complaints
  })
  expect(broken.flat()).toEqual([])
})
