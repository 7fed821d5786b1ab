// A real OpenID provider on loopback, whose tokens are what a browser would bring in the `__session` cookie.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
// @ts-expect-error The package ships no types; the few things used here are declared below.
import UntypedProvider from 'oidc-provider'

const Provider = UntypedProvider as new (issuer: string, configuration: object) => { callback(): RequestListener }

/** The two users the provider knows: the subject of one is a UUID, that of the other is not. */
export const uuidUser = '3f2b8c1e-9d4a-4f6b-8a7c-5e1d2c3b4a59'
export const namedUser = 'auth0|5f7c8ec7'

export interface SigningKey {
  readonly alg: string
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly privateJwk: JWK
}

export async function makeSigningKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, publicKey, privateJwk: { ...(await exportJWK(privateKey)), alg, kid, use: 'sig' } }
}

/** An OpenID provider that signs JWT access tokens for its two clients, with the claims asked for. */
export class OpenIdIssuer {
  readonly url: string
  requests = 0
  #claims: object = {}
  #answer: RequestListener = (_, response) => void response.writeHead(500).end()

  private constructor(
    readonly server: Server,
    port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`
    server.on('request', (request, response) => {
      this.requests++
      this.#answer(request, response)
    })
  }

  static async start(key: SigningKey): Promise<OpenIdIssuer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('A TCP server has no port')
    const issuer = new OpenIdIssuer(server, address.port)
    issuer.signWith(key)
    return issuer
  }

  signWith(key: SigningKey): void {
    const client = {
      client_secret: 'a client secret',
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      id_token_signed_response_alg: key.alg,
    }
    const provider = new Provider(this.url, {
      // Signed tokens carry everything in themselves, so that nothing is ever stored.
      adapter: class {},
      ttl: { ClientCredentials: 300 },
      jwks: { keys: [key.privateJwk] },
      cookies: { keys: ['for the tests'] },
      clients: [uuidUser, namedUser].map((client_id) => ({ ...client, client_id })),
      extraTokenClaims: () => this.#claims,
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, resource: string) => ({
            scope: '',
            audience: resource,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: key.alg } },
          }),
        },
      },
    })
    this.#answer = provider.callback()
  }

  /** Whatever it is asked, the issuer answers this. */
  answerWith(answer: RequestListener): void {
    this.#answer = answer
  }

  async mint(subject: string, audience: string, claims: object): Promise<string> {
    this.#claims = claims
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(subject)}:${encodeURIComponent('a client secret')}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
    })
    const answer = (await response.json()) as { access_token?: string }
    if (answer.access_token === undefined) throw new Error(`No token: ${JSON.stringify(answer)}`)
    return answer.access_token
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
