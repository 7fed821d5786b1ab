// Exports: a whole list as of one moment, in two formats, for its own tenant, and never more than a few at once.
import { entities, takes } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { endpoints } from '../../../src/resources/index.js'
import { tenantOf } from '../../support/events.js'
import { openSocket, plainGet } from '../../support/raw-http.js'
import { type Client, type Service, startService } from '../../support/service.js'
import { until } from '../../support/until.js'

let service: Service
beforeAll(async () => {
  // Long enough for a slow machine to begin to read in time, and short enough to wait for.
  service = await startService({ PARLEY_STALL_TIMEOUT: '4s' })
})
afterAll(() => service.stop())

const linesOf = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function addTasks(api: Client, count: number, description = ''): Promise<void> {
  const items = Array.from({ length: count }, (_, n) => ({ op: 'create', data: { title: `Task ${n}`, description } }))
  for (let at = 0; at < count; at += 500)
    expect((await api.post('/tasks/batch', { items: items.slice(at, at + 500) })).status).toBe(200)
}

test('every list of an entity has an export, and shows what the list shows', async () => {
  const { sandbox: api, id } = await service.organization('Every')
  const paths = endpoints.map(({ path }) => path)
  await api.post('/calls', { direction: 'inbound', from: '+12025550143', to: '+12025550100' })
  await api.post('/voicemails', { callerNumber: '+12025550143', transcript: 'Hello' })
  await api.post('/people', { firstName: 'Ada', customFields: { tier: 'gold' } })
  for (const entity of entities.filter((one) => takes(one, 'list'))) {
    expect(paths).toContain(`/${entity.slug}/export`)
    const listed = (await api.get(`/${entity.slug}?limit=100`)).body.data
    const exported = await api.get(`/${entity.slug}/export`)
    expect([entity.slug, exported.status]).toEqual([entity.slug, 200])
    expect(linesOf(exported.text).map((one) => one.id)).toEqual(listed.map((one: any) => one.id))
  }
  const reader = await service.keyOf(id, 'sandbox', 'READ')
  const { body } = await reader.get('/people')
  const exported = await reader.get('/people/export')
  expect(linesOf(exported.text)).toEqual(body.data)
  expect(exported.headers.get('content-type')).toContain('application/x-ndjson')
  expect(exported.headers.get('content-disposition')).toBe('attachment; filename="people.ndjson"')
})

test('it takes the filters of the list, and nothing of another environment', async () => {
  const { sandbox: api, live } = await service.organization('Filters')
  await addTasks(api, 3)
  await api.post('/tasks', { title: 'Urgent heater', priority: 'urgent' })
  await live.post('/tasks', { title: 'Live' })
  const titles = async (query: string) => linesOf((await api.get(`/tasks/export${query}`)).text).map((one) => one.title)
  expect(await titles('')).toEqual(['Urgent heater', 'Task 2', 'Task 1', 'Task 0'])
  expect(await titles('?priority=urgent')).toEqual(['Urgent heater'])
  expect(await titles('?q=task')).toEqual(['Task 2', 'Task 1', 'Task 0'])
  expect(await titles('?createdBefore=2020-01-01T00:00:00Z')).toEqual([])
  expect((await api.get('/tasks/export?format=xml')).body.error.details[0].path).toBe('format')
  expect((await api.get('/tasks/export?limit=1')).status).toBe(400)
  expect((await api.request('HEAD', '/tasks/export')).status).toBe(200)
})

test('CSV has a column for each field, and formulas are quoted where that is asked for', async () => {
  const { sandbox: api } = await service.organization('CSV')
  const displayName = '=HYPERLINK("http://x","y"), \n"z"'
  await api.post('/people', { displayName, primaryPhone: '+12025550143', customFields: { a: 1 } })
  const plain = (await api.get('/people/export?format=csv')).text
  const [head, ...rows] = plain.split('\r\n')
  expect(head).toContain('displayName,')
  expect(head).toContain('customFields:json')
  expect(rows.join('\r\n')).toContain('"=HYPERLINK(""http://x"",""y""), \n""z""",')
  expect(plain).toContain(',+12025550143,')
  expect(plain).toContain('"{""a"":1}"')
  const quoted = await api.get('/people/export?format=csv&quoteFormulas=true')
  expect(quoted.text).toContain(`"'=HYPERLINK`)
  expect(quoted.text).toContain(`,'+12025550143,`)
  expect(quoted.headers.get('content-type')).toContain('text/csv')
})

test('it shows one moment, frees its connection when the reader leaves or stalls, and two run at once', async () => {
  const { sandbox: api } = await service.organization('Slow')
  await addTasks(api, 1_000, 'd'.repeat(12_000))
  const open = () => {
    const socket = openSocket(service.url)
    socket.write(plainGet('/tasks/export', api.key))
    return socket
  }
  const running = async () =>
    Number(
      (
        await service.database.query<{ count: string }>(
          sql`select count(*) from pg_stat_activity where query like 'fetch%' and datname = current_database()`,
        )
      )[0]?.count,
    )
  const [first, second] = [open(), open()]
  await until(running, (count) => count === 2)
  const third = await api.get('/tasks/export')
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5'])
  // The rows that the first is still to send are changed and deleted meanwhile.
  await service.database.query(
    sql`delete from tasks where id in (
      select id from tasks where tenant_id = ${await tenantOf(service, api)} order by id limit 10)`,
  )
  let text = ''
  first.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  await until(
    async () => text.match(/"title":"Task \d+"/g)?.length ?? 0,
    (count) => count === 1_000,
  )
  expect(text).toContain('"title":"Task 0"')
  first.destroy()
  // The second never reads, and is let go.
  await until(running, (count) => count === 0)
  second.destroy()
  expect(linesOf((await api.get('/tasks/export')).text)).toHaveLength(990)
})
