import { type PhoneNumberStatus, phoneNumberMoves, phoneNumberStatuses } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { phoneNumberEndpoints } from '../../../src/resources/messaging/phone-numbers.js'
import { overtaken } from '../../support/overtaken.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Numbers')).sandbox

test('a number is made, listed, filtered by status and found', async () => {
  const api = await side()
  const made = await api.post('/phone-numbers', {
    e164: '+1 555 010 0200',
    label: 'Front desk',
    provider: 'acme',
    providerSid: 'PN1',
    capabilities: { voice: false },
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    e164: '+15550100200',
    status: 'active',
    isDefault: false,
    provider: 'acme',
    capabilities: { voice: false, sms: true },
  })
  const released = await api.post('/phone-numbers', { e164: '+15550100201', status: 'released' })
  const { body } = await api.get('/phone-numbers')
  const pagination = { limit: 50, nextCursor: null }
  expect(body).toEqual({ data: [released.body, made.body], pagination, meta: { requestId: expect.any(String) } })
  const first = (await api.get('/phone-numbers?limit=1')).body
  expect(first.data).toEqual([released.body])
  const second = (await api.get(`/phone-numbers?limit=1&cursor=${first.pagination.nextCursor}`)).body
  expect([second.data, second.pagination.nextCursor]).toEqual([[made.body], null])
  expect((await api.get('/phone-numbers?status=active')).body.data).toEqual([made.body])
  expect((await api.get('/phone-numbers?q=front')).body.data).toEqual([made.body])
  expect((await api.get(`/phone-numbers/${made.body.id}`)).text).toBe(made.text)
})

test.each([
  ['/phone-numbers?limit=0', 'limit'],
  ['/phone-numbers?cursor=x', 'cursor'],
  ['/phone-numbers?status=lost', 'status'],
])('GET %s is refused', async (path, parameter) => {
  const refused = await service.api.get(path)
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, parameter])
})

test.each<[object, string]>([
  [{}, 'e164'],
  [{ e164: '5550100' }, 'e164'],
  [{ e164: '+15550100200', status: 'lost' }, 'status'],
  [{ e164: '+15550100200', capabilities: { fax: true } }, 'capabilities.fax'],
  [{ e164: '+15550100200', integrationConnectionId: 'x' }, 'integrationConnectionId'],
])('POST of %j is refused', async (body, path) => {
  const refused = await service.api.post('/phone-numbers', body)
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
})

test('a number is owned once, numbers are not deleted, and only ADMIN writes them', async () => {
  const organization = await service.organization('Owner')
  const api = organization.sandbox
  const { body: number } = await api.post('/phone-numbers', { e164: '+15550100200' })
  const twin = await api.post('/phone-numbers', { e164: '+15550100200' })
  expect([twin.status, twin.body.error.details]).toEqual([
    409,
    { reason: 'unique', fields: ['e164'], existingId: number.id },
  ])
  const { body: other } = await api.post('/phone-numbers', { e164: '+15550100201' })
  expect((await api.patch(`/phone-numbers/${other.id}`, { e164: '+15550100200' })).status).toBe(409)
  expect((await api.delete(`/phone-numbers/${number.id}`)).status).toBe(405)
  const writer = await service.keyOf(organization.id, 'sandbox', 'WRITE')
  for (const refused of [
    await writer.post('/phone-numbers', { e164: '+15550100202' }),
    await writer.patch(`/phone-numbers/${number.id}`, { label: 'x' }),
  ]) {
    expect([refused.status, refused.body.error.details.requiredScope]).toEqual([403, 'ADMIN'])
  }
  const twins = await Promise.all(
    Array.from({ length: 10 }, () => api.post('/phone-numbers', { e164: '+15550100209' })),
  )
  expect(twins.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
})

describe('states', () => {
  const pairs = phoneNumberStatuses.flatMap((from) => phoneNumberStatuses.map((to) => [from, to] as const))
  const isAllowed = (from: PhoneNumberStatus, to: PhoneNumberStatus) =>
    (phoneNumberMoves[from] as readonly PhoneNumberStatus[]).includes(to)

  test.each(pairs.filter(([from, to]) => isAllowed(from, to)))('%s → %s is made', async (from, to) => {
    const api = await side()
    const { body: number } = await api.post('/phone-numbers', { e164: '+15550100200', status: from })
    const moved = await api.patch(`/phone-numbers/${number.id}`, { status: to })
    expect([moved.status, moved.body.status, moved.body.version]).toEqual([200, to, 2])
  })

  test.each(pairs.filter(([from, to]) => from !== to && !isAllowed(from, to)))(
    '%s → %s is a conflict',
    async (from, to) => {
      const api = await side()
      const { body: number } = await api.post('/phone-numbers', { e164: '+15550100200', status: from })
      const refused = await api.patch(`/phone-numbers/${number.id}`, { status: to })
      expect([refused.status, refused.body.error.details]).toEqual([
        409,
        { reason: 'state', from, to, allowed: phoneNumberMoves[from] },
      ])
      expect((await api.get(`/phone-numbers/${number.id}`)).body).toEqual(number)
    },
  )

  test.each(phoneNumberStatuses.map((status) => [status]))('%s → itself changes nothing', async (status) => {
    const api = await side()
    const { body: number } = await api.post('/phone-numbers', { e164: '+15550100200', status })
    expect((await api.patch(`/phone-numbers/${number.id}`, { status })).body).toEqual(number)
  })
})

test('one default at a time: the one before steps back with it, also when ten want to be it at once', async () => {
  const api = await side()
  const { body: first } = await api.post('/phone-numbers', { e164: '+15550100200', isDefault: true })
  const { body: second } = await api.post('/phone-numbers', { e164: '+15550100201', isDefault: true })
  expect((await api.get(`/phone-numbers/${first.id}`)).body).toMatchObject({ isDefault: false, version: 2 })
  expect((await api.patch(`/phone-numbers/${first.id}`, { isDefault: true })).body.isDefault).toBe(true)
  expect((await api.get(`/phone-numbers/${second.id}`)).body.isDefault).toBe(false)
  // With a default before them, and without.
  for (const crowded of [api, await side()]) {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        crowded.post('/phone-numbers', { e164: `+1555010030${index}`, isDefault: true }),
      ),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201))
    const defaults = (await crowded.get('/phone-numbers')).body.data.filter(
      ({ isDefault }: { isDefault: boolean }) => isDefault,
    )
    expect(defaults).toHaveLength(1)
  }
})

test('a number that becomes the default between the look-up and the commit makes the commit fail', async () => {
  const api = await side()
  const endpoint = phoneNumberEndpoints.find(({ method }) => method === 'POST')
  const meanwhile = () => api.post('/phone-numbers', { e164: '+15550100201', isDefault: true })
  const late = await overtaken(service, api, {
    endpoint,
    body: { e164: '+15550100200', isDefault: true },
    field: 'isDefault',
    meanwhile,
  })
  await expect(late?.commit()).rejects.toMatchObject({ code: 'PA001' })
  expect((await api.get('/phone-numbers')).body.data).toHaveLength(1)
})
