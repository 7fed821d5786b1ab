// How the issuer's keys are found, kept, renewed and done without, seen through the session verifier that uses them.
import type { RequestListener } from 'node:http'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { IssuerUnavailable } from '../../../src/http/gate/issuer-keys.js'
import { createSessionVerifier } from '../../../src/http/gate/session.js'
import { makeSigningKey, OpenIdIssuer, type SigningKey, uuidUser } from '../../support/sign-in/openid-issuer.js'

const audience = 'urn:parley:cockpit'
const ownerClaims = { org_id: '01890a5d-ac96-774b-bcce-b302099a8057', role: 'owner' }

function verifierOf({ url }: OpenIdIssuer, issuerTimeoutMs = 3_000) {
  return createSessionVerifier({ issuer: url, audience, orgClaim: 'org_id', roleClaim: 'role', issuerTimeoutMs })
}

const cookie = (token: string) => `__session=${token}`

let key: SigningKey
let own: OpenIdIssuer

beforeAll(async () => {
  key = await makeSigningKey('RS256', 'first')
  own = await OpenIdIssuer.start(key)
})
afterEach(() => {
  vi.useRealTimers()
  own.signWith(key)
})
afterAll(() => own.stop())

test('keys are fetched once, also for concurrent requests', async () => {
  const header = cookie(await own.mint(uuidUser, audience, ownerClaims))
  const verifier = verifierOf(own)
  const before = own.requests
  const sessions = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(header)))
  expect(sessions.every((session) => session?.userId === uuidUser)).toBe(true)
  expect(await verifier.verify(header)).toMatchObject({ userId: uuidUser })
  expect(own.requests - before).toBe(2)
})

test('keys are fetched again for an unknown key, but not for every token that makes one up', async () => {
  const verifier = verifierOf(own)
  expect(await verifier.verify(cookie(await own.mint(uuidUser, audience, ownerClaims)))).toMatchObject({
    userId: uuidUser,
  })
  own.signWith(await makeSigningKey('ES256', 'second'))
  const header = cookie(await own.mint(uuidUser, audience, ownerClaims))
  const before = own.requests
  for (let count = 0; count < 20; count++) expect(await verifier.verify(header)).toBeUndefined()
  expect(own.requests).toBe(before)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  expect(await verifier.verify(header)).toMatchObject({ userId: uuidUser, scope: 'ADMIN' })
  expect(own.requests - before).toBe(2)
})

test('keys that were withdrawn are believed for ten minutes at most', async () => {
  const header = cookie(await own.mint(uuidUser, audience, ownerClaims))
  const verifier = verifierOf(own)
  expect(await verifier.verify(header)).toMatchObject({ userId: uuidUser })
  own.signWith(await makeSigningKey('RS256', 'second'))
  const [, payload = ''] = header.split('.')
  const { exp, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const later = await new SignJWT({ ...claims, exp: Number(exp) + 3_600 })
    .setProtectedHeader({ alg: 'RS256', kid: 'first' })
    .sign(key.privateKey)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 590_000 })
  expect(await verifier.verify(cookie(later))).toMatchObject({ userId: uuidUser })
  vi.setSystemTime(Date.now() + 11_000)
  expect(await verifier.verify(cookie(later))).toBeUndefined()
})

test.each<[string, RequestListener]>([
  ['a failing issuer', (_, response) => void response.writeHead(500).end('{}')],
  ['an issuer that sends elsewhere', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
  ['an answer that is no JSON', (_, response) => void response.end('<html>')],
  [
    'the discovery document of another issuer',
    (_, response) => void response.end('{"issuer":"https://evil.example","jwks_uri":"https://evil.example/jwks"}'),
  ],
  ['a discovery document without keys', (_, response) => void response.end(JSON.stringify({ issuer: own.url }))],
  [
    'keys that are no key set',
    (request, response) =>
      void response.end(
        JSON.stringify(
          request.url?.includes('.well-known') ? { issuer: own.url, jwks_uri: `${own.url}/jwks` } : { keys: 7 },
        ),
      ),
  ],
  ['an answer without end', (_, response) => void response.end('x'.repeat(300_000))],
  ['an issuer that hangs', () => {}],
  ['a connection that breaks', (request) => void request.socket.destroy()],
])('%s is IssuerUnavailable for a token, nothing for garbage, and mends by itself', async (_, answer) => {
  const header = cookie(await own.mint(uuidUser, audience, ownerClaims))
  own.answerWith(answer)
  const isHanging = answer.length === 0
  const verifier = verifierOf(own, isHanging ? 300 : 30_000)
  // The clock stands still, so that a slow machine does not let the issuer be asked again.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await expect(verifier.verify(header)).rejects.toThrow(IssuerUnavailable)
  expect(await verifier.verify('__session=garbage')).toBeUndefined()

  const before = own.requests
  await expect(verifier.verify(header)).rejects.toThrow(IssuerUnavailable)
  expect(own.requests).toBe(before)

  own.signWith(key)
  // One that is given little time may have to be asked more than once.
  let session: Awaited<ReturnType<typeof verifier.verify>>
  for (let attempt = 1; session === undefined; attempt++) {
    vi.setSystemTime(Date.now() + 2_001)
    session = await verifier.verify(header).catch((error: unknown) => {
      if (!isHanging || attempt === 10) throw error
      return undefined
    })
  }
  expect(session).toMatchObject({ userId: uuidUser })
})

test('keys are kept while the issuer is down', async () => {
  const down = await OpenIdIssuer.start(key)
  const header = cookie(await down.mint(uuidUser, audience, ownerClaims))
  const verifier = verifierOf(down)
  expect(await verifier.verify(header)).toMatchObject({ userId: uuidUser })
  await down.stop()
  expect(await verifier.verify(header)).toMatchObject({ userId: uuidUser })
  await expect(verifierOf(down).verify(header)).rejects.toThrow(IssuerUnavailable)
})
