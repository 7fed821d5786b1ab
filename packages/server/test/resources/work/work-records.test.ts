import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

/** An organization of its own, so that a test sees only its own events. */
const side = async (): Promise<Client> => (await service.organization('Plumbing')).sandbox
const customerOf = async (api: Client): Promise<string> =>
  (await api.post('/customers', { displayName: 'Harbour Hotel' })).body.id
const unknownId = '0190b2f0-0000-7000-8000-000000000001'

test('a work record is created with number, defaults and events, and read back byte for byte', async () => {
  const api = await side()
  const customerId = await customerOf(api)
  const made = await api.post('/work-records', {
    title: 'Leaking sink',
    canonicalKind: 'job',
    customerId,
    scheduledStart: '2026-05-04T09:00:00+02:00',
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    number: 'WR-000001',
    canonicalKind: 'job',
    recordState: 'active',
    status: 'new',
    stage: 'intake',
    priority: 'normal',
    source: 'api',
    customerId,
    primaryPersonId: null,
    draftId: null,
    tags: [],
    structuredFieldsJson: {},
    scheduledStart: '2026-05-04T07:00:00.000Z',
    version: 1,
  })
  expect((await api.get(`/work-records/${made.body.id}`)).text).toBe(made.text)
  const events = await eventsOf(service, api)
  expect(events.map(({ type }) => type)).toEqual(['work_record.created', 'appointment.scheduled'])
  expect(events[0]?.data).toEqual({
    workRecordId: made.body.id,
    canonicalKind: 'job',
    title: 'Leaking sink',
    recordState: 'active',
    status: 'new',
    stage: 'intake',
    customerId,
    workRecord: made.body,
  })
  expect(events[1]?.data).toMatchObject({
    appointmentId: null,
    workRecordId: made.body.id,
    origin: 'work_record',
    customerId,
    personId: null,
  })
})

test.each([
  ['JOB', 'job'],
  ['APPOINTMENT', 'appointment_encounter'],
  ['MATTER', 'matter'],
  ['DELIVERY', 'move'],
  ['CASE', 'case'],
  ['WORK_ORDER', 'work_order'],
  ['claim', 'claim'],
])('kind %s is accepted for %s, in a body and as a filter', async (kind, canonicalKind) => {
  const api = await side()
  const made = await api.post('/work-records', { title: 'x', kind, customerId: unknownId })
  expect([made.status, made.body.canonicalKind]).toEqual([201, canonicalKind])
  await api.post('/work-records', { title: 'another kind', canonicalKind: 'engagement', customerId: unknownId })
  for (const path of [
    `/work-records?kind=${kind}`,
    `/work-records?kind=${canonicalKind}`,
    `/work-records/search?kind=${kind}`,
  ]) {
    expect((await api.get(path)).body.data).toEqual([made.body])
  }
})

test('personId stands for primaryPersonId, and both may be said if they agree', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Ada Moss' })
  const base = { title: 'x', canonicalKind: 'job', customerId: unknownId }
  expect((await api.post('/work-records', { ...base, personId: person.id })).body.primaryPersonId).toBe(person.id)
  expect((await api.post('/work-records', { ...base, personId: person.id, primaryPersonId: person.id })).status).toBe(
    201,
  )
  const refused = await api.post('/work-records', { ...base, personId: person.id, primaryPersonId: unknownId })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'personId'])
  expect(
    (await api.post('/work-records', { ...base, kind: 'JOB', canonicalKind: 'move' })).body.error.details[0].path,
  ).toBe('kind')
})

test('without a customer, the customer of the person is used, or made once', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', {
    firstName: 'Ada',
    lastName: 'Moss',
    primaryPhone: '+15550100200',
    primaryEmail: 'ada@example.com',
  })
  const first = await api.post('/work-records', { title: 'First', kind: 'JOB', personId: person.id })
  expect(first.status).toBe(201)
  const { body: customer } = await api.get(`/customers/${first.body.customerId}`)
  expect(customer).toMatchObject({
    displayName: 'Ada Moss',
    customerType: 'individual',
    status: 'active',
    primaryPersonId: person.id,
    primaryPhone: '+15550100200',
    primaryEmail: 'ada@example.com',
  })
  expect((await api.get(`/people/${person.id}`)).body).toMatchObject({ customerId: customer.id, version: 2 })
  expect((await api.post('/work-records', { title: 'Second', kind: 'JOB', personId: person.id })).body.customerId).toBe(
    customer.id,
  )
  expect((await eventsOf(service, api)).map(({ type }) => type)).toEqual([
    'person.created',
    'person.updated',
    'work_record.created',
    'work_record.created',
  ])
  const history = (await api.get(`/field-history-entries?entityId=${person.id}`)).body.data
  expect(history.map(({ field, newValue }: { field: string; newValue: unknown }) => [field, newValue])).toEqual([
    ['customerId', customer.id],
    [null, null],
  ])
})

test('ten records at once for one person without a customer make one customer', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Rush' })
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      api.post('/work-records', { title: `Job ${index}`, kind: 'JOB', personId: person.id }),
    ),
  )
  expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201))
  expect(new Set(made.map(({ body }) => body.customerId)).size).toBe(1)
  expect((await api.get('/customers')).body.data).toHaveLength(1)
})

test('a customer that was deleted is not worked for: the person gets a new one', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Back again' })
  const first = await api.post('/work-records', { title: 'Before', kind: 'JOB', personId: person.id })
  await api.delete(`/customers/${first.body.customerId}`)
  const second = await api.post('/work-records', { title: 'After', kind: 'JOB', personId: person.id })
  expect(second.body.customerId).not.toBe(first.body.customerId)
  expect((await api.get(`/customers/${second.body.customerId}`)).status).toBe(200)
})

test('numbers are unique and rise, also under 50 creates at once on two nodes', async () => {
  const api = await side()
  const node = await service.node()
  const other = { ...api, post: async (path: string, body: unknown) => postTo(node.url, api.key, path, body) }
  const before = await api.post('/work-records', { title: 'First', kind: 'JOB', customerId: unknownId })
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      (index % 2 ? other : api).post('/work-records', { title: `Job ${index}`, kind: 'JOB', customerId: unknownId }),
    ),
  )
  const after = await api.post('/work-records', { title: 'Last', kind: 'JOB', customerId: unknownId })
  const numbers = made.map(({ body }) => body.number as string)
  expect(new Set(numbers).size).toBe(50)
  expect([before.body.number, ...numbers].every((number) => /^WR-\d{6}$/.test(number))).toBe(true)
  expect(numbers.every((number) => number > before.body.number && number < after.body.number)).toBe(true)
  expect(await eventsOf(service, api)).toHaveLength(52)
})

async function postTo(url: string, key: string, path: string, body: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as { number: string } }
}

test('one update with several tracked fields is one event with what changed, and history by actor and request', async () => {
  const api = await side()
  const { body: record } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId: unknownId })
  const changed = await api.patch(
    `/work-records/${record.id}`,
    { status: 'scheduled', assignedToId: unknownId, scheduledStart: '2026-05-04T09:00:00Z' },
    { 'x-request-id': 'from-dispatch' },
  )
  expect(changed.body).toMatchObject({ version: 2, status: 'scheduled', assignedToId: unknownId })
  const [, updated, scheduled] = await eventsOf(service, api)
  expect(updated?.type).toBe('work_record.updated')
  expect(updated?.data).toMatchObject({
    workRecordId: record.id,
    changedFields: ['status', 'assignedToId', 'scheduledStart'],
    changes: {
      status: { from: 'new', to: 'scheduled' },
      assignedToId: { from: null, to: unknownId },
      scheduledStart: { from: null, to: '2026-05-04T09:00:00.000Z' },
    },
    workRecord: changed.body,
  })
  expect(scheduled?.type).toBe('appointment.scheduled')
  const history = (await api.get(`/field-history-entries?entityId=${record.id}`)).body.data
  expect(history).toHaveLength(4)
  expect(history.find(({ field }: { field: string }) => field === 'status')).toMatchObject({
    entityType: 'work_record',
    previousValue: 'new',
    newValue: 'scheduled',
    changeType: 'update',
    source: 'api',
    actor: { type: 'key', id: expect.any(String) },
    requestId: 'from-dispatch',
  })
})

test('nothing changed, or only external references: no event, and the same version for the former', async () => {
  const api = await side()
  const { body: record } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId: unknownId })
  expect(
    (await api.patch(`/work-records/${record.id}`, { title: 'Sink', recordState: 'active', tags: [] })).body,
  ).toEqual(record)
  expect((await api.put(`/work-records/${record.id}`, record)).body).toEqual(record)
  const referred = await api.patch(`/work-records/${record.id}`, { externalRefs: [{ system: 'crm', externalId: '1' }] })
  expect(referred.body.version).toBe(2)
  expect((await eventsOf(service, api)).map(({ type }) => type)).toEqual(['work_record.created'])
})

test('a moved appointment is an update; only the first scheduled start is an appointment', async () => {
  const api = await side()
  const { body: record } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId: unknownId })
  const path = `/work-records/${record.id}`
  for (const scheduledStart of ['2026-05-04T09:00:00Z', '2026-05-05T09:00:00Z', null, '2026-05-06T09:00:00Z'])
    expect((await api.patch(path, { scheduledStart })).status).toBe(200)
  const types = (await eventsOf(service, api)).map(({ type }) => type)
  expect(types.filter((type) => type === 'appointment.scheduled')).toHaveLength(2)
  expect(types.filter((type) => type === 'work_record.updated')).toHaveLength(4)
})

test('PUT puts back what it leaves out, and keeps number, state, source and where the record came from', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Ada' })
  const made = await api.post('/work-records', {
    title: 'Sink',
    kind: 'JOB',
    personId: person.id,
    status: 'odd',
    priority: 'high',
    source: 'import',
    recordState: 'blocked',
  })
  const put = await api.put(`/work-records/${made.body.id}`, {
    title: 'Tap',
    canonicalKind: 'job',
    personId: person.id,
  })
  expect(put.status).toBe(200)
  expect(put.body).toMatchObject({
    title: 'Tap',
    status: 'new',
    stage: 'intake',
    priority: 'normal',
    recordState: 'blocked',
    source: 'import',
    number: made.body.number,
    customerId: made.body.customerId,
  })
})

test('work is found by number, title, customer and person, best matches first, then newest', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Zoë Quartz' })
  const { body: customer } = await api.post('/customers', { displayName: 'Seaside Diner' })
  const add = async (values: object) =>
    (await api.post('/work-records', { kind: 'JOB', customerId: customer.id, ...values })).body
  const mention = await add({ title: 'Kitchen', description: 'The boiler hums' })
  const beginning = await add({ title: 'Boilers, yearly check' })
  const exact = await add({ title: 'Boiler broken', personId: person.id })
  const newer = await add({ title: 'Boiler again' })
  const found = async (query: string) =>
    (await api.get(`/work-records/search?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await found('q=boiler')).toEqual([newer.id, exact.id, beginning.id, mention.id])
  expect(await found('q=zoe')).toEqual([exact.id])
  expect(await found('q=seaside')).toEqual([newer.id, exact.id, beginning.id, mention.id])
  expect(await found(`q=${exact.number}`)).toEqual([exact.id])
  expect(await found('q=boiler&limit=2')).toEqual([newer.id, exact.id])
  expect(await found(`customerId=${customer.id}`)).toEqual([newer.id, exact.id, beginning.id, mention.id])
  expect(await found(`customerId=${unknownId}`)).toEqual([])
  expect(await found(`q=boiler&customerId=${unknownId}`)).toEqual([])
  expect(await found('q=...')).toEqual([])
  const { body } = await api.get('/work-records/search?q=boiler')
  expect(Object.keys(body)).toEqual(['data', 'meta'])
  // What somebody is called now counts at once for what is written now; the rest follows.
  await api.patch(`/people/${person.id}`, { displayName: 'Zoë Granite' })
  await api.patch(`/work-records/${exact.id}`, { priority: 'high' })
  expect(await found('q=granite')).toEqual([exact.id])
})

test('external references make a second POST an update', async () => {
  const api = await side()
  const body = {
    title: 'Sink',
    kind: 'JOB',
    customerId: unknownId,
    externalRefs: [{ system: 'crm', externalId: '77' }],
  }
  const first = await api.post('/work-records', body)
  const second = await api.post('/work-records', { ...body, title: 'Sink and tap' })
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.body).toMatchObject({ id: first.body.id, number: first.body.number, title: 'Sink and tap', version: 2 })
  const both = await Promise.all(
    Array.from({ length: 10 }, () =>
      api.post('/work-records', { ...body, externalRefs: [{ system: 'crm', externalId: '78' }] }),
    ),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  expect(new Set(both.map(({ body: { id } }) => id)).size).toBe(1)
})

test('new work names its source; later it is what it was, or an import, and anything else is refused and changes nothing', async () => {
  const api = await side()
  const { body: customer } = await api.post('/customers', { displayName: 'Acme' })
  const base = { title: 'Sink', kind: 'JOB', customerId: customer.id }
  for (const source of ['call', 'sms', 'voicemail', 'manual', 'api', 'import'])
    expect((await api.post('/work-records', { ...base, source })).body.source).toBe(source)
  const { body: work } = await api.post('/work-records', {
    ...base,
    source: 'sms',
    externalRefs: [{ system: 'crm', externalId: '1' }],
  })
  const at = `/work-records/${work.id}`
  const again = { ...base, title: 'Tap', source: 'call', externalRefs: [{ system: 'crm', externalId: '1' }] }
  for (const refused of [
    await api.patch(at, { source: 'api', title: 'Tap' }),
    await api.put(at, again),
    await api.post('/work-records', again),
  ])
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'source'])
  expect((await api.get(at)).body).toEqual(work)
  expect((await api.patch(at, { source: 'sms' })).body).toEqual(work)
  expect((await api.put(at, { ...base, title: 'Tap' })).body).toMatchObject({ source: 'sms', title: 'Tap' })
  expect((await api.patch(at, { source: 'import' })).body).toMatchObject({ source: 'import', version: 3 })
  expect((await api.patch(at, { source: 'sms' })).status).toBe(400)
})

test('search without a filter gives the newest, fifty unless said otherwise', async () => {
  const api = await side()
  const { body: customer } = await api.post('/customers', { displayName: 'Acme' })
  const made: string[] = []
  for (let count = 0; count < 51; count++)
    made.push(
      (await api.post('/work-records', { title: `Job ${count}`, kind: 'JOB', customerId: customer.id })).body.id,
    )
  const ids = async (query: string) =>
    (await api.get(`/work-records/search${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual(made.toReversed().slice(0, 50))
  expect(await ids('?q=%20')).toHaveLength(50)
  expect(await ids('?q=job')).toHaveLength(50)
  expect(await ids('?limit=5')).toEqual(made.toReversed().slice(0, 5))
})

test('only an import says when work ended, and in which state it begins', async () => {
  const api = await side()
  const base = { title: 'Old job', kind: 'JOB', customerId: unknownId }
  const imported = await api.post('/work-records', {
    ...base,
    source: 'import',
    recordState: 'completed',
    completedAt: '2020-01-02T03:04:05Z',
    closedAt: '2020-02-02T03:04:05Z',
  })
  expect(imported.body).toMatchObject({
    source: 'import',
    recordState: 'completed',
    completedAt: '2020-01-02T03:04:05.000Z',
    closedAt: '2020-02-02T03:04:05.000Z',
  })
  const undated = await api.post('/work-records', { ...base, source: 'import', recordState: 'canceled' })
  expect(undated.body).toMatchObject({ completedAt: null, closedAt: expect.any(String) })
  const plain = await api.post('/work-records', { ...base, source: 'call', completedAt: '2020-01-02T03:04:05Z' })
  expect(plain.body).toMatchObject({ source: 'call', completedAt: null })
  const patched = await api.patch(`/work-records/${plain.body.id}`, {
    completedAt: '2020-01-02T03:04:05Z',
    source: 'call',
  })
  expect(patched.body).toEqual(plain.body)
  const became = await api.patch(`/work-records/${plain.body.id}`, {
    source: 'import',
    completedAt: '2020-01-02T03:04:05Z',
  })
  expect(became.body).toMatchObject({ source: 'import', completedAt: '2020-01-02T03:04:05.000Z' })
})

test.each<[string, object, string]>([
  ['no title', { title: undefined }, 'title'],
  ['a blank title', { title: '  ' }, 'title'],
  ['no kind', { canonicalKind: undefined }, 'canonicalKind'],
  ['an unknown kind', { canonicalKind: 'plumbing' }, 'canonicalKind'],
  ['an unknown kind by its other name', { canonicalKind: undefined, kind: 'PLUMBING' }, 'canonicalKind'],
  ['neither customer nor person', { customerId: undefined }, 'customerId'],
  ['a person that does not exist and no customer', { customerId: undefined, personId: unknownId }, 'primaryPersonId'],
  ['a customer that is no id', { customerId: '17' }, 'customerId'],
  [
    'an end before the start',
    { scheduledStart: '2026-05-04T09:00:00Z', scheduledEnd: '2026-05-04T08:59:59.999Z' },
    'scheduledEnd',
  ],
  ['a date without a time', { dueAt: '2026-05-04' }, 'dueAt'],
  ['a day that does not exist', { dueAt: '2026-02-30T00:00:00Z' }, 'dueAt'],
  ['a state new work cannot have', { recordState: 'completed' }, 'recordState'],
  ['an unknown state', { recordState: 'done' }, 'recordState'],
  ['an unknown priority', { priority: 'asap' }, 'priority'],
  ['an unknown source', { source: 'fax' }, 'source'],
  ['a long status', { status: 'x'.repeat(65) }, 'status'],
  ['fields that are no object', { structuredFieldsJson: [] }, 'structuredFieldsJson'],
  ['a field nobody knows', { colour: 'red' }, 'colour'],
])('%s is refused and leaves nothing behind', async (_what, values, path) => {
  const api = await side()
  const refused = await api.post('/work-records', {
    title: 'Sink',
    canonicalKind: 'job',
    customerId: unknownId,
    ...values,
  })
  expect([refused.status, refused.body.error.code, refused.body.error.details[0].path]).toEqual([
    400,
    'bad_request',
    path,
  ])
  expect((await api.get('/work-records')).body.data).toEqual([])
  expect(await eventsOf(service, api)).toEqual([])
})

test.each([
  ['/work-records/search?q=x&limit=0', 'limit'],
  ['/work-records/search?q=x&limit=101', 'limit'],
  ['/work-records/search?kind=PLUMBING', 'kind'],
  ['/work-records/search?customerId=17', 'customerId'],
  ['/work-records/search?q=x&cursor=abc', 'cursor'],
  ['/work-records?kind=PLUMBING', 'kind'],
  ['/work-records?recordState=done', 'recordState'],
])('GET %s is refused by name', async (path, parameter) => {
  const refused = await service.api.get(path)
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, parameter])
})

test('the kind is fixed', async () => {
  const api = await side()
  const { body: record } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId: unknownId })
  const refused = await api.patch(`/work-records/${record.id}`, { kind: 'MATTER' })
  expect([refused.status, refused.body.error.details]).toEqual([
    409,
    { reason: 'fixed', field: 'canonicalKind', value: 'job' },
  ])
  expect((await api.patch(`/work-records/${record.id}`, { kind: 'JOB' })).status).toBe(200)
})

test('work of another organization is not there', async () => {
  const [one, other] = [await side(), await side()]
  const { body: record } = await one.post('/work-records', { title: 'Sink', kind: 'JOB', customerId: unknownId })
  const { body: person } = await one.post('/people', { displayName: 'Theirs' })
  expect((await other.get(`/work-records/${record.id}`)).status).toBe(404)
  expect((await other.patch(`/work-records/${record.id}`, { title: 'Mine' })).status).toBe(404)
  expect((await other.get('/work-records/search?q=sink')).body.data).toEqual([])
  expect((await other.post('/work-records', { title: 'x', kind: 'JOB', personId: person.id })).status).toBe(400)
})

test('with strict references, what a work record names must exist', async () => {
  const api = await side()
  await api.patch('/organization', { settings: { strictReferences: true } })
  const refused = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId: unknownId })
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'customerId'])
  const { body: person } = await api.post('/people', { displayName: 'Real' })
  expect((await api.post('/work-records', { title: 'Sink', kind: 'JOB', personId: person.id })).status).toBe(201)
})
