// Webhooks from the command line, with the real engine sending: subscribe, test, look, replay, revoke.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../server/test/support/service.js'
import { subscriber } from '../../server/test/support/webhooks/sending.js'
import { startSending } from '../../server/test/support/webhooks/webhooks.js'
import { table } from '../src/cli/terminal.js'
import { sinceOf } from '../src/cli/webhook-commands.js'
import { Parley, verifyWebhook } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { until } from './support/until.js'

let service: Service
let cli: Cli
let parley: Parley

beforeAll(async () => {
  service = await startSending({ PARLEY_WEBHOOK_RETRY_DELAYS: '0s,20ms,20ms,20ms,20ms,20ms,20ms,20ms' })
  cli = await createCli({ PARLEY_API_KEY: service.api.key, PARLEY_BASE_URL: service.url })
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
})
afterAll(async () => {
  await cli?.remove()
  await service?.stop()
})

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await cli.run([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('a subscription from first to last', async () => {
  let status = 200
  const { url, received } = await subscriber((_request, response) => response.writeHead(status).end())
  expect((await cli.run(['webhooks'])).stdout).toContain('No subscriptions yet')
  const { id, secret } = await json(
    'webhooks',
    'create',
    url,
    '--name',
    'Laptop',
    '--events',
    'task.created,note.added',
  )
  expect((await cli.run(['webhooks', 'list'])).stdout).toMatch(/Laptop\s+active\s+https:.*task\.created,note\.added/)
  expect((await cli.run(['webhooks', 'get', id])).stdout).toMatch(/^name\s+Laptop$/m)
  expect((await cli.run(['webhooks', 'test', id, '--event', 'note.added'])).stdout).toContain('Queued note.added')
  await until(() => received.length === 1)
  expect((await verifyWebhook(received[0]?.body ?? '', received[0]?.headers ?? {}, secret)).type).toBe('note.added')

  status = 500
  await parley.tasks.create({ title: 'Refused' })
  await until(async () => (await parley.webhooks.deliveries(id, { status: 'DEAD_LETTERED' })).data.length === 1)
  const [dead] = await json('deliveries', id, '--status', 'DEAD_LETTERED')
  expect(dead).toMatchObject({ attemptCount: 8, lastResponseStatus: 500 })
  expect((await cli.run(['deliveries', id])).stdout).toMatch(/task\.created\s+DEAD_LETTERED\s+8\s+500/)
  status = 200
  expect((await cli.run(['replay', id, '--since', '1h'])).stdout).toBe('Queued 1 of 1 deliveries again.\n')
  await until(async () => (await parley.webhooks.deliveries(id, { status: 'SUCCEEDED' })).data.length === 2)
  expect((await cli.run(['replay', id, dead.id])).code).toBe(1)
  expect((await cli.run(['replay', id, dead.id, '--force'])).stdout).toBe(`Delivery ${dead.id} is PENDING.\n`)
  expect((await cli.run(['replay', id])).code).toBe(2)

  expect((await cli.run(['webhooks', 'pause', id])).stdout).toBe('Laptop is paused.\n')
  expect((await cli.run(['webhooks', 'resume', id])).stdout).toBe('Laptop is active.\n')
  expect((await cli.run(['webhooks', 'rotate-secret', id, '--grace', '60'])).stdout).toMatch(/^whsec_\S+\n$/)
  expect((await cli.run(['webhooks', 'delete', id])).stdout).toBe(`${id} is revoked.\n`)
})

test('an address that is not https is refused with a reason', async () => {
  const { code, stderr } = await cli.run(['webhooks', 'create', 'http://localhost:4000'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/url .*https/)
})

test('since is a time or a while ago', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  expect(['30m', '2h', '1d', '2026-01-01T00:00:00Z'].map((text) => sinceOf(text, now).toISOString())).toEqual([
    '2026-01-01T23:30:00.000Z',
    '2026-01-01T22:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ])
  expect(() => sinceOf('yesterday')).toThrow(/no time/)
})

test('a table fits a narrow terminal, and says no control characters', () => {
  const rows = [
    ['0190a', 'A long title that does not fit here', 'open'],
    ['0190b', 'Short\u001b[2J', null],
  ]
  expect(table(['id', 'title', 'status'], rows, 30)).toBe(
    ['ID     TITLE            STATUS', '0190a  A long title t…  open', '0190b  Short [2J'].join('\n'),
  )
  expect(table(['id', 'title', 'status'], rows, Number.POSITIVE_INFINITY)).toContain(
    'A long title that does not fit here  open',
  )
  const widest = Math.max(
    ...table(['id', 'title', 'status'], rows, 10)
      .split('\n')
      .map((line) => line.length),
  )
  expect(widest).toBeLessThanOrEqual(24)
})
