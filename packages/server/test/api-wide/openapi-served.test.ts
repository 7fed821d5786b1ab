import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/resources/index.js'
import { dereferenced, type Json, operationsOf, problemsOf } from '../support/openapi-document.js'
import { type Answer, type Service, startService } from '../support/service.js'

let service: Service
let document: Json
beforeAll(async () => {
  service = await startService()
  document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Json
})
afterAll(() => service.stop())

test('it is served without a key, with the address that the service has', async () => {
  const response = await fetch(`${service.url}/api/v1/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-request-id')).toMatch(/\S/)
  expect((document['servers'] as Json[]).map(({ url }) => url)).toEqual([`${service.url}/api/v1`, '/api/v1'])
  expect(operationsOf(document)).toHaveLength(endpoints.length)
})

test('it has an ETag, and is not sent again to who has it', async () => {
  const first = await fetch(`${service.url}/api/v1/openapi.json`)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(first.headers.get('cache-control')).toBe('no-cache')
  const again = await fetch(`${service.url}/api/v1/openapi.json`, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const stale = await fetch(`${service.url}/api/v1/openapi.json`, { headers: { 'if-none-match': '"another"' } })
  expect([stale.status, stale.headers.get('etag')]).toEqual([200, etag])
})

test('it names the public address where one is set', async () => {
  const node = await service.node({ PARLEY_PUBLIC_URL: 'https://api.parley.test/v/' })
  const { servers } = (await (await fetch(`${node.url}/api/v1/openapi.json`)).json()) as Json
  expect(servers.map(({ url }: Json) => url)).toEqual(['https://api.parley.test/v/api/v1', '/api/v1'])
})

/** Of our own pages: signing in takes links and passwords that no example can have. */
const isOfPages = (path: string) => /^\/sessions?(\/|$)/.test(path)

/** Creations that stand on nothing: what they need besides their body is in no path. */
const creations = () =>
  operationsOf(document).filter(({ method, path }) => method === 'post' && !path.includes('{') && !isOfPages(path))

test('the service takes every example of a creation, and answers as the document says', async () => {
  const complaints: string[] = []
  for (const { where, path, operation } of creations()) {
    const answer = await made(path, operation['requestBody']?.content['application/json'].example)
    complaints.push(...complaintsAbout(where, operation, answer.status, answer.body, answer.headers))
  }
  expect(complaints).toEqual([])
})

/** A new organization has some records already; the one in the way is removed first. */
async function made(path: string, body: unknown): Promise<Answer> {
  const answer = await (path === '/invitations' ? service.demo.live : service.api).post(path, body)
  const twin = answer.status === 409 ? answer.body.error.details.existingId : undefined
  if (twin === undefined) return answer
  await service.api.delete(`${path}/${twin}`)
  return service.api.post(path, body)
}

test('every read that needs no id answers as the document says', async () => {
  // A stream does not end by itself.
  const isOne = (path: string) => !path.includes('{') && !path.endsWith('/stream') && !isOfPages(path)
  const reads = operationsOf(document).filter(
    ({ method, path, operation }) => method === 'get' && isOne(path) && isPlainRead(operation),
  )
  expect(reads.length).toBeGreaterThan(25)
  const complaints: string[] = []
  for (const { where, path, operation } of reads) {
    const answer = await service.api.get(path.endsWith('/search') ? `${path}?q=water` : path)
    complaints.push(...complaintsAbout(where, operation, answer.status, answer.body, answer.headers))
  }
  expect(complaints).toEqual([])
})

test('refusals have the shape and the headers that the document gives them', async () => {
  const { operation } = operationsOf(document).find(({ path, method }) => path === '/tasks' && method === 'post') as {
    operation: Json
  }
  const refused = await service.api.post('/tasks', { titel: 'a typo' })
  expect(refused.status).toBe(400)
  expect(complaintsAbout('400', operation, refused.status, refused.body, refused.headers)).toEqual([])
  const keyless = await service.client('nothing').post('/tasks', {})
  expect(keyless.status).toBe(401)
  expect(complaintsAbout('401', operation, keyless.status, keyless.body, keyless.headers)).toEqual([])
})

/** A read that asks for nothing and answers with JSON. */
function isPlainRead(operation: Json): boolean {
  const parameters = ((operation['parameters'] ?? []) as Json[]).map((one) => dereferenced(document, one))
  return (
    parameters.every(({ required }) => !required) &&
    Object.keys(operation['responses']['200']?.content ?? {}).includes('application/json')
  )
}

function complaintsAbout(where: string, operation: Json, status: number, body: unknown, headers: Headers): string[] {
  const response = operation['responses'][status]
  if (response === undefined) return [`${where}: ${status} is not documented; ${JSON.stringify(body).slice(0, 300)}`]
  const documented = dereferenced(document, response)
  if (status >= 400 && !where.startsWith('4')) return [`${where}: ${status} ${JSON.stringify(body).slice(0, 300)}`]
  const media = documented['content']?.['application/json']
  const optional = ['Idempotent-Replayed']
  const missing = Object.keys(documented['headers']).filter((name) => !optional.includes(name) && !headers.has(name))
  return [
    ...(media ? problemsOf(document, media.schema, body).map((problem) => `${where} ${status}: ${problem}`) : []),
    ...missing.map((name) => `${where} ${status}: no ${name}`),
  ]
}
