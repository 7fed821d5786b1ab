import { type RecordState, recordStateMoves, recordStates } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf } from '../../support/events.js'
import { type Client, type Service, startService } from '../../support/service.js'

const customerId = '0190b2f0-0000-7000-8000-000000000001'
let now = new Date('2026-03-01T10:00:00Z')
let service: Service
beforeAll(async () => {
  service = await startService({}, { clock: () => now })
})
afterAll(() => service.stop())

/** An import may begin in any state. */
const workIn = async (api: Client, recordState: RecordState) =>
  (await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId, source: 'import', recordState })).body

const pairs = recordStates.flatMap((from) => recordStates.map((to) => [from, to] as const))
const isAllowed = (from: RecordState, to: RecordState) =>
  (recordStateMoves[from] as readonly RecordState[]).includes(to)

describe('every move of the table is made, with its times and one event', () => {
  test.each(pairs.filter(([from, to]) => isAllowed(from, to)))('%s → %s', async (from, to) => {
    const { sandbox: api } = await service.organization(`${from} ${to}`)
    const before = await workIn(api, from)
    now = new Date(now.getTime() + 60_000)
    const moved = await api.patch(`/work-records/${before.id}`, { recordState: to, stateReason: 'because' })
    expect([moved.status, moved.body.recordState, moved.body.version]).toEqual([200, to, 2])
    const stamp = now.toISOString()
    const expected = {
      completed: { completedAt: stamp, closedAt: stamp },
      canceled: { completedAt: null, closedAt: stamp },
      draft: {},
      active: { completedAt: null, closedAt: null },
      blocked: { completedAt: null, closedAt: null },
    }
    expect(moved.body).toMatchObject(expected[to])
    const events = await eventsOf(service, api)
    expect(events.map(({ type }) => type)).toEqual(['work_record.created', 'work_record.updated'])
    expect(events[1]?.data.changes.recordState).toEqual({ from, to })
  })
})

describe('every move that the table does not have is a conflict that names the allowed ones', () => {
  test.each(pairs.filter(([from, to]) => from !== to && !isAllowed(from, to)))('%s → %s', async (from, to) => {
    const { sandbox: api } = await service.organization(`${from} ${to}`)
    const before = await workIn(api, from)
    for (const refused of [
      await api.patch(`/work-records/${before.id}`, { recordState: to }),
      await api.put(`/work-records/${before.id}`, { title: 'Sink', canonicalKind: 'job', customerId, recordState: to }),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
      expect(refused.body.error.details).toEqual({ reason: 'state', from, to, allowed: recordStateMoves[from] })
    }
    expect((await api.get(`/work-records/${before.id}`)).body).toEqual(before)
    expect(await eventsOf(service, api)).toHaveLength(1)
  })
})

test.each(recordStates.map((state) => [state]))('a move from %s to itself changes nothing', async (state) => {
  const { sandbox: api } = await service.organization(state)
  const before = await workIn(api, state)
  const same = await api.patch(`/work-records/${before.id}`, { recordState: state })
  expect([same.status, same.body]).toEqual([200, before])
  expect(await eventsOf(service, api)).toHaveLength(1)
})

test('without import only draft and active are states to begin in', async () => {
  const { sandbox: api } = await service.organization('Plain')
  const answers = await Promise.all(
    recordStates.map((recordState) =>
      api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId, recordState }),
    ),
  )
  expect(Object.fromEntries(recordStates.map((state, index) => [state, answers[index]?.status]))).toEqual({
    draft: 201,
    active: 201,
    blocked: 400,
    completed: 400,
    canceled: 400,
  })
})

test('completed work that is opened again and completed again has the later times', async () => {
  const { sandbox: api } = await service.organization('Again')
  const { body: record } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId })
  const move = async (recordState: RecordState) => {
    now = new Date(now.getTime() + 60_000)
    return (await api.patch(`/work-records/${record.id}`, { recordState })).body
  }
  const first = await move('completed')
  expect(await move('active')).toMatchObject({ completedAt: null, closedAt: null })
  const second = await move('completed')
  expect(second.completedAt > first.completedAt).toBe(true)
  expect(second.closedAt).toBe(second.completedAt)
})

test('two moves at once: one is made, the other is judged by where it then is', async () => {
  const { sandbox: api } = await service.organization('Race')
  const { body: record } = await api.post('/work-records', { title: 'Sink', kind: 'JOB', customerId })
  const [done, gone] = await Promise.all([
    api.patch(`/work-records/${record.id}`, { recordState: 'completed' }),
    api.patch(`/work-records/${record.id}`, { recordState: 'canceled' }),
  ])
  expect([done.status, gone.status].sort()).toEqual([200, 409])
  const refused = done.status === 409 ? done : gone
  const winner = done.status === 200 ? done : gone
  expect(refused.body.error.details).toMatchObject({
    reason: 'state',
    from: winner.body.recordState,
    allowed: ['active'],
  })
  expect((await api.get(`/work-records/${record.id}`)).body).toEqual(winner.body)
  expect((await eventsOf(service, api)).map(({ type }) => type)).toEqual(['work_record.created', 'work_record.updated'])
})
