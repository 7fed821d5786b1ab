import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { aFact, plantCall, rowCounts } from '../../support/captured.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const makeCustomer = async () => (await api.post('/customers', { displayName: 'Reyes Household' })).body.id as string
const propose = async (values: object = {}) =>
  (await api.post('/drafts', { callSessionId: randomUUID(), ...values })).body
const approve = (id: string, body?: object) => api.post(`/drafts/${id}/approve`, body)
const capture = async (values: object = {}) => (await api.post('/facts', aFact(values))).body

describe('what is wrong with an approval is refused by name, and nothing is written', () => {
  const cases: [string, object, string][] = [
    ['a payload that is no object', { payload: 'x' }, 'payload'],
    ['a priority that is none', { payload: { priority: 'asap' } }, 'payload.priority'],
    ['a title that is no text', { payload: { title: 7 } }, 'payload.title'],
    ['a kind that is none', { payload: { canonicalKind: 'party' } }, 'payload.canonicalKind'],
    [
      'an end before the start',
      { payload: { scheduledStart: '2026-03-02T00:00:00Z', scheduledEnd: '2026-03-01T00:00:00Z' } },
      'payload.scheduledEnd',
    ],
    ['a state that new work is not in', { payload: { recordState: 'completed' } }, 'payload.recordState'],
    ['a day for a time', { payload: { dueAt: '2026-03-01' } }, 'payload.dueAt'],
    ['fields that are no object', { payload: { structuredFieldsJson: [] } }, 'payload.structuredFieldsJson'],
    ['a customer that is no UUID', { customerId: 'c' }, 'customerId'],
    ['a fact that is no UUID', { acceptFactIds: ['f'] }, 'acceptFactIds[0]'],
    ['a fact that does not exist', { acceptFactIds: [randomUUID()] }, 'acceptFactIds[0]'],
    ['an unknown fact to reject', { rejectFactIds: [randomUUID()] }, 'rejectFactIds[0]'],
    ['too many facts', { acceptFactIds: Array(101).fill(randomUUID()) }, 'acceptFactIds'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ]
  test.each(cases)('%s', async (_, body, path) => {
    const draft = await propose({ customerId: await makeCustomer() })
    const before = await rowCounts(service)
    const refused = await approve(draft.id, body)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path])
    expect(await rowCounts(service)).toEqual(before)
    expect((await api.get(`/drafts/${draft.id}`)).body).toEqual(draft)
  })

  test('a fact of another tenant, and one that is both accepted and rejected', async () => {
    const theirs = (await service.demo.live.post('/facts', aFact())).body
    const ours = await capture()
    const draft = await propose({ customerId: await makeCustomer() })
    const before = await rowCounts(service)
    expect((await approve(draft.id, { acceptFactIds: [ours.id, theirs.id] })).body.error.details[0].path).toBe(
      'acceptFactIds[1]',
    )
    expect(
      (await approve(draft.id, { acceptFactIds: [ours.id], rejectFactIds: [ours.id] })).body.error.details[0].path,
    ).toBe('rejectFactIds[0]')
    expect(await rowCounts(service)).toEqual(before)
  })

  test('fields that the organization’s own schema does not allow', async () => {
    const { sandbox } = await service.organization('Schemas')
    const [job] = (await sandbox.get('/work-type-definitions?canonicalKind=job')).body.data
    await sandbox.patch(`/work-type-definitions/${job.id}`, {
      fieldSchema: { type: 'object', properties: { rooms: { type: 'integer', minimum: 1 } } },
    })
    const customerId = (await sandbox.post('/customers', {})).body.id
    const draft = (
      await sandbox.post('/drafts', {
        callSessionId: randomUUID(),
        customerId,
        canonicalKind: 'job',
        payload: { rooms: 0 },
      })
    ).body
    const refused = await sandbox.post(`/drafts/${draft.id}/approve`)
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'payload.structuredFieldsJson.rooms'])
    expect((await sandbox.post(`/drafts/${draft.id}/approve`, { payload: { rooms: 3 } })).status).toBe(200)
  })
})

test('an approval whose commit fails leaves nothing behind, and can be made again', async () => {
  const call = await plantCall(service, api)
  const fact = await capture({ sourceCallSessionId: call.id })
  const draft = await propose({ callSessionId: call.id })
  const headers = { 'idempotency-key': randomUUID() }
  const request = () => api.post(`/drafts/${draft.id}/approve`, { acceptFactIds: [fact.id] }, headers)
  const { database } = service
  await database.query(
    sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
  )
  await database.query(
    sql`create trigger refuse before insert on events for each row when (new.type = 'draft.approved') execute function refuse()`,
  )
  const before = await rowCounts(service)
  const failed = await request()
  expect([failed.status, failed.body.error.code]).toEqual([500, 'internal_error'])
  expect(failed.text).not.toContain('no room')
  expect(await rowCounts(service)).toEqual(before)
  expect([(await api.get(`/drafts/${draft.id}`)).body, (await api.get(`/facts/${fact.id}`)).body]).toEqual([
    draft,
    fact,
  ])
  await database.query(sql`drop trigger refuse on events`)
  const made = await request()
  expect([made.status, made.body.status]).toEqual([200, 'approved'])
  expect((await request()).text).toBe(made.text)
})
