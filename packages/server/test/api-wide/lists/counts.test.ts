// `?count=true`: how many records a list has, with its filters, as far as anyone counts.
import { limits } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/resources/index.js'
import { untilShown } from '../../support/events.js'
import { expectRefusal } from '../../support/every-endpoint.js'
import { plantOneOfEach } from '../../support/planted-records.js'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const day = (number: number) => new Date(Date.UTC(2026, 5, number, 9)).toISOString()
const makeTask = async (client: Client, values: object) =>
  (await client.post('/tasks', { title: 'Ring back', ...values })).body

/** Reading adds to the log of requests; no read of this test adds to those that failed. */
const stillOn = (path: string) => (path === '/request-log' ? 'failed=true' : '')

/** A request that fails, once the log shows it, and with it all that came before. */
async function logFailure(client: Client): Promise<void> {
  expect((await client.get('/tasks?limit=none')).status).toBe(400)
  await expect.poll(async () => (await client.get('/request-log?failed=true')).body.data[0]?.path).toBe('/api/v1/tasks')
}

describe('count', () => {
  test('tells how many there are on every list, with its filters, and is silent unless asked', async () => {
    const { sandbox } = await service.organization('Counting')
    await plantOneOfEach(service, sandbox)
    const { body: hook } = await sandbox.post('/webhooks', { url: 'https://example.com/hook' })
    const { body: connection } = await sandbox.post('/integration-connections', { provider: 'x', name: 'x' })
    // Timelines and /search are gathered from many lists: how much there is in all nobody has counted.
    const paged = endpoints.filter(
      ({ method, path, query }) =>
        method === 'GET' && query !== undefined && 'cursor' in query && !/\/(timeline|search)$/.test(path),
    )
    await logFailure(sandbox)
    await untilShown(service, sandbox)
    expect(paged.filter(({ query }) => !('count' in (query ?? {}))).map(({ path }) => path)).toEqual([])
    for (const { path } of paged) {
      const owner = path.startsWith('/integration-connections/') ? connection : hook
      const address = `${path.replace('{id}', owner.id)}?${stillOn(path)}`
      const { data } = (await sandbox.get(`${address}&limit=100`)).body
      expect([path, (await sandbox.get(`${address}&limit=1&count=true`)).body.pagination]).toEqual([
        path,
        expect.objectContaining({ count: data.length, countIsExact: true }),
      ])
      expect(Object.keys((await sandbox.get(`${address}&count=false`)).body.pagination)).toEqual([
        'limit',
        'nextCursor',
      ])
    }
    for (let at = 0; at < 3; at++) await makeTask(sandbox, { title: `Boiler ${at}`, dueAt: day(at + 1) })
    const countOf = async (query: string) =>
      (await sandbox.get(`/tasks?limit=1&count=true&${query}`)).body.pagination.count
    expect(await countOf('q=boiler')).toBe(3)
    expect(await countOf('q=!')).toBe(0)
    expect(await countOf(`q=boiler&sort=dueAt&dueAtFrom=${day(2)}`)).toBe(2)
    expect(await countOf(`status=done`)).toBe(0)
    expectRefusal(await sandbox.get('/tasks?count=yes'), 400, 'bad_request')
  })

  test('stops at 10,000 and says so', async () => {
    const { sandbox } = await service.organization('Many')
    const task = await makeTask(sandbox, {})
    const { body: schema } = await sandbox.get('/schema')
    const copy = (rows: number) =>
      service.database.withClient((client) =>
        client.query(
          `insert into tasks (tenant_id, id, version, updated_at, record, search)
           select tenant_id, uuid_v7(now()), 1, updated_at, record, search from tasks, generate_series(1, $1) where id = $2`,
          [rows, task.id],
        ),
      )
    await copy(limits.countMax - 1)
    const counted = async (query: string) => (await sandbox.get(`/tasks?limit=1&count=true&${query}`)).body.pagination
    expect(await counted('')).toMatchObject({ count: 10_000, countIsExact: true })
    await copy(1)
    for (const query of ['', 'q=ring', 'status=open', 'sort=dueAt'])
      expect(await counted(query)).toMatchObject({ count: 10_000, countIsExact: false })
    expect(schema.limits.countMax).toBe(10_000)
  })
})
