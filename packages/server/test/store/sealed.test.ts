// Credentials of integrations: they go in, are encrypted beside the record, and never come out.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { createSealer } from '../../src/store/secret-box.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { type Client, type Service, startService } from '../support/service.js'

const token = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
const credentials = { accessToken: token, pin: '1234', nested: { refresh: 'r-9f86d081884c7d65' } }
const secrets = [token, '"1234"', 'r-9f86d081884c7d65']

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const make = async (more: object = {}) =>
  api.post('/integration-connections', { provider: 'fieldbook', name: 'Carrier', credentials, ...more })
const stored = async (id: string) =>
  (
    await service.database.query<{ text: string; sealed: Buffer | null }>(
      sql`select t::text as text, sealed from integration_connections t where id = ${id}`,
    )
  )[0]

test('no answer holds them: not the creation, a read, a list, a search, a change, a replacement, a replay, nor an error', async () => {
  const made = await api.post(
    '/integration-connections',
    { provider: 'fieldbook', name: 'Carrier', credentials },
    { 'idempotency-key': 'once' },
  )
  const path = `/integration-connections/${made.body.id}`
  const answers = [
    made,
    await api.post(
      '/integration-connections',
      { provider: 'fieldbook', name: 'Carrier', credentials },
      { 'idempotency-key': 'once' },
    ),
    await api.get(path),
    await api.get('/integration-connections'),
    await api.get('/integration-connections?q=carrier'),
    await api.get('/integration-connections?provider=fieldbook'),
    await api.patch(path, { name: 'Other', credentials }),
    await api.put(path, { provider: 'fieldbook', name: 'Third', credentials }),
    await api.post('/integration-connections', { provider: 'fieldbook', credentials }),
    await api.post('/integration-connections', {
      provider: 'fieldbook',
      name: 'x',
      credentials,
      nonsense: token.length,
    }),
    await api.get('/deleted-records'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200, 200, 200, 400, 400, 200])
  for (const { text } of answers) for (const secret of secrets) expect(text).not.toContain(secret)
  expect(made.body).not.toHaveProperty('credentials')
})

test('the preview tells keys, and the ends of long values only', async () => {
  expect((await make()).body.credentialsPreview).toBe('accessToken: …p7dc, pin: …, nested: …')
  expect((await make({ credentials: null })).body.credentialsPreview).toBeNull()
  expect((await api.post('/integration-connections', { provider: 'x', name: 'y' })).body.credentialsPreview).toBeNull()
  const long = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key-${index}`, '😀'.repeat(20)]))
  const { status, body } = await make({ credentials: long })
  expect([status, body.credentialsPreview.length <= 255 * 2]).toEqual([201, true])
  expect(body.credentialsPreview.isWellFormed()).toBe(true)
})

test('the row holds them encrypted, differently each time, and the server’s secret opens them', async () => {
  const [one, two] = [(await make()).body, (await make()).body]
  const [first, second] = [await stored(one.id), await stored(two.id)]
  for (const row of [first, second])
    for (const secret of secrets)
      expect(row?.text.includes(secret) || row?.text.includes(Buffer.from(secret).toString('hex'))).toBe(false)
  expect(first?.sealed?.equals(second?.sealed as Buffer)).toBe(false)
  expect(JSON.parse(createSealer('a secret for tests only').open(first?.sealed as Buffer))).toEqual(credentials)
  expect(() => createSealer('another secret for tests').open(first?.sealed as Buffer)).toThrow()
  const tampered = Buffer.from(first?.sealed as Buffer)
  tampered.writeUInt8(tampered.readUInt8(tampered.length - 1) ^ 1, tampered.length - 1)
  expect(() => createSealer('a secret for tests only').open(tampered)).toThrow()
})

test('a change that does not name them keeps them; one that does replaces them and is a new version', async () => {
  const { body } = await make()
  const path = `/integration-connections/${body.id}`
  const before = (await stored(body.id))?.sealed as Buffer
  const { body: renamed } = await api.patch(path, { name: 'Renamed' })
  expect(renamed).toMatchObject({ version: 2, credentialsPreview: body.credentialsPreview })
  expect((await stored(body.id))?.sealed?.equals(before)).toBe(true)
  const { body: replaced } = await api.patch(path, { credentials: { accessToken: 'another-token-0042' } })
  expect(replaced).toMatchObject({ version: 3, credentialsPreview: 'accessToken: …0042' })
  expect((await stored(body.id))?.sealed?.equals(before)).toBe(false)
})

test('a deleted connection leaves no credentials behind', async () => {
  const { body } = await make()
  await api.delete(`/integration-connections/${body.id}`)
  const [row] = await service.database.query<{ text: string }>(
    sql`select t::text as text from deleted_records t where record_id = ${body.id}`,
  )
  expect(row?.text).toContain('Carrier')
  for (const secret of secrets) expect(row?.text).not.toContain(secret)
})

test('only an ADMIN key writes connections; any key reads them', async () => {
  const writer = await service.keyOf(service.demo.id, 'sandbox', 'WRITE')
  const { body } = await make()
  expectRefusal(await writer.post('/integration-connections', { provider: 'x', name: 'y' }), 403, 'forbidden')
  expectRefusal(await writer.patch(`/integration-connections/${body.id}`, { name: 'z' }), 403, 'forbidden')
  expectRefusal(await writer.delete(`/integration-connections/${body.id}`), 403, 'forbidden')
  expect((await writer.get(`/integration-connections/${body.id}`)).text).not.toContain(token)
})
