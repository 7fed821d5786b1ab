// The worker that takes queued SMS to their carriers: claim, ask the carrier, judge, settle. It holds no transaction
// while the carrier thinks. Wherever it crashes, the lease lapses and another worker asks the carrier again under the
// same idempotency key.
import type { Database } from '../database/pool.js'
import { createQueueWorker, type QueueWorker } from '../queue/queue-worker.js'
import type { Carrier, OutgoingText } from './carrier.js'
import { type ClaimedText, claimTexts, findDueText } from './sms-queue.js'
import { failed, judgeFollowUp, judgeSend, type Verdict } from './sms-verdict.js'

/** What is to be done for a claimed SMS. `drop`: nothing any more. */
export type Task =
  | {
      readonly kind: 'carry'
      readonly carrier: Carrier
      readonly text: Omit<OutgoingText, 'attempt'>
      readonly providerMessageId: string | null
    }
  | { readonly kind: 'refuse'; readonly errorCode: string; readonly errorMessage: string }
  | { readonly kind: 'drop' }

export interface OutboxParts {
  readonly database: Database
  readonly clock: () => Date
  readonly prepare: (claimed: ClaimedText) => Promise<Task>
  /** Makes the verdict true in one commit, if the claim still stands. */
  readonly settle: (claimed: ClaimedText, verdict: Verdict) => Promise<void>
  readonly onTrouble: (error: Error) => void
  /** How long a carrier may think. */
  readonly carrierTimeoutMs?: number
}

const CARRIER_TIMEOUT_MS = 10_000
/** Longer than a carrier may take, with room to settle. */
export const LEASE_MS = 30_000
/** As many carriers as this worker asks at once: a slow one takes a slot, not the whole worker. */
const SLOTS = 20

export function createSmsOutbox(parts: OutboxParts): QueueWorker {
  return createQueueWorker<ClaimedText>({
    database: parts.database,
    findDue: () => findDueText(parts.clock()),
    slots: SLOTS,
    onTrouble: parts.onTrouble,
    work: (text) => carry(parts, text),
    async claim(room) {
      const items = await claimTexts(parts.database, parts.clock(), LEASE_MS, room)
      return { items, hasMore: items.length === room }
    },
  })
}

/** One SMS, one step. */
async function carry(parts: Omit<OutboxParts, 'onTrouble'>, claimed: ClaimedText): Promise<void> {
  const task = await parts.prepare(claimed)
  const verdict = await judged(parts, claimed, task)
  await parts.settle(claimed, verdict)
}

async function judged(
  { clock, carrierTimeoutMs = CARRIER_TIMEOUT_MS }: Pick<OutboxParts, 'clock' | 'carrierTimeoutMs'>,
  claimed: ClaimedText,
  task: Task,
): Promise<Verdict> {
  if (task.kind === 'drop') return { report: {}, next: { kind: 'done' } }
  if (task.kind === 'refuse') return failed(task.errorCode, task.errorMessage)
  const { carrier, providerMessageId } = task
  const text: OutgoingText = { ...task.text, attempt: claimed.attempts }
  if (claimed.step === 'send') {
    const result = await inTime(carrierTimeoutMs, (signal) => carrier.send(text, signal)).catch(unanswered)
    return judgeSend(claimed, result, clock())
  }
  if (carrier.follow === undefined || providerMessageId === null) return { report: {}, next: { kind: 'done' } }
  const { follow } = carrier
  const result = await inTime(carrierTimeoutMs, (signal) => follow({ ...text, providerMessageId }, signal)).catch(
    () => ({
      kind: 'waiting' as const,
      followAfterMs: LEASE_MS,
    }),
  )
  return judgeFollowUp(claimed, result, clock())
}

/** Whether the carrier took it nobody knows; it is asked again under the same key. */
const unanswered = (error: unknown) => ({
  kind: 'unavailable' as const,
  errorMessage: error instanceof Error ? error.message.slice(0, 255) : 'No answer',
})

/** A carrier that ignores the signal is left alone when the time is over. */
async function inTime<T>(timeoutMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  return Promise.race([
    ask(signal),
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('The carrier did not answer in time')), { once: true }),
    ),
  ])
}
