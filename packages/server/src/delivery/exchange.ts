// One POST on an open connection: writes the request, waits for the response headers, and reads a bounded piece of the body.
// The status decides; the body is only a sample, so a server that drips or floods can hold nothing up.

import type { Client } from 'undici'
import { describe } from './connection.js'
import type { TransportError } from './judge.js'
import { sampleBytesMax } from './sample.js'

export interface Post {
  path: string
  headers: Record<string, string>
  body: Uint8Array
  bodyWithinMs: number
}

export type Exchange =
  /** `headersAt` is on the clock of `performance`. */
  | { kind: 'answered'; status: number; retryAfter: string | null; headersAt: number; body: Buffer; encoding: string | null; isWhole: boolean }
  | { kind: 'failed'; error: TransportError; detail: string; wasWritten: boolean }

type Answered = Extract<Exchange, { kind: 'answered' }>
type Head = Pick<Answered, 'status' | 'retryAfter' | 'headersAt' | 'encoding'>

const bodyBytesMax = 64 * 1024

/** The client serves this one request. When the answer was not read whole, the caller must discard the connection. */
export function exchange(client: Client, post: Post, headersWithinMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytesRead = 0
    let bytesWanted = sampleBytesMax
    let wasWritten = false
    let answer: Head | undefined
    let isOver = false
    let timer = setTimeout(() => fail('timeout', 'no response headers in time'), headersWithinMs)

    function fail(error: TransportError, detail: string): void {
      clearTimeout(timer)
      resolve({ kind: 'failed', error, detail, wasWritten })
    }

    function finish(isWhole: boolean): void {
      isOver = true
      clearTimeout(timer)
      if (answer !== undefined) resolve(answered(answer, chunks, isWhole))
    }

    /** A body that came along with the headers needs no timer, and most do. */
    function boundBody(): void {
      if (!isOver) timer = setTimeout(() => finish(false), post.bodyWithinMs)
    }

    client.dispatch(
      { method: 'POST', path: post.path, headers: post.headers, body: post.body },
      {
        onRequestStart() {
          wasWritten = true
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return
          clearTimeout(timer)
          const encoding = firstValue(headers['content-encoding'])
          answer = { status, retryAfter: firstValue(headers['retry-after']), headersAt: performance.now(), encoding }
          if (encoding !== null) bytesWanted = bodyBytesMax
          queueMicrotask(boundBody)
        },
        onResponseData(_controller, chunk) {
          if (bytesRead < bytesWanted) chunks.push(chunk)
          bytesRead += chunk.length
          if (bytesRead > bodyBytesMax) finish(false)
        },
        onResponseEnd() {
          finish(true)
        },
        onResponseError(_controller, error) {
          if (answer === undefined) fail(exchangeError(error), describe(error))
          else finish(false)
        },
      },
    )
  })
}

function answered({ status, retryAfter, headersAt, encoding }: Head, chunks: readonly Buffer[], isWhole: boolean): Answered {
  const [first] = chunks
  const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
  return { kind: 'answered', status, retryAfter, headersAt, body, encoding, isWhole }
}

/** Anything else that ends an exchange, an answer that is no HTTP or too long a head included, leaves the sender as a reset would: without a status. */
function exchangeError(error: NodeJS.ErrnoException): TransportError {
  if (error.code === 'ETIMEDOUT') return 'timeout'
  return error.code?.startsWith('ERR_SSL') ? 'tls_error' : 'connection_reset'
}

function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}
