// Server-sent events: the plumbing of responses that stay open. It counts the open streams of each tenant, keeps them alive through proxies, drops
// readers that do not read, and closes all when the server stops or the key behind one is revoked.
import type { ServerResponse } from 'node:http'
import { limits } from '@parley/contract'
import { ApiError } from '../store/api-error.js'
import { type Direct, direct } from './direct.js'

/** One open response. */
export interface Stream {
  /** Sends one frame. What was written already is not taken back, so a reader that lags too far behind is dropped and comes again. */
  send(frame: Buffer): void
  /** Settles when the reader has taken most of what was sent, or is gone: for whoever has much to send. */
  drained(): Promise<void>
  /** Settles when the stream is closed, by either side. */
  readonly closed: Promise<void>
  readonly isOpen: boolean
  close(): void
}

export interface Streams {
  /** Opens a stream for a tenant and lets `serve` write to it for as long as it stays open. */
  open(tenantId: string, serve: (stream: Stream) => Promise<void>): Direct
  /** Ends all streams, so that the server can stop. */
  close(): void
}

const HEARTBEAT_MS = 15_000
const RECHECK_MS = 3_000
/** A reader that has not taken this much is not reading. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024
/** How soon a client that lost the stream should come back. */
const RETRY_MS = 1_000

export function createStreams(): Streams {
  const open = new Map<string, Set<Stream>>()
  let isClosing = false
  return {
    open: (tenantId, serve) =>
      direct(async ({ request, reply, isStillAllowed }) => {
        const others = open.get(tenantId) ?? new Set()
        if (others.size >= limits.openStreams) {
          throw new ApiError('rate_limited', `At most ${limits.openStreams} streams may be open at once; close one`, undefined, { 'retry-after': '5' })
        }
        reply.hijack()
        const response = reply.raw
        response.writeHead(200, { ...headersOf(reply.getHeaders()), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
        if (request.method === 'HEAD' || isClosing) {
          response.end()
          return reply
        }
        const stream = openStream(response)
        open.set(tenantId, others.add(stream))
        const rechecking = setInterval(() => void isStillAllowed().then((isAllowed) => isAllowed || stream.close()), RECHECK_MS)
        void stream.closed.then(() => {
          clearInterval(rechecking)
          others.delete(stream)
          if (others.size === 0) open.delete(tenantId)
        })
        serve(stream).catch((error: unknown) => {
          request.log.warn({ err: error, requestId: request.id }, 'a stream broke; its reader comes again')
          stream.close()
        })
        return reply
      }),
    close() {
      isClosing = true
      for (const streams of open.values()) for (const stream of streams) stream.close()
    },
  }
}

function openStream(response: ServerResponse): Stream {
  let isOpen = true
  const write = (bytes: Buffer | string) => {
    if (!isOpen) return
    response.write(bytes)
    if (response.writableLength > UNREAD_BYTES_MAX) response.destroy()
  }
  const beating = setInterval(() => write(':\n\n'), HEARTBEAT_MS)
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOpen = false
      clearInterval(beating)
      resolve()
    })
  })
  response.on('error', () => response.destroy())
  write(`retry: ${RETRY_MS}\n\n`)
  return {
    send: write,
    async drained() {
      if (isOpen && response.writableNeedDrain) await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))])
    },
    closed,
    get isOpen() {
      return isOpen
    },
    close: () => void response.end(),
  }
}

const headersOf = (headers: Record<string, unknown>): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]))

/** One event on the wire. JSON has no line breaks of its own, so one `data` line holds it. Without an id, the reader keeps the one it had. */
export const frameOf = (event: string, json: string, id?: string): Buffer =>
  Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`)
