// Judges what a carrier answered: what the SMS becomes, and what is left to do for it. Pure, so that every case can be
// told in a table.
import type { SmsStatus } from '@parley/contract'
import type { FollowUp, SendResult } from './carrier.js'
import type { ClaimedText, Next } from './sms-queue.js'

/** What is now known of an SMS. */
interface Report {
  readonly status?: SmsStatus
  readonly providerMessageId?: string
  readonly errorCode?: string
  readonly errorMessage?: string
  /** What the recipient wrote back. */
  readonly reply?: string
}

export interface Verdict {
  readonly report: Report
  readonly next: Next
}

/** An SMS that is hours late helps nobody: after the last of these it has failed. */
const retryDelaysSeconds = [5, 30, 120, 600, 1_800, 3_600] as const
/** A carrier that was asked this often without an answer is not asked again; the SMS stays `sent`. */
const FOLLOWS_MAX = 20

export function judgeSend({ attempts }: Pick<ClaimedText, 'attempts'>, result: SendResult, now: Date): Verdict {
  if (result.kind === 'accepted') {
    const { providerMessageId, followAfterMs } = result
    const next: Next = followAfterMs === undefined ? { kind: 'done' } : again('follow', now, followAfterMs, true)
    return { report: { status: 'sent', providerMessageId }, next }
  }
  if (result.kind === 'refused') return failed(result.errorCode, result.errorMessage)
  const delay = retryDelaysSeconds[attempts - 1]
  return delay === undefined
    ? failed('carrier_unavailable', result.errorMessage)
    : { report: {}, next: again('send', now, delay * 1_000, false) }
}

export function judgeFollowUp({ attempts }: Pick<ClaimedText, 'attempts'>, result: FollowUp, now: Date): Verdict {
  if (result.kind === 'waiting') {
    return {
      report: {},
      next: attempts < FOLLOWS_MAX ? again('follow', now, result.followAfterMs, false) : { kind: 'done' },
    }
  }
  if (result.kind === 'delivered')
    return {
      report: { status: 'delivered', ...(result.reply !== undefined && { reply: result.reply }) },
      next: { kind: 'done' },
    }
  const { errorCode, errorMessage } = result
  return { report: { status: 'undelivered', errorCode, errorMessage }, next: { kind: 'done' } }
}

export const failed = (errorCode: string, errorMessage: string): Verdict => ({
  report: { status: 'failed', errorCode, errorMessage },
  next: { kind: 'done' },
})

function again(step: ClaimedText['step'], now: Date, delayMs: number, isNewStep: boolean): Next {
  return { kind: 'again', step, dueAt: new Date(now.getTime() + delayMs), isNewStep }
}
