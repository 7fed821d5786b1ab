// Kills the real server at random moments under a mixed load and starts it again. Whatever was acknowledged must be
// there with its events, nothing may be there twice, and nothing by half. CRASH_WRITES=2000 runs it at full size.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/pool.js'
import { raw, sql } from '../../src/database/sql.js'
import { createTestDatabase, type TestDatabase } from '../support/databases.js'
import { endPrograms, newDataDir, type Program, serveProgram } from '../support/program.js'
import { type Answer, clientOf } from '../support/service.js'

const WRITES = Number(process.env['CRASH_WRITES'] ?? 300)
const WORKERS = 16
const KILLS = 3

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(async () => {
  await endPrograms()
  await testDatabase.drop()
})

/**
 * What was acknowledged: a record, the events that must tell of it, by type and number, and what its last write said.
 */
interface Kept {
  readonly table: string
  readonly id: string
  readonly events: Readonly<Record<string, number>>
  readonly fields?: Readonly<Record<string, unknown>>
}

interface Load {
  left: number
  readonly kept: Kept[]
  readonly segments: Map<string, number>
  readonly keys: { count: number }
}

/** A row as it is stored: the record is what the API answers with. */
type Stored = { id: string; record: Record<string, unknown> }

type Send = (method: string, path: string, body: object) => Promise<Answer>

/** The phone number of the n-th thing, so that each makes a person of its own. */
const phoneOf = (index: number): string => `+1555${String(index).padStart(7, '0')}`

/** One thing that a client does, in as many writes as it takes. */
const deeds: readonly ((send: Send, load: Load, index: number) => Promise<void>)[] = [
  async (send, { kept }, index) => {
    const task = await send('POST', '/tasks', { title: `Task ${index}` })
    kept.push({ table: 'tasks', id: task.body.id, events: { 'task.created': 1 } })
  },
  async (send, { kept }, index) => {
    const person = await send('POST', '/people', { displayName: `Person ${index}` })
    kept.push({ table: 'people', id: person.body.id, events: { 'person.created': 1 } })
    const work = await send('POST', '/work-records', {
      title: `Work ${index}`,
      canonicalKind: 'job',
      personId: person.body.id,
    })
    await send('PATCH', `/work-records/${work.body.id}`, { status: 'underway' })
    const events = { 'work_record.created': 1, 'work_record.updated': 1 }
    kept.push({ table: 'work_records', id: work.body.id, events, fields: { status: 'underway' } })
  },
  async (send, { kept, segments }, index) => {
    const call = await send('POST', '/calls', {
      direction: 'inbound',
      from: phoneOf(index),
      to: '+15559999999',
      status: 'in_progress',
    })
    const path = `/calls/${call.body.id}`
    const batch = Array.from({ length: 5 }, (_, sequence) => ({
      sequence,
      speaker: 'caller',
      text: `line ${sequence}`,
      startMs: sequence,
    }))
    await send('POST', `${path}/segments`, { segments: batch })
    const facts = await send('POST', `${path}/facts`, { facts: [{ key: 'number', value: index }] })
    await send('PATCH', path, { outcome: `Outcome ${index}` })
    const ended = await send('POST', `${path}/end`, { summary: 'Done', draft: { title: `Draft ${index}` } })
    segments.set(call.body.id, 5)
    const fields = { outcome: `Outcome ${index}`, summary: 'Done', status: 'completed' }
    kept.push({ table: 'calls', id: call.body.id, events: { 'call.started': 1, 'call.ended': 1 }, fields })
    const [draft] = ended.body.drafts
    kept.push({ table: 'drafts', id: draft.id, events: { 'draft.created': 1 }, fields: { status: 'pending_review' } })
    kept.push({ table: 'people', id: call.body.personId, events: { 'person.created': 1 } })
    kept.push({ table: 'facts', id: facts.body.data[0].id, events: { 'fact.proposed': 1 } })
  },
  async (send, { kept, segments }, index) => {
    const call = await send('POST', '/calls', {
      direction: 'inbound',
      from: phoneOf(3_000_000 + index),
      to: '+15559999999',
      status: 'in_progress',
    })
    const { id: callSessionId, personId } = call.body
    const draft = await send('POST', '/drafts', { callSessionId, title: `Approved ${index}`, canonicalKind: 'job' })
    await send('POST', `/calls/${callSessionId}/end`, {})
    const approved = await send('POST', `/drafts/${draft.body.id}/approve`, { payload: { priority: 'high' } })
    const { id, workRecordId } = approved.body
    segments.set(callSessionId, 0)
    kept.push({
      table: 'calls',
      id: callSessionId,
      events: { 'call.started': 1, 'call.ended': 1 },
      fields: { workRecordId },
    })
    kept.push({ table: 'people', id: personId, events: { 'person.created': 1 } })
    kept.push({
      table: 'drafts',
      id,
      events: { 'draft.created': 1, 'draft.approved': 1 },
      fields: { status: 'approved', workRecordId },
    })
    kept.push({
      table: 'work_records',
      id: workRecordId,
      events: { 'work_record.created': 1 },
      fields: { draftId: id, priority: 'high' },
    })
  },
  async (send, { kept }, index) => {
    const text = await send('POST', '/sms/inbound', {
      from: phoneOf(1_000_000 + index),
      to: '+15559999999',
      body: 'Hello',
      providerMessageId: `SM${index}`,
    })
    kept.push({ table: 'sms', id: text.body.id, events: { 'sms.received': 1 } })
  },
  async (send, { kept }, index) => {
    const voicemail = await send('POST', '/voicemails', {
      callerNumber: phoneOf(2_000_000 + index),
      transcript: 'Please call',
    })
    kept.push({ table: 'voicemails', id: voicemail.body.id, events: { 'voicemail.received': 1 } })
  },
]

/** Keeps sending one request under one key until somebody answers it. */
function persistent(server: { program: Program; key: string }, load: Load): Send {
  return async (method, path, body) => {
    const key = `write-${++load.keys.count}`
    load.left--
    for (const deadline = Date.now() + 200_000; ; await sleep(50)) {
      const answer = await clientOf(server.program.url, server.key)
        .request(method, path, body, { 'idempotency-key': key })
        .catch(() => undefined)
      if (answer && answer.status < 300) return answer
      if (answer && answer.status !== 503) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      if (Date.now() > deadline) throw new Error(`${method} ${path} was never answered`)
    }
  }
}

test(`kill -9 at random moments during ${WRITES} writes loses nothing and doubles nothing`, async () => {
  const env = {
    DATABASE_URL: testDatabase.url,
    PARLEY_SECRET: 'a secret for tests only',
    PARLEY_DATA_DIR: await newDataDir(),
    PARLEY_RATE_LIMIT_WRITE: '100000:100000',
    PARLEY_RATE_LIMIT_READ: '100000:100000',
  }
  const program = await serveProgram(env)
  const server = { program, key: (await program.firstRun()).keys.test }
  const load: Load = { left: WRITES, kept: [], segments: new Map(), keys: { count: 0 } }
  let started = 0
  const work = Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const send = persistent(server, load)
      while (load.left > 0) {
        const index = ++started
        await deeds[index % deeds.length]?.(send, load, index)
      }
    }),
  )
  for (let kill = 1; kill <= KILLS; kill++) {
    const left = WRITES - (WRITES / (KILLS + 1)) * (kill - 0.4 + Math.random() * 0.8)
    while (load.left > left) await sleep(5)
    await sleep(Math.random() * 20)
    server.program.signal('SIGKILL')
    await server.program.finished
    server.program = await serveProgram(env)
  }
  await work
  await server.program.stop()

  const database = openDatabase({ url: testDatabase.url, connections: 2, statementTimeoutMs: 10_000 })
  try {
    await requireEachKeptOnce(load)
    await requireNoEventAlone()
  } finally {
    await database.close()
  }

  /**
   * Every acknowledged record is there, with its events, and there is no other: a write that was sent again is not a
   * second one.
   */
  async function requireEachKeptOnce({ kept, segments }: Load): Promise<void> {
    const logged = await database.query<{ subject_id: string; type: string; count: number }>(
      sql`select subject_id, type, count(*)::int as count from events group by 1, 2`,
    )
    const counts = new Map(logged.map(({ subject_id, type, count }) => [`${subject_id} ${type}`, count]))
    for (const table of new Set(kept.map((one) => one.table))) {
      const expected = kept.filter((one) => one.table === table)
      const rows = new Map(
        (await database.query<Stored>(sql`select id, record from ${raw(table)}`)).map(({ id, record }) => [id, record]),
      )
      expect(expected.filter(({ id }) => !rows.has(id)).map(({ id }) => `${table} ${id} is lost`)).toEqual([])
      const others = ['people'].includes(table)
        ? kept.filter((one) => one.table === 'sms' || one.table === 'voicemails').length
        : 0
      expect(rows.size, table).toBe(new Set(expected.map(({ id }) => id)).size + others)
      for (const { id, events, fields = {} } of expected) {
        for (const [type, count] of Object.entries(events))
          expect(counts.get(`${id} ${type}`), `${type} of ${id}`).toBe(count)
        expect(rows.get(id), `${table} ${id}`).toMatchObject(fields)
      }
    }
    const calls = await database.query<{ call_id: string; segment_count: number; segments: number; is_live: boolean }>(
      sql`select a.call_id, a.segment_count, a.is_live, (select count(*)::int from call_segments s where s.call_id = a.call_id) as segments from call_activity a`,
    )
    for (const { call_id, segment_count, segments: stored, is_live } of calls) {
      expect([segment_count, stored, is_live]).toEqual([segments.get(call_id), segments.get(call_id), false])
    }
    const [numbers] = await database.query(
      sql`select count(*)::int as records, count(distinct record ->> 'number')::int as numbers from work_records`,
    )
    expect(numbers?.['numbers']).toBe(numbers?.['records'])
  }

  async function requireNoEventAlone(): Promise<void> {
    const subjects = {
      task: 'tasks',
      person: 'people',
      work_record: 'work_records',
      call: 'calls',
      sms: 'sms',
      voicemail: 'voicemails',
      fact: 'facts',
      draft: 'drafts',
    }
    for (const [name, table] of Object.entries(subjects)) {
      const alone = await database.query(
        sql`select type, subject_id from events e where type like ${`${name}.%`} and not exists (select from ${raw(table)} r where r.id = e.subject_id)`,
      )
      expect(alone).toEqual([])
    }
    const [messages] = await database.query(
      sql`select count(*)::int as said, (select sum((record ->> 'messageCount')::int)::int from conversations) as counted from messages`,
    )
    expect(messages?.['counted']).toBe(messages?.['said'])
  }
})
