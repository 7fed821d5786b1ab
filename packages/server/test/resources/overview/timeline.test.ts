// Timelines: everything about a person, a customer or a unit of work, by when it happened.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { type Answer, type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

interface Item {
  readonly type: string
  readonly id: string
  readonly at: string
  readonly record: { id: string }
}

const make = async (path: string, body: object): Promise<any> => {
  const answer = await api.post(path, body)
  expect([200, 201], answer.text).toContain(answer.status)
  return answer.body
}

async function story() {
  const customer = await make('/customers', { displayName: 'Lopez' })
  const person = await make('/people', {
    displayName: 'Maria',
    primaryPhone: `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`,
    customerId: customer.id,
  })
  const work = await make('/work-records', {
    title: 'Leak',
    canonicalKind: 'job',
    customerId: customer.id,
    primaryPersonId: person.id,
  })
  const call = await make('/calls', {
    direction: 'inbound',
    from: person.primaryPhone,
    to: '+15550100100',
    startedAt: '2026-01-05T09:00:00Z',
    personId: person.id,
  })
  await api.patch(`/calls/${call.id}`, { customerId: customer.id, workRecordId: work.id })
  const text = await make('/sms/inbound', {
    from: person.primaryPhone,
    to: '+15550100100',
    body: 'Still leaking',
    sentAt: '2026-01-06T09:00:00Z',
  })
  const voicemail = await make('/voicemails', { callerNumber: person.primaryPhone, transcript: 'Call me' })
  const note = await make('/notes', { body: 'Dog', subjectType: 'person', subjectId: person.id })
  const task = await make('/tasks', {
    title: 'Ring',
    personId: person.id,
    customerId: customer.id,
    workRecordId: work.id,
  })
  const appointment = await make('/appointments', {
    title: 'Visit',
    startAt: '2026-01-07T09:00:00Z',
    personId: person.id,
    customerId: customer.id,
    workRecordId: work.id,
  })
  const fact = await make('/facts', {
    subjectType: 'person',
    subjectId: person.id,
    key: 'gate_code',
    value: '1234',
    observedAt: '2026-01-04T09:00:00Z',
  })
  const draft = await make('/drafts', { callSessionId: call.id, title: 'Fix', personId: person.id })
  return { customer, person, work, call, text, voicemail, note, task, appointment, fact, draft }
}

const idsOf = (items: readonly Item[]) => items.map(({ type, id }) => `${type} ${id}`)

test('of a person has everything once, by when it happened, each record as its own endpoint shows it', async () => {
  const all = await story()
  const { body } = await api.get(`/people/${all.person.id}/timeline`)
  const data: Item[] = body.data
  const ats = data.map(({ at }) => at)
  expect(ats).toEqual([...ats].sort().reverse())
  expect(new Set(idsOf(data))).toEqual(
    new Set([
      `call ${all.call.id}`,
      `sms ${all.text.id}`,
      `voicemail ${all.voicemail.id}`,
      `note ${all.note.id}`,
      `task ${all.task.id}`,
      `appointment ${all.appointment.id}`,
      `fact ${all.fact.id}`,
      `draft ${all.draft.id}`,
      `work_record ${all.work.id}`,
    ]),
  )
  // What happened long before it was written down comes last, in its own order.
  expect(data.slice(-4).map(({ type, at }) => `${type} ${at}`)).toEqual([
    'appointment 2026-01-07T09:00:00.000Z',
    'sms 2026-01-06T09:00:00.000Z',
    'call 2026-01-05T09:00:00.000Z',
    'fact 2026-01-04T09:00:00.000Z',
  ])
  for (const { type, id, record } of data.filter(({ type }) => type !== 'voicemail')) {
    const path = type === 'sms' ? 'sms' : type === 'work_record' ? 'work-records' : `${type}s`
    expect(record, type).toEqual((await api.get(`/${path}/${id}`)).body)
  }
})

test('of a customer and of a unit of work has what is about them; a customer also what its people wrote', async () => {
  const all = await story()
  const ofCustomer = (await api.get(`/customers/${all.customer.id}/timeline`)).body.data
  expect(new Set(idsOf(ofCustomer))).toEqual(
    new Set([
      `call ${all.call.id}`,
      `sms ${all.text.id}`,
      `voicemail ${all.voicemail.id}`,
      `task ${all.task.id}`,
      `appointment ${all.appointment.id}`,
      `work_record ${all.work.id}`,
    ]),
  )
  const ofWork = (await api.get(`/work-records/${all.work.id}/timeline`)).body.data
  expect(new Set(idsOf(ofWork))).toEqual(
    new Set([`call ${all.call.id}`, `task ${all.task.id}`, `appointment ${all.appointment.id}`]),
  )
})

test('comes in pages that neither skip nor repeat, with only the types that are asked for', async () => {
  const { person } = await story()
  for (let count = 0; count < 5; count++)
    await make('/notes', { body: `Note ${count}`, subjectType: 'person', subjectId: person.id })
  const whole = idsOf((await api.get(`/people/${person.id}/timeline`)).body.data)
  expect(whole).toHaveLength(14)
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await api.get(`/people/${person.id}/timeline?limit=3${cursor && `&cursor=${cursor}`}`)
    paged.push(...idsOf(body.data))
    cursor = body.pagination.nextCursor
  }
  expect(paged).toEqual(whole)
  const some = (await api.get(`/people/${person.id}/timeline?types=note,fact`)).body.data
  expect(some.map(({ type }: Item) => type)).toEqual([...Array(6).fill('note'), 'fact'])
  expectRefusal(await api.get(`/people/${person.id}/timeline?types=dog`), 400, 'bad_request')
})

test('leaves out what was deleted, and is absent for a subject that is', async () => {
  const { person, note } = await story()
  await api.delete(`/notes/${note.id}`)
  const { data } = (await api.get(`/people/${person.id}/timeline`)).body
  expect(idsOf(data)).not.toContain(`note ${note.id}`)
  await api.delete(`/people/${person.id}`)
  expectRefusal(await api.get(`/people/${person.id}/timeline`), 404, 'not_found')
})

test('reads the calls of someone who calls all day from the index of their times', async () => {
  const { rows } = await service.database.withClient(async (client) => {
    await client.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off')
    return client.query(`explain select id from calls where tenant_id = '01890a5d-ac96-774b-bcce-b302099a8057'
      and person_id = '01890a5d-ac96-774b-bcce-b302099a8057'::uuid and (started_at, id) < (now(), '01890a5d-ac96-774b-bcce-b302099a8057')
      order by started_at desc, id desc limit 51`)
  })
  const plan = JSON.stringify(rows)
  expect(plan).toContain('calls_person_started')
  expect(plan).not.toContain('Sort')
  const [row] = await service.database.query(
    sql`select id_time('01890a5d-ac96-774b-bcce-b302099a8057') as at, first_id_after('2026-01-01T00:00:00.001Z') as id`,
  )
  expect(row).toEqual({
    at: new Date(Number.parseInt('01890a5dac96', 16)),
    id: `${Date.parse('2026-01-01T00:00:00.002Z')
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-0000-0000-000000000000`,
  })
})
