// Two people or customers become one, and two again: what names them, their values, their old ids, and what is told.
import {
  customers,
  type Entity,
  fieldsOf,
  itemsOf,
  mergeableEntities,
  people,
  propertiesOf,
  recordSchema,
  referencesTo,
  storedEntities,
} from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, raw, sql } from '../../../src/database/sql.js'
import { conditionsSql } from '../../../src/store/conditions.js'
import { newId } from '../../../src/store/id.js'
import { nobodysId, smallestValue } from '../../support/endpoint-requests.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
let api: Client
let tenantId: string
beforeAll(async () => {
  service = await startService()
  api = service.api
  tenantId = await tenantOf(service, api)
})
afterAll(() => service.stop())

const make = async (path: string, body: object, client = api): Promise<any> => {
  const answer = await client.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const merge = async (slug: string, id: string, intoId: string): Promise<any> => {
  const answer = await api.post(`/${slug}/${id}/merge`, { intoId })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const unmerge = async (slug: string, id: string): Promise<any> => {
  const answer = await api.post(`/${slug}/${id}/unmerge`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
let made = 0
const pair = async (slug: string): Promise<[any, any]> => [
  await make(`/${slug}`, { displayName: `Old ${++made}` }),
  await make(`/${slug}`, { displayName: `New ${made}` }),
]

/** A row straight in its table, which names someone in one field. */
async function plant(entity: Entity, values: object): Promise<string> {
  const now = new Date()
  const id = newId(now)
  const own = Object.fromEntries(entity.unique.flat().map((field) => [field, id]))
  const record = {
    ...(smallestValue(recordSchema(entity)) as object),
    ...own,
    ...values,
    id,
    externalRefs: [],
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    version: 1,
  }
  await service.database.query(
    sql`insert into ${raw(entity.table)} (tenant_id, id, version, updated_at, record)
      values (${tenantId}, ${id}, 1, ${now}, ${JSON.stringify(record)})`,
  )
  return id
}
const fieldOf = async ({ table }: Entity, field: string, id: string): Promise<unknown> =>
  (
    await service.database.query<{ value: unknown }>(
      sql`select record ->> ${field}::text as value from ${raw(table)} where id = ${id}`,
    )
  )[0]?.value

test.each([people, customers])('every record that names one of the $slug moves with it, and back', async (target) => {
  const [old, kept] = await pair(target.slug)
  const planted = await Promise.all(
    referencesTo(target).map(async ({ entity, field, names }) => {
      const kind = names.startsWith('@') ? { [names.slice(1)]: target.name } : {}
      return { entity, field, id: await plant(entity, { ...kind, [field]: old.id }) }
    }),
  )
  const named = () =>
    Promise.all(planted.map(async ({ entity, field, id }) => [entity.slug, field, await fieldOf(entity, field, id)]))
  const all = (id: string) => planted.map(({ entity, field }) => [entity.slug, field, id])
  expect(planted.length).toBeGreaterThan(14)
  await merge(target.slug, old.id, kept.id)
  expect(await named()).toEqual(all(kept.id))
  // Each is at its next version, so that nobody writes over it unawares.
  expect(await fieldOf(planted[0]!.entity, 'version', planted[0]!.id)).toBe('2')
  await unmerge(target.slug, old.id)
  expect(await named()).toEqual(all(old.id))
})

test('the one that stays keeps its values, takes over what it lacks, and history keeps the rest', async () => {
  const old = await make('/people', {
    firstName: 'Mary',
    lastName: 'Lopez',
    primaryEmail: 'mary@example.com',
    primaryPhone: '+15550108001',
    customFields: { gate: '1234', dog: 'Rex' },
    externalRefs: [{ system: 'crm', externalId: 'old-1' }],
  })
  const kept = await make('/people', {
    firstName: 'Maria',
    primaryPhone: '+15550108002',
    customFields: { dog: 'Bello' },
    externalRefs: [{ system: 'crm', externalId: 'new-1' }],
  })
  const survivor = await merge('people', old.id, kept.id)
  expect(survivor).toMatchObject({
    id: kept.id,
    displayName: 'Maria Lopez',
    firstName: 'Maria',
    primaryEmail: 'mary@example.com',
    primaryPhone: '+15550108002',
    customFields: { gate: '1234', dog: 'Bello' },
    externalRefs: [
      { system: 'crm', externalId: 'new-1' },
      { system: 'crm', externalId: 'old-1' },
    ],
    version: 2,
  })
  const { body: history } = await api.get(`/field-history-entries?entityId=${kept.id}&limit=100`)
  const gaveWay = Object.fromEntries(
    history.data
      .filter(({ changeType }: any) => changeType === 'merge')
      .map(({ field, previousValue }: any) => [field, previousValue]),
  )
  expect(gaveWay).toMatchObject({
    null: { id: old.id, displayName: 'Mary Lopez' },
    firstName: 'Mary',
    primaryPhone: '+15550108001',
    primaryEmail: null,
    customFields: { dog: 'Bello' },
  })
  // The number and the reference of the one find the other.
  expect((await api.get('/people/by-phone?phone=%2B15550108001')).body.data.id).toBe(kept.id)
  const pushed = await api.post('/people/upsert', {
    externalRefs: [{ system: 'crm', externalId: 'old-1' }],
    legalName: 'M.',
  })
  expect(pushed.body).toMatchObject({ id: kept.id, legalName: 'M.' })

  await api.patch(`/people/${kept.id}`, { primaryEmail: 'maria@example.com' })
  const restored = await unmerge('people', old.id)
  const { version: _, updatedAt: __, ...before } = old
  expect(restored).toMatchObject({ ...before, version: 2 })
  expect((await api.get(`/people/${kept.id}`)).body).toMatchObject({
    lastName: null,
    displayName: 'Maria',
    // Somebody changed it since.
    primaryEmail: 'maria@example.com',
    customFields: { dog: 'Bello' },
    externalRefs: [{ system: 'crm', externalId: 'new-1' }],
    legalName: 'M.',
  })
  expect((await api.get('/people/by-phone?phone=%2B15550108001')).body.data.id).toBe(old.id)
  const again = await api.post('/people/upsert', {
    externalRefs: [{ system: 'crm', externalId: 'old-1' }],
    legalName: 'N.',
  })
  expect(again.body).toMatchObject({ id: old.id, legalName: 'N.' })
})

test('reads, writes, references and filters with the old id act on the one that stays', async () => {
  const [old, kept] = await pair('people')
  const before = await make('/tasks', { title: 'Before', personId: old.id })
  await merge('people', old.id, kept.id)
  const read = await api.get(`/people/${old.id}`)
  expect([read.body.id, read.headers.get('etag')]).toEqual([kept.id, '"2"'])
  expect((await api.patch(`/people/${old.id}`, { legalName: 'By the old id' })).body).toMatchObject({ id: kept.id })
  expect((await api.patch(`/people/${old.id}`, { legalName: 'x' }, { 'if-match': '"1"' })).status).toBe(409)
  const task = await make('/tasks', { title: 'After', personId: old.id, subjectType: 'person', subjectId: old.id })
  expect(task).toMatchObject({ personId: kept.id, subjectId: kept.id })
  const note = await make('/notes', { subjectType: 'person', subjectId: old.id, body: 'Called back' })
  const moved = await api.patch(`/tasks/${before.id}`, { title: 'Since', personId: old.id })
  expect(moved.body).toMatchObject({ title: 'Since', personId: kept.id })
  const work = await make('/work-records', { title: 'Sink', canonicalKind: 'job', primaryPersonId: old.id })
  expect(work.primaryPersonId).toBe(kept.id)
  const listed = (await api.get(`/tasks?personId=${old.id}`)).body.data.map(({ id }: any) => id)
  expect(listed).toEqual([task.id, before.id])
  const timeline = (await api.get(`/people/${old.id}/timeline?types=task,note`)).body.data.map(({ id }: any) => id)
  expect(timeline).toEqual([note.id, task.id, before.id])
  const events = await eventsOf(service, api)
  const created = events.find(({ type, data }) => type === 'task.created' && data.taskId === task.id)
  expect(created?.data.task.personId).toBe(kept.id)
  // What came after the merge stays.
  await unmerge('people', old.id)
  const owners = async (id: string) => (await api.get(`/tasks/${id}`)).body.personId
  expect([await owners(before.id), await owners(task.id)]).toEqual([old.id, kept.id])
  expect((await api.delete(`/people/${old.id}`)).status).toBe(204)
  expect((await api.get(`/people/${kept.id}`)).status).toBe(200)
})

test('a merge is told by /deleted-records, by /merges and by opt-in events, and so is its end', async () => {
  const [old, kept] = await pair('customers')
  await merge('customers', old.id, kept.id)
  const deletion = async () =>
    (await api.get('/deleted-records?limit=100')).body.data.find(({ id }: any) => id === old.id)
  expect(await deletion()).toMatchObject({ entityType: 'customer', mergedIntoId: kept.id })
  const [job] = (await api.get(`/customers/${kept.id}/merges`)).body.data
  expect(job).toMatchObject({
    displayName: old.displayName,
    entityType: 'customer',
    mergedId: old.id,
    intoId: kept.id,
    status: 'done',
    undoneAt: null,
  })
  await unmerge('customers', old.id)
  expect(await deletion()).toBeUndefined()
  expect((await api.get(`/customers/${old.id}/merges/${job.id}`)).body).toMatchObject({ status: 'undone' })
  const events = (await eventsOf(service, api)).filter(({ data }) => [old.id, kept.id].includes(data.customerId))
  expect(events.map(({ type, data }) => [type, data.customerId])).toEqual([
    ['customer.merged', kept.id],
    ['customer.unmerged', old.id],
  ])
  expect(events[0]?.data).toMatchObject({ mergedCustomerId: old.id, mergedCustomer: { displayName: old.displayName } })
})

test('of a chain each id leads to the end, and each link can be undone by itself', async () => {
  const values = {
    primaryEmail: 'chain@example.com',
    externalRefs: [{ system: 'crm', externalId: 'chain', url: null }],
  }
  const a = await make('/people', { displayName: 'A', ...values })
  const b = await make('/people', { displayName: 'B' })
  const c = await make('/people', { displayName: 'C' })
  const task = await make('/tasks', { title: 'Of A', personId: a.id })
  const owner = async () => (await api.get(`/tasks/${task.id}`)).body.personId
  const leadsTo = async (id: string) => (await api.get(`/people/${id}`)).body.id
  await merge('people', a.id, b.id)
  await merge('people', b.id, c.id)
  expect([await leadsTo(a.id), await leadsTo(b.id), await owner()]).toEqual([c.id, c.id, c.id])
  await unmerge('people', b.id)
  expect([await leadsTo(a.id), await leadsTo(b.id), await owner()]).toEqual([b.id, b.id, b.id])
  await merge('people', b.id, c.id)
  await unmerge('people', a.id)
  expect([await leadsTo(a.id), await leadsTo(b.id), await owner()]).toEqual([a.id, c.id, a.id])
  await unmerge('people', b.id)
  expect([await leadsTo(b.id), await owner()]).toEqual([b.id, a.id])
  // What passed from hand to hand is back where it came from.
  expect((await api.get(`/people/${a.id}`)).body).toMatchObject(values)
  for (const { id } of [b, c])
    expect((await api.get(`/people/${id}`)).body).toMatchObject({ primaryEmail: null, externalRefs: [] })
})

test('what cannot be merged is refused with a reason, and what is merged already is answered as it is', async () => {
  const [old, kept] = await pair('people')
  const other = await make('/people', { displayName: 'Other' })
  const stranger = await make('/people', { displayName: 'Elsewhere' }, service.demo.live)
  const customer = await make('/customers', { displayName: 'A customer' })
  const gone = await make('/people', { displayName: 'Gone' })
  await api.delete(`/people/${gone.id}`)
  const ask = (id: string, intoId: unknown) => api.post(`/people/${id}/merge`, { intoId })
  expectRefusal(await ask(old.id, old.id), 400, 'bad_request')
  for (const id of [nobodysId, stranger.id, customer.id, gone.id, 'x']) {
    const refused = await ask(old.id, id)
    expectRefusal(refused, 400, 'bad_request')
    expect(refused.body.error.details[0].path).toBe('intoId')
  }
  for (const id of [nobodysId, stranger.id, customer.id, gone.id])
    expectRefusal(await ask(id, kept.id), 404, 'not_found')
  expect((await api.post(`/people/${old.id}/unmerge`)).body.error.details.reason).toBe('not_merged')
  expectRefusal(await api.post(`/people/${nobodysId}/unmerge`), 404, 'not_found')
  await merge('people', old.id, kept.id)
  const told = (await eventsOf(service, api)).length
  expect((await merge('people', old.id, kept.id)).version).toBe(2)
  expect((await eventsOf(service, api)).length).toBe(told)
  for (const [id, intoId] of [
    [old.id, other.id],
    [kept.id, old.id],
  ])
    expect((await ask(id, intoId)).body.error).toMatchObject({
      code: 'conflict',
      details: { reason: 'already_merged', mergedIntoId: kept.id },
    })
  const refs = (name: string) => Array.from({ length: 11 }, (_, at) => ({ system: name, externalId: `${at}` }))
  const [first, second] = [
    await make('/people', { displayName: 'First', externalRefs: refs('one') }),
    await make('/people', { displayName: 'Second', externalRefs: refs('two') }),
  ]
  expect((await ask(first.id, second.id)).body.error.details.reason).toBe('merged_too_large')
  expect((await api.get(`/people/${first.id}`)).body.version).toBe(1)
  const stale = await api.post(`/people/${kept.id}/merge`, { intoId: other.id }, { 'if-match': '"1"' })
  expect(stale.body.error.details.reason).toBe('version')
  await service.database.query(
    sql`update merges set merged_at = now() - interval '31 days' where merged_id = ${old.id}`,
  )
  expect((await api.post(`/people/${old.id}/unmerge`)).body.error.details.reason).toBe('unmerge_too_late')
})

test('an Idempotency-Key answers a merge again as it was answered first', async () => {
  const [old, kept] = await pair('people')
  const key = { 'idempotency-key': `merge ${old.id}`.replace(' ', '-') }
  const first = await api.post(`/people/${old.id}/merge`, { intoId: kept.id }, key)
  await api.patch(`/people/${kept.id}`, { legalName: 'Later' })
  const second = await api.post(`/people/${old.id}/merge`, { intoId: kept.id }, key)
  expect([second.status, second.text]).toEqual([200, first.text])
})

test('an opt-out of either stays with its number', async () => {
  const old = await make('/people', { displayName: 'Stopped', primaryPhone: '+15550108100' })
  const kept = await make('/people', { displayName: 'Kept', primaryPhone: '+15550108101' })
  const method = await make('/contact-methods', {
    channel: 'sms',
    value: '+15550108100',
    ownerType: 'person',
    ownerId: old.id,
    optInStatus: 'opted_out',
  })
  await merge('people', old.id, kept.id)
  const moved = (await api.get(`/contact-methods/${method.id}`)).body
  expect(moved).toMatchObject({ ownerId: kept.id, optInStatus: 'opted_out' })
  const reason = async () => (await api.post('/sms', { to: '+15550108100', body: 'Hi' })).body.error.details.reason
  expect(await reason()).toBe('recipient_opted_out')
  await unmerge('people', old.id)
  expect(await reason()).toBe('recipient_opted_out')
})

test('where there may be one of a kind, that of the one that stays wins, and the other comes back', async () => {
  const [old, kept] = await pair('people')
  const value = (entityId: string, said: string) =>
    make('/field-values', { entityType: 'person', entityId, key: 'gate', value: said })
  const [oldValue, keptValue] = [await value(old.id, '1'), await value(kept.id, '2')]
  const fact = (subjectId: string, said: string) =>
    make('/facts', { subjectType: 'person', subjectId, key: 'favorite_tea', value: said, status: 'confirmed' })
  const [oldFact, keptFact] = [await fact(old.id, 'black'), await fact(kept.id, 'green')]
  const customer = await make('/customers', { primaryPersonId: old.id })
  expect(customer.displayName).toBe(old.displayName)
  await merge('people', old.id, kept.id)
  const values = (await api.get(`/field-values?entityId=${old.id}`)).body.data
  expect(values.map(({ id }: any) => id)).toEqual([keptValue.id])
  const status = async (id: string) => (await api.get(`/facts/${id}`)).body
  expect(await status(oldFact.id)).toMatchObject({
    subjectId: kept.id,
    status: 'superseded',
    supersededById: keptFact.id,
  })
  expect(await status(keptFact.id)).toMatchObject({ status: 'confirmed' })
  expect((await api.get(`/customers/${customer.id}`)).body.displayName).toBe(kept.displayName)
  await unmerge('people', old.id)
  expect((await api.get(`/field-values/${oldValue.id}`)).body).toMatchObject({ entityId: old.id, value: '1' })
  expect(await status(oldFact.id)).toMatchObject({ subjectId: old.id, status: 'confirmed', supersededById: null })
  expect((await api.get(`/customers/${customer.id}`)).body.displayName).toBe(old.displayName)
})

test('a customer number goes with the customer, and comes back', async () => {
  const old = await make('/customers', { displayName: 'Numbered', customerNumber: 'K-1' })
  const kept = await make('/customers', { displayName: 'Not numbered' })
  expect((await merge('customers', old.id, kept.id)).customerNumber).toBe('K-1')
  expect((await unmerge('customers', old.id)).customerNumber).toBe('K-1')
  expect((await api.get(`/customers/${kept.id}`)).body.customerNumber).toBeNull()
})

test('work is found by the name of who stays', async () => {
  const old = await make('/people', { displayName: 'Ambrosia' })
  const kept = await make('/people', { displayName: 'Balthasar' })
  const work = await make('/work-records', { title: 'Roof', canonicalKind: 'job', primaryPersonId: old.id })
  await merge('people', old.id, kept.id)
  const found = async (q: string) => (await api.get(`/work-records?q=${q}`)).body.data.map(({ id }: any) => id)
  await until(
    () => found('Balthasar'),
    (ids) => ids.includes(work.id),
  )
  await unmerge('people', old.id)
  await until(
    () => found('Ambrosia'),
    (ids) => ids.includes(work.id),
  )
})

test('who was merged can be had back though the one that stayed was deleted', async () => {
  const [old, kept] = await pair('people')
  const task = await make('/tasks', { title: 'Before', personId: old.id })
  await merge('people', old.id, kept.id)
  expect((await api.delete(`/people/${old.id}`)).status).toBe(204)
  for (const id of [old.id, kept.id]) expect((await api.get(`/people/${id}`)).status).toBe(404)
  expect((await unmerge('people', old.id)).displayName).toBe(old.displayName)
  expect((await api.get(`/tasks/${task.id}`)).body.personId).toBe(old.id)
})

test('every field that may name someone who can be merged is found by an index, and none is hidden in another', async () => {
  const plans = await service.database.withClient(async (client) => {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const found: string[] = []
    for (const { entity, field } of mergeableEntities.flatMap(referencesTo)) {
      const isNamed = conditionsSql(entity, [{ field, op: '=', value: nobodysId }])
      const { text, values } = compile(
        sql`explain select 1 from ${raw(entity.table)} where tenant_id = ${tenantId}${isNamed} limit 201`,
      )
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(text, values)
      const plan = rows.map((row) => row['QUERY PLAN']).join(' ')
      if (plan.includes('Filter')) found.push(`${entity.table}.${field}: ${plan}`)
    }
    await client.query('rollback')
    return found
  })
  expect(plans).toEqual([])
  const nested = storedEntities.flatMap((entity) =>
    Object.entries(fieldsOf(entity)).flatMap(([field, schema]) => {
      const inner = JSON.stringify({ ...propertiesOf(schema), items: itemsOf(schema) })
      return /"x-references":"(person|customer|@\w+)"/.test(inner) ? [`${entity.table}.${field}`] : []
    }),
  )
  expect(nested).toEqual([])
})
