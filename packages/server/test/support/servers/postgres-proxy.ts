// A door between a server and its PostgreSQL that a test can shut: answers are withheld from one statement on, or every
// connection is cut.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { patient } from '../databases.js'

export interface PostgresProxy {
  /** The same database by way of the proxy. */
  readonly url: string
  /**
   * From the first statement that holds `text` on, its connection gets no answers any more; what it asked for is done
   * all the same.
   */
  withholdAnswersTo(text: string): void
  /**
   * From the first statement that holds `text` on, what its connection asks for waits at the door. Settles when there is
   * one; the function that comes back lets it go on.
   */
  holdUp(text: string): Promise<() => void>
  /** Cuts all connections and refuses new ones until `open`. */
  shut(): void
  open(): void
  stop(): Promise<void>
}

export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets = new Set<Socket>()
  let withheld: string | undefined
  let isShut = false
  let wanted: { readonly text: string; readonly found: (letGo: () => void) => void } | undefined

  const server = createServer((near) => {
    if (isShut) return near.destroy()
    const far = connect(target as { host: string; port: number })
    let isHeld = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.end()
      })
    }
    let waiting: Buffer[] | undefined
    const letGo = () => {
      for (const chunk of waiting ?? []) if (far.writable) far.write(chunk)
      waiting = undefined
    }
    near.on('data', (chunk: Buffer) => {
      if (wanted && chunk.includes(wanted.text)) {
        waiting = []
        wanted.found(letGo)
        wanted = undefined
      }
      if (waiting) return void waiting.push(chunk)
      if (withheld !== undefined && chunk.includes(withheld)) isHeld = true
      far.write(chunk)
    })
    far.on('data', (chunk) => isHeld || near.write(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: nearPort } = server.address() as AddressInfo
  const cut = () => sockets.forEach((socket) => void socket.destroy())
  return {
    url: patient(
      `postgres://${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}@127.0.0.1:${nearPort}/${database}`,
    ),
    withholdAnswersTo(text) {
      withheld = text
    },
    holdUp: (text) =>
      new Promise((found) => {
        wanted = { text, found }
      }),
    shut() {
      isShut = true
      cut()
    },
    open() {
      isShut = false
    },
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
