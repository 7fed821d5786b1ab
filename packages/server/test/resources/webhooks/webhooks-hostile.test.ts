// Subscribers that misbehave, end to end: each attempt is recorded with its word, memory stays flat, and others go on.
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/sql.js'
import { createLookup } from '../../../src/delivery/transport/dns-lookup.js'
import type { Client, Service } from '../../support/service.js'
import { startDns } from '../../support/webhooks/dns-server.js'
import { authority, certificate, closedUrl, listener, ok, subscriber } from '../../support/webhooks/sending.js'
import { startTcp, startTls } from '../../support/webhooks/subscriber.js'
import {
  deliveriesOf,
  deliveryThat,
  deliveryWith,
  makeTask,
  startSending,
  subscribe,
  until,
} from '../../support/webhooks/webhooks.js'

const timeoutMs = 1_000
let service: Service
/** Waits for no subscriber longer than it has to; the other for each as long as a busy machine may need. */
let impatient: Service
let addresses: readonly string[] = []
let dns: Awaited<ReturnType<typeof startDns>>
beforeAll(async () => {
  dns = await startDns((name) => (name === 'hooks.example.com' ? addresses : []))
  const lookup = createLookup({ servers: [dns.server], hostsFile: '/dev/null' })
  const start = (timeout: string) =>
    startSending(
      { PARLEY_WEBHOOK_TIMEOUT: timeout, PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.1' },
      { delivery: { lookup, dnsCacheMs: 0 } },
    )
  service = await start('30s')
  impatient = await start(`${timeoutMs}ms`)
})
afterAll(async () => {
  await impatient.stop()
  await service.stop()
  await dns.close()
})

const newSide = async (by = service): Promise<Client> => (await by.organization('Hostile')).sandbox

async function attemptAt(url: string, by = service) {
  const api = await newSide(by)
  const { id } = await subscribe(api, url)
  await makeTask(api)
  await deliveryThat(api, id, ({ status }) => status !== 'PENDING')
  const [delivery] = await deliveriesOf(api, id, '?expand=attempts')
  const [attempt] = (delivery?.['attempts'] ?? []) as {
    error: string | null
    responseStatus: number | null
    responseBody: string | null
    durationMs: number
  }[]
  return { api, id, status: delivery?.status, lastError: delivery?.lastError, attempt }
}

describe('every kind of failure has its word', () => {
  test('one that never answers', async () => {
    const { url } = await subscriber(() => undefined)
    const { status, lastError, attempt } = await attemptAt(url, impatient)
    expect({ status, lastError }).toEqual({ status: 'RETRYING', lastError: 'timeout' })
    expect(attempt).toMatchObject({ error: 'timeout', responseStatus: null, responseBody: null })
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(timeoutMs - 10)
  })

  test('one that resets, one that refuses', async () => {
    const resetting = await subscriber((request) => request.socket.destroy())
    expect(await attemptAt(resetting.url)).toMatchObject({ status: 'RETRYING', lastError: 'connection_reset' })
    expect(await attemptAt(await closedUrl())).toMatchObject({ status: 'RETRYING', lastError: 'connection_refused' })
  })

  test('one that drips a byte at a time: its headers are too late, its body does not matter', async () => {
    const drip = (head: string, drop: string) => (socket: TLSSocket) =>
      void socket.once('data', () => {
        socket.write(head)
        const timer = setInterval(() => socket.write(drop), 20)
        socket.on('close', () => clearInterval(timer))
      })
    const headers = await listener(startTls(certificate, drip('HTTP/1.1 200 OK\r\n', 'x')))
    expect(await attemptAt(headers.url, impatient)).toMatchObject({ status: 'RETRYING', lastError: 'timeout' })
    const body = await listener(startTls(certificate, drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x')))
    expect(await attemptAt(body.url)).toMatchObject({ status: 'SUCCEEDED', lastError: null })
  })

  test('a body of 100 MB, a bomb, 10,000 headers, and bytes that are no text', async () => {
    const before = process.memoryUsage().rss
    const large = await subscriber((_request, response) => {
      response.writeHead(500, { 'content-length': 100 * 1024 * 1024 })
      const piece = Buffer.alloc(64 * 1024, 'x')
      const pump = (): void => {
        while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', pump)
      }
      pump()
    })
    expect((await attemptAt(large.url)).attempt).toMatchObject({ responseStatus: 500, responseBody: 'x'.repeat(2_048) })
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const bombing = await subscriber((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    expect(await attemptAt(bombing.url)).toMatchObject({ status: 'SUCCEEDED' })
    const verbose = await listener(
      startTls(certificate, (socket) => {
        const headers = Array.from({ length: 10_000 }, (_, index) => `x-header-${index}: value\r\n`).join('')
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${headers}content-length: 0\r\n\r\n`))
      }),
    )
    expect(await attemptAt(verbose.url)).toMatchObject({ status: 'RETRYING', lastError: 'connection_reset' })
    const garbled = await subscriber((_request, response) =>
      response.writeHead(500).end(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0x62])),
    )
    expect((await attemptAt(garbled.url)).attempt?.responseBody).toBe('a\ufffd\ufffd(b')
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })

  test('certificates that prove nothing', async () => {
    const names = ['IP:127.0.0.1']
    for (const bad of [
      authority.selfSigned(names),
      authority.issue(names, { expired: true }),
      authority.issue(['DNS:other.example.com']),
    ]) {
      const { url, received } = await subscriber(ok, bad)
      expect(await attemptAt(url)).toMatchObject({
        status: 'RETRYING',
        lastError: 'tls_error',
        attempt: { responseStatus: null },
      })
      expect(received).toHaveLength(0)
    }
    const noTls = await listener(startTcp((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')))
    expect((await attemptAt(noTls.url)).lastError).toMatch(/^(tls_error|connection_reset)$/)
  })

  test('a name that does not exist', async () => {
    expect(await attemptAt('https://nowhere.example.com/hooks')).toMatchObject({
      status: 'RETRYING',
      lastError: 'dns_error',
    })
  })
})

describe('addresses are judged at every attempt', () => {
  test('a name that turns to a forbidden address is refused for good, and the forbidden listener never sees a byte', async () => {
    const allowed = await subscriber(ok)
    const forbidden = await listener(startTcp(() => undefined, { address: '127.0.0.2', port: allowed.port }))
    addresses = ['127.0.0.1']
    const api = await newSide()
    const { id } = await subscribe(api, `https://hooks.example.com:${allowed.port}/hooks`)
    await makeTask(api)
    await deliveryWith(api, id, 'SUCCEEDED')
    expect(allowed.received).toHaveLength(1)
    for (const next of [
      ['127.0.0.2'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['10.0.0.1'],
      ['::ffff:169.254.169.254'],
    ]) {
      addresses = next
      await makeTask(api)
      expect(await deliveryThat(api, id, ({ status }) => status === 'FAILED')).toMatchObject({
        attemptCount: 1,
        lastError: 'blocked_address',
        nextAttemptAt: null,
      })
      await until(async () => (await deliveriesOf(api, id, '?status=PENDING,RETRYING')).length === 0)
    }
    expect(allowed.received).toHaveLength(1)
    expect({ connections: forbidden.connections(), bytes: forbidden.bytes() }).toEqual({ connections: 0, bytes: 0 })
    addresses = ['127.0.0.1']
    await makeTask(api)
    await until(() => allowed.received.length === 2)
  })

  test('an address that came into the table by another way is refused as well', async () => {
    const forbidden = await listener(startTcp(() => undefined, { address: '127.0.0.2' }))
    const api = await newSide()
    const { id } = await subscribe(api, 'https://example.com/')
    await service.database.query(
      sql`update webhook_subscriptions set version = version + 1, record = jsonb_set(record::jsonb, '{url}', to_jsonb(${forbidden.url}::text))::json where id = ${id}`,
    )
    await makeTask(api)
    expect(await deliveryWith(api, id, 'FAILED')).toMatchObject({ lastError: 'blocked_address', attemptCount: 1 })
    expect(forbidden.connections()).toBe(0)
  })
})

test('while some hang and reset, the others get theirs', async () => {
  const hanging = await subscriber(() => undefined)
  const resetting = await subscriber((request) => request.socket.destroy())
  const healthy = await subscriber(ok)
  const api = await newSide(impatient)
  for (const { url } of [hanging, resetting]) await subscribe(api, url)
  await subscribe(api, healthy.url)
  for (let count = 1; count <= 20; count++) {
    await makeTask(api)
    await until(() => healthy.received.length >= count)
  }
})
