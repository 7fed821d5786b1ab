// Watches the connections of a server: how many each address has, and whether those that are waited for make progress.
// A client that does not read its answer, or does not send the rest of its request, is let go; what counts is time
// without progress, not size or speed.
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { ApiError } from '../store/api-error.js'
import { exchangeOf, refuseOnSocket, tooSlow } from './unreadable.js'

export interface ConnectionLimits {
  /** Time without progress after which a connection is ended. */
  readonly stallTimeoutMs: number
  readonly perAddress: number
  /** Addresses that speak for many are not counted. */
  readonly trustProxy: boolean | number | string | readonly string[]
}

interface Watched {
  received: number
  sent: number
  /**
   * Looks in a row that found the connection where it was. Looks are counted and not time, so that a process that was
   * held up blames nobody.
   */
  idleLooks: number
}

const LOOKS = 6

export function watchConnections(server: Server, limits: ConnectionLimits): void {
  const connections = new Map<Socket, Watched>()
  const counted = countByAddress(limits)
  server.on('connection', (socket: Socket) => {
    if (!counted.admits(socket)) return refuseOnSocket(socket, tooMany(limits.perAddress))
    connections.set(socket, { received: 0, sent: 0, idleLooks: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const looking = setInterval(() => {
    for (const [socket, watched] of connections) if (hasStalled(socket, watched)) end(socket)
  }, limits.stallTimeoutMs / LOOKS).unref()
  server.once('close', () => clearInterval(looking))
}

function hasStalled(socket: Socket, watched: Watched): boolean {
  const sent = (socket.bytesWritten ?? 0) - socket.writableLength
  const received = socket.bytesRead
  const isWaiting = socket.writableLength > 0 || isBodyMissing(socket)
  const isMoving = sent !== watched.sent || received !== watched.received
  Object.assign(watched, { sent, received, idleLooks: isWaiting && !isMoving ? watched.idleLooks + 1 : 0 })
  return watched.idleLooks >= LOOKS
}

/** What has come was read, and the rest has not come: it is not we who are slow. */
function isBodyMissing(socket: Socket): boolean {
  const request = exchangeOf(socket)?.request
  return request !== undefined && !request.complete && !request.destroyed && request.readableLength === 0
}

function end(socket: Socket): void {
  const response = exchangeOf(socket)?.response
  if (response && socket.writableLength === 0 && !response.headersSent) return refuseOnSocket(socket, tooSlow())
  // What the system still holds for this client is dropped with it.
  socket.resetAndDestroy()
}

const tooMany = (perAddress: number): ApiError =>
  new ApiError(
    'rate_limited',
    `At most ${perAddress} connections may be open from one address; close some`,
    undefined,
    { 'retry-after': '5' },
  )

/** Counts the connections of each address while they last. */
function countByAddress({ perAddress, trustProxy }: ConnectionLimits) {
  const counts = new Map<string, number>()
  const isTrusted = trustedBy(trustProxy)
  return {
    admits(socket: Socket): boolean {
      const address = plainAddress(socket.remoteAddress)
      if (isTrusted(address)) return true
      const count = counts.get(address) ?? 0
      if (count >= perAddress) return false
      counts.set(address, count + 1)
      socket.once('close', () => {
        const left = (counts.get(address) ?? 1) - 1
        if (left > 0) counts.set(address, left)
        else counts.delete(address)
      })
      return true
    },
  }
}

/** An IPv4 address is the same one when it comes over IPv6. */
const plainAddress = (address = ''): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Whoever connects is a proxy where everybody or a number of hops is trusted. */
function trustedBy(trustProxy: ConnectionLimits['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy === 'boolean' || typeof trustProxy === 'number') return () => trustProxy !== false
  const proxies = new BlockList()
  for (const network of typeof trustProxy === 'string' ? trustProxy.split(',') : trustProxy) {
    const [address = '', bits] = network.trim().split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    proxies.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
