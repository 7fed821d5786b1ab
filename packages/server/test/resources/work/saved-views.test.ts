// Views of work: kept under a name for everybody in the organization, and only with filters that work can be asked by.
import { savedViews, workRecords } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = service.api
})
afterAll(() => service.stop())

test('a view is kept, found, changed in one filter, and gone', async () => {
  const made = await api.post('/saved-views', {
    name: 'Urgent and open',
    layout: 'board',
    filters: { priority: 'urgent', recordState: 'active' },
  })
  expect(made.status).toBe(201)
  expect(made.body.filters).toMatchObject({ priority: 'urgent', recordState: 'active', q: null, assignedToId: null })
  const changed = await api.patch(`/saved-views/${made.body.id}`, { filters: { priority: 'high' } })
  expect(changed.body.filters).toMatchObject({ priority: 'high', recordState: 'active' })
  expect((await api.get('/saved-views?q=urgent')).body.data).toMatchObject([{ name: 'Urgent and open' }])
  const agent = await service.keyOf(service.demo.id, 'sandbox', 'WRITE')
  expect((await agent.get('/saved-views')).body.data).toHaveLength(1)
  const others = (await service.organization('Others')).sandbox
  expect((await others.get(`/saved-views/${made.body.id}`)).status).toBe(404)
  expect((await service.demo.live.get('/saved-views')).body.data).toEqual([])
  expect((await agent.delete(`/saved-views/${made.body.id}`)).status).toBe(204)
  expect((await api.get('/saved-views')).body.data).toEqual([])
})

test('a view holds every filter that work has, and each is one that the list takes', async () => {
  const { body } = await api.post('/saved-views', { name: 'All' })
  const names = Object.keys(body.filters)
  expect(names.sort()).toEqual(['q', ...Object.keys(workRecords.filters)].sort())
  const id = '0190b2f0-0000-7000-8000-000000000001'
  const filters: Record<string, string> = {
    ...Object.fromEntries(names.map((name) => [name, name.endsWith('Id') ? id : 'new'])),
    kind: 'job',
    recordState: 'active',
    priority: 'low',
    source: 'call',
  }
  expect((await api.patch(`/saved-views/${body.id}`, { filters })).body.filters).toEqual(filters)
  expect((await api.get(`/work-records?${new URLSearchParams(filters)}`)).status).toBe(200)
  expect(savedViews.writeScope).toBe('WRITE')
})

test.each([
  [{ filters: {} }, 'name'],
  [{ name: '' }, 'name'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x', filters: { colour: 'red' } }, 'filters.colour'],
  [{ name: 'x', filters: { priority: 'soon' } }, 'filters.priority'],
  [{ name: 'x', filters: { assignedToId: 'me' } }, 'filters.assignedToId'],
  [{ name: 'x', layout: 'pie' }, 'layout'],
])('what is wrong is named: %j', async (body, path) => {
  const { status, body: answer } = await api.post('/saved-views', body)
  expect([status, answer.error.details[0].path]).toEqual([400, path])
})
