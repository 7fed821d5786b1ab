// What gives up on a lock after a second is tried again by whoever runs it: beside a slow reader it is, in tests too.
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK_NOT_AVAILABLE = '55P03'

export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 120_000; ; await sleep(50)) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error
    }
  }
}
