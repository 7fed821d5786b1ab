// Imports: files of rows become records once, whatever they are and whoever is in the way.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { createStreams } from '../../../src/http/sse.js'
import { folderBlobs } from '../../../src/recordings/folder-blobs.js'
import { sweepImports } from '../../../src/resources/imports/sweep-imports.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

const FILE_BYTES = 300_000

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_IMPORT_FILE_BYTES: String(FILE_BYTES) })
})
afterAll(() => service.stop())

const put = async (api: Client, id: string, content: string | Buffer, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/api/v1/imports/${id}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/octet-stream', ...headers },
    body: content,
  })
  return { status: response.status, body: (await response.json()) as any }
}

const ended = (api: Client, id: string) =>
  until(
    async () => (await api.get(`/imports/${id}`)).body,
    ({ status }: any) => ['completed', 'failed', 'canceled'].includes(status),
  )

async function imported(api: Client, asked: object, content: string | Buffer): Promise<any> {
  const { body, status } = await api.post('/imports', { entity: 'people', format: 'csv', ...asked })
  expect([status, body.status]).toEqual([201, 'awaiting_file'])
  expect((await put(api, body.id, content)).status).toBe(202)
  return ended(api, body.id)
}

const peopleOf = async (api: Client): Promise<any[]> => (await api.get('/people?limit=100&sort=createdAt')).body.data

test('a file of people: mapped, matched, blank rows skipped, what is refused given back', async () => {
  const { sandbox: api } = await service.organization('Whole')
  await api.post('/people', { firstName: 'Old', externalRefs: [{ system: 'crm', externalId: '1' }] })
  const file = [
    'Id,First,Phone,Tier,Notes',
    '1,"Ada, the first",(202) 555-0101,gold,x',
    ',,,,',
    '2,"Grace ""G""",+442071838750,silver,y',
    '3,Wrong,12,gold,z',
    '4,Short row',
    '',
    '5,Alan,,gold,',
  ].join('\r\n')
  const mapping = {
    Id: 'externalRefs.crm',
    First: 'firstName',
    Phone: 'primaryPhone',
    Tier: 'customFields.tier',
    Notes: null,
  }
  const job = await imported(api, { mapping, defaultCountry: 'US' }, file)
  expect(job).toMatchObject({ status: 'completed', rows: 7, done: 7, created: 2, updated: 1, skipped: 2, failed: 2 })
  expect((await peopleOf(api)).map(({ firstName, primaryPhone }) => [firstName, primaryPhone])).toEqual([
    ['Ada, the first', '+12025550101'],
    ['Grace "G"', '+442071838750'],
    ['Alan', null],
  ])
  const errors = await api.get(`/imports/${job.id}/errors`)
  expect(errors.headers.get('content-type')).toContain('text/csv')
  const [head, first, second] = errors.text.split('\r\n')
  expect(head).toBe('Id,First,Phone,Tier,Notes,reason')
  expect(first).toMatch(/^3,Wrong,12,gold,z,"?primaryPhone must be a phone number/)
  expect(second).toBe('4,Short row,,,,"has 2 cells, but there are 5 columns"')
  const created = (await eventsOf(service, api)).filter(({ type }) => type === 'person.created')
  expect(created).toHaveLength(3)
  const listed = (await api.get('/imports?q=people&count=true')).body
  expect([listed.data[0].id, listed.pagination.count]).toEqual([job.id, 1])
  const left = await service.database.query(sql`select 1 from import_parts where import_id = ${job.id}`)
  await until(
    async () => service.database.query(sql`select 1 from import_parts where import_id = ${job.id}`),
    (rows) => rows.length === 0,
  )
  expect(left.length).toBeLessThanOrEqual(1)
})

test('again it makes nobody twice: by reference, by number, by address, and in a dry run not at all', async () => {
  const { sandbox: api } = await service.organization('Again')
  const rows = [
    { firstName: 'Ada', primaryPhone: '+12025550101', crm: 'a', color: 'red' },
    { firstName: 'Grace', primaryEmail: 'grace@example.com', crm: 'g' },
  ]
  const file = rows.map((row) => JSON.stringify(row)).join('\n')
  const asked = { format: 'ndjson', mapping: { crm: 'externalRefs.crm', color: 'customFields.color' } }
  const dry = await imported(api, { ...asked, dryRun: true }, file)
  expect(dry).toMatchObject({ status: 'completed', created: 2, updated: 0, dryRun: true })
  expect(await peopleOf(api)).toEqual([])
  expect(await imported(api, asked, file)).toMatchObject({ created: 2, updated: 0 })
  expect(await imported(api, asked, file)).toMatchObject({ created: 0, updated: 2 })
  const numbers = 'lastName,primaryPhone,primaryEmail\nLovelace,+12025550101,\nHopper,,grace@example.com\n'
  expect(await imported(api, { matchBy: 'phone' }, numbers)).toMatchObject({ created: 0, updated: 2 })
  expect((await peopleOf(api)).map(({ displayName }) => displayName)).toEqual(['Ada Lovelace', 'Grace Hopper'])
})

test('rows of one file that mean the same record find it, however far apart they are', async () => {
  const { sandbox: api } = await service.organization('Near')
  const rows = Array.from({ length: 250 }, (_, n) => `${n % 90},Name ${n},+1202555${2000 + (n % 90)}`)
  const mapping = { Id: 'externalRefs.crm' }
  const job = await imported(api, { mapping }, `Id,firstName,primaryPhone\n${rows.join('\n')}\n`)
  expect(job).toMatchObject({ status: 'completed', created: 90, updated: 160, failed: 0 })
  expect((await api.get('/people?count=true')).body.pagination.count).toBe(90)
})

test('silent: events are logged and nobody is told', async () => {
  const { sandbox: api } = await service.organization('Silent')
  await api.post('/webhooks', { url: 'https://example.com/', eventTypes: ['person.created'] })
  const tenantId = await tenantOf(service, api)
  const deliveries = async () =>
    (await service.database.query(sql`select 1 from all_deliveries where tenant_id = ${tenantId}`)).length
  await imported(api, { silent: true }, 'firstName\nQuiet\n')
  expect([(await eventsOf(service, api)).length, await deliveries()]).toEqual([1, 0])
  await imported(api, {}, 'firstName\nLoud\n')
  expect([(await eventsOf(service, api)).length, await deliveries()]).toEqual([2, 1])
})

test('a file comes in parts, goes on after a break, and may be packed', async () => {
  const { sandbox: api } = await service.organization('Parts')
  const packed = gzipSync(`firstName\n${Array.from({ length: 450 }, (_, n) => `Person ${n}`).join('\n')}\n`)
  const { body: job } = await api.post('/imports', { entity: 'people', format: 'csv' })
  const total = packed.length
  const part = (start: number, end: number) =>
    put(api, job.id, packed.subarray(start, end), { 'content-range': `bytes ${start}-${end - 1}/${total}` })
  expect((await part(0, 100)).body).toMatchObject({ status: 'awaiting_file', receivedBytes: 100 })
  const gap = await part(200, 300)
  expect([gap.status, gap.body.error.details]).toEqual([409, { reason: 'import_offset', receivedBytes: 100 }])
  const wrong = await put(api, job.id, packed.subarray(100, 110), { 'content-range': `bytes 100-199/${total}` })
  expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'Content-Range'])
  expect((await put(api, job.id, 'x', { 'content-range': 'bytes all' })).status).toBe(400)
  expect((await api.get(`/imports/${job.id}`)).body.receivedBytes).toBe(100)
  expect((await part(100, total)).body).toMatchObject({ status: 'queued', receivedBytes: total })
  expect(await ended(api, job.id)).toMatchObject({ status: 'completed', rows: 450, created: 450, failed: 0 })
  expect((await part(0, total)).status).toBe(409)
})

test('a file that cannot be read is refused as a whole, with nothing written', async () => {
  const { sandbox: api } = await service.organization('Hostile')
  const latin = Buffer.concat([Buffer.from('firstName\nAda\n'), Buffer.from([0x4d, 0xfc, 0x6c, 0x0a])])
  const refused: [string, string | Buffer, object, RegExp][] = [
    ['Latin-1', latin, {}, /not UTF-8/],
    ['NUL bytes', 'firstName\nA\0da\n', {}, /not UTF-8/],
    ['an unknown column', 'firstName,favourite\nAda,red\n', {}, /no field for "favourite"/],
    ['two columns for one field', 'a,b\n1,2\n', { mapping: { a: 'firstName', b: 'firstName' } }, /Two columns/],
    ['an open quote', 'firstName\n"Ada\nGrace\n', {}, /line 2 opens a quote/],
    ['a bomb', gzipSync(Buffer.alloc(8_000_000, 'firstName\n')), {}, /unpacks to more than/],
    ['a torn archive', gzipSync(`firstName\n${'Ada\n'.repeat(9_000)}`).subarray(0, 60), {}, /cannot be unpacked/],
  ]
  for (const [name, content, asked, why] of refused) {
    const job = await imported(api, asked, content)
    expect([name, job.status, job.created]).toEqual([name, 'failed', 0])
    expect(job.error).toMatch(why)
  }
  expect(await peopleOf(api)).toEqual([])
  const utf16 = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from('firstName;lastName\nMüller;Ägidius\n', 'utf16le'),
  ])
  expect(await imported(api, {}, utf16)).toMatchObject({ status: 'completed', created: 1 })
  expect((await peopleOf(api))[0].displayName).toBe('Müller Ägidius')
})

test('a row that no request could bring fails by itself', async () => {
  const { sandbox: api } = await service.organization('Rows')
  const long = gzipSync(
    [
      '{"firstName":"Ada"}',
      `{"legalName":"${'x'.repeat(4_000_000)}"}`,
      '{"firstName":"\\u0000"}',
      '[1]',
      '{',
      '  ',
      '{"nope":1}',
      '{"firstName":"Grace"}',
    ].join('\n'),
  )
  const job = await imported(api, { format: 'ndjson' }, long)
  expect(job).toMatchObject({ status: 'completed', rows: 8, created: 2, skipped: 1, failed: 5 })
  const { text } = await api.get(`/imports/${job.id}/errors`)
  expect(text).toContain('is longer than 1 MiB')
  expect(text).toContain('must not contain NUL bytes')
  expect(text).toContain('is no JSON object')
  expect(text).toContain('nope is not a known field')
})

test('it is canceled, bounded, refused with the field named, and nobody else sees it', async () => {
  const { sandbox: api, live, id: organizationId } = await service.organization('Edges')
  const [reader, writer] = [
    await service.keyOf(organizationId, 'sandbox', 'READ'),
    await service.keyOf(organizationId, 'sandbox', 'WRITE'),
  ]
  const asked = { entity: 'people', format: 'csv' }
  for (const [body, path] of [
    [{ ...asked, entity: 'sms' }, 'entity'],
    [{ ...asked, format: 'xls' }, 'format'],
    [{ ...asked, mapping: { a: 1 } }, 'mapping.a'],
    [{ ...asked, entity: 'tasks', matchBy: 'phone' }, 'matchBy'],
    [{ ...asked, defaultCountry: 'usa' }, 'defaultCountry'],
  ] as const)
    expect((await api.post('/imports', body)).body.error.details[0].path).toBe(path)
  expect((await reader.post('/imports', asked)).status).toBe(403)
  expect((await writer.post('/imports', { ...asked, entity: 'work-type-definitions' })).status).toBe(403)
  const { body: job } = await writer.post('/imports', asked)
  for (const path of [`/imports/${job.id}`, `/imports/${job.id}/errors`])
    expect((await live.get(path)).status).toBe(404)
  expect((await put(live, job.id, 'firstName\nAda\n')).status).toBe(404)
  expect((await live.post(`/imports/${job.id}/cancel`)).status).toBe(404)
  const tooLarge = await put(api, job.id, 'x'.repeat(FILE_BYTES + 1))
  expect([tooLarge.status, tooLarge.body.error.details.limitBytes]).toEqual([413, FILE_BYTES])
  expect((await put(api, job.id, '')).status).toBe(400)
  expect((await put(api, job.id, 'x', { 'content-encoding': 'br' })).status).toBe(415)
  expect((await api.post(`/imports/${job.id}/cancel`)).body.status).toBe('canceled')
  expect((await api.post(`/imports/${job.id}/cancel`)).body.status).toBe('canceled')
  expect((await put(api, job.id, 'firstName\nAda\n')).status).toBe(409)
  for (let n = 0; n < 20; n++) expect((await api.post('/imports', asked)).status).toBe(201)
  expect((await api.post('/imports', asked)).body.error.details.reason).toBe('too_many_imports')
  await sweepImports({
    database: service.database,
    clock: () => new Date(Date.now() + 25 * 3_600_000),
    services: { blobs: folderBlobs('/nowhere'), streams: createStreams({} as never), publicUrl: () => '' },
  })
  expect((await api.get('/imports')).body.data[0]).toMatchObject({ status: 'canceled', error: 'Its file did not come' })
})
