// Which session cookies are believed: tokens of a real OpenID provider on loopback, and everything that tries to look
// like one.
import { type CryptoKey, exportJWK, exportSPKI, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSessionVerifier, isSameOrigin, userIdOf } from '../../../src/http/gate/session.js'
import {
  makeSigningKey,
  namedUser,
  OpenIdIssuer,
  type SigningKey,
  uuidUser,
} from '../../support/sign-in/openid-issuer.js'

const audience = 'urn:parley:cockpit'
const organizationId = '01890a5d-ac96-774b-bcce-b302099a8057'
const ownerClaims = { org_id: organizationId, role: 'owner' }

function verifierOf({ url }: OpenIdIssuer) {
  return createSessionVerifier({ issuer: url, audience, orgClaim: 'org_id', roleClaim: 'role' })
}

const cookie = (token: string) => `theme=dark; __session=${token}; other=1`

let key: SigningKey
let issuer: OpenIdIssuer

beforeAll(async () => {
  key = await makeSigningKey('RS256', 'first')
  issuer = await OpenIdIssuer.start(key)
})
afterAll(() => issuer.stop())
afterEach(() => {
  vi.useRealTimers()
})

describe('a real token of the issuer', () => {
  test.each([
    ['owner', 'ADMIN'],
    ['agent', 'WRITE'],
    ['viewer', 'READ'],
  ])('with the role %s acts with the scope %s', async (role, scope) => {
    const token = await issuer.mint(uuidUser, audience, { org_id: organizationId, role })
    expect(await verifierOf(issuer).verify(cookie(token))).toEqual({ userId: uuidUser, organizationId, scope })
  })

  test('of a user whose sub is no UUID gets the UUIDv5 of issuer and sub', async () => {
    const token = await issuer.mint(namedUser, audience, ownerClaims)
    expect(await verifierOf(issuer).verify(cookie(token))).toEqual({
      userId: userIdOf(issuer.url, namedUser),
      organizationId,
      scope: 'ADMIN',
    })
  })

  test('is read by the configured claims', async () => {
    const token = await issuer.mint(uuidUser, audience, {
      'https://example.com/org': organizationId.toUpperCase(),
      'https://example.com/role': 'agent',
    })
    const settings = {
      issuer: issuer.url,
      audience,
      orgClaim: 'https://example.com/org',
      roleClaim: 'https://example.com/role',
    }
    expect(await createSessionVerifier(settings).verify(cookie(token))).toEqual({
      userId: uuidUser,
      organizationId,
      scope: 'WRITE',
    })
  })

  test.each([
    ['an unknown role', { org_id: organizationId, role: 'admin' }],
    ['a role that is a property of every object', { org_id: organizationId, role: 'constructor' }],
    ['a list of roles', { org_id: organizationId, role: ['owner'] }],
    ['no role', { org_id: organizationId }],
    ['no organization', { role: 'owner' }],
    ['an organization that is no UUID', { org_id: "x' or 1=1", role: 'owner' }],
  ])('with %s is no session', async (_, claims) => {
    expect(await verifierOf(issuer).verify(cookie(await issuer.mint(uuidUser, audience, claims)))).toBeUndefined()
  })

  test('for another audience is no session', async () => {
    const token = await issuer.mint(uuidUser, 'urn:another:service', ownerClaims)
    expect(await verifierOf(issuer).verify(cookie(token))).toBeUndefined()
  })

  test('is no session from the second it expires', async () => {
    const token = await issuer.mint(uuidUser, audience, ownerClaims)
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }
    const verifier = verifierOf(issuer)
    vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 - 1 })
    expect(await verifier.verify(cookie(token))).toMatchObject({ userId: uuidUser })
    vi.setSystemTime(exp * 1000)
    expect(await verifier.verify(cookie(token))).toBeUndefined()
  })

  test('of another issuer is no session', async () => {
    const other = await OpenIdIssuer.start(await makeSigningKey('RS256', 'first'))
    try {
      expect(await verifierOf(issuer).verify(cookie(await other.mint(uuidUser, audience, ownerClaims)))).toBeUndefined()
    } finally {
      await other.stop()
    }
  })
})

describe('a forged token is no session', () => {
  const claims = () => ({
    ...ownerClaims,
    iss: issuer.url,
    aud: audience,
    sub: uuidUser,
    exp: Math.floor(Date.now() / 1000) + 300,
  })
  const sign = (payload: object, header: { alg: string; kid?: string }, secret: CryptoKey | Uint8Array) =>
    new SignJWT({ ...payload }).setProtectedHeader(header).sign(secret)

  test('the same claims signed by the right key are one, so that the others fail for their one fault', async () => {
    expect(
      await verifierOf(issuer).verify(cookie(await sign(claims(), { alg: 'RS256', kid: 'first' }, key.privateKey))),
    ).toMatchObject({ scope: 'ADMIN' })
  })

  test('signed by another key under the id of the right one', async () => {
    const other = await makeSigningKey('RS256', 'first')
    expect(
      await verifierOf(issuer).verify(cookie(await sign(claims(), { alg: 'RS256', kid: 'first' }, other.privateKey))),
    ).toBeUndefined()
  })

  test('not signed (alg none), in every spelling', async () => {
    const unsigned = new UnsecuredJWT(claims()).encode()
    const [, payload] = unsigned.split('.')
    const spellings = ['none', 'None', 'NONE', ''].map(
      (alg) => `${Buffer.from(JSON.stringify({ alg, kid: 'first' })).toString('base64url')}.${payload}.`,
    )
    for (const token of [unsigned, ...spellings]) expect(await verifierOf(issuer).verify(cookie(token))).toBeUndefined()
  })

  test('signed with HS256, the public key being the secret', async () => {
    const pem = await exportSPKI(key.publicKey)
    for (const secret of [pem, `${pem}\n`, JSON.stringify(await exportJWK(key.publicKey))]) {
      const token = await sign(claims(), { alg: 'HS256', kid: 'first' }, new TextEncoder().encode(secret))
      expect(await verifierOf(issuer).verify(cookie(token))).toBeUndefined()
    }
  })

  test('bringing its own key in the header', async () => {
    const other = await makeSigningKey('RS256', 'mine')
    const jwk = await exportJWK(other.publicKey)
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'mine', jwk })
      .sign(other.privateKey)
    expect(await verifierOf(issuer).verify(cookie(token))).toBeUndefined()
  })

  test.each(['exp', 'sub', 'iss', 'aud'] as const)('without %s', async (name) => {
    const { [name]: _, ...rest } = claims()
    expect(
      await verifierOf(issuer).verify(cookie(await sign(rest, { alg: 'RS256', kid: 'first' }, key.privateKey))),
    ).toBeUndefined()
  })

  test.each([
    ['not valid yet', { nbf: 4_102_444_800 }],
    ['for an empty user', { sub: '' }],
    ['for a user that is a number', { sub: 7 }],
    ['expiring at no number', { exp: 'never' }],
    ['from an issuer that begins alike', { iss: 'http://127.0.0.1' }],
  ])('%s', async (_, change) => {
    expect(
      await verifierOf(issuer).verify(
        cookie(await sign({ ...claims(), ...change }, { alg: 'RS256', kid: 'first' }, key.privateKey)),
      ),
    ).toBeUndefined()
  })

  test('changed by one letter anywhere', async () => {
    const token = await sign(claims(), { alg: 'RS256', kid: 'first' }, key.privateKey)
    const verifier = verifierOf(issuer)
    for (let index = 0; index < token.length - 1; index += 17) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1)
      expect(await verifier.verify(cookie(changed))).toBeUndefined()
    }
  })
})

describe('the cookie header', () => {
  test.each([
    undefined,
    '',
    '__session',
    '__session=',
    '__session=garbage',
    '__session=a.b.c',
    '__session=..',
    `__session=${'x'.repeat(100_000)}`,
    '__session=%00; =;;',
    'not__session=x',
  ])('%.40s is no session, and the issuer is not asked', async (header) => {
    const before = issuer.requests
    expect(await verifierOf(issuer).verify(header)).toBeUndefined()
    expect(issuer.requests).toBe(before)
  })

  test('with the cookie twice is no session, whichever is good', async () => {
    const token = await issuer.mint(uuidUser, audience, ownerClaims)
    const verifier = verifierOf(issuer)
    for (const header of [
      `__session=${token}; __session=x`,
      `__session=x; __session=${token}`,
      `__session=${token}; __session=`,
      `__session=${token};__session=${token}`,
    ]) {
      expect(await verifier.verify(header)).toBeUndefined()
    }
  })

  test('finds the cookie among others, with or without spaces', async () => {
    const token = await issuer.mint(uuidUser, audience, ownerClaims)
    for (const header of [
      `__session=${token}`,
      `a=b;__session=${token};c=d=e`,
      `x__session=1; __session=${token}`,
      `__Session=1; __session=${token}`,
    ]) {
      expect(await verifierOf(issuer).verify(header)).toMatchObject({ userId: uuidUser })
    }
  })
})

test('the user id is the UUIDv5 that other tools compute', () => {
  // python3 -c "import uuid; print(uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_URL, issuer), sub))"
  expect(userIdOf('https://id.example.com/', 'auth0|5f7c')).toBe('b1a64518-4482-5e88-9011-90c28d8a3911')
  expect(userIdOf('https://id.example.com', 'user_2abc')).toBe('c2b969a2-d60f-547d-b2ff-625a791fb41c')
  expect(userIdOf('https://id.example.com', 'é')).toBe('d02dd0d6-7397-5019-a95c-1300760b6395')
  expect(userIdOf('https://id.example.com', uuidUser.toUpperCase())).toBe(uuidUser)
})

describe('writes by cookie', () => {
  const publicUrl = 'https://parley.example.com/base'
  test.each([
    [{ origin: 'https://parley.example.com' }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://parley.example.com' }, true],
    [{}, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'http://parley.example.com' }, false],
    [{ origin: 'https://parley.example.com:8443' }, false],
    [{ origin: 'https://parley.example.com.evil.example' }, false],
    [{ origin: 'https://parley.example.com, https://evil.example' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://parley.example.com' }, false],
    [{ referer: 'https://parley.example.com/base' }, false],
  ])('%j: %s', (headers, expected) => {
    expect(isSameOrigin(headers, publicUrl)).toBe(expected)
  })
})
