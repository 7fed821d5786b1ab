// Addresses that follow no pattern we know, right after "the address is": parts with commas between them, each of
// capitals and numbers, as in "East Wing, 58, Jalan Ang Seng, Brickfields, 50470".
import type { Address } from '../mention.js'
import { readPhrase } from './phrases.js'
import { countries } from './street-words.js'
import {
  isBoundary,
  isCapitalized,
  isGlued,
  readUtterance,
  spanOf,
  type Utterance,
  valueAt,
  wordAt,
} from './utterance.js'

const TOKENS_MAX = 30
const PARTS_MIN = 3
const marks = new Set(['-', '#', '/', "'", '&'])
const particles = new Set(['of', 'the', 'de', 'du', 'la', 'le', 'des', 'del'])

export interface Chain {
  readonly value: Address
  readonly next: number
}

/** Undefined unless there are several parts and a number among them. */
export function readChain(utterance: Utterance, index: number): Chain | undefined {
  const parts: string[] = []
  let [from, at] = [index, index]
  for (; at < index + TOKENS_MAX; at++) {
    if (wordAt(utterance, at) === ',' && at > from) {
      parts.push(spanOf(utterance, from, at))
      from = at + 1
    } else if (!isPartToken(utterance, at)) break
  }
  if (at > from) parts.push(spanOf(utterance, from, at))
  if (!isBoundary(utterance, at) || parts.length < PARTS_MIN || !parts.some((part) => /\d/.test(part))) return undefined
  return { value: addressOf(parts), next: at > from ? at : at - 1 }
}

const isPartToken = (utterance: Utterance, index: number): boolean =>
  isCapitalized(utterance, index) ||
  valueAt(utterance, index) !== undefined ||
  marks.has(wordAt(utterance, index)) ||
  (particles.has(wordAt(utterance, index)) && isCapitalized(utterance, index + 1)) ||
  (isGlued(utterance, index) &&
    valueAt(utterance, index - 1) !== undefined &&
    /^\p{L}$/u.test(wordAt(utterance, index)))

/** The street goes up to the first part that has a name after a number; a number of four or more at the end is a code. */
function addressOf(parts: readonly string[]): Address {
  const numbered = parts.findIndex((part) => /\d/.test(part))
  const isBare = /^\d+\p{L}?$/u.test(parts[numbered] ?? '')
  const street = parts.slice(0, numbered + (isBare ? 2 : 1)).join(', ')
  const rest = parts.slice(numbered + (isBare ? 2 : 1)).filter((part) => !isCountry(part))
  const postalCode = rest.find((part) => /^\d{4,6}$/.test(part))
  const city = rest.findLast((part) => !/^\d/.test(part))
  return {
    formatted: parts.join(', '),
    street,
    ...(city !== undefined && { city }),
    ...(postalCode !== undefined && { postalCode }),
  }
}

const isCountry = (part: string): boolean => readPhrase(readUtterance(part), 0, countries) !== undefined
