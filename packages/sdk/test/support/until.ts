// Waits for what others do in their own time.
import { setTimeout as sleep } from 'node:timers/promises'

export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'what the test waits for',
  withinMs = 120_000,
): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await holds()); await sleep(25)) {
    if (Date.now() > deadline) throw new Error(`It did not come true within ${withinMs} ms: ${what}`)
  }
}
