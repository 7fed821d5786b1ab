// Takes one claimed delivery to its subscriber: sends it if it may still be sent, judges the answer, and hands both to
// the settler.
import type { Database } from '../../database/pool.js'
import { readUrl } from '../../store/url.js'
import { noTracing, type Span, type Tracing } from '../../telemetry/tracing.js'
import type { AttemptResult, Sender } from '../attempt/attempt.js'
import { judge, type RetrySchedule, type Verdict } from '../attempt/judge.js'
import { type Claimed, trustMs } from '../queue/claim.js'
import { sqlNow } from '../queue/due-deliveries.js'
import { holdSubscription, releaseDeliveries } from '../queue/held-claims.js'
import { createRenewals, type Renewals } from '../queue/renew-claims.js'
import type { Settler } from '../queue/settle-batcher.js'
import type { Ending } from './concurrency-window.js'
import type { FailureLog } from './failure-log.js'
import type { DeliveryMetrics } from './metrics.js'
import type { Destinations } from './subscription-cache.js'

export interface DeliverOneParts {
  readonly database: Database
  readonly sender: Sender
  readonly destinations: Destinations
  readonly settler: Settler
  readonly ladder: RetrySchedule
  readonly metrics: DeliveryMetrics
  readonly log: DeliveryLog
  readonly failures: FailureLog
  readonly clock: (() => Date) | undefined
  readonly tracing?: Tracing | undefined
  /** Called when the endpoint at this URL is gone for good. */
  readonly onGone: (delivery: Claimed, url: string) => void
}

/** Ids and words only: neither payloads nor secrets. */
export interface DeliveryLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** How long a subscription waits whose secrets cannot be opened, unless it is changed meanwhile. */
const unreadableHoldMs = 60_000

/** Says how it went. Rejects when the database is away: then the delivery is left to its lease. */
export type DeliverOne = (delivery: Claimed, isHealthy: boolean) => Promise<Ending>

export function createDeliverOne(parts: DeliverOneParts): DeliverOne {
  const now = () => parts.clock?.() ?? new Date()
  const { tracing = noTracing } = parts
  const renewals = createRenewals(parts.database, parts.clock)
  return async (delivery, isHealthy) => {
    const destination = parts.destinations.get(delivery, now())
    if (destination.kind === 'gone' || delivery.body === null || delivery.isExhausted) {
      parts.log.warn(
        idsOf(delivery),
        delivery.isExhausted
          ? 'all attempts were begun by workers that did not survive them'
          : 'there is nothing to send, or nowhere to send it to',
      )
      parts.settler.add({
        delivery,
        result: undefined,
        verdict: { status: 'DEAD_LETTERED', lastError: 'timeout' },
        waitMs: null,
      })
      return { kind: 'not sent' }
    }
    if (destination.kind !== 'known') return giveBack(parts, delivery, destination.kind)
    const { url, secrets } = destination
    const { id: deliveryId, tenantId, subscriptionId, eventId, eventType, attempt } = delivery
    const body = Buffer.from(delivery.body)
    const may = () => mayWrite(renewals, delivery)
    const ids = { tenantId, subscriptionId, eventId, deliveryId }
    const what = { ...ids, url, secrets, body, eventType, attempt }
    const span = attemptSpan(tracing, delivery, url)
    const continued = tracing.isPropagated && span.traceparent ? { traceparent: span.traceparent } : {}
    const result = await parts.sender.send({ ...what, ...continued, isHealthy, mayWrite: may })
    endSpan(span, result)
    if (result.kind === 'withheld') {
      parts.metrics.withheld()
      return { kind: 'not sent' }
    }
    const endedAt = now()
    const verdict = judge(delivery.attemptOfCycle, result, endedAt, parts.ladder)
    const waitMs = verdict.status === 'RETRYING' ? verdict.nextAttemptAt.getTime() - endedAt.getTime() : null
    parts.settler.add({ delivery, result, verdict, waitMs })
    report(parts, delivery, result, verdict)
    if (verdict.status === 'FAILED' && verdict.isEndpointGone) parts.onGone(delivery, url)
    // What the subscriber itself took: a new connection says nothing about how busy it is.
    // An address that we may not dial cost nobody anything, so there is nothing to rest from.
    if (result.kind === 'failed' && result.error === 'blocked_address') return { kind: 'not sent' }
    return verdict.status === 'SUCCEEDED'
      ? { kind: 'success', answeredInMs: result.timings.firstByte ?? result.durationMs }
      : { kind: 'failure' }
  }
}

/** Named as an HTTP client's, without the path and the query of the subscriber's address: they may hold a secret. */
function attemptSpan(tracing: Tracing, delivery: Claimed, url: string): Span {
  if (!tracing.isOn) return tracing.start({ name: 'POST', kind: 'client' })
  const known = readUrl(url)
  return tracing.start({
    name: 'POST',
    kind: 'client',
    parent: delivery.traceparent ?? undefined,
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': delivery.attempt > 1 ? delivery.attempt - 1 : undefined,
      'server.address': known?.hostname,
      'server.port': known?.port ? Number(known.port) : 443,
      'url.scheme': 'https',
      'parley.tenant.id': delivery.tenantId,
      'parley.delivery.id': delivery.id,
      'parley.subscription.id': delivery.subscriptionId,
      'parley.event.id': delivery.eventId,
      'parley.event.type': delivery.eventType,
    },
  })
}

function endSpan(span: Span, result: Awaited<ReturnType<Sender['send']>>): void {
  if (result.kind !== 'answered') return span.end(result.kind === 'failed' ? result.error : 'withheld')
  span.set({ 'http.response.status_code': result.status })
  span.end(result.status >= 400 ? String(result.status) : undefined)
}

/**
 * What cannot be sent through no fault of its own keeps its attempts: it is claimed again, at once or when its
 * subscription may have been mended.
 */
async function giveBack(
  { database, metrics, clock }: DeliverOneParts,
  delivery: Claimed,
  why: 'unknown' | 'unreadable',
): Promise<Ending> {
  if (why === 'unreadable') await holdSubscription(database, delivery, unreadableHoldMs, sqlNow(clock))
  await releaseDeliveries(database, [delivery])
  metrics.withheld()
  return { kind: 'not sent' }
}

/**
 * A worker that was frozen, or that waited long for a name or a connection, may have lost what it claimed, or its
 * subscription may have been revoked.
 */
function mayWrite(renewals: Renewals, delivery: Claimed): boolean | Promise<boolean> {
  return performance.now() - delivery.claimedAtMs < trustMs || askAgain(renewals, delivery)
}

async function askAgain(renewals: Renewals, delivery: Claimed): Promise<boolean> {
  for (let knownAtMs = delivery.claimedAtMs; performance.now() - knownAtMs >= trustMs; ) {
    const { isHeld, askedAtMs } = await renewals.renew(delivery)
    if (!isHeld) return false
    // An answer that itself came late is worth nothing: then it is asked again.
    knownAtMs = askedAtMs
  }
  return true
}

function report(
  { metrics, log, failures }: DeliverOneParts,
  delivery: Claimed,
  result: AttemptResult,
  verdict: Verdict,
): void {
  metrics.attempted(result, verdict)
  if (verdict.status !== 'SUCCEEDED') return failures.add(delivery, result, verdict)
  const { id: deliveryId, eventId, subscriptionId, attempt } = delivery
  log.debug({ deliveryId, eventId, subscriptionId, attempt, durationMs: result.durationMs }, 'webhook delivered')
}

export const idsOf = ({ id, eventId, subscriptionId }: Claimed) => ({ deliveryId: id, eventId, subscriptionId })
