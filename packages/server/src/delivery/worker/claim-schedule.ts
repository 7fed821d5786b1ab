// When a worker claims: at once for tenants that have something new, and when something is found to be due for
// everything else (retries, what other nodes committed, leases that lapsed). A sweep first asks who has something due,
// without a lock, and then claims for a few tenants at a time, so that a tenant with a new event waits for one short
// claim at most, however much there is to do for others.
import type { DueTenant } from '../queue/sweep.js'

export interface ClaimRound {
  readonly tenants: readonly string[]
  readonly isSweep: boolean
  /** Looks at everything, whatever place was reached. */
  readonly isThorough: boolean
}

export interface ClaimScheduleParts {
  /** There is room for more, and the database takes results. */
  readonly canClaim: () => boolean
  readonly hasRoom: (tenantId: string) => boolean
  readonly findDue: (isThorough: boolean) => Promise<readonly DueTenant[]>
  readonly claim: (round: ClaimRound) => Promise<void>
  readonly onTrouble: (error: Error) => void
}

const tickMs = 200
/**
 * For so long after it had something to do it sweeps by itself, and then only when it is told that something is due.
 */
const livelyMs = 2_000
/**
 * How often a sweep also looks at what lies before the places that were reached: it costs most where there is most to
 * do.
 */
const thoroughMs = 1_000
/** How many subscriptions one claim of a sweep looks at, if they are of several tenants. */
const sweptMax = 50
/** A claim that found nothing where there should be something may have met another worker's, so it looks once more. */
const secondLookMs = 15
/**
 * After so many in a row that found nothing, most likely because the tenant's subscriptions are paused or busy, its
 * news wait as long: otherwise each of them would cost a claim in vain.
 */
const vainMax = 3
/** For so many tenants that is counted; beyond them, anew. */
const vainTenantsMax = 10_000

export class ClaimSchedule {
  /** Tenants that have something new, and those of them that are looked at for the second time. */
  private readonly awake = new Set<string>()
  private readonly lookedAt = new Set<string>()
  /** Claims in a row that found nothing; and for whom news wait, with whether there are any. */
  private readonly inVain = new Map<string, number>()
  private readonly resting = new Map<string, boolean>()
  private readonly timers = new Set<NodeJS.Timeout>()
  /** What the last sweep found and is not claimed yet. */
  private swept: ClaimRound[] = []
  private isSweepsTurn = false
  private isStopped = true
  private isSweepDue = false
  private isThoroughDue = true
  private livelyUntilMs = 0
  private readonly claiming: Lane
  private readonly sweeping: Lane

  constructor(private readonly parts: ClaimScheduleParts) {
    const hasRound = () => this.canClaim() && (this.awake.size > 0 || this.swept.length > 0)
    this.claiming = createLane(hasRound, () => this.claimRound().catch(parts.onTrouble))
    const isSweepDue = () => this.canClaim() && this.isSweepDue
    this.sweeping = createLane(isSweepDue, () => this.sweepOnce().catch(parts.onTrouble))
  }

  start(): void {
    this.isStopped = false
    this.timers.add(setInterval(() => performance.now() < this.livelyUntilMs && this.sweep(), tickMs))
    this.timers.add(setInterval(() => (this.isThoroughDue = true), thoroughMs))
    this.sweep()
  }

  /** Settles when no claim is under way; none is begun any more. */
  async stop(): Promise<void> {
    this.isStopped = true
    for (const timer of this.timers) clearTimeout(timer)
    await Promise.all([this.sweeping.running(), this.claiming.running()])
  }

  /** There is something new for this tenant. */
  tell(tenantId: string): void {
    if (!this.resting.has(tenantId)) return this.wake(tenantId)
    this.resting.set(tenantId, true)
    this.stayLively()
  }

  /** There is something to take for this tenant, or room again. */
  wake(tenantId: string): void {
    this.awake.add(tenantId)
    this.stayLively()
    this.look()
  }

  /** Something is due, whosever it is. */
  sweep(): void {
    this.isSweepDue = true
    this.look()
  }

  wakeLater(tenantId: string, waitMs: number): void {
    this.later(waitMs, () => this.wake(tenantId))
  }

  /** Claims whatever is due, if it can. */
  look(): void {
    this.sweeping.look()
    this.claiming.look()
  }

  /** There may be more where this one came from. */
  repeat(round: ClaimRound): void {
    if (round.isSweep) this.swept.push(round)
    else for (const tenantId of round.tenants) this.awake.add(tenantId)
  }

  foundNothing({ tenants, isSweep }: ClaimRound): void {
    if (isSweep) return
    for (const tenantId of tenants) {
      const times = (this.inVain.get(tenantId) ?? 0) + 1
      if (this.inVain.size >= vainTenantsMax) this.inVain.clear()
      this.inVain.set(tenantId, times)
      if (times >= vainMax) this.rest(tenantId)
      if (this.lookedAt.delete(tenantId)) continue
      this.lookedAt.add(tenantId)
      this.wakeLater(tenantId, secondLookMs)
    }
  }

  foundSomething(tenantId: string): void {
    this.inVain.delete(tenantId)
  }

  private rest(tenantId: string): void {
    if (this.resting.has(tenantId)) return
    this.resting.set(tenantId, false)
    this.later(secondLookMs, () => {
      const hasNews = this.resting.get(tenantId)
      this.resting.delete(tenantId)
      if (hasNews) this.wake(tenantId)
    })
  }

  private later(waitMs: number, act: () => void): void {
    if (this.isStopped) return
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      act()
    }, waitMs)
    this.timers.add(timer)
  }

  private stayLively(): void {
    this.livelyUntilMs = performance.now() + livelyMs
  }

  private canClaim(): boolean {
    return !this.isStopped && this.parts.canClaim()
  }

  private async sweepOnce(): Promise<void> {
    const isThorough = this.isThoroughDue
    this.isSweepDue = false
    this.isThoroughDue = false
    const due = await this.parts.findDue(isThorough)
    if (due.length > 0) this.stayLively()
    this.swept = inGroups(due).map((tenants) => ({ tenants, isSweep: true, isThorough }))
    this.claiming.look()
  }

  /** New events and sweeps take turns: neither makes the other wait for more than one claim. */
  private async claimRound(): Promise<void> {
    const round = (this.isSweepsTurn ? this.swept.shift() : undefined) ?? this.awakeRound() ?? this.swept.shift()
    this.isSweepsTurn = round?.isSweep === false
    if (round) await this.parts.claim(round)
  }

  /** A tenant whose share is taken is left to the sweeps that follow: by then it may have some of it back. */
  private awakeRound(): ClaimRound | undefined {
    const tenants = [...this.awake].filter(this.parts.hasRoom)
    this.awake.clear()
    return tenants.length === 0 ? undefined : { tenants, isSweep: false, isThorough: false }
  }
}

/** Tenants with few subscriptions go together. */
function inGroups(due: readonly DueTenant[]): string[][] {
  const groups: string[][] = []
  let subscriptions = sweptMax
  for (const tenant of due) {
    subscriptions += tenant.subscriptions
    const group = subscriptions > sweptMax ? undefined : groups.at(-1)
    if (group) group.push(tenant.tenantId)
    else {
      groups.push([tenant.tenantId])
      subscriptions = tenant.subscriptions
    }
  }
  return groups
}

interface Lane {
  look(): void
  /** Undefined when nothing is under way. */
  running(): Promise<void> | undefined
}

/** Works for as long as there is something to do, one piece after the other. */
function createLane(isDue: () => boolean, work: () => Promise<void>): Lane {
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await Promise.resolve() // Whoever wakes it in the same moment is served together.
    while (isDue()) await work()
  }

  function look(): void {
    if (!isDue()) return
    running ??= run().finally(() => {
      running = undefined
      look()
    })
  }

  return { look, running: () => running }
}
