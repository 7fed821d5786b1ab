// What is read while it is sent must not end as if it were whole, when its organization has left meanwhile.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { untilMoved } from '../../src/http/where-it-lives.js'

const textOf = async (stream: Readable) => {
  const seen: string[] = []
  for await (const chunk of stream) seen.push(String(chunk))
  return seen.join('')
}

test('a stream ends where the organization lives, and breaks off where it does not any more', async () => {
  const pages = () => Readable.from(['first page, ', 'last page'])
  expect(await textOf(untilMoved(pages(), () => true))).toBe('first page, last page')
  expect(await textOf(untilMoved(pages(), async () => true))).toBe('first page, last page')
  await expect(textOf(untilMoved(pages(), async () => false))).rejects.toThrow('is being moved')
})

test('whoever stops reading ends what is read', async () => {
  const source = Readable.from(
    (function* () {
      for (;;) yield 'more'
    })(),
  )
  const stream = untilMoved(source, () => true)
  for await (const _ of stream) break
  expect(source.destroyed).toBe(true)
})
