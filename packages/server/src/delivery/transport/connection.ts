// Connections to subscribers: opened to one judged address with TLS verified, kept while idle, used again for the same
// subscription, origin and address. It never resolves a name: the caller brings an address that it has judged for this
// very attempt.

import { isIP } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { Client } from 'undici'
import { createDialTurns } from './dial-turns.js'
import type { TransportError } from './transport-error.js'

export interface Target {
  tenantId: string
  /**
   * Connections are its own: what its endpoint sends unasked can decide nothing of another's, not even on the same
   * host.
   */
  subscriptionId: string
  origin: string
  host: string
  port: number
}

export interface Connection {
  /** Serves this socket only. What comes in while it has no request under way ends the connection. */
  readonly client: Client
  readonly socket: TLSSocket
  readonly key: string
  /** Until when it may wait for another request, on the clock of `performance`. */
  idleUntilMs: number
}

export type Opening =
  | { kind: 'open'; connection: Connection; connectMs: number; tlsMs: number }
  | { kind: 'failed'; error: TransportError; detail: string; connectMs: number | null; tlsMs: number | null }

export interface ConnectionOptions {
  /**
   * Holds the trusted authorities. It is made once, because making it for each connection would cost more than the
   * handshake.
   */
  secureContext: SecureContext
  keepAliveMs: number
  idleMax: number
}

export interface Connections {
  /**
   * The order in which to try addresses: where a connection waits, then the others, and last those that could not be
   * reached a moment ago.
   */
  rank(target: Target, addresses: readonly string[]): readonly string[]
  takeIdle(target: Target, address: string): Connection | undefined
  /** Waits for its turn where many are opened at once; `untilMs` is on the clock of `performance`. */
  open(target: Target, address: string, untilMs: number): Promise<Opening>
  /**
   * Gives back a connection on which nothing is under way. An answer on it may have said how long the other side keeps
   * it; without one, what was said before holds.
   */
  keep(connection: Connection, keptForMs?: number | null): void
  discard(connection: Connection): void
  closeIdle(): void
}

/** Nothing is known of the address then, so it is not held against it. */
const lateOpening: Opening = {
  kind: 'failed',
  error: 'timeout',
  detail: 'no time was left to connect',
  connectMs: null,
  tlsMs: null,
}

/** Longer than any connection stays idle here. */
const idleTimeoutMs = 600_000
/**
 * A connection is not used any more this long before the other side may close it: a request on its way then would be
 * lost.
 */
const closingMarginMs = 1_000

export function createConnections({ secureContext, keepAliveMs, idleMax }: ConnectionOptions): Connections {
  const idle = createIdleConnections(idleMax, keepAliveMs)
  const unreachable = createUnreachable()
  const turnOf = createDialTurns()
  return {
    discard,
    keep(connection, keptForMs) {
      const now = performance.now()
      if (keptForMs !== undefined)
        connection.idleUntilMs = keptForMs === null ? Number.POSITIVE_INFINITY : now + keptForMs - closingMarginMs
      connection.idleUntilMs = Math.min(connection.idleUntilMs, now + keepAliveMs)
      idle.add(connection)
    },
    takeIdle: (target, address) => idle.take(keyOf(target, address)),
    closeIdle: idle.clear,
    rank(target, addresses) {
      if (addresses.length === 1) return addresses
      const distance = (address: string) => (idle.has(keyOf(target, address)) ? 0 : unreachable.has(address) ? 2 : 1)
      return addresses.toSorted((a, b) => distance(a) - distance(b))
    },
    async open(target, address, untilMs) {
      await turnOf(target.tenantId)
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return lateOpening
      const opening = await openSocket(target, address, secureContext, leftMs)
      if (opening.kind === 'failed') {
        unreachable.add(address)
        return opening
      }
      const { socket, connectMs, tlsMs } = opening
      const client = clientOn(socket, target.origin)
      const connection: Connection = {
        client,
        socket,
        key: keyOf(target, address),
        idleUntilMs: Number.POSITIVE_INFINITY,
      }
      client.on('disconnect', () => idle.remove(connection))
      return { kind: 'open', connection, connectMs, tlsMs }
    },
  }
}

/** Bounds the head of an answer: ten thousand headers end the connection, not the memory. */
const headBytesMax = 32 * 1024

/** When the socket is gone the client must not connect by itself, since nobody would have judged the address. */
function clientOn(socket: TLSSocket, origin: string): Client {
  let isTaken = false
  return new Client(origin, {
    connect(_options, callback) {
      // The client does not notice a connector that answers at once: it would wait for ever.
      const answer = isTaken
        ? () => callback(new Error('the connection was closed while idle'), null)
        : () => callback(null, socket)
      isTaken = true
      queueMicrotask(answer)
    },
    pipelining: 1,
    maxHeaderSize: headBytesMax,
    // The attempt has its own deadline, which also covers the phases that the client does not see, and the idle
    // connections theirs.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleTimeoutMs,
    keepAliveMaxTimeout: idleTimeoutMs,
    keepAliveTimeoutThreshold: closingMarginMs,
  })
}

function createIdleConnections(idleMax: number, sweepMs: number) {
  /** In the order in which they became idle. A list may be empty until the next sweep. */
  const byKey = new Map<string, Connection[]>()
  const byAge = new Set<Connection>()
  let timer: NodeJS.Timeout | undefined

  /** Closes those whose time is over; `take` does not wait for it. */
  function sweep(): void {
    const now = performance.now()
    for (const connection of byAge) if (connection.idleUntilMs <= now) close(connection)
    for (const [key, same] of byKey) if (same.length === 0) byKey.delete(key)
    timer = byKey.size > 0 ? sweepLater() : undefined
  }

  const sweepLater = () => setTimeout(sweep, sweepMs).unref()

  function remove(connection: Connection): void {
    if (!byAge.delete(connection)) return
    const same = byKey.get(connection.key)
    same?.splice(same.lastIndexOf(connection), 1)
  }

  function close(connection: Connection): void {
    remove(connection)
    discard(connection)
  }

  return {
    remove,
    has: (key: string): boolean => (byKey.get(key)?.length ?? 0) > 0,
    /** The one used last, which is the least likely to be closed by the other side meanwhile. */
    take(key: string): Connection | undefined {
      const same = byKey.get(key)
      for (let connection = same?.pop(); connection !== undefined; connection = same?.pop()) {
        byAge.delete(connection)
        if (isOpen(connection) && connection.idleUntilMs > performance.now()) return connection
        discard(connection)
      }
      return undefined
    },
    add(connection: Connection): void {
      if (!isOpen(connection)) return discard(connection)
      byAge.add(connection)
      const same = byKey.get(connection.key)
      if (same) same.push(connection)
      else byKey.set(connection.key, [connection])
      timer ??= sweepLater()
      if (byAge.size <= idleMax) return
      const [oldest] = byAge
      if (oldest) close(oldest)
    },
    clear(): void {
      for (const connection of byAge) close(connection)
    },
  }
}

/**
 * Addresses that refused or swallowed a connection lately, so that a name with one dead address does not pay for it at
 * every new connection.
 */
function createUnreachable() {
  const rememberedMs = 60_000
  const addressesMax = 1_000
  const since = new Map<string, number>()
  return {
    has: (address: string): boolean =>
      performance.now() - (since.get(address) ?? Number.NEGATIVE_INFINITY) < rememberedMs,
    add(address: string): void {
      since.delete(address)
      since.set(address, performance.now())
      const [oldest] = since.keys()
      if (since.size > addressesMax && oldest !== undefined) since.delete(oldest)
    },
  }
}

/** The client takes its socket at the first request, so one that never had any would leave the socket open. */
function discard({ client, socket }: Connection): void {
  void client.destroy()
  socket.destroy()
}

function keyOf(target: Target, address: string): string {
  return `${target.subscriptionId} ${target.origin} ${address}`
}

/** As far as this side knows. */
function isOpen({ client, socket }: Connection): boolean {
  return !client.destroyed && !socket.destroyed && socket.writable && !socket.readableEnded
}

/**
 * Asked a turn after its last answer: until then Node may not have noticed that the last request went out. One that did
 * not would come before the next. Bytes that nobody asked for and nobody has read yet would be taken for the next
 * answer.
 */
export function isReady(connection: Connection): boolean {
  const { socket } = connection
  return isOpen(connection) && socket.writableLength === 0 && socket.readableLength === 0
}

type SocketOpening =
  | { kind: 'open'; socket: TLSSocket; connectMs: number; tlsMs: number }
  | Extract<Opening, { kind: 'failed' }>

function openSocket(
  { host, port }: Target,
  address: string,
  secureContext: SecureContext,
  withinMs: number,
): Promise<SocketOpening> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let connectedAt: number | undefined
    // A session is not resumed, so that every connection verifies the certificate anew. `servername` is what the
    // certificate must name; an address goes without.
    const socket = connectTls({
      host: address,
      port,
      servername: isIP(host) === 0 ? host : '',
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    })
    const phases = (endedAt: number) => ({
      connectMs: (connectedAt ?? endedAt) - startedAt,
      tlsMs: connectedAt === undefined ? null : endedAt - connectedAt,
    })
    const fail = (error: TransportError, detail: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ kind: 'failed', error, detail, ...phases(performance.now()) })
    }
    const timer = setTimeout(() => fail('timeout', `no connection to ${address} in time`), withinMs)
    socket.setNoDelay(true)
    // The listener stays for the life of the socket: an error that comes while nobody else listens must not end the
    // process.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(connectError(error, connectedAt !== undefined), describe(error)),
    )
    socket.once('connect', () => {
      connectedAt = performance.now()
    })
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      const now = performance.now()
      resolve({ kind: 'open', socket, connectMs: (connectedAt ?? now) - startedAt, tlsMs: now - (connectedAt ?? now) })
    })
  })
}

/**
 * Before the TCP connection stands, whatever is not a time-out or a reset means that the address could not be reached;
 * after it, that TLS failed.
 */
function connectError(error: NodeJS.ErrnoException, isConnected: boolean): TransportError {
  if (error.code === 'ETIMEDOUT') return 'timeout'
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return 'connection_reset'
  return isConnected ? 'tls_error' : 'connection_refused'
}

/** What the log and the operator see of an error: its code and its message, never a payload. */
export function describe(error: NodeJS.ErrnoException): string {
  return error.code === undefined || error.message.includes(error.code)
    ? error.message
    : `${error.code}: ${error.message}`
}
