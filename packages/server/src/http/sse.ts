// Server-sent events: the plumbing of responses that stay open. It counts the open streams of each tenant and what
// waits in them, keeps them alive through proxies, and closes all when the server stops or the key behind one is
// revoked. Readers that do not read are for connections.ts to end.
import type { ServerResponse } from 'node:http'
import { limits } from '@parley/contract'
import { ApiError } from '../store/api-error.js'
import type { Caller } from './endpoint.js'
import type { IsConcerned } from './gate/key-memory.js'
import { direct, type RawResponse } from './raw-response.js'
import type { Unsent } from './unsent.js'

/** One open response. */
export interface Stream {
  /** Sends one frame. It is taken in any case, so whoever has much to send waits for `drained` between frames. */
  send(frame: Buffer): void
  /** Settles when the reader has taken what was sent, or is gone. */
  drained(): Promise<void>
  /** What was sent waits for the reader. */
  readonly isBehind: boolean
  /** Settles when the stream is closed, by either side. */
  readonly closed: Promise<void>
  readonly isOpen: boolean
  close(): void
}

export interface Streams {
  /** Opens a stream for a caller and lets `serve` write to it for as long as it stays open. */
  open(caller: StreamCaller, serve: (stream: Stream) => Promise<void>): RawResponse
  /**
   * Asks again whether those who are concerned by a change may still read, and closes the streams of those who may not.
   */
  recheck(isConcerned: IsConcerned): void
  /** Ends all streams, so that the server can stop. */
  close(): void
}

type StreamCaller = Pick<Caller, 'tenantId' | 'organizationId' | 'actor'>

interface Open {
  readonly caller: StreamCaller
  readonly stream: Stream
  recheck(): void
}

/** What a stream sends is a page at most before it waits; this many bytes, or one event that is larger. */
export const STREAM_PAGE_BYTES = 256 * 1024

const HEARTBEAT_MS = 15_000
/** Keys expire and sessions end without anybody telling. */
const RECHECK_MS = 3_000
/** How soon a client that lost the stream should come back. */
const RETRY_MS = 1_000

export function createStreams(unsent: Unsent): Streams {
  const open = new Map<string, Set<Open>>()
  let isClosing = false
  const each = (visit: (one: Open) => void) => {
    for (const ofTenant of open.values()) for (const one of ofTenant) visit(one)
  }
  const enter = (one: Open) => {
    const { tenantId } = one.caller
    const others = open.get(tenantId) ?? new Set()
    open.set(tenantId, others.add(one))
    const rechecking = setInterval(one.recheck, RECHECK_MS)
    void one.stream.closed.then(() => {
      clearInterval(rechecking)
      others.delete(one)
      if (others.size === 0) open.delete(tenantId)
    })
  }
  return {
    open: (caller, serve) =>
      direct(async ({ request, reply, isStillAllowed }) => {
        if ((open.get(caller.tenantId)?.size ?? 0) >= limits.openStreams) {
          throw new ApiError(
            'rate_limited',
            `At most ${limits.openStreams} streams may be open at once; close one`,
            undefined,
            { 'retry-after': '5' },
          )
        }
        reply.hijack()
        const response = reply.raw
        response.writeHead(200, {
          ...headersOf(reply.getHeaders()),
          'content-type': 'text/event-stream',
          'x-accel-buffering': 'no',
        })
        if (request.method === 'HEAD' || isClosing) {
          response.end()
          return reply
        }
        const stream = openStream(response, caller.tenantId, unsent)
        enter({ caller, stream, recheck: () => void isStillAllowed().then((isAllowed) => isAllowed || stream.close()) })
        serve(stream).catch((error: unknown) => {
          request.log.warn({ err: error, requestId: request.id }, 'a stream broke; its reader comes again')
          stream.close()
        })
        return reply
      }),
    recheck: (isConcerned) => each((one) => isConcerned(one.caller) && one.recheck()),
    close() {
      isClosing = true
      each(({ stream }) => stream.close())
    },
  }
}

function openStream(response: ServerResponse, tenantId: string, unsent: Unsent): Stream {
  let isOpen = true
  let waitingBytes = 0
  const settle = (bytes: number) => {
    waitingBytes -= bytes
    unsent.settle(tenantId, bytes)
  }
  const send = (frame: Buffer) => {
    if (!isOpen || response.writableEnded) return
    waitingBytes += frame.length
    unsent.add(tenantId, frame.length)
    response.write(frame, () => isOpen && settle(frame.length))
  }
  // A reader that is behind has enough to read to know that the stream lives.
  const beating = setInterval(() => response.writableNeedDrain || send(heartbeat), HEARTBEAT_MS)
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOpen = false
      settle(waitingBytes)
      clearInterval(beating)
      resolve()
    })
  })
  response.on('error', () => response.destroy())
  send(Buffer.from(`retry: ${RETRY_MS}\n\n`))
  return {
    send,
    drained: () =>
      new Promise((resolve) => {
        if (!isOpen || !response.writableNeedDrain) return resolve()
        const go = () => {
          response.off('drain', go).off('close', go)
          resolve()
        }
        response.on('drain', go).on('close', go)
      }),
    get isBehind() {
      return response.writableNeedDrain
    },
    closed,
    get isOpen() {
      return isOpen && !response.writableEnded
    },
    close: () => void response.end(),
  }
}

const heartbeat = Buffer.from(':\n\n')

const headersOf = (headers: Record<string, unknown>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )

/**
 * One event on the wire. JSON has no line breaks of its own, so one `data` line holds it. Without an id, the reader
 * keeps the one it had.
 */
export const frameOf = (event: string, json: string, id?: string): Buffer =>
  Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`)
