// How many requests a worker has under way to each subscription, and how many it may have. The number grows while answers come quickly, shrinks when they slow down,
// and is halved by every failure: a healthy endpoint gets all it can take, and one that hangs holds a few slots, whatever waits for it.

const windowFirst = 8
const windowMax = 64
const windowMin = 2
/** Subscriptions with nothing under way that are remembered. */
const rememberedMax = 2_000

/** An answer is slow when it takes this many times as long as the quickest one, plus some milliseconds that mean nothing. */
const slowFactor = 2
const slowMarginMs = 5
/** How far the quickest answer is forgotten with every other one: what was quick last week says little. */
const quickestGrowth = 1.001

/** How an attempt ended, as far as the window is concerned. */
export type Ending = { readonly kind: 'success'; readonly durationMs: number } | { readonly kind: 'failure' } | { readonly kind: 'not sent' }

interface Window {
  underWay: number
  size: number
  quickestMs: number
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
  end(subscriptionId: string, ending: Ending): boolean
  setBacklog(subscriptionId: string, hasBacklog: boolean): void
}

export function createWindows(): Windows {
  const windows = new Map<string, Window>()

  function windowOf(subscriptionId: string): Window {
    const known = windows.get(subscriptionId)
    if (known) return known
    const made: Window = { underWay: 0, size: windowFirst, quickestMs: Number.POSITIVE_INFINITY, hasBacklog: false }
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
    end(subscriptionId, ending) {
      const window = windowOf(subscriptionId)
      window.underWay--
      resize(window, ending)
      return window.hasBacklog && window.underWay <= window.size / 2
    },
    setBacklog(subscriptionId, hasBacklog) {
      windowOf(subscriptionId).hasBacklog = hasBacklog
    },
  }
}

function resize(window: Window, ending: Ending): void {
  if (ending.kind === 'failure') window.size = Math.max(windowMin, window.size / 2)
  if (ending.kind !== 'success') return
  window.quickestMs = Math.min(window.quickestMs * quickestGrowth, ending.durationMs)
  const isSlow = ending.durationMs > window.quickestMs * slowFactor + slowMarginMs
  if (!isSlow) window.size = Math.min(windowMax, window.size + 1)
  else if (window.size > windowFirst) window.size--
}

function forgetIdle(windows: Map<string, Window>): void {
  for (const [id, { underWay }] of windows) {
    if (windows.size <= rememberedMax / 2) return
    if (underWay === 0) windows.delete(id)
  }
}
