// Subscribers that misbehave: each attempt ends in time with its word, memory stays flat, and others go on.

import { once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { brotliCompressSync, constants, createGzip } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { certificate, closedUrl, listener, ok, requestTo, sender, subscriber } from '../../support/webhooks/sending.js'
import { startTcp, startTls } from '../../support/webhooks/subscriber.js'

describe('hostile subscribers', () => {
  test('one that never answers is a timeout', async () => {
    const { url } = await subscriber(() => undefined)
    const result = await sender({ timeoutMs: 150 }).send(requestTo(url))
    expect(result).toMatchObject({ kind: 'failed', error: 'timeout' })
    expect(result.durationMs).toBeGreaterThanOrEqual(140)
  })

  test('nothing is sent once the deadline has passed while it was asked whether to send', async () => {
    const { url, received } = await subscriber(ok)
    // The deadline passes on a clock of the test, at the very moment of the question.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const timeoutMs = 20_000
    const sending = sender({ timeoutMs })
    let asked = 0
    const mayWrite = async () => {
      asked++
      vi.advanceTimersByTime(timeoutMs + 1)
      return true
    }
    const late = { kind: 'failed', error: 'timeout', timings: { firstByte: null } }
    expect(await sending.send(requestTo(url, { mayWrite }))).toMatchObject(late)
    expect(received).toHaveLength(0)
    // Once on a new connection, and once on the same that waits now.
    expect(await sending.send(requestTo(url))).toMatchObject({ status: 200, timings: { connect: 0 } })
    expect(await sending.send(requestTo(url, { mayWrite }))).toMatchObject(late)
    expect([received.length, asked]).toEqual([1, 2])
  })

  test('one that accepts the connection and never speaks TLS is a timeout', async () => {
    const { url } = await listener(startTcp(() => undefined))
    expect(await sender({ timeoutMs: 150 }).send(requestTo(url))).toMatchObject({
      kind: 'failed',
      error: 'timeout',
      timings: { connect: expect.any(Number), firstByte: null },
    })
  })

  test('one that drips its headers is a timeout, because the deadline covers all of them', async () => {
    const { url } = await listener(
      startTls(certificate, (socket) => dripInto(socket, 'HTTP/1.1 200 OK\r\n', 'x-drip: 1\r\n')),
    )
    expect(await sender({ timeoutMs: 200 }).send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'timeout' })
  })

  test('one that sends hints for ever is a timeout', async () => {
    const { url } = await listener(
      startTls(certificate, (socket) => dripInto(socket, '', 'HTTP/1.1 103 Early Hints\r\nx: 1\r\n\r\n')),
    )
    expect(await sender({ timeoutMs: 200 }).send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'timeout' })
  })

  test('one that drips its body has succeeded at the headers, and holds nothing up', async () => {
    const { url } = await subscriber((_request, response) => {
      response.writeHead(200).write('first')
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const began = performance.now()
    const result = await sender({ bodyTimeoutMs: 150 }).send(requestTo(url))
    const tookMs = performance.now() - began
    expect(result).toMatchObject({ kind: 'answered', status: 200, responseBody: expect.stringMatching(/^first\.*$/) })
    expect(tookMs - result.durationMs).toBeGreaterThanOrEqual(140)
  })

  test('one that resets is a reset: on connect, during TLS, and after the request', async () => {
    const onConnect = await listener(startTcp((socket) => socket.resetAndDestroy()))
    const duringTls = await listener(startTcp((socket) => void socket.once('data', () => socket.resetAndDestroy())))
    const afterRequest = await subscriber((request) => request.socket.destroy())
    for (const { url } of [onConnect, duringTls, afterRequest]) {
      expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'connection_reset' })
    }
  })

  test('one that resets in the middle of the body has answered', async () => {
    const { url } = await listener(
      startTls(certificate, (socket) => {
        socket.once('data', () =>
          socket.write('HTTP/1.1 500 Oh\r\ncontent-length: 1000\r\n\r\npartial', () =>
            setTimeout(() => socket.destroy(), 20),
          ),
        )
      }),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({
      kind: 'answered',
      status: 500,
      responseBody: 'partial',
    })
  })

  test('a closed port is a refusal', async () => {
    expect(await sender().send(requestTo(await closedUrl()))).toMatchObject({
      kind: 'failed',
      error: 'connection_refused',
    })
  })

  test('a body of 100 MB is cut off early, and memory stays flat', async () => {
    let written = 0
    let isClosed = false
    const { url } = await subscriber((_request, response) => {
      response.writeHead(200, { 'content-length': 100 * 1024 * 1024 })
      response.once('close', () => (isClosed = true))
      const piece = Buffer.alloc(64 * 1024, 'x')
      const pump = () => {
        while (written < 100 * 1024 * 1024 && !response.destroyed) {
          written += piece.length
          if (!response.write(piece)) return void response.once('drain', pump)
        }
      }
      pump()
    })
    const before = process.memoryUsage().rss
    const result = await sender({ bodyTimeoutMs: 1_000 }).send(requestTo(url))
    expect(result).toMatchObject({ status: 200, responseBody: 'x'.repeat(2_048) })
    await expect.poll(() => isClosed).toBe(true)
    expect(written).toBeLessThan(20 * 1024 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024)
  })

  test.each([
    ['gzip', () => gzipBomb()],
    [
      'br',
      () =>
        Promise.resolve(
          brotliCompressSync(Buffer.alloc(50 * 1024 * 1024), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
        ),
    ],
  ])('a %s bomb is not unpacked', async (encoding, make) => {
    const bomb = await make()
    const { url } = await subscriber((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    )
    const before = process.memoryUsage().rss
    const began = performance.now()
    // With a minute to unpack, only the bound on the bytes can end it early.
    expect(await sender({ bodyTimeoutMs: 60_000 }).send(requestTo(url))).toMatchObject({ status: 200 })
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
  })

  test('10,000 headers end the connection', async () => {
    const { url } = await listener(
      startTls(certificate, (socket) => {
        const headers = Array.from({ length: 10_000 }, (_, index) => `x-header-${index}: value\r\n`).join('')
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${headers}content-length: 0\r\n\r\n`))
      }),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({
      kind: 'failed',
      error: 'connection_reset',
      detail: expect.stringMatching(/header/i),
    })
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'an upgrade nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nabc'],
  ])('%s is a reset', async (_name, answer) => {
    const { url } = await listener(
      startTls(certificate, (socket) => void socket.once('data', () => socket.write(answer))),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'connection_reset' })
  })

  const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  test.each([
    ['a second answer in the same piece', `${fine}HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n`],
    ['one byte too many', `${fine}x`],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['a goodbye', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
    ['a chunk longer than it says', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n'],
    ['a chunk whose length is no number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n'],
    [
      'a length that others read differently',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['a body without a length', 'HTTP/1.1 200 OK\r\n\r\nok'],
  ])('a connection that has carried %s carries no other request', async (_name, answer) => {
    let requests = 0
    const { url, connections } = await listener(
      startTls(certificate, (socket) => {
        socket.on('data', () => {
          requests++
          socket.write(answer)
        })
      }),
    )
    const sending = sender({ bodyTimeoutMs: 100 })
    const results = []
    for (let count = 0; count < 3; count++) results.push(await sending.send(requestTo(url)))
    expect([requests, connections()]).toEqual([3, 3])
    // What can be read as an answer is one; the rest is a reset. Nothing is the second answer's.
    for (const result of results)
      expect(result).toMatchObject(result.kind === 'failed' ? { error: 'connection_reset' } : { status: 200 })
  })

  test('one hanging subscriber does not delay another', async () => {
    let isOver = false
    const held: (() => void)[] = []
    const hanging = await subscriber((_request, response) => {
      if (isOver) response.destroy()
      else held.push(() => response.destroy())
    })
    const healthy = await subscriber(ok)
    const sending = sender()
    const ended: string[] = []
    const send = async (name: string, url: string) => {
      const result = await sending.send(requestTo(url))
      ended.push(name)
      return result
    }
    const stuck = Array.from({ length: 20 }, () => send('hanging', hanging.url))
    for (let count = 0; count < 5; count++) expect(await send('healthy', healthy.url)).toMatchObject({ status: 200 })
    expect(ended).toEqual(Array.from({ length: 5 }, () => 'healthy'))
    isOver = true
    for (const end of held) end()
    for (const result of await Promise.all(stuck)) expect(result).toMatchObject({ error: 'connection_reset' })
  })
})

function dripInto(socket: TLSSocket, head: string, drop: string): void {
  socket.once('data', () => {
    socket.write(head)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.on('close', () => clearInterval(timer))
  })
}

/** About a thousand times smaller than what it unpacks to. */
async function gzipBomb(): Promise<Buffer> {
  const gzip = createGzip({ level: 9 })
  const chunks: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  const zeros = Buffer.alloc(1024 * 1024)
  for (let count = 0; count < 50; count++) if (!gzip.write(zeros)) await once(gzip, 'drain')
  gzip.end()
  await once(gzip, 'end')
  return Buffer.concat(chunks)
}
