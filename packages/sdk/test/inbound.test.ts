// `parley inbound`: the samples of the guides, sent in the place of their providers.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { Parley } from '../src/index.js'
import { type Cli, createCli } from './support/cli.js'
import { until } from './support/until.js'

const samples = fileURLToPath(new URL('../../../docs/guides/samples/', import.meta.url))
const credentials: Record<string, Record<string, string>> = {
  twilio: { authToken: 'token' },
  vapi: { serverSecret: 'secret' },
  retell: { apiKey: 'key' },
  elevenlabs: { webhookSecret: 'secret' },
}

let service: Service
let cli: Cli
let parley: Parley
beforeAll(async () => {
  service = await startService()
  cli = await createCli({ PARLEY_API_KEY: service.api.key, PARLEY_BASE_URL: service.url })
  parley = new Parley({ apiKey: service.api.key, baseUrl: service.url })
  for (const provider of Object.keys(credentials)) {
    const config = provider === 'twilio' ? { accountSid: `AC${'0'.repeat(32)}` } : {}
    await parley.integrationConnections.create({
      provider,
      name: provider,
      config,
      credentials: credentials[provider] ?? {},
    })
  }
})
afterAll(async () => {
  await cli?.remove()
  await service?.stop()
})

test.each(readdirSync(samples))('the sample %s is taken and worked on', async (name) => {
  const { code, stdout, stderr } = await cli.run(['inbound', 'replay', `${samples}${name}`, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answers: { entry: { id: string; connectionId: string } }[] = JSON.parse(stdout)
  expect(answers.length).toBeGreaterThan(0)
  for (const { entry } of answers) {
    const statusOf = async () =>
      (await parley.integrationConnections.inbound(entry.connectionId)).data.find(({ id }) => id === entry.id)?.status
    await until(async () => (await statusOf()) !== 'pending')
    expect(await statusOf()).toBe('processed')
  }
})

test('a file that is none, and a connection that is in doubt, are told so', async () => {
  const missing = await cli.run(['inbound', 'replay', 'no-such-file.json'])
  expect(missing.code).not.toBe(0)
  expect(missing.stderr).toContain('cannot be read')
  await parley.integrationConnections.create({ provider: 'retell', name: 'Second', credentials: { apiKey: 'key' } })
  const doubtful = await cli.run(['inbound', 'replay', `${samples}retell-call.json`])
  expect(doubtful.stderr).toContain('more than one connection to retell')
  const { data } = await parley.integrationConnections.list({ provider: 'vapi' })
  const listed = await cli.run(['inbound', 'list', data[0]?.id ?? '', '--status', 'processed'])
  expect(listed.stdout).toContain('server processed')
})
