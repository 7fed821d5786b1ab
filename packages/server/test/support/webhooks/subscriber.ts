// A subscriber for tests: a real HTTPS server on loopback that records what it gets and answers as the test says.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { createServer as createTls, type TLSSocket } from 'node:tls'
import type { Certificate } from './certificates.js'

export interface Received {
  headers: IncomingMessage['headers']
  path: string
  body: Buffer
}

export interface ListenOptions {
  address?: string
  port?: number
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface Subscriber {
  port: number
  url: string
  received: Received[]
  /** TLS connections that were completed. */
  connections(): number
  close(): Promise<void>
}

/** Answers once the request's body has arrived. */
export async function startSubscriber(
  certificate: Certificate,
  answer: Answer,
  { address = '127.0.0.1', port }: ListenOptions = {},
): Promise<Subscriber> {
  const received: Received[] = []
  let connections = 0
  const server = createHttps({ ...certificate, keepAliveTimeout: 120_000 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: request.headers, path: request.url ?? '', body: Buffer.concat(chunks) })
    answer(request, response)
  })
  server.on('secureConnection', () => connections++)
  server.on('error', () => undefined)
  const bound = await listen(server, address, port)
  return {
    port: bound,
    url: `https://${address}:${bound}/hooks`,
    received,
    connections: () => connections,
    close: closer(server),
  }
}

export interface Listener {
  port: number
  url: string
  /** Bytes and connections that reached it: a forbidden listener must stay at zero. */
  connections(): number
  bytes(): number
  close(): Promise<void>
}

/** A bare TCP listener for subscribers that do not get as far as TLS. */
export async function startTcp(behave: (socket: Socket) => void, options: ListenOptions = {}): Promise<Listener> {
  return await startListener(createTcp(), 'connection', behave, options)
}

/** A TLS listener for subscribers that speak HTTP badly, or not at all. */
export async function startTls(certificate: Certificate, behave: (socket: TLSSocket) => void): Promise<Listener> {
  return await startListener(createTls({ ...certificate }), 'secureConnection', behave, {})
}

async function startListener<S extends Socket>(
  server: Server,
  event: string,
  behave: (socket: S) => void,
  { address = '127.0.0.1', port }: ListenOptions,
): Promise<Listener> {
  let connections = 0
  let bytes = 0
  server.on(event, (socket: S) => {
    connections++
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    behave(socket)
  })
  server.on('tlsClientError', () => undefined)
  const bound = await listen(server, address, port)
  return {
    port: bound,
    url: `https://${address}:${bound}/hooks`,
    connections: () => connections,
    bytes: () => bytes,
    close: closer(server),
  }
}

async function listen(server: Server, address: string, port = 0): Promise<number> {
  server.listen(port, address)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Ends open sockets too: a test that leaves one hanging on purpose must not hang itself. */
function closer(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
}
