// HTTP as it is on the wire: no redirects followed, nothing decompressed, bodies and headers that `fetch` would not send.
import { type IncomingHttpHeaders, request } from 'node:http'

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
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

export const jsonOf = ({ bytes }: RawAnswer): any => JSON.parse(bytes.toString('utf8'))
