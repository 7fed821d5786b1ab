// Connections to subscribers: opened to one judged address with TLS verified, kept while idle, used again for the same
// subscription, origin and address. It never resolves a name: the caller brings an address that it has judged for this
// very attempt.

import type { SecureContext } from 'node:tls'
import { type Connection, closingMarginMs, connectionOn, discard, loadClient } from './connection.js'
import { createDialTurns, type DialTurn } from './dial-turns.js'
import { createIdleConnections } from './idle-connections.js'
import { type FailedOpening, openSocket } from './open-socket.js'
import { createUnreachable } from './unreachable.js'

export interface Target {
  tenantId: string
  /**
   * Connections are its own: what its endpoint sends unasked can decide nothing of another's, not even on the same
   * host.
   */
  subscriptionId: string
  /** Its connections do not wait for those of endpoints that are slow, fail or are not known yet. */
  isHealthy: boolean
  origin: string
  host: string
  port: number
}

export type Opening =
  | { kind: 'open'; connection: Connection; connectMs: number; tlsMs: number }
  /** Another request was done with its connection before the turn to open one came. */
  | { kind: 'idle'; connection: Connection }
  | FailedOpening

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
  /**
   * Waits for its turn where many are opened at once, or for a connection that another request is done with, whichever
   * comes first. `untilMs` is on the clock of `performance`.
   */
  open(target: Target, address: string, untilMs: number): Promise<Opening>
  /**
   * Gives back a connection on which nothing is under way. An answer on it may have said how long the subscriber keeps
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

/** Quick enough for 250 new connections a second to endpoints that answer. */
const healthyTurnMs = 4
/** However many of the others there are, their handshakes leave most of the time to requests on open connections. */
const otherTurnMs = 16

export function createConnections({ secureContext, keepAliveMs, idleMax }: ConnectionOptions): Connections {
  const idle = createIdleConnections(idleMax, keepAliveMs)
  const unreachable = createUnreachable()
  const turnOfHealthy = createDialTurns(healthyTurnMs)
  const turnOfOthers = createDialTurns(otherTurnMs)

  /** Undefined when the turn to dial has come. */
  const idleBefore = (turn: DialTurn, key: string): Promise<Connection | undefined> =>
    new Promise((resolve) => {
      const stopWaiting = idle.waitFor(key, (connection) => {
        turn.giveUp()
        resolve(connection)
      })
      void turn.begins.then(() => {
        stopWaiting()
        resolve(undefined)
      })
    })

  async function dial(target: Target, address: string, untilMs: number): Promise<Opening> {
    const UsedClient = await loadClient()
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0) return lateOpening
    const opening = await openSocket(target, address, secureContext, leftMs)
    if (opening.kind === 'failed') {
      unreachable.add(address)
      return opening
    }
    const { socket, connectMs, tlsMs } = opening
    const connection = connectionOn(UsedClient, socket, target.origin, keyOf(target, address))
    connection.client.on('disconnect', () => idle.remove(connection))
    return { kind: 'open', connection, connectMs, tlsMs }
  }

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
      const turn = (target.isHealthy ? turnOfHealthy : turnOfOthers)(target.tenantId)
      const connection = turn && (await idleBefore(turn, keyOf(target, address)))
      return connection ? { kind: 'idle', connection } : dial(target, address, untilMs)
    },
  }
}

function keyOf(target: Target, address: string): string {
  return `${target.subscriptionId} ${target.origin} ${address}`
}
