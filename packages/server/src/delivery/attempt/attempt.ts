// One attempt of one delivery: judge the address, sign the stored bytes, POST them, and report what came back with the
// time each phase took. It decides nothing about the delivery (judge.ts does) and touches no database.

import { randomFillSync } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { webhookHeaders } from '@parley/contract'
import { readUrl } from '../../store/url.js'
import { bareHost, type Network } from '../transport/address-policy.js'
import { createConnections, type Target } from '../transport/connections.js'
import { createLookup, type Lookup } from '../transport/dns-lookup.js'
import { type Phases, postToAny } from '../transport/post.js'
import { createResolver } from '../transport/resolve.js'
import { sampleText } from '../transport/response-sample.js'
import type { TransportError } from '../transport/transport-error.js'
import { sign } from './sign.js'

export interface SendRequest {
  tenantId: string
  /** Whose connections are used, and nobody else's. */
  subscriptionId: string
  url: string
  /** The bytes as they were stored with the event: the same at every attempt. */
  body: Uint8Array
  /** The newest first; both of them while a secret is being rotated. */
  secrets: readonly string[]
  eventId: string
  eventType: string
  deliveryId: string
  /** As the subscriber sees it: counted over all cycles of the delivery. */
  attempt: number
  /** It answered quickly of late, so a new connection to it need not wait for those of others. */
  isHealthy?: boolean
  /** Continues a trace; a new one is begun without it. */
  traceparent?: string
  /**
   * Asked just before the first byte goes out, after all waiting for names and connections. A no ends the attempt as
   * withheld.
   */
  mayWrite?: () => boolean | Promise<boolean>
}

/**
 * Milliseconds that each phase took. Null means that it was not reached; a connection that was used again took 0 to
 * connect.
 */
export interface Timings extends Phases {
  dns: number | null
}

interface Trip {
  startedAt: Date
  /** Up to the response headers or the failure. */
  durationMs: number
  timings: Timings
  /** The header of the specification's signature, for whoever wonders why it does not verify; null before signing. */
  signature: string | null
}

/**
 * `detail` is for the operator's log. It may name an internal address, so it is not shown to the subscriber's owner.
 */
export type AttemptResult = Trip &
  (
    | { kind: 'answered'; status: number; retryAfter: string | null; responseBody: string | null }
    | { kind: 'failed'; error: TransportError; detail: string }
  )

/** Nothing was sent, because it may not be. */
type Withheld = Trip & { kind: 'withheld' }

export interface SenderOptions {
  /** Goes into `User-Agent`. */
  version: string
  /** Networks that may be reached besides public addresses. */
  opened?: readonly Network[]
  /** Covers everything from the name look-up to the response headers. */
  timeoutMs?: number
  /** Covers reading the sample of the body after the headers. */
  bodyTimeoutMs?: number
  /** How long the answer of a name is used again. */
  dnsCacheMs?: number
  lookup?: Lookup
  /**
   * Trusted instead of the authorities that Node knows. A private authority of an installation goes into
   * `NODE_EXTRA_CA_CERTS`.
   */
  ca?: string | undefined
  keepAliveMs?: number
  idleConnectionsMax?: number
  now?: () => Date
}

export interface Sender {
  /** Does not reject for anything the network or the subscriber does. */
  send(request: SendRequest): Promise<AttemptResult | Withheld>
  /** Waits for attempts under way; nothing may be sent afterwards. */
  close(): Promise<void>
}

export function createSender(options: SenderOptions): Sender {
  const attempt = createAttempt(options)
  let underWay = 0
  let onIdle = () => {}
  return {
    async send(request) {
      underWay++
      try {
        return await attempt.make(request)
      } finally {
        underWay--
        if (underWay === 0) onIdle()
      }
    },
    async close() {
      if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      attempt.closeIdle()
    },
  }
}

function createAttempt(options: SenderOptions) {
  const {
    opened = [],
    timeoutMs = 10_000,
    bodyTimeoutMs = 1_000,
    dnsCacheMs = 1_000,
    lookup = createLookup(),
  } = options
  const now = options.now ?? (() => new Date())
  const resolve = createResolver({ lookup, opened, cacheMs: dnsCacheMs, timeoutMs })
  const connections = createConnections({
    secureContext: createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
    keepAliveMs: options.keepAliveMs ?? 4_000,
    idleMax: options.idleConnectionsMax ?? 256,
  })

  async function make(request: SendRequest): Promise<AttemptResult | Withheld> {
    const start = { at: now(), ms: performance.now() }
    const known = targetOf(request.url)
    if (known === undefined) return failed(start, noTimings, null, 'blocked_address', 'the url is not an https URL')
    const answer = resolve(known.host, timeoutMs)
    const resolution = answer instanceof Promise ? await answer : answer
    const dns = performance.now() - start.ms
    if (resolution.kind === 'failed')
      return failed(start, { ...noTimings, dns }, null, resolution.error, resolution.detail)
    const headers = headersOf(request, start.at, options.version)
    const signature = headers[webhookHeaders.signature] ?? null
    const { outcome, phases } = await postToAny(connections, {
      target: targetFor(request, known),
      addresses: resolution.addresses,
      post: {
        path: known.path,
        headers,
        body: request.body,
        bodyWithinMs: bodyTimeoutMs,
      },
      deadlineAt: start.ms + timeoutMs,
      mayWrite: request.mayWrite,
    })
    const timings = { dns, connect: phases.connect, tls: phases.tls, firstByte: phases.firstByte }
    if (outcome.kind === 'withheld') return { kind: 'withheld', ...tripOf(start, performance.now(), timings, null) }
    if (outcome.kind === 'failed') return failed(start, timings, signature, outcome.error, outcome.detail)
    const { head, headersAt } = outcome
    const sample = sampleText(outcome.body, head.encoding, bodyTimeoutMs)
    const responseBody = sample instanceof Promise ? await sample : sample
    // Said one by one: spreading an object takes several times as long, and this is on the way of every request.
    return {
      kind: 'answered',
      status: head.status,
      retryAfter: head.retryAfter,
      responseBody,
      startedAt: start.at,
      durationMs: roundMs(headersAt - start.ms),
      timings: roundTimings(timings),
      signature,
    }
  }

  return { make, closeIdle: connections.closeIdle }
}

/** The beginning of an attempt: the moment, and the same on the clock of `performance`. */
interface Start {
  readonly at: Date
  readonly ms: number
}

function tripOf(start: Start, endedAt: number, timings: Timings, signature: string | null): Trip {
  const durationMs = roundMs(endedAt - start.ms)
  return { startedAt: start.at, durationMs, timings: roundTimings(timings), signature }
}

function failed(
  start: Start,
  timings: Timings,
  signature: string | null,
  error: TransportError,
  detail: string,
): AttemptResult {
  return { kind: 'failed', error, detail, ...tripOf(start, performance.now(), timings, signature) }
}

type FullTarget = Pick<Target, 'origin' | 'host' | 'port'> & { path: string }

const targetFor = (
  { tenantId, subscriptionId, isHealthy = false }: SendRequest,
  { origin, host, port }: FullTarget,
): Target => ({ tenantId, subscriptionId, isHealthy, origin, host, port })

/** Reading a URL takes longer than signing a body, and the same few come again and again. */
const targets = new Map<string, FullTarget | undefined>()
const targetsMax = 10_000

function targetOf(text: string): FullTarget | undefined {
  const known = targets.get(text)
  if (known) return known
  const target = readTarget(text)
  if (targets.size >= targetsMax) targets.clear()
  targets.set(text, target)
  return target
}

/**
 * Undefined when it is not an https URL. Subscriptions are judged when they are written; this is for what may have come
 * into the table otherwise.
 */
function readTarget(text: string): FullTarget | undefined {
  const url = readUrl(text)
  if (url?.protocol !== 'https:') return undefined
  return {
    origin: url.origin,
    host: bareHost(url),
    port: url.port === '' ? 443 : Number(url.port),
    path: url.pathname + url.search,
  }
}

/** Everything that is sent besides the body. */
export function headersOf(
  request: Omit<SendRequest, 'tenantId' | 'subscriptionId' | 'url' | 'isHealthy' | 'mayWrite'>,
  at: Date,
  version: string,
): Record<string, string> {
  const { secrets, eventId, body } = request
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Parley/${version}`,
    traceparent: request.traceparent ?? newTraceparent(),
    [webhookHeaders.event]: request.eventType,
    [webhookHeaders.eventId]: eventId,
    [webhookHeaders.deliveryId]: request.deliveryId,
    [webhookHeaders.attempt]: String(request.attempt),
    ...sign({ secrets, eventId, body, timestamp: Math.floor(at.getTime() / 1000) }),
  }
}

const traceBytes = 24
const random = Buffer.alloc(traceBytes * 256)
let randomUsed = random.length

/**
 * W3C Trace Context, version 00, with the sampled flag. Random bytes are drawn for many at once, because asking for
 * them takes longer than writing them.
 */
function newTraceparent(): string {
  if (randomUsed === random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  const hex = random.toString('hex', randomUsed, randomUsed + traceBytes)
  randomUsed += traceBytes
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`
}

const noTimings: Timings = { dns: null, connect: null, tls: null, firstByte: null }

function roundTimings({ dns, connect, tls, firstByte }: Timings): Timings {
  return {
    dns: dns && roundMs(dns),
    connect: connect && roundMs(connect),
    tls: tls && roundMs(tls),
    firstByte: firstByte && roundMs(firstByte),
  }
}

/** A tenth of a millisecond is enough for a log that people read. */
function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10
}
