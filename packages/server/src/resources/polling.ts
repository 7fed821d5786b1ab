// Looking again and again, for as long as somebody needs it: one look at a time, and a look that failed is simply the last one before the next.

export interface Polling {
  /** Begins to look, unless it does already. */
  start(): void
  stop(): void
}

export function polling(everyMs: number, look: () => Promise<void>): Polling {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  const lookAndGoOn = async () => {
    // A database that is away is noticed by every request; here it only means that there is no news.
    await look().catch(() => undefined)
    if (isRunning) timer = setTimeout(lookAndGoOn, everyMs)
  }
  return {
    start() {
      if (isRunning) return
      isRunning = true
      timer = setTimeout(lookAndGoOn, everyMs)
    },
    stop() {
      isRunning = false
      clearTimeout(timer)
    },
  }
}
