// The session cookie over HTTP, from a real OpenID provider: who may do what, on which side, from which page, and what
// happens beside a key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userIdOf } from '../../../src/http/gate/session.js'
import { setEnabled } from '../../../src/program/create-organization.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Answer, type Service, startService } from '../../support/service.js'
import { makeSigningKey, namedUser, OpenIdIssuer, uuidUser } from '../../support/sign-in/openid-issuer.js'

const audience = 'urn:parley:cockpit'

let issuer: OpenIdIssuer
let service: Service
beforeAll(async () => {
  issuer = await OpenIdIssuer.start(await makeSigningKey('RS256', 'first'))
  service = await startService({ PARLEY_OIDC_ISSUER: issuer.url, PARLEY_OIDC_AUDIENCE: audience })
})
afterAll(async () => {
  await service.stop()
  await issuer.stop()
})

const tokenOf = (role: string, { org = service.demo.id, user = uuidUser } = {}) =>
  issuer.mint(user, audience, { org_id: org, role })

interface Sending {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A browser's request with the cookie; `fetch` sends no Authorization unless it is among the headers. */
async function browse(
  token: string,
  method: string,
  path: string,
  { body, headers = {} }: Sending = {},
): Promise<Answer> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      cookie: `theme=dark; __session=${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}
const sameOrigin = () => ({ origin: service.url })

describe('a role', () => {
  test.each([
    ['viewer', [200, 403, 403]],
    ['agent', [200, 201, 403]],
    ['owner', [200, 201, 201]],
  ])('%s reads, writes and administers as its scope says: %j', async (role, expected) => {
    const token = await tokenOf(role)
    const answers = [
      await browse(token, 'GET', '/tasks'),
      await browse(token, 'POST', '/tasks', { body: { title: 'x' }, headers: sameOrigin() }),
      await browse(token, 'POST', '/api-keys', { body: { name: 'x', scope: 'READ' }, headers: sameOrigin() }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(expected)
    for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).not.toBeNull()
  })
})

describe('the side', () => {
  test('is production, unless the header asks for the sandbox', async () => {
    const token = await tokenOf('owner')
    const environmentOf = async (headers: Record<string, string>) =>
      (await browse(token, 'GET', '/organization', { headers })).body.environment
    expect(await environmentOf({})).toBe('production')
    expect(await environmentOf({ 'x-parley-environment': 'sandbox' })).toBe('sandbox')
    expect(await environmentOf({ 'x-parley-environment': 'production' })).toBe('production')
    const made = await browse(token, 'POST', '/tasks', {
      body: { title: 'In the sandbox' },
      headers: { ...sameOrigin(), 'x-parley-environment': 'sandbox' },
    })
    expect((await service.api.get(`/tasks/${made.body.id}`)).status).toBe(200)
    expect((await service.demo.live.get(`/tasks/${made.body.id}`)).status).toBe(404)
  })

  test.each(['', 'Sandbox', 'test', 'sandbox,production'])('cannot be %j, for a session or a key', async (side) => {
    const headers = { 'x-parley-environment': side }
    for (const answer of [
      await browse(await tokenOf('owner'), 'GET', '/organization', { headers }),
      await service.api.get('/organization', headers),
    ]) {
      expectRefusal(answer, 400, 'bad_request')
      expect(answer.body.error.details).toEqual([
        { path: 'X-Parley-Environment', message: 'must be sandbox or production', code: 'header' },
      ])
    }
  })

  test('of a key is its own, whatever the header says', async () => {
    expect((await service.demo.live.get('/organization', { 'x-parley-environment': 'sandbox' })).body.environment).toBe(
      'production',
    )
    expect((await service.api.get('/organization', { 'x-parley-environment': 'production' })).body.environment).toBe(
      'sandbox',
    )
  })
})

describe('a write', () => {
  test.each([
    ['without an origin', {}],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of no origin at all', { origin: 'null' }],
    ['across sites', { 'sec-fetch-site': 'cross-site' }],
    ['from a neighbouring site', { 'sec-fetch-site': 'same-site' }],
  ] as [string, Record<string, string>][])('%s is 403, whatever the method', async (_, headers) => {
    const token = await tokenOf('owner')
    for (const [method, path] of [
      ['POST', '/tasks'],
      ['PATCH', `/tasks/${nobodysId}`],
      ['PUT', `/tasks/${nobodysId}`],
      ['DELETE', `/tasks/${nobodysId}`],
    ] as const) {
      const answer = await browse(token, method, path, {
        body: method === 'DELETE' ? undefined : { title: 'x' },
        headers,
      })
      expectRefusal(answer, 403, 'forbidden')
      expect(answer.body.error.details).toEqual({ reason: 'cross_origin' })
    }
    expect((await browse(token, 'GET', '/tasks', { headers })).status).toBe(200)
  })

  test('of our own pages is made, in the name of the user', async () => {
    const token = await tokenOf('agent', { user: namedUser })
    const made = await browse(token, 'POST', '/customers', {
      body: { displayName: 'By hand' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(made.status).toBe(201)
    const history = await browse(token, 'GET', `/field-history-entries?entityId=${made.body.id}`)
    expect(history.body.data[0].actor).toEqual({ type: 'user', id: userIdOf(issuer.url, namedUser) })
  })
})

describe('beside a key', () => {
  test('the key wins, good or bad: no origin is asked for, and a bad key is not saved by a good cookie', async () => {
    const token = await tokenOf('viewer')
    const byKey = await browse(token, 'POST', '/tasks', {
      body: { title: 'x' },
      headers: { authorization: `Bearer ${service.api.key}` },
    })
    expect(byKey.status).toBe(201)
    expect((await service.api.get(`/tasks/${byKey.body.id}`)).status).toBe(200)
    expectRefusal(
      await browse(token, 'GET', '/tasks', { headers: { authorization: 'Bearer ak_test_x' } }),
      401,
      'unauthorized',
    )
    expectRefusal(
      await browse(token, 'GET', '/tasks', { headers: { authorization: 'Basic x' } }),
      401,
      'unsupported_auth_scheme',
    )
  })
})

describe('no session', () => {
  test('is what a token of another audience, of an unknown organization, or no token at all makes', async () => {
    for (const token of [
      await issuer.mint(uuidUser, 'urn:other', { org_id: service.demo.id, role: 'owner' }),
      await tokenOf('owner', { org: nobodysId }),
      'garbage',
      '',
    ]) {
      const answer = await browse(token, 'GET', '/tasks')
      expectRefusal(answer, 401, 'unauthorized')
      expect(answer.body.error).not.toHaveProperty('details')
    }
  })

  test('is limited for each address like any failed authentication, and a good one is not touched by it', async () => {
    const other = await startService({ PARLEY_OIDC_ISSUER: issuer.url, PARLEY_OIDC_AUDIENCE: audience })
    const statusWith = async (token: string) => {
      const response = await fetch(`${other.url}/api/v1/tasks`, { headers: { cookie: `__session=${token}` } })
      await response.body?.cancel()
      return response.status
    }
    const answers = await Promise.all(Array.from({ length: 150 }, () => statusWith('garbage')))
    expect(answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(40)
    expect(answers).toContain(429)
    expect(await statusWith(await issuer.mint(uuidUser, audience, { org_id: other.demo.id, role: 'owner' }))).toBe(200)
    await other.stop()
  })

  test('of a disabled organization is 403', async () => {
    const closed = await service.organization('Closed')
    await setEnabled(service.database, closed.id, false)
    const answer = await browse(await tokenOf('owner', { org: closed.id }), 'GET', '/tasks')
    expectRefusal(answer, 403, 'forbidden')
    expect(answer.body.error.details).toEqual({ reason: 'organization_disabled' })
  })

  test('is believed by a server without an issuer', async () => {
    const other = await startService()
    const token = await issuer.mint(uuidUser, audience, { org_id: other.demo.id, role: 'owner' })
    const response = await fetch(`${other.url}/api/v1/tasks`, { headers: { cookie: `__session=${token}` } })
    await response.body?.cancel()
    expect(response.status).toBe(401)
    await other.stop()
  })
})
