// What a change says of the rows that it writes itself: found by their values as it leaves them, whatever was written
// over or taken back.
import { type AnyRow, tasks } from '@parley/contract'
import { expect, test } from 'vitest'
import { Change } from '../../src/store/change.js'
import { newId } from '../../src/store/id.js'

/** Only what is looked at here. */
const task = (title: string, id = newId(new Date())) => ({ id, title, status: 'open', version: 1 }) as unknown as AnyRow

test('rows are found by their values, as the change leaves them', () => {
  const change = new Change()
  const titled = (title: string) => change.recordsWith(tasks, { title, status: 'open' }).map(({ id }) => id)
  expect(titled('a')).toEqual([])
  const [first, second] = [task('a'), task('b')]
  for (const record of [first, second]) change.write({ kind: 'insert', entity: tasks, record })
  expect([titled('a'), titled('b')]).toEqual([[first.id], [second.id]])
  const saved = change.saved()
  const third = task('a')
  change.write({ kind: 'insert', entity: tasks, record: third })
  change.write({ kind: 'update', entity: tasks, record: task('c', first.id), seen: 1 })
  expect([titled('a'), titled('c')]).toEqual([[third.id], [first.id]])
  change.goBackTo(saved)
  expect([titled('a'), titled('c')]).toEqual([[first.id], []])
  // The place of what was taken back is another row's now.
  const fourth = task('d')
  change.write({ kind: 'insert', entity: tasks, record: fourth })
  expect([titled('a'), titled('d')]).toEqual([[first.id], [fourth.id]])
  const removed = newId(new Date())
  change.write({ kind: 'remove', entity: tasks, id: removed, seen: 1 })
  expect(change.recordsWith(tasks, { status: ['open', 'done'] })).toHaveLength(3)
  expect(change.countOf(tasks)).toBe(4)
})
