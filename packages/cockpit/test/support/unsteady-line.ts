// A line to the server that can be cut and mended: what a browser sees of a server that restarts.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface UnsteadyLine {
  readonly url: string
  /** Ends every connection and takes no new one. */
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export async function unsteadyLine(target: string): Promise<UnsteadyLine> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((incoming) => {
    const outgoing = keep(connect(Number(port), hostname))
    keep(incoming).pipe(outgoing).pipe(incoming)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  const listen = async (at: number): Promise<number> => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await listen(0)
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    mend: async () => void (await listen(own)),
    close: () => (server.listening ? cut() : Promise.resolve()),
  }
}
