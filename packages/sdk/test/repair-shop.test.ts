// The repair shop's integration, run as its README says: 2,000 customers, a call that becomes a job by the rule, one
// that waits for a person, one that was missed, and each caller texted once.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.js'
import { type Service, startService } from '../../server/test/support/service.js'
import { Parley, signForTest } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { until } from './support/until.js'

const example = fileURLToPath(new URL('../../../examples/repair-shop/shop.ts', import.meta.url))
let service: Service
let cli: Cli
let shop: ChildProcess | undefined

beforeAll(async () => {
  service = await startService()
  cli = await createCli({ PARLEY_API_KEY: service.api.key, PARLEY_BASE_URL: service.url })
  await build({
    entryPoints: [example],
    outfile: join(cli.home, 'shop.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { '@parley/sdk': fileURLToPath(new URL('../src', import.meta.url)) },
  })
})
afterAll(async () => {
  shop?.kill()
  await cli?.remove()
  await service?.stop()
})

test('the example has at most sixty lines', async () => {
  expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})

const phoneOf = (index: number) => `+1202556${String(index).padStart(4, '0')}`

test('customers are imported, calls are received, approved by rule and texted back, each once', async () => {
  const parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    number: `C-${at}`,
    name: `Customer ${at}`,
    phone: phoneOf(at),
  }))
  await writeFile(join(cli.home, 'customers.ndjson'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const secret = (await cli.run(['listen', '--print-secret'])).stdout.trim()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/hooks`
  let log = ''
  const env = { ...cli.env, PORT: port, PARLEY_WEBHOOK_SECRET: secret }
  shop = spawn(process.execPath, ['shop.mjs'], { cwd: cli.home, env })
  for (const stream of [shop.stdout, shop.stderr]) stream?.on('data', (text: Buffer) => (log += text))
  await until(() => log.includes('listening on'), 'the shop is open', 200_000)
  expect(log).toContain('2000 customers imported')
  expect((await parley.customers.list({ limit: 1, count: true })).count).toBe(2_000)
  const known = await parley.people.byPhone(phoneOf(7))
  expect(known).toMatchObject({ displayName: 'Customer 7', customerId: expect.any(String) })

  const listening = cli.start(['listen', '--forward-to', url])
  await listening.says('Signing secret')
  const happen = async (type: string, from: string) =>
    JSON.parse((await cli.run(['trigger', type, '--override', `from=${from}`, '--json'])).stdout)
  const booked = await happen('call.ended', phoneOf(7))
  const stranger = await happen('call.ended', '+12025559999')
  const missed = await happen('call.missed', phoneOf(8))
  const textsTo = async (to: string) =>
    (await parley.sms.list().toArray()).filter((text) => text.to === to).map(({ body }) => body)
  await until(async () => (await textsTo(phoneOf(8))).length > 0, `the last text: ${log}`)
  expect(await textsTo(phoneOf(8))).toEqual(['Sorry that we missed you. What can we fix?'])
  expect(await textsTo(phoneOf(7))).toEqual(['Booked: Leaking boiler. See you soon!'])
  expect(await textsTo('+12025559999')).toEqual(['Thank you for calling. We will get back to you.'])
  expect((await parley.drafts.get(booked.data.draftId)).status).toBe('approved')
  expect((await parley.drafts.get(stranger.data.draftId)).status).not.toBe('approved')

  for (const event of [booked, missed]) {
    const again = await signForTest(event, secret)
    expect((await fetch(url, { method: 'POST', ...again })).status).toBe(204)
  }
  expect((await fetch(url, { method: 'POST', ...(await signForTest(booked, 'whsec_forged')) })).status).toBe(400)
  expect((await textsTo(phoneOf(7))).length + (await textsTo(phoneOf(8))).length).toBe(2)
  listening.child.kill('SIGINT')
  await listening.ended
})
