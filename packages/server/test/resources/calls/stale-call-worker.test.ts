import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/database/pool.js'
import { type Sql, sql } from '../../../src/database/sql.js'
import { endSilentCalls } from '../../../src/resources/calls/stale-call-worker.js'
import type { SystemParts } from '../../../src/resources/generic/system-caller.js'
import { committing } from '../../support/committing.js'
import { eventsOf } from '../../support/events.js'
import { type Service, startService } from '../../support/service.js'

let service: Service
const start = new Date('2026-05-01T08:00:00.000Z')
let clock = start
const hours = (count: number): Date => new Date(start.getTime() + count * 3_600_000)
beforeAll(async () => {
  // Without workers, one of which would end calls by itself after a minute.
  service = await startService({ PARLEY_ROLE: 'api' }, { clock: () => clock })
})
afterAll(() => service.stop())

const parts = (): SystemParts => ({
  ...committing(service.database),
  clock: () => clock,
  onCommit: () => {},
})
const fail = (error: Error) => {
  throw error
}

async function begin(body: object = {}) {
  const call = await service.api.post('/calls', {
    direction: 'inbound',
    from: '+15550100500',
    to: '+15559999999',
    ...body,
  })
  return call.body
}

test('calls that nobody has reported on for four hours are ended, once, by any number of nodes', async () => {
  const { api } = service
  clock = start
  const [ringing, talking, outbound, heard, ended] = [
    await begin(),
    await begin({ status: 'in_progress' }),
    await begin({ direction: 'outbound', from: '+15559999999', to: '+15550100500' }),
    await begin({ status: 'in_progress' }),
    await begin(),
  ]
  await api.post('/drafts', { callSessionId: talking.id, title: 'Left behind' })
  await api.post(`/calls/${ended.id}/end`, {})
  clock = hours(1)
  await api.patch(`/calls/${talking.id}`, { outcome: 'noted' })
  await api.post(`/calls/${heard.id}/segments`, {
    segments: [{ sequence: 0, speaker: 'caller', text: 'hm', startMs: 0 }],
  })
  clock = hours(4)
  expect(await endSilentCalls(parts(), fail)).toBe(0)
  clock = new Date(hours(4).getTime() + 1)
  const counts = await Promise.all(Array.from({ length: 4 }, () => endSilentCalls(parts(), fail)))
  expect(counts.reduce((sum, count) => sum + count)).toBe(2)
  const read = async (id: string) => (await api.get(`/calls/${id}`)).body
  expect(await read(ringing.id)).toMatchObject({
    status: 'missed',
    endReason: 'timeout',
    endedAt: start.toISOString(),
    duration: 0,
  })
  expect(await read(outbound.id)).toMatchObject({ status: 'failed', endReason: 'timeout' })
  expect(await read(talking.id)).toMatchObject({ endedAt: null })
  clock = hours(6)
  expect(await endSilentCalls(parts(), fail)).toBe(2)
  // An hour of talk was heard of; the silence after it is none.
  expect(await read(talking.id)).toMatchObject({
    status: 'completed',
    endReason: 'timeout',
    duration: 3_600,
    drafts: [{ status: 'pending_review' }],
  })
  expect(await read(heard.id)).toMatchObject({ status: 'completed', duration: 3_600, transcriptStatus: 'available' })
  expect(await endSilentCalls(parts(), fail)).toBe(0)
  const ends = (await eventsOf(service, api))
    .filter(({ type }) => type === 'call.ended' || type === 'call.missed')
    .map(({ type, data }) => [type, data.callId])
  expect(ends).toEqual([
    ['call.missed', ended.id],
    ['call.missed', ringing.id],
    ...[
      ['call.ended', talking.id],
      ['call.ended', heard.id],
    ].sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1)),
  ])
})

test('one that cannot be ended does not keep the others', async () => {
  clock = hours(10)
  const [broken, fine] = [await begin(), await begin()]
  await service.database.query(
    sql`update calls set record = jsonb_set(record::jsonb, '{summary}', '{"not":"a text"}')::json where id = ${broken.id}`,
  )
  clock = hours(20)
  const troubles: Error[] = []
  expect(await endSilentCalls(parts(), (error) => troubles.push(error))).toBe(1)
  expect(troubles).toHaveLength(1)
  expect((await service.api.get(`/calls/${fine.id}`)).body.status).toBe('missed')
})

test('more than one batch of them', async () => {
  clock = hours(30)
  await Promise.all(
    Array.from({ length: 130 }, (_, index) => begin({ from: `+1555020${String(index).padStart(4, '0')}` })),
  )
  clock = hours(40)
  expect(await endSilentCalls(parts(), () => {})).toBe(130)
})

test('a report that tells nothing new still tells that the call goes on', async () => {
  const { api } = service
  clock = hours(50)
  const ends = { from: '+15550100501', to: '+15559999999' }
  const segments = [{ sequence: 0, speaker: 'caller', text: 'hm', startMs: 0 }]
  const externalRefs = [{ system: 'pbx', externalId: 'vm-alive' }]
  const [patched, posted, spoken, left, silent] = [
    await begin({ ...ends, status: 'in_progress' }),
    await begin({ ...ends, providerCallId: 'CA-alive' }),
    await begin({ ...ends, status: 'in_progress' }),
    await begin(ends),
    await begin(ends),
  ]
  const voicemail = { callerNumber: ends.from, callSessionId: left.id, externalRefs }
  await api.post(`/calls/${spoken.id}/segments`, { segments })
  await api.post('/voicemails', voicemail)
  const revisions = () =>
    service.database.query(sql`select call_id, revision from call_activity where is_live order by call_id`)
  const before = await revisions()
  clock = hours(53)
  const again = [
    await api.patch(`/calls/${patched.id}`, { status: 'in_progress' }),
    await api.post('/calls', { direction: 'inbound', ...ends, providerCallId: 'CA-alive' }),
    await api.post(`/calls/${spoken.id}/segments`, { segments }),
    await api.post('/voicemails', voicemail),
  ]
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  // Nobody who looks on is bothered with it.
  expect(await revisions()).toEqual(before)
  const read = async ({ id }: { id: string }) => (await api.get(`/calls/${id}`)).body
  clock = hours(56)
  expect(await endSilentCalls(parts(), () => {})).toBe(1)
  expect(await read(silent)).toMatchObject({ endReason: 'timeout' })
  for (const call of [patched, posted, spoken, left])
    expect(await read(call)).toMatchObject({ endedAt: null, version: call === left ? 2 : 1 })
  clock = new Date(hours(57).getTime() + 1)
  expect(await endSilentCalls(parts(), () => {})).toBe(4)
  expect(await read(patched)).toMatchObject({ endedAt: hours(53).toISOString(), duration: 3 * 3_600 })
  // Once it has ended, nothing that comes late makes it sound alive.
  const heardOf = () =>
    service.database.query(sql`select is_live, reported_at from call_activity where call_id = ${patched.id}`)
  const ended = await heardOf()
  clock = hours(58)
  await api.patch(`/calls/${patched.id}`, { status: 'in_progress' })
  expect(await heardOf()).toEqual(ended)
})

test('a report that changes nothing, in the very moment of the end, keeps the call alive', async () => {
  const { api } = service
  clock = hours(107)
  const segments = [{ sequence: 0, speaker: 'caller', text: 'hm', startMs: 0 }]
  const call = await begin({ status: 'in_progress' })
  await api.post(`/calls/${call.id}/segments`, { segments })
  clock = hours(112)
  let reports = 0
  const database: Database = {
    ...service.database,
    async read<T extends unknown[]>(statement: Sql) {
      const rows = await service.database.read<T>(statement)
      const isLook = statement.parts.join('').includes('select a.reported_at') && statement.values.includes(call.id)
      if (isLook && reports++ === 0)
        expect((await api.post(`/calls/${call.id}/segments`, { segments })).status).toBe(200)
      return rows
    },
  }
  await endSilentCalls({ ...parts(), database }, () => {})
  expect(reports).toBe(2)
  expect((await api.get(`/calls/${call.id}`)).body).toMatchObject({ endedAt: null, status: 'in_progress' })
})
