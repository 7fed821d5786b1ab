// Event types, as several commands let them be typed.
import { UsageError } from '../failure.js'

/** Types separated by commas, each one known to the service; undefined is all. */
export function typesOf(text: string | undefined, known: readonly string[]): string[] | undefined {
  const types = text?.split(',').map((one) => one.trim())
  const unknown = types?.find((one) => !known.includes(one))
  if (unknown !== undefined) throw new UsageError(`There is no event ${unknown}.`, `Known: ${known.join(', ')}.`)
  return types
}
