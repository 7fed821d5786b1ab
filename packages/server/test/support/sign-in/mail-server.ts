// A mail server on loopback that takes every mail and keeps it.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export class MailServer {
  readonly mails: string[] = []
  readonly #sockets = new Set<Socket>()

  private constructor(
    readonly server: Server,
    readonly url: string,
  ) {
    server.on('connection', (socket) => this.#talk(socket))
  }

  static async start(): Promise<MailServer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    return new MailServer(server, `smtp://127.0.0.1:${port}`)
  }

  #talk(socket: Socket): void {
    this.#sockets.add(socket)
    let text = ''
    let isMail = false
    socket.setEncoding('utf8').on('error', () => undefined)
    socket.write('220 mail.test\r\n')
    socket.on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); !isMail && end >= 0; end = text.indexOf('\r\n')) {
        const command = text.slice(0, 4).toUpperCase()
        text = text.slice(end + 2)
        isMail = command === 'DATA'
        socket.write(isMail ? '354 go on\r\n' : command === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
      const end = text.indexOf('\r\n.\r\n')
      if (!isMail || end < 0) return
      this.mails.push(text.slice(0, end).replace(/=\r\n/g, '').replace(/=3D/g, '='))
      text = text.slice(end + 5)
      isMail = false
      socket.write('250 taken\r\n')
    })
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }
}
