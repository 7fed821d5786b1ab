// One attempt against real TLS servers: what is sent, and how every kind of answer is reported.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { webhookHeaders } from '@parley/contract'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  body,
  certificate,
  closedUrl,
  listener,
  ok,
  requestTo,
  secret,
  sender,
  subscriber,
} from '../../support/webhooks/sending.js'
import { startTls } from '../../support/webhooks/subscriber.js'

describe('what is sent', () => {
  test('the stored bytes, with every header, to the path and query of the url', async () => {
    const { url, received } = await subscriber(ok)
    const result = await sender().send(requestTo(`${url}?to=%C3%A9`))
    expect(result).toMatchObject({ kind: 'answered', status: 200, responseBody: 'thanks', retryAfter: null })
    expect(received).toHaveLength(1)
    expect(received[0]?.body.equals(body)).toBe(true)
    expect(received[0]?.path).toBe('/hooks?to=%C3%A9')
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': 'Parley/9.9.9',
      traceparent: expect.stringMatching(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/),
      'x-service-event': 'call.ended',
      'x-service-event-id': '01JH2M3N4P5Q6R7S8T9V0W1X2Y',
      'x-service-delivery-id': 'd-1',
      'x-service-attempt': '3',
      host: new URL(url).host,
    })
  })

  test('signatures that an independent verifier accepts, fresh at every attempt', async () => {
    const { url, received } = await subscriber(ok)
    let now = Date.now()
    const sending = sender({ now: () => new Date(now) })
    await sending.send(requestTo(url))
    now += 2_000
    await sending.send(requestTo(url))
    const [first, second] = received
    for (const item of [first, second]) {
      expect(
        new Webhook(secret).verify(item?.body.toString() ?? '', item?.headers as Record<string, string>),
      ).toMatchObject({ data: { name: 'Zoë' } })
    }
    const header = webhookHeaders.signature.toLowerCase()
    expect(first?.headers[header]).not.toBe(second?.headers[header])
    expect(first?.headers.traceparent).not.toBe(second?.headers.traceparent)
  })

  test('a given trace is continued', async () => {
    const { url, received } = await subscriber(ok)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await sender().send(requestTo(url, { traceparent }))
    expect(received[0]?.headers.traceparent).toBe(traceparent)
  })

  test('a body of a megabyte', async () => {
    const { url, received } = await subscriber(ok)
    const large = Buffer.alloc(1024 * 1024, 'x')
    expect(await sender().send(requestTo(url, { body: large }))).toMatchObject({ kind: 'answered', status: 200 })
    expect(received[0]?.body.equals(large)).toBe(true)
  })
})

describe('answers', () => {
  test.each([200, 201, 202, 204, 304, 400, 401, 404, 410, 500, 503])('%i is reported as it is', async (status) => {
    const { url } = await subscriber((_request, response) => response.writeHead(status).end())
    expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'answered', status, responseBody: null })
  })

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const elsewhere = await subscriber(ok)
    const { url, received } = await subscriber((_request, response) =>
      response.writeHead(status, { location: elsewhere.url }).end(),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'answered', status })
    expect(received).toHaveLength(1)
    expect(elsewhere.received).toHaveLength(0)
  })

  test('Retry-After is handed on as it came, the first one of several', async () => {
    const { url } = await subscriber((_request, response) =>
      response
        .writeHead(
          429,
          [
            ['retry-after', '120'],
            ['retry-after', '7'],
          ].flat(),
        )
        .end(),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({ status: 429, retryAfter: '120' })
  })

  test('an early hint does not count as the answer', async () => {
    const { url } = await subscriber((_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeProcessing()
      response.writeHead(201).end('made')
    })
    expect(await sender().send(requestTo(url))).toMatchObject({ status: 201, responseBody: 'made' })
  })

  test('an answer of HTTP/1.0 ends with its connection', async () => {
    const { url } = await listener(
      startTls(
        certificate,
        (socket) => void socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nold but fine')),
      ),
    )
    const sending = sender()
    for (let count = 0; count < 2; count++)
      expect(await sending.send(requestTo(url))).toMatchObject({ status: 200, responseBody: 'old but fine' })
  })

  test('the phases are timed, and a failure says how far it came', async () => {
    const { url } = await subscriber((_request, response) => void setTimeout(() => response.end(), 30))
    const sending = sender()
    const first = await sending.send(requestTo(url))
    expect(first.timings).toEqual({
      dns: expect.any(Number),
      connect: expect.any(Number),
      tls: expect.any(Number),
      firstByte: expect.any(Number),
    })
    expect(first.timings.tls).toBeGreaterThan(0)
    expect(first.timings.firstByte).toBeGreaterThanOrEqual(28)
    expect(first.durationMs).toBeGreaterThanOrEqual(first.timings.firstByte ?? Number.NaN)
    expect((await sending.send(requestTo(url))).timings).toMatchObject({ connect: 0, tls: 0 })
    const refused = await sending.send(requestTo(await closedUrl()))
    expect(refused.timings).toEqual({
      dns: expect.any(Number),
      connect: expect.any(Number),
      tls: null,
      firstByte: null,
    })
  })
})

describe('the sample of the answer', () => {
  test('is the first 2 KiB', async () => {
    const { url } = await subscriber((_request, response) => response.end('ab'.repeat(5_000)))
    expect(await sender().send(requestTo(url))).toMatchObject({ responseBody: 'ab'.repeat(1_024) })
  })

  test('never ends inside a character', async () => {
    const { url } = await subscriber((_request, response) => response.end(`a${'é'.repeat(3_000)}`))
    expect(await sender().send(requestTo(url))).toMatchObject({ responseBody: `a${'é'.repeat(1_023)}` })
  })

  test('is made safe for the database when it is not UTF-8 or has NULs', async () => {
    const { url } = await subscriber((_request, response) =>
      response.end(Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62, 0x00])),
    )
    const result = await sender().send(requestTo(url))
    expect(result).toMatchObject({ status: 200, responseBody: 'a\ufffd\ufffd\ufffd(\ufffd\ufffd\ufffdb' })
  })

  test('stays within 2 KiB when every byte is invalid', async () => {
    const { url } = await subscriber((_request, response) => response.end(Buffer.alloc(4_096, 0xff)))
    const result = await sender().send(requestTo(url))
    expect(result).toMatchObject({ responseBody: '\ufffd'.repeat(682) })
  })

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is unpacked from %s', async (encoding, compress) => {
    const { url } = await subscriber((_request, response) =>
      response.writeHead(500, { 'content-encoding': encoding }).end(compress(`no such table ${'.'.repeat(9_000)}`)),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({
      status: 500,
      responseBody: `no such table ${'.'.repeat(2_048 - 14)}`,
    })
  })

  test('is what could be unpacked of damaged data', async () => {
    const { url } = await subscriber((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('fine until here').subarray(0, -6)),
    )
    expect(await sender().send(requestTo(url))).toMatchObject({ status: 200, responseBody: 'fine until here' })
    const lying = await subscriber((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
    )
    expect(await sender().send(requestTo(lying.url))).toMatchObject({ status: 200, responseBody: null })
  })
})
