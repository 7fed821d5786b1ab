// Batches that come at the same moment share a statement: each is answered and stored as if it had come alone.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let other: Client
beforeAll(async () => {
  service = await startService()
  other = clientOf((await service.node()).url, service.api.key)
})
afterAll(() => service.stop())

const newCall = async (api: Client): Promise<string> =>
  (await api.post('/calls', { direction: 'inbound', from: '+15550100200', to: '+15550109001', status: 'in_progress' }))
    .body.id
const said = (sequence: number, text = `line ${sequence}`) => ({
  sequence,
  speaker: 'caller',
  text,
  startMs: sequence * 100,
})
const batch = (from: number, count = 5) => ({
  segments: Array.from({ length: count }, (_, index) => said(from + index)),
})
const add = (api: Client, id: string, body: object, headers = {}) => api.post(`/calls/${id}/segments`, body, headers)
const transcript = async (api: Client, id: string) => (await api.get(`/calls/${id}/transcript`)).body.data
const sequences = async (api: Client, id: string) =>
  (await transcript(api, id)).map(({ sequence }: { sequence: number }) => sequence)
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const activityOf = async (id: string) =>
  (
    await service.database.query(
      sql`select segment_count, last_sequence, segments_revision::int from call_activity where call_id = ${id}`,
    )
  )[0]

test('batches of forty calls of two tenants at once: each is answered with its own segments, and stored', async () => {
  const sides = [(await service.organization('One')).sandbox, (await service.organization('Two')).live]
  const calls = await Promise.all(
    numbers(40).map(async (index) => ({
      api: sides[index % 2] as Client,
      id: await newCall(sides[index % 2] as Client),
    })),
  )
  for (const from of [0, 5, 10]) {
    const answers = await Promise.all(calls.map(({ api, id }) => add(api, id, batch(from))))
    answers.forEach(({ status, body }, index) => {
      expect(status).toBe(200)
      expect(body.data.map((one: { callId: string; sequence: number }) => [one.callId, one.sequence])).toEqual(
        numbers(5).map((at) => [calls[index]?.id, from + at]),
      )
    })
  }
  for (const { api, id } of calls) {
    expect(await sequences(api, id)).toEqual(numbers(15))
    expect(await activityOf(id)).toMatchObject({ segment_count: 15, last_sequence: 14 })
  }
})

test('batches of one call at once, in any order, on two nodes and some of them twice: every segment once', async () => {
  const id = await newCall(service.api)
  const froms = [...numbers(12), ...numbers(6)].map((index) => index * 5).sort(() => Math.random() - 0.5)
  const answers = await Promise.all(froms.map((from, index) => add(index % 2 ? service.api : other, id, batch(from))))
  expect(answers.map(({ status }) => status)).toEqual(froms.map(() => 200))
  const stored = await transcript(service.api, id)
  expect(stored.map(({ sequence }: { sequence: number }) => sequence)).toEqual(numbers(60))
  const ids = new Map(stored.map((one: { id: string; sequence: number }) => [one.sequence, one.id]))
  for (const { body } of answers) for (const one of body.data) expect(one.id).toBe(ids.get(one.sequence))
  expect(await activityOf(id)).toMatchObject({ segment_count: 60, last_sequence: 59 })
})

test('what cannot be appended does not hold up what comes with it', async () => {
  const { sandbox: stranger } = await service.organization('Stranger')
  const [id, revised] = [await newCall(service.api), await newCall(service.api)]
  await add(service.api, revised, { segments: [{ ...said(3, 'I would li'), isFinal: false }] })
  const [added, unknown, foreign, replaced, wrong, empty] = await Promise.all([
    add(service.api, id, batch(0)),
    add(service.api, randomUUID(), batch(0)),
    add(stranger, id, batch(100)),
    add(service.api, revised, { segments: [said(3, 'I would like some help')] }),
    add(service.api, id, { segments: [{ ...said(50), startMs: 10, endMs: 5 }] }),
    add(service.api, id, { segments: [] }),
  ])
  expect([added, unknown, foreign, replaced, wrong].map((answer) => answer?.status)).toEqual([200, 404, 404, 200, 400])
  expect(empty?.status).toBe((await add(service.api, id, { segments: [] })).status)
  expect(await sequences(service.api, id)).toEqual(numbers(5))
  expect((await transcript(service.api, revised)).map(({ text }: { text: string }) => text)).toEqual([
    'I would like some help',
  ])
})

test('segments within a batch may come in any order, and a number that comes twice counts once', async () => {
  const id = await newCall(service.api)
  const answer = await add(service.api, id, {
    segments: [said(2), said(0), { ...said(1, 'first'), isFinal: false }, said(1, 'last')],
  })
  expect(answer.body.data.map(({ sequence, text }: { sequence: number; text: string }) => [sequence, text])).toEqual([
    [0, 'line 0'],
    [1, 'last'],
    [2, 'line 2'],
  ])
  expect(await transcript(service.api, id)).toEqual(answer.body.data)
  expect(await activityOf(id)).toEqual({ segment_count: 3, last_sequence: 2, segments_revision: expect.any(Number) })
})

test('with an Idempotency-Key the segments and the answer that is kept are one commit', async () => {
  const id = await newCall(service.api)
  const key = { 'idempotency-key': randomUUID() }
  const [first, ...twins] = await Promise.all(numbers(8).map(() => add(service.api, id, batch(0), key)))
  for (const twin of twins) expect(twin.body.data).toEqual(first?.body.data)
  const [kept] = await service.database.query<{ count: number }>(
    sql`select count(*)::int as count from answered_keys where key = ${key['idempotency-key']}`,
  )
  expect(kept).toEqual({ count: 1 })
  expect(await sequences(service.api, id)).toEqual(numbers(5))
})

test('a statement that fails is no loss: each of its batches is written by itself', async () => {
  const calls = await Promise.all(numbers(6).map(() => newCall(service.api)))
  await service.database.withClient(async (client) => {
    await client.query(`create sequence failures; create function fail_once() returns trigger language plpgsql as
      $$ begin if nextval('failures') <= 2 then raise exception 'not now' using errcode = '40001'; end if; return null; end $$`)
    await client.query(
      'create trigger fail_once after insert on call_segments for each statement execute function fail_once()',
    )
  })
  const answers = await Promise.all(calls.map((id) => add(service.api, id, batch(0))))
  await service.database.withClient((client) => client.query('drop trigger fail_once on call_segments'))
  expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200))
  for (const id of calls) expect(await sequences(service.api, id)).toEqual(numbers(5))
})
