// The generic verbs on records: what PATCH keeps and clears, what PUT replaces, what DELETE leaves behind, and the
// versions that guard them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { type Answer, type Client, type Service, startService } from '../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const idsOf = (answer: Answer): string[] => answer.body.data.map(({ id }: { id: string }) => id)
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('PATCH', () => {
  test('keeps what is absent, clears what is null, replaces arrays', async () => {
    const { body } = await api.post('/locations', {
      addressLine1: '1 High Street',
      label: 'Home',
      city: 'Leeds',
      geo: { lat: 1, lng: 2 },
    })
    const { body: after } = await api.patch(`/locations/${body.id}`, { label: null, geo: { lat: 3, lng: 4 } })
    expect(after).toEqual({ ...body, label: null, geo: { lat: 3, lng: 4 }, version: 2, updatedAt: after.updatedAt })
    expectRefusal(await api.patch(`/locations/${body.id}`, { locationType: null }), 400, 'bad_request')
    const { body: tagged } = await api.post('/parties', { partyType: 'person', displayName: 'x', tags: ['a', 'b'] })
    expect((await api.patch(`/parties/${tagged.id}`, { tags: ['c'] })).body.tags).toEqual(['c'])
  })

  test('merges the merging objects one level deep, and null removes a key there', async () => {
    const { body } = await api.post('/companies', {
      name: 'x',
      customFields: { keep: 1, drop: 2, deep: { a: 1, b: 2 } },
    })
    const { body: after } = await api.patch(`/companies/${body.id}`, {
      customFields: { drop: null, add: 3, deep: { c: 3 } },
    })
    expect(after.customFields).toEqual({ keep: 1, add: 3, deep: { c: 3 } })
    const { body: run } = await api.post('/workflow-runs', { workflowKey: 'k', capturedFields: { a: 1 } })
    expect((await api.patch(`/workflow-runs/${run.id}`, { capturedFields: { b: 2 } })).body.capturedFields).toEqual({
      a: 1,
      b: 2,
    })
    const { body: number } = await api.post('/phone-numbers', { e164: '+15550177001' })
    expect(
      (await api.patch(`/phone-numbers/${number.id}`, { capabilities: { sms: false } })).body.capabilities,
    ).toEqual({ voice: true, sms: false })
  })

  test('that changes nothing answers 200 with the same version, and publishes nothing', async () => {
    const { body, text } = await api.post('/customers', { displayName: 'Same', tags: ['a'] })
    expect((await api.patch(`/customers/${body.id}`, {})).text).toBe(text)
    expect((await api.patch(`/customers/${body.id}`, { displayName: 'Same', tags: ['a'] })).text).toBe(text)
    const history = await api.get(`/field-history-entries?entityId=${body.id}`)
    expect(history.body.data.map(({ changeType }: { changeType: string }) => changeType)).toEqual(['create'])
  })
})

describe('PUT', () => {
  test('replaces every writable field: what is omitted goes to its default or null', async () => {
    const whole = {
      title: 'x',
      description: 'd',
      status: 'done',
      priority: 'urgent',
      dueAt: '2026-01-01T00:00:00.000Z',
      externalRefs: [{ system: 'a', externalId: 'put-1' }],
    }
    const { body } = await api.post('/tasks', whole)
    const { body: after, status } = await api.put(`/tasks/${body.id}`, { title: 'y' })
    expect(status).toBe(200)
    expect(after).toEqual({
      ...body,
      title: 'y',
      description: null,
      status: 'open',
      priority: 'normal',
      dueAt: null,
      externalRefs: [],
      version: 2,
      updatedAt: after.updatedAt,
    })
    expect((await api.get('/external-refs?externalId=put-1')).body.data).toEqual([])
  })

  test('takes back a record that was read, whole and unchanged', async () => {
    const { body } = await api.post('/customers', {
      displayName: 'Round trip',
      customerNumber: 'C-1',
      customFields: { a: [1] },
    })
    expect((await api.put(`/customers/${body.id}`, body)).text).toBe(JSON.stringify(body))
    expect((await api.patch(`/customers/${body.id}`, body)).text).toBe(JSON.stringify(body))
  })

  test('leaves the state of a state machine alone unless it is sent', async () => {
    const { body } = await api.post('/work-records', { canonicalKind: 'job', title: 'x', customerId: nobodysId })
    await api.patch(`/work-records/${body.id}`, { recordState: 'blocked' })
    const { body: after } = await api.put(`/work-records/${body.id}`, {
      canonicalKind: 'job',
      title: 'y',
      customerId: nobodysId,
    })
    expect(after).toMatchObject({ recordState: 'blocked', title: 'y' })
  })

  test('never creates', async () => {
    expectRefusal(await api.put(`/tasks/${nobodysId}`, { title: 'x' }), 404, 'not_found')
    expectRefusal(await api.put(`/tasks/${nobodysId}`, {}), 400, 'bad_request')
  })
})

describe('DELETE', () => {
  test('answers 204 with no body, removes the record from every read, and a second one is 404', async () => {
    const { body } = await api.post('/tasks', { title: 'Soon gone', assignedToId: nobodysId })
    const gone = await api.delete(`/tasks/${body.id}`)
    expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null])
    for (const path of [
      '/tasks',
      '/tasks?q=soon',
      `/tasks?assignedToId=${nobodysId}`,
      `/tasks?createdSince=${body.createdAt}`,
    ]) {
      expect(idsOf(await api.get(path))).not.toContain(body.id)
    }
    expectRefusal(await api.get(`/tasks/${body.id}`), 404, 'not_found')
    expectRefusal(await api.patch(`/tasks/${body.id}`, { title: 'x' }), 404, 'not_found')
    expectRefusal(await api.put(`/tasks/${body.id}`, { title: 'x' }), 404, 'not_found')
    expectRefusal(await api.delete(`/tasks/${body.id}`), 404, 'not_found')
  })

  test('frees what was unique', async () => {
    const sent = { displayName: 'x', customerNumber: 'C-free', externalRefs: [{ system: 'crm', externalId: 'free' }] }
    const { body } = await api.post('/customers', sent)
    expectRefusal(await api.post('/customers', { displayName: 'y', customerNumber: 'C-free' }), 409, 'conflict')
    await api.delete(`/customers/${body.id}`)
    const again = await api.post('/customers', sent)
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(body.id)
  })

  test('is told by /deleted-records, newest first, since a time, and to its own side only', async () => {
    const { sandbox, live } = await service.organization('Syncing')
    const made = []
    for (const title of ['a', 'b', 'c']) made.push((await sandbox.post('/tasks', { title })).body)
    await sandbox.delete(`/tasks/${made[0].id}`)
    await later()
    const since = new Date().toISOString()
    await sandbox.delete(`/tasks/${made[1].id}`)
    await sandbox.delete(`/tasks/${made[2].id}`)
    const all = await sandbox.get('/deleted-records')
    expect(idsOf(all)).toEqual([made[2].id, made[1].id, made[0].id])
    expect(all.body.data[0]).toEqual({
      entityType: 'task',
      id: made[2].id,
      deletedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      mergedIntoId: null,
    })
    expect(idsOf(await sandbox.get(`/deleted-records?since=${since}`))).toEqual([made[2].id, made[1].id])
    const first = await sandbox.get('/deleted-records?limit=2')
    expect(idsOf(await sandbox.get(`/deleted-records?limit=2&cursor=${first.body.pagination.nextCursor}`))).toEqual([
      made[0].id,
    ])
    expect((await live.get('/deleted-records')).body.data).toEqual([])
    expectRefusal(await sandbox.get('/deleted-records?since=yesterday'), 400, 'bad_request')
  })
})

describe('versions', () => {
  test('rise by one with each change and are the ETag of every answer that carries the record', async () => {
    const made = await api.post('/tasks', { title: 'x' })
    const path = `/tasks/${made.body.id}`
    const patched = await api.patch(path, { title: 'y' })
    const replaced = await api.put(path, { title: 'z' })
    const read = await api.get(path)
    expect([made, patched, replaced, read].map(({ headers, body }) => [headers.get('etag'), body.version])).toEqual([
      ['"1"', 1],
      ['"2"', 2],
      ['"3"', 3],
      ['"3"', 3],
    ])
  })

  test('named by If-Match guard PATCH, PUT and DELETE: a mismatch is 409 and changes nothing', async () => {
    const { body } = await api.post('/tasks', { title: 'x' })
    const path = `/tasks/${body.id}`
    await api.patch(path, { title: 'y' })
    for (const stale of ['"1"', 'W/"1"', '1', '"3"', '"nonsense"', '', '"1", "7"']) {
      for (const answer of [
        await api.patch(path, { title: 'z' }, { 'if-match': stale }),
        await api.put(path, { title: 'z' }, { 'if-match': stale }),
        await api.delete(path, { 'if-match': stale }),
      ]) {
        expectRefusal(answer, 409, 'conflict')
        expect(answer.body.error.details).toEqual({ reason: 'version', version: 2 })
      }
    }
    expect((await api.patch(path, { title: 'a' }, { 'if-match': '"1", "2"' })).body.version).toBe(3)
    expect((await api.patch(path, { title: 'b' }, { 'if-match': '*' })).body.version).toBe(4)
    expect((await api.delete(path, { 'if-match': '"4"' })).status).toBe(204)
    expectRefusal(await api.patch(`/tasks/${nobodysId}`, { title: 'x' }, { 'if-match': '"1"' }), 404, 'not_found')
  })

  test('named by If-None-Match save a read its body, and never touch a write', async () => {
    const { body } = await api.post('/tasks', { title: 'x' }, { 'if-none-match': '*' })
    expect(body).toMatchObject({ title: 'x' })
    const path = `/tasks/${body.id}`
    for (const header of ['"1"', 'W/"1"', '"9", "1"', '*']) {
      const unchanged = await api.get(path, { 'if-none-match': header })
      expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', '"1"'])
    }
    expect((await api.get(path, { 'if-none-match': '"2"' })).status).toBe(200)
    const changed = await api.patch(path, { title: 'y' }, { 'if-none-match': '"2"' })
    expect([changed.status, changed.body.title]).toEqual([200, 'y'])
  })
})

describe('filters', () => {
  test('by time take the bounds of the rulings: since includes, before does not', async () => {
    const { sandbox } = await service.organization('In time')
    const made = []
    for (const title of ['a', 'b', 'c']) {
      made.push((await sandbox.post('/tasks', { title })).body)
      await later()
    }
    const [a, b, c] = made
    expect(idsOf(await sandbox.get(`/tasks?createdSince=${b.createdAt}`))).toEqual([c.id, b.id])
    expect(idsOf(await sandbox.get(`/tasks?createdBefore=${b.createdAt}`))).toEqual([a.id])
    expect(idsOf(await sandbox.get(`/tasks?createdSince=${b.createdAt}&createdBefore=${c.createdAt}`))).toEqual([b.id])
    const { body: changed } = await sandbox.patch(`/tasks/${a.id}`, { title: 'A' })
    expect(idsOf(await sandbox.get(`/tasks?updatedSince=${changed.updatedAt}`))).toEqual([a.id])
    expect(idsOf(await sandbox.get(`/tasks?updatedSince=${changed.updatedAt}&createdSince=${b.createdAt}`))).toEqual([])
  })

  test('named by the schema narrow the list, alone, together and with q', async () => {
    const { sandbox } = await service.organization('Filtering')
    const one = (await sandbox.post('/tasks', { title: 'Call Ann', status: 'open', priority: 'high' })).body
    const two = (await sandbox.post('/tasks', { title: 'Call Bob', status: 'done', priority: 'high' })).body
    expect(idsOf(await sandbox.get('/tasks?priority=high'))).toEqual([two.id, one.id])
    expect(idsOf(await sandbox.get('/tasks?priority=high&status=open'))).toEqual([one.id])
    expect(idsOf(await sandbox.get('/tasks?q=call&status=done'))).toEqual([two.id])
    expect(idsOf(await sandbox.get('/tasks?q=ann&status=done'))).toEqual([])
    expectRefusal(await sandbox.get('/tasks?status=nonsense'), 400, 'bad_request')
    expectRefusal(await sandbox.get('/tasks?status=open&status=done'), 400, 'bad_request')
    expect(idsOf(await sandbox.get('/work-type-definitions?enabled=true&canonicalKind=job'))).toHaveLength(1)
    expectRefusal(await sandbox.get('/work-type-definitions?enabled=yes'), 400, 'bad_request')
  })
})

describe('aliases', () => {
  test('are accepted on input for the fields they stand for; a contradiction is 400', async () => {
    expect((await api.post('/customers', { name: 'By name' })).body.displayName).toBe('By name')
    expect((await api.post('/companies', { displayName: 'By display name' })).body.name).toBe('By display name')
    expect((await api.post('/companies', { displayName: 'Same', name: 'Same' })).status).toBe(201)
    const answer = await api.post('/companies', { displayName: 'One', name: 'Two' })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details[0].code).toBe('alias')
  })

  test.each([
    ['JOB', 'job'],
    ['APPOINTMENT', 'appointment_encounter'],
    ['DELIVERY', 'move'],
    ['TICKET_GENERIC', 'ticket_generic'],
    ['repair_order', 'repair_order'],
  ])('kind %s is %s, in a body and in a filter', async (kind, canonicalKind) => {
    const { body } = await api.post('/work-records', { kind, title: `Of ${kind}`, customerId: nobodysId })
    expect(body.canonicalKind).toBe(canonicalKind)
    expect(idsOf(await api.get(`/work-records?kind=${kind}`))).toContain(body.id)
  })
})

test('a name that is put together fits its field, so that the record can be sent back whole', async () => {
  const { body } = await api.post('/parties', {
    partyType: 'person',
    firstName: '😀'.repeat(200),
    lastName: 'x'.repeat(255),
  })
  expect([...body.displayName]).toHaveLength(255)
  expect((await api.put(`/parties/${body.id}`, body)).text).toBe(JSON.stringify(body))
})

test('a record and its stored row are the same JSON', async () => {
  const { body, text } = await api.post('/tasks', { title: 'Stored as served' })
  const [row] = await service.database.query<{ record: string }>(
    sql`select record::text as record from tasks where id = ${body.id}`,
  )
  expect(row?.record).toBe(text)
})
