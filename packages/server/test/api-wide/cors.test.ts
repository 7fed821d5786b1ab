// Pages of other origins: none may call unless the settings list them, and those that may, only with a key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRequest } from '../support/raw-http.js'
import { type Service, startService } from '../support/service.js'

const page = 'https://app.example.com'
const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }

describe('with origins listed', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ PARLEY_CORS_ORIGINS: `${page},http://localhost:5173` })
  })
  afterAll(() => service.stop())
  const ask = (method: string, headers: Record<string, string>) =>
    rawRequest(`${service.url}/api/v1/tasks`, {
      method,
      headers: { authorization: `Bearer ${service.api.key}`, ...headers },
    })

  test('a preflight of such a page is answered without a key', async () => {
    const { status, headers, bytes } = await rawRequest(`${service.url}/api/v1/tasks`, {
      method: 'OPTIONS',
      headers: { origin: page, ...preflight },
    })
    expect([status, bytes.length, headers['access-control-allow-origin']]).toEqual([204, 0, page])
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
      expect(headers['access-control-allow-methods']).toContain(method)
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match'])
      expect(headers['access-control-allow-headers']).toContain(name)
    expect(headers['x-request-id']).toMatch(/\S/)
  })

  test('its requests may read the rate, request-id, ETag and replay headers, and never carry cookies', async () => {
    for (const answer of [
      await ask('GET', { origin: page }),
      await ask('GET', { origin: page, authorization: 'Bearer x' }),
      await ask('PUT', { origin: page }),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBe(page)
      for (const name of [
        'x-request-id',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'retry-after',
        'etag',
        'idempotent-replayed',
      ]) {
        expect(answer.headers['access-control-expose-headers']).toContain(name)
      }
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(answer.headers.vary?.toLowerCase()).toContain('origin')
    }
  })

  test.each([
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'https://app.example.com:444',
    'null',
    '',
  ])('a page of "%s" gets no permission', async (origin) => {
    for (const answer of [await ask('GET', { origin }), await ask('OPTIONS', { origin, ...preflight })]) {
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.headers.vary?.toLowerCase()).toContain('origin')
    }
  })

  test('a compressed answer varies by both', async () => {
    const answer = await rawRequest(`${service.url}/api/v1/schema`, {
      headers: { authorization: `Bearer ${service.api.key}`, origin: page, 'accept-encoding': 'gzip' },
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers.vary?.toLowerCase()).toMatch(/origin/)
    expect(answer.headers.vary?.toLowerCase()).toMatch(/accept-encoding/)
  })
})

describe('without origins', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('no page gets a permission, and a preflight is a request like any other', async () => {
    const preflighted = await rawRequest(`${service.url}/api/v1/tasks`, {
      method: 'OPTIONS',
      headers: { origin: page, ...preflight },
    })
    expect([preflighted.status, preflighted.headers['access-control-allow-origin']]).toEqual([401, undefined])
    const answer = await rawRequest(`${service.url}/api/v1/tasks`, {
      headers: { authorization: `Bearer ${service.api.key}`, origin: page },
    })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
  })
})
