// A receiver with a certificate that it made for itself, as on a laptop.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface TlsReceiver {
  readonly url: string
  readonly got: string[]
  stop(): Promise<void>
}

export async function startTlsReceiver(folder: string): Promise<TlsReceiver> {
  const [key, certificate] = [join(folder, 'receiver.key'), join(folder, 'receiver.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=localhost', '-keyout', key, '-out', certificate]
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' })
  const got: string[] = []
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      got.push(body)
      response.writeHead(200).end()
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/hooks`,
    got,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
