// Options that several commands about events share.
import { UsageError } from './failure.js'

/** Event types as they are typed; undefined is all. */
export const typesOf = (text: string | undefined): string[] | undefined => text?.split(',').map((one) => one.trim())

/** How many events to stop after. */
export function countOf(limit: string | undefined): number {
  const count = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  if (!(count > 0)) throw new UsageError(`--limit ${limit} is no number of events.`, 'For example: --limit 1')
  return count
}
