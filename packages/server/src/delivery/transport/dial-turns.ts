// Spreads new connections: two are begun at a time, some milliseconds apart, and tenants take turns. A handshake takes
// a millisecond or more of this process, so hundreds at once would hold up every request that has its connection
// already.

/** Undefined when the connection may be opened at once. */
export type DialTurns = (tenantId: string) => Promise<void> | undefined

const perTurnDefault = 2
/** Leaves most of the time to requests on open connections, and is quick enough for 250 new ones a second. */
const turnMs = 8

export function createDialTurns(perTurn = perTurnDefault): DialTurns {
  /** The tenant that was served last is the last one. */
  const waiting = new Map<string, (() => void)[]>()
  let begun = 0
  let isCounting = false

  function countFrom(now: number): void {
    begun = now
    isCounting = begun > 0
    if (isCounting) setTimeout(serve, turnMs)
  }

  function serve(): void {
    let served = 0
    for (const [tenantId, queue] of waiting) {
      if (served === perTurn) break
      served++
      queue.shift()?.()
      waiting.delete(tenantId)
      if (queue.length > 0) waiting.set(tenantId, queue)
    }
    countFrom(served)
  }

  return (tenantId) => {
    if (begun < perTurn && waiting.size === 0) {
      begun++
      if (!isCounting) countFrom(begun)
      return undefined
    }
    return new Promise((resolve) => {
      const queue = waiting.get(tenantId)
      if (queue) queue.push(resolve)
      else waiting.set(tenantId, [resolve])
    })
  }
}
