// The worker: claims what is due and sends it. Woken by commits of this process, and by the watch for everything else:
// retries, what other nodes committed, leases that lapsed. It holds no transaction while a subscriber thinks; wherever
// it crashes, its leases lapse and another worker goes on.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/pool.js'
import { type Unwatch, watch } from '../../queue/due-watch.js'
import type { Sealer } from '../../store/secret-box.js'
import type { Tracing } from '../../telemetry/tracing.js'
import type { Sender } from '../attempt/attempt.js'
import type { RetrySchedule } from '../attempt/judge.js'
import { type Claimed, claimDeliveries, type SubscriptionClaim } from '../queue/claim.js'
import { sqlNow, type WorkerRoom } from '../queue/due-deliveries.js'
import { extendLeases, releaseDeliveries } from '../queue/held-claims.js'
import { forgetWorkers, noteAlive, noteEnd } from '../queue/live-workers.js'
import type { FailurePolicy, Settled } from '../queue/settle.js'
import { createSettler, type Settler } from '../queue/settle-batcher.js'
import { Slots } from '../queue/slots.js'
import { askSweep, type DueTenant, findDueTenants, type Sweep, type SweepRow, toSweep } from '../queue/sweep.js'
import { type ClaimRound, ClaimSchedule } from './claim-schedule.js'
import { createWindows, type Ending } from './concurrency-window.js'
import { createDeliverOne, type DeliverOne, type DeliveryLog, idsOf } from './deliver-one.js'
import { createFailureLog, type FailureLog } from './failure-log.js'
import type { DeliveryMetrics } from './metrics.js'
import { createDestinations, type Destinations } from './subscription-cache.js'
import { type AskedPlace, SweepPlaces } from './sweep-places.js'

export interface LoopParts {
  readonly database: Database
  readonly sealer: Sealer
  readonly sender: Sender
  readonly ladder: RetrySchedule
  readonly metrics: DeliveryMetrics
  readonly log: DeliveryLog
  readonly tracing?: Tracing | undefined
  /** For tests; otherwise leases and due times follow the database's clock. */
  readonly clock?: (() => Date) | undefined
  /** Called when an endpoint is gone or keeps failing. */
  readonly disable: (tenantId: string, subscriptionId: string, cause: DisablingCause) => Promise<void>
  readonly leaseMs?: number | undefined
  /** How many deliveries this process holds at once. */
  readonly slots?: number | undefined
}

/** Why a subscription is to be disabled. What was said by the endpoint of one URL is not held against another one. */
export type DisablingCause = { readonly reason: 'gone'; readonly url: string } | { readonly reason: 'failing' }

/** Deliveries in the hands of this process, unless a test says otherwise. */
export const slotsDefault = 1_024
/**
 * At most 30 s, so that a crash delays no longer; longer than an attempt, and kept up by the heartbeat where that takes
 * longer still.
 */
const leaseMsDefault = 30_000
/** The share of the lease after which it is extended. */
const heartbeatShare = 1 / 6
/** For how long a worker counts as alive: longer than any lease that it took before it wrote that. */
const aliveShare = 1 + 2 * heartbeatShare
/** How often what has waited too long is given back. */
const giveBackMs = 200
const patience: FailurePolicy = { forMs: 5 * 24 * 60 * 60 * 1_000, attempts: 20 }

export class DeliveryLoop {
  private readonly windows = createWindows()
  private readonly destinations: Destinations
  private readonly settler: Settler
  private readonly carry: DeliverOne
  private readonly failures: FailureLog
  private readonly slots: Slots
  /** What this worker has claimed and not ended. */
  private readonly held = new Set<Claimed>()
  private onNothingHeld = () => {}
  private readonly schedule: ClaimSchedule
  private timers: readonly NodeJS.Timeout[] = []
  private unwatch: Unwatch | undefined
  private readonly leaseMs: number
  private isStopped = true
  private readonly id = randomUUID()
  private readonly places: SweepPlaces

  constructor(private readonly parts: LoopParts) {
    const { database, sealer, clock, log, leaseMs = leaseMsDefault, slots = slotsDefault } = parts
    this.leaseMs = leaseMs
    this.slots = new Slots(slots)
    this.places = new SweepPlaces({ leaseMs, forget: (lapsedAt) => this.attempt(forgetWorkers(database, lapsedAt)) })
    this.failures = createFailureLog({ log })
    this.schedule = new ClaimSchedule({
      canClaim: () => this.slots.roomFirst > 0 && !this.settler.isStuck(),
      hasRoom: (tenantId) => this.slots.roomOf(tenantId) > 0,
      findDue: (isThorough) => this.sweep(isThorough),
      claim: (round) => this.claimMore(round),
      onTrouble: (error) => log.warn({ err: error }, 'claiming deliveries failed; it is tried again'),
    })
    const onTrouble = (error: Error) => {
      this.places.leftToLeases()
      log.warn({ err: error }, 'settling deliveries failed; it is tried again')
    }
    const onUnreadable = (subscriptionId: string, error: Error) =>
      log.warn(
        { subscriptionId, err: error },
        'the signing secret of a subscription cannot be opened; its deliveries wait until it can',
      )
    this.destinations = createDestinations({ database, sealer, onUnreadable })
    this.settler = createSettler({
      database,
      patience,
      clock,
      onTrouble,
      onSettled: (settled) => this.onSettled(settled),
    })
    const onGone = ({ tenantId, subscriptionId }: Claimed, url: string) =>
      this.disable(tenantId, subscriptionId, { reason: 'gone', url })
    const { destinations, settler, failures } = this
    this.carry = createDeliverOne({ ...parts, clock, destinations, settler, failures, onGone })
  }

  start(): void {
    this.isStopped = false
    this.timers = [
      setInterval(() => void this.giveBack(this.windows.dismissLate()), giveBackMs),
      setInterval(() => void this.stayAlive(), this.leaseMs * heartbeatShare),
    ]
    void this.stayAlive()
    this.schedule.start()
    const { database, log } = this.parts
    const onTrouble = (error: Error) => log.warn({ err: error }, 'looking for deliveries failed; it is tried again')
    let asked: AskedPlace | undefined
    const isWanted = (row: SweepRow) => asked && this.note(asked, toSweep(row)).length > 0
    this.unwatch = watch<SweepRow>(database, {
      ask: () => {
        asked = this.places.next()
        return askSweep(this.room(true), asked)
      },
      hear: (row) => void ((isWanted(row) || this.places.isQuick) && this.schedule.sweep()),
      onTrouble,
    })
  }

  /** There is something new for this tenant. */
  wake(tenantId: string): void {
    this.schedule.tell(tenantId)
  }

  /** Claims nothing more, finishes and records what is under way. Whatever takes longer is left to its lease. */
  async stop(withinMs: number): Promise<void> {
    this.isStopped = true
    const finish = async () => {
      await this.unwatch?.()
      await this.schedule.stop()
      await this.giveBack(this.windows.dismiss())
      if (this.held.size > 0) await new Promise<void>((resolve) => (this.onNothingHeld = resolve))
      await this.settler.flush()
      await noteEnd(this.parts.database, this.id).catch(() => undefined)
    }
    await Promise.race([finish(), new Promise((resolve) => setTimeout(resolve, withinMs).unref())])
    for (const timer of this.timers) clearTimeout(timer)
    this.failures.close()
  }

  private async giveBack(deliveries: readonly Claimed[]): Promise<void> {
    if (deliveries.length === 0) return
    for (const delivery of deliveries) {
      this.letGo(delivery)
      this.parts.metrics.withheld()
    }
    await releaseDeliveries(this.parts.database, deliveries).catch((error: Error) => {
      this.places.leftToLeases()
      this.parts.log.warn({ err: error }, 'deliveries were left to their leases')
    })
  }

  private hold(delivery: Claimed): void {
    this.held.add(delivery)
    this.slots.take(delivery.tenantId)
  }

  private letGo(delivery: Claimed): void {
    if (this.held.delete(delivery)) this.slots.giveBack(delivery.tenantId)
  }

  private async sweep(isThorough: boolean): Promise<readonly DueTenant[]> {
    const asked = this.places.next()
    return this.note(asked, await findDueTenants(this.parts.database, this.room(isThorough), asked))
  }

  private note(asked: AskedPlace, sweep: Sweep): readonly DueTenant[] {
    this.places.note(asked, sweep)
    return sweep.due
  }

  private room(isThorough: boolean, tenants?: readonly string[]): WorkerRoom {
    return {
      capacity: this.slots.roomFirst,
      tenantSlots: this.slots.tenants(),
      room: this.windows.roomFirst,
      rooms: this.windows.rooms(tenants),
      isThorough,
      now: sqlNow(this.parts.clock),
    }
  }

  private async claimMore(round: ClaimRound): Promise<void> {
    const { database, ladder, metrics } = this.parts
    const { tenants } = round
    const room = this.room(round.isThorough, tenants)
    const attemptsMax = ladder.delaysMs.length
    const holding = { leaseMs: this.leaseMs, attemptsMax, isTraced: this.parts.tracing?.isOn === true }
    const { claimed, turns } = await claimDeliveries(database, { ...room, tenants, ...holding }).catch((error) => {
      // Its answer may have been lost, and the claim made.
      this.places.leftToLeases()
      throw error
    })
    if (this.isStopped) return this.giveBack(claimed)
    if (claimed.length === 0) return this.schedule.foundNothing(round)
    metrics.claimed(claimed.length)
    for (const turn of turns) this.noteTurn(turn)
    if (claimed.length >= room.capacity) this.schedule.repeat(round)
    const loading = this.destinations.load(claimed)
    for (const delivery of claimed) {
      this.hold(delivery)
      if (this.windows.admit(delivery)) void this.deliver(delivery, loading)
    }
  }

  private noteTurn(turn: SubscriptionClaim): void {
    const { isFull, waitMs, place } = turn
    this.schedule.foundSomething(turn.tenantId)
    this.windows.setBacklog(turn, isFull && waitMs === null, place)
    if (isFull && waitMs !== null) this.schedule.wakeLater(turn.tenantId, waitMs)
  }

  private async deliver(delivery: Claimed, loading: Promise<void> | undefined): Promise<void> {
    let ending: Ending = { kind: 'not sent' }
    try {
      if (loading) await loading
      ending = await this.carry(delivery, this.windows.isHealthy(delivery))
    } catch (error) {
      this.places.leftToLeases()
      this.parts.log.warn({ ...idsOf(delivery), err: error }, 'a delivery was left to its lease')
    }
    this.end(delivery, ending)
  }

  private end(delivery: Claimed, ending: Ending): void {
    this.letGo(delivery)
    if (this.held.size === 0) this.onNothingHeld()
    const { next, claimInMs } = this.windows.end(delivery, ending)
    if (next && this.isStopped) void this.giveBack([next])
    else if (next) void this.deliver(next, this.destinations.load([next]))
    if (claimInMs !== null && claimInMs > 0) this.schedule.wakeLater(delivery.tenantId, claimInMs)
    if (claimInMs === 0) this.schedule.wake(delivery.tenantId)
    else this.schedule.look()
  }

  private onSettled({ refused, failing }: Settled): void {
    if (refused > 0) {
      this.parts.metrics.refused(refused)
      this.parts.log.warn({ refused }, 'results came after their lease was lost')
    }
    for (const { tenantId, subscriptionId } of failing) this.disable(tenantId, subscriptionId, { reason: 'failing' })
  }

  private disable(tenantId: string, subscriptionId: string, cause: DisablingCause): void {
    this.parts
      .disable(tenantId, subscriptionId, cause)
      .catch((error: Error) =>
        this.parts.log.warn(
          { subscriptionId, err: error },
          'a subscription was not disabled; the next failure tries again',
        ),
      )
  }

  private async stayAlive(): Promise<void> {
    const { database, clock } = this.parts
    this.attempt(noteAlive(database, this.id, Math.ceil(this.leaseMs * aliveShare), sqlNow(clock)))
    await this.extendLeases()
  }

  /** What is tried again before long, or found out all the same. */
  private attempt(work: Promise<void>): void {
    work.catch((error: Error) => this.parts.log.warn({ err: error }, 'noting which workers live failed'))
  }

  private async extendLeases(): Promise<void> {
    const { database, clock, log } = this.parts
    const old = [...this.held].filter(
      ({ claimedAtMs }) => performance.now() - claimedAtMs > this.leaseMs * heartbeatShare,
    )
    if (old.length === 0) return
    await extendLeases(database, old, this.leaseMs, sqlNow(clock)).catch((error: Error) =>
      log.warn({ err: error }, 'leases were not extended'),
    )
  }
}
