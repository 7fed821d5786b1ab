// The carrier of every sandbox. It reaches nobody and keeps nothing: what it does follows from the recipient's number
// alone, so that a test written against it holds forever. docs/guides/sms.md lists the numbers.
import type { Carrier, FollowUp, OutgoingText, SendResult } from './carrier.js'

/** Numbers that behave in a way of their own; every other number gets its SMS after a second. */
export const magicNumbers = {
  invalid: '+15005550001',
  unreachable: '+15005550002',
  slow: '+15005550003',
  blocked: '+15005550004',
  busy: '+15005550005',
  replies: '+15005550007',
  stops: '+15005550008',
} as const

/** The numbers that a sandbox sends from while its organization has none, in the order in which they are taken. */
export const simulatedSenders: readonly string[] = [
  '+15005550006',
  ...Array.from({ length: 9 }, (_, index) => `+1500555010${index}`),
]

const DELIVERED_AFTER_MS = 1_000
const SLOW_AFTER_MS = 30_000
/** The busy number turns the first attempts away. */
const BUSY_ATTEMPTS = 1

export const sandboxCarrier: Carrier = {
  async send({ idempotencyKey, to, attempt }: OutgoingText): Promise<SendResult> {
    if (to === magicNumbers.invalid)
      return { kind: 'refused', errorCode: 'invalid_number', errorMessage: 'The number does not exist' }
    if (to === magicNumbers.blocked)
      return { kind: 'refused', errorCode: 'blocked', errorMessage: 'The carrier does not deliver to this number' }
    if (to === magicNumbers.busy && attempt <= BUSY_ATTEMPTS)
      return { kind: 'unavailable', errorMessage: 'The carrier is busy' }
    // The same SMS always gets the same id: that is how this carrier keeps its promise of sending once per key.
    return {
      kind: 'accepted',
      providerMessageId: `sandbox-${idempotencyKey}`,
      followAfterMs: to === magicNumbers.slow ? SLOW_AFTER_MS : DELIVERED_AFTER_MS,
    }
  },

  async follow({ to, body }): Promise<FollowUp> {
    if (to === magicNumbers.unreachable)
      return { kind: 'undelivered', errorCode: 'unreachable', errorMessage: 'The phone is off or out of reach' }
    if (to === magicNumbers.replies)
      return { kind: 'delivered', reply: `You wrote: ${[...body].slice(0, 1_000).join('')}` }
    return to === magicNumbers.stops ? { kind: 'delivered', reply: 'STOP' } : { kind: 'delivered' }
  },
}
