// A TCP port that nobody listens on now, for scripts that start servers.
import { createServer } from 'node:net'

/** Below those that the system takes for connections of its own, one of which would keep a server from listening. */
const [lowest, highest] = [10_000, 32_000]

export function freePort() {
  const port = lowest + Math.floor(Math.random() * (highest - lowest))
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(freePort()))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
