// What a handler sees through its work: records as its own writes leave them, and nothing older than a fence that it
// has read.
import { notes, type Row, tasks } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newRecord } from '../../src/resources/generic/record-values.js'
import { commit } from '../../src/store/commit.js'
import { fenceNamed, finding, findingNewest } from '../../src/store/reader.js'
import { noContent } from '../../src/store/response.js'
import { Work } from '../../src/store/work.js'
import { committing, systemWork } from '../support/committing.js'
import { tenantOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

let service: Service
let sample: Work
let work: Work
const newWork = () => new Work(service.database, sample.caller, new Date(), 'test')
beforeAll(async () => {
  service = await startService()
  sample = await systemWork(service.database, await tenantOf(service, service.api))
})
beforeEach(() => {
  work = newWork()
})
afterAll(() => service.stop())

const done = (by: Work) => commit(committing(service.database), by, noContent)

async function stored(title: string): Promise<Row<typeof tasks>> {
  const made = newWork()
  const task = made.insert(tasks, newRecord(tasks, made, { title, source: 'api' }))
  await done(made)
  return task
}

describe('a read after a write', () => {
  test('sees what is made, changed and removed, in the order of the ids and within the limit', async () => {
    const source = `seen-${Date.now()}`
    const [first, second, third] = [await stored(source), await stored(source), await stored(source)]
    const fourth = work.insert(tasks, newRecord(tasks, work, { title: source, source: 'api' }))
    work.update(tasks, { ...second, title: 'Another' })
    work.remove(tasks, first)
    const found = await work.find(tasks, { id: [first.id, second.id, third.id, fourth.id] })
    expect(found.map(({ id }) => id)).toEqual([second.id, third.id, fourth.id])
    expect(await work.find(tasks, { id: [first.id, third.id] }, 1)).toMatchObject([{ id: third.id }])
    const [newest] = await work.lookUp(findingNewest(tasks, { id: [first.id, third.id, fourth.id] }, 2))
    expect(newest.map(({ id }) => id)).toEqual([fourth.id, third.id])
    expect(await work.get(tasks, first.id)).toBeUndefined()
    expect(await work.get(tasks, second.id)).toMatchObject({ title: 'Another', version: 2 })
    expect(await work.get(tasks, fourth.id)).toEqual(fourth)
    expect(await work.get(notes, fourth.id)).toBeUndefined()
  })

  test('goes on from there: a record that is written twice gets one version, and is told as it will be', async () => {
    const task = await stored('Twice')
    const once = work.update(tasks, { ...task, title: 'Once' })
    const twice = work.update(tasks, { ...work.current(tasks, task), source: 'manual' })
    expect(twice).toMatchObject({ title: 'Once', source: 'manual', version: 2, updatedAt: once.updatedAt })
    expect(await done(work)).toBe(true)
    expect(await newWork().get(tasks, task.id)).toEqual(twice)
  })

  test('a copy from before the write is no ground for another one', async () => {
    const task = await stored('Stale')
    work.update(tasks, { ...task, title: 'Fresh' })
    expect(() => work.update(tasks, { ...task, source: 'manual' })).toThrow('read it through the work again')
  })
})

describe('what was read before a fence', () => {
  test('is read again after it, unless it came with a fence of its own', async () => {
    const task = await stored('Before')
    const group = [fenceNamed('of its own'), finding(tasks, { id: task.id }, 1)] as const
    await work.fetchAhead([finding(tasks, { id: task.id }, 1)], group)
    const other = newWork()
    other.update(tasks, { ...task, title: 'After' })
    await done(other)
    expect(await work.get(tasks, task.id)).toMatchObject({ title: 'Before' })
    await work.readFence('another')
    expect(await work.get(tasks, task.id)).toMatchObject({ title: 'After' })
    expect(await work.find(tasks, { id: task.id }, 1)).toMatchObject([{ title: 'After' }])
    const [fence, guarded] = await work.lookUp(...group)
    expect(guarded).toMatchObject([{ title: 'Before' }])
    expect(fence).toEqual({ name: 'of its own', seen: 0 })
  })
})
