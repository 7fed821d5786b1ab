// Limits hold for what a record becomes, however small the pieces are that it is made of; and what is told of a change
// does not repeat the record.
import { randomUUID } from 'node:crypto'
import { limits } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { eventsOf } from '../support/events.js'
import { expectRefusal } from '../support/every-endpoint.js'
import { type Answer, type Client, type Service, startService } from '../support/service.js'

let service: Service
let api: Client
let calls = 0
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

const KiB = 1_024
const filler = (bytes: number) => 'x'.repeat(bytes)
const refs = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ system: 'crm', externalId: `${from + index}` }))
const newCall = () => ({
  direction: 'inbound',
  from: `+1555011${String(++calls).padStart(4, '0')}`,
  to: '+15559999999',
})

function expectRefused(answer: Answer, path: string, code: string): void {
  expectRefusal(answer, 400, 'bad_request')
  expect(answer.body.error.details[0], answer.text.slice(0, 300)).toMatchObject({ path, code })
}

describe('a free-form object that grows by pieces', () => {
  test('six patches of 60 kB do not make 360 kB', async () => {
    const { body: person } = await api.post('/people', { displayName: 'Ann' })
    const answers: Answer[] = []
    for (let piece = 0; piece < 6; piece++)
      answers.push(await api.patch(`/people/${person.id}`, { customFields: { [`piece${piece}`]: filler(60_000) } }))
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400])
    expectRefused(answers[1] as Answer, 'customFields', 'size')
    expect((await api.get(`/people/${person.id}`)).body).toEqual(answers[0]?.body)
  })

  test('two hundred patches make no person of megabytes', async () => {
    const { body: person } = await api.post('/people', { displayName: 'Ben' })
    for (let round = 0; round < 10; round++) {
      const pieces = Array.from({ length: 20 }, (_, index) => ({
        customFields: { [`piece${round * 20 + index}`]: filler(45 * KiB) },
        externalRefs: refs(index, index + 1),
      }))
      await Promise.all(pieces.map((piece) => api.patch(`/people/${person.id}`, piece)))
    }
    expect((await api.get(`/people/${person.id}`)).text.length).toBeLessThan(limits.freeFormBytes + 8 * KiB)
  })

  test('its keys are counted together, at all levels', async () => {
    const keys = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [prefix + index, 1]))
    const { body: run } = await api.post('/workflow-runs', { workflowKey: 'intake', capturedFields: keys('a', 1_500) })
    expectRefused(
      await api.patch(`/workflow-runs/${run.id}`, { capturedFields: keys('b', 501) }),
      'capturedFields',
      'keys',
    )
    expectRefused(
      await api.patch(`/workflow-runs/${run.id}`, { capturedFields: { b: [keys('b', 500)] } }),
      'capturedFields',
      'keys',
    )
    expect((await api.patch(`/workflow-runs/${run.id}`, { capturedFields: { b: [keys('b', 499)] } })).status).toBe(200)
  })

  test('by whichever way it grows: a report on a call, an upsert, a creation that finds its record', async () => {
    const metadata = (key: string) => ({ [key]: filler(40 * KiB) })
    const { body: call } = await api.post('/calls', { ...newCall(), providerCallId: 'CA-1', metadata: metadata('a') })
    expectRefused(await api.patch(`/calls/${call.id}`, { metadata: metadata('b') }), 'metadata', 'size')
    expectRefused(
      await api.post('/calls', { ...newCall(), providerCallId: 'CA-1', metadata: metadata('b') }),
      'metadata',
      'size',
    )
    const someone = (key: string) => ({ primaryPhone: '+15550118000', customFields: metadata(key) })
    expect((await api.post('/people/upsert', someone('a'))).status).toBe(201)
    expectRefused(await api.post('/people/upsert', someone('b')), 'customFields', 'size')
    const work = (key: string) => ({
      canonicalKind: 'job',
      title: 'x',
      customerId: randomUUID(),
      externalRefs: refs(700, 701),
      structuredFieldsJson: metadata(key),
    })
    expect((await api.post('/work-records', work('a'))).status).toBe(201)
    expectRefused(await api.post('/work-records', { ...work('b') }), 'structuredFieldsJson', 'size')
  })

  test('by the promotion of a fact, which then stays what it was', async () => {
    const { body: person } = await api.post('/people', { displayName: 'Cyd', customFields: { a: filler(60 * KiB) } })
    const { body: fact } = await api.post('/facts', {
      subjectType: 'person',
      subjectId: person.id,
      key: 'story',
      value: filler(10 * KiB),
      status: 'confirmed',
    })
    expectRefused(await api.post(`/facts/${fact.id}/promote`), 'customFields', 'size')
    expect((await api.get(`/facts/${fact.id}`)).body).toEqual(fact)
    expect((await api.get(`/field-values?entityId=${person.id}`)).body.data).toEqual([])
  })

  test('by the payload that comes with an approval, of which then nothing happens', async () => {
    const { body: call } = await api.post('/calls', newCall())
    const { body: draft } = await api.post('/drafts', {
      callSessionId: call.id,
      title: 'x',
      customerId: randomUUID(),
      payload: { a: filler(40 * KiB) },
    })
    await api.post(`/calls/${call.id}/end`, {})
    expectRefused(
      await api.post(`/drafts/${draft.id}/approve`, { payload: { b: filler(40 * KiB) } }),
      'payload',
      'size',
    )
    expect((await api.get(`/drafts/${draft.id}`)).body).toMatchObject({ status: 'pending_review', workRecordId: null })
  })
})

describe('external references', () => {
  test('are at most twenty, by whichever way they come; a known one may still be said again', async () => {
    const { body: task } = await api.post('/tasks', { title: 'x', externalRefs: refs(0, 20) })
    expectRefused(await api.patch(`/tasks/${task.id}`, { externalRefs: refs(20, 21) }), 'externalRefs', 'maxItems')
    expectRefused(await api.post('/tasks', { title: 'x', externalRefs: refs(19, 21) }), 'externalRefs', 'maxItems')
    expectRefused(
      await api.post('/external-refs', { entityType: 'task', entityId: task.id, system: 'erp', externalId: '1' }),
      'externalRefs',
      'maxItems',
    )
    const again = await api.patch(`/tasks/${task.id}`, {
      externalRefs: [{ system: 'crm', externalId: '3', url: 'https://example.com/3' }],
    })
    expect(again.body.externalRefs).toHaveLength(20)
    expect(again.body.externalRefs[3].url).toBe('https://example.com/3')
    expect((await api.get('/external-refs?system=erp')).body.data).toEqual([])
  })

  test('a list in place of another is judged by itself', async () => {
    const { body: task } = await api.post('/tasks', { title: 'x', externalRefs: refs(100, 120) })
    expect(
      (await api.put(`/tasks/${task.id}`, { title: 'x', externalRefs: refs(120, 140) })).body.externalRefs,
    ).toHaveLength(20)
  })
})

describe('what is told of a change', () => {
  const sizesOf = async (id: string) => {
    const [row] = await service.database.query<{ history: number; entries: number; events: number }>(
      sql`select (select coalesce(sum(octet_length(record::text)), 0) from field_history_entries where entity_id = ${id})::int as history,
        (select count(*) from field_history_entries where entity_id = ${id})::int as entries,
        (select coalesce(max(octet_length(body)), 0) from events where subject_id = ${id})::int as events`,
    )
    return row as { history: number; entries: number; events: number }
  }

  test('a large record that is changed often is not repeated in its history', async () => {
    const large = { text: filler(55 * KiB), count: 0 }
    const { body: work } = await api.post('/work-records', {
      canonicalKind: 'job',
      title: 'x',
      customerId: randomUUID(),
      structuredFieldsJson: large,
    })
    for (let count = 1; count <= 30; count++)
      await api.patch(`/work-records/${work.id}`, { structuredFieldsJson: { count } })
    const { history, entries, events } = await sizesOf(work.id)
    expect(entries).toBe(31)
    expect(history).toBeLessThan(entries * KiB)
    expect(events).toBeLessThan(limits.freeFormBytes)
    const [last] = (await api.get(`/field-history-entries?entityId=${work.id}&limit=1`)).body.data
    const $omitted = { bytes: expect.any(Number) }
    expect(last).toMatchObject({
      field: 'structuredFieldsJson',
      previousValue: { count: 29, $omitted },
      newValue: { count: 30, $omitted },
    })
    expect(last.newValue).not.toHaveProperty('text')
    const told = (await eventsOf(service, api)).filter(
      ({ type, data }) => type === 'work_record.updated' && data.workRecordId === work.id,
    )
    expect(told.at(-1)?.data.changes).toEqual({ structuredFieldsJson: { from: last.previousValue, to: last.newValue } })
    expect(told.at(-1)?.data.workRecord.structuredFieldsJson).toEqual({ ...large, count: 30 })
    expect((await api.get('/events?limit=100')).status).toBe(200)
  })

  test('a long text is told by its beginning, and what is small is told whole', async () => {
    const { body: work } = await api.post('/work-records', {
      canonicalKind: 'job',
      title: 'x',
      customerId: randomUUID(),
      description: 'Short',
    })
    await api.patch(`/work-records/${work.id}`, { description: `Long ${filler(19_000)}` })
    const [entry] = (await api.get(`/field-history-entries?entityId=${work.id}&limit=1`)).body.data
    expect(entry.previousValue).toBe('Short')
    expect(entry.newValue).toEqual({ $omitted: { bytes: 19_007 }, start: `Long ${filler(250)}` })
  })

  test('a value that is new and large as a whole is only measured', async () => {
    const { body: person } = await api.post('/people', { displayName: 'Dan' })
    await api.patch(`/people/${person.id}`, { customFields: { text: filler(50 * KiB) } })
    const [entry] = (await api.get(`/field-history-entries?entityId=${person.id}&limit=1`)).body.data
    expect(entry).toMatchObject({
      field: 'customFields',
      previousValue: {},
      newValue: { $omitted: { bytes: 50 * KiB + 11 } },
    })
  })
})
