// What records are called in other systems: upserts by reference, one row per reference however many ask at once, and
// rows and records that never disagree.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { nobodysId } from '../../support/endpoint-requests.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const ref = (externalId: string, more: object = {}) => ({ system: 'crm', externalId, ...more })
const rowsOf = async (externalId: string) =>
  (await api.get(`/external-refs?system=crm&externalId=${externalId}`)).body.data

describe('POST with externalRefs', () => {
  test('creates when nobody has them, and each is a row of its own', async () => {
    const made = await api.post('/tasks', {
      title: 'x',
      externalRefs: [ref('new-1', { url: 'https://crm.example/1' }), ref('new-2')],
    })
    expect(made.status).toBe(201)
    expect(made.body.externalRefs).toEqual([
      ref('new-1', { url: 'https://crm.example/1' }),
      ref('new-2', { url: null }),
    ])
    expect(await rowsOf('new-1')).toMatchObject([
      { entityType: 'task', entityId: made.body.id, url: 'https://crm.example/1', isPrimary: false },
    ])
  })

  test('updates as PATCH does when all that match belong to one record', async () => {
    const { body } = await api.post('/tasks', { title: 'x', description: 'kept', externalRefs: [ref('up-1')] })
    const again = await api.post('/tasks', {
      title: 'y',
      externalRefs: [ref('up-1', { url: 'https://crm.example/up' }), ref('up-2')],
    })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ id: body.id, title: 'y', description: 'kept', version: 2 })
    expect(again.body.externalRefs).toEqual([
      ref('up-1', { url: 'https://crm.example/up' }),
      ref('up-2', { url: null }),
    ])
    expect((await rowsOf('up-1'))[0].url).toBe('https://crm.example/up')
    expect((await api.get('/tasks?q=y')).body.data).toHaveLength(1)
  })

  test('is 409 when they belong to several, and nothing is written', async () => {
    const one = (await api.post('/tasks', { title: 'one', externalRefs: [ref('amb-1')] })).body
    const two = (await api.post('/tasks', { title: 'two', externalRefs: [ref('amb-2')] })).body
    const answer = await api.post('/tasks', {
      title: 'three',
      externalRefs: [ref('amb-1'), ref('amb-2'), ref('amb-3')],
    })
    expectRefusal(answer, 409, 'conflict')
    expect(answer.body.error.details.reason).toBe('ambiguous_external_refs')
    expect([...answer.body.error.details.ids].sort()).toEqual([one.id, two.id].sort())
    expect(await rowsOf('amb-3')).toEqual([])
  })

  test('keeps kinds, systems, sides and organizations apart', async () => {
    const refs = { externalRefs: [ref('apart')] }
    const other = await service.organization('Other')
    const made = [
      await api.post('/tasks', { title: 'x', ...refs }),
      await api.post('/companies', { name: 'x', ...refs }),
      await api.post('/tasks', { title: 'x', externalRefs: [{ system: 'erp', externalId: 'apart' }] }),
      await service.demo.live.post('/tasks', { title: 'x', ...refs }),
      await other.sandbox.post('/tasks', { title: 'x', ...refs }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  })

  test('takes the same reference twice in one body as once', async () => {
    const { body } = await api.post('/tasks', {
      title: 'x',
      externalRefs: [ref('twice'), ref('twice', { url: 'https://crm.example/2' })],
    })
    expect(body.externalRefs).toEqual([ref('twice', { url: 'https://crm.example/2' })])
    expect(await rowsOf('twice')).toHaveLength(1)
  })

  test('50 at once for one reference make one record, one row and one event', async () => {
    const elsewhere = clientOf((await service.node()).url, api.key)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? api : elsewhere).post('/tasks', { title: `Racer ${index}`, externalRefs: [ref('race')] }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49)
    const [id, ...others] = new Set(answers.map(({ body }) => body.id))
    expect(others).toEqual([])
    expect(await rowsOf('race')).toHaveLength(1)
    const { body } = await api.get(`/tasks/${id}`)
    expect(body.version).toBe(Math.max(...answers.map((answer) => answer.body.version)))
    const [events] = await service.database.query<{ count: number }>(
      sql`select count(*)::int as count from events where subject_id = ${id} and type = 'task.created'`,
    )
    expect(events?.count).toBe(1)
  })
})

describe('PATCH', () => {
  test('adds and updates entries, and cannot take one that belongs to another record', async () => {
    const { body } = await api.post('/tasks', {
      title: 'x',
      externalRefs: [ref('p-1', { url: 'https://crm.example/p' })],
    })
    const { body: after } = await api.patch(`/tasks/${body.id}`, { externalRefs: [ref('p-2')] })
    expect(after.externalRefs).toEqual([ref('p-1', { url: 'https://crm.example/p' }), ref('p-2', { url: null })])
    const { body: kept } = await api.patch(`/tasks/${body.id}`, { externalRefs: [ref('p-1')] })
    expect(kept.externalRefs[0].url).toBe('https://crm.example/p')
    const other = (await api.post('/tasks', { title: 'other' })).body
    const answer = await api.patch(`/tasks/${other.id}`, { externalRefs: [ref('p-1')] })
    expectRefusal(answer, 409, 'conflict')
    expect(answer.body.error.details).toEqual({ reason: 'external_ref_taken', id: body.id })
  })
})

describe('/external-refs', () => {
  test('a row that is made shows in its record, which gets a new version', async () => {
    const { body: task } = await api.post('/tasks', { title: 'x' })
    const made = await api.post('/external-refs', {
      entityType: 'task',
      entityId: task.id,
      system: 'crm',
      externalId: 'row-1',
    })
    expect(made.status).toBe(201)
    expect((await api.get(`/tasks/${task.id}`)).body).toMatchObject({
      externalRefs: [ref('row-1', { url: null })],
      version: 2,
    })
    const twin = await api.post('/external-refs', {
      entityType: 'task',
      entityId: nobodysId,
      system: 'crm',
      externalId: 'row-1',
    })
    expectRefusal(twin, 409, 'conflict')
    expect(twin.body.error.details).toMatchObject({ reason: 'unique', existingId: made.body.id })
  })

  test('a reference that is added leaves the words alone under which its record is found', async () => {
    const person = (await api.post('/people', { displayName: 'Zenobia Quartermain' })).body
    const work = (
      await api.post('/work-records', { title: 'Leaking tap', canonicalKind: 'job', primaryPersonId: person.id })
    ).body
    expect(
      (await api.post('/external-refs', { entityType: 'work_record', entityId: work.id, ...ref('words-1') })).status,
    ).toBe(201)
    const found = (await api.get('/work-records?q=quarterm')).body.data
    expect(found).toMatchObject([{ id: work.id, version: 2 }])
  })

  test('a row that is changed, moved or deleted is changed, moved or gone in the records', async () => {
    const [one, two] = [
      (await api.post('/tasks', { title: '1' })).body,
      (await api.post('/tasks', { title: '2' })).body,
    ]
    const refsOf = async ({ id }: { id: string }) => (await api.get(`/tasks/${id}`)).body.externalRefs
    const { body: row } = await api.post('/external-refs', {
      entityType: 'task',
      entityId: one.id,
      system: 'crm',
      externalId: 'moving',
    })
    await api.patch(`/external-refs/${row.id}`, { externalId: 'moved', url: 'https://crm.example/m' })
    expect(await refsOf(one)).toEqual([ref('moved', { url: 'https://crm.example/m' })])
    await api.patch(`/external-refs/${row.id}`, { entityId: two.id })
    expect([await refsOf(one), await refsOf(two)]).toEqual([[], [ref('moved', { url: 'https://crm.example/m' })]])
    await api.patch(`/external-refs/${row.id}`, { entityType: 'note' })
    expect(await refsOf(two)).toEqual([])
    await api.patch(`/external-refs/${row.id}`, { entityType: 'task' })
    expect((await api.delete(`/external-refs/${row.id}`)).status).toBe(204)
    expect(await refsOf(two)).toEqual([])
  })

  test('a row may come before its record, which takes it over', async () => {
    const { body: row } = await api.post('/external-refs', {
      entityType: 'task',
      entityId: nobodysId,
      system: 'crm',
      externalId: 'early',
      metadata: { a: 1 },
    })
    const made = await api.post('/tasks', { title: 'x', externalRefs: [ref('early')] })
    expect(made.status).toBe(201)
    expect((await api.get(`/external-refs/${row.id}`)).body).toMatchObject({
      entityId: made.body.id,
      metadata: { a: 1 },
    })
  })

  test('only known kinds of records have references', async () => {
    const answer = await api.post('/external-refs', {
      entityType: 'tasks',
      entityId: nobodysId,
      system: 'crm',
      externalId: 'x',
    })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details[0].path).toBe('entityType')
  })
})

test('after any number of writes at once, rows and records agree', async () => {
  const tasks = await Promise.all(
    [1, 2, 3].map(async (number) => (await api.post('/tasks', { title: `Agree ${number}` })).body),
  )
  const names = ['agree-a', 'agree-b', 'agree-c']
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const task = tasks[index % 3]
      const externalId = names[(index * 7) % 3] as string
      if (index % 4 === 0) return api.put(`/tasks/${task.id}`, { title: task.title, externalRefs: [ref(externalId)] })
      if (index % 4 === 1) return api.patch(`/tasks/${task.id}`, { externalRefs: [ref(externalId)] })
      if (index % 4 === 2)
        return api.post('/external-refs', { entityType: 'task', entityId: task.id, system: 'crm', externalId })
      const [row] = await rowsOf(externalId)
      return row && api.delete(`/external-refs/${row.id}`)
    }),
  )
  const listed = []
  for (const { id } of tasks)
    for (const { externalId } of (await api.get(`/tasks/${id}`)).body.externalRefs) listed.push(`${externalId} ${id}`)
  const rows = []
  for (const name of names)
    for (const { externalId, entityId } of await rowsOf(name)) rows.push(`${externalId} ${entityId}`)
  expect(listed.sort()).toEqual(rows.sort())
})
