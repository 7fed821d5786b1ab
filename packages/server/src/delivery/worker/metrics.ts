// The numbers of the delivery engine, for Prometheus.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { AttemptResult } from '../attempt/attempt.js'
import { errorWord, type Verdict } from '../attempt/judge.js'
import type { Backlog } from '../queue/backlog.js'

export interface DeliveryMetrics {
  attempted(result: AttemptResult, verdict: Verdict): void
  claimed(deliveries: number): void
  /** Settlements that came after the claim was lost. */
  refused(count: number): void
  /** Claims that were given back, or dropped, before anything was sent. */
  withheld(): void
}

const backlogKeptMs = 5_000

export function createDeliveryMetrics(registry: Registry, measure: () => Promise<Backlog>): DeliveryMetrics {
  const registers = [registry]
  const outcomes = labeled(
    new Counter({
      name: 'parley_webhook_deliveries_total',
      help: 'Attempts by what became of their delivery',
      labelNames: ['status'],
      registers,
    }),
  )
  const responses = labeled(
    new Counter({
      name: 'parley_webhook_responses_total',
      help: 'Attempts by status or kind of failure',
      labelNames: ['response'],
      registers,
    }),
  )
  const durations = new Histogram({
    name: 'parley_webhook_attempt_duration_seconds',
    help: 'Time from the name look-up to the response headers or the failure',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const claims = new Counter({
    name: 'parley_webhook_claims_total',
    help: 'Claim statements that found work',
    registers,
  })
  const taken = new Counter({
    name: 'parley_webhook_claimed_deliveries_total',
    help: 'Deliveries taken by claims',
    registers,
  })
  const refusals = new Counter({
    name: 'parley_webhook_settles_refused_total',
    help: 'Results that came after the lease was lost',
    registers,
  })
  const withheldOnes = new Counter({
    name: 'parley_webhook_withheld_total',
    help: 'Deliveries that were claimed and then not sent',
    registers,
  })
  addBacklog(registry, measure)
  return {
    attempted(result, verdict) {
      outcomes(verdict.status)
      responses(result.kind === 'answered' ? String(result.status) : errorWord(result))
      durations.observe(result.durationMs / 1_000)
    },
    claimed(deliveries) {
      claims.inc()
      taken.inc(deliveries)
    },
    refused: (count) => refusals.inc(count),
    withheld: () => withheldOnes.inc(),
  }
}

/** The child of each label value is made once: looking it up by its labels takes several times as long as counting. */
function labeled<Label extends string>(counter: Counter<Label>): (value: string) => void {
  const children = new Map<string, Counter.Internal>()
  return (value) => {
    let child = children.get(value)
    if (child === undefined) children.set(value, (child = counter.labels(value)))
    child.inc()
  }
}

/** Asked of the database when someone looks, and not more often than every few seconds. */
function addBacklog(registry: Registry, measure: () => Promise<Backlog>): void {
  let measuredAt = Number.NEGATIVE_INFINITY
  let known: Promise<Backlog | undefined> = Promise.resolve(undefined)
  const current = () => {
    if (performance.now() - measuredAt < backlogKeptMs) return known
    measuredAt = performance.now()
    known = measure().catch(() => undefined) // The database is away: no number is better than an old one.
    return known
  }
  const gauge = (name: string, help: string, value: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await current()
        if (backlog === undefined) this.reset()
        else this.set(value(backlog))
      },
    })
  gauge(
    'parley_webhook_backlog',
    'Deliveries that are due now, counted up to 10,000 for each subscription',
    ({ due }) => due,
  )
  gauge(
    'parley_webhook_oldest_due_seconds',
    'How long the oldest due delivery has waited',
    ({ oldestMs }) => oldestMs / 1_000,
  )
}
