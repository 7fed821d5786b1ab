// The HTTP metrics, for Prometheus.
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { whenFinished } from './finished-requests.js'

export interface HttpMetrics {
  readonly registry: Registry
  readonly rateLimitFallbacks: Counter
  readonly writeRetries: Counter<'part'>
  readonly standbyReads: Counter<'from'>
}

export function createMetrics(): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const rateLimitFallbacks = new Counter({
    name: 'parley_rate_limit_fallbacks_total',
    help: 'Requests limited per node because Redis was away',
    registers: [registry],
  })
  const writeRetries = new Counter({
    name: 'parley_write_retries_total',
    help: 'Lost races of writes, by the part of the change that lost',
    labelNames: ['part'],
    registers: [registry],
  })
  const standbyReads = new Counter({
    name: 'parley_standby_reads_total',
    help: 'Reads that could go to a standby: answered there, or by the primary because it was late or away',
    labelNames: ['from'],
    registers: [registry],
  })
  return { registry, rateLimitFallbacks, writeRetries, standbyReads }
}

/** What holds the event feed back is a write transaction left open anywhere on the database server. */
export function measureEventHorizon(registry: Registry, ageSeconds: () => Promise<number>): void {
  new Gauge({
    name: 'parley_event_horizon_age_seconds',
    help: 'Age of the oldest open write transaction, which the event feed waits for',
    registers: [registry],
    async collect() {
      this.set(await ageSeconds().catch(() => Number.NaN))
    },
  })
}

export function measureRequests(apps: readonly FastifyInstance[], { registry }: HttpMetrics): void {
  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first header to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const series = new Map<string, Histogram.Internal<string>>()
  for (const app of apps) {
    whenFinished(app, ({ method }, { statusCode, elapsedTime, raw }, _traffic, { url = 'none' }) => {
      if (!raw.writableFinished) return
      // The route and not the path: ids would make a series each.
      const name = `${method} ${url} ${statusCode}`
      const one = series.get(name) ?? durations.labels(method, url, String(statusCode))
      series.set(name, one)
      one.observe(elapsedTime / 1_000)
    })
  }
}
