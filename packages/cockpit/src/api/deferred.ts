// Acts that are sent a little later, so that they can be undone: after ten seconds, or at once when the page is left.
// A browser that is killed in between has sent nothing.

export interface Deferred {
  readonly id: string
  /** Sends it now. */
  flush(): void
  /** Forgets it; false when it was sent already. */
  cancel(): boolean
}

export const UNDO_MS = 10_000

const waiting = new Map<string, Deferred>()

/** Puts off `send` under an id of its own; a second one with the same id sends the first. */
export function defer(id: string, send: () => void): Deferred {
  waiting.get(id)?.flush()
  const finish = (then?: () => void) => {
    clearTimeout(timer)
    if (waiting.get(id) !== deferred) return false
    waiting.delete(id)
    then?.()
    return true
  }
  const deferred: Deferred = { id, flush: () => void finish(send), cancel: () => finish() }
  const timer = setTimeout(deferred.flush, UNDO_MS)
  waiting.set(id, deferred)
  return deferred
}

export const deferredOf = (id: string): Deferred | undefined => waiting.get(id)

addEventListener('pagehide', () => {
  for (const deferred of [...waiting.values()]) deferred.flush()
})
