// A running service for tests: the real server on a database of its own, and a client that keeps out of the way.
import { pino } from 'pino'
import { readConfig } from '../../src/config/config.js'
import { type Database, openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'
import type { Standbys } from '../../src/database/standbys.js'
import { mintKey } from '../../src/http/gate/api-keys.js'
import { createOrganization, mintKeyFor } from '../../src/program/create-organization.js'
import { type Server, type ServerParts, startServer } from '../../src/server/server.js'
import { newId } from '../../src/store/id.js'
import { createTestDatabase } from './databases.js'

export interface Answer<T = any> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
  readonly text: string
}

export interface Client {
  readonly key: string
  request<T = any>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  get<T = any>(path: string, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  patch<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  put<T = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  delete<T = any>(path: string, headers?: Record<string, string>): Promise<Answer<T>>
}

export interface Organization {
  readonly id: string
  /** ADMIN keys of both sides. */
  readonly sandbox: Client
  readonly live: Client
}

export interface Service {
  readonly url: string
  readonly databaseUrl: string
  readonly database: Database
  readonly server: Server
  /** The organization that most tests use. */
  readonly demo: Organization
  /** The demo organization's sandbox, ADMIN. */
  readonly api: Client
  client(key: string): Client
  organization(name: string): Promise<Organization>
  /** A key of an organization with this scope. */
  keyOf(organizationId: string, side: 'sandbox' | 'production', scope: 'READ' | 'WRITE' | 'ADMIN'): Promise<Client>
  /** Another node on the same database. */
  node(env?: Record<string, string>): Promise<Server>
  stop(): Promise<void>
}

export const secret = 'a secret for tests only'
/** High enough that no test meets them by accident. */
const generous = { PARLEY_RATE_LIMIT_READ: '100000:100000', PARLEY_RATE_LIMIT_WRITE: '100000:100000' }

interface ServiceOptions extends Pick<ServerParts, 'clock' | 'carriers' | 'delivery'> {
  readonly isUnderstanding?: boolean
  /** Where the nodes reach their database, when it is not its own address. */
  readonly through?: (url: string) => Promise<string>
  /** Where reads may go besides a node's database. */
  readonly reads?: (primary: Database) => Standbys
}

export async function startService(
  env: Record<string, string> = {},
  { through = async (url: string) => url, reads, ...options }: ServiceOptions = {},
): Promise<Service> {
  const testDatabase = await createTestDatabase()
  const url = await through(testDatabase.url)
  const database = openDatabase({ url, connections: 10, statementTimeoutMs: 30_000 })
  const nodes: Server[] = []
  const node = async (more: Record<string, string> = {}) => {
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: url,
      PARLEY_SECRET: secret,
      LOG_LEVEL: 'silent',
      ...generous,
      ...env,
      ...more,
    })
    const own = nodes.length === 0 ? database : openDatabase({ url, connections: 10, statementTimeoutMs: 30_000 })
    const standbys = reads?.(own)
    const server = await startServer({
      config: { ...config, secret },
      database: own,
      standbys,
      log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
      ...options,
    })
    let stopped: Promise<void> | undefined
    const close = async () => {
      await server.stop()
      await standbys?.close()
      if (own !== database) await own.close()
    }
    const stoppable = { ...server, stop: () => (stopped ??= close()) }
    nodes.push(stoppable)
    return stoppable
  }
  const server = await node()
  const client = (key: string) => clientOf(server.url, key)
  const organization = async (name: string): Promise<Organization> => {
    const now = new Date()
    const id = newId(now)
    const [test, live] = [mintKey('sandbox'), mintKey('production')]
    await createOrganization(database, { id, name }, now, [
      { environment: 'sandbox', minted: test },
      { environment: 'production', minted: live },
    ])
    if (!options.isUnderstanding) await listenNoMore(database, id)
    return { id, sandbox: client(test.key), live: client(live.key) }
  }
  const demo = await organization('Demo')
  return {
    url: server.url,
    databaseUrl: testDatabase.url,
    database,
    server,
    demo,
    api: demo.sandbox,
    client,
    organization,
    async keyOf(organizationId, side, scope) {
      const key = await mintKeyFor(database, organizationId, side, scope, `${scope} key`, new Date())
      if (key === undefined) throw new Error(`No organization ${organizationId}`)
      return client(key)
    },
    node,
    async stop() {
      for (const one of nodes.reverse()) await one.stop()
      await database.close()
      await testDatabase.drop()
    },
  }
}

/** What the extractor proposes is in nobody's way but where a test is about it. */
async function listenNoMore(database: Database, organizationId: string): Promise<void> {
  await database.query(
    sql`update tenants set settings = (settings::jsonb || '{"extractor": "off"}')::json where organization_id = ${organizationId}`,
  )
}

export function clientOf(baseUrl: string, key: string, path = '/api/v1'): Client {
  const request = async (
    method: string,
    at: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}${at}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }
  return {
    key,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    delete: (path, headers) => request('DELETE', path, undefined, headers),
  }
}
