// What several callers ask at the same time is asked once: by those who come in one turn of the event loop, and by those
// who come while the same question is under way, together, when it is answered. A question is sent after all came who
// share it, so none of them gets an older answer than alone.
/** A question that was sent before is waited for so long: beyond that, to ask again is quicker. */
const UNDER_WAY_MS = 10

export function coalescing(underWayMs = UNDER_WAY_MS): <T>(question: string, ask: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>()
  const underWay = new Map<string, Promise<unknown>>()
  let turn: (() => void)[] = []
  const inNextTurn = (go: () => void) => {
    if (turn.push(go) > 1) return
    setImmediate(() => {
      const all = turn
      turn = []
      for (const one of all) one()
    })
  }
  const send = <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    waiting.delete(question)
    const answer = ask()
    underWay.set(question, answer)
    const end = () => void (underWay.get(question) === answer && underWay.delete(question))
    answer.then(end, end)
    return answer
  }
  return <T>(question: string, ask: () => Promise<T>) => {
    const known = waiting.get(question) as Promise<T> | undefined
    if (known !== undefined) return known
    const before = underWay.get(question)
    const answer = new Promise<T>((resolve) => {
      const sendInNextTurn = () => inNextTurn(() => resolve(send(question, ask)))
      if (before === undefined) sendInNextTurn()
      else whenSettled(before, underWayMs, sendInNextTurn)
    })
    waiting.set(question, answer)
    return answer
  }
}

/** Goes on when the work has ended, either way, or when it takes longer. */
function whenSettled(work: Promise<unknown>, waitMs: number, goOn: () => void): void {
  let isOver = false
  const end = () => {
    clearTimeout(timer)
    if (!isOver) goOn()
    isOver = true
  }
  const timer = setTimeout(end, waitMs)
  work.then(end, end)
}
