// A receiver of webhooks on this machine that can be down, and remembers what it got.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { freePort } from '../../../server/test/support/free-port.js'

export interface Got {
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export interface Receiver {
  readonly url: string
  readonly got: Got[]
  /** How many it has answered with an error. */
  refused: number
  /** What it answers with. */
  status: number
  down(): Promise<void>
  up(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  let server = createServer()
  const port = await freePort()
  const receiver = { url: `http://127.0.0.1:${port}/hooks`, got: [] as Got[], refused: 0, status: 200, down, up }
  async function up() {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (receiver.status < 300) receiver.got.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
      else receiver.refused++
      response.writeHead(receiver.status).end()
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  }
  async function down() {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await up()
  return receiver
}
