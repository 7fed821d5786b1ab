// The answer of a subscriber, read from its bytes: the same whatever pieces they come in, and where it matters the same as Node's own client reads them.

import { request } from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AnswerReader } from '../src/delivery/answer.js'

interface Read {
  status: number | undefined
  body: string
  isOver: boolean
  isReusable: boolean
  problem: string | undefined
}

function read(pieces: readonly Buffer[], bytesKept = Number.POSITIVE_INFINITY): Read & Pick<AnswerReader, 'head'> {
  const answer = new AnswerReader(() => bytesKept)
  for (const piece of pieces) {
    if (answer.problem === undefined && !answer.isOver) answer.take(piece)
    else if (piece.length > 0) answer.hasExcess = true
  }
  const { head, isOver, hasExcess, problem } = answer
  const isReusable = isOver && head?.isLasting === true && !hasExcess && problem === undefined
  return { head, status: head?.status, body: Buffer.concat(answer.kept).toString('latin1'), isOver, isReusable, problem }
}

const readText = (text: string) => read([Buffer.from(text, 'latin1')])

/** The same bytes, read by the client that Node brings. */
function readByNode(bytes: Buffer): Promise<{ status: number; body: string; isWhole: boolean } | undefined> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => done(),
      final: (done) => done(),
    })
    const sent = request({ method: 'POST', createConnection: () => socket as never }, (response) => {
      const chunks: Buffer[] = []
      const end = () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('latin1'), isWhole: response.complete })
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', end)
      response.on('error', end)
    })
    sent.on('error', () => resolve(undefined))
    sent.on('upgrade', () => resolve(undefined))
    sent.end()
    socket.push(bytes)
    socket.push(null)
  })
}

const framings = ['length', 'chunked', 'close'] as const

const answers = fc
  .record({
    hints: fc.array(fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), { maxLength: 2 }),
    status: fc.constantFrom(200, 201, 204, 301, 304, 404, 410, 429, 500, 503),
    reason: fc.constantFrom(' OK', ' ', ' Not so good'),
    headers: fc.array(fc.constantFrom('Server: x', 'retry-after: 7', 'X-Empty:', 'Keep-Alive: timeout=5, max=100', 'Content-Type: text/plain; a=b', 'X: a:b'), {
      maxLength: 5,
    }),
    framing: fc.constantFrom(...framings),
    chunks: fc.array(
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      { maxLength: 4 },
    ),
    extension: fc.constantFrom('', ';a=b'),
    trailers: fc.constantFrom('', 'X-Trailer: 1\r\n'),
  })
  .map(({ hints, status, reason, headers, framing, chunks, extension, trailers }) => {
    const hasBody = status !== 204 && status !== 304
    const whole = Buffer.concat(chunks)
    const framed: Record<(typeof framings)[number], [string, Buffer[]]> = {
      length: [`Content-Length: ${whole.length}\r\n`, [whole]],
      chunked: [
        'Transfer-Encoding: chunked\r\n',
        [
          ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n')]),
          Buffer.from(`0\r\n${trailers}\r\n`),
        ],
      ],
      close: ['', [whole]],
    }
    const [header, body] = framed[framing]
    const head = `${hints.join('')}HTTP/1.1 ${status}${reason}\r\n${headers.map((line) => `${line}\r\n`).join('')}${hasBody ? header : ''}\r\n`
    return {
      bytes: Buffer.concat([Buffer.from(head, 'latin1'), ...(hasBody ? body : [])]),
      status,
      body: hasBody ? whole.toString('latin1') : '',
      isReusable: !hasBody || framing !== 'close',
      retryAfter: headers.includes('retry-after: 7') ? '7' : null,
    }
  })

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

const places = fc.array(fc.nat(), { maxLength: 12 })

describe('any answer', () => {
  test('is read the same in whatever pieces it comes', async () => {
    await fc.assert(
      fc.property(answers, places, ({ bytes, status, body, isReusable, retryAfter }, where) => {
        for (const pieces of [cut(bytes, where), cut(bytes, [...bytes.keys()])]) {
          const { head, ...rest } = read(pieces)
          expect(rest).toEqual({ status, body, isOver: isReusable, isReusable, problem: undefined })
          expect(head?.retryAfter).toBe(retryAfter)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is what Node reads', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async ({ bytes, status, body }) => {
        expect(await readByNode(bytes)).toEqual({ status, body, isWhole: true })
      }),
      { numRuns: 300 },
    )
  })

  test('that is damaged is read to its end as Node reads it, or the connection is not used again', async () => {
    let compared = 0
    const damage = fc.record({
      at: fc.nat(),
      drop: fc.nat({ max: 3 }),
      add: fc.constantFrom('', '\n', '\r\n', '0', ' ', ':', 'a', '\0', 'HTTP/1.1 200 OK\r\n'),
    })
    await fc.assert(
      fc.asyncProperty(answers, fc.array(damage, { minLength: 1, maxLength: 3 }), places, async ({ bytes }, damages, where) => {
        let damaged = bytes
        for (const { at, drop, add } of damages) {
          const place = at % (damaged.length + 1)
          damaged = Buffer.concat([damaged.subarray(0, place), Buffer.from(add), damaged.subarray(place + drop)])
        }
        const ours = read(cut(damaged, where))
        const theirs = await readByNode(damaged)
        if (!ours.isReusable || theirs === undefined || !theirs.isWhole) return
        compared++
        expect({ status: ours.status, body: ours.body }).toEqual({ status: theirs.status, body: theirs.body })
      }),
      { numRuns: 2_000 },
    )
    expect(compared).toBeGreaterThan(100)
  })

  test('cannot make it fail otherwise than with a word', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), places, (bytes, where) => {
        expect(() => read(cut(Buffer.from(bytes), where))).not.toThrow()
      }),
    )
  })
})

describe('a connection is not used again', () => {
  test.each([
    ['that the answer closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['that the answer closes among other words', 'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['with two words on the length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['whose coding is not the last word', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
    ['on which more came than the answer', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 Oh\r\n\r\n'],
    ['without a length', 'HTTP/1.1 200 OK\r\n\r\nok'],
    ['with bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
    ['with a chunk that is longer than it said', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n'],
    ['with a chunk of no length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ['with a body that is not there yet', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok'],
  ])('%s, though its status counts', (_name, text) => {
    expect(readText(text)).toMatchObject({ status: 200, isReusable: false })
  })
})

describe('what is no answer', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['another version', 'HTTP/2 200\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status beyond three digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a protocol that was not asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`],
    ['hints without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)],
  ])('%s', (_name, text) => {
    expect(readText(text)).toMatchObject({ status: undefined, isReusable: false, problem: expect.any(String) })
    expect(read([...Buffer.from(text, 'latin1')].map((byte) => Buffer.of(byte)))).toMatchObject({ status: undefined, problem: expect.any(String) })
  })
})

test('a head with bare line feeds ends at the first empty line, whatever its body holds and in whatever pieces it comes', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>\r\n\r\nthanks')
  for (let place = 0; place <= bytes.length; place++)
    expect(read(cut(bytes, [place]))).toMatchObject({ status: 200, body: '<p>\r\n\r\nthanks', isReusable: false })
})

test('a folded header is passed over, and the first of several counts', () => {
  const { head } = readText('HTTP/1.1 503 Busy\r\nX: a\r\n b: c\r\nRetry-After: 1\r\nRetry-After: 2\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n')
  expect(head).toMatchObject({ status: 503, retryAfter: '1', encoding: 'gzip', isLasting: true, keptForMs: null })
})

test('the subscriber says how long it keeps a connection', () => {
  const keptFor = (value: string) => readText(`HTTP/1.1 200 OK\r\nKeep-Alive: ${value}\r\nContent-Length: 0\r\n\r\n`).head?.keptForMs
  expect(['timeout=5', 'max=3, timeout=72', 'timeout=x', 'max=3', 'notimeout=3'].map(keptFor)).toEqual([5_000, 72_000, null, null, null])
})

test('no more of the body is kept than was wanted, give or take a piece', () => {
  const pieces = Array.from({ length: 100 }, () => Buffer.alloc(10, 'x'))
  expect(read([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), ...pieces], 25).body).toHaveLength(30)
})
