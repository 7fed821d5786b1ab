// Stopping without haste: the server goes on listening until the requests under way are answered, so that whoever asks
// meanwhile hears "not ready" and "try another node" instead of a refused connection.
import type { Server } from 'node:http'

export interface RequestWatch {
  /** Settles when no request is under way, or when the time is up. */
  idle(withinMs: number): Promise<void>
}

export function watchRequests(server: Server): RequestWatch {
  let underWay = 0
  let onIdle = () => {}
  server.on('request', (_request, response) => {
    underWay++
    // Unlike `finish`, this also comes when the caller has gone away.
    response.once('close', () => {
      underWay--
      if (underWay === 0) onIdle()
    })
  })
  return {
    async idle(withinMs) {
      if (underWay === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
        setTimeout(resolve, withinMs).unref()
      })
    },
  }
}
