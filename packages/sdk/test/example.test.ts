// The example of an integrator, run as its README says: listen, receive, approve, booked once.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.js'
import { type Service, startService } from '../../server/test/support/service.js'
import { Parley, signForTest } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { until } from './support/until.js'

const example = fileURLToPath(new URL('../../../examples/booking-receiver/receiver.mjs', import.meta.url))
let service: Service
let cli: Cli
let child: ChildProcess | undefined
let log = ''

beforeAll(async () => {
  service = await startService()
  cli = await createCli({ PARLEY_API_KEY: service.api.key, PARLEY_BASE_URL: service.url })
})
afterAll(async () => {
  child?.kill()
  await cli?.remove()
  await service?.stop()
})

test('approved drafts are booked once each, across a restart, and reported as synced', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hooks`
  const bookings = join(cli.home, 'bookings.ndjson')
  const parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
  const listening = cli.start(['listen', '--forward-to', url])
  await listening.says('Signing secret: ')
  const secret = /whsec_\S+/.exec(listening.output.stderr)?.[0] ?? ''
  const startReceiver = async () => {
    log = ''
    const env = { ...cli.env, PORT: String(port), BOOKINGS: bookings, PARLEY_WEBHOOK_SECRET: secret }
    child = spawn(process.execPath, [example], { env, stdio: 'pipe' })
    child.stdout?.on('data', (text: Buffer) => (log += text))
    child.stderr?.on('data', (text: Buffer) => (log += text))
    await until(() => log.includes('listening on'), 'the receiver is up')
  }
  const approve = async () => JSON.parse((await cli.run(['trigger', 'draft.approved', '--json'])).stdout)

  await startReceiver()
  const first = await approve()
  await until(() => log.includes(`booked ${first.data.workRecord.number}`), 'the first booking')
  const stopped = once(child ?? expect.fail(), 'close')
  child?.kill()
  await stopped
  const second = await approve()
  await startReceiver()
  await until(() => log.includes(`booked ${second.data.workRecord.number}`), 'the second booking')
  for (const { data } of [first, second]) {
    await until(async () => (await parley.drafts.get(data.draftId)).status === 'synced', 'the draft is synced')
    expect((await parley.drafts.get(data.draftId)).externalRefs).toContainEqual(
      expect.objectContaining({ system: 'bookings', externalId: data.draftId }),
    )
  }

  const again = await signForTest(first, secret)
  expect((await fetch(url, { method: 'POST', ...again })).status).toBe(204)
  const forged = await signForTest(first, 'whsec_forged')
  expect((await fetch(url, { method: 'POST', ...forged })).status).toBe(400)
  const lines = (await readFile(bookings, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ draftId }) => draftId)).toEqual([first.data.draftId, second.data.draftId])
  expect(lines[0]).toMatchObject({ title: 'Leaking boiler', kind: 'service_request' })
  listening.child.kill('SIGINT')
  await listening.ended
})
