// Spreads new connections over time: one is begun every few milliseconds, and tenants take turns. A handshake takes a
// millisecond or more of this process, and as much of whoever answers, so hundreds at once would hold up every request
// that has its connection already.

/** A turn that is waited for. Whoever needs it no more gives it up, and the next one comes sooner. */
export interface DialTurn {
  readonly begins: Promise<void>
  giveUp(): void
}

/** Undefined when the connection may be opened at once. */
export type DialTurns = (tenantId: string) => DialTurn | undefined

export function createDialTurns(turnMs: number): DialTurns {
  /** The tenant that was served last is the last one. Nobody's queue is empty. */
  const waiting = new Map<string, Set<() => void>>()
  let isTurnTaken = false

  function takeTurn(): void {
    isTurnTaken = true
    setTimeout(serve, turnMs)
  }

  function serve(): void {
    isTurnTaken = false
    const [first] = waiting
    if (first === undefined) return
    const [tenantId, queue] = first
    const [begin] = queue
    waiting.delete(tenantId)
    if (begin) queue.delete(begin)
    if (queue.size > 0) waiting.set(tenantId, queue)
    takeTurn()
    begin?.()
  }

  function giveUp(tenantId: string, begin: () => void): void {
    const queue = waiting.get(tenantId)
    if (queue?.delete(begin) && queue.size === 0) waiting.delete(tenantId)
  }

  return (tenantId) => {
    if (!isTurnTaken) {
      takeTurn()
      return undefined
    }
    let begin = () => {}
    const begins = new Promise<void>((resolve) => (begin = resolve))
    const queue = waiting.get(tenantId)
    if (queue) queue.add(begin)
    else waiting.set(tenantId, new Set([begin]))
    return { begins, giveUp: () => giveUp(tenantId, begin) }
  }
}
