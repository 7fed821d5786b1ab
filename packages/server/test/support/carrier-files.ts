// A carrier's file server for tests: HTTPS on loopback, answering each path as the test says, and counting what it was
// asked for.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { closeAfterTest } from './after-each.js'
import { certificate } from './webhooks/sending.js'

export interface CarrierFiles {
  readonly url: string
  readonly port: number
  /** The paths it was asked for, in order. */
  readonly asked: readonly string[]
}

export async function carrierFiles(
  answer: (path: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<CarrierFiles> {
  const asked: string[] = []
  const server = createServer(certificate, (request, response) => {
    asked.push(request.url ?? '')
    answer(request.url ?? '', response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, port, asked }
}

export const audio = (response: ServerResponse, sound: string | Buffer, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': 'audio/mpeg', ...headers }).end(sound)
