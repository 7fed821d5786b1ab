// One POST on an open connection: writes the request, waits for the response headers, and reads a bounded piece of the
// body. The status decides; the body is only a sample, so a server that drips or floods can hold nothing up.

import type { Connection } from './connection.js'
import { describe } from './open-socket.js'
import { sampleBytesMax } from './response-sample.js'
import type { TransportError } from './transport-error.js'

export interface Post {
  path: string
  headers: Record<string, string>
  body: Uint8Array
  bodyWithinMs: number
}

export interface Head {
  readonly status: number
  readonly retryAfter: string | null
  readonly encoding: string | null
  /** How long the subscriber says it keeps the connection. */
  readonly keptForMs: number | null
}

export type Exchange =
  /** `headersAt` is on the clock of `performance`. A connection whose answer was not read whole must be discarded. */
  | { kind: 'answered'; head: Head; headersAt: number; body: Buffer; isWhole: boolean }
  | { kind: 'failed'; error: TransportError; detail: string; wasWritten: boolean }

const bodyBytesMax = 64 * 1024

/** The connection serves this one request. */
export function exchange({ client }: Connection, post: Post, headersWithinMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let bytesRead = 0
    let bytesKept = sampleBytesMax
    let wasWritten = false
    let isOver = false
    let head: Head | undefined
    let headersAt = 0
    let timer = setTimeout(() => end('timeout', 'no response headers in time', false), headersWithinMs)

    /** Once the headers are there, nothing is a failure any more: what there is of the body is the sample. */
    function end(error: TransportError, detail: string, isWhole: boolean): void {
      isOver = true
      clearTimeout(timer)
      if (head === undefined) resolve({ kind: 'failed', error, detail, wasWritten })
      else resolve({ kind: 'answered', head, headersAt, body: joined(pieces), isWhole })
    }

    /** A body that comes along with the headers needs no timer, and most do. */
    function boundBody(): void {
      if (!isOver) timer = setTimeout(() => end('timeout', 'the body did not end in time', false), post.bodyWithinMs)
    }

    client.dispatch(
      { method: 'POST', path: post.path, headers: post.headers, body: post.body },
      {
        onRequestStart() {
          wasWritten = true
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200 || isOver) return
          headersAt = performance.now()
          clearTimeout(timer)
          head = headOf(status, headers)
          // A compressed body is kept as far as it is read, because nobody knows how much of it makes a sample.
          if (head.encoding !== null) bytesKept = bodyBytesMax
          queueMicrotask(boundBody)
        },
        onResponseData(_controller, piece) {
          if (bytesRead < bytesKept) pieces.push(piece)
          bytesRead += piece.length
          if (bytesRead > bodyBytesMax) end('connection_reset', 'the answer is too long', false)
        },
        onResponseEnd() {
          end('connection_reset', '', true)
        },
        onResponseError(_controller, error) {
          end(exchangeError(error), describe(error), false)
        },
      },
    )
  })
}

type Headers = Record<string, string | string[] | undefined>

function headOf(status: number, headers: Headers): Head {
  const seconds = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(firstValue(headers['keep-alive']) ?? '')?.[1]
  const keptForMs = seconds === undefined ? null : Number(seconds) * 1_000
  return {
    status,
    retryAfter: firstValue(headers['retry-after']),
    encoding: firstValue(headers['content-encoding']),
    keptForMs,
  }
}

function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}

const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)

/**
 * Anything else that ends an exchange, an answer that is no HTTP included, leaves the sender as a reset would: without
 * a status.
 */
function exchangeError(error: NodeJS.ErrnoException): TransportError {
  if (error.code === 'ETIMEDOUT') return 'timeout'
  return error.code?.startsWith('ERR_SSL') ? 'tls_error' : 'connection_reset'
}
