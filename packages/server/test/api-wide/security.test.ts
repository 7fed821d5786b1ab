// Every endpoint, whoever wrote it: what it refuses, in which order, and what it gives away while refusing. A new
// endpoint is covered here from the moment it stands in the table of contents.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import { setEnabled } from '../../src/program/create-organization.js'
import { endpoints } from '../../src/resources/index.js'
import {
  fittingBody,
  isForKeys,
  isRead,
  nameOf,
  nobodysId,
  pathOf,
  slugOf,
  smallestBody,
  takesId,
} from '../support/endpoint-requests.js'
import { expectOfEach, expectRefusal } from '../support/every-endpoint.js'
import { describePlanted, type Planted, plantOneOfEach } from '../support/planted-records.js'
import { type Answer, type Client, type Service, startService } from '../support/service.js'

const guarded = endpoints.filter(isForKeys)
const writes = guarded.filter((endpoint) => !isRead(endpoint))
const withJson = writes.filter(({ body }) => body !== undefined)

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_TRUST_PROXY: 'true' })
})
afterAll(() => service.stop())

let callers = 0
/** Failed authentication is limited per address, so every request here comes from another one. */
const address = () => {
  callers++
  return { 'x-forwarded-for': `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}` }
}

/** Two of many ways to be wrong at each endpoint, and every one of them at some. */
const twoOf = <T>(ways: readonly T[], endpoint: Endpoint): T[] =>
  [0, 1].map((step) => ways[(endpoints.indexOf(endpoint) * 2 + step) % ways.length] as T)

interface Sending {
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly id?: string
  readonly query?: string
}

const send = (
  client: Client,
  endpoint: Endpoint,
  { headers = {}, body, id, query = '' }: Sending = {},
): Promise<Answer> => client.request(endpoint.method, pathOf(endpoint, id) + query, body, { ...address(), ...headers })

/** What belongs to the whole organization is written with a live key. */
const keyFor = ({ isOrganizationWide }: Endpoint): Client => (isOrganizationWide ? service.demo.live : service.api)

describe('what is about a signed-in user', () => {
  const forUsers = endpoints.filter(({ scope }) => scope === 'user')

  test('is refused without a session, and with a key', async () => {
    await expectOfEach(forUsers, async (endpoint) => {
      const response = await fetch(`${service.url}/api/v1${pathOf(endpoint)}`, {
        method: endpoint.method,
        headers: { ...address(), cookie: `__session=${'A'.repeat(43)}` },
      })
      expect([response.status, (await response.json()) as object]).toMatchObject([
        401,
        { error: { code: 'unauthorized' } },
      ])
      const byKey = await send(service.demo.live, endpoint)
      expectRefusal(byKey, 403, 'forbidden')
      expect(byKey.body.error.details).toEqual({ reason: 'session' })
    })
  })
})

describe('what belongs to the whole organization', () => {
  test('is not written with a key of the sandbox', async () => {
    await expectOfEach(
      writes.filter(({ isOrganizationWide }) => isOrganizationWide),
      async (endpoint) => {
        const answer = await send(service.api, endpoint, fittingBody(endpoint))
        expectRefusal(answer, 403, 'forbidden')
        expect(answer.body.error.details).toEqual({ reason: 'live_key' })
      },
    )
  })
})

describe('without good credentials', () => {
  test.each([
    ['no Authorization header', ''],
    ['an empty Bearer', 'Bearer'],
    ['a key of the wrong shape', 'Bearer ak_test_short'],
    ['a key in lower case', 'Bearer ak_test_0123456789abcdefghjkmnpqrstvwxyz'],
    ['a well-formed key that nobody minted', 'Bearer ak_live_0123456789ABCDEFGHJKMNPQRSTVWXYZ'],
    ['a key with something after it', 'Bearer ak_live_0123456789ABCDEFGHJKMNPQRSTVWXYZ x'],
  ])('every endpoint refuses %s, and does not say why', async (_, authorization) => {
    await expectOfEach(guarded, async (endpoint) => {
      const response = await fetch(`${service.url}/api/v1${pathOf(endpoint)}`, {
        method: endpoint.method,
        headers: { ...address(), ...(authorization && { authorization }) },
      })
      const text = await response.text()
      expectRefusal(
        { status: response.status, headers: response.headers, text, body: JSON.parse(text) },
        401,
        'unauthorized',
      )
      expect(JSON.parse(text).error).not.toHaveProperty('details')
    })
  })

  test.each(['Basic YTpi', 'Token abc', 'Digest username="x"', 'ak_test_0123456789ABCDEFGHJKMNPQRSTVWXYZ'])(
    'every endpoint refuses the scheme of "%s" and names the one it takes',
    async (authorization) => {
      await expectOfEach(guarded, async (endpoint) => {
        const answer = await send(service.api, endpoint, { headers: { authorization } })
        expectRefusal(answer, 401, 'unsupported_auth_scheme')
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
        expect(answer.body.error.details).toEqual({ supported: ['Bearer'] })
      })
    },
  )

  test('every endpoint refuses a revoked key', async () => {
    const client = await service.keyOf(service.demo.id, 'sandbox', 'ADMIN')
    const { body: me } = await client.get('/schema')
    expect((await service.api.delete(`/api-keys/${me.key.id}`)).status).toBe(204)
    await expectOfEach(guarded, async (endpoint) => expectRefusal(await send(client, endpoint), 401, 'unauthorized'))
  })

  test('every endpoint refuses an expired key', async () => {
    const client = await service.keyOf(service.demo.id, 'sandbox', 'ADMIN')
    const { body: me } = await client.get('/schema')
    await service.database.query(
      sql`update api_keys set expires_at = now() - interval '1 second' where id = ${me.key.id}`,
    )
    await expect.poll(async () => (await client.get('/schema', address())).status).toBe(401)
    await expectOfEach(guarded, async (endpoint) => expectRefusal(await send(client, endpoint), 401, 'unauthorized'))
  })

  test('every endpoint refuses both environments of a disabled organization', async () => {
    const closed = await service.organization('Closed')
    await setEnabled(service.database, closed.id, false)
    for (const client of [closed.sandbox, closed.live]) {
      await expectOfEach(guarded, async (endpoint) => {
        const answer = await send(client, endpoint)
        expectRefusal(answer, 403, 'forbidden')
        expect(answer.body.error.details).toEqual({ reason: 'organization_disabled' })
      })
    }
  })
})

describe('with too low a scope', () => {
  const lower = { WRITE: 'READ', ADMIN: 'WRITE' } as const

  test('a key learns nothing from a write: 403 comes before malformed JSON, unknown parameters and absent records', async () => {
    const keys = {
      READ: await service.keyOf(service.demo.id, 'sandbox', 'READ'),
      WRITE: await service.keyOf(service.demo.id, 'sandbox', 'WRITE'),
    }
    await expectOfEach(
      guarded.filter(({ scope }) => scope in lower),
      async (endpoint) => {
        const client = keys[lower[endpoint.scope as keyof typeof lower]]
        const sendings: Sending[] = [{}, { id: 'no-uuid' }, { query: '?nonsense=1' }]
        if (!isRead(endpoint))
          sendings.push(
            { body: '{"broken":' },
            { body: 'text', headers: { 'content-type': 'text/plain' } },
            { headers: { 'idempotency-key': '' } },
          )
        for (const sending of sendings) {
          const answer = await send(client, endpoint, sending)
          expectRefusal(answer, 403, 'forbidden')
          expect(answer.body.error.details).toEqual({ reason: 'scope', requiredScope: endpoint.scope })
        }
      },
    )
  })

  test('no write takes a READ key', () => {
    // A preview asks with a body, and changes nothing.
    expect(writes.filter(({ scope }) => scope === 'READ' || scope === 'any').map(nameOf)).toEqual([
      'POST /extractions/preview',
    ])
  })
})

describe('ids of others', () => {
  /**
   * The id of one thing of each kind, by the first part of its path: records are planted, the rest is made or found by
   * the API.
   */
  async function idsOfEach(owner: Client, planted: readonly Planted[]): Promise<Map<string, string>> {
    const ids = new Map(planted.map(({ entity, id }) => [entity.slug, id]))
    for (const endpoint of endpoints.filter(
      ({ method, path }) => method === 'POST' && !ids.has(path.slice(1)) && path.split('/').length === 2,
    )) {
      const { body } = await owner.post(endpoint.path, smallestBody(endpoint))
      if (typeof body?.id === 'string') ids.set(slugOf(endpoint), body.id)
    }
    for (const slug of guarded
      .filter((endpoint) => takesId(endpoint) && !endpoint.isOrganizationWide)
      .map(slugOf)
      .filter((one) => !ids.has(one))) {
      // The event log shows nothing above the oldest open transaction of the whole database server, so an event may
      // take a moment to appear.
      await expect.poll(async () => (await owner.get(`/${slug}`)).body.data.length).toBeGreaterThan(0)
      const [first] = (await owner.get(`/${slug}`)).body.data
      ids.set(slug, first.id ?? first.eventId)
    }
    return ids
  }

  test('a record of another organization, or of the other environment, is absent to every endpoint and stays as it is', async () => {
    const other = await service.organization('Another')
    const withId = guarded.filter((endpoint) => takesId(endpoint) && !endpoint.isOrganizationWide)
    for (const [owner, stranger] of [
      [other.sandbox, service.api],
      [service.demo.live, service.api],
      [service.api, service.demo.live],
    ] as const) {
      // A task is made too, so that there is an event to look for.
      expect((await owner.post('/tasks', { title: 'Mine' })).status).toBe(201)
      const planted = await plantOneOfEach(service, owner)
      const ids = await idsOfEach(owner, planted)
      expect([...new Set(withId.map(slugOf))].filter((slug) => !ids.has(slug))).toEqual([])
      const before = await describePlanted(service, planted)
      await expectOfEach(withId, async (endpoint) => {
        const answer = await send(stranger, endpoint, {
          ...fittingBody(endpoint),
          id: ids.get(slugOf(endpoint)) as string,
        })
        expectRefusal(answer, 404, 'not_found')
        expect(answer.body.error).not.toHaveProperty('details')
      })
      expect(await describePlanted(service, planted)).toBe(before)
    }
  })

  test('a path id that is no UUID is absent, and so is one that nobody has', async () => {
    const withId = guarded.filter((endpoint) => takesId(endpoint) && endpoint.plainParams === undefined)
    const odd = ['x', '0', '-1', 'null', '%00', `${nobodysId}x`, nobodysId.replace('-', ''), "1'or'1'='1", 'é']
    await expectOfEach(withId, async (endpoint) => {
      for (const id of [...twoOf(odd, endpoint), nobodysId])
        expectRefusal(await send(keyFor(endpoint), endpoint, { ...fittingBody(endpoint), id }), 404, 'not_found')
    })
  })
})

describe('requests of the wrong shape', () => {
  test('malformed JSON is 400 at every write', async () => {
    const malformed = ['{"title":', '{', "{'a':1}", '{"a":1}{', 'undefined', '{"a":NaN}']
    const readingJson = writes.filter(({ receive }) => receive === undefined)
    await expectOfEach(readingJson, async (endpoint) => {
      for (const body of twoOf(malformed, endpoint)) {
        const answer = await send(keyFor(endpoint), endpoint, { body })
        expectRefusal(answer, 400, 'bad_request')
        expect(answer.body.error.details).toEqual([
          { path: '', message: expect.stringContaining('not valid JSON'), code: 'json' },
        ])
      }
    })
  })

  test('a body that is not JSON is 415 at every endpoint that takes JSON', async () => {
    const others = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ]
    await expectOfEach(withJson, async (endpoint) => {
      for (const type of twoOf(others, endpoint)) {
        expectRefusal(
          await send(keyFor(endpoint), endpoint, { body: '{}', headers: { 'content-type': type } }),
          415,
          'unsupported_media_type',
        )
      }
    })
  })

  test('an unknown query parameter is refused by name at every endpoint', async () => {
    await expectOfEach(guarded, async (endpoint) => {
      for (const name of twoOf(['nonsense', 'constructor', '__proto__', 'toString'], endpoint)) {
        const answer = await send(keyFor(endpoint), endpoint, { ...fittingBody(endpoint), query: `?${name}=1` })
        expectRefusal(answer, 400, 'bad_request')
        expect(answer.body.error.details[0]).toMatchObject({ path: name, code: 'unknown_parameter' })
      }
    })
  })

  test('HEAD is taken wherever GET is, and ends without a body', async () => {
    await expectOfEach(guarded.filter(isRead), async ({ path }) => {
      const response = await fetch(`${service.url}/api/v1${pathOf({ path })}`, {
        method: 'HEAD',
        redirect: 'manual',
        headers: { authorization: `Bearer ${service.api.key}` },
        signal: AbortSignal.timeout(60_000),
      })
      expect(await response.text()).toBe('')
      expect([200, 302, 400, 404]).toContain(response.status)
      expect(response.headers.get('x-request-id')).toMatch(/\S/)
    })
  })

  test('a method that a path does not take is 405 and says which it does', async () => {
    await expectOfEach(
      endpoints.filter(({ path }, index) => endpoints.findIndex((other) => other.path === path) === index),
      async ({ path, scope }) => {
        const taken = new Set(endpoints.filter((other) => other.path === path).map(({ method }) => method as string))
        if (taken.has('GET')) taken.add('HEAD')
        for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].filter((one) => !taken.has(one))) {
          const answer = await service.api.request(method, pathOf({ path }))
          expectRefusal(answer, 405, 'method_not_allowed')
          expect(new Set(answer.headers.get('allow')?.split(', '))).toEqual(taken)
          expect(new Set(answer.body.error.details.allowed)).toEqual(taken)
          if (scope === 'none') continue
          const unknown = await fetch(`${service.url}/api/v1${pathOf({ path })}`, { method, headers: address() })
          expect(unknown.status).toBe(401)
          await unknown.body?.cancel()
        }
      },
    )
  })
})
