// What several ask at once is asked once, and never answered from before they asked.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalescing } from '../../src/database/coalesce.js'

/** As long as any machine takes. */
const patient = 120_000

/** Questions that are answered by the test: `sent` are those that went out, in their order. */
function questions(underWayMs: number) {
  const sent: PromiseWithResolvers<string>[] = []
  const coalesce = coalescing(underWayMs)
  const ask = (question = 'page 1') =>
    coalesce(question, () => {
      const one = withResolvers()
      sent.push(one)
      return one.promise
    })
  const untilSent = (count: number) => expect.poll(() => sent.length, { interval: 1 }).toBe(count)
  return { sent, ask, untilSent }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
}

function withResolvers(): PromiseWithResolvers<string> {
  let settle: Omit<PromiseWithResolvers<string>, 'promise'> | undefined
  const promise = new Promise<string>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...(settle as Omit<PromiseWithResolvers<string>, 'promise'>) }
}

test('those who come in one turn share an answer, others ask for themselves', async () => {
  const { sent, ask, untilSent } = questions(patient)
  const answers = [ask(), ask(), ask('page 2')]
  await untilSent(2)
  sent[0]?.resolve('one')
  sent[1]?.resolve('two')
  expect(await Promise.all(answers)).toEqual(['one', 'one', 'two'])
})

test('those who come while it is under way get the answer of the next, which is sent after them', async () => {
  const { sent, ask, untilSent } = questions(patient)
  const first = ask()
  await untilSent(1)
  const later = [ask(), ask()]
  await nextTurn()
  later.push(ask())
  sent[0]?.resolve('old')
  expect(await first).toBe('old')
  await untilSent(2)
  sent[1]?.resolve('new')
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
  expect(sent).toHaveLength(2)
})

test('one that fails, or that takes long, keeps nobody else from asking', async () => {
  const { sent, ask, untilSent } = questions(1)
  const failing = ask()
  await untilSent(1)
  const next = ask()
  sent[0]?.reject(new Error('gone'))
  await expect(failing).rejects.toThrow('gone')
  await untilSent(2)
  // The second is not answered, and a third goes out.
  const third = ask()
  await untilSent(3)
  sent[2]?.resolve('third')
  expect(await third).toBe('third')
  sent[1]?.resolve('second')
  expect(await next).toBe('second')
})
