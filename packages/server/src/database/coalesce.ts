// What several callers ask at the same time is asked once: by those who come in one turn of the event loop, and by those
// who come while the same question is under way, together, when it is answered. A question is sent after all came who
// share it, so none of them gets an older answer than alone.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A question that was sent before is waited for so long: beyond that, to ask again is quicker. */
const UNDER_WAY_MS = 10

export function coalescing(underWayMs = UNDER_WAY_MS): <T>(question: string, ask: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>()
  const underWay = new Map<string, Promise<unknown>>()
  const send = async <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    const before = underWay.get(question)
    if (before) await settled(before, underWayMs)
    await nextTurn()
    waiting.delete(question)
    const answer = ask()
    underWay.set(question, answer)
    try {
      return await answer
    } finally {
      if (underWay.get(question) === answer) underWay.delete(question)
    }
  }
  return <T>(question: string, ask: () => Promise<T>) => {
    const known = waiting.get(question) as Promise<T> | undefined
    if (known !== undefined) return known
    const answer = send(question, ask)
    waiting.set(question, answer)
    return answer
  }
}

/** Comes back when the work has ended, either way, or when it takes longer. */
function settled(work: Promise<unknown>, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
}
