// One POST on an open connection: writes the request, waits for the response headers, and reads a bounded piece of the body.
// The status decides; the body is only a sample, so a server that drips or floods can hold nothing up.

import { AnswerReader, type Head } from './answer.js'
import { type Connection, describe } from './connection.js'
import type { TransportError } from './judge.js'
import { sampleBytesMax } from './sample.js'

export interface Post {
  host: string
  path: string
  headers: Record<string, string>
  body: Uint8Array
  bodyWithinMs: number
}

export type Exchange =
  /** `headersAt` is on the clock of `performance`. A connection that is not reusable must be discarded. */
  | { kind: 'answered'; head: Head; headersAt: number; body: Buffer; isReusable: boolean }
  | { kind: 'failed'; error: TransportError; detail: string; wasWritten: boolean }

/** Of an answer as it comes over the wire. */
const bytesMax = 64 * 1024

/** A compressed body is kept as far as it is read, because nobody knows how much of it makes a sample. */
const bytesKept = ({ encoding }: Head): number => (encoding === null ? sampleBytesMax : bytesMax)

/** The connection serves this one request. */
export function exchange(connection: Connection, post: Post, headersWithinMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const answer = new AnswerReader(bytesKept)
    let headersAt: number | undefined
    let bytesRead = 0
    let timer = setTimeout(() => end('timeout', 'no response headers in time'), headersWithinMs)

    /** Once the headers are there, nothing is a failure any more: what there is of the body is the sample. */
    function end(error: TransportError, detail: string): void {
      clearTimeout(timer)
      connection.receiver = undefined
      const { head } = answer
      if (head === undefined || headersAt === undefined) return resolve({ kind: 'failed', error, detail, wasWritten: true })
      const isReusable = answer.isOver && head.isLasting && !answer.hasExcess
      resolve({ kind: 'answered', head, headersAt, body: joined(answer.kept), isReusable })
    }

    connection.receiver = {
      data(bytes) {
        answer.take(bytes)
        bytesRead += bytes.length
        if (answer.head !== undefined && headersAt === undefined) {
          headersAt = performance.now()
          clearTimeout(timer)
          // A body that comes along with the headers needs no timer, and most do.
          if (!answer.isOver) timer = setTimeout(() => end('timeout', 'the body did not end in time'), post.bodyWithinMs)
        }
        if (answer.isOver || answer.problem !== undefined || bytesRead > bytesMax) end('connection_reset', answer.problem ?? 'the answer is too long')
      },
      closed(error) {
        end(error ? exchangeError(error) : 'connection_reset', error ? describe(error) : 'the other side closed the connection')
      },
    }
    connection.socket.write(requestBytes(post))
  })
}

const joined = (pieces: readonly Buffer[]): Buffer => (pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces))

/** In one piece, so that it goes out as one record of TLS. The values are this service's own, and the path was read from a URL, so none can break a line. */
function requestBytes({ host, path, headers, body }: Post): Buffer {
  let head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  head += '\r\n'
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return bytes
}

/** Anything else that ends an exchange leaves the sender as a reset would: without a status. */
function exchangeError(error: NodeJS.ErrnoException): TransportError {
  if (error.code === 'ETIMEDOUT') return 'timeout'
  return error.code?.startsWith('ERR_SSL') ? 'tls_error' : 'connection_reset'
}
