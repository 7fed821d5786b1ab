// Streams look by themselves, every few seconds, whether they are still allowed. Without that look whatever ends one is
// the word that goes round between nodes.
import { vi } from 'vitest'

/** Streams that are opened meanwhile never look by themselves. */
export async function withoutRechecks<T>(open: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    return await open()
  } finally {
    vi.useRealTimers()
  }
}
