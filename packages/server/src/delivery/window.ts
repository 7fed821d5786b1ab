// How many requests a worker has under way to each subscription, and how many it may have. The number grows while answers come quickly, shrinks when they slow down,
// and is halved by every failure: a healthy endpoint gets all it can take, and one that hangs holds a few slots, whatever waits for it.
import type { Claimed, Place, Room } from './queue.js'

const windowFirst = 8
const windowMax = 64
const windowMin = 2
/** More under way than this pace needs would only wait in line at the subscriber, and cost connections. This many are worth their connections however quick it is. */
const perSecondMax = 1_000
const windowQuick = 16
/** An answer is slow when it takes this many times as long as the quickest one, plus some milliseconds that may be the fault of this machine. */
const slowFactor = 4
const slowMarginMs = 10
/** How long the quickest answer counts: an endpoint that has become slower for good is measured anew. */
const quickestForMs = 60_000
/** Where answers are this quick, so many more are claimed ahead, so that a claim need not be waited for. What waits in this process should not wait long. */
const aheadBelowMs = 50
const aheadMax = 64
/** Subscriptions with nothing under way that are remembered. */
const rememberedMax = 2_000

/** How an attempt ended, as far as the window is concerned. */
export type Ending = { readonly kind: 'success'; readonly answeredInMs: number } | { readonly kind: 'failure' } | { readonly kind: 'not sent' }

interface Window {
  underWay: number
  size: number
  quickestMs: number
  quickestAtMs: number
  /** Claimed, and not begun. */
  readonly waiting: Claimed[]
  /** More may be waiting in the database than this worker has taken. */
  hasBacklog: boolean
  /** Up to where first attempts were taken, as long as there is a backlog. */
  reached: Place | undefined
}

export interface Windows {
  /** Room of a subscription that nothing is known of. */
  readonly roomFirst: number
  /** Room of the others. */
  rooms(): Map<string, Room>
  /** What a claim has found: whether there may be more, and up to where first attempts were taken. */
  setBacklog(subscriptionId: string, hasBacklog: boolean, place: Place | undefined): void
  /** True when the delivery may begin; otherwise it waits for another one to end. */
  admit(delivery: Claimed): boolean
  /** What may begin in its place, and whether it is worth claiming more. */
  end(subscriptionId: string, ending: Ending): { readonly next: Claimed | undefined; readonly wantsMore: boolean }
  /** Takes back all that waits. */
  dismiss(): Claimed[]
}

export function createWindows(): Windows {
  const windows = new Map<string, Window>()

  function windowOf(subscriptionId: string): Window {
    const known = windows.get(subscriptionId)
    if (known) return known
    const made: Window = {
      underWay: 0,
      size: windowFirst,
      quickestMs: Number.POSITIVE_INFINITY,
      quickestAtMs: 0,
      waiting: [],
      hasBacklog: false,
      reached: undefined,
    }
    windows.set(subscriptionId, made)
    if (windows.size > rememberedMax) forgetIdle(windows)
    return made
  }

  return {
    roomFirst: windowFirst,
    rooms: () => new Map([...windows].map(([id, window]) => [id, { deliveries: roomOf(window), after: window.reached }])),
    setBacklog(subscriptionId, hasBacklog, place) {
      const window = windowOf(subscriptionId)
      window.hasBacklog = hasBacklog
      window.reached = hasBacklog ? (place ?? window.reached) : undefined
    },
    admit(delivery) {
      const window = windowOf(delivery.subscriptionId)
      if (window.underWay < Math.floor(window.size)) {
        window.underWay++
        return true
      }
      window.waiting.push(delivery)
      return false
    },
    end(subscriptionId, ending) {
      const window = windowOf(subscriptionId)
      window.underWay--
      resize(window, ending)
      const next = window.underWay < Math.floor(window.size) ? window.waiting.shift() : undefined
      if (next) window.underWay++
      // The next claim is made while there is still something to send, and is worth its while.
      return { next, wantsMore: window.hasBacklog && window.waiting.length <= aheadMax / 2 && roomOf(window) >= window.size / 2 }
    },
    dismiss: () => [...windows.values()].flatMap(({ waiting }) => waiting.splice(0)),
  }
}

function roomOf({ size, quickestMs, underWay, waiting }: Window): number {
  const whole = Math.floor(size)
  const ahead = whole >= windowFirst && quickestMs < aheadBelowMs ? aheadMax : 0
  return Math.max(0, whole + ahead - underWay - waiting.length)
}

function resize(window: Window, ending: Ending): void {
  if (ending.kind === 'failure') window.size = Math.max(windowMin, window.size / 2)
  if (ending.kind !== 'success') return
  const nowMs = performance.now()
  if (ending.answeredInMs <= window.quickestMs || nowMs - window.quickestAtMs > quickestForMs) {
    window.quickestMs = ending.answeredInMs
    window.quickestAtMs = nowMs
  }
  const isSlow = ending.answeredInMs > window.quickestMs * slowFactor + slowMarginMs
  const enough = Math.max(windowQuick, Math.min(windowMax, (window.quickestMs * perSecondMax) / 1_000))
  if (!isSlow) window.size = Math.min(enough, window.size + 1)
  else if (window.size > windowFirst) window.size--
}

function forgetIdle(windows: Map<string, Window>): void {
  for (const [id, { underWay, waiting }] of windows) {
    if (windows.size <= rememberedMax / 2) return
    if (underWay === 0 && waiting.length === 0) windows.delete(id)
  }
}
