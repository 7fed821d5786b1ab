// The client where there is nothing of Node: bundled for any platform, in a context of its own that has what browsers,
// edge workers, Bun and Deno share, and no more.
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { signForTest } from '../src/index.js'

let service: Service
let bundle: string

beforeAll(async () => {
  service = await startService()
  const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'neutral',
    format: 'iife',
    globalName: 'sdk',
    target: 'es2022',
    write: false,
  })
  bundle = outputFiles[0]?.text ?? ''
})
afterAll(() => service?.stop())

/**
 * What the Minimum Common Web API asks of every platform, as far as a client may need it. The language's own objects
 * are the context's.
 */
const web = () => ({
  AbortController,
  AbortSignal,
  Blob,
  Event,
  EventTarget,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  setTimeout,
})

/** Runs the body of an async function beside the bundle; what it returns comes back as JSON. */
async function inWebContext(body: string, given: object = {}) {
  const context = createContext({ ...web(), given }, { codeGeneration: { strings: false, wasm: false } })
  runInContext(bundle, context)
  return JSON.parse(await runInContext(`(async () => { ${body} })().then((result) => JSON.stringify(result))`, context))
}

test('there is nothing of Node in the context', async () => {
  const names = ['process', 'Buffer', 'require', 'module', 'global', 'setImmediate', '__dirname']
  expect(await inWebContext(`return [${names.map((name) => `typeof ${name}`).join(', ')}]`)).toEqual(
    names.map(() => 'undefined'),
  )
})

test('it creates, lists and follows records, and tells its errors apart', async () => {
  const result = await inWebContext(
    `const { NotFoundError, ConnectionError, Parley } = sdk
    const parley = new Parley(given)
    const made = await parley.tasks.create({ title: 'From the web' })
    const { data } = await parley.tasks.list({ limit: 1 })
    const events = parley.events.stream({ lastEventId: '', type: 'task.created' })
    const { value: event } = await events.next()
    await events.return()
    const missing = await parley.people.get('01900000-0000-7000-8000-000000000000').catch((error) => error)
    const away = await new Parley({ ...given, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 }).schema().catch((error) => error)
    return [made.id === data[0].id, made.title, event.data.taskId === made.id, missing instanceof NotFoundError, away instanceof ConnectionError]`,
    { apiKey: service.api.key, baseUrl: service.url },
  )
  expect(result).toEqual([true, 'From the web', true, true, true])
})

test('it verifies webhooks, and refuses one that was changed', async () => {
  const secret = 'whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxl'
  const event = {
    eventId: '01KDVDNKG0',
    type: 'note.added',
    occurredAt: new Date().toISOString(),
    organizationId: 'o',
    data: { noteId: 'n — ü' },
  }
  const signed = await signForTest(event, secret)
  const result = await inWebContext(
    `const { verifyWebhook, WebhookVerificationError } = sdk
    const { body, headers, secret } = given
    const request = new Request('https://example.com/hooks', { method: 'POST', body, headers })
    const event = await verifyWebhook(await request.text(), request.headers, secret)
    const fromBytes = await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret)
    const changed = await verifyWebhook(body.replace('note.added', 'note.adder'), new Headers(headers), secret).catch((error) => error)
    return [event, fromBytes, changed instanceof WebhookVerificationError]`,
    { ...signed, secret },
  )
  expect(result).toEqual([event, event, true])
})
