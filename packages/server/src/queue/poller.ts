// Looking again and again, for as long as somebody needs it: one look at a time. A look that fails is told of once, and
// tried again like any other.
import { toError } from '../database/error-code.js'

export interface Polling {
  /** Begins to look, unless it does already. */
  start(): void
  /** Settles when no look is under way. */
  stop(): Promise<void>
}

export function polling(everyMs: number, look: () => Promise<void>, onTrouble: (error: Error) => void): Polling {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let looking: Promise<void> | undefined
  let isFailing = false
  const lookOnce = async () => {
    try {
      await look()
      isFailing = false
    } catch (error) {
      if (!isFailing) onTrouble(toError(error))
      isFailing = true
    }
  }
  const lookLater = () => {
    timer = setTimeout(() => {
      looking = lookOnce().then(() => {
        looking = undefined
        if (isRunning) lookLater()
      })
    }, everyMs).unref()
  }
  return {
    start() {
      if (isRunning) return
      isRunning = true
      // A look that was under way when it was stopped goes on by itself.
      if (looking === undefined) lookLater()
    },
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await looking
    },
  }
}
