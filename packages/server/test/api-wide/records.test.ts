import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('a record that was created is read back, listed, found, changed and deleted', async () => {
  const { api } = service
  const made = await api.post('/tasks', { title: 'Ring Mrs. O’Brien back', dueAt: '2026-03-01T10:00:00+01:00' })
  expect(made.status).toBe(201)
  expect(made.headers.get('etag')).toBe('"1"')
  expect(made.body).toMatchObject({
    title: 'Ring Mrs. O’Brien back',
    dueAt: '2026-03-01T09:00:00.000Z',
    status: 'open',
    version: 1,
  })
  const path = `/tasks/${made.body.id}`
  expect((await api.get(path)).text).toBe(made.text)
  expect((await api.get('/tasks')).body.data).toEqual([made.body])
  expect((await api.get('/tasks?q=obri%20RING')).body.data).toEqual([])
  expect((await api.get("/tasks?q=o'brien")).body.data).toEqual([made.body])
  const changed = await api.patch(path, { status: 'done' })
  expect(changed.body).toMatchObject({ status: 'done', version: 2, title: made.body.title })
  expect((await api.delete(path)).status).toBe(204)
  expect((await api.get(path)).status).toBe(404)
  expect((await api.delete(path)).status).toBe(404)
  expect((await api.get('/deleted-records')).body.data).toEqual([
    { entityType: 'task', id: made.body.id, deletedAt: expect.any(String), mergedIntoId: null },
  ])
})
