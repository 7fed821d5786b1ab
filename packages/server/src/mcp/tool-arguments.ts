// What several tools take alike.
import { integer, limits, line, optional, text } from '@parley/contract'

/** Agents read word by word what comes back: fewer at once than programs take. */
export const PAGE_DEFAULT = 10
const PAGE_MAX = 50

export const page = {
  limit: optional(integer({ minimum: 1, maximum: PAGE_MAX })),
  cursor: optional(line(512)),
}
export const aboutPage = { cursor: 'nextCursor of the page before' }

export const retry = { idempotencyKey: optional(text(limits.idempotencyKeyLength)) }
export const aboutRetry = { idempotencyKey: 'Repeat it when you repeat the call: it happens once' }

export const fence = { ifVersion: optional(integer({ minimum: 1 })) }
export const aboutFence = { ifVersion: 'Refuse if it has changed since' }
