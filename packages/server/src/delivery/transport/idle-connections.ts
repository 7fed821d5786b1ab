// Connections on which nothing is under way, kept for a while for the next request of the same key. Whoever waits for
// one gets it before it is put aside.

import { type Connection, discard, isOpen } from './connection.js'

export interface IdleConnections {
  has(key: string): boolean
  take(key: string): Connection | undefined
  /** Calls back once, with the next one that becomes idle; the function that comes back ends the waiting. */
  waitFor(key: string, onIdle: (connection: Connection) => void): () => void
  add(connection: Connection): void
  remove(connection: Connection): void
  clear(): void
}

export function createIdleConnections(idleMax: number, sweepMs: number): IdleConnections {
  /** In the order in which they became idle. A list may be empty until the next sweep. */
  const byKey = new Map<string, Connection[]>()
  const byAge = new Set<Connection>()
  const waiters = createWaiters()
  let timer: NodeJS.Timeout | undefined

  /** Closes those whose time is over; `take` does not wait for it. */
  function sweep(): void {
    const now = performance.now()
    for (const connection of byAge) if (connection.idleUntilMs <= now) close(connection)
    for (const [key, same] of byKey) if (same.length === 0) byKey.delete(key)
    timer = byKey.size > 0 ? sweepLater() : undefined
  }

  const sweepLater = () => setTimeout(sweep, sweepMs).unref()

  function remove(connection: Connection): void {
    if (!byAge.delete(connection)) return
    const same = byKey.get(connection.key)
    same?.splice(same.lastIndexOf(connection), 1)
  }

  function close(connection: Connection): void {
    remove(connection)
    discard(connection)
  }

  function putAside(connection: Connection): void {
    byAge.add(connection)
    const same = byKey.get(connection.key)
    if (same) same.push(connection)
    else byKey.set(connection.key, [connection])
    timer ??= sweepLater()
    if (byAge.size <= idleMax) return
    const [oldest] = byAge
    if (oldest) close(oldest)
  }

  return {
    remove,
    waitFor: waiters.add,
    has: (key) => (byKey.get(key)?.length ?? 0) > 0,
    /** The one used last, which is the least likely to be closed by the other end meanwhile. */
    take(key) {
      const same = byKey.get(key)
      for (let connection = same?.pop(); connection !== undefined; connection = same?.pop()) {
        byAge.delete(connection)
        if (isUsable(connection)) return connection
        discard(connection)
      }
      return undefined
    },
    add(connection) {
      if (!isUsable(connection)) return discard(connection)
      const waiter = waiters.first(connection.key)
      if (waiter) waiter(connection)
      else putAside(connection)
    },
    clear() {
      for (const connection of byAge) close(connection)
    },
  }
}

const isUsable = (connection: Connection): boolean => isOpen(connection) && connection.idleUntilMs > performance.now()

type Waiter = (connection: Connection) => void

/** Those who wait for a connection, the first to come being the first to be served. */
function createWaiters() {
  const byKey = new Map<string, Set<Waiter>>()

  function remove(key: string, waiter: Waiter): void {
    const same = byKey.get(key)
    if (same?.delete(waiter) && same.size === 0) byKey.delete(key)
  }

  return {
    add(key: string, waiter: Waiter): () => void {
      const same = byKey.get(key)
      if (same) same.add(waiter)
      else byKey.set(key, new Set([waiter]))
      return () => remove(key, waiter)
    },
    /** It waits no more. */
    first(key: string): Waiter | undefined {
      const [waiter] = byKey.get(key) ?? []
      if (waiter) remove(key, waiter)
      return waiter
    },
  }
}
