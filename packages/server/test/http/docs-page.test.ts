import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../support/openapi-document.js'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers, redirect: 'manual' })

test('programs are told where things are, and a slash too many is forgiven', async () => {
  const program = await get('/', { accept: '*/*' })
  expect([program.status, ((await program.json()) as { error: { message: string } }).error.message]).toEqual([
    404,
    expect.stringContaining('/docs'),
  ])
  const slash = await get('/docs/')
  expect([slash.status, slash.headers.get('location')]).toEqual([308, '../docs'])
})

test('the page needs no key, and loads its parts from this service alone', async () => {
  const response = await get('/docs')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const html = await response.text()
  const addresses = [...html.matchAll(/\b(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address ?? '')
  expect(addresses).toEqual(['docs/icon.svg', 'docs/page.css', 'docs/page.js', 'api/v1/openapi.json'])
  expect(addresses.filter((address) => /^([a-z]+:|\/)/i.test(address))).toEqual([])
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  for (const address of addresses) {
    const part = await get(`/${address}`)
    expect([address, part.status]).toEqual([address, 200])
    expect((await part.arrayBuffer()).byteLength, address).toBeGreaterThan(100)
  }
})

test('its policy lets it run its own scripts and reach its own origin, and nothing else', async () => {
  const policy = (await get('/docs')).headers.get('content-security-policy')
  const directives = Object.fromEntries(
    (policy ?? '').split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]),
  )
  expect(directives).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
})

test('no style sheet and no script of the page names another file or asks for anything', async () => {
  const styles = await (await get('/docs/page.css')).text()
  expect(styles).not.toMatch(/@import|url\(/)
  const script = await (await get('/docs/page.js')).text()
  expect(script).not.toMatch(/fetch|XMLHttpRequest|import\b|https?:/)
  expect(() => new Function(script)).not.toThrow()
})

test('it shows every operation, webhook and schema before any script has run, and every link leads somewhere', async () => {
  const html = await (await get('/docs')).text()
  const document = (await (await get('/api/v1/openapi.json')).json()) as Json
  const ids = [...html.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  const named = [document['paths'], document['webhooks']].flatMap((paths) =>
    Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    ),
  )
  expect(named.length).toBeGreaterThan(200)
  const schemas = Object.keys(document['components'].schemas).map((name) => `schema-${name}`)
  expect([...named, ...schemas].filter((id) => !ids.includes(id))).toEqual([])
  const links = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id ?? '')
  expect(links.filter((id) => !ids.includes(id))).toEqual([])
  expect(html.match(/id="operations-tag-/g)?.length).toBeGreaterThan(30)
  expect(html).toMatch(/<code>dueAt<\/code><\/td><td>date-time or null/)
})

test('its parts are packed once, and not sent again to who has them', async () => {
  const packed = await rawGet('/docs', { 'accept-encoding': 'br, gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(packed.bytes).toBeLessThan(150_000)
  const plain = await rawGet('/docs', {})
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.bytes).toBeGreaterThan(300_000)
  const again = await rawGet('/docs', { 'if-none-match': String(packed.headers['etag']) })
  expect([again.status, again.bytes]).toEqual([304, 0])
})

interface Raw {
  readonly status: number | undefined
  readonly headers: Record<string, unknown>
  readonly bytes: number
}

/** As it comes over the wire: `fetch` would unpack it. */
function rawGet(path: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(service.url + path, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, bytes }))
    })
    sent.on('error', reject).end()
  })
}

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

test.skipIf(browser === undefined)(
  'a real browser draws every section under that policy',
  { timeout: 120_000 },
  async () => {
    const profile = await mkdtemp(join(tmpdir(), 'parley-browser-'))
    const quiet = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ]
    const more = [
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${profile}`,
      '--enable-logging=stderr',
      '--virtual-time-budget=30000',
    ]
    const { stdout, stderr } = await promisify(execFile)(
      browser as string,
      [...quiet, ...more, '--dump-dom', `${service.url}/docs`],
      { maxBuffer: 1 << 26 },
    )
    await rm(profile, { recursive: true, force: true })
    expect(stdout).toContain('Parley API')
    expect(stdout.match(/id="operations-tag-/g)?.length).toBeGreaterThan(30)
    expect(stdout).toContain('<h2>Webhooks</h2>')
    expect(stdout).toContain('work_record.created')
    // What the policy refuses, and what throws, is said on the console.
    expect(stderr.split('\n').filter((line) => /:CONSOLE/.test(line))).toEqual([])
  },
)
