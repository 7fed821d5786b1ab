// What a check of a connection says: only what the provider answered, in plain words, and nothing where nobody could be
// asked.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

const KEY = 'the-right-key'
let answer: (response: ServerResponse) => void
const asked: IncomingMessage[] = []
const vendor = createServer((request, response) => {
  asked.push(request)
  answer(response)
})
const answering = (status: number, headers: Record<string, string> = {}, body = '{}') => {
  answer = (response) => void response.writeHead(status, headers).end(body)
}

let service: Service
let api: Client
let url: string
beforeAll(async () => {
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  service = await startService({
    PARLEY_MODEL_URLS: `${url}/v1`,
    PARLEY_VAPI_URL: url,
    PARLEY_RETELL_URL: url,
    PARLEY_ELEVENLABS_URL: url,
    PARLEY_PROVIDER_TIMEOUT: '30s',
  })
  api = service.api
})
afterAll(async () => {
  await service.stop()
  vendor.closeAllConnections()
  vendor.close()
})

async function connect(provider: string, credentials: object, config: object = {}): Promise<string> {
  const made = await api.post('/integration-connections', { provider, name: 'Theirs', config, credentials })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}
const connectModel = () => connect('openai_compatible', { apiKey: KEY }, { baseUrl: `${url}/v1`, model: 'small' })
const check = (id: string, by = api) => by.post(`/integration-connections/${id}/check`)
const read = async (id: string) => (await api.get(`/integration-connections/${id}`)).body

describe('of a model', () => {
  test('lists its models with the key, and makes the connection active', async () => {
    answering(200, {}, JSON.stringify({ data: [] }))
    const id = await connectModel()
    expect((await check(id)).body).toMatchObject({ ok: true, status: 'active' })
    const { method, url: path, headers } = asked.at(-1) ?? {}
    expect([method, path, headers?.authorization]).toEqual(['GET', '/v1/models', `Bearer ${KEY}`])
    expect(await read(id)).toMatchObject({ status: 'active', lastError: null })
  })

  test.each([
    [401, 'refused the API key'],
    [403, 'refused the API key'],
    [404, 'config.baseUrl'],
    [429, 'no more requests'],
    [500, 'trouble of its own'],
    [503, 'trouble of its own'],
  ])('says what %i means', async (status, words) => {
    answering(status)
    const id = await connectModel()
    const { body } = await check(id)
    expect(body).toMatchObject({ ok: false, status: 'error', message: expect.stringContaining(words) })
    expect(await read(id)).toMatchObject({ status: 'error', lastError: body.message })
  })

  test('follows no redirect', async () => {
    const before = asked.length
    answering(307, { location: `${url}/elsewhere` })
    expect((await check(await connectModel())).body).toMatchObject({
      ok: false,
      message: expect.stringContaining('redirect'),
    })
    expect(asked).toHaveLength(before + 1)
  })

  test('waits no longer than it may', async () => {
    answer = () => undefined
    const impatient = clientOf((await service.node({ PARLEY_PROVIDER_TIMEOUT: '300ms' })).url, api.key)
    expect((await check(await connectModel(), impatient)).body).toMatchObject({
      ok: false,
      message: expect.stringContaining('did not answer in time'),
    })
  })

  test('is content with the status of an answer that goes on and on', async () => {
    answering(200, {}, 'x'.repeat(2 * 1024 * 1024))
    expect((await check(await connectModel())).body).toMatchObject({ ok: true, status: 'active' })
  })

  test('asks no address that the operator has ceased to allow', async () => {
    const id = await connectModel()
    await service.database.query(
      sql`update integration_connections set record = jsonb_set(record::jsonb, '{config,baseUrl}', ${JSON.stringify(`${url}/old`)}::jsonb)
        where id = ${id}`,
    )
    const before = asked.length
    expect((await check(id)).body).toMatchObject({
      ok: false,
      status: 'error',
      message: expect.stringContaining('PARLEY_MODEL_URLS'),
    })
    expect(asked).toHaveLength(before)
  })
})

describe('of a voice agent', () => {
  const secrets = { vapi: { serverSecret: 's' }, elevenlabs: { webhookSecret: 's' }, retell: {} }
  const providers = Object.entries(secrets)

  test.each(providers.filter(([name]) => name !== 'retell'))(
    'of %s without a key says nothing of it',
    async (name, secret) => {
      const id = await connect(name, secret)
      const before = asked.length
      const { status, body } = await check(id)
      expect(status).toBe(422)
      expect(body.error.message).toContain('Nothing could be asked')
      expect(body.error.details).toMatchObject({ field: 'credentials.apiKey' })
      expect(asked).toHaveLength(before)
      expect(await read(id)).toMatchObject({ status: 'pending', lastError: null })
    },
  )

  test.each(providers)('of %s with a key says what the provider said', async (name, secret) => {
    const id = await connect(name, { ...secret, apiKey: KEY })
    answering(401)
    expect((await check(id)).body).toMatchObject({ ok: false, message: expect.stringContaining('refused the API key') })
    answering(200, {}, '[]')
    expect((await check(id)).body).toMatchObject({ ok: true, status: 'active' })
    expect(JSON.stringify(asked.at(-1)?.headers)).toContain(KEY)
  })
})
