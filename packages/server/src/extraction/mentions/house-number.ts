// The number of a house: "377", "123-01", "28bis", "221B", "twelve", "one two three", "twenty-five oh one".
import { type ReadNumber, readOrdinal, readSmall } from './spoken-numbers.js'
import {
  isAttached,
  isCapitalized,
  isGlued,
  phraseEnd,
  type Utterance,
  valueAt,
  wordAt,
  writtenAt,
} from './utterance.js'

export interface HouseNumber {
  readonly text: string
  readonly next: number
}

const DIGITS_MAX = 5

export function readHouseNumber(utterance: Utterance, index: number): HouseNumber | undefined {
  return valueAt(utterance, index) === undefined ? readSpoken(utterance, index) : readWritten(utterance, index)
}

function readSpoken(utterance: Utterance, index: number): HouseNumber | undefined {
  let [text, next] = ['', index]
  for (let part = readPart(utterance, next); part && text.length < DIGITS_MAX; part = readPart(utterance, next)) {
    ;[text, next] = [text + part.value, part.next]
  }
  if (next === index || text.startsWith('0')) return undefined
  return isProperName(utterance, index, next) ? { text: writtenAt(utterance, index), next } : { text, next }
}

const readPart = (utterance: Utterance, index: number): ReadNumber | undefined =>
  wordAt(utterance, index) === 'oh' ? { value: 0, next: index + 1 } : readSmall(utterance, index)

/** "One Market Plaza" is written so by those who live there. */
const isProperName = (utterance: Utterance, index: number, next: number): boolean =>
  next === index + 1 && isCapitalized(utterance, index) && wordAt(utterance, index - 1) !== ''

function readWritten(utterance: Utterance, index: number): HouseNumber | undefined {
  const written = writtenAt(utterance, index)
  if (!/^\d{1,6}$/.test(written) || isAttached(utterance, index)) return undefined
  if (readOrdinal(utterance, index) !== undefined) return undefined
  const half = phraseEnd(utterance, index + 1, ['1', '/', '2'])
  if (half !== undefined) return { text: `${written} 1/2`, next: half }
  const last = writtenAt(utterance, index + 2)
  const isTight =
    isGlued(utterance, index + 2) || (Number(last) > Number(written) && isCapitalized(utterance, index + 3))
  if (wordAt(utterance, index + 1) === '-' && /^\d{1,4}$/.test(last) && isTight)
    return { text: `${written}-${last}`, next: index + 3 }
  const hasLetter = isGlued(utterance, index + 1) && /^([a-z]|bis|ter)$/.test(wordAt(utterance, index + 1))
  return hasLetter
    ? { text: written + writtenAt(utterance, index + 1), next: index + 2 }
    : { text: written, next: index + 1 }
}
