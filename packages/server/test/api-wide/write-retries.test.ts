// What happens to a write that loses a race, and to one that only looks as if it had: the handler runs again on fresh
// data where that can help, and never more than twice where it cannot.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Row, tasks, workTypeDefinitions } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { newRecord } from '../../src/resources/generic/record-values.js'
import { conflict, raceableConflict } from '../../src/store/api-error.js'
import { commitWithRetry } from '../../src/store/commit-with-retry.js'
import type { Answer } from '../../src/store/response.js'
import { Work } from '../../src/store/work.js'
import { committing, systemWork } from '../support/committing.js'
import { type Service, startService } from '../support/service.js'

let service: Service
let sample: Work
let retried: string[] = []
beforeAll(async () => {
  service = await startService()
  const [tenant] = await service.database.query<{ id: string }>(
    sql`select id from tenants where organization_id = ${service.demo.id} and environment = 'sandbox'`,
  )
  sample = await systemWork(service.database, tenant?.id ?? '')
})
afterAll(() => service.stop())

/** Runs a handler as a request would, and counts how often. */
async function run(handle: (work: Work, runs: number) => Answer | void | Promise<Answer | void>) {
  retried = []
  let runs = 0
  const outcome = await commitWithRetry(
    { ...committing(service.database), onRetry: (part: string) => retried.push(part) },
    (database) => new Work(database, sample.caller, new Date(), 'test'),
    async (work) => handle(work, ++runs),
  ).catch((error: unknown) => error)
  return { outcome, runs }
}

const newTask = (title: string) => newRecord(tasks, sample, { title })
const insertTask = (task: Row<typeof tasks>) => (work: Work) => void work.insert(tasks, task)

describe('a write that can never succeed', () => {
  test('is answered as the conflict it is when it breaks a unique rule of the registry', async () => {
    const twin = newRecord(workTypeDefinitions, sample, { canonicalKind: 'job', label: 'Job' })
    const { outcome, runs } = await run((work) => void work.insert(workTypeDefinitions, twin))
    expect(outcome).toMatchObject({ code: 'conflict', details: { reason: 'unique', fields: ['canonicalKind'] } })
    expect(runs).toBe(2)
    expect(retried).toEqual(['unique work_type_definitions_canonical_kind_key'])
  })

  test('is a bug that names its constraint when no rule covers it', async () => {
    const task = newTask('Twice')
    await run(insertTask(task))
    const { outcome, runs } = await run(insertTask(task))
    expect(outcome).not.toHaveProperty('status')
    expect(String(outcome)).toContain('tasks_pkey')
    expect(runs).toBe(2)
  })

  test('is refused once more at most when the handler itself refuses', async () => {
    const refused = await run(() => Promise.reject(raceableConflict('unique', 'Taken', {})))
    expect(refused).toMatchObject({ runs: 2, outcome: { code: 'conflict' } })
    const final = await run(() => Promise.reject(conflict('state', 'No')))
    expect(final).toMatchObject({ runs: 1, outcome: { code: 'conflict' } })
  })
})

describe('a write that lost a race', () => {
  test('runs again, and what was lost is counted by its part', async () => {
    const task = newTask('Contested')
    await run(insertTask(task))
    const { outcome, runs } = await run((work, count) => {
      const version = count === 1 ? 6 : 1
      work.update(tasks, { ...task, title: 'Won', version })
    })
    expect(outcome).toMatchObject({ kind: 'done', answer: { status: 204 } })
    expect(runs).toBe(2)
    expect(retried).toEqual(['update_tasks'])
  })

  test('is no race within one node, even when the other writer has come and gone in between', async () => {
    const task = newTask('Twice at once')
    await run(insertTask(task))
    const rename = async (work: Work, title: string) => {
      const found = await work.get(tasks, task.id)
      if (found) work.update(tasks, { ...found, title })
    }
    const slow = await run(async (work, count) => {
      await rename(work, 'Slow')
      if (count === 1) await run((other) => rename(other, 'Quick'))
    })
    expect(slow).toMatchObject({ outcome: { kind: 'done' }, runs: 2 })
    expect(retried).toEqual([])
    const [row] = await service.database.query(sql`select record from tasks where id = ${task.id}`)
    expect(row).toMatchObject({ record: { title: 'Slow', version: 3 } })
  })

  test('names the part that failed among several', async () => {
    const task = newTask('One of two')
    await run((work, count) => {
      if (count > 1) return
      work.insert(tasks, task)
      work.addFence({ name: 'never read', seen: 3 })
      work.addStatement(sql`select 1 from not_a_replay where false`, 1)
    })
    // A fence that nobody has bumped yet is made whatever was seen, so what failed is the statement that touched no
    // row.
    expect(retried).toEqual(['extra'])
    expect(await service.database.query(sql`select 1 from tasks where id = ${task.id}`)).toEqual([])
  })

  test.each([
    ['stood still', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000)],
    ['was held up', () => sleep(5_000)],
  ])('runs again when its node %s for so long that the database has given its locks to others', async (_, pass) => {
    const task = newTask('Frozen')
    await run(insertTask(task))
    const { outcome, runs } = await run(async (work, count) => {
      if (count === 2) await pass()
      work.update(tasks, { ...task, title: 'Thawed', version: count === 1 ? 6 : 1 })
    })
    expect(outcome).toMatchObject({ kind: 'done' })
    expect(runs).toBe(3)
    expect(retried).toEqual(['update_tasks', 'connection'])
    const rows = await service.database.query(sql`select record from tasks where id = ${task.id}`)
    expect(rows).toMatchObject([{ record: { title: 'Thawed', version: 2 } }])
  })

  test('gives up at the deadline with the last cause', async () => {
    const { outcome } = await run((work) => void work.update(tasks, newTask('Gone')))
    expect(outcome).toMatchObject({ code: 'unavailable', cause: { message: expect.stringContaining('update_tasks') } })
  })
})

test('an ordinary duplicate runs its handler at most twice, which /metrics counts', async () => {
  await service.api.post('/customers', { displayName: 'First', customerNumber: 'D-1' })
  const before = (await (await fetch(`${service.url}/metrics`)).text()).match(/part="refused"\} (\d+)/)?.[1] ?? '0'
  const answer = await service.api.post(
    '/customers',
    { displayName: 'Second', customerNumber: 'D-1' },
    { 'idempotency-key': 'duplicate-1' },
  )
  expect(answer).toMatchObject({ status: 409, body: { error: { details: { reason: 'unique' } } } })
  const after = (await (await fetch(`${service.url}/metrics`)).text()).match(/part="refused"\} (\d+)/)?.[1]
  expect(Number(after) - Number(before)).toBe(1)
  const again = await service.api.post(
    '/customers',
    { displayName: 'Second', customerNumber: 'D-1' },
    { 'idempotency-key': 'duplicate-1' },
  )
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.text).toBe(answer.text)
})
