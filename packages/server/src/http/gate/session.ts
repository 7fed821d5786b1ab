// The `__session` cookie: a token of the configured OpenID Connect issuer, verified and read into who is calling; and
// the same-origin rule for writes by cookie. Whether the organization exists and what a missing session is answered is
// for the caller.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Scope, scopeOfRole } from '@parley/contract'
import type { JWTPayload } from 'jose'
import { findIssuerKey, IssuerUnavailable } from './issuer-keys.js'

interface SessionSettings {
  readonly issuer: string
  readonly audience: string
  readonly orgClaim: string
  readonly roleClaim: string
  /** For one look-up of the issuer's keys; unset: 3 s. */
  readonly issuerTimeoutMs?: number
}

export interface Session {
  readonly userId: string
  readonly organizationId: string
  readonly scope: Scope
}

export interface SessionVerifier {
  /**
   * Undefined when there is no session to believe in. Throws IssuerUnavailable when that cannot be known, and nothing
   * else.
   */
  verify(cookieHeader: string | undefined): Promise<Session | undefined>
}

export const SESSION_COOKIE = '__session'

/** Asymmetric only: with HS256 the issuer's public key would serve as the secret, and `none` needs no key at all. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const scopes = new Map<unknown, Session['scope']>(Object.entries(scopeOfRole))

export function createSessionVerifier(settings: SessionSettings): SessionVerifier {
  const findKey = findIssuerKey(settings.issuer, settings.issuerTimeoutMs ?? 3_000)
  const expected = { issuer: settings.issuer, audience: settings.audience, algorithms, requiredClaims: ['sub', 'exp'] }
  return {
    async verify(cookieHeader) {
      const token = readCookie(cookieHeader, SESSION_COOKIE)
      if (token === undefined) return undefined
      try {
        const { jwtVerify } = await import('jose')
        const { payload } = await jwtVerify(token, findKey, expected)
        return sessionOf(payload, settings)
      } catch (error) {
        if (error instanceof IssuerUnavailable) throw error
        return undefined
      }
    },
  }
}

/**
 * Writes by cookie must come from our own pages. The browser's own word (`Sec-Fetch-Site`) decides; browsers that do
 * not give it send `Origin`.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin !== undefined && headers.origin === new URL(publicUrl).origin
}

/**
 * `sub` itself when it is a UUID, else uuid5(uuid5(URL namespace, issuer), sub): every issuer is a namespace of its
 * own, made from its URL in the namespace that RFC 9562 keeps for URLs (6ba7b811-9dad-11d1-80b4-00c04fd430c8), so
 * anyone can compute the id again.
 */
export function userIdOf(issuer: string, subject: string): string {
  return uuidPattern.test(subject) ? subject.toLowerCase() : uuid5(uuid5(urlNamespace, issuer), subject)
}

const urlNamespace = '6ba7b811-9dad-11d1-80b4-00c04fd430c8'
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function uuid5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function sessionOf(payload: JWTPayload, settings: SessionSettings): Session | undefined {
  const { sub, [settings.orgClaim]: organization, [settings.roleClaim]: role } = payload
  const scope = scopes.get(role)
  if (scope === undefined || typeof sub !== 'string' || sub === '') return undefined
  if (typeof organization !== 'string' || !uuidPattern.test(organization)) return undefined
  return { userId: userIdOf(settings.issuer, sub), organizationId: organization.toLowerCase(), scope }
}

/**
 * A cookie sent twice is as good as none: a neighbouring domain can plant a second one, and which is ours cannot be
 * told.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [left, ...value] = pair.split('=')
    return left?.trim() === name ? [value.join('=').trim()] : []
  })
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}
