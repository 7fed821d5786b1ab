// Numbers, as several commands let them be typed.
import { UsageError } from './failure.js'

/** A whole number that is not below `least`; without a limit when nothing was typed. */
export function countOf(text: string | undefined, option = '--limit', least = 1): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  const count = numberOf(text, option)
  if (!Number.isInteger(count) || count < least)
    throw new UsageError(`${option} ${text} is no whole number from ${least} on.`, `For example: ${option} 10`)
  return count
}

export function numberOf(text: string, option: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) throw new UsageError(`${option} ${text} is no number.`, `For example: ${option} 10`)
  return number
}
