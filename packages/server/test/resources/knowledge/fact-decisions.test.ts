import { randomUUID } from 'node:crypto'
import { type FactStatus, factMoves, factStatuses } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { aFact, atOnce, makePerson, makeWork, rowCounts } from '../../support/captured.js'
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

const capture = async (values: object = {}) => (await api.post('/facts', aFact(values))).body
const read = async (id: string) => (await api.get(`/facts/${id}`)).body
const eventsAbout = async (...ids: string[]) =>
  (await eventsOf(service, api)).filter(({ data }) => ids.includes(data.factId))

/** A fact of a person in each state, reached through the API. */
const inState: Record<FactStatus, (subject: object) => Promise<any>> = {
  proposed: (subject) => capture(subject),
  confirmed: (subject) => capture({ ...subject, status: 'confirmed' }),
  async rejected(subject) {
    return (await api.post(`/facts/${(await capture(subject)).id}/reject`)).body
  },
  async promoted(subject) {
    return (await api.post(`/facts/${(await capture({ ...subject, status: 'confirmed' })).id}/promote`)).body
  },
  async superseded(subject) {
    const { id, key, subjectId, subjectType } = await capture({ ...subject, status: 'confirmed' })
    await capture({ key, subjectId, subjectType, status: 'confirmed' })
    return read(id)
  },
}

/** Moves to where the fact is already, which change nothing and tell nobody. */
const idle: Record<keyof typeof factMoves, readonly FactStatus[]> = {
  confirm: ['confirmed', 'promoted'],
  reject: ['rejected'],
  promote: ['promoted'],
}
const actions = Object.keys(factMoves) as (keyof typeof factMoves)[]

describe.each(actions)('%s', (action) => {
  const { from, to } = factMoves[action]
  test.each(factStatuses)('a fact of a person that is %s', async (status) => {
    const person = await makePerson(api)
    const fact = await inState[status]({ subjectId: person.id })
    expect(fact.status).toBe(status)
    const told = (await eventsAbout(fact.id)).length
    const before = await rowCounts(service)
    const answer = await api.post(`/facts/${fact.id}/${action}`)
    if ((from as readonly string[]).includes(status)) {
      expect(answer).toMatchObject({ status: 200, body: { id: fact.id, status: to, version: fact.version + 1 } })
      expect((await eventsAbout(fact.id)).slice(told).map(({ type }) => type)).toEqual([`fact.${to}`])
      return
    }
    if (idle[action].includes(status)) expect([answer.status, answer.body]).toEqual([200, fact])
    else {
      const allowed = Object.values(factMoves).flatMap((move) =>
        (move.from as readonly string[]).includes(status) ? [move.to] : [],
      )
      expect([answer.status, answer.body.error.details]).toEqual([409, { reason: 'state', from: status, to, allowed }])
    }
    expect(await read(fact.id)).toEqual(fact)
    expect(await rowCounts(service)).toEqual(before)
  })
})

test('confirming and rejecting say who did it and when', async () => {
  const confirmed = (await api.post(`/facts/${(await capture({ confidence: 0.4 })).id}/confirm`)).body
  expect(confirmed).toMatchObject({
    confirmedBy: keyId,
    confirmedAt: confirmed.updatedAt,
    confirmedVia: 'api',
    rejectedAt: null,
  })
  const [event] = (await eventsAbout(confirmed.id)).filter(({ type }) => type === 'fact.confirmed')
  const { id: factId, subjectType, subjectId, key, value, confidence } = confirmed
  expect(event?.data).toEqual({
    factId,
    subjectType,
    subjectId,
    key,
    value,
    confidence,
    confirmedVia: 'api',
    supersededFactIds: [],
    fact: confirmed,
  })
  const rejected = (await api.post(`/facts/${(await capture()).id}/reject`)).body
  expect(rejected).toMatchObject({ rejectedBy: keyId, rejectedAt: rejected.updatedAt, confirmedAt: null })
})

test('a proposed fact on a work record may be promoted at once: confirmed first, both events', async () => {
  const person = await makePerson(api)
  const work = await makeWork(api, { primaryPersonId: person.id })
  const fact = await capture({ subjectType: 'work_record', subjectId: work.id })
  const answer = await api.post(`/facts/${fact.id}/promote`)
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'promoted',
      confirmedVia: 'promotion',
      confirmedBy: keyId,
      promotedSubjectId: person.id,
      version: 2,
    },
  })
  const told = await eventsAbout(fact.id)
  expect(told.map(({ type, data }) => [type, data.fact.status])).toEqual([
    ['fact.proposed', 'proposed'],
    ['fact.confirmed', 'confirmed'],
    ['fact.promoted', 'promoted'],
  ])
})

describe('in one slot', () => {
  const slot = () => ({ subjectId: randomUUID(), key: `key_${randomUUID()}` })

  test('a confirmed fact supersedes every open one that was observed no later', async () => {
    const where = slot()
    const older = await capture({ ...where, value: 'a', observedAt: '2026-01-01T00:00:00Z' })
    const confirmed = await capture({ ...where, value: 'b', observedAt: '2026-01-02T00:00:00Z', status: 'confirmed' })
    const same = await capture({ ...where, value: 'c', observedAt: '2026-01-03T00:00:00Z' })
    const later = await capture({ ...where, value: 'd', observedAt: '2026-01-03T00:00:00.001Z' })
    const rejected = await capture({ ...where, value: 'e', observedAt: '2026-01-01T00:00:00Z' })
    await api.post(`/facts/${rejected.id}/reject`)
    const elsewhere = await capture({ ...slot(), value: 'a', observedAt: '2026-01-01T00:00:00Z' })
    expect((await read(older.id)).status).toBe('superseded')
    const winner = await capture({ ...where, value: 'f', observedAt: '2026-01-03T00:00:00Z' })
    const answer = await api.post(`/facts/${winner.id}/confirm`)
    expect(answer.body.status).toBe('confirmed')
    for (const { id } of [confirmed, same]) {
      expect(await read(id)).toMatchObject({
        status: 'superseded',
        supersededById: winner.id,
        supersededAt: answer.body.confirmedAt,
      })
    }
    expect((await read(older.id)).supersededById).toBe(confirmed.id)
    expect([
      (await read(later.id)).status,
      (await read(rejected.id)).status,
      (await read(elsewhere.id)).status,
    ]).toEqual(['proposed', 'rejected', 'proposed'])
    const told = await eventsAbout(winner.id, confirmed.id, same.id)
    expect(told.slice(-3).map(({ type }) => type)).toEqual(['fact.confirmed', 'fact.superseded', 'fact.superseded'])
    expect([...told.at(-3)!.data.supersededFactIds].sort()).toEqual([confirmed.id, same.id].sort())
    expect(
      told.slice(-2).every(({ data }) => data.supersededById === winner.id && data.fact.status === 'superseded'),
    ).toBe(true)
  })

  test('a fact observed before the confirmed one is confirmed and gives way at once: a late transcript does not overwrite fresher truth', async () => {
    const where = slot()
    const standing = await capture({ ...where, value: 'new', observedAt: '2026-02-02T00:00:00Z', status: 'confirmed' })
    const late = await capture({ ...where, value: 'old', observedAt: '2026-02-01T00:00:00Z' })
    const answer = await api.post(`/facts/${late.id}/confirm`)
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'superseded', supersededById: standing.id, confirmedVia: 'api', version: 2 },
    })
    expect([answer.body.confirmedAt, answer.body.supersededAt]).toEqual([answer.body.updatedAt, answer.body.updatedAt])
    expect(await read(standing.id)).toEqual(standing)
    expect((await eventsAbout(late.id)).map(({ type }) => type)).toEqual([
      'fact.proposed',
      'fact.confirmed',
      'fact.superseded',
    ])
  })

  test('the same when the late one arrives as confirmed', async () => {
    const where = slot()
    const standing = await capture({ ...where, value: 'new', observedAt: '2026-02-02T00:00:00Z', status: 'confirmed' })
    const late = await api.post(
      '/facts',
      aFact({ ...where, value: 'old', observedAt: '2026-02-01T00:00:00Z', status: 'confirmed' }),
    )
    expect(late).toMatchObject({ status: 201, body: { status: 'superseded', supersededById: standing.id, version: 1 } })
  })

  test('a late fact on a work record cannot be promoted past the one that stands', async () => {
    const person = await makePerson(api)
    const where = {
      subjectType: 'work_record',
      subjectId: (await makeWork(api, { primaryPersonId: person.id })).id,
      key: `key_${randomUUID()}`,
    }
    await capture({ ...where, value: 'new', observedAt: '2026-02-02T00:00:00Z', status: 'confirmed' })
    const late = await capture({ ...where, value: 'old', observedAt: '2026-02-01T00:00:00Z' })
    const before = await rowCounts(service)
    expect((await api.post(`/facts/${late.id}/promote`)).status).toBe(409)
    expect(await rowCounts(service)).toEqual(before)
    expect(await read(late.id)).toEqual(late)
  })

  test('many values stand side by side where the definition says so', async () => {
    const where = slot()
    await api.post('/fact-definitions', {
      key: where.key,
      valueType: 'string',
      subjectScope: 'person',
      cardinality: 'many',
    })
    const made = [
      await capture({ ...where, value: 'a', status: 'confirmed' }),
      await capture({ ...where, value: 'b', status: 'confirmed' }),
    ]
    const promoted = await api.post(`/facts/${made[0].id}/promote`, {
      targetSubjectType: 'person',
      targetSubjectId: (await makePerson(api)).id,
    })
    expect(promoted.body.status).toBe('promoted')
    expect((await read(made[1].id)).status).toBe('confirmed')
  })

  test('two confirmations at once, on two nodes, leave exactly one confirmed', async () => {
    const other = clientOf((await service.node()).url, api.key)
    for (let round = 0; round < 10; round++) {
      const where = slot()
      const [a, b] = [await capture({ ...where, value: 'a' }), await capture({ ...where, value: 'b' })]
      const answers = await Promise.all([api.post(`/facts/${a.id}/confirm`), other.post(`/facts/${b.id}/confirm`)])
      const after = [await read(a.id), await read(b.id)]
      expect(after.map(({ status }) => status).sort()).toEqual(['confirmed', 'superseded'])
      const told = (await eventsAbout(a.id, b.id)).filter(({ type }) => type === 'fact.confirmed')
      expect(told).toHaveLength(answers.filter(({ status }) => status === 200).length)
      expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true)
    }
  })

  test('ten facts that arrive confirmed at once leave exactly one confirmed', async () => {
    const where = slot()
    const answers = await atOnce(10, (index) =>
      api.post('/facts', aFact({ ...where, value: `v${index}`, status: 'confirmed' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    const { data } = (await api.get(`/facts?subjectId=${where.subjectId}`)).body
    expect(data.map((fact: any) => fact.status).sort()).toEqual(['confirmed', ...Array(9).fill('superseded')])
    expect(await eventsAbout(...data.map((fact: any) => fact.id))).toHaveLength(19)
  })

  test('a thousand proposals give way to one confirmation, and more than that are too many for one', async () => {
    const where = slot()
    const first = await capture({ ...where, value: 'v' })
    // Copies are put straight into the table; capturing a thousand one by one would take a minute.
    const copies = (count: number) =>
      service.database.query(sql`insert into facts (tenant_id, id, version, updated_at, record)
        select f.tenant_id, c.id, 1, f.updated_at, (f.record::jsonb || jsonb_build_object('id', c.id))::json
        from facts f, (select gen_random_uuid() as id from generate_series(1, ${count}::int) offset 0) c where f.id = ${first.id}`)
    for (let batch = 0; batch < 4; batch++) await copies(250)
    const winner = await capture({ ...where, value: 'the one' })
    const refused = await api.post(`/facts/${winner.id}/confirm`)
    const { subjectId, key } = where
    expect([refused.status, refused.body.error.details]).toEqual([
      409,
      { reason: 'slot_full', subjectType: 'person', subjectId, key },
    ])
    await api.post(`/facts/${first.id}/reject`)
    expect((await api.post(`/facts/${winner.id}/confirm`)).status).toBe(200)
    expect(
      (await api.get(`/facts?subjectId=${subjectId}&status=proposed,confirmed`)).body.data.map((fact: any) => fact.id),
    ).toEqual([winner.id])
    const told = (await eventsOf(service, api)).filter(
      ({ data }) => data.supersededById === winner.id || data.factId === winner.id,
    )
    expect(told.filter(({ type }) => type === 'fact.superseded')).toHaveLength(1_000)
    expect(told.find(({ type }) => type === 'fact.confirmed')?.data.supersededFactIds).toHaveLength(100)
  })
})

test('of confirm and reject at once one wins, and the other is told', async () => {
  const other = clientOf((await service.node()).url, api.key)
  for (let round = 0; round < 10; round++) {
    const { id } = await capture()
    const [confirmed, rejected] = await Promise.all([
      api.post(`/facts/${id}/confirm`),
      other.post(`/facts/${id}/reject`),
    ])
    expect([confirmed.status, rejected.status].sort()).toEqual([200, 409])
    const status = confirmed.status === 200 ? 'confirmed' : 'rejected'
    expect((await read(id)).status).toBe(status)
    expect((await eventsAbout(id)).map(({ type }) => type)).toEqual(['fact.proposed', `fact.${status}`])
  }
})

test('confirming ten times at once confirms once', async () => {
  const { id } = await capture()
  const answers = await atOnce(10, () => api.post(`/facts/${id}/confirm`))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await eventsAbout(id)).map(({ type }) => type)).toEqual(['fact.proposed', 'fact.confirmed'])
})

test('a fact that does not exist, or belongs to someone else, is not found', async () => {
  const { id } = await capture()
  const { sandbox } = await service.organization('Elsewhere')
  for (const action of actions) {
    expect((await api.post(`/facts/${randomUUID()}/${action}`)).status).toBe(404)
    expect((await sandbox.post(`/facts/${id}/${action}`)).status).toBe(404)
    expect((await service.demo.live.post(`/facts/${id}/${action}`)).status).toBe(404)
  }
  expect((await read(id)).status).toBe('proposed')
})
