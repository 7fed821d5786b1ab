import { randomUUID } from 'node:crypto'
import { type DraftStatus, draftMoves, draftStatuses, editableDraftStatuses } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, rowCounts } from '../../support/captured.js'
import { eventsOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
let keyId: string
beforeAll(async () => {
  service = await startService()
  api = service.api
  keyId = (await api.get('/schema')).body.key.id
})
afterAll(() => service.stop())

type Action = keyof typeof draftMoves
const actions = Object.keys(draftMoves) as Action[]

const propose = async () => {
  const customerId = (await api.post('/customers', { displayName: 'Reyes' })).body.id
  return (await api.post('/drafts', { callSessionId: randomUUID(), title: 'Fix the sink', customerId })).body
}
const act = (id: string, action: Action, body?: object) => api.post(`/drafts/${id}/${action}`, body)
const read = async (id: string) => (await api.get(`/drafts/${id}`)).body
const typesAbout = async (draftId: string) =>
  (await eventsOf(service, api)).filter(({ data }) => data.draftId === draftId).map(({ type }) => type)

/** The actions that lead to each state. */
const paths: Record<DraftStatus, readonly Action[]> = {
  draft: [],
  pending_review: ['submit'],
  approved: ['approve'],
  rejected: ['reject'],
  synced: ['approve', 'synced'],
}

async function inState(status: DraftStatus): Promise<any> {
  const { id } = await propose()
  for (const action of paths[status]) await act(id, action)
  return read(id)
}

/** A move to the state that the draft is in changes nothing; and an approved draft that went on is approved still. */
const isIdle = (action: Action, status: DraftStatus): boolean =>
  draftMoves[action].to === status || (action === 'approve' && status === 'synced')
/** What is told of a move. */
const told: Record<Action, readonly string[]> = {
  submit: [],
  approve: ['draft.approved'],
  reject: ['draft.rejected'],
  reopen: [],
  synced: ['draft.synced'],
}

describe.each(actions)('%s', (action) => {
  const { from, to } = draftMoves[action]
  test.each(draftStatuses)('a draft that is %s', async (status) => {
    const draft = await inState(status)
    expect(draft.status).toBe(status)
    const events = (await typesAbout(draft.id)).length
    const before = await rowCounts(service)
    const answer = await act(draft.id, action)
    if ((from as readonly string[]).includes(status)) {
      expect(answer).toMatchObject({ status: 200, body: { id: draft.id, status: to, version: draft.version + 1 } })
      expect((await typesAbout(draft.id)).slice(events)).toEqual(told[action])
      return
    }
    if (isIdle(action, status)) expect([answer.status, answer.body]).toEqual([200, draft])
    else {
      const allowed = [
        ...new Set(
          Object.values(draftMoves).flatMap((move) =>
            (move.from as readonly string[]).includes(status) ? [move.to] : [],
          ),
        ),
      ]
      expect([answer.status, answer.body.error.details]).toEqual([409, { reason: 'state', from: status, to, allowed }])
    }
    expect(await read(draft.id)).toEqual(draft)
    expect(await rowCounts(service)).toEqual(before)
  })
})

test.each(draftStatuses)('editing a draft that is %s', async (status) => {
  const draft = await inState(status)
  const answer = await api.patch(`/drafts/${draft.id}`, { title: 'Edited' })
  if (editableDraftStatuses.includes(status))
    expect(answer).toMatchObject({ status: 200, body: { title: 'Edited', status } })
  else {
    expect([answer.status, answer.body.error.details]).toMatchObject([409, { reason: 'state', from: status }])
    expect(await read(draft.id)).toEqual(draft)
  }
})

const pairs = draftStatuses.flatMap((from) => draftStatuses.map((to) => [from, to] as const))

test.each(pairs)('editing the status of a draft from %s to %s is no edit', async (from, to) => {
  const draft = await inState(from)
  for (const body of [
    { status: to },
    { ...draft, status: to },
    ...(from === to ? [] : [{ status: to, title: 'Edited' }]),
  ]) {
    const before = await rowCounts(service)
    const answer = await api.patch(`/drafts/${draft.id}`, body)
    if (from === to) expect([answer.status, answer.body]).toEqual([200, draft])
    else {
      expect([answer.status, answer.body.error.details]).toMatchObject([409, { reason: 'state', from, to }])
      const [action] =
        Object.entries(draftMoves).find(
          ([, move]) => move.to === to && (move.from as readonly string[]).includes(from),
        ) ?? []
      expect(answer.body.error.message).toContain(
        action ? `POST /drafts/{id}/${action}` : `Cannot go from ${from} to ${to}`,
      )
    }
    expect(await read(draft.id)).toEqual(draft)
    expect(await rowCounts(service)).toEqual(before)
  }
})

test.each(['lost', null, 7, { deep: [] }])('a status that no draft has is a conflict too: %j', async (status) => {
  const draft = await inState('draft')
  const answer = await api.patch(`/drafts/${draft.id}`, { status, title: 'Edited' })
  expect([answer.status, answer.body.error.details]).toEqual([
    409,
    { reason: 'state', from: 'draft', allowed: ['pending_review', 'approved', 'rejected'] },
  ])
  expect(await read(draft.id)).toEqual(draft)
})

test('rejecting says who, when and why; reopening forgets it', async () => {
  const { id } = await inState('pending_review')
  const rejected = await act(id, 'reject', { reason: 'A wrong number' })
  expect(rejected.body).toMatchObject({
    rejectedBy: keyId,
    rejectedAt: rejected.body.updatedAt,
    rejectedReason: 'A wrong number',
  })
  const [event] = (await eventsOf(service, api)).filter(
    ({ type, data }) => type === 'draft.rejected' && data.draftId === id,
  )
  expect(event?.data).toEqual({
    draftId: id,
    callSessionId: rejected.body.callSessionId,
    reason: 'A wrong number',
    draft: rejected.body,
  })
  expect((await act(id, 'reopen')).body).toMatchObject({
    status: 'pending_review',
    rejectedBy: null,
    rejectedAt: null,
    rejectedReason: null,
  })
  expect((await act(id, 'approve')).body.status).toBe('approved')
})

test('syncing keeps where the draft went', async () => {
  const { id } = await inState('approved')
  const externalRefs = [{ system: 'crm', externalId: randomUUID(), url: 'https://crm.example/1' }]
  const synced = await act(id, 'synced', { externalRefs })
  expect(synced.body).toMatchObject({ status: 'synced', externalRefs })
  expect((await api.get(`/external-refs?entityId=${id}`)).body.data).toMatchObject([
    { entityType: 'draft', ...externalRefs[0] },
  ])
  const other = await inState('approved')
  const refused = await act(other.id, 'synced', { externalRefs })
  expect([refused.status, refused.body.error.details.reason]).toEqual([409, 'external_ref_taken'])
  expect(await read(other.id)).toEqual(other)
})

test('of reject and approve at once one wins, and a rejected draft makes no work', async () => {
  const other = clientOf((await service.node()).url, api.key)
  for (let round = 0; round < 8; round++) {
    const { id, customerId } = await inState('pending_review')
    const [approved, rejected] = await Promise.all([act(id, 'approve'), other.post(`/drafts/${id}/reject`)])
    expect([approved.status, rejected.status].sort()).toEqual([200, 409])
    const isApproved = approved.status === 200
    expect((await read(id)).status).toBe(isApproved ? 'approved' : 'rejected')
    expect((await api.get(`/work-records?customerId=${customerId}`)).body.data).toHaveLength(isApproved ? 1 : 0)
    expect((await typesAbout(id)).slice(1)).toEqual([isApproved ? 'draft.approved' : 'draft.rejected'])
  }
})

test('rejecting ten times at once rejects once', async () => {
  const { id } = await inState('draft')
  const answers = await atOnce(10, () => act(id, 'reject', { reason: 'no' }))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await typesAbout(id)).toEqual(['draft.created', 'draft.rejected'])
})

test('a draft that does not exist, or belongs to someone else, is not found; and a body that does not belong is refused', async () => {
  const draft = await inState('draft')
  const { sandbox } = await service.organization('Elsewhere')
  for (const action of actions) {
    expect((await act(randomUUID(), action)).status).toBe(404)
    expect((await sandbox.post(`/drafts/${draft.id}/${action}`)).status).toBe(404)
    expect((await act(draft.id, action, { colour: 'red' })).status).toBe(400)
  }
  expect((await act(draft.id, 'reject', { reason: 'x'.repeat(20_001) })).body.error.details[0].path).toBe('reason')
  expect(await read(draft.id)).toEqual(draft)
})
