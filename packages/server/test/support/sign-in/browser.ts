// A browser with our page open: it keeps the cookie it is given, sends it along, and says where its requests come from.
import { sql } from '../../../src/database/sql.js'
import type { Endpoint } from '../../../src/http/endpoint.js'
import { makeSignInLink } from '../../../src/program/operator-sign-in.js'
import { newId } from '../../../src/store/id.js'
import type { Answer, Service } from '../service.js'

export class Browser {
  /** The value of `__session`; undefined while there is none. */
  session: string | undefined
  /** The last Set-Cookie, whole. */
  setCookie = ''

  constructor(
    readonly url: string,
    /** The organization and tenant that every request names. */
    readonly place: Record<string, string> = {},
  ) {}

  /** The same browser in another tab: same cookie, another place. */
  at(organizationId: string, environment: 'sandbox' | 'production' = 'sandbox'): Browser {
    const place = { 'x-parley-organization': organizationId, 'x-parley-environment': environment }
    const tab = new Browser(this.url, place)
    tab.session = this.session
    return tab
  }

  /** The same session at another node. */
  via(url: string): Browser {
    const other = new Browser(url, this.place)
    other.session = this.session
    return other
  }

  headers(): Record<string, string> {
    return {
      'sec-fetch-site': 'same-origin',
      ...(this.session !== undefined && { cookie: `theme=dark; __session=${this.session}` }),
      ...this.place,
    }
  }

  async request<T = any>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...this.headers(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    this.keep(response.headers)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  keep(headers: Headers): void {
    for (const cookie of headers.getSetCookie().filter((one) => one.startsWith('__session='))) {
      this.setCookie = cookie
      this.session = /^__session=([^;]+)/.exec(cookie)?.[1]
    }
  }

  get = <T = any>(path: string, headers?: Record<string, string>) => this.request<T>('GET', path, undefined, headers)
  post = <T = any>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.request<T>('POST', path, body, headers)
  patch = <T = any>(path: string, body?: unknown) => this.request<T>('PATCH', path, body)
  put = <T = any>(path: string, body?: unknown) => this.request<T>('PUT', path, body)
  delete = <T = any>(path: string) => this.request<T>('DELETE', path)
}

/** What stands after the `#`. */
export const tokenOf = (url: string): string => new URL(url).hash.slice(1)

type Role = 'owner' | 'agent' | 'viewer'

/** A user with a role in an organization, made beside the API. */
export async function makeUser(
  { database }: Pick<Service, 'database'>,
  organizationId: string | undefined,
  role: Role = 'owner',
  email: string = `${newId(new Date())}@example.com`,
): Promise<{ id: string; email: string }> {
  const id = newId(new Date())
  await database.query(sql`insert into users (id, name, email, created_at) values (${id}, 'Someone', ${email}, now())`)
  if (organizationId) await addMember({ database }, organizationId, id, role)
  return { id, email }
}

export async function addMember(
  { database }: Pick<Service, 'database'>,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await database.query(sql`insert into memberships (organization_id, user_id, role, joined_at)
    values (${organizationId}, ${userId}, ${role}, now())`)
}

/** A browser in which this user has signed in, by a link of the operator's. */
export async function signInAs(service: Service, user: { email: string }, url = service.url): Promise<Browser> {
  const link = await makeSignInLink(service.database, url, { email: user.email }, new Date())
  const browser = new Browser(url)
  const answer = await browser.post('/session/exchange', { token: tokenOf(link.url) })
  if (answer.status !== 200) throw new Error(`Could not sign in: ${answer.text}`)
  return browser
}

/** Someone with this role, signed in and at a tenant of the organization. */
export async function member(
  service: Service,
  role: Role,
  organizationId = service.demo.id,
  environment: 'sandbox' | 'production' = 'sandbox',
): Promise<Browser & { user: { id: string; email: string } }> {
  const user = await makeUser(service, organizationId, role)
  const browser = (await signInAs(service, user)).at(organizationId, environment)
  return Object.assign(browser, { user })
}

/** What a key may not ask: endpoints of our own pages. */
export const isOfPages = ({ scope, isForPages }: Endpoint): boolean => scope === 'user' || isForPages === true
