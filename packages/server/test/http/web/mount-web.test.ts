// The cockpit at `/`: which addresses are pages, what they may load, and how files are cached and packed.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountWeb } from '../../../src/http/web/mount-web.js'

const page = '<!doctype html><script type="module" src="/assets/index-abc123.js"></script>'
const script = `console.log(${JSON.stringify('x'.repeat(2_000))})`
let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-web-'))
  await mkdir(join(folder, 'assets'))
  for (const [name, content] of [
    ['index.html', page],
    ['favicon.svg', '<svg/>'],
    ['assets/index-abc123.js', script],
  ] as const) {
    await writeFile(join(folder, name), content)
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(content))
    await writeFile(join(folder, `${name}.gz`), gzipSync(content))
  }
  app = fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: { code: 'not_found' } }))
  mountWeb(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const browser = { accept: 'text/html,application/xhtml+xml' }
const get = (url: string, headers: Record<string, string> = browser) => app.inject({ url, headers })

test('every address of the cockpit is the one page', async () => {
  for (const path of ['/', '/sign-in', '/sign-in?problem=expired', '/o/1/sandbox/live/2', '/whatever']) {
    const answer = await get(path)
    expect([path, answer.statusCode, answer.body]).toEqual([path, 200, page])
    expect(answer.headers['cache-control']).toBe('no-cache')
  }
})

test('addresses of machines never become a page, nor do programs get one', async () => {
  const reserved = ['/api', '/api/v1/nonsense', '/docs/nonsense', '/mcp', '/mcp/x', '/platform/x', '/metrics/x']
  for (const path of [...reserved, '/healthz/x', '/readyz/x', '/assets/gone-123.js', '/robots.txt', '/.env', '/API/x'])
    expect([path, (await get(path)).statusCode]).toEqual([path, 404])
  for (const path of ['/o/1/sandbox/live', '/nonsense'])
    expect([path, (await get(path, { accept: '*/*' })).statusCode]).toEqual([path, 404])
  expect((await app.inject({ method: 'POST', url: '/o/1/sandbox/live', headers: browser })).statusCode).toBe(404)
})

test('the page may load from here alone, and runs nothing inline', async () => {
  const policy = String((await get('/')).headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})

test('files come packed as the build left them, and those with a hash for ever', async () => {
  const as = (encoding: string) => get('/assets/index-abc123.js', { 'accept-encoding': encoding })
  const [brotli, gzipped, plain] = await Promise.all([as('gzip, deflate, br'), as('gzip'), as('identity')])
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(script)
  expect(gunzipSync(gzipped.rawPayload).toString()).toBe(script)
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, script])
  const tag = String(brotli.headers.etag)
  expect((await get('/assets/index-abc123.js', { 'if-none-match': tag })).statusCode).toBe(304)
  expect((await get('/favicon.svg', {})).headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'no-cache',
  })
})

test('where nothing is built, people are led to the reference and programs told where things are', async () => {
  const bare = fastify()
  mountWeb(bare, join(folder, 'nothing'))
  const person = await bare.inject({ url: '/', headers: browser })
  expect([person.statusCode, person.headers.location]).toEqual([302, 'docs'])
  expect((await bare.inject({ url: '/', headers: { accept: '*/*' } })).body).toContain('/docs')
  expect((await bare.inject({ url: '/sign-in', headers: browser })).statusCode).toBe(404)
  await bare.close()
})
