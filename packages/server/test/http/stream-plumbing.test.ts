import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { watchConnections } from '../../src/http/connections.js'
import { createStreams, frameOf, type Stream } from '../../src/http/sse.js'
import { createUnsent } from '../../src/http/unsent.js'

/** A busy machine may need more than the usual second. */
const patient = { timeout: 120_000 }
const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

const caller = { tenantId: 'tenant', organizationId: 'organization', actor: { type: 'key', id: 'key' } } as const
const unsent = createUnsent({ bytesPerTenant: 1024 * 1024, bytes: 1024 * 1024 * 1024 })

/** A server with one stream, and a reader of it that reads only when told to. */
async function open(stallTimeoutMs = 30_000): Promise<{ stream: Stream; read(): void; text(): string }> {
  const streams = createStreams(unsent)
  const app = fastify()
  watchConnections(app.server, { stallTimeoutMs, perAddress: 10, trustProxy: false })
  const opened = new Promise<Stream>((resolve) => {
    app.get('/stream', (request, reply) =>
      streams
        .open(caller, async (stream) => resolve(stream))
        .send({ request, reply, isStillAllowed: async () => true }),
    )
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write('GET /stream HTTP/1.1\r\nhost: x\r\n\r\n')
  let text = ''
  closing.push(
    () => socket.destroy(),
    () => streams.close(),
    () => app.close(),
  )
  return { stream: await opened, read: () => void socket.on('data', (chunk) => (text += chunk)), text: () => text }
}

test('a stream says something every fifteen seconds, so that nothing on the way takes it for dead', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { read, text } = await open()
  read()
  vi.advanceTimersByTime(15_000)
  await vi.waitFor(() => expect(text()).toContain('retry: 1000\n\n'), patient)
  await vi.waitFor(() => expect(text().match(/(^|\n):\n\n/g)).toHaveLength(1), patient)
  expect(text()).toContain('content-type: text/event-stream')
})

test('a reader that does not read is dropped after a while, and what waited for it counts until then', async () => {
  const { stream } = await open(1_500)
  const frame = frameOf('surface', JSON.stringify('x'.repeat(1024 * 1024)), '1')
  for (let sent = 0; sent < 40; sent++) stream.send(frame)
  expect(() => unsent.requireRoom('tenant')).toThrow('wait to be read')
  unsent.requireRoom('another')
  await stream.closed
  expect(stream.isOpen).toBe(false)
  unsent.requireRoom('tenant')
})

test('a reader that reads is kept, however much waits for it', async () => {
  const { stream, read, text } = await open()
  const frame = frameOf('surface', JSON.stringify('x'.repeat(1024 * 1024)), '1')
  for (let sent = 0; sent < 40; sent++) stream.send(frame)
  expect(stream.isBehind).toBe(true)
  read()
  await vi.waitFor(() => expect(text().length).toBeGreaterThan(40 * 1024 * 1024), patient)
  expect([stream.isOpen, stream.isBehind]).toEqual([true, false])
})

test('whoever has much to send waits for its reader', async () => {
  const { stream, read, text } = await open()
  const frame = frameOf('surface', JSON.stringify('x'.repeat(512 * 1024)))
  let sent = 0
  const sending = (async () => {
    for (; sent < 40; sent++) {
      stream.send(frame)
      await stream.drained()
    }
  })()
  await vi.waitFor(() => expect(stream.isBehind).toBe(true), patient)
  expect(sent).toBeLessThan(40)
  expect(stream.isOpen).toBe(true)
  read()
  await sending
  await vi.waitFor(() => expect(text().length).toBeGreaterThan(40 * 512 * 1024), patient)
})
