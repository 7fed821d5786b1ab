// Many writers at once: every change that is answered is made, none is lost, none is made twice, and versions have no
// gaps.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { nobodysId } from '../support/endpoint-requests.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { type Answer, type Client, clientOf, type Service, startService } from '../support/service.js'

const CROWD = 50

let service: Service
let api: Client
/** The same key on another node, so that queues inside one process cannot be what saves us. */
let elsewhere: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
  elsewhere = clientOf((await service.node()).url, api.key)
})
afterAll(() => service.stop())

const crowd = (send: (client: Client, index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: CROWD }, (_, index) => send(index % 2 ? elsewhere : api, index)))
const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('50 PATCHes of one record at once', () => {
  test('without If-Match are all applied, with versions without gaps', async () => {
    const { body } = await api.post('/companies', { name: 'Crowded' })
    const answers = await crowd((client, index) =>
      client.patch(`/companies/${body.id}`, { customFields: { [`writer${index}`]: index } }),
    )
    expect(countOf(answers, 200)).toBe(CROWD)
    expect(answers.map((answer) => answer.body.version).sort((a, b) => a - b)).toEqual(
      upTo(CROWD).map((number) => number + 1),
    )
    const { body: after } = await api.get(`/companies/${body.id}`)
    expect(after.version).toBe(CROWD + 1)
    expect(Object.values(after.customFields).sort((a, b) => Number(a) - Number(b))).toEqual(
      upTo(CROWD).map((number) => number - 1),
    )
    for (const answer of answers) expect(Object.keys(answer.body.customFields)).toHaveLength(answer.body.version - 1)
    const history = await api.get(`/field-history-entries?entityId=${body.id}&limit=100`)
    expect(history.body.data).toHaveLength(CROWD + 1)
  })

  test('with If-Match apply one and refuse 49', async () => {
    const { body } = await api.post('/tasks', { title: 'Contested' })
    const answers = await crowd((client, index) =>
      client.patch(`/tasks/${body.id}`, { title: `By ${index}` }, { 'if-match': '"1"' }),
    )
    expect([countOf(answers, 200), countOf(answers, 409)]).toEqual([1, CROWD - 1])
    const winner = answers.find(({ status }) => status === 200)
    expect((await api.get(`/tasks/${body.id}`)).text).toBe(winner?.text)
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expectRefusal(answer, 409, 'conflict')
      expect(answer.body.error.details.reason).toBe('version')
    }
  })
})

test('50 deletions of one record at once: one is made, 49 find nothing, one is told', async () => {
  const { body } = await api.post('/tasks', { title: 'Doomed' })
  const answers = await crowd((client) => client.delete(`/tasks/${body.id}`))
  expect([countOf(answers, 204), countOf(answers, 404)]).toEqual([1, CROWD - 1])
  const told = (await api.get('/deleted-records')).body.data.filter(({ id }: { id: string }) => id === body.id)
  expect(told).toHaveLength(1)
})

test('changes that race with a deletion end as it: changed before, or absent', async () => {
  const { body } = await api.post('/tasks', { title: 'Contested end' })
  const answers = await crowd((client, index) =>
    index === 25 ? client.delete(`/tasks/${body.id}`) : client.patch(`/tasks/${body.id}`, { title: `By ${index}` }),
  )
  expect(countOf(answers, 204)).toBe(1)
  expect(countOf(answers, 200) + countOf(answers, 404)).toBe(CROWD - 1)
  expectRefusal(await api.get(`/tasks/${body.id}`), 404, 'not_found')
})

test('50 creations with one unique value at once make one record, and the others learn which', async () => {
  const answers = await crowd((client, index) =>
    client.post('/customers', { displayName: `By ${index}`, customerNumber: 'C-000001' }),
  )
  expect([countOf(answers, 201), countOf(answers, 409)]).toEqual([1, CROWD - 1])
  const id = answers.find(({ status }) => status === 201)?.body.id
  for (const answer of answers.filter(({ status }) => status === 409))
    expect(answer.body.error.details).toMatchObject({ reason: 'unique', existingId: id })
  expect((await api.get('/customers?customerNumber=C-000001')).body.data).toHaveLength(1)
})

test('50 settings of one field value at once leave one row that holds the last of them', async () => {
  const answers = await crowd((client, index) =>
    client.post('/field-values', { entityType: 'task', entityId: nobodysId, key: 'color', value: index }),
  )
  expect([countOf(answers, 201), countOf(answers, 200)]).toEqual([1, CROWD - 1])
  const { data } = (await api.get(`/field-values?entityId=${nobodysId}&key=color`)).body
  expect(data).toHaveLength(1)
  const last = answers.reduce((best, answer) => (answer.body.version > best.body.version ? answer : best))
  expect(data[0]).toEqual(last.body)
})

test('changes that each write several rows do not wait for each other in a circle', async () => {
  const tasks = await Promise.all(['a', 'b'].map(async (title) => (await api.post('/tasks', { title })).body))
  const refs = (first: number) =>
    [0, 1, 2].map((offset) => ({ system: 'ring', externalId: String((first + offset) % 3) }))
  const answers = await crowd((client, index) =>
    index % 5 === 0
      ? client.put(`/tasks/${tasks[index % 2].id}`, { title: 'x' })
      : client.put(`/tasks/${tasks[index % 2].id}`, { title: 'x', externalRefs: refs(index) }),
  )
  expect(
    answers.filter(({ status }) => ![200, 409].includes(status)).map(({ status, text }) => `${status} ${text}`),
  ).toEqual([])
})

test('settings of a side changed at once are all kept', async () => {
  const changes = [
    { timezone: 'Europe/Berlin' },
    { currency: 'EUR' },
    { signalFireThreshold: 0.5 },
    { webhookWritesNeedAdmin: true },
    { factAutoConfirmThreshold: 0.9 },
  ]
  const answers = await Promise.all(
    changes.map((settings, index) => (index % 2 ? elsewhere : api).patch('/organization', { settings })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await api.get('/organization')).body.settings).toMatchObject(Object.assign({}, ...changes))
})

test('every record that was made has exactly one event, and no event is without its record', async () => {
  const { sandbox, live } = await service.organization('Counted')
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const ref = index % 3 === 0 ? { externalRefs: [{ system: 's', externalId: String(index % 9) }] } : {}
      return (index % 2 ? sandbox : live).post('/tasks', { title: index % 10 === 7 ? '' : `Task ${index}`, ...ref })
    }),
  )
  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
  expect(countOf(answers, 400)).toBe(6)
  const rows = await service.database.query<{ task: string | null; event: string | null }>(sql`
    select t.id as task, e.subject_id as event from tasks t full join events e on e.tenant_id = t.tenant_id and e.subject_id = t.id and e.type = 'task.created'
    where coalesce(t.tenant_id, e.tenant_id) in (select tenant_id from tasks where id = any (${made}::uuid[]))`)
  expect(rows.map(({ task }) => task).sort()).toEqual([...made].sort())
  expect(rows.filter(({ task, event }) => task !== event)).toEqual([])
})
