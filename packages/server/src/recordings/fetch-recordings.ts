// The worker that fetches recordings from where carriers keep them: claim, download into the blob store, settle. It
// holds no transaction while a carrier answers. Wherever it crashes, the lease lapses and another worker fetches again;
// what the dead one wrote is named by nothing, and swept.
import type { Database } from '../database/pool.js'
import { createQueueWorker, type QueueWorker } from '../queue/queue-worker.js'
import { FetchFailure, nextTry } from './fetch-failure.js'
import { type ClaimedFetch, claimFetches, findDueFetch } from './fetch-queue.js'

/** Audio that is in the blob store, and that no recording names yet. */
export interface KeptAudio {
  readonly blob: string
  readonly mediaType: string
  readonly bytes: number
}

export type FetchResult =
  | { readonly kind: 'kept'; readonly audio: KeptAudio }
  | { readonly kind: 'again'; readonly dueAt: Date }
  | { readonly kind: 'failed'; readonly error: string }

export interface FetchParts {
  readonly database: Database
  readonly clock: () => Date
  /**
   * Downloads the audio and keeps it; rejects with a FetchFailure for whatever the other side does, and when it is told
   * to stop.
   */
  readonly fetch: (claimed: ClaimedFetch, stopping: AbortSignal) => Promise<KeptAudio>
  /** Makes the result true in one commit, if the claim still stands. */
  readonly settle: (claimed: ClaimedFetch, result: FetchResult) => Promise<void>
  readonly onTrouble: (error: Error) => void
  /** How long one attempt may take. */
  readonly timeoutMs: number
  readonly retryDelaysMs: readonly number[]
}

/** What settling may take beyond the attempt. */
const LEASE_MARGIN_MS = 30_000
const SLOTS = 8
/** So that one tenant's slow carriers leave slots for the others. */
const SLOTS_PER_TENANT = 2

export function createRecordingFetcher(parts: FetchParts): QueueWorker {
  const perTenant = new Map<string, number>()
  const stopping = new AbortController()
  const count = (tenantId: string, by: number) => {
    const now = (perTenant.get(tenantId) ?? 0) + by
    if (now > 0) perTenant.set(tenantId, now)
    else perTenant.delete(tenantId)
  }
  const worker = createQueueWorker<ClaimedFetch>({
    database: parts.database,
    findDue: () => findDueFetch(parts.clock()),
    slots: SLOTS,
    onTrouble: parts.onTrouble,
    async claim(room) {
      const busy = [...perTenant].filter(([, used]) => used >= SLOTS_PER_TENANT).map(([tenantId]) => tenantId)
      const items = await claimFetches(parts.database, parts.clock(), parts.timeoutMs + LEASE_MARGIN_MS, room, busy)
      for (const { tenantId } of items) count(tenantId, 1)
      return { items, hasMore: items.length > 0 || busy.length > 0 }
    },
    async work(claimed) {
      try {
        await parts.settle(claimed, await resultOf(parts, claimed, stopping.signal))
      } finally {
        count(claimed.tenantId, -1)
      }
    },
  })
  return {
    ...worker,
    stop() {
      // A download may take minutes; another node begins it again.
      stopping.abort()
      return worker.stop()
    },
  }
}

async function resultOf(
  { fetch, clock, retryDelaysMs }: FetchParts,
  claimed: ClaimedFetch,
  stopping: AbortSignal,
): Promise<FetchResult> {
  try {
    return { kind: 'kept', audio: await fetch(claimed, stopping) }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    if (stopping.aborted) return { kind: 'again', dueAt: clock() }
    const dueAt = nextTry(error, claimed.attempts, retryDelaysMs, clock())
    return dueAt === undefined ? { kind: 'failed', error: error.error } : { kind: 'again', dueAt }
  }
}
