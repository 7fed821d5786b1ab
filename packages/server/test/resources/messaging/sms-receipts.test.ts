import { type SmsStatus, smsMoves, smsStatuses } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOfMove } from '../../../src/resources/messaging/sms-receipts.js'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

// The node serves the API only, so that a queued text stays queued and every step is a receipt.
let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const them = '+15550100200'
const reportable = smsStatuses.filter((status) => status !== 'received')

async function textIn(api: Client, status: SmsStatus) {
  if (status === 'received')
    return (await api.post('/sms/inbound', { from: them, to: '+15550109001', body: 'Hello' })).body
  const { body: queued } = await api.post('/sms', { to: them, body: 'Hello' })
  return status === 'queued' ? queued : (await api.post(`/sms/${queued.id}/status`, { status })).body
}

const pairs = smsStatuses.flatMap((from) => reportable.map((to) => [from, to] as const))
const isAllowed = (from: SmsStatus, to: SmsStatus) => (smsMoves[from] as readonly SmsStatus[]).includes(to)

describe('a receipt moves a text forward', () => {
  test.each(pairs.filter(([from, to]) => isAllowed(from, to)))('%s → %s', async (from, to) => {
    const { sandbox: api } = await service.organization('Receipts')
    const before = await textIn(api, from)
    const seen = (await eventsOf(service, api)).length
    const moved = await api.post(`/sms/${before.id}/status`, {
      status: to,
      at: '2026-03-01T10:00:00Z',
      ...(to === 'failed' && { errorCode: '30003', errorMessage: 'Off' }),
    })
    expect([moved.status, moved.body.status]).toEqual([200, to])
    expect(moved.body.deliveredAt).toBe(to === 'delivered' ? '2026-03-01T10:00:00.000Z' : null)
    expect(moved.body.errorCode).toBe(to === 'failed' ? '30003' : null)
    expect(moved.body.sentAt).toBe(before.sentAt)
    const events = (await eventsOf(service, api)).slice(seen)
    expect(events.map(({ type }) => type)).toEqual(eventsOfMove(from, to))
    for (const { data } of events)
      expect(data).toMatchObject({ smsId: before.id, messageId: expect.any(String), sms: moved.body })
  })
})

describe('a receipt that comes late is no error and moves nothing', () => {
  test.each(pairs.filter(([from, to]) => !isAllowed(from, to)))('%s, then %s', async (from, to) => {
    const { sandbox: api } = await service.organization('Late')
    const before = await textIn(api, from)
    const events = await eventsOf(service, api)
    const late = await api.post(`/sms/${before.id}/status`, { status: to })
    expect([late.status, late.body]).toEqual([200, before])
    expect((await api.get(`/sms/${before.id}`)).body).toEqual(before)
    expect(await eventsOf(service, api)).toEqual(events)
  })
})

test('what a text’s moves are called, for every pair', () => {
  expect(eventsOfMove('queued', 'sent')).toEqual(['sms.sent'])
  expect(eventsOfMove('queued', 'failed')).toEqual(['sms.failed'])
  expect(eventsOfMove('queued', 'delivered')).toEqual(['sms.sent', 'sms.delivered'])
  expect(eventsOfMove('queued', 'undelivered')).toEqual(['sms.sent', 'sms.failed'])
  expect(eventsOfMove('sent', 'delivered')).toEqual(['sms.delivered'])
  expect(eventsOfMove('sent', 'failed')).toEqual(['sms.failed'])
  for (const status of smsStatuses) expect(eventsOfMove(status, status)).toEqual([])
})

test('a late receipt may still say what went wrong', async () => {
  const { sandbox: api } = await service.organization('Reason')
  const failed = await textIn(api, 'failed')
  const late = await api.post(`/sms/${failed.id}/status`, {
    status: 'sent',
    errorCode: '30005',
    errorMessage: 'Unknown number',
  })
  expect(late.body).toMatchObject({
    status: 'failed',
    errorCode: '30005',
    errorMessage: 'Unknown number',
    version: failed.version + 1,
  })
})

test('ten receipts of delivery at once make one event', async () => {
  const { sandbox: api } = await service.organization('Crowd')
  const sent = await textIn(api, 'sent')
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => api.post(`/sms/${sent.id}/status`, { status: 'delivered' })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await eventsOf(service, api)).map(({ type }) => type)).toEqual(['sms.sent', 'sms.delivered'])
  expect((await api.get(`/sms/${sent.id}`)).body.version).toBe(3)
})

test.each<[object, string]>([
  [{}, 'status'],
  [{ status: 'received' }, 'status'],
  [{ status: 'lost' }, 'status'],
  [{ status: 'sent', at: 'soon' }, 'at'],
  [{ status: 'failed', errorCode: 30003 }, 'errorCode'],
  [{ status: 'failed', reason: 'x' }, 'reason'],
])('a receipt of %j is refused', async (body, path) => {
  const sms = await textIn(service.api, 'queued')
  const refused = await service.api.post(`/sms/${sms.id}/status`, body)
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
})

test('a receipt for a text of another organization, or of nobody, finds nothing', async () => {
  const { sandbox: other } = await service.organization('Other')
  const sms = await textIn(service.api, 'queued')
  expect((await other.post(`/sms/${sms.id}/status`, { status: 'delivered' })).status).toBe(404)
  expect((await other.post('/sms/nonsense/status', { status: 'delivered' })).status).toBe(404)
})
