// What several ask at once is asked once, and never answered from before they asked.
import { expect, test } from 'vitest'
import { coalescing } from '../../src/database/coalesce.js'

/** Questions that are answered by the test: `sent` are those that went out, in their order. */
function questions() {
  const sent: PromiseWithResolvers<string>[] = []
  const coalesce = coalescing()
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
  const { sent, ask, untilSent } = questions()
  const answers = [ask(), ask(), ask('page 2')]
  await untilSent(2)
  sent[0]?.resolve('one')
  sent[1]?.resolve('two')
  expect(await Promise.all(answers)).toEqual(['one', 'one', 'two'])
})

test('whoever comes when it has been sent asks again, also when it fails or takes long', async () => {
  const { sent, ask, untilSent } = questions()
  const first = ask()
  await untilSent(1)
  const later = [ask(), ask()]
  await untilSent(2)
  sent[1]?.resolve('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
  sent[0]?.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(sent).toHaveLength(2)
})
