// The answer to a webhook, read from its bytes as they come: as much of HTTP/1.1 (RFC 9112) as the sender of a POST needs. It keeps a beginning of the body and says
// whether the connection can carry another request. It is forgiving about lines, and never about where an answer ends: in doubt the connection is not used again.

/** Bounds everything before the body, hints included: ten thousand headers end the connection, not the memory. */
const headBytesMax = 32 * 1024
/** Of a line between the chunks of a body. */
const lineBytesMax = 4 * 1024

/** What the subscriber sent is not HTTP. */
class BadAnswer extends Error {}

export interface Head {
  readonly status: number
  readonly retryAfter: string | null
  readonly encoding: string | null
  /** The subscriber keeps the connection open, as far as it says; how long it says it does. */
  readonly isLasting: boolean
  readonly keptForMs: number | null
}

export class AnswerReader {
  /** The head of the final answer, once it is there: hints before it do not count. */
  head: Head | undefined
  /** The whole answer is there. */
  isOver = false
  /** More came than belongs to the answer, so nobody knows what the next bytes mean. */
  hasExcess = false
  /** Why the bytes are no answer, or the rest of them is none. */
  problem: string | undefined
  /** Of the body without its framing, what was to be kept. */
  readonly kept: Buffer[] = []
  private keptBytes = 0
  private body: Body | undefined
  /** An unfinished head, and how much of it there is. */
  private begun: Buffer | undefined
  private begunBytes = 0
  private headBytes = 0

  /** `bytesKept` says how much of the body to keep, once the head is known. */
  constructor(private readonly bytesKept: (head: Head) => number) {}

  /** Not to be called again once the answer is over or has a problem. */
  take(bytes: Buffer): void {
    try {
      this.read(bytes)
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error
      this.problem = error.message
    }
  }

  private read(bytes: Buffer): void {
    const rest = this.body === undefined ? this.takeHead(bytes) : bytes
    if (this.body === undefined || rest === undefined) return
    const used = this.body.take(rest, this.keep)
    this.isOver = this.body.isOver
    this.hasExcess = used < rest.length
  }

  private readonly keep = (piece: Buffer): void => {
    if (this.head === undefined || this.keptBytes >= this.bytesKept(this.head)) return
    this.keptBytes += piece.length
    this.kept.push(piece)
  }

  /** What follows the final head, or undefined while that is not there. */
  private takeHead(bytes: Buffer): Buffer | undefined {
    for (let rest = bytes; ; ) {
      const { text, after } = this.completeHead(rest)
      this.headBytes += rest.length - after.length
      if (this.headBytes > headBytesMax) throw new BadAnswer('the headers of the answer are too long')
      if (text === undefined) return undefined
      const { head, body } = readHead(text)
      if (head.status >= 200) {
        this.head = head
        this.body = body
        return after
      }
      if (head.status === 101) throw new BadAnswer('the answer switches to a protocol that was not asked for')
      rest = after
    }
  }

  /** A head almost always comes in one piece. One that does not is gathered in a buffer of its own, so that dripping it costs no more than sending it. */
  private completeHead(bytes: Buffer): { text: string | undefined; after: Buffer } {
    if (this.begun === undefined) {
      const end = endOfHead(bytes, 0)
      if (end >= 0) return { text: bytes.toString('latin1', 0, end), after: bytes.subarray(end) }
    }
    this.begun ??= Buffer.allocUnsafe(headBytesMax)
    const from = this.begunBytes
    const taken = bytes.copy(this.begun, from)
    this.begunBytes += taken
    const end = endOfHead(this.begun.subarray(0, this.begunBytes), Math.max(0, from - 3))
    if (end < 0 && taken < bytes.length) throw new BadAnswer('the headers of the answer are too long')
    if (end < 0) {
      const beginning = this.begun.toString('latin1', 0, Math.min(this.begunBytes, version.length))
      if (!version.startsWith(beginning)) throw new BadAnswer(notHttp)
      return { text: undefined, after: bytes.subarray(taken) }
    }
    const text = this.begun.toString('latin1', 0, end)
    this.begun = undefined
    this.begunBytes = 0
    return { text, after: bytes.subarray(end - from) }
  }
}

/** Where the empty line ends, or -1. A line may end without the carriage return. */
function endOfHead(bytes: Buffer, from: number): number {
  const end = bytes.indexOf('\n\r\n', from, 'latin1')
  const bare = (end < 0 ? bytes : bytes.subarray(0, end)).indexOf('\n\n', from, 'latin1')
  if (bare >= 0) return bare + 2
  return end < 0 ? -1 : end + 3
}

const version = 'HTTP/1.'
const notHttp = 'the answer does not begin as HTTP/1.1 does'
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |\r?$)/

function readHead(text: string): { head: Head; body: Body } {
  const lines = text.split('\n')
  const start = statusLine.exec(lines[0] ?? '')
  if (start === null) throw new BadAnswer(notHttp)
  const status = Number(start[2])
  let retryAfter: string | null = null
  let encoding: string | null = null
  let length: string | undefined
  let transfer: string | undefined
  let isLasting = start[1] === '1'
  let keptForMs: number | null = null
  // The last two are the empty line and nothing.
  for (let index = 1; index < lines.length - 2; index++) {
    const line = lines[index] ?? ''
    // Folded values are a thing of the past, and none of those below was ever folded.
    if (line.startsWith(' ') || line.startsWith('\t')) continue
    const colon = line.indexOf(':')
    if (colon <= 0) throw new BadAnswer('the answer has a header without a name')
    const value = line.slice(colon + 1).trim()
    switch (line.slice(0, colon).toLowerCase()) {
      case 'retry-after':
        retryAfter ??= value
        break
      case 'content-encoding':
        encoding ??= value
        break
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== value)) throw new BadAnswer('the length of the answer is not one number')
        length = value
        break
      case 'transfer-encoding':
        transfer = transfer === undefined ? value : `${transfer}, ${value}`
        break
      case 'connection':
        if (/(^|,)\s*close\s*(,|$)/i.test(value)) isLasting = false
        break
      case 'keep-alive': {
        const seconds = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(value)?.[1]
        if (seconds !== undefined) keptForMs = Number(seconds) * 1_000
      }
    }
  }
  // Two words on where the body ends, or lines that others would read differently: whoever sends such things is not asked twice on one connection.
  const isUnclear = (transfer !== undefined && length !== undefined) || /(^|[^\r])\n/.test(text)
  return { head: { status, retryAfter, encoding, isLasting: isLasting && !isUnclear, keptForMs }, body: bodyOf(status, length, transfer) }
}

function bodyOf(status: number, length: string | undefined, transfer: string | undefined): Body {
  if (status < 200 || status === 204 || status === 304) return new SizedBody(0)
  if (transfer !== undefined) return /(^|,)\s*chunked\s*$/i.test(transfer) ? new ChunkedBody() : new OpenBody()
  return length === undefined ? new OpenBody() : new SizedBody(Number(length))
}

interface Body {
  /** How many of the bytes belong to it; what they carry goes to `keep`. */
  take(bytes: Buffer, keep: (piece: Buffer) => void): number
  readonly isOver: boolean
}

class SizedBody implements Body {
  constructor(private left: number) {}

  get isOver(): boolean {
    return this.left === 0
  }

  take(bytes: Buffer, keep: (piece: Buffer) => void): number {
    const used = Math.min(this.left, bytes.length)
    if (used > 0) keep(bytes.subarray(0, used))
    this.left -= used
    return used
  }
}

/** It ends with its connection, which serves nobody else then. */
class OpenBody implements Body {
  readonly isOver = false

  take(bytes: Buffer, keep: (piece: Buffer) => void): number {
    if (bytes.length > 0) keep(bytes)
    return bytes.length
  }
}

class ChunkedBody implements Body {
  isOver = false
  private expects: 'size' | 'data' | 'end of data' | 'trailer' = 'size'
  private left = 0
  private line = ''

  take(bytes: Buffer, keep: (piece: Buffer) => void): number {
    let at = 0
    while (at < bytes.length && !this.isOver) at += this.expects === 'data' ? this.takeData(bytes.subarray(at), keep) : this.takeLine(bytes, at)
    return at
  }

  private takeData(bytes: Buffer, keep: (piece: Buffer) => void): number {
    const piece = bytes.subarray(0, this.left)
    keep(piece)
    this.left -= piece.length
    if (this.left === 0) this.expects = 'end of data'
    return piece.length
  }

  private takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(10, at)
    const until = end < 0 ? bytes.length : end + 1
    if (this.line.length + until - at > lineBytesMax) throw new BadAnswer('a line between chunks is too long')
    this.line += bytes.toString('latin1', at, until)
    if (end >= 0) {
      this.endLine(this.line.trimEnd())
      this.line = ''
    }
    return until - at
  }

  private endLine(line: string): void {
    if (this.expects === 'trailer') this.isOver = line === ''
    else if (this.expects === 'end of data') {
      if (line !== '') throw new BadAnswer('a chunk is longer than it said')
      this.expects = 'size'
    } else {
      const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;|$)/i.exec(line) ?? []
      if (size === undefined) throw new BadAnswer('a chunk does not say how long it is')
      this.left = Number.parseInt(size, 16)
      this.expects = this.left === 0 ? 'trailer' : 'data'
    }
  }
}
