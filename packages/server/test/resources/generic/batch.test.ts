// Batches: many writes in one request, through the same rules as single ones, all of them in one commit.
import { entities } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { handleWrite, type Input } from '../../../src/http/endpoint.js'
import { endpoints } from '../../../src/resources/index.js'
import { commit } from '../../../src/store/commit.js'
import { newId } from '../../../src/store/id.js'
import { Work } from '../../../src/store/work.js'
import { committing, systemWork } from '../../support/committing.js'
import { countingDatabase } from '../../support/counting-database.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_RATE_LIMIT_BATCH: '100000:100000' })
})
afterAll(() => service.stop())

const ref = (externalId: string) => [{ system: 'crm', externalId }]
const statuses = (body: any): number[] => body.data.map(({ status }: any) => status)
const count = async (api: Client, path: string): Promise<number> =>
  (await api.get(`${path}?count=true`)).body.pagination.count

test('creates, updates and upserts are answered in order, and one that fails does not harm the others', async () => {
  const { sandbox: api } = await service.organization('Mixed')
  const known = (await api.post('/people', { firstName: 'Known', externalRefs: ref('k') })).body
  const items = [
    { op: 'create', data: { firstName: 'Ada', primaryPhone: '+12025550101' } },
    { op: 'create', data: { firstname: 'Wrong' } },
    { op: 'update', id: known.id, data: { lastName: 'Changed' }, ifVersion: 1 },
    { op: 'update', id: known.id, data: { lastName: 'Late' }, ifVersion: 1 },
    { op: 'update', id: newId(new Date()), data: { lastName: 'Nobody' } },
    { op: 'upsert', data: { lastName: 'Upserted', externalRefs: ref('k') } },
    { op: 'upsert', data: { firstName: 'New', externalRefs: ref('n') } },
    { op: 'upsert', data: { lastName: 'Same batch', externalRefs: ref('n') } },
    { op: 'upsert', data: { firstName: 'No ref' } },
    { op: 'update', data: { firstName: 'No id' } },
    { op: 'create', id: known.id, data: { firstName: 'Has an id' } },
    { op: 'upsert', data: { firstName: 'Unknown', externalRefs: ref('u') }, ifVersion: 3 },
  ]
  const { status, body } = await api.post('/people/batch', { items })
  expect([status, statuses(body)]).toEqual([200, [201, 400, 200, 409, 404, 200, 201, 200, 400, 400, 400, 400]])
  expect(body.data[0].record).toMatchObject({ firstName: 'Ada', version: 1 })
  expect(body.data[1].error).toMatchObject({ code: 'bad_request', details: [{ path: 'firstname' }] })
  expect(body.data[3].error).toMatchObject({ code: 'conflict', details: { reason: 'version', version: 2 } })
  expect(body.data[8].error.details[0].path).toBe('data.externalRefs')
  expect(body.meta.requestId).toBeTruthy()
  expect((await api.get(`/people/${known.id}`)).body).toMatchObject({ lastName: 'Upserted', version: 2 })
  expect((await api.get(`/people/${body.data[6].record.id}`)).body.lastName).toBe('Same batch')
  expect(await count(api, '/people')).toBe(3)
  const events = (await eventsOf(service, api)).map(({ type, data }) => [type, data.personId])
  expect(events.filter(([, id]) => id === body.data[0].record.id)).toEqual([['person.created', expect.anything()]])
  expect(events.filter(([, id]) => id === known.id).map(([type]) => type)).toEqual([
    'person.created',
    'person.updated',
    'person.updated',
  ])
})

test('atomic: one fails, then 422 names it and nothing is written', async () => {
  const { sandbox: api } = await service.organization('Atomic')
  const items = [
    { op: 'create', data: { title: 'Ring back' } },
    { op: 'create', data: { titel: 'Typo' } },
  ]
  const { status, body } = await api.post('/tasks/batch', { items, atomic: true }, { 'idempotency-key': 'atomic-1' })
  expect([status, body.error.code]).toEqual([422, 'batch_failed'])
  expect(body.error.details.items).toMatchObject([{ index: 1, status: 400, error: { code: 'bad_request' } }])
  expect(await count(api, '/tasks')).toBe(0)
  const again = await api.post('/tasks/batch', { items, atomic: true }, { 'idempotency-key': 'atomic-1' })
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([422, 'true'])
  const all = await api.post('/tasks/batch', { items: [items[0], items[0]], atomic: true })
  expect(statuses(all.body)).toEqual([201, 201])
})

test('one idempotency key: the same batch, repeated or at the same time, happens once', async () => {
  const { sandbox: api } = await service.organization('Once')
  const batch = { items: Array.from({ length: 30 }, (_, n) => ({ op: 'create', data: { title: `Task ${n}` } })) }
  const key = { 'idempotency-key': 'batch-1' }
  const answers = await Promise.all([1, 2, 3].map(() => api.post('/tasks/batch', batch, key)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await api.post('/tasks/batch', batch, key)).headers.get('idempotent-replayed')).toBe('true')
  expect(await count(api, '/tasks')).toBe(30)
  const other = await api.post('/tasks/batch', { items: batch.items.slice(1) }, key)
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_conflict'])
})

test('twins that upsert the same references at once make one record each', async () => {
  const { sandbox: api } = await service.organization('Twins')
  const items = Array.from({ length: 20 }, (_, n) => ({
    op: 'upsert',
    data: { firstName: `Twin ${n}`, primaryPhone: `+1202555${1000 + n}`, externalRefs: ref(`twin-${n}`) },
  }))
  const answers = await Promise.all([1, 2, 3, 4].map(() => api.post('/people/batch', { items })))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(statuses(body).every((one) => one === 200 || one === 201)).toBe(true)
  }
  expect(await count(api, '/people')).toBe(20)
  expect(await count(api, '/external-refs')).toBe(20)
})

test('every entity says whether it takes batches, and each has its own scope', async () => {
  const { sandbox: api, id } = await service.organization('Scopes')
  const schema = (await api.get('/schema')).body
  const taken = schema.entities.filter(({ batch }: any) => batch).map(({ slug }: any) => slug)
  expect(taken).toEqual(entities.filter(({ batch }) => batch).map(({ slug }) => slug))
  for (const slug of ['sms', 'calls', 'integration-connections', 'facts', 'drafts', 'voicemails', 'messages'])
    expect(taken).not.toContain(slug)
  const [reader, writer] = [await service.keyOf(id, 'sandbox', 'READ'), await service.keyOf(id, 'sandbox', 'WRITE')]
  const one = { items: [{ op: 'create', data: {} }] }
  for (const slug of taken) {
    const { writeScope } = entities.find((entity) => entity.slug === slug) ?? {}
    expect([slug, (await reader.post(`/${slug}/batch`, one)).status]).toEqual([slug, 403])
    expect([slug, (await writer.post(`/${slug}/batch`, one)).status]).toEqual([
      slug,
      writeScope === 'ADMIN' ? 403 : 200,
    ])
  }
  for (const slug of ['sms', 'calls', 'api-keys', 'members', 'webhooks'])
    expect((await api.post(`/${slug}/batch`, one)).status).toBeGreaterThanOrEqual(404)
  expect(schema.limits).toMatchObject({ batchItems: 500, batchItemsPerSecond: 100_000, batchItemsBurst: 100_000 })
})

test('a record of another environment is not there', async () => {
  const { sandbox: api, live } = await service.organization('Sides')
  const person = (await live.post('/people', { firstName: 'Live', externalRefs: ref('s') })).body
  const { body } = await api.post('/people/batch', {
    items: [
      { op: 'update', id: person.id, data: { firstName: 'Taken' } },
      { op: 'upsert', data: { firstName: 'Own', externalRefs: ref('s') } },
    ],
  })
  expect(statuses(body)).toEqual([404, 201])
  expect((await live.get(`/people/${person.id}`)).body.firstName).toBe('Live')
})

test('wrong shapes are named, and large bodies are taken up to 8 MiB', async () => {
  const { sandbox: api } = await service.organization('Shapes')
  const item = { op: 'create', data: { title: 'x' } }
  const refused: [unknown, string][] = [
    [{}, 'items'],
    [{ items: [] }, 'items'],
    [{ items: [{ ...item, op: 'destroy' }] }, 'items[0].op'],
    [{ items: [item, { op: 'create' }] }, 'items[1].data'],
    [{ items: [{ ...item, data: [] }] }, 'items[0].data'],
    [{ items: [{ ...item, more: 1 }] }, 'items[0].more'],
    [{ items: Array.from({ length: 501 }, () => item) }, 'items'],
  ]
  for (const [body, path] of refused) {
    const answer = await api.post('/tasks/batch', body)
    expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([400, path])
  }
  const description = 'd'.repeat(16_000)
  const large = Array.from({ length: 400 }, (_, n) => ({ op: 'create', data: { title: `${n}`, description } }))
  const { status, body } = await api.post('/tasks/batch', { items: large })
  expect([status, new Set(statuses(body))]).toEqual([200, new Set([201])])
  const tooLarge = await api.post('/tasks/batch', {
    items: [...large, ...large].slice(0, 500),
    atomic: false,
    pad: description.repeat(40),
  })
  expect([tooLarge.status, tooLarge.body.error.details.limitBytes]).toEqual([413, 8 * 1024 * 1024])
  expect((await api.post('/tasks', { title: 'x', description: 'd'.repeat(1_100_000) })).status).toBe(413)
})

test('items have a bucket of their own', async () => {
  const { sandbox: api } = await service.organization('Bucket')
  const node = await service.node({ PARLEY_RATE_LIMIT_BATCH: '1:10' })
  const there = clientOf(node.url, api.key)
  const items = (length: number) => ({ items: Array.from({ length }, () => ({ op: 'create', data: { title: 'x' } })) })
  expect((await there.post('/tasks/batch', items(8))).status).toBe(200)
  const refused = await there.post('/tasks/batch', items(8))
  expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([429, true])
  expect((await there.post('/tasks', { title: 'single' })).status).toBe(201)
  expect(await count(api, '/tasks')).toBe(9)
})

test('a hundred items cost a handful of statements', async () => {
  const { sandbox: api } = await service.organization('Few')
  const tenantId = await tenantOf(service, api)
  const endpoint = endpoints.find(({ operationId }) => operationId === 'batchPeople')
  if (endpoint === undefined) throw new Error('There is no such endpoint')
  const run = async (op: string, lastName: string) => {
    const items = Array.from({ length: 100 }, (_, n) => ({
      op,
      data: {
        lastName,
        primaryPhone: `+1202556${1000 + n}`,
        primaryEmail: `few${n}@example.com`,
        externalRefs: ref(`few-${n}`),
      },
    }))
    const { database, count: statements } = countingDatabase(service.database)
    const { caller, now, requestId } = await systemWork(service.database, tenantId)
    const work = new Work(database, caller, now, requestId)
    const input = { work, caller, now, requestId, params: {}, query: {}, body: { items }, ifMatch: undefined }
    const answer = await handleWrite(endpoint, input as unknown as Input)
    expect(await commit(committing(service.database), work, answer)).toBe(true)
    return { statements: statements(), statuses: new Set(statuses(JSON.parse(answer.body ?? ''))) }
  }
  const made = await run('upsert', 'Made')
  expect(made.statuses).toEqual(new Set([201]))
  expect(made.statements).toBeLessThanOrEqual(6)
  const [rows] = await service.database.query(
    sql`select count(*)::int as rows from field_history_entries where tenant_id = ${tenantId}`,
  )
  expect(rows).toEqual({ rows: 100 })
  const changed = await run('upsert', 'Changed')
  expect(changed.statuses).toEqual(new Set([200]))
  expect(changed.statements).toBeLessThanOrEqual(106)
})
