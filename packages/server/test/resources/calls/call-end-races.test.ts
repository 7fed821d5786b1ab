// Reports of one end that come at once, and words that come in the very moment of it: one end stands, it is told once,
// and nothing said before it is lost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/database/pool.js'
import type { Sql } from '../../../src/database/sql.js'
import { handleWrite, type Input } from '../../../src/http/endpoint.js'
import { finishCall } from '../../../src/resources/calls/call-subresources.js'
import { endSilentCalls } from '../../../src/resources/calls/stale-call-worker.js'
import { commit } from '../../../src/store/commit.js'
import { committing, systemWork } from '../../support/committing.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { type Client, clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let other: Client
let numbers = 0
beforeAll(async () => {
  service = await startService()
  other = clientOf((await service.node()).url, service.api.key)
})
afterAll(() => service.stop())

async function begin() {
  const from = `+1555${String(++numbers).padStart(7, '0')}`
  const made = await service.api.post('/calls', {
    direction: 'inbound',
    from,
    to: '+15559999999',
    startedAt: '2026-03-01T09:00:00.000Z',
  })
  expect(made.status).toBe(201)
  return made.body
}
const end = (id: string, body: object = {}) => service.api.post(`/calls/${id}/end`, body)
const report = (id: string, body: object) => service.api.patch(`/calls/${id}`, body)
const read = async (id: string) => (await service.api.get(`/calls/${id}`)).body

async function endsOf(id: string): Promise<string[]> {
  const told = (await eventsOf(service, service.api)).filter(({ data }) => data.callId === id)
  return told.map(({ type }) => type).filter((type) => type === 'call.ended' || type === 'call.missed')
}

const reaping = () => ({ ...committing(service.database), onCommit: () => {} })
const fail = (error: Error) => {
  throw error
}

test('ends that contradict each other, on two nodes: one stands, and everybody is told the same', async () => {
  for (let round = 0; round < 5; round++) {
    const call = await begin()
    const answers = await Promise.all([
      end(call.id, { outcome: 'missed' }),
      other.post(`/calls/${call.id}/end`, { outcome: 'answered' }),
      report(call.id, { status: 'completed', duration: 5 }),
      other.patch(`/calls/${call.id}`, { status: 'canceled' }),
      other.post(`/calls/${call.id}/end`, { outcome: 'voicemail' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const ended = await read(call.id)
    expect(await endsOf(call.id)).toEqual(
      ended.answeredAt ? ['call.ended'] : ended.status === 'voicemail' ? [] : ['call.missed'],
    )
  }
})

/** A database on which something happens right after someone has looked at what shows that a call was answered. */
function overtaken(callId: string, meanwhile: () => Promise<unknown>) {
  let looks = 0
  const watched = (inner: Database): Database => ({
    ...inner,
    async read<T extends unknown[]>(statement: Sql) {
      const rows = await inner.read<T>(statement)
      if (statement.parts.join('').includes('as talk_ms') && statement.values.includes(callId) && looks++ === 0)
        await meanwhile()
      return rows
    },
    transaction: (opening, use) => inner.transaction(opening, (inside, locks) => use(watched(inside), locks)),
  })
  return { database: watched(service.database), looks: () => looks }
}

const agentSpeaks = (id: string) =>
  service.api.post(`/calls/${id}/segments`, {
    segments: [{ sequence: 7, speaker: 'agent', text: 'Hello', startMs: 0, endMs: 9_000 }],
  })

test('what is said in the very moment of the end is heard', async () => {
  const call = await begin()
  const reapedAt = new Date(Date.now() + 5 * 3_600_000)
  const { database, looks } = overtaken(call.id, () => agentSpeaks(call.id))
  await endSilentCalls({ ...reaping(), database, clock: () => reapedAt }, fail)
  expect(looks()).toBe(2)
  expect(await read(call.id)).toMatchObject({ status: 'completed', endReason: 'timeout', duration: 9 })
  expect(await endsOf(call.id)).toEqual(['call.ended'])
})

test.each([{}, { transcript: 'Caller: Hello?' }])(
  'the end of a call of which more was heard meanwhile does not stand: %j',
  async (body) => {
    const call = await begin()
    const tenantId = await tenantOf(service, service.api)
    const attempt = async (meanwhile: () => Promise<unknown>) => {
      const work = await systemWork(overtaken(call.id, meanwhile).database, tenantId)
      const { caller, now, requestId } = work
      const input = { work, caller, now, requestId, params: { id: call.id }, query: {}, body, ifMatch: undefined }
      const answer = await handleWrite(finishCall, input as unknown as Input)
      return commit(committing(service.database), work, answer)
    }
    await expect(attempt(() => agentSpeaks(call.id))).rejects.toMatchObject({ code: 'PA001' })
    expect(await read(call.id)).toMatchObject({ status: 'ringing', transcriptSegmentCount: 1 })
    expect(await attempt(async () => {})).toBe(true)
    expect(await read(call.id)).toMatchObject({ status: 'completed' })
    expect(await endsOf(call.id)).toEqual(['call.ended'])
  },
)

test('segments and ends in a crowd: a call is missed only if the words came after', async () => {
  for (let round = 0; round < 10; round++) {
    const call = await begin()
    const transcript = round % 2 === 0 ? undefined : 'Caller: Hello?'
    const [spoken, ended] = await Promise.all([
      service.api.post(`/calls/${call.id}/segments`, {
        segments: [{ sequence: 7, speaker: 'agent', text: 'Hello', startMs: 0 }],
      }),
      other.post(`/calls/${call.id}/end`, { transcript }),
    ])
    expect([spoken.status, ended.status]).toEqual([200, 200])
    const wasHeard = ended.body.transcriptSegments.some(({ speaker }: { speaker: string }) => speaker === 'agent')
    expect(ended.body.status).toBe(wasHeard ? 'completed' : 'missed')
    expect(await endsOf(call.id)).toEqual([wasHeard ? 'call.ended' : 'call.missed'])
  }
})
