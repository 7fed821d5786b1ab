// Lengths of time, as ISO 8601: "two hours", "half an hour", "an hour and a half", "a 45-minute visit", "3 nights".
import type { Found } from '../mention.js'
import { phrasesOf, readPhrase } from './phrases.js'
import { readWithHalf } from './spoken-numbers.js'
import { endOf, phraseEnd, startOf, type Utterance, wordAt } from './utterance.js'

type Unit = 'S' | 'M' | 'H' | 'D' | 'W' | 'MO' | 'Y'

const unitWords: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    S: 'second seconds sec secs',
    M: 'minute minutes min mins',
    H: 'hour hours hr hrs',
    D: 'day days night nights',
    W: 'week weeks',
    MO: 'month months',
    Y: 'year years yr yrs',
  }).flatMap(([unit, words]) => words.split(' ').map((word) => [word, toUnit(unit)])),
)
function toUnit(text: string): Unit {
  return text === 'S' || text === 'M' || text === 'H' || text === 'D' || text === 'W' || text === 'MO' ? text : 'Y'
}
const minutesIn: Readonly<Record<Unit, number | undefined>> = {
  S: undefined,
  M: 1,
  H: 60,
  D: 1_440,
  W: 10_080,
  MO: undefined,
  Y: undefined,
}

interface Length {
  readonly amount: number
  readonly unit: Unit
  readonly next: number
}

export function findDurations(utterance: Utterance): Found[] {
  const found: Found[] = []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const length = readLength(utterance, index)
    if (length === undefined) continue
    const whole = withRest(utterance, length)
    const value = isoDuration(whole)
    if (value === undefined) continue
    found.push({ kind: 'duration', start: startOf(utterance, index), end: endOf(utterance, whole.next - 1), value })
    index = whole.next - 1
  }
  return found
}

function readLength(utterance: Utterance, index: number): Length | undefined {
  const count = readCount(utterance, index)
  if (count === undefined) return undefined
  const at = between.has(wordAt(utterance, count.next)) ? count.next + 1 : count.next
  const unit = unitWords.get(wordAt(utterance, at))
  const isAge = wordAt(utterance, at + 1) === 'old'
  return unit === undefined || isAge ? undefined : { amount: count.value, unit, next: at + 1 }
}

/** What may stand between a number and its unit: "45-minute", "3 business days". */
const between = new Set(['-', 'business', 'working', 'full', 'more', 'whole', 'long'])

const looseCounts = phrasesOf([
  ['half an', 0.5],
  ['half a', 0.5],
  ['a half', 0.5],
  ['a quarter of an', 0.25],
  ['three quarters of an', 0.75],
  ['a couple of', 2],
  ['a couple', 2],
  ['a', 1],
  ['an', 1],
])

/** "Two", "two and a half", "half an", "a". */
function readCount(utterance: Utterance, index: number) {
  const loose = readPhrase(utterance, index, looseCounts)
  if (loose !== undefined && unitWords.has(wordAt(utterance, loose.next))) {
    return loose.next > index + 1 || isMeasured(utterance, index, loose.next) ? loose : undefined
  }
  return readWithHalf(utterance, index)
}

const measuring = new Set(
  'for in about takes take took within after lasts last only than around another every under over is be and'.split(' '),
)
/** "Takes a day" is a length, "what a day" and "hold on a second" are none; an hour always is one. */
function isMeasured(utterance: Utterance, index: number, unit: number): boolean {
  if (/^(minute|second)$/.test(wordAt(utterance, unit))) return false
  return wordAt(utterance, unit) === 'hour' || index === 0 || measuring.has(wordAt(utterance, index - 1))
}

/** "An hour and a half", "an hour and fifteen minutes", "1 hour 30 minutes". */
function withRest(utterance: Utterance, length: Length): Length {
  const half = phraseEnd(utterance, length.next, ['and', 'a', 'half'])
  if (half !== undefined) return { ...length, amount: length.amount + 0.5, next: half }
  const rest = readLength(utterance, wordAt(utterance, length.next) === 'and' ? length.next + 1 : length.next)
  return length.unit === 'H' && rest?.unit === 'M' && rest.amount < 60
    ? { ...length, amount: length.amount + rest.amount / 60, next: rest.next }
    : length
}

/** Fractions are turned into hours and minutes, where the unit has a fixed number of them. */
function isoDuration({ amount, unit }: Length): string | undefined {
  if (!(amount >= 0 && amount < 1e6)) return undefined
  if (unit === 'S') return `PT${amount}S`
  const minutes = minutesIn[unit]
  if (minutes === undefined) return amount % 1 === 0 ? `P${amount}${unit === 'MO' ? 'M' : 'Y'}` : monthsOf(amount, unit)
  if (amount % 1 === 0 && unit !== 'H' && unit !== 'M') return `P${amount}${unit}`
  return isoMinutes(Math.round(amount * minutes))
}

const monthsOf = (amount: number, unit: Unit): string | undefined =>
  unit === 'Y' ? `P${Math.round(amount * 12)}M` : undefined

function isoMinutes(total: number): string {
  const [hours, minutes] = [Math.floor(total / 60), total % 60]
  return `PT${hours > 0 ? `${hours}H` : ''}${minutes > 0 || hours === 0 ? `${minutes}M` : ''}`
}
