// The operator's OpenID Connect provider, as this server talks to it: the code flow with PKCE, state and nonce, by a
// maintained client. Whom an identity belongs to here is for others.
import type { Configuration } from 'openid-client'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What must be the same when the browser comes back. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly name: string | undefined
}

export interface OpenIdProvider {
  readonly host: string
  /** Where the browser goes. Throws ProviderAway when the provider cannot be asked. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly checks: Checks }>
  /** Who came back. Throws ProviderAway, or anything else when the answer is not to be believed. */
  finish(cameBackTo: URL, checks: Checks): Promise<Identity>
}

export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

const TIMEOUT_SECONDS = 5
/** The provider's keys and addresses are asked for anew after this long. */
const KEPT_MS = 10 * 60_000

export function createOpenIdProvider({ issuer, clientId, clientSecret }: OpenIdSettings): OpenIdProvider {
  let known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | undefined
  // Loaded at the first use: most servers have no provider, and every start would wait for it.
  const discover = async () => {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
    // Without https on loopback alone, as the settings see to.
    const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    return discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: [...insecure, enableNonRepudiationChecks],
      timeout: TIMEOUT_SECONDS,
    })
  }
  const configured = (): Promise<Configuration> => {
    if (known && Date.now() < known.untilMs) return known.configuration
    const configuration = discover().catch((cause: unknown) => {
      known = undefined
      throw new ProviderAway(`The issuer ${issuer} does not answer`, { cause })
    })
    known = { configuration, untilMs: Date.now() + KEPT_MS }
    return configuration
  }
  return {
    host: new URL(issuer).host,
    async begin(redirectUri) {
      const configuration = await configured()
      const client = await import('openid-client')
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid profile',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },
    async finish(cameBackTo, { state, nonce, verifier }) {
      const configuration = await configured()
      const { authorizationCodeGrant } = await import('openid-client')
      const tokens = await authorizationCodeGrant(configuration, cameBackTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }).catch((cause: unknown) => {
        throw isAway(cause) ? new ProviderAway(`The issuer ${issuer} does not answer`, { cause }) : cause
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider sent no ID token')
      const { name } = claims
      return { issuer: claims.iss, subject: claims.sub, name: typeof name === 'string' && name ? name : undefined }
    },
  }
}

/** The network failed, or the provider took too long: `fetch` and its time-out say so by these names. */
const isAway = (error: unknown): boolean =>
  error instanceof Error &&
  (/fetch failed|time.?out/i.test(error.message) || error.name === 'TimeoutError' || isAway(error.cause))
