// Where an attempt connects to: certificates are verified, no byte reaches an address that was not judged, and
// connections are used again.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readNetworks } from '../../../src/delivery/transport/address-policy.js'
import { type Certificate, createAuthority } from '../../support/webhooks/certificates.js'
import { authority, certificate, listener, ok, requestTo, sender, subscriber } from '../../support/webhooks/sending.js'
import { startTcp, startTls } from '../../support/webhooks/subscriber.js'

test('the client of webhooks leaves fetch to send with its own', async () => {
  const built = new URL('../../../dist/delivery/transport/connection.js', import.meta.url)
  // In a process that has fetched nothing yet.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    `const Client = await (await import('${built}')).loadClient()
    await fetch('data:,')
    const { Agent } = await import('undici')
    console.log(Client.name, globalThis[Symbol.for('undici.globalDispatcher.1')] instanceof Agent)`,
  ])
  expect(stdout).toBe('Client false\n')
})

describe('TLS', () => {
  const toName = { lookup: () => Promise.resolve(['127.0.0.1']) }

  test('a name is verified and sent as server name', async () => {
    const names: unknown[] = []
    const { port } = await subscriber((request, response) => {
      names.push((request.socket as TLSSocket & { servername?: string }).servername)
      response.end()
    })
    expect(await sender(toName).send(requestTo(`https://hooks.example.com:${port}/`))).toMatchObject({ status: 200 })
    expect(await sender(toName).send(requestTo(`https://hooks.example.com.:${port}/`))).toMatchObject({ status: 200 })
    expect(names).toEqual(['hooks.example.com', 'hooks.example.com'])
  })

  test.each<[string, () => Certificate]>([
    ['self-signed', () => authority.selfSigned(['DNS:hooks.example.com'])],
    ['expired', () => authority.issue(['DNS:hooks.example.com'], { expired: true })],
    ['for another name', () => authority.issue(['DNS:other.example.com'])],
    ['for an address only', () => authority.issue(['IP:127.0.0.1'])],
    ['of another authority', () => createAuthority().issue(['DNS:hooks.example.com'])],
  ])('a certificate that is %s is refused before anything is sent', async (_name, make) => {
    const { port, received } = await subscriber(ok, make())
    const result = await sender(toName).send(requestTo(`https://hooks.example.com:${port}/`))
    expect(result).toMatchObject({
      kind: 'failed',
      error: 'tls_error',
      timings: { tls: expect.any(Number), firstByte: null },
    })
    expect(received).toHaveLength(0)
  })

  test('a literal address must be named by the certificate', async () => {
    const { url, received } = await subscriber(ok, authority.issue(['DNS:hooks.example.com']))
    expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'tls_error' })
    expect(received).toHaveLength(0)
  })

  test('plain HTTP behind an https url is a TLS error', async () => {
    const { url } = await listener(startTcp((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')))
    expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'tls_error' })
  })

  test('a private authority is trusted only when it was given', async () => {
    const { url } = await subscriber(ok)
    expect(await sender({ ca: undefined }).send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'tls_error' })
  })
})

describe('addresses', () => {
  test.each(['http://127.0.0.1/', 'ftp://127.0.0.1/', 'nonsense', ''])('%j is never sent to', async (url) => {
    expect(await sender().send(requestTo(url))).toMatchObject({ kind: 'failed', error: 'blocked_address' })
  })

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '127.0.0.1.', '[::ffff:127.0.0.1]'])(
    'the literal %s is blocked unless its network is opened',
    async (host) => {
      const { port, connections } = await listener(startTcp(() => undefined))
      const result = await sender({ opened: [] }).send(requestTo(`https://${host}:${port}/`))
      expect(result).toMatchObject({ kind: 'failed', error: 'blocked_address', timings: { connect: null } })
      expect(connections()).toBe(0)
    },
  )

  test('one forbidden answer among allowed ones refuses the name, in any order', async () => {
    const { port, received } = await subscriber(ok)
    for (const answers of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '::1'],
      ['127.0.0.1', '::ffff:127.0.0.1'],
      ['127.0.0.1', 'rubbish'],
    ]) {
      const result = await sender({ lookup: () => Promise.resolve(answers) }).send(
        requestTo(`https://hooks.example.com:${port}/`),
      )
      expect(result).toMatchObject({ kind: 'failed', error: 'blocked_address' })
    }
    expect(received).toHaveLength(0)
  })

  test('a name that changes its answer between calls reaches the judged address only', async () => {
    const allowed = await subscriber(ok)
    const forbidden = await listener(startTcp(() => undefined, { address: '127.0.0.2', port: allowed.port }))
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2']]
    let asked = 0
    const sending = sender({
      opened: readNetworks(['127.0.0.1/32']),
      lookup: () => Promise.resolve(answers[asked++] ?? []),
    })
    const results = []
    for (let count = 0; count < 4; count++)
      results.push(await sending.send(requestTo(`https://hooks.example.com:${allowed.port}/`)))
    expect(
      results.map((result) =>
        result.kind === 'failed' ? result.error : result.kind === 'answered' ? result.status : result.kind,
      ),
    ).toEqual([200, 'blocked_address', 200, 'blocked_address'])
    expect(asked).toBe(4)
    expect([forbidden.connections(), forbidden.bytes()]).toEqual([0, 0])
    expect(allowed.received).toHaveLength(2)
  })

  test('an open connection is not used once its name points elsewhere', async () => {
    const first = await subscriber(ok)
    const second = await subscriber(ok, certificate, { address: '127.0.0.2', port: first.port })
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.1']
    const sending = sender({ lookup: () => Promise.resolve(answers.splice(0, 1)) })
    for (let count = 0; count < 3; count++)
      expect(await sending.send(requestTo(`https://hooks.example.com:${first.port}/`))).toMatchObject({ status: 200 })
    expect([first.received.length, first.connections(), second.received.length]).toEqual([2, 1, 1])
  })

  test('allowed addresses are tried in turn, and one that failed comes last the next time', async () => {
    const { port, received } = await subscriber((_request, response) =>
      response.writeHead(200, { connection: 'close' }).end(),
    )
    const broken = await listener(startTcp((socket) => socket.resetAndDestroy(), { address: '127.0.0.2', port }))
    const sending = sender({ lookup: () => Promise.resolve(['127.0.0.3', '127.0.0.2', '127.0.0.1']) })
    for (let count = 0; count < 3; count++)
      expect(await sending.send(requestTo(`https://hooks.example.com:${port}/`))).toMatchObject({ status: 200 })
    expect([received.length, broken.connections()]).toEqual([3, 1])
  })

  test('a failure at every address is reported with the word of the last', async () => {
    const { port } = await listener(startTcp((socket) => socket.resetAndDestroy()))
    const sending = sender({ lookup: () => Promise.resolve(['127.0.0.3', '127.0.0.1']) })
    expect(await sending.send(requestTo(`https://hooks.example.com:${port}/`))).toMatchObject({
      kind: 'failed',
      error: 'connection_reset',
    })
  })

  test('an address that does not answer leaves time for the next', async () => {
    const { port } = await subscriber(ok)
    const silent = await listener(startTcp(() => undefined, { address: '127.0.0.2', port }))
    const sending = sender({ lookup: () => Promise.resolve(['127.0.0.2', '127.0.0.1']) })
    expect(await sending.send(requestTo(`https://hooks.example.com:${port}/`))).toMatchObject({ status: 200 })
    expect(silent.connections()).toBe(1)
    const again = await sending.send(requestTo(`https://hooks.example.com:${port}/`))
    expect(again).toMatchObject({ status: 200, timings: { connect: 0 } })
  })

  test('a name without an address, and one that cannot be resolved, are DNS errors', async () => {
    for (const lookup of [() => Promise.resolve([]), () => Promise.reject(new Error('queryA ENOTFOUND'))]) {
      expect(await sender({ lookup }).send(requestTo('https://hooks.example.com/'))).toMatchObject({
        kind: 'failed',
        error: 'dns_error',
        timings: { connect: null },
      })
    }
  })

  test('a look-up that never comes back is a timeout, and does not spoil the name for ever', async () => {
    const { port } = await subscriber(ok)
    let asked = 0
    const lookup = () => (asked++ === 0 ? new Promise<string[]>(() => undefined) : Promise.resolve(['127.0.0.1']))
    const sending = sender({ lookup, timeoutMs: 200 })
    expect(await sending.send(requestTo(`https://hooks.example.com:${port}/`))).toMatchObject({
      kind: 'failed',
      error: 'timeout',
      timings: { connect: null },
    })
    await expect
      .poll(async () => (await sending.send(requestTo(`https://hooks.example.com:${port}/`))).kind)
      .toBe('answered')
  })

  test('a burst to one name asks once while the answer is fresh', async () => {
    const { port, received } = await subscriber(ok)
    let asked = 0
    const lookup = () => {
      asked++
      return Promise.resolve(['127.0.0.1'])
    }
    const sending = sender({ lookup, dnsCacheMs: 600_000 })
    await Promise.all(Array.from({ length: 20 }, () => sending.send(requestTo(`https://hooks.example.com:${port}/`))))
    await sending.send(requestTo(`https://hooks.example.com:${port}/`))
    expect([asked, received.length]).toEqual([1, 21])
  })
})

/**
 * Late enough for the far end to see the end of the handshake, and for what it says to come in: after a while, and after
 * some turns of the loop, should the machine have slept meanwhile.
 */
async function farEndHasSpoken(): Promise<void> {
  await sleep(50)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

describe('connections', () => {
  /** Answers when that many requests are under way, so that each has a connection of its own. */
  async function subscriberOfMany() {
    const waiting: (() => void)[] = []
    let wanted = 1
    const started = await subscriber((_request, response) => {
      waiting.push(() => response.end())
      if (waiting.length === wanted) for (const answer of waiting.splice(0)) answer()
    })
    return {
      ...started,
      sendAtOnce(sending: ReturnType<typeof sender>, count: number) {
        wanted = count
        return Promise.all(Array.from({ length: count }, () => sending.send(requestTo(started.url))))
      },
    }
  }

  test('are used again, one for each request under way', async () => {
    const { sendAtOnce, received, connections } = await subscriberOfMany()
    const sending = sender()
    for (let count = 0; count < 10; count++) expect(await sendAtOnce(sending, 1)).toMatchObject([{ status: 200 }])
    expect(connections()).toBe(1)
    await sendAtOnce(sending, 8)
    expect(connections()).toBe(8)
    await sendAtOnce(sending, 8)
    expect([connections(), received.length]).toEqual([8, 26])
  })

  test('that others are done with are taken while the turn to open one is waited for', async () => {
    const { url, received, connections } = await subscriber(ok)
    const sending = sender()
    const results = await Promise.all(Array.from({ length: 60 }, () => sending.send(requestTo(url))))
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['answered']))
    expect(received).toHaveLength(60)
    expect(connections()).toBeLessThan(60)
  })

  test('of a healthy endpoint do not wait for those of a crowd that is not', async () => {
    const crowd = await subscriber(ok)
    const healthy = await subscriber(ok)
    const sending = sender()
    const arrived: string[] = []
    const send = async (name: string, url: string, isHealthy: boolean) => {
      await sending.send({ ...requestTo(url), subscriptionId: name, tenantId: 'same', isHealthy })
      arrived.push(name)
    }
    const all = Array.from({ length: 100 }, (_, index) => send(`crowd ${index}`, crowd.url, false))
    await send('healthy', healthy.url, true)
    expect(arrived.length).toBeLessThan(100)
    await Promise.all(all)
  })

  test('are not used again after an answer that was not read whole', async () => {
    const { url, connections } = await subscriber((_request, response) => response.end(Buffer.alloc(200_000, 'x')))
    const sending = sender()
    for (let count = 0; count < 3; count++) expect(await sending.send(requestTo(url))).toMatchObject({ status: 200 })
    expect(connections()).toBe(3)
  })

  test('are never shared between subscriptions: a second answer that comes late decides nothing of another', async () => {
    const good = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    let attacker: TLSSocket | undefined
    const { url, connections } = await listener(
      startTls(certificate, (socket) => {
        socket.on('data', (bytes) => {
          if (bytes.toString().includes('/attacker')) {
            attacker = socket
            return socket.write(good)
          }
          // The late answer is on its way before the right one is written.
          attacker?.write('HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n', () =>
            setTimeout(() => socket.write(good), 50),
          )
        })
      }),
    )
    const sending = sender()
    const sendFor = (subscriptionId: string) => sending.send(requestTo(`${url}/${subscriptionId}`, { subscriptionId }))
    expect(await sendFor('attacker')).toMatchObject({ status: 200 })
    expect(await sendFor('victim')).toMatchObject({ status: 200 })
    expect(connections()).toBe(2)
    // Nobody asked for that second answer, so its connection is gone; the other one is not.
    expect(await sendFor('attacker')).toMatchObject({ status: 200, timings: { connect: expect.any(Number) } })
    expect(await sendFor('victim')).toMatchObject({ status: 200, timings: { connect: 0 } })
    expect(connections()).toBe(3)
  })

  test('on which something came before the request are not written to', async () => {
    let requests = 0
    const { url } = await listener(
      startTls(certificate, (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        socket.on('data', () => requests++)
      }),
    )
    const mayWrite = async () => {
      await farEndHasSpoken()
      return true
    }
    expect(await sender().send(requestTo(url, { mayWrite }))).toMatchObject({
      kind: 'failed',
      error: 'connection_reset',
    })
    expect(requests).toBe(0)
  })

  test('that the subscriber closes while idle are replaced without a failed attempt', async () => {
    const sockets: Socket[] = []
    const { url, received } = await subscriber((request, response) => {
      sockets.push(request.socket)
      response.end()
    })
    const sending = sender()
    for (let count = 0; count < 5; count++) {
      expect(await sending.send(requestTo(url))).toMatchObject({ status: 200 })
      for (const socket of sockets.splice(0)) {
        socket.end()
        await once(socket, 'close')
      }
    }
    expect(received).toHaveLength(5)
  })

  test('that the subscriber closes right after its answer, without a word, are not written to', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    const atOnce = await listener(startTls(certificate, (socket) => void socket.once('data', () => socket.end(answer))))
    const aTurnLater = await listener(
      startTls(
        certificate,
        (socket) => void socket.once('data', () => socket.write(answer, () => setImmediate(() => socket.end()))),
      ),
    )
    for (const { url } of [atOnce, aTurnLater]) {
      const sending = sender()
      for (let count = 0; count < 20; count++) expect(await sending.send(requestTo(url))).toMatchObject({ status: 200 })
    }
  })

  test('that were closed while this process was busy are not written to', async () => {
    const { url, received } = await subscriber((request, response) => {
      response.end()
      setTimeout(() => request.socket.end(), 20)
    })
    const sending = sender()
    for (let count = 0; count < 5; count++) {
      expect(await sending.send(requestTo(url))).toMatchObject({ status: 200 })
      // Busy while the end arrives, as a worker is with a large batch. The subscriber lives in this process too, so it
      // gets to end first.
      await new Promise((resolve) => setTimeout(resolve, 21))
      for (const until = performance.now() + 20; performance.now() < until; );
    }
    expect(received).toHaveLength(5)
  })

  test('are used again from wherever in the loop a request is begun', async () => {
    const { url, connections } = await subscriber(ok)
    const sending = sender()
    const sendAll = () => Promise.all(Array.from({ length: 8 }, () => sending.send(requestTo(url))))
    for (let round = 0; round < 20; round++) {
      await sendAll()
      await new Promise((resolve) => (round % 2 === 0 ? setTimeout(resolve, 1) : setImmediate(resolve)))
    }
    expect(connections()).toBeLessThanOrEqual(8)
  })

  test('are used as long as the subscriber says, less a margin, whoever took them meanwhile and wrote nothing', async () => {
    const { url, connections } = await subscriber((_request, response) =>
      response.writeHead(200, { 'keep-alive': 'timeout=3' }).end(),
    )
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const sending = sender()
    await sending.send(requestTo(url))
    vi.advanceTimersByTime(1_999)
    expect(await sending.send(requestTo(url, { mayWrite: () => false }))).toMatchObject({ kind: 'withheld' })
    await sending.send(requestTo(url))
    expect(connections()).toBe(1)
    vi.advanceTimersByTime(1_500)
    await sending.send(requestTo(url, { mayWrite: () => false }))
    vi.advanceTimersByTime(501)
    await sending.send(requestTo(url))
    expect(connections()).toBe(2)
  })

  test('are closed after their time and beyond their number', async () => {
    const { sendAtOnce, connections } = await subscriberOfMany()
    const short = sender({ keepAliveMs: 30 })
    await sendAtOnce(short, 1)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await sendAtOnce(short, 1)
    expect(connections()).toBe(2)
    const few = sender({ idleConnectionsMax: 2 })
    await sendAtOnce(few, 6)
    await sendAtOnce(few, 2)
    expect(connections()).toBe(8)
    await sendAtOnce(few, 1)
    expect(connections()).toBe(8)
  })

  test('are closed when it cannot be asked whether to write', async () => {
    let closed = 0
    const { url, connections } = await listener(
      startTls(certificate, (socket) => void socket.on('close', () => closed++)),
    )
    const sending = sender()
    const mayWrite = async () => {
      await farEndHasSpoken()
      throw new Error('the database is away')
    }
    for (let count = 0; count < 3; count++)
      await expect(sending.send(requestTo(url, { mayWrite }))).rejects.toThrow('the database is away')
    await expect.poll(() => [connections(), closed]).toEqual([3, 3])
  })

  test('closing waits for attempts under way', async () => {
    let answer = () => {}
    const { url, received } = await subscriber((_request, response) => {
      answer = () => void response.end('late')
    })
    const sending = sender()
    const done: string[] = []
    const result = sending.send(requestTo(url)).finally(() => done.push('sent'))
    await expect.poll(() => received.length).toBe(1)
    const closing = sending.close().then(() => done.push('closed'))
    answer()
    await closing
    expect(done).toEqual(['sent', 'closed'])
    expect(await result).toMatchObject({ responseBody: 'late' })
  })
})
