// The public keys of the OpenID Connect issuer, found by discovery and kept in memory. What is verified with them is
// for session.ts.
import type { JSONWebKeySet, JWTVerifyGetKey, RemoteJWKSet } from 'jose'

/** The issuer did not say which keys sign its tokens, so that nobody can tell whether a token is good. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

/** A token with an unknown key makes us look for new keys at most this often. */
const cooldownMs = 30_000
/** Keys are looked up anew after this long, so that one the issuer has withdrawn is not believed for ever. */
const keptMs = 600_000
/** After a failed look-up the issuer is left alone for this long, so that its outage does not hold up every request. */
const failureMs = 2_000
const documentBytesMax = 262_144

/**
 * A finder of the key for a token's header. jose keeps the keys, shares one look-up between concurrent requests and
 * looks again for an unknown key. Discovery is a part of that look-up, so that it is kept and repeated with it, and an
 * issuer that moves its keys is followed.
 */
export function findIssuerKey(issuer: string, timeoutMs: number): JWTVerifyGetKey {
  let keys: Promise<RemoteJWKSet> | undefined
  return async (header, token) => (await (keys ??= issuerKeys(issuer, timeoutMs)))(header, token)
}

/** jose is loaded at the first session: most servers have none, and every start would wait for it. */
async function issuerKeys(issuer: string, timeoutMs: number): Promise<RemoteJWKSet> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  let failure: { readonly error: IssuerUnavailable; readonly untilMs: number } | undefined
  return createRemoteJWKSet(new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: keptMs,
    async [customFetch](discoveryUrl: string, options: RequestInit) {
      if (failure && Date.now() < failure.untilMs) throw failure.error
      try {
        return Response.json(await fetchKeys(issuer, discoveryUrl, options))
      } catch (cause) {
        const error = new IssuerUnavailable(
          `The issuer ${issuer} did not give its keys: ${cause instanceof Error ? cause.message : cause}`,
          { cause },
        )
        failure = { error, untilMs: Date.now() + failureMs }
        throw error
      }
    },
  })
}

async function fetchKeys(issuer: string, discoveryUrl: string, options: RequestInit): Promise<JSONWebKeySet> {
  const discovered = (await fetchJson(discoveryUrl, options)) as { issuer?: unknown; jwks_uri?: unknown } | null
  if (discovered?.issuer !== issuer)
    throw new Error(
      `${discoveryUrl} speaks for ${JSON.stringify(discovered?.issuer)}, not for this issuer to the letter`,
    )
  const keysUrl = String(discovered.jwks_uri)
  if (issuer.startsWith('https:') && !keysUrl.startsWith('https:'))
    throw new Error(`its keys are not served over https: ${keysUrl}`)
  const keys = (await fetchJson(keysUrl, options)) as JSONWebKeySet
  // jose makes this check again, but only after this look-up has counted as a good one.
  const { createLocalJWKSet } = await import('jose')
  createLocalJWKSet(keys)
  return keys
}

async function fetchJson(url: string, options: RequestInit): Promise<unknown> {
  const response = await fetch(url, options)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > documentBytesMax) throw new Error(`${url} answered more than ${documentBytesMax} bytes`)
    chunks.push(chunk)
  }
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return JSON.parse(Buffer.concat(chunks).toString())
}
