// Looking again and again, for as long as somebody needs it: one look at a time. A look that fails is told of once, and
// tried again like any other.
import { toError } from '../../database/error-code.js'

export interface Polling {
  /** Begins to look, unless it does already. */
  start(): void
  stop(): void
}

export function polling(everyMs: number, look: () => Promise<void>, onTrouble: (error: Error) => void): Polling {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isLooking = false
  let isFailing = false
  const lookAndGoOn = async () => {
    isLooking = true
    try {
      await look()
      isFailing = false
    } catch (error) {
      if (!isFailing) onTrouble(toError(error))
      isFailing = true
    }
    isLooking = false
    if (isRunning) timer = setTimeout(lookAndGoOn, everyMs)
  }
  return {
    start() {
      if (isRunning) return
      isRunning = true
      // A look that was under way when it was stopped goes on by itself.
      if (!isLooking) timer = setTimeout(lookAndGoOn, everyMs)
    },
    stop() {
      isRunning = false
      clearTimeout(timer)
    },
  }
}
