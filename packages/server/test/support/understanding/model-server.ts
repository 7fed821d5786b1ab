// A server that speaks OpenAI's chat completions as far as we ask it, and misbehaves on demand.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelServer {
  readonly baseUrl: string
  readonly requests: { readonly headers: IncomingMessage['headers']; readonly body: any }[]
  /** What it does with the next requests. */
  behave(how: Behaviour): void
  stop(): Promise<void>
}

export type Behaviour = (response: ServerResponse, body: any) => void

/** A good answer with these contents. */
export const answering =
  (content: unknown, usage: object = { prompt_tokens: 120, completion_tokens: 30, cost: 0.002 }): Behaviour =>
  (response) => {
    const message = { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message }], usage }))
  }

export const refusing =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers)
    response.end('{"error":{"message":"no"}}')
  }

export const silent: Behaviour = () => undefined

export async function startModelServer(): Promise<ModelServer> {
  let how: Behaviour = refusing(500)
  const requests: ModelServer['requests'] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    requests.push({ headers: request.headers, body })
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return refusing(404)(response, body)
    if (request.headers.authorization !== 'Bearer sk-test') return refusing(401)(response, body)
    how(response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    behave(next) {
      how = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
