// One time of day, as people say it: "half past 11 in the morning", "7:15 pm", "evening 5", "five oh five", "noon".
// Whether a bare number is a time at all is decided in times.ts.
import { type ReadNumber, readSmall } from './spoken-numbers.js'
import { isBoundary, isGlued, isWord, type Utterance, valueAt, wordAt, writtenAt } from './utterance.js'

/** What makes an hour one of 24: "am", or a part of the day. */
export type Half = 'am' | 'pm' | 'night' | '24h'

export interface Clock {
  readonly hour: number
  readonly minute: number
  /** The token after it. */
  readonly next: number
  readonly half: Half | undefined
  /** Whether it is a time wherever it stands, or a number that only its surroundings make one. */
  readonly isSure: boolean
}

export const dayParts: ReadonlyMap<string, Half> = new Map([
  ['morning', 'am'],
  ['afternoon', 'pm'],
  ['evening', 'pm'],
  ['tonight', 'pm'],
  ['night', 'night'],
])
const fixedTimes: ReadonlyMap<string, number> = new Map([
  ['noon', 12],
  ['midday', 12],
  ['midnight', 0],
])
const namedMinutes: ReadonlyMap<string, number> = new Map([
  ['quarter', 15],
  ['half', 30],
])
const beforeWords = new Set(['till', 'til', 'before', 'of'])
/** What may follow a bare hour; a noun would make it a count. */
const afterHour = new Set(
  (
    'on today tomorrow tonight this next for please and or to if in works work would is sharp then instead with ' +
    'thanks thank will should be i we as but so because that'
  ).split(' '),
)

export function readClock(utterance: Utterance, index: number): Clock | undefined {
  const fixed = fixedTimes.get(wordAt(utterance, index))
  if (fixed !== undefined) return { hour: fixed, minute: 0, next: index + 1, half: '24h', isSure: true }
  const part = dayParts.get(wordAt(utterance, index))
  if (part !== undefined)
    return wordAt(utterance, index) === 'tonight' ? undefined : readAfterPart(utterance, index, part)
  const clock = readOpen(utterance, index)
  return clock && withHalf(utterance, clock)
}

/** A time without what follows it of morning or evening. */
const readOpen = (utterance: Utterance, index: number): Clock | undefined =>
  readAgainstHour(utterance, index) ??
  readHalfHour(utterance, index) ??
  readMilitary(utterance, index) ??
  readHour(utterance, index)

/** "Evening 5", "morning at 10:30". */
function readAfterPart(utterance: Utterance, index: number, half: Half): Clock | undefined {
  const clock = readOpen(utterance, wordAt(utterance, index + 1) === 'at' ? index + 2 : index + 1)
  if (clock === undefined || !(clock.isSure || endsBare(utterance, clock.next))) return undefined
  const told = withHalf(utterance, clock)
  return { ...told, half: told.half ?? half, isSure: true }
}

/** "Half five", as the British say for half past five. */
function readHalfHour(utterance: Utterance, index: number): Clock | undefined {
  const hour = wordAt(utterance, index) === 'half' ? readHourNumber(utterance, index + 1) : undefined
  return hour && { hour: hour.value, minute: 30, next: hour.next, half: undefined, isSure: false }
}

/** "1800 hours". */
function readMilitary(utterance: Utterance, index: number): Clock | undefined {
  const match = /^([01]\d|2[0-3])([0-5]\d)$/.exec(writtenAt(utterance, index))
  if (match === null || wordAt(utterance, index + 1) !== 'hours') return undefined
  return { hour: Number(match[1]), minute: Number(match[2]), next: index + 2, half: '24h', isSure: true }
}

interface Minutes extends ReadNumber {
  /** Whether they can only be of a time: "quarter", "ten minutes". */
  readonly isNamed: boolean
}

/** "Quarter to 5", "half past eleven", "ten minutes after two", "quarter to midnight". */
function readAgainstHour(utterance: Utterance, index: number): Clock | undefined {
  const minutes = readMinutes(utterance, wordAt(utterance, index) === 'a' ? index + 1 : index)
  const direction = minutes && directionOf(minutes, wordAt(utterance, minutes.next))
  if (minutes === undefined || direction === undefined) return undefined
  const at = minutes.next + 1
  const fixed = fixedTimes.get(wordAt(utterance, at))
  const hour = fixed === undefined ? readHourNumber(utterance, at) : { value: fixed || 24, next: at + 1 }
  const isShare = wordAt(utterance, minutes.next) === 'of' && !endsBare(utterance, hour?.next ?? 0)
  if (hour === undefined || isShare) return undefined
  const total = hour.value * 60 + direction * minutes.value
  return {
    hour: Math.floor(total / 60) % 24,
    minute: total % 60,
    next: skipOClock(utterance, hour.next) ?? hour.next,
    half: fixed === undefined ? undefined : '24h',
    isSure: true,
  }
}

function readMinutes(utterance: Utterance, index: number): Minutes | undefined {
  const named = namedMinutes.get(wordAt(utterance, index))
  if (named !== undefined) return { value: named, next: index + 1, isNamed: true }
  const digits = valueAt(utterance, index)
  const number = digits === undefined ? readSmall(utterance, index) : { value: digits, next: index + 1 }
  if (number === undefined || !Number.isInteger(number.value) || number.value < 1 || number.value > 59) return undefined
  const isNamed = /^minutes?$/.test(wordAt(utterance, number.next))
  return { value: number.value, next: isNamed ? number.next + 1 : number.next, isNamed }
}

/** Bare minutes are round, and "ten to five" is a range. */
function directionOf({ value, isNamed }: Minutes, word: string): 1 | -1 | undefined {
  if (!isNamed && value % 5 !== 0) return undefined
  if (word === 'past' || (isNamed && word === 'after')) return 1
  if (word === 'to' && value !== 30 && (isNamed || value > 12)) return -1
  return isNamed && value !== 30 && beforeWords.has(word) ? -1 : undefined
}

/** An hour in digits or words, without minutes. */
function readHourNumber(utterance: Utterance, index: number): ReadNumber | undefined {
  const digits = valueAt(utterance, index)
  if (digits !== undefined) {
    return Number.isInteger(digits) && digits <= 24 && writtenAt(utterance, index).length <= 2
      ? { value: digits, next: index + 1 }
      : undefined
  }
  const small = readSmall(utterance, index)
  return small && small.value >= 1 && small.value <= 12 ? small : undefined
}

/** "5", "5:30", "5.30", "five thirty", "five oh five", "5 o'clock". */
function readHour(utterance: Utterance, index: number): Clock | undefined {
  const dotted = /^(\d{1,2})\.([0-5]\d)$/.exec(writtenAt(utterance, index))
  if (dotted !== null && Number(dotted[1]) <= 24) return open(Number(dotted[1]), Number(dotted[2]), index + 1, false)
  const hour = readHourNumber(utterance, index)
  if (hour === undefined) return undefined
  const next = skipIsh(utterance, hour.next)
  const written = writtenAt(utterance, next + 1)
  if (wordAt(utterance, next) === ':' && /^[0-5]\d$/.test(written)) {
    const clock = open(hour.value, Number(written), skipSeconds(utterance, next + 2), true)
    return writtenAt(utterance, index).startsWith('0') ? { ...clock, half: '24h' } : clock
  }
  const afterClock = skipOClock(utterance, next)
  if (afterClock !== undefined) return open(hour.value, 0, afterClock, true)
  const minute = readSpokenMinute(utterance, index, next)
  return open(hour.value, minute?.value ?? 0, minute?.next ?? next, false)
}

/** What no morning or evening has been said of; hours past noon need none. */
const open = (hour: number, minute: number, next: number, isSure: boolean): Clock => ({
  hour,
  minute,
  next,
  half: hour > 12 || hour === 0 ? '24h' : undefined,
  isSure,
})

/** "5ish", "5-ish". */
const skipIsh = (utterance: Utterance, index: number): number => {
  const at = wordAt(utterance, index) === '-' ? index + 1 : index
  return wordAt(utterance, at) === 'ish' ? at + 1 : index
}

const skipSeconds = (utterance: Utterance, index: number): number =>
  wordAt(utterance, index) === ':' && /^\d\d$/.test(writtenAt(utterance, index + 1)) ? index + 2 : index

/** "o'clock" in all the ways transcripts spell it; the token after it. */
function skipOClock(utterance: Utterance, index: number): number | undefined {
  const word = wordAt(utterance, index)
  if (word === 'oclock') return index + 1
  if (word !== 'o') return undefined
  const after = isWord(wordAt(utterance, index + 1)) ? index + 1 : index + 2
  return wordAt(utterance, after) === 'clock' ? after + 1 : undefined
}

/** The minutes of "five thirty" and "five oh five". */
function readSpokenMinute(utterance: Utterance, hourAt: number, index: number) {
  if (valueAt(utterance, hourAt) !== undefined) return undefined
  if (wordAt(utterance, index) === 'oh' || wordAt(utterance, index) === 'o') {
    const unit = readSmall(utterance, index + 1)
    return unit && unit.value < 10 ? unit : undefined
  }
  const small = readSmall(utterance, index)
  return small && small.value >= 10 && small.value < 60 ? small : undefined
}

/** Takes in "pm", "p.m.", "in the evening", "at night" after the hour. */
function withHalf(utterance: Utterance, clock: Clock): Clock {
  const { next } = clock
  const told = readMeridiem(utterance, next) ?? readPart(utterance, next)
  if (told !== undefined) return { ...clock, ...told, half: clock.half ?? told.half, isSure: true }
  const isNoon = wordAt(utterance, next) === 'noon' && clock.hour === 12
  return isNoon ? { ...clock, half: '24h', next: next + 1, isSure: true } : clock
}

/** "In the evening", "at night", "this morning"; "tonight" is a day of its own. */
function readPart(utterance: Utterance, index: number): { half: Half; next: number } | undefined {
  const word = wordAt(utterance, index)
  const isLed = word === 'at' || word === 'this' || (word === 'in' && wordAt(utterance, index + 1) === 'the')
  const at = isLed ? index + (word === 'in' ? 2 : 1) : index
  const half = dayParts.get(wordAt(utterance, at))
  if (half === undefined || !(isLed || word === 'tonight' || word === 'morning')) return undefined
  return { half, next: word === 'tonight' ? index : at + 1 }
}

function readMeridiem(utterance: Utterance, index: number): { half: Half; next: number } | undefined {
  const word = wordAt(utterance, index)
  if (word === 'am' || word === 'pm') return { half: word, next: index + 1 }
  if (word !== 'a' && word !== 'p') return undefined
  const dot = wordAt(utterance, index + 1) === '.' ? 1 : 0
  if (wordAt(utterance, index + 1 + dot) !== 'm') return undefined
  const end = index + 2 + dot
  return {
    half: `${word}m`,
    next: dot === 1 && wordAt(utterance, end) === '.' && isGlued(utterance, end) ? end + 1 : end,
  }
}

/** Whether a bare hour may end here. */
export const endsBare = (utterance: Utterance, index: number): boolean =>
  isBoundary(utterance, index) || afterHour.has(wordAt(utterance, index))
