// What is measured when someone looks at the metrics: the queue of SMS, the connections to the database, open
// streams.
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/pool.js'
import type { Streams } from '../http/sse.js'
import { measureTexts } from '../telephony/sms-queue.js'

/** However often someone looks, the database is asked no more often than this. */
const KEPT_MS = 5_000

export function addGauges(registry: Registry, database: Database, now: () => Date): void {
  addTextGauges(registry, database, now)
  addPoolGauges(registry, database)
}

function addTextGauges(registry: Registry, database: Database, now: () => Date): void {
  const texts = kept(() => measureTexts(database, now()))
  gauge(
    registry,
    'parley_sms_backlog',
    'Texts whose next step is due now, counted up to 10,000',
    async () => (await texts())?.due,
  )
  gauge(
    registry,
    'parley_sms_oldest_due_seconds',
    'How long the oldest due text has waited',
    async () => (await texts())?.oldestSeconds,
  )
}

function addPoolGauges(registry: Registry, { stats }: Database): void {
  gauge(registry, 'parley_db_connections_max', 'Connections that the pool may have', async () => stats().connectionsMax)
  gauge(
    registry,
    'parley_db_connections_busy',
    'Connections of the pool that run a statement',
    async () => stats().busy,
  )
  gauge(registry, 'parley_db_connections_idle', 'Connections of the pool that wait for one', async () => stats().idle)
  gauge(registry, 'parley_db_waiting', 'Statements that wait for a connection', async () => stats().waiting)
  gauge(
    registry,
    'parley_db_reads_in_flight',
    'Short reads on their way through the pipelined connections',
    async () => stats().readsInFlight,
  )
  new Gauge({
    name: 'parley_db_prepared_statements',
    help: 'Statements that a connection has prepared',
    labelNames: ['kind', 'connection'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, counts] of Object.entries(stats().preparedStatements)) {
        for (const [index, count] of counts.entries()) this.set({ kind, connection: String(index + 1) }, count)
      }
    },
  })
}

/** Requests of providers that were refused: somebody may be trying to speak in a provider's name. */
export function refusalCounter(registry: Registry): (provider: string, reason: string) => void {
  const refused = new Counter({
    name: 'parley_inbound_refused_total',
    help: 'Requests to the addresses of providers that were refused, by provider and reason',
    labelNames: ['provider', 'reason'],
    registers: [registry],
  })
  return (provider, reason) => refused.inc({ provider, reason })
}

/** Requests that the request log does not have. */
export function droppedRequests(registry: Registry): (reason: string, requests: number) => void {
  const dropped = new Counter({
    name: 'parley_request_log_dropped_total',
    help: 'Requests that were not kept in the request log, by reason',
    labelNames: ['reason'],
    registers: [registry],
  })
  // Past the rate every request comes here, so a reason is looked up among the labels once.
  const byReason = new Map<string, Counter.Internal>()
  return (reason, requests) => {
    const known = byReason.get(reason) ?? dropped.labels(reason)
    byReason.set(reason, known)
    known.inc(requests)
  }
}

/** Streams whose open ones are counted. */
export function countedStreams(registry: Registry, streams: Streams): Streams {
  let open = 0
  gauge(registry, 'parley_streams_open', 'Server-sent event streams that are open', async () => open)
  return {
    ...streams,
    open: (caller, serve) =>
      streams.open(caller, (stream) => {
        open++
        void stream.closed.then(() => open--)
        return serve(stream)
      }),
  }
}

/** No number is better than an old one. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  measure: () => Promise<number | undefined>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await measure()
      if (value === undefined) this.reset()
      else this.set(value)
    },
  })
}

export function kept<T>(measure: () => Promise<T>, keptMs = KEPT_MS): () => Promise<T | undefined> {
  let measuredAtMs = Number.NEGATIVE_INFINITY
  let known: Promise<T | undefined> = Promise.resolve(undefined)
  return () => {
    if (performance.now() - measuredAtMs < keptMs) return known
    measuredAtMs = performance.now()
    known = measure().catch(() => undefined)
    return known
  }
}
