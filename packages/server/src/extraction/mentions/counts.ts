// Counts: a number and what is counted, as in "two bedrooms", "a party of six", "for 4". What another finder has read
// (a price, a date, a length of time) is no count.
import type { Found } from '../mention.js'
import { phrasesOf, readPhrase } from './phrases.js'
import { readOrdinal, readSmall, readWithHalf } from './spoken-numbers.js'
import {
  endOf,
  isAttached,
  isBoundary,
  isGlued,
  isWord,
  startOf,
  type Utterance,
  valueAt,
  wordAt,
} from './utterance.js'

/** Words that cannot be what is counted. */
const notCounted = new Set(
  (
    'a an the and or of to in on at by for from with is are was were be it that this these those if so but as then ' +
    'than please thanks thank would will can could should do does did has have had am pm i you we they he she not no ' +
    'yes ok okay there here which who what when where how about instead only each per until till before after because'
  ).split(' '),
)
/** "That one", "another one": no count. */
const beforePronoun = new Set(
  'the that this which another any every each no a an cheaper other first last next'.split(' '),
)

export function findCounts(utterance: Utterance): Found[] {
  const found: Found[] = []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const number = readPhrase(utterance, index, looseNumbers) ?? readWithHalf(utterance, index)
    if (number === undefined) continue
    if (readOrdinal(utterance, index) !== undefined) continue
    const noun = nounAt(utterance, number.next)
    if (isCount(utterance, index, number.next, noun)) {
      const next = noun === undefined ? number.next : noun + 1
      const { value } = number
      found.push({ kind: 'number', start: startOf(utterance, index), end: endOf(utterance, next - 1), value })
    }
    index = number.next - 1
  }
  return found
}

const looseNumbers = phrasesOf([
  ['a couple of', 2],
  ['a dozen', 12],
  ['half a dozen', 6],
])

/** The noun that follows, also after a hyphen ("2-bedroom"). */
function nounAt(utterance: Utterance, index: number): number | undefined {
  const at = wordAt(utterance, index) === '-' && isGlued(utterance, index) ? index + 1 : index
  const word = wordAt(utterance, at)
  return isWord(word) && word.length > 1 && !notCounted.has(word) && !word.endsWith('ly') ? at : undefined
}

const isNumber = (utterance: Utterance, index: number): boolean =>
  valueAt(utterance, index) !== undefined || readSmall(utterance, index) !== undefined

/** Parts of a code or a phone number: digits beside digits, or a zero before them. */
function isCode(utterance: Utterance, index: number, next: number): boolean {
  if (/^0\d/.test(wordAt(utterance, index))) return true
  const after = wordAt(utterance, next) === '-' && isGlued(utterance, next) ? next + 1 : next
  return isNumber(utterance, after) || isNumber(utterance, index - 1)
}

/** "One ticket", but not "one leaves", "one located", "one leaving". */
const isSingular = (word: string): boolean => !/(s|ed|ing)$/.test(word)

function isCount(utterance: Utterance, index: number, next: number, noun: number | undefined): boolean {
  if (isAttached(utterance, index) || isCode(utterance, index, next)) return false
  const isPronoun = wordAt(utterance, index) === 'one' && next === index + 1
  if (isPronoun)
    return noun !== undefined && isSingular(wordAt(utterance, noun)) && !beforePronoun.has(wordAt(utterance, index - 1))
  if (noun !== undefined) return true
  return (
    valueAt(utterance, index) !== undefined || isBoundary(utterance, next) || wordAt(utterance, index - 1) === 'for'
  )
}
