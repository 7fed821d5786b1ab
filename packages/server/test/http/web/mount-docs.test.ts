// The documentation site at `/docs`, as it is built and served: every link leads somewhere, nothing comes from elsewhere,
// everything of the API has an address, and machines get Markdown.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtDocs, mountDocs } from '../../../src/http/web/mount-docs.js'
import { webFilesIn } from '../../../src/http/web/web-files.js'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const site = 'http://site'
let app: FastifyInstance
/** Every page by its address, as text. */
const pages = new Map<string, string>()

beforeAll(async () => {
  app = fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: { code: 'not_found' } }))
  mountDocs(app, builtDocs)
  const files = webFilesIn(builtDocs)?.paths.filter((path) => path.endsWith('.html') && path !== '/404.html') ?? []
  for (const address of ['/docs', ...files.map((path) => `/docs${path.replace('.html', '')}`)])
    pages.set(address, (await get(address)).body)
})
afterAll(() => app.close())

const browser = { accept: 'text/html,application/xhtml+xml' }
const get = (url: string, headers: Record<string, string> = browser) => app.inject({ url, headers })

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))
const idsIn = (html: string): string[] => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)

/** What the rest of the service answers. */
const beside = new Set(['/', '/api/v1/openapi.json'])

test('every link of every page leads to a page, a file or a place that is there', async () => {
  expect(pages.size).toBeGreaterThan(70)
  const ids = new Map([...pages].map(([address, html]) => [address, new Set(idsIn(html))]))
  const others = new Map<string, number>()
  const dead: string[] = []
  for (const [address, html] of pages) {
    for (const link of new Set(addressesIn(html))) {
      const { origin, pathname, hash } = new URL(link, site + address)
      if (origin !== site || beside.has(pathname)) continue
      const known = ids.get(pathname)
      if (known === undefined && !others.has(pathname)) others.set(pathname, (await get(pathname, {})).statusCode)
      const isThere = known ? hash === '' || known.has(decodeURIComponent(hash.slice(1))) : others.get(pathname) === 200
      if (!isThere) dead.push(`${address}: ${link}`)
    }
  }
  expect(dead).toEqual([])
  for (const [address, html] of pages) {
    const own = idsIn(html)
    expect([address, own.filter((id, at) => own.indexOf(id) !== at)]).toEqual([address, []])
  }
})

test('no page loads anything from elsewhere or runs anything inline, and links outside tell nobody', () => {
  for (const [address, html] of [...pages, ['/docs/404', readFileSync(join(builtDocs, '404.html'), 'utf8')] as const]) {
    const loaded = [...html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
    expect([address, loaded.filter((link) => /^(\w+:|\/\/)/.test(link))]).toEqual([address, []])
    expect([address, /<script(?![^>]*\bsrc=)|<style|<[^>]+\s(?:on\w+|style)=/.exec(html)]).toEqual([address, null])
    const outside = [...html.matchAll(/<a href="https?:[^>]*>/g)].map(([link]) => link)
    expect([address, outside.filter((link) => !link.includes('rel="noreferrer"'))]).toEqual([address, []])
  }
  const assets = webFilesIn(builtDocs)?.paths.filter((path) => path.startsWith('/assets/')) ?? []
  expect(assets.map((path) => path.split('/').at(-1)).sort()).toEqual([
    'docs.css',
    'docs.js',
    'follow-links.js',
    'icon.svg',
    'search.js',
    'theme.js',
    'try-it.js',
  ])
  for (const path of assets.filter((one) => !one.endsWith('.svg'))) {
    const text = readFileSync(join(builtDocs, path), 'utf8')
    expect([path, /@import|url\(|https?:\/\/(?!127\.0\.0\.1:3000)/.exec(text)]).toEqual([path, null])
  }
})

test('every operation, field, error and event has an address of its own', () => {
  const document = JSON.parse(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8'))
  const api = [...pages].filter(([address]) => address.startsWith('/docs/api/')).map(([, html]) => html)
  const there = new Set(api.flatMap(idsIn))
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  expect(operations.length).toBeGreaterThan(200)
  expect(operations.filter((id) => !there.has(id))).toEqual([])
  const shown: [string, { properties?: object }][] = Object.entries(document.components.schemas)
  // What is sent is described at its operation, what events carry among the events.
  const fields = shown
    .filter(([name]) => there.has(name))
    .flatMap(([name, { properties = {} }]) => Object.keys(properties).map((field) => `${name}.${field}`))
  expect(fields.length).toBeGreaterThan(1_000)
  expect([...fields, 'createTask.dueAt', 'createTask-body', 'listTasks.status'].filter((id) => !there.has(id))).toEqual(
    [],
  )
  const errors = new Set(idsIn(pages.get('/docs/errors') ?? ''))
  expect(document.components.schemas.ErrorCode.enum.filter((code: string) => !errors.has(code))).toEqual([])
  const events = new Set(idsIn(pages.get('/docs/events') ?? ''))
  expect(Object.keys(document.webhooks).filter((type) => !events.has(type))).toEqual([])
  expect(pages.get('/docs/events')).toContain('&quot;eventId&quot;')
})

test('samples come in several languages, and a page has its neighbours and its Markdown', () => {
  const tasks = pages.get('/docs/api/tasks') ?? ''
  for (const language of ['curl', 'TypeScript', 'Python', 'Go', 'PHP']) expect(tasks).toContain(`>${language}</label>`)
  expect(tasks).toContain('parley.tasks.create({')
  expect(tasks).toMatch(/rel="prev" href="[^"]+"/)
  expect(tasks).toMatch(/rel="next" href="[^"]+"/)
  expect(tasks).toContain('<link rel="alternate" type="text/markdown" href="../api/tasks.md">')
  // A guide that names an operation leads there.
  expect(pages.get('/docs/guides/start')).toContain('<a href="../api/drafts#approveDraft">')
})

test('each page is Markdown as well, and llms.txt knows them all', async () => {
  const list = await get('/llms.txt', { accept: '*/*' })
  expect([list.statusCode, list.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  expect((await get('/docs/llms.txt', {})).body).toBe(list.body)
  const listed = [...list.body.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, address = '']) => address)
  expect(listed.sort()).toEqual(
    [...pages.keys()]
      .filter((address) => address !== '/docs')
      .map((address) => `${address}.md`)
      .sort(),
  )
  const dead: string[] = []
  for (const address of [...listed, '/docs/index.md']) {
    const page = await get(address, {})
    expect([address, page.statusCode, page.headers['content-type']]).toEqual([
      address,
      200,
      'text/markdown; charset=utf-8',
    ])
    expect([address, page.body.startsWith('# ')]).toEqual([address, true])
    for (const [, link = ''] of page.body.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      const { origin, pathname } = new URL(link, site + address)
      if (origin === site && (await get(pathname, {})).statusCode !== 200) dead.push(`${address}: ${link}`)
    }
  }
  expect(dead).toEqual([])
  const tasks = await get('/docs/api/tasks.md', {})
  expect(tasks.body).toContain('`POST /api/v1/tasks`')
  expect(tasks.body).toContain('- `dueAt` (date-time or null): When it should be done.')
})

test('the policy allows this origin and nothing else', async () => {
  const { headers } = await get('/docs/api/tasks')
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
})

test('pages come packed, are not sent again to who has them, and assets are kept for ever', async () => {
  const plain = await get('/docs/events', { 'accept-encoding': 'identity' })
  const packed = await get('/docs/events', { 'accept-encoding': 'gzip, deflate, br' })
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync((await get('/docs/events', { 'accept-encoding': 'gzip' })).rawPayload).toString()).toBe(plain.body)
  expect(packed.headers).toMatchObject({
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'content-encoding': 'br',
  })
  expect((await get('/docs/events', { 'if-none-match': String(packed.headers.etag) })).statusCode).toBe(304)
  const [script = ''] = addressesIn(pages.get('/docs') ?? '').filter((address) => address.endsWith('docs.js'))
  expect((await get(`/${script}`)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  // What a first visit loads; the index comes when somebody searches.
  const first = addressesIn(pages.get('/docs/api/tasks') ?? '').filter((address) => /\.(css|js)$/.test(address))
  const sizes = await Promise.all(
    ['/docs/api/tasks', ...first.map((address) => new URL(address, `${site}/docs/api/tasks`).pathname)].map(
      async (address) => (await get(address, { 'accept-encoding': 'br' })).rawPayload.length,
    ),
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(25_000)
})

test('what is not there is a page for people and an error for programs', async () => {
  for (const address of [
    '/docs/nonsense',
    '/docs/a/b/c',
    '/docs/index.html',
    '/docs/..%2fpackage.json',
    '/docs/.built-from',
  ]) {
    const page = await get(address)
    expect([address, page.statusCode, page.body.includes('There is no such page')]).toEqual([address, 404, true])
    const program = await get(address, { accept: '*/*' })
    expect([address, program.statusCode, program.json()]).toEqual([address, 404, { error: { code: 'not_found' } }])
  }
  const slash = await get('/docs/')
  expect([slash.statusCode, slash.headers.location]).toEqual([308, '../docs'])
})

test('where nothing is built, it says what to do', async () => {
  const bare = fastify()
  mountDocs(bare, join(builtDocs, 'nothing'))
  expect((await bare.inject('/docs')).body).toContain('npm run build')
  await bare.close()
})
