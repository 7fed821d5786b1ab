// A proxy in front of the service that misbehaves on request: what lies between a client and a service on a bad day.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * `lost`: the service gets the request, the client no answer. `cut`: half of the answer. `reset`: nobody gets anything.
 */
export type Fault =
  | 'pass'
  | 'lost'
  | 'cut'
  | 'reset'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: string }

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly at: number
}

export interface FlakyProxy {
  readonly url: string
  readonly seen: Seen[]
  /** What happens to the next requests, in turn; afterwards all pass. */
  plan(...faults: Fault[]): void
  stop(): Promise<void>
}

export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const seen: Seen[] = []
  let faults: Fault[] = []
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, at: Date.now() })
    misbehave(faults.shift() ?? 'pass', target, request, response).catch((error: Error) => {
      // Nobody waits for this, and the client must not either.
      response.writeHead(500).end(`The proxy has failed: ${error.message}: ${error.cause}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan(...next) {
      faults = next
      seen.length = 0
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function misbehave(
  fault: Fault,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bytesOf(request)
  if (fault === 'hang') return
  if (fault === 'reset') return void request.socket.resetAndDestroy()
  if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body)
  const own = ['host', 'connection', 'transfer-encoding', 'content-length']
  const headers = Object.entries(request.headers as Record<string, string>).filter(([name]) => !own.includes(name))
  const answer = await fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (fault === 'lost') return void request.socket.resetAndDestroy()
  const shown = Object.fromEntries(
    [...answer.headers].filter(
      ([name]) => !['content-encoding', 'transfer-encoding', 'connection', 'keep-alive'].includes(name),
    ),
  )
  response.writeHead(answer.status, {
    ...shown,
    ...(answer.status !== 204 && { 'content-length': String(bytes.length) }),
  })
  if (fault === 'pass') return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length / 2))
  setTimeout(() => request.socket.resetAndDestroy(), 20)
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
