// Sessions of those who signed in here: how one begins and ends, what it may do and where, and that no other page can
// use it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { makeSignInLink } from '../../../src/program/operator-sign-in.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Service, startService } from '../../support/service.js'
import { addMember, Browser, makeUser, member, signInAs, tokenOf } from '../../support/sign-in/browser.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const nobody = { user: null, organizations: [], session: null, signIn: { openId: null, mail: false } }

describe('a sign-in link', () => {
  test('signs in once: the cookie is new, out of reach of scripts, and only its hash is kept', async () => {
    const user = await makeUser(service, service.demo.id, 'owner')
    const { url } = await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
    expect(url).toMatch(/\/sign-in#[\w-]{43}$/)
    const browser = new Browser(service.url)
    const answer = await browser.post('/session/exchange', { token: tokenOf(url) })
    expect(answer.body).toMatchObject({
      purpose: 'sign_in',
      link: null,
      session: {
        user: { id: user.id, email: user.email, hasPassword: false, identities: [] },
        organizations: [{ id: service.demo.id, name: 'Demo', role: 'owner' }],
      },
    })
    expect(browser.setCookie).toMatch(/^__session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    const kept = await service.database.query(
      sql`select to_jsonb(s)::text as row from user_sessions s union all select to_jsonb(l)::text from one_time_links l`,
    )
    expect(JSON.stringify(kept)).not.toContain(browser.session)
    expect(JSON.stringify(kept)).not.toContain(tokenOf(url))
    expect((await browser.get('/session')).body).toEqual(answer.body.session)
    const again = await new Browser(service.url).post('/session/exchange', { token: tokenOf(url) })
    expectRefusal(again, 422, 'unprocessable')
    expect(again.body.error.details).toEqual({ reason: 'link_spent' })
    expect(again.headers.getSetCookie()).toEqual([])
  })

  test('is taken once by twenty at a time', async () => {
    const user = await makeUser(service, service.demo.id)
    const { url } = await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
    const body = { token: tokenOf(url) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => new Browser(service.url).post('/session/exchange', body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)])
    const [row] = await service.database.query(
      sql`select count(*)::int as sessions from user_sessions where user_id = ${user.id}`,
    )
    expect(row).toEqual({ sessions: 1 })
  })

  test('is no good when it has expired, when a newer one was made, or when it is anything else', async () => {
    const user = await makeUser(service, service.demo.id)
    const early = new Date(Date.now() - 15 * 60_000 - 1)
    const expired = await makeSignInLink(service.database, service.url, { email: user.email }, early)
    const old = await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
    await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
    for (const token of [tokenOf(expired.url), tokenOf(old.url), 'x', 'é'.repeat(43), 'A'.repeat(43)])
      expectRefusal(await new Browser(service.url).post('/session/exchange', { token }), 422, 'unprocessable')
  })

  test('made for an organization without an owner makes one', async () => {
    const lonely = await service.organization('Lonely')
    const { url } = await makeSignInLink(service.database, service.url, { org: lonely.id }, new Date())
    const answer = await new Browser(service.url).post('/session/exchange', { token: tokenOf(url) })
    expect(answer.body.session.organizations).toEqual([{ id: lonely.id, name: 'Lonely', role: 'owner' }])
  })

  test('over https marks the cookie as secure, and signing in again ends the session before', async () => {
    const secure = await service.node({ PARLEY_PUBLIC_URL: 'https://parley.example.com' })
    const user = await makeUser(service, service.demo.id)
    const first = await signInAs(service, user, secure.url)
    expect(first.setCookie).toMatch(/; Secure$/)
    const before = first.at(service.demo.id)
    const { url } = await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
    expect((await first.post('/session/exchange', { token: tokenOf(url) })).status).toBe(200)
    expect(first.session).not.toBe(before.session)
    expect((await before.get('/tasks')).status).toBe(401)
    expect((await first.at(service.demo.id).get('/tasks')).status).toBe(200)
  })
})

describe('a session', () => {
  test.each([
    ['viewer', [200, 403, 403]],
    ['agent', [200, 201, 403]],
    ['owner', [200, 201, 201]],
  ] as const)('of a(n) %s reads, writes and administers as the role says: %j', async (role, expected) => {
    const browser = await member(service, role)
    expect([
      (await browser.get('/tasks')).status,
      (await browser.post('/tasks', { title: 'Ring back' })).status,
      (await browser.post('/api-keys', { name: 'ci', scope: 'READ' })).status,
    ]).toEqual(expected)
  })

  test('acts in the name of the user', async () => {
    const browser = await member(service, 'agent')
    const { body } = await browser.post('/customers', { displayName: 'By hand' })
    const history = await browser.get(`/field-history-entries?entityId=${body.id}`)
    expect(history.body.data[0].actor).toEqual({ type: 'user', id: browser.user.id })
  })

  test('is needed for nothing that a page asks first, and nobody is signed in without one', async () => {
    const browser = new Browser(service.url)
    expect((await browser.get('/session')).body).toEqual(nobody)
    browser.session = 'A'.repeat(43)
    expect((await browser.get('/session')).body).toEqual(nobody)
    expect((await browser.at(service.demo.id).get('/tasks')).status).toBe(401)
    expect((await browser.delete('/session')).status).toBe(204)
    expect((await new Browser(service.url).get('/sessions')).status).toBe(401)
  })

  test('ends by signing out: here and on every other node, at once', async () => {
    const node = await service.node()
    const browser = await member(service, 'owner')
    const elsewhere = browser.via(node.url)
    expect((await elsewhere.get('/tasks')).status).toBe(200)
    const out = await browser.delete('/session')
    expect(out.status).toBe(204)
    expect(browser.setCookie).toBe('__session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect((await elsewhere.get('/tasks')).status).toBe(401)
  })

  test('lapses when it is not used, and after its lifetime however much it is used', async () => {
    const browser = await member(service, 'owner')
    const other = await member(service, 'owner')
    await service.database.query(sql`update user_sessions set last_used_at = now() - interval '169 hours'
      where user_id = ${browser.user.id}`)
    await service.database.query(sql`update user_sessions set expires_at = now() - interval '1 second'
      where user_id = ${other.user.id}`)
    expect((await browser.get('/tasks')).status).toBe(401)
    expect((await other.get('/tasks')).status).toBe(401)
  })

  test('that is used does not lapse', async () => {
    const node = await service.node({ PARLEY_SESSION_IDLE_TIMEOUT: '1h' })
    const browser = await member(service, 'owner')
    await service.database.query(sql`update user_sessions set last_used_at = now() - interval '50 minutes'
      where user_id = ${browser.user.id}`)
    const elsewhere = browser.via(node.url)
    expect((await elsewhere.get('/tasks')).status).toBe(200)
    const isFresh = async () => {
      const [row] = await service.database.query(sql`select last_used_at > now() - interval '40 minutes' as fresh
        from user_sessions where user_id = ${browser.user.id}`)
      return row?.['fresh']
    }
    await expect.poll(isFresh).toBe(true)
  })
})

describe('the organization and the tenant', () => {
  test('are part of every request: two tabs never mix, and neither is assumed', async () => {
    const other = await service.organization('Other')
    const browser = await member(service, 'owner')
    await addMember(service, other.id, browser.user.id, 'agent')
    const tabs = [
      browser.at(service.demo.id, 'sandbox'),
      browser.at(service.demo.id, 'production'),
      browser.at(other.id, 'sandbox'),
      browser.at(other.id, 'production'),
    ]
    const made = await Promise.all(tabs.map((tab) => tab.post('/tasks', { title: 'Mine' })))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    for (const [at, tab] of tabs.entries())
      for (const [of, { body }] of made.entries())
        expect((await tab.get(`/tasks/${body.id}`)).status).toBe(at === of ? 200 : 404)
    const missing = await browser.at(service.demo.id).get('/tasks', { 'x-parley-environment': '' })
    expectRefusal(missing, 400, 'bad_request')
    const bare = new Browser(service.url)
    bare.session = browser.session
    expect((await bare.get('/tasks')).body.error.details[0].path).toBe('X-Parley-Organization')
    const half = new Browser(service.url, { 'x-parley-organization': service.demo.id })
    half.session = browser.session
    expect((await half.get('/tasks')).body.error.details[0].path).toBe('X-Parley-Environment')
  })

  test('of others are absent, and so is whatever is no organization', async () => {
    const other = await service.organization('Not mine')
    const browser = await member(service, 'owner')
    for (const id of [other.id, nobodysId, 'x', "x' or 1=1"]) {
      expectRefusal(await browser.at(id).get('/tasks'), 404, 'not_found')
      expectRefusal(await browser.at(id).post('/tasks', { title: 'x' }), 404, 'not_found')
    }
  })

  test('a key beside the cookie wins', async () => {
    const browser = await member(service, 'viewer')
    const authorization = `Bearer ${service.demo.live.key}`
    expect((await browser.post('/tasks', { title: 'x' }, { authorization })).status).toBe(201)
    expect((await browser.get('/tasks', { authorization: 'Bearer ak_test_x' })).status).toBe(401)
    const answer = await browser.get('/sessions', { authorization })
    expectRefusal(answer, 403, 'forbidden')
    expect(answer.body.error.details).toEqual({ reason: 'session' })
  })
})

describe('another page', () => {
  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['in an old browser', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('%s can do nothing with the cookie', async (_, headers) => {
    const user = await makeUser(service, service.demo.id)
    const browser = await signInAs(service, user)
    const { url } = await makeSignInLink(service.database, service.url, { email: user.email }, new Date())
    const tab = browser.at(service.demo.id)
    for (const [method, path, body] of [
      ['POST', '/tasks', { title: 'x' }],
      ['PATCH', `/tasks/${nobodysId}`, { title: 'x' }],
      ['DELETE', `/tasks/${nobodysId}`, undefined],
      ['POST', '/session/exchange', { token: tokenOf(url) }],
      ['DELETE', '/session', undefined],
    ] as const) {
      const answer = await tab.request(method, path, body, headers)
      expectRefusal(answer, 403, 'forbidden')
      expect(answer.body.error.details).toEqual({ reason: 'cross_origin' })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    // It cannot name an organization either, because that takes a header for which the browser asks first.
    const preflight = await fetch(`${service.url}/api/v1/tasks`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-parley-organization',
      },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect((await tab.get('/tasks')).status).toBe(200)
    expect((await browser.post('/session/exchange', { token: tokenOf(url) })).status).toBe(200)
  })
})

test('people by cookie have buckets of their own, apart from each other and from the keys', async () => {
  const limited = await service.node({ PARLEY_RATE_LIMIT_READ: '1:3', PARLEY_RATE_LIMIT_WRITE: '1:3' })
  const [one, two] = [await member(service, 'agent'), await member(service, 'agent')]
  // More at once than tokens come back while they are answered.
  const crowd = await Promise.all(Array.from({ length: 40 }, () => one.via(limited.url).get('/tasks')))
  expect(crowd.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3)
  expect(crowd.map(({ status }) => status)).toContain(429)
  expect((await two.via(limited.url).get('/tasks')).status).toBe(200)
  const byKey = await fetch(`${limited.url}/api/v1/tasks`, {
    headers: { authorization: `Bearer ${service.api.key}` },
  })
  expect([byKey.status, byKey.headers.get('x-ratelimit-remaining')]).toEqual([200, '2'])
})
