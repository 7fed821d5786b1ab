// For tests that name days: what they do before and after midnight (UTC) would be of two days.
import { setTimeout as sleep } from 'node:timers/promises'

const dayMs = 24 * 60 * 60 * 1_000
const marginMs = 100_000

/** Waits for the next day where this one is nearly over. To be called first in a test. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < marginMs) await sleep(leftMs + 1_000)
}
