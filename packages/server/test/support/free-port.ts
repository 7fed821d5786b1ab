// A port for what stops and comes back at the same address.
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range from which the system takes ports for connections: one of those would keep the port from being
 * listened on, up to a minute after its end.
 */
const lowest = 10_000
const highest = 32_000

export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
