// Waits for what a worker does by itself, and says what it still saw when it gave up.
import { setTimeout as sleep } from 'node:timers/promises'

export async function until<T>(look: () => Promise<T>, isSo: (seen: T) => boolean, timeoutMs = 120_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > deadline) throw new Error(`Still not so after ${timeoutMs} ms: ${JSON.stringify(seen)}`)
    await sleep(25)
  }
}
