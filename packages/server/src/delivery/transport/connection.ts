// One open connection to a subscriber, with the HTTP client that speaks on it. The client never dials: when the socket
// is gone, so is the connection.

import type { TLSSocket } from 'node:tls'
import type { Client } from 'undici'

export interface Connection {
  /** Serves this socket only. What comes in while it has no request under way ends the connection. */
  readonly client: Client
  readonly socket: TLSSocket
  /** Whose it is, and where it leads: only requests of the same key go over it. */
  readonly key: string
  /** Until when it may wait for another request, on the clock of `performance`. */
  idleUntilMs: number
}

/** Longer than any connection stays idle here. */
const idleTimeoutMs = 600_000
/**
 * A connection is not used any more this long before the other end may close it: a request on its way then would be
 * lost.
 */
export const closingMarginMs = 1_000

/** Bounds the head of an answer: ten thousand headers end the connection, not the memory. */
const headBytesMax = 32 * 1024

export type ClientClass = typeof Client

/** Loaded when there is somebody to send to: it would be a tenth of the work of starting. */
export async function loadClient(): Promise<ClientClass> {
  // Whichever undici is loaded first sends what `fetch` asks for. Node's own is of another version, and loaded by this.
  void globalThis.Response
  return (await import('undici')).Client
}

export function connectionOn(UsedClient: ClientClass, socket: TLSSocket, origin: string, key: string): Connection {
  return { client: clientOn(UsedClient, socket, origin), socket, key, idleUntilMs: Number.POSITIVE_INFINITY }
}

/** When the socket is gone the client must not connect by itself, since nobody would have judged the address. */
function clientOn(UsedClient: ClientClass, socket: TLSSocket, origin: string): Client {
  let isTaken = false
  return new UsedClient(origin, {
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

/** The client takes its socket at the first request, so one that never had any would leave the socket open. */
export function discard({ client, socket }: Connection): void {
  void client.destroy()
  socket.destroy()
}

/** As far as this process knows. */
export function isOpen({ client, socket }: Connection): boolean {
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
