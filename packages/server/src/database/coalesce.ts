// What several callers ask in one turn of the event loop is asked once. A question is sent after all came who share it,
// so none of them gets an older answer than alone.

export function coalescing(): <T>(question: string, ask: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>()
  let turn: (() => void)[] = []
  const inNextTurn = (send: () => void) => {
    if (turn.push(send) > 1) return
    setImmediate(() => {
      const all = turn
      turn = []
      for (const one of all) one()
    })
  }
  return <T>(question: string, ask: () => Promise<T>) => {
    const known = waiting.get(question) as Promise<T> | undefined
    if (known !== undefined) return known
    const answer = new Promise<T>((resolve) =>
      inNextTurn(() => {
        waiting.delete(question)
        resolve(ask())
      }),
    )
    waiting.set(question, answer)
    return answer
  }
}
