// `q` works on every list, with the same rules of words: also on those that are no entities.
import { beforeParameter, fromParameter } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raw, sql } from '../../../src/database/sql.js'
import { scannedRowsMax } from '../../../src/resources/generic/scan.js'
import { endpoints } from '../../../src/resources/index.js'
import { runBatchJobs } from '../../support/batch-jobs.js'
import { tenantOf, untilShown } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const side = async (): Promise<Client> => (await service.organization('Lists')).sandbox
const idsOf = async (api: Client, path: string) => {
  const { status, body } = await api.get(path)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.map(({ id, eventId }: any) => eventId ?? id)
}

test('every list that has pages takes q', () => {
  // A timeline is of many kinds of records; what finds by words among them all is /search.
  const lists = endpoints.filter(({ path, query }) => query?.['cursor'] !== undefined && !path.endsWith('/timeline'))
  expect(lists.length).toBeGreaterThan(30)
  expect(lists.filter(({ query }) => query?.['q'] === undefined).map(({ path }) => path)).toEqual([])
})

test('/schema names every filter of a list, `source` of voicemails too', async () => {
  const { body } = await service.api.get('/schema')
  const common = ['limit', 'cursor', 'count', 'sort', 'q', 'createdSince', 'createdBefore', 'updatedSince']
  for (const { slug, filterFields, rangeFields } of body.entities) {
    const list = endpoints.find(({ method, path }) => method === 'GET' && path === `/${slug}`)
    const spans = rangeFields.flatMap((field: string) => [fromParameter(field), beforeParameter(field)])
    const own = Object.keys(list?.query ?? {}).filter((name) => ![...common, ...spans].includes(name))
    expect([slug, filterFields.toSorted()]).toEqual([slug, own.toSorted()])
  }
  expect(body.entities.find(({ slug }: any) => slug === 'voicemails').filterFields).toContain('source')
})

test('webhooks are found by name, URL and description, by page, and only those of the caller', async () => {
  const api = await side()
  const ids: string[] = []
  for (const name of ['Zapier CRM', 'Bücher', 'Zapier ERP'])
    ids.push(
      (
        await api.post('/webhooks', {
          url: `https://${name.slice(-3).toLowerCase().replace('her', 'books')}.example.com/hooks`,
          name,
          description: 'Night shift',
        })
      ).body.id,
    )
  await (await side()).post('/webhooks', { url: 'https://crm.example.com/', name: 'Zapier CRM' })
  const [crm, books, erp] = ids
  expect(await idsOf(api, '/webhooks?q=ZAP')).toEqual([erp, crm])
  expect(await idsOf(api, '/webhooks?q=bucher')).toEqual([books])
  expect(await idsOf(api, '/webhooks?q=crm.example%20night')).toEqual([crm])
  expect(await idsOf(api, '/webhooks?q=%20')).toHaveLength(3)
  expect(await idsOf(api, '/webhooks?q=!')).toEqual([])
  const first = (await api.get('/webhooks?q=zap&limit=1')).body
  expect(await idsOf(api, `/webhooks?q=zap&limit=1&cursor=${first.pagination.nextCursor}`)).toEqual([crm])
  await api.patch(`/webhooks/${crm}`, { name: 'Hub' })
  expect([await idsOf(api, '/webhooks?q=zap'), await idsOf(api, '/webhooks?q=hub')]).toEqual([[erp], [crm]])
  await api.delete(`/webhooks/${erp}`)
  expect([await idsOf(api, '/webhooks?q=zap'), await idsOf(api, '/webhooks?q=zap&includeRevoked=true')]).toEqual([
    [],
    [erp],
  ])
})

test('events are found by type, id, and what their record was found by then', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', {
    firstName: 'Zoë',
    lastName: 'Quill',
    primaryPhone: '+15550100277',
  })
  await api.post('/tasks', { title: 'Ring Quill back', description: `${'word '.repeat(200)}beyond` })
  const { body: customer } = await api.post('/customers', { displayName: 'Bakery' })
  await api.post('/work-records', { title: 'Sink', kind: 'JOB', personId: person.id, customerId: customer.id })
  await untilShown(service, api)
  const types = async (query: string) => (await api.get(`/events?${query}`)).body.data.map(({ type }: any) => type)
  expect(await types('q=quill')).toEqual(['work_record.created', 'task.created', 'person.created'])
  expect(await types('q=zoe%20person.created')).toEqual(['person.created'])
  expect(await types('q=0277')).toEqual(['person.created'])
  expect(await types('q=task')).toEqual(['task.created'])
  expect(await types('q=beyond')).toEqual([])
  expect(await types('q=%3F')).toEqual([])
  expect(await types('q=quill&type=task.created')).toEqual(['task.created'])
  const all = (await api.get('/events')).body.data
  expect(await idsOf(api, `/events?q=${all[0].eventId.toLowerCase()}`)).toEqual([all[0].eventId])
  const page = (await api.get('/events?q=quill&limit=2')).body
  expect(await types(`q=quill&limit=2&cursor=${page.pagination.nextCursor}`)).toEqual(['person.created'])
  expect(await types(`q=quill&after=${all.at(-1).eventId}`)).toEqual(['task.created', 'work_record.created'])
  expect((await (await side()).get('/events?q=quill')).body.data).toEqual([])
})

test('deletions are found by type, id and what the record was found by', async () => {
  const api = await side()
  const { body: person } = await api.post('/people', { displayName: 'Ångström' })
  const { body: note } = await api.post('/notes', {
    body: 'Call Ångström',
    subjectType: 'person',
    subjectId: person.id,
  })
  const { body: work } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', personId: person.id })
  for (const path of [`/notes/${note.id}`, `/work-records/${work.id}`, `/people/${person.id}`])
    expect((await api.delete(path)).status).toBe(204)
  expect(await idsOf(api, '/deleted-records?q=angstrom')).toEqual([person.id, work.id, note.id])
  expect(await idsOf(api, '/deleted-records?q=work_record')).toEqual([work.id])
  expect(await idsOf(api, `/deleted-records?q=${note.id}`)).toEqual([note.id])
  const first = (await api.get('/deleted-records?q=angstrom&limit=1')).body
  expect(await idsOf(api, `/deleted-records?q=angstrom&limit=5&cursor=${first.pagination.nextCursor}`)).toEqual([
    work.id,
    note.id,
  ])
  expect((await (await side()).get('/deleted-records?q=angstrom')).body.data).toEqual([])
})

test('keys are found by name, scope, prefix and last characters', async () => {
  const api = await side()
  const { body: night } = await api.post('/api-keys', { name: 'Nächtlicher Export', scope: 'READ' })
  const { body: day } = await api.post('/api-keys', { name: 'Day export', scope: 'WRITE' })
  expect(await idsOf(api, '/api-keys?q=nacht')).toEqual([night.id])
  expect(await idsOf(api, '/api-keys?q=export')).toEqual([day.id, night.id])
  expect(await idsOf(api, '/api-keys?q=export%20read')).toEqual([night.id])
  expect(await idsOf(api, `/api-keys?q=export%20${day.last4}`)).toContain(day.id)
  expect(await idsOf(api, '/api-keys?q=-')).toEqual([])
  const first = (await api.get('/api-keys?q=export&limit=1')).body
  expect(await idsOf(api, `/api-keys?q=export&limit=1&cursor=${first.pagination.nextCursor}`)).toEqual([night.id])
})

describe('deliveries', () => {
  test('are found by event type, event id, status, error and response status, with what is expanded', async () => {
    const api = await side()
    const { body: hook } = await api.post('/webhooks', { url: 'https://example.com/hooks' })
    await api.post('/tasks', { title: 'One' })
    await api.post('/people', { displayName: 'Two' })
    const path = `/webhooks/${hook.id}/deliveries`
    const [ofPerson, ofTask] = (await api.get(path)).body.data
    await service.database.query(
      sql`update webhook_deliveries set status = 'DEAD_LETTERED', last_error = 'http_503', last_response_status = 503 where id = ${ofTask.id}`,
    )
    const ids = async (query: string) => (await api.get(`${path}?${query}`)).body.data.map(({ id }: any) => id)
    expect(await ids('q=created')).toEqual([ofPerson.id, ofTask.id])
    expect(await ids('q=task.cr')).toEqual([ofTask.id])
    expect(await ids('q=dead%20503')).toEqual([ofTask.id])
    expect(await ids('q=pending')).toEqual([ofPerson.id])
    expect(await ids(`q=${ofPerson.eventId}`)).toEqual([ofPerson.id])
    expect(await ids('q=created&status=DEAD_LETTERED')).toEqual([ofTask.id])
    const { body: expanded } = await api.get(`${path}?q=task&expand=payload`)
    expect(expanded.data[0].payload.data.task.title).toBe('One')
    const first = (await api.get(`${path}?q=created&limit=1`)).body
    expect(await ids(`q=created&limit=1&cursor=${first.pagination.nextCursor}`)).toEqual([ofTask.id])
  })

  test('are looked through up to a bound, and the cursor goes on from there', async () => {
    const api = await side()
    const { body: hook } = await api.post('/webhooks', { url: 'https://example.com/hooks' })
    await api.post('/people', { displayName: 'Oldest' })
    const path = `/webhooks/${hook.id}/deliveries`
    const oldest = (await api.get(path)).body.data[0]
    await service.database.query(sql`insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, created_at)
      select ${await tenantOf(service, api)}::uuid, uuid_v7(now() + n * interval '1 ms'), ${hook.id}::uuid, 'E' || n, 'task.created', now()
      from generate_series(1, ${scannedRowsMax}) n`)
    const { body: first } = await api.get(`${path}?q=person&count=true`)
    expect([first.data, typeof first.pagination.nextCursor]).toEqual([[], 'string'])
    expect(first.pagination).toMatchObject({ count: 0, countIsExact: false })
    expect((await api.get(`${path}?q=task&count=true&limit=1`)).body.pagination).toMatchObject({
      count: scannedRowsMax,
      countIsExact: false,
    })
    const { body: second } = await api.get(`${path}?q=person&cursor=${first.pagination.nextCursor}`)
    expect([second.data.map(({ id }: any) => id), second.pagination.nextCursor]).toEqual([[oldest.id], null])
  })
})

test('count tells how many hold the words, on lists of every kind', async () => {
  const api = await side()
  const { body: hook } = await api.post('/webhooks', { url: 'https://example.com/hooks', name: 'Quill hub' })
  for (const lastName of ['Quill', 'Quill', 'Other']) await api.post('/people', { firstName: 'Zoë', lastName })
  const { data: made } = (await api.get('/people?q=quill')).body
  for (const { id } of made) await api.delete(`/people/${id}`)
  await api.post('/api-keys', { name: 'Quill', scope: 'READ' })
  await api.post('/phone-numbers', { e164: '+15550100299', label: 'Quill' })
  await untilShown(service, api)
  const counted = async (path: string) => {
    const { count, countIsExact } = (await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=1&count=true`)).body
      .pagination
    return [path, count, countIsExact]
  }
  const expected: [string, number][] = [
    ['/webhooks?q=quill', 1],
    ['/events?q=quill', 2],
    ['/events?q=quill&sort=occurredAt', 2],
    ['/events?q=quill&sort=-occurredAt', 2],
    ['/events?q=zoe', 3],
    ['/events?q=!', 0],
    ['/deleted-records?q=quill', 2],
    ['/deleted-records?q=!', 0],
    ['/deleted-records', 2],
    ['/api-keys?q=quill', 1],
    ['/api-keys?q=!', 0],
    ['/phone-numbers?q=quill', 1],
    ['/phone-numbers', 1],
    [`/webhooks/${hook.id}/deliveries?q=person.created`, 3],
  ]
  for (const [path, count] of expected) expect(await counted(path)).toEqual([path, count, true])
})

test('found events can be sorted by time, either way, page by page', async () => {
  const api = await side()
  for (const title of ['Quill 1', 'Other', 'Quill 2', 'Quill 3']) await api.post('/tasks', { title })
  await untilShown(service, api)
  const pages = async (sort: string) => {
    const titles: string[] = []
    for (let cursor = ''; ; ) {
      const { data, pagination } = (await api.get(`/events?q=quill&limit=2&sort=${sort}${cursor}`)).body
      titles.push(...data.map((event: any) => event.data.task.title))
      if (pagination.nextCursor === null) return titles
      cursor = `&cursor=${pagination.nextCursor}`
    }
  }
  expect(await pages('occurredAt')).toEqual(['Quill 1', 'Quill 2', 'Quill 3'])
  expect(await pages('-occurredAt')).toEqual(['Quill 3', 'Quill 2', 'Quill 1'])
})

test('what was logged before the upgrade is found by type and id once the upgrade has come to it', async () => {
  const api = await side()
  const tenantId = await tenantOf(service, api)
  const { body: note } = await api.post('/tasks', { title: 'Sink' })
  await api.delete(`/tasks/${note.id}`)
  await untilShown(service, api)
  const { eventId } = (await api.get('/events')).body.data[0]
  const copy = (table: string, columns: string, id: string) =>
    sql`insert into ${raw(table)} (tenant_id, id, ${raw(columns)}) select tenant_id, ${raw(id)}, ${raw(columns)} from ${raw(table)} where tenant_id = ${tenantId}`
  await service.database.query(copy('events', 'type, opt_in, occurred_at, subject_id, body', `replace(id, '0', '1')`))
  await service.database.query(copy('deleted_records', 'entity_type, record_id, deleted_at, record', 'uuid_v7(now())'))
  for (const table of ['events', 'deleted_records'])
    await service.database.query(sql`update ${raw(table)} set search = '' where tenant_id = ${tenantId}`)
  expect(await idsOf(api, '/events?q=task')).toEqual([])
  expect(await runBatchJobs(service.database, '0108_')).toBe(2)
  await untilShown(service, api)
  expect(await idsOf(api, `/events?q=${eventId.toLowerCase()}%20task`)).toEqual([eventId])
  expect(await idsOf(api, `/deleted-records?q=task%20${note.id}`)).toEqual([note.id, note.id])
})
