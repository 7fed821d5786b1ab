// Plays simulations in the background, step by step and faster than life. Each step is committed by itself, as the
// requests of a real client would be, so stopping or crashing in the middle leaves what a client that went away leaves:
// a call that the reaper ends.
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../http/endpoint.js'
import type { Announcement } from '../../store/change.js'
import { type InvokeParts, invokeEndpoint } from '../generic/invoke-endpoint.js'
import type { Step } from './scenarios.js'

export const SIMULATED = 'simulated'

/** What is left to play when the first step has been taken. */
export interface Simulation {
  readonly caller: Caller
  readonly requestId: string
  readonly speed: number
  readonly steps: readonly Step[]
}

export interface Simulator {
  /** Begins what a commit has announced. */
  onAnnouncements(announcements: readonly Announcement[]): void
  /** Gives up what is being played, between two steps. */
  stop(): Promise<void>
}

export function createSimulator(parts: InvokeParts, onTrouble: (error: Error) => void): Simulator {
  const playing = new Set<Promise<void>>()
  const stopping = new AbortController()
  // Every step that is waited for listens to it.
  setMaxListeners(0, stopping.signal)

  async function play({ caller, requestId, speed, steps }: Simulation): Promise<void> {
    const beganMs = Date.now()
    for (const { atSeconds, act } of steps) {
      const waitMs = beganMs + (atSeconds * 1_000) / speed - Date.now()
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await invokeEndpoint(parts, caller, requestId, act)
    }
  }

  return {
    onAnnouncements(announcements) {
      for (const { topic, detail } of announcements) {
        if (topic !== SIMULATED) continue
        const played = play(detail as Simulation)
          .catch(onTrouble)
          .finally(() => playing.delete(played))
        playing.add(played)
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all(playing)
    },
  }
}
