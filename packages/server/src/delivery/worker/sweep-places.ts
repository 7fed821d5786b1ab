// Where the sweeps of a worker are, and how far each of them goes: once a second a few lanes more of the round over all
// that have something open. The round is a quick one where there is a reason: at the start, when a worker is
// gone, and when this one left deliveries to their leases.
import { type Found, justNowSeconds, type Sweep, type SweepPlace, start } from '../queue/sweep.js'

/** How many lanes of the round a sweep looks at, whether they have something due or not. */
export const roundStep = 20
export const quickStep = 200
const roundEveryMs = 1_000
const foundMax = 1_000

export interface AskedPlace extends SweepPlace {
  /** The round that it is part of. */
  readonly round: number
}

export interface SweepPlacesParts {
  readonly leaseMs: number
  /** What workers left that were gone by then has been looked at. */
  readonly forget: (lapsedAt: string) => void
  /** In milliseconds, as that of `performance` is. */
  readonly clock?: () => number
}

export class SweepPlaces {
  private sweptAt: string | null = null
  private sweptAtMs = Number.NEGATIVE_INFINITY
  private found = new Map<string, Found>()
  private after = start
  private round = 0
  private quick: { readonly lapsedAt: string | null } | undefined
  private isFlooded = false
  private steppedAtMs = Number.NEGATIVE_INFINITY
  /** The first and the last moment at which deliveries were left to their leases, and not looked for since. */
  private left: { readonly firstMs: number; readonly lastMs: number } | undefined
  private readonly clock: () => number

  constructor(private readonly parts: SweepPlacesParts) {
    this.clock = parts.clock ?? (() => performance.now())
    this.beginQuick(null)
  }

  /** The round should not wait for the next look. */
  get isQuick(): boolean {
    return this.quick !== undefined
  }

  /** Deliveries stay claimed by this worker though it does not hold them. */
  leftToLeases(): void {
    const nowMs = this.clock()
    this.left = { firstMs: this.left?.firstMs ?? nowMs, lastMs: nowMs }
  }

  next(): AskedPlace {
    const step = this.stepNow()
    if (step > 0) this.steppedAtMs = this.clock()
    const { after, round } = this
    const sweptAt = this.clock() - this.sweptAtMs < justNowSeconds * 1_000 ? null : this.sweptAt
    return { sweptAt, after, round, step, found: [...this.found.values()] }
  }

  /** Sweeps may overlap: each takes away only what it asked for itself. */
  note(asked: AskedPlace, sweep: Sweep): void {
    this.sweptAt = sweep.sweptAt
    this.sweptAtMs = this.clock()
    this.isFlooded = sweep.isFlooded
    for (const { id } of asked.found) this.found.delete(id)
    for (const one of sweep.found) if (this.found.size < foundMax) this.found.set(one.id, one)
    if (asked.step > 0 && asked.round === this.round) this.moveOn(sweep)
    if (this.quick === undefined) this.beginIfNeeded(sweep)
  }

  private stepNow(): number {
    if (this.quick) return quickStep
    return this.isFlooded || this.clock() - this.steppedAtMs >= roundEveryMs ? roundStep : 0
  }

  private moveOn({ after }: Sweep): void {
    this.after = after ?? start
    if (after !== undefined) return
    this.round++
    const { quick } = this
    this.quick = undefined
    if (quick?.lapsedAt) this.parts.forget(quick.lapsedAt)
  }

  private beginIfNeeded({ lapsedAt }: Sweep): void {
    if (lapsedAt !== null) return this.beginQuick(lapsedAt)
    const lapsedMs = this.clock() - this.parts.leaseMs
    if (this.left === undefined || this.left.firstMs > lapsedMs) return
    const { lastMs } = this.left
    this.left = lastMs > lapsedMs ? { firstMs: lastMs, lastMs } : undefined
    this.beginQuick(null)
  }

  private beginQuick(lapsedAt: string | null): void {
    this.quick = { lapsedAt }
    this.after = start
    this.round++
  }
}
