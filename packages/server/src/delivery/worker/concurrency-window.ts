// How many requests a worker has under way to each subscription, and how many it may have. The number grows while
// answers come quickly, shrinks when they slow down, and is halved by every failure: a healthy endpoint gets all it can
// take, one that is slow or hangs holds a few slots whatever waits for it, and one that keeps failing rests between
// attempts.
import type { Claimed } from '../queue/claim.js'
import type { Place, Room } from '../queue/due-deliveries.js'

/** Nothing is known of it yet: one, and one more for every quick answer. */
const windowFirst = 1
const windowMax = 64
const windowMin = 1
/** Up to here every answer makes it grow, and from here on slow ones make it shrink. */
const windowSlow = 8
/**
 * More than this pace needs would only wait in line at the subscriber. This many are worth their connections however
 * quick it is.
 */
const perSecondMax = 1_000
const windowQuick = 16
/**
 * Where answers take longer than a second, this many milliseconds of waiting may be under way: one of eight seconds
 * gets eight slots.
 */
const waitingMsMax = 64_000
/**
 * An answer is slow when it takes this many times as long as the quickest one, plus some milliseconds that may be this
 * machine's fault.
 */
const slowFactor = 4
const slowMarginMs = 10
/** How long the quickest answer counts: an endpoint that has become slower for good is measured anew. */
const quickestForMs = 60_000
/** How much the last answer says about how long answers take at present. */
const recentShare = 0.25
/** Claimed ahead, so that a claim need not be waited for: what can begin within this time, and no more than so many. */
const aheadMs = 500
const aheadMax = 64
/**
 * What has waited for longer is given back: its slots are for others, and its claim would not be taken at its word any
 * more.
 */
const waitMaxMs = 1_000
/**
 * Failures in a row that cost no rest. From then on the failing subscriptions of a tenant share a pace of twenty
 * attempts a second, and the tenants that have some share forty.
 */
const failuresFree = 1
const restMs = 50
const restOfAllMs = 1_000 / 40
const restMaxMs = 10_000
/** A rest that is longer than this ends with a sweep. */
const claimedRestMaxMs = 200
/** Who failed last longer ago than this has nothing to send at present, and takes nothing of the pace. */
const failingForMs = 2 * restMaxMs
/** An endpoint that takes longer than this is not healthy, even if it succeeds. */
const healthyMs = 1_000
/** Subscriptions with nothing under way that are remembered. */
const rememberedMax = 2_000

/** How an attempt ended, as far as the window is concerned. */
export type Ending =
  | { readonly kind: 'success'; readonly answeredInMs: number }
  | { readonly kind: 'failure' }
  | { readonly kind: 'not sent' }

interface Window {
  readonly tenantId: string
  underWay: number
  size: number
  quickestMs: number
  quickestAtMs: number
  /** What answers have taken of late, the last ones counting most. */
  recentMs: number
  failuresInRow: number
  failedAtMs: number
  /** Nothing begins before this moment. */
  restsUntilMs: number
  /** Claimed, and not begun. */
  waiting: Claimed[]
  /** More may be waiting in the database than this worker has taken. */
  hasBacklog: boolean
  /** Up to where first attempts were taken, as long as there is a backlog. */
  reached: Place | undefined
}

type Subscription = Pick<Claimed, 'tenantId' | 'subscriptionId'>

export interface Windows {
  /** Room of a subscription that nothing is known of. */
  readonly roomFirst: number
  /** Room of the others, or of those of these tenants. */
  rooms(tenants?: readonly string[]): Map<string, Room>
  /** Its answers come quickly, and the last one was a success. */
  isHealthy(of: Subscription): boolean
  /** What a claim has found: whether there may be more, and up to where first attempts were taken. */
  setBacklog(of: Subscription, hasBacklog: boolean, place: Place | undefined): void
  /** True when the delivery may begin; otherwise it waits for another one to end. */
  admit(delivery: Claimed): boolean
  /** What may begin in its place, and in how many milliseconds it is worth claiming more; null when it is not. */
  end(of: Subscription, ending: Ending): { readonly next: Claimed | undefined; readonly claimInMs: number | null }
  /**
   * Takes back what has waited too long. Little is claimed ahead for its subscription until answers are quick again.
   */
  dismissLate(): Claimed[]
  /** Takes back all that waits. */
  dismiss(): Claimed[]
}

/** `clock` is in milliseconds, as that of `performance` is. */
export function createWindows(clock: () => number = () => performance.now()): Windows {
  const windows = new Map<string, Window>()

  function windowOf({ tenantId, subscriptionId }: Subscription): Window {
    const known = windows.get(subscriptionId)
    if (known) return known
    const made = newWindow(tenantId)
    windows.set(subscriptionId, made)
    if (windows.size > rememberedMax) forgetIdle(windows)
    return made
  }

  function rest(window: Window, nowMs: number): void {
    const tenants = new Set<string>()
    let failing = 0
    for (const { tenantId, failuresInRow, failedAtMs } of windows.values()) {
      if (failuresInRow <= failuresFree || nowMs - failedAtMs > failingForMs) continue
      tenants.add(tenantId)
      if (tenantId === window.tenantId) failing++
    }
    const pauseMs = failing * Math.max(restMs, tenants.size * restOfAllMs)
    window.restsUntilMs = nowMs + Math.min(restMaxMs, pauseMs)
  }

  return {
    roomFirst: windowFirst,
    rooms(tenants) {
      const nowMs = clock()
      const wanted = tenants && new Set(tenants)
      const rooms = new Map<string, Room>()
      for (const [id, window] of windows)
        if (wanted?.has(window.tenantId) ?? true)
          rooms.set(id, { deliveries: roomOf(window, nowMs), after: window.reached })
      return rooms
    },
    isHealthy(of) {
      const { recentMs, failuresInRow } = windowOf(of)
      return failuresInRow === 0 && recentMs < healthyMs
    },
    setBacklog(of, hasBacklog, place) {
      const window = windowOf(of)
      window.hasBacklog = hasBacklog
      window.reached = hasBacklog ? (place ?? window.reached) : undefined
    },
    admit(delivery) {
      const window = windowOf(delivery)
      if (mayBegin(window, clock())) {
        window.underWay++
        return true
      }
      window.waiting.push(delivery)
      return false
    },
    end(of, ending) {
      const window = windowOf(of)
      const nowMs = clock()
      window.underWay--
      resize(window, ending, nowMs)
      if (ending.kind === 'failure' && window.failuresInRow > failuresFree) rest(window, nowMs)
      const next = mayBegin(window, nowMs) ? window.waiting.shift() : undefined
      if (next) window.underWay++
      return { next, claimInMs: window.hasBacklog ? claimInMs(window, ending, nowMs) : null }
    },
    dismissLate() {
      const nowMs = clock()
      return [...windows.values()].flatMap((window) => dismissLate(window, nowMs))
    },
    dismiss: () => [...windows.values()].flatMap(({ waiting }) => waiting.splice(0)),
  }
}

/**
 * The next claim is made while there is still something to send, and is worth its while. What failed waits for its rest
 * to end, or for a sweep where the rest is long: a crowd of endpoints that refuse at once must not keep the database
 * busy with claims.
 */
function claimInMs(window: Window, ending: Ending, nowMs: number): number | null {
  if (ending.kind === 'failure') {
    const waitMs = Math.max(restMs, window.restsUntilMs - nowMs)
    return waitMs <= claimedRestMaxMs ? waitMs : null
  }
  const hasFewLeft = window.waiting.length <= aheadMax / 2
  return hasFewLeft && roomOf(window, nowMs) >= window.size / 2 ? 0 : null
}

const newWindow = (tenantId: string): Window => ({
  tenantId,
  underWay: 0,
  size: windowFirst,
  quickestMs: Number.POSITIVE_INFINITY,
  quickestAtMs: 0,
  recentMs: Number.NaN,
  failuresInRow: 0,
  failedAtMs: 0,
  restsUntilMs: 0,
  waiting: [],
  hasBacklog: false,
  reached: undefined,
})

const mayBegin = ({ underWay, size, restsUntilMs }: Window, nowMs: number): boolean =>
  underWay < Math.floor(size) && nowMs >= restsUntilMs

function roomOf({ size, recentMs, underWay, waiting, restsUntilMs }: Window, nowMs: number): number {
  if (nowMs < restsUntilMs) return 0
  const whole = Math.floor(size)
  // Nothing where no answer has come yet.
  const ahead =
    whole >= windowSlow && recentMs >= 0 ? Math.min(aheadMax, Math.floor((whole * aheadMs) / Math.max(1, recentMs))) : 0
  return Math.max(0, whole + ahead - underWay - waiting.length)
}

function resize(window: Window, ending: Ending, nowMs: number): void {
  if (ending.kind === 'failure') {
    window.size = Math.max(windowMin, window.size / 2)
    window.failuresInRow++
    window.failedAtMs = nowMs
  }
  if (ending.kind === 'success') noteSuccess(window, ending.answeredInMs, nowMs)
}

function noteSuccess(window: Window, answeredInMs: number, nowMs: number): void {
  window.failuresInRow = 0
  window.restsUntilMs = 0
  if (answeredInMs <= window.quickestMs || nowMs - window.quickestAtMs > quickestForMs) {
    window.quickestMs = answeredInMs
    window.quickestAtMs = nowMs
  }
  const before = Number.isNaN(window.recentMs) ? answeredInMs : window.recentMs
  window.recentMs = before + (answeredInMs - before) * recentShare
  const isSlow = answeredInMs > window.quickestMs * slowFactor + slowMarginMs
  const wanted = isSlow && window.size >= windowSlow ? Math.max(windowSlow, window.size - 1) : window.size + 1
  window.size = Math.max(windowMin, Math.min(wanted, enoughFor(window.recentMs)))
}

function enoughFor(recentMs: number): number {
  return Math.min(
    waitingMsMax / recentMs,
    Math.max(windowQuick, Math.min(windowMax, (recentMs * perSecondMax) / 1_000)),
  )
}

function dismissLate(window: Window, nowMs: number): Claimed[] {
  const isLate = ({ claimedAtMs }: Claimed) => nowMs - claimedAtMs > waitMaxMs
  const late = window.waiting.filter(isLate)
  if (late.length === 0) return late
  window.waiting = window.waiting.filter((delivery) => !isLate(delivery))
  // It lies before the place that was reached, and there is more than was thought.
  window.reached = undefined
  window.hasBacklog = true
  window.recentMs = Math.max(Number.isNaN(window.recentMs) ? 0 : window.recentMs, waitMaxMs)
  return late
}

function forgetIdle(windows: Map<string, Window>): void {
  for (const [id, { underWay, waiting }] of windows) {
    if (windows.size <= rememberedMax / 2) return
    if (underWay === 0 && waiting.length === 0) windows.delete(id)
  }
}
