// Who is kept out of /mcp, and what becomes of messages that are none: raw HTTP against the real server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAgent } from '../support/mcp-client.js'
import { type Service, startService } from '../support/service.js'

let service: Service

beforeAll(async () => {
  service = await startService({ PARLEY_CORS_ORIGINS: 'https://desk.example' })
})
afterAll(async () => {
  await service?.stop()
})

interface Sent {
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly method?: string
  readonly path?: string
}

async function send(body: unknown, { key = service.api.key, headers = {}, method = 'POST', path = '/mcp' }: Sent = {}) {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const listing = () => rpc('tools/list')

test('a key opens it and nothing else does: no cookie, no other scheme, no revoked key', async () => {
  expect((await send(listing())).status).toBe(200)
  const missing = await send(listing(), { key: null, headers: { cookie: `__session=${'a'.repeat(43)}` } })
  expect(missing).toMatchObject({
    status: 401,
    body: { jsonrpc: '2.0', id: null, error: { data: { error: 'unauthorized' } } },
  })
  expect(missing.headers.get('www-authenticate')).toBe('Bearer')
  expect((await send(listing(), { key: null, headers: { authorization: 'Basic x' } })).status).toBe(401)
  const { body: minted } = await service.api.post('/api-keys', { name: 'Short', scope: 'READ' })
  expect((await send(listing(), { key: minted.key })).status).toBe(200)
  await service.api.delete(`/api-keys/${minted.id}`)
  expect((await send(listing(), { key: minted.key })).status).toBe(401)
})

test('pages of foreign origins are refused, whatever their key', async () => {
  const from = (origin: string) => send(listing(), { headers: { origin } })
  for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`, 'http://localhost:3000'])
    expect(await from(origin)).toMatchObject({
      status: 403,
      body: { error: { data: { details: { reason: 'cross_origin' } } } },
    })
  for (const origin of [service.url, 'https://desk.example']) expect((await from(origin)).status).toBe(200)
})

test('it takes POST alone, and nothing beside it becomes a page', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const refused = await send(undefined, { method, headers: { accept: 'text/event-stream' } })
    expect(refused).toMatchObject({ status: 405, body: { error: { data: { error: 'method_not_allowed' } } } })
    expect(refused.headers.get('allow')).toBe('POST')
  }
  for (const path of ['/mcp/', '/mcp/x', '/MCP/x', '/mcp/sse'])
    expect(await send(undefined, { method: 'GET', path, headers: { accept: 'text/html' } })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
})

const capable = { 'io.modelcontextprotocol/clientCapabilities': {} }
const stateless = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', ...capable } }
const version = { 'mcp-protocol-version': '2026-07-28' }

test('what is no message of the protocol is refused in its words, and never a 500', async () => {
  const deep = `${'{"a":'.repeat(80)}1${'}'.repeat(80)}`
  const cases: [unknown, Record<string, string>, number, number][] = [
    ['{"jsonrpc":', {}, 400, -32700],
    ['[]', {}, 400, -32600],
    [[listing(), listing()], {}, 400, -32600],
    ['null', {}, 400, -32600],
    ['"text"', {}, 400, -32600],
    [{ ...listing(), jsonrpc: '1.0' }, {}, 400, -32600],
    [{ jsonrpc: '2.0', id: 1, result: {} }, {}, 400, -32600],
    [rpc('tools/list', undefined, {}), {}, 400, -32600],
    [rpc('tools/list', undefined, 1.5), {}, 400, -32600],
    [rpc('tools/list', [1]), {}, 400, -32602],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":${deep}}}`, {}, 400, -32000],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"x":1}}}', {}, 400, -32000],
    [listing(), { 'content-type': 'text/plain' }, 415, -32000],
    [{ ...listing(), padding: 'x'.repeat(1_100_000) }, {}, 413, -32000],
    [listing(), { 'mcp-protocol-version': '1999-01-01' }, 400, -32022],
    [listing(), version, 400, -32602],
    [rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }), {}, 400, -32022],
    [rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }), version, 400, -32602],
    [rpc('tools/list', stateless), {}, 400, -32020],
    [rpc('tools/list', stateless), { ...version, 'mcp-method': 'tools/call' }, 400, -32020],
    [
      rpc('tools/call', { ...stateless, name: 'find' }),
      { ...version, 'mcp-method': 'tools/call', 'mcp-name': 'read' },
      400,
      -32020,
    ],
    [rpc('nonsense', stateless), { ...version, 'mcp-method': 'nonsense' }, 404, -32601],
    [rpc('constructor'), {}, 200, -32601],
    [rpc('tools/call', { name: 'constructor' }), {}, 200, -32602],
    [rpc('tools/call', {}), {}, 200, -32602],
    [rpc('tools/list', { cursor: 'x' }), {}, 200, -32602],
    [rpc('prompts/get', { name: 'prepare-for-call', arguments: { person: 1 } }), {}, 200, -32602],
    [rpc('resources/read', { uri: 7 }), {}, 200, -32602],
  ]
  for (const [body, headers, status, code] of cases) {
    const refused = await send(body, { headers })
    expect([refused.status, refused.body.error.code, String(body).slice(0, 40)]).toEqual([
      status,
      code,
      String(body).slice(0, 40),
    ])
  }
  for (const args of [null, [], 'x', 7, { entity: ['tasks'] }, { entity: 'tasks', q: 'a'.repeat(300) }]) {
    const { status, body } = await send(rpc('tools/call', { name: 'find', arguments: args }))
    expect([status, body.result.isError ?? false, body.result.content[0].type]).toEqual([200, true, 'text'])
  }
  const notified = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect(notified).toMatchObject({ status: 202, text: '' })
  const named = `=?base64?${Buffer.from('find').toString('base64')}?=`
  const headers = { ...version, 'mcp-method': 'tools/call', 'mcp-name': named }
  const packed = await send(rpc('tools/call', { ...stateless, name: 'find', arguments: { entity: 'tasks' } }), {
    headers,
  })
  expect(packed.body.result).toMatchObject({ resultType: 'complete', structuredContent: { records: [] } })
  const old = await send(rpc('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: {} }))
  expect(old.body.result.protocolVersion).toBe('2025-11-25')
})

test('what an agent was told counts as unread no longer than until it is sent', async () => {
  const small = await service.node({ PARLEY_UNSENT_BYTES_PER_TENANT: '100000' })
  const body = 'x'.repeat(15_000)
  const { body: person } = await service.api.post('/people', { displayName: 'Ann' })
  for (let count = 0; count < 2; count++)
    await service.api.post('/notes', { body, subjectType: 'person', subjectId: person.id })
  const agent = await connectAgent(small.url, service.api.key)
  for (let count = 0; count < 8; count++)
    expect((await agent.call('find', { entity: 'notes' })).result.records).toHaveLength(2)
})

test('each message spends a read, and a tool what its request spends', async () => {
  const limited = await service.node({ PARLEY_RATE_LIMIT_READ: '1:40', PARLEY_RATE_LIMIT_WRITE: '1:1' })
  const { body: minted } = await service.api.post('/api-keys', { name: 'W', scope: 'WRITE', agentWrites: 'direct' })
  const agent = await connectAgent(limited.url, minted.key, 'legacy')
  const make = () => agent.call('create', { entity: 'tasks', fields: { title: 'Once' } })
  const made = await Promise.all(Array.from({ length: 10 }, make))
  expect(made.some(({ isError }) => !isError)).toBe(true)
  expect(made.find(({ isError }) => isError)?.result.error).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: expect.any(Number),
  })
  const headers = { authorization: `Bearer ${minted.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(rpc('tools/call', { name: 'describe', arguments: { entity: 'tasks' } }))
  const flood = Array.from({ length: 60 }, () => fetch(`${limited.url}/mcp`, { method: 'POST', headers, body }))
  const refused = (await Promise.all(flood)).find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused?.json()).toMatchObject({ error: { data: { error: 'rate_limited' } } })
})
