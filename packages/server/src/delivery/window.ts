// How many requests a worker has under way to each subscription, and how many it may have. The number grows with every success and is halved by every failure, so
// that a healthy endpoint gets all it can take and one that hangs holds a few slots, whatever waits for it.

const windowFirst = 8
const windowMax = 64
const windowMin = 2
/** Subscriptions with nothing under way that are remembered. */
const rememberedMax = 10_000

interface Window {
  underWay: number
  size: number
  /** More may be waiting in the database than this worker has taken. */
  hasBacklog: boolean
}

export interface Windows {
  /** Room of a subscription that nothing is known of. */
  readonly roomFirst: number
  /** Room of the others. */
  rooms(): Map<string, number>
  begin(subscriptionId: string): void
  /** Says whether it is worth claiming again: when half of the window is free, so that claims come in batches. */
  end(subscriptionId: string, isSuccess: boolean): boolean
  setBacklog(subscriptionId: string, hasBacklog: boolean): void
}

export function createWindows(): Windows {
  const windows = new Map<string, Window>()

  function windowOf(subscriptionId: string): Window {
    const known = windows.get(subscriptionId)
    if (known) return known
    const made: Window = { underWay: 0, size: windowFirst, hasBacklog: false }
    windows.set(subscriptionId, made)
    if (windows.size > rememberedMax) forgetIdle(windows)
    return made
  }

  return {
    roomFirst: windowFirst,
    rooms() {
      return new Map([...windows].map(([id, { size, underWay }]) => [id, Math.max(0, Math.floor(size) - underWay)]))
    },
    begin(subscriptionId) {
      windowOf(subscriptionId).underWay++
    },
    end(subscriptionId, isSuccess) {
      const window = windowOf(subscriptionId)
      window.underWay--
      window.size = isSuccess ? Math.min(windowMax, window.size + 1) : Math.max(windowMin, window.size / 2)
      return window.hasBacklog && window.underWay <= window.size / 2
    },
    setBacklog(subscriptionId, hasBacklog) {
      windowOf(subscriptionId).hasBacklog = hasBacklog
    },
  }
}

function forgetIdle(windows: Map<string, Window>): void {
  for (const [id, { underWay }] of windows) {
    if (windows.size <= rememberedMax / 2) return
    if (underWay === 0) windows.delete(id)
  }
}
