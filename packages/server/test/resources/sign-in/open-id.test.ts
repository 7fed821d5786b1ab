// Signing in at a real OpenID Connect provider: nobody enters without an invitation, an identity is (issuer, sub), and
// what does not belong together is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { freePort } from '../../support/free-port.js'
import { type Service, startService } from '../../support/service.js'
import { Browser, makeUser, member, signInAs, tokenOf } from '../../support/sign-in/browser.js'
import { client, OpenIdProvider } from '../../support/sign-in/openid-provider.js'

let service: Service
let provider: OpenIdProvider
beforeAll(async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  provider = await OpenIdProvider.start(`${publicUrl}/sign-in/callback`)
  service = await startService({
    PORT: String(port),
    PARLEY_PUBLIC_URL: publicUrl,
    PARLEY_OIDC_ISSUER: provider.url,
    PARLEY_OIDC_CLIENT_ID: client.id,
    PARLEY_OIDC_CLIENT_SECRET: client.secret,
  })
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

interface Came {
  readonly location: string | null
  readonly problem: string | null
}

/** The browser, the address that it comes back to, and the cookie that it carries there. */
async function begin(browser: Browser, subject: string, body: object = {}) {
  provider.subject = subject
  const started = await browser.post('/session/open-id', body)
  expect(started.status).toBe(200)
  const [flow = ''] = started.headers.getSetCookie()
  expect(flow).toMatch(/^__sign_in=[\w-]+; Path=\/sign-in\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/)
  return { back: await provider.visit(started.body.url), flow: flow.split(';')[0] ?? '', url: started.body.url }
}

async function comeBack(browser: Browser, back: string, flow: string): Promise<Came> {
  const session = browser.session === undefined ? '' : `; __session=${browser.session}`
  const response = await fetch(back, {
    redirect: 'manual',
    headers: { cookie: flow + session, 'sec-fetch-site': 'cross-site' },
  })
  await response.body?.cancel()
  browser.keep(response.headers)
  const location = response.headers.get('location')
  return { location, problem: new URL(location ?? '', service.url).searchParams.get('problem') }
}

async function signIn(browser: Browser, subject: string, body: object = {}): Promise<Came> {
  const { back, flow } = await begin(browser, subject, body)
  return comeBack(browser, back, flow)
}

async function invitation(email: string): Promise<string> {
  const owner = await member(service, 'owner')
  const { body } = await owner.post('/invitations', { email, role: 'agent' })
  return tokenOf(body.url)
}

test('the page is told of the provider, and the request there has state, nonce and PKCE', async () => {
  const browser = new Browser(service.url)
  expect((await browser.get('/session')).body.signIn.openId).toBe(new URL(provider.url).host)
  const { url } = await begin(browser, 'x')
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    client_id: client.id,
    response_type: 'code',
    redirect_uri: `${service.url}/sign-in/callback`,
    state: expect.stringMatching(/.{40}/),
    nonce: expect.stringMatching(/.{40}/),
    code_challenge_method: 'S256',
  })
})

test('nobody enters without an invitation, whatever address the provider knows', async () => {
  const browser = new Browser(service.url)
  expect(await signIn(browser, 'stranger')).toMatchObject({ problem: 'unknown_identity' })
  expect(browser.session).toBeUndefined()
})

test('an invitation makes a user of an identity, who then signs in with it and comes back to where they were', async () => {
  const browser = new Browser(service.url)
  const came = await signIn(browser, 'ana', { token: await invitation('ana@example.com'), returnTo: '/o/x?y=1' })
  expect(came).toEqual({ location: '/o/x?y=1', problem: null })
  const first = (await browser.get('/session')).body
  expect(first).toMatchObject({
    user: { email: 'ana@example.com', hasPassword: false, identities: [{ issuer: provider.url }] },
    organizations: [{ id: service.demo.id, role: 'agent' }],
  })
  expect(first.user.id).toMatch(/^[0-9a-f-]{36}$/)
  const again = new Browser(service.url)
  expect((await signIn(again, 'ana')).location).toBe('/')
  expect((await again.get('/session')).body.user.id).toBe(first.user.id)
  expect(again.session).not.toBe(browser.session)
  expect((await again.at(service.demo.id).get('/tasks')).status).toBe(200)
})

test('an invitation of an address that has a user is accepted by nobody else', async () => {
  const user = await makeUser(service, undefined)
  const token = await invitation(user.email)
  expect(await signIn(new Browser(service.url), 'someone-else', { token })).toMatchObject({ problem: 'other_user' })
  const browser = await signInAs(service, user)
  expect((await signIn(browser, 'really-me', { link: true, returnTo: '/settings' })).location).toBe('/settings')
  const fresh = new Browser(service.url)
  expect(await signIn(fresh, 'really-me', { token })).toEqual({ location: '/', problem: null })
  expect((await fresh.get('/session')).body.organizations).toHaveLength(1)
  expect(await signIn(new Browser(service.url), 'really-me', { returnTo: '/x' })).toMatchObject({ location: '/x' })
})

describe('linking', () => {
  test('is for the signed-in user alone, and an identity has one user', async () => {
    const [one, two] = [await makeUser(service, service.demo.id), await makeUser(service, service.demo.id)]
    const [first, second] = [await signInAs(service, one), await signInAs(service, two)]
    expect((await new Browser(service.url).post('/session/open-id', { link: true })).status).toBe(401)
    expect((await signIn(first, 'shared', { link: true })).problem).toBeNull()
    expect((await signIn(second, 'shared', { link: true })).problem).toBe('taken')
    // A page that begins as one user and comes back as another links nobody.
    const { back, flow } = await begin(first, 'swapped', { link: true })
    expect((await comeBack(second, back, flow)).problem).toBe('other_user')
    expect((await second.get('/session')).body.user.identities).toEqual([])
  })
})

describe('what does not belong together is refused', () => {
  test('a callback without its cookie, with that of another, a forged or an old one', async () => {
    const [mine, theirs] = [new Browser(service.url), new Browser(service.url)]
    const { back } = await begin(mine, 'ana')
    const other = await begin(theirs, 'ana')
    expect((await comeBack(theirs, back, '')).problem).toBe('expired')
    expect((await comeBack(theirs, back, '__sign_in=AAAA')).problem).toBe('expired')
    // The code of one with the state of another: what a page that wants to sign someone in as itself would try.
    expect((await comeBack(theirs, back, other.flow)).problem).toBe('refused')
    expect(theirs.session).toBeUndefined()
  })

  test('a code twice, a code of another verifier, and an error of the provider', async () => {
    const browser = new Browser(service.url)
    const { back, flow } = await begin(browser, 'ana')
    expect((await comeBack(browser, back, flow)).problem).toBeNull()
    expect((await comeBack(new Browser(service.url), back, flow)).problem).toBe('refused')
    const { flow: another, url } = await begin(browser, 'ana')
    const state = new URL(url).searchParams.get('state')
    const stolen = new URL(back)
    stolen.searchParams.set('state', state ?? '')
    expect((await comeBack(new Browser(service.url), stolen.href, another)).problem).toBe('refused')
    const error = `${service.url}/sign-in/callback?error=access_denied&state=${state}&iss=${provider.url}`
    expect((await comeBack(new Browser(service.url), error, another)).problem).toBe('refused')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'x', '/a\nb'])(
    'a return to %j',
    async (returnTo) => {
      expectRefusal(await new Browser(service.url).post('/session/open-id', { returnTo }), 400, 'bad_request')
    },
  )

  test('a start from another site, and a spent invitation', async () => {
    const browser = new Browser(service.url)
    const cross = await browser.post('/session/open-id', {}, { 'sec-fetch-site': 'cross-site' })
    expectRefusal(cross, 403, 'forbidden')
    const token = await invitation('late@example.com')
    const { back, flow } = await begin(browser, 'late', { token })
    await service.database.query(sql`delete from one_time_links where email = 'late@example.com'`)
    expect((await comeBack(browser, back, flow)).problem).toBe('link_spent')
    expect((await browser.post('/session/open-id', { token })).status).toBe(422)
  })
})

test('a provider that is away says so, and one that is not set up too', async () => {
  const away = await startService({
    PARLEY_OIDC_ISSUER: 'http://127.0.0.1:9',
    PARLEY_OIDC_CLIENT_ID: client.id,
    PARLEY_OIDC_CLIENT_SECRET: client.secret,
  })
  expectRefusal(await new Browser(away.url).post('/session/open-id', {}), 503, 'unavailable')
  await away.stop()
  const none = await startService()
  const answer = await new Browser(none.url).post('/session/open-id', {})
  expect(answer.body.error.details).toEqual({ reason: 'no_open_id' })
  await none.stop()
})
