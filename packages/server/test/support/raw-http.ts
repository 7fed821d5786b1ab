// HTTP as it is on the wire: no redirects followed, nothing decompressed, bodies and headers that `fetch` would not
// send.
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface RawRequest {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
}

export function rawRequest(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

export const jsonOf = ({ bytes }: RawAnswer): any => JSON.parse(bytes.toString('utf8'))

export interface SocketAnswer {
  readonly status: number
  readonly head: string
  readonly body: any
}

/**
 * Sends bytes as they are on a connection of their own, and collects what is answered until the server has closed it.
 */
export async function sayOnSocket(url: string, text: string | Buffer): Promise<SocketAnswer[]> {
  const socket = openSocket(url)
  socket.write(text)
  let said = ''
  for await (const chunk of socket) said += chunk
  return said.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s)
    return { status: Number(head.split(' ')[1]), head, body: body === '' ? undefined : JSON.parse(body) }
  })
}

/** A connection on which nothing is sent and nothing is read by itself. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => undefined)
}

/** A GET without anything that is not needed, as it goes over the wire. */
export const plainGet = (path: string, key: string, headers = ''): string =>
  `GET /api/v1${path} HTTP/1.1\r\nhost: parley\r\nauthorization: Bearer ${key}\r\n${headers}\r\n`
