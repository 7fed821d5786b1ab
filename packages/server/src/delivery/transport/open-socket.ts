// Opens one TLS connection to a judged address, within a time, with the certificate verified. It never resolves a name.

import { isIP } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import type { TransportError } from './transport-error.js'

export interface FailedOpening {
  kind: 'failed'
  error: TransportError
  detail: string
  connectMs: number | null
  tlsMs: number | null
}

export type SocketOpening = { kind: 'open'; socket: TLSSocket; connectMs: number; tlsMs: number } | FailedOpening

export function openSocket(
  { host, port }: { host: string; port: number },
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
