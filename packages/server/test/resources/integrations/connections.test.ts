// Connections to providers that we know: what is checked when one is made, what it answers with, and what stays secret.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountSid, authToken, connectTwilio } from '../../support/providers/twilio.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_PUBLIC_URL: 'https://parley.example' })
})
afterAll(() => service.stop())

const twilio = { provider: 'twilio', name: 'Phones', config: { accountSid }, credentials: { authToken } }
const pathsOf = (answer: { body: { error: { details: { path: string }[] } } }) =>
  answer.body.error.details.map(({ path }) => path)

test('a connection answers with the addresses to paste into the provider, wherever it is read', async () => {
  const { body: made } = await service.api.post('/integration-connections', twilio)
  expect(made).toMatchObject({ kind: 'telephony', status: 'pending', provider: 'twilio' })
  const kinds = ['sms', 'sms-status', 'voice', 'voice-status', 'dial-action', 'voicemail', 'recording', 'transcription']
  expect(Object.keys(made.inboundUrls).toSorted()).toEqual(kinds.toSorted())
  expect(made.inboundUrls.sms).toBe(`https://parley.example/api/v1/inbound/${made.id}/sms`)
  const read = await service.api.get(`/integration-connections/${made.id}`)
  expect(read.body.inboundUrls).toEqual(made.inboundUrls)
  const listed = await service.api.get('/integration-connections')
  expect(listed.body.data.find(({ id }: { id: string }) => id === made.id).inboundUrls).toEqual(made.inboundUrls)
  const patched = await service.api.patch(`/integration-connections/${made.id}`, { ...read.body, name: 'Front desk' })
  expect(patched.body).toMatchObject({ name: 'Front desk', inboundUrls: made.inboundUrls })
  const custom = await service.api.post('/integration-connections', { provider: 'my-crm', name: 'CRM' })
  expect(custom.body).toMatchObject({ kind: 'custom', inboundUrls: {} })
})

test('config and credentials must have the shape that the provider needs, and the error names the field', async () => {
  const refused = async (body: object) => pathsOf(await service.api.post('/integration-connections', body))
  expect(await refused({ ...twilio, config: {} })).toEqual(['config.accountSid'])
  expect(await refused({ ...twilio, config: { accountSid: 'AC1' } })).toEqual(['config.accountSid'])
  expect(await refused({ ...twilio, config: { accountSid, baseUrl: 'http://evil.example' } })).toEqual([
    'config.baseUrl',
  ])
  expect(await refused({ ...twilio, credentials: {} })).toEqual(['credentials.authToken'])
  expect(await refused({ ...twilio, credentials: null })).toEqual(['credentials.authToken'])
  expect(await refused({ ...twilio, credentials: { authToken: 7 } })).toEqual(['credentials.authToken'])
  expect(await refused({ ...twilio, credentials: { authToken, apiKeySid: `SK${'0'.repeat(32)}` } })).toEqual([
    'credentials.apiKeySecret',
  ])
  expect(await refused({ ...twilio, kind: 'crm' })).toEqual(['kind'])
  const { id } = await connectTwilio(service.api)
  const patched = await service.api.patch(`/integration-connections/${id}`, { config: { accountSid: 'AC1' } })
  expect(pathsOf(patched)).toEqual(['config.accountSid'])
  const moved = await service.api.patch(`/integration-connections/${id}`, { provider: 'openai_compatible' })
  expect(moved.status).toBe(400)
})

test('credentials are never read back', async () => {
  const { id } = await connectTwilio(service.api)
  const read = await service.api.get(`/integration-connections/${id}`)
  expect(read.text).not.toContain(authToken)
  expect(read.body.credentialsPreview).toContain('authToken')
})

test('GET /schema describes the providers', async () => {
  const { providers } = (await service.api.get('/schema')).body
  const described = providers.find(({ provider }: { provider: string }) => provider === 'twilio')
  expect(described).toMatchObject({ connectionKind: 'telephony', config: { required: ['accountSid'] } })
  expect(described.inboundKinds).toContain('dial-action')
})
