// A real OpenID Connect provider on loopback at which people sign in: whoever comes is the account that the test names.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
// @ts-expect-error The package ships no types; the few things used here are declared below.
import UntypedProvider from 'oidc-provider'
import { makeSigningKey } from './openid-issuer.js'

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}
interface Provider {
  callback(): RequestListener
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  Grant: new (properties: { accountId: string; clientId: string }) => Grant
}
const Provider = UntypedProvider as new (issuer: string, configuration: object) => Provider

export const client = { id: 'parley', secret: 'a client secret of many letters' }

export class OpenIdProvider {
  /** Who signs in next. */
  subject = 'someone'

  private constructor(
    readonly server: Server,
    readonly url: string,
  ) {}

  /** `callback` is the one address that it leads back to. */
  static async start(callback: string): Promise<OpenIdProvider> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const made = new OpenIdProvider(server, `http://127.0.0.1:${port}`)
    const key = await makeSigningKey('RS256', 'first')
    const provider: Provider = new Provider(made.url, {
      jwks: { keys: [key.privateJwk] },
      cookies: { keys: ['for the tests'] },
      clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [callback] }],
      claims: { openid: ['sub'], profile: ['name'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, name: `Name of ${sub}` }) }),
      loadExistingGrant: async (context: {
        oidc: { client: { clientId: string }; session: { accountId: string } }
      }) => {
        const { client: asking, session } = context.oidc
        const grant = new provider.Grant({ accountId: session.accountId, clientId: asking.clientId })
        grant.addOIDCScope('openid profile')
        await grant.save()
        return grant
      },
    })
    const answer = provider.callback()
    server.on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return answer(request, response)
      void provider.interactionFinished(request, response, { login: { accountId: made.subject } })
    })
    return made
  }

  /** Does what a browser does there: follows it until it leads back to us. Returns that address. */
  async visit(url: string): Promise<string> {
    const jar = new Map<string, string>()
    for (let next = url, hops = 0; hops < 10; hops++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
      await response.body?.cancel()
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        jar.set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) throw new Error(`The provider answered ${response.status} at ${next}`)
      next = new URL(location, next).href
      if (!next.startsWith(this.url)) return next
    }
    throw new Error('The provider leads in a circle')
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
