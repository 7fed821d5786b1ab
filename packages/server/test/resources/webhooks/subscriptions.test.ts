// Webhook subscriptions over HTTP: what they take, what they show, and who may change them.
import { eventTypes, limits, standardEventTypes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { subscribe } from '../../support/webhooks/webhooks.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const url = 'https://example.com/hooks'
const newSide = async (): Promise<Client> => (await service.organization('Subscriber')).sandbox

describe('creating', () => {
  test('answers with the fields of the specification and shows the secret once', async () => {
    const api = await newSide()
    const made = await api.post('/webhooks', { name: 'Billing', url, eventTypes: ['call.ended', 'task.created'] })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Billing',
      url,
      eventTypes: ['call.ended', 'task.created'],
      status: 'active',
      id: expect.any(String),
      createdAt: expect.any(String),
    })
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret, ...rest } = made.body
    const read = await api.get(`/webhooks/${made.body.id}`)
    expect(read.body).toEqual(rest)
    expect(read.body.signingSecretPreview).toBe(secret.slice(0, 12))
    expect(read.body).toMatchObject({
      description: null,
      throttlePerSecond: null,
      disabledReason: null,
      disabledAt: null,
      revokedAt: null,
      previousSecretExpiresAt: null,
    })
    expect((await api.get('/webhooks')).body.data).toEqual([rest])
    expect(read.text + (await api.get('/webhooks')).text).not.toContain(secret)
  })

  test('the name defaults to the host, and the types to all', async () => {
    const made = await (await newSide()).post('/webhooks', { url: 'https://hooks.example.com:8443/a' })
    expect(made.body).toMatchObject({ name: 'hooks.example.com:8443', eventTypes: [] })
  })

  test('the secret is encrypted at rest, and in the answer kept under an idempotency key', async () => {
    const api = await newSide()
    const key = { 'idempotency-key': 'webhook-1' }
    const made = await api.post('/webhooks', { url }, key)
    const replayed = await api.post('/webhooks', { url }, key)
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(replayed.text).toBe(made.text)
    const tables = [
      sql`select s::text as row from webhook_subscriptions s`,
      sql`select k::text as row from answered_keys k`,
    ]
    const rows = (
      await Promise.all(tables.map((statement) => service.database.query<{ row: string }>(statement)))
    ).flat()
    expect(rows.length).toBeGreaterThan(1)
    const secret = made.body.secret.slice('whsec_'.length)
    for (const { row } of rows) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
      expect(row).not.toContain(Buffer.from(secret, 'base64').toString('hex'))
    }
  })

  test.each([
    'http://example.com/hooks',
    'https://user:pass@example.com/',
    'https://example.com/#part',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1./',
    'https://',
    'ftp://example.com/',
    'example.com/hooks',
  ])('refuses %s', async (refused) => {
    const answer = await (await newSide()).post('/webhooks', { url: refused })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject([{ path: 'url' }])
  })

  test('unknown types are refused, naming the allowed', async () => {
    const answer = await (await newSide()).post('/webhooks', { url, eventTypes: ['call.ended', 'call.dropped'] })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject([{ path: 'eventTypes[1]', code: 'enum' }])
    for (const type of eventTypes) expect(answer.body.error.details[0].message).toContain(type)
    expect(standardEventTypes).toHaveLength(16)
  })

  test('fifty a tenant, however many come at once; a revoked one makes room', async () => {
    const api = await newSide()
    const answers = await Promise.all(
      Array.from({ length: limits.webhookSubscriptions + 10 }, () => api.post('/webhooks', { url })),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(limits.webhookSubscriptions)
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expect(refused.status).toBe(422)
      expect(refused.body.error).toMatchObject({ code: 'unprocessable', details: { reason: 'subscription_limit' } })
    }
    expect((await api.delete(`/webhooks/${made[0]?.body.id}`)).status).toBe(204)
    expect((await api.post('/webhooks', { url })).status).toBe(201)
    expect((await api.post('/webhooks', { url })).status).toBe(422)
  })
})

describe('changing', () => {
  test('fields, with the version as fence', async () => {
    const api = await newSide()
    const { id } = await subscribe(api, url)
    const changed = await api.patch(
      `/webhooks/${id}`,
      {
        name: 'New',
        url: 'https://example.org/',
        eventTypes: ['note.added'],
        description: 'For notes',
        throttlePerSecond: 5,
      },
      { 'if-match': '"1"' },
    )
    expect(changed.body).toMatchObject({
      name: 'New',
      url: 'https://example.org/',
      eventTypes: ['note.added'],
      description: 'For notes',
      throttlePerSecond: 5,
      version: 2,
    })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await api.patch(`/webhooks/${id}`, { name: 'Other' }, { 'if-match': '"1"' })).status).toBe(409)
    expect((await api.patch(`/webhooks/${id}`, { url: 'https://10.0.0.1/' })).status).toBe(400)
    expect((await api.patch(`/webhooks/${id}`, { throttlePerSecond: 0 })).status).toBe(400)
    expect((await api.patch(`/webhooks/${id}`, { colour: 'red' })).status).toBe(400)
    // A record can be read, changed and sent back whole.
    const whole = (await api.get(`/webhooks/${id}`)).body
    expect((await api.patch(`/webhooks/${id}`, whole)).body).toEqual(whole)
  })

  test('what is sent is judged before whether there is such a subscription', async () => {
    const api = await newSide()
    const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
    for (const body of [{ url: 'https://10.0.0.1/' }, { eventTypes: ['nothing'] }, { status: 'stopped' }])
      expect((await api.patch(`/webhooks/${nobody}`, body)).status, JSON.stringify(body)).toBe(400)
    expect((await api.patch(`/webhooks/${nobody}`, { url })).status).toBe(404)
  })

  test('status, in any case, along the moves that exist', async () => {
    const api = await newSide()
    const { id } = await subscribe(api, url)
    const set = async (status: string) => (await api.patch(`/webhooks/${id}`, { status })).body
    expect(await set('PAUSED')).toMatchObject({ status: 'paused' })
    expect(await set('Active')).toMatchObject({ status: 'active' })
    expect(await set('active')).toMatchObject({ status: 'active' })
    expect(await set('disabled')).toMatchObject({
      status: 'disabled',
      disabledReason: 'manual',
      disabledAt: expect.any(String),
    })
    expect((await set('paused')).error).toMatchObject({
      code: 'conflict',
      details: { reason: 'state', from: 'disabled', to: 'paused', allowed: ['active'] },
    })
    expect(await set('ACTIVE')).toMatchObject({ status: 'active', disabledReason: null, disabledAt: null })
    expect((await set('stopped')).error.details).toMatchObject([{ path: 'status' }])
    expect((await api.get('/webhooks?status=paused')).body.data).toEqual([])
    expect((await api.get('/webhooks?status=active')).body.data).toHaveLength(1)
  })

  test('a secret that is rotated is shown once', async () => {
    const api = await newSide()
    const { id, secret } = await subscribe(api, url)
    const rotated = await api.post(`/webhooks/${id}/rotate-secret`, {})
    expect(rotated.status).toBe(200)
    expect(rotated.body.secret).toMatch(/^whsec_/)
    expect(rotated.body.secret).not.toBe(secret)
    const inADay = Date.now() + limits.gracePeriodSecondsDefault * 1_000
    expect(Math.abs(new Date(rotated.body.previousSecretExpiresAt).getTime() - inADay)).toBeLessThan(60_000)
    expect((await api.get(`/webhooks/${id}`)).body).toMatchObject({
      signingSecretPreview: rotated.body.secret.slice(0, 12),
    })
    expect(
      (await api.post(`/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: 0 })).body.previousSecretExpiresAt,
    ).toBeNull()
    expect((await api.post(`/webhooks/${id}/rotate-secret`)).status).toBe(200)
    for (const wrong of [-1, 604_801, 1.5, '60'])
      expect((await api.post(`/webhooks/${id}/rotate-secret`, { gracePeriodSeconds: wrong })).status).toBe(400)
  })
})

describe('revoking', () => {
  test('is soft, final and idempotent', async () => {
    const api = await newSide()
    const { id } = await subscribe(api, url)
    const kept = await subscribe(api, url)
    expect(await api.delete(`/webhooks/${id}`)).toMatchObject({ status: 204, text: '' })
    expect((await api.delete(`/webhooks/${id}`)).status).toBe(204)
    const revoked = (await api.get(`/webhooks/${id}`)).body
    expect(revoked).toMatchObject({
      status: 'disabled',
      disabledReason: 'revoked',
      revokedAt: expect.any(String),
      disabledAt: revoked.revokedAt,
    })
    expect((await api.get('/webhooks')).body.data.map((one: { id: string }) => one.id)).toEqual([kept.id])
    expect((await api.get('/webhooks?includeRevoked=true')).body.data.map((one: { id: string }) => one.id)).toEqual([
      kept.id,
      id,
    ])
    for (const [path, body] of [
      ['', { status: 'active' }],
      ['', { name: 'Back' }],
    ] as const)
      expect((await api.patch(`/webhooks/${id}${path}`, body)).status).toBe(409)
    for (const path of ['rotate-secret', 'test']) expect((await api.post(`/webhooks/${id}/${path}`)).status).toBe(409)
    expect((await api.post(`/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' })).status).toBe(409)
  })
})

describe('who may', () => {
  test('another tenant sees and changes nothing', async () => {
    const [mine, other] = [await newSide(), await newSide()]
    const { id } = await subscribe(mine, url)
    expect((await other.get('/webhooks')).body.data).toEqual([])
    for (const path of ['', '/deliveries', `/deliveries/${id}`, `/replays/${id}`])
      expect((await other.get(`/webhooks/${id}${path}`)).status).toBe(404)
    expect((await other.patch(`/webhooks/${id}`, { name: 'Mine now' })).status).toBe(404)
    expect((await other.delete(`/webhooks/${id}`)).status).toBe(404)
    for (const path of ['rotate-secret', 'test', `deliveries/${id}/replay`])
      expect((await other.post(`/webhooks/${id}/${path}`)).status).toBe(404)
  })

  test('writes need WRITE, or ADMIN where the side says so', async () => {
    const { id: organizationId, sandbox: admin } = await service.organization('Careful')
    const reader = await service.keyOf(organizationId, 'sandbox', 'READ')
    const writer = await service.keyOf(organizationId, 'sandbox', 'WRITE')
    expect((await reader.post('/webhooks', { url })).status).toBe(403)
    const { id } = await subscribe(writer, url)
    expect((await reader.get(`/webhooks/${id}`)).status).toBe(200)
    expect((await admin.patch('/organization', { settings: { webhookWritesNeedAdmin: true } })).status).toBe(200)
    const writes = [
      () => writer.post('/webhooks', { url }),
      () => writer.patch(`/webhooks/${id}`, { name: 'New' }),
      () => writer.delete(`/webhooks/${id}`),
      ...['rotate-secret', 'test', 'replay', `deliveries/${id}/replay`].map(
        (path) => () => writer.post(`/webhooks/${id}/${path}`, {}),
      ),
    ]
    for (const write of writes)
      expect(await write()).toMatchObject({ status: 403, body: { error: { details: { requiredScope: 'ADMIN' } } } })
    expect((await writer.get(`/webhooks/${id}`)).status).toBe(200)
    expect((await admin.delete(`/webhooks/${id}`)).status).toBe(204)
  })
})
