// One time of day, as people say it: "half past 11 in the morning", "7:15 pm", "evening 5", "five oh five", "noon".
// Whether a bare number is a time at all is decided in times.ts.
import { readSmall } from './spoken-numbers.js'
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
const pastWords = new Set(['past', 'after'])
const toWords = new Set(['to', 'till', 'til', 'before', 'of'])
/** What may follow a bare hour; a noun would make it a count. */
const afterHour = new Set(
  (
    'on today tomorrow tonight this next for please and or to if in works work would is sharp then instead with thanks ' +
    'thank will should be i we as but so because that'
  ).split(' '),
)

export function readClock(utterance: Utterance, index: number): Clock | undefined {
  const fixed = fixedTimes.get(wordAt(utterance, index))
  if (fixed !== undefined) return { hour: fixed, minute: 0, next: index + 1, half: '24h', isSure: true }
  const part = dayParts.get(wordAt(utterance, index))
  if (part !== undefined) return readAfterPart(utterance, index, part)
  const clock = readers.map((read) => read(utterance, index)).find((read) => read !== undefined)
  return clock && withHalf(utterance, clock)
}

const readers = [readAgainstHour, readHalfHour, readMilitary, readHour]

/** "Evening 5", "morning at 10:30". */
function readAfterPart(utterance: Utterance, index: number, half: Half): Clock | undefined {
  const from = index + 1
  const clock = readAgainstHour(utterance, from) ?? readHour(utterance, from)
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

/** "Quarter to 5", "half past eleven", "ten minutes after two". */
function readAgainstHour(utterance: Utterance, index: number): Clock | undefined {
  const from = wordAt(utterance, index) === 'a' ? index + 1 : index
  const word = wordAt(utterance, from)
  const said =
    word === 'quarter' ? 15 : word === 'half' ? 30 : (valueAt(utterance, from) ?? readSmall(utterance, from)?.value)
  if (said === undefined || said >= 60) return undefined
  let next = word === 'quarter' || word === 'half' ? from + 1 : (readSmall(utterance, from)?.next ?? from + 1)
  const hasUnit = wordAt(utterance, next).startsWith('minute')
  if (hasUnit) next++
  const isNamed = word === 'quarter' || word === 'half' || hasUnit
  const direction = wordAt(utterance, next)
  const isPast = pastWords.has(direction)
  if (
    !(isPast || (toWords.has(direction) && word !== 'half')) ||
    (!isNamed && (said < 5 || said % 5 !== 0 || direction !== 'past'))
  )
    return undefined
  const hour = readHourNumber(utterance, next + 1) ?? readFixed(utterance, next + 1)
  if (hour === undefined) return undefined
  const after = skipOClock(utterance, hour.next) ?? hour.next
  const minutes = hour.value * 60 + (isPast ? said : -said)
  const isTwelve = hour.value === 12 && !isPast
  return {
    hour: isTwelve ? 11 : Math.floor(minutes / 60),
    minute: ((minutes % 60) + 60) % 60,
    next: after,
    half: undefined,
    isSure: true,
  }
}

const readFixed = (utterance: Utterance, index: number) =>
  fixedTimes.has(wordAt(utterance, index)) ? { value: 12, next: index + 1 } : undefined

/** An hour in digits or words, without minutes. */
function readHourNumber(utterance: Utterance, index: number): { value: number; next: number } | undefined {
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
  if (dotted !== null && Number(dotted[1]) <= 24) {
    return { hour: Number(dotted[1]), minute: Number(dotted[2]), next: index + 1, half: undefined, isSure: false }
  }
  const hour = readHourNumber(utterance, index)
  if (hour === undefined) return undefined
  const { value } = hour
  const next = skipIsh(utterance, hour.next)
  const written = writtenAt(utterance, next + 1)
  if (wordAt(utterance, next) === ':' && /^[0-5]\d$/.test(written)) {
    const half = value > 12 || value === 0 || writtenAt(utterance, index).startsWith('0') ? '24h' : undefined
    return { hour: value, minute: Number(written), next: skipSeconds(utterance, next + 2), half, isSure: true }
  }
  const afterClock = skipOClock(utterance, next)
  if (afterClock !== undefined) return { hour: value, minute: 0, next: afterClock, half: undefined, isSure: true }
  const minute = readSpokenMinute(utterance, index, next)
  if (minute !== undefined)
    return { hour: value, minute: minute.value, next: minute.next, half: undefined, isSure: false }
  return { hour: value, minute: 0, next, half: value > 12 ? '24h' : undefined, isSure: false }
}

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

/** Takes in "pm", "p.m.", "in the evening", "at night", "tonight" after the hour. */
function withHalf(utterance: Utterance, clock: Clock): Clock {
  const { next } = clock
  const word = wordAt(utterance, next)
  const meridiem = readMeridiem(utterance, next)
  if (meridiem !== undefined && clock.hour >= 0) {
    const half = clock.half === '24h' && clock.hour > 12 ? '24h' : meridiem.half
    return { ...clock, half, next: meridiem.next, isSure: true }
  }
  if (word === 'noon' && clock.hour === 12) return { ...clock, half: '24h', next: next + 1, isSure: true }
  if (word === 'hours' && clock.half === '24h') return clock
  const of =
    word === 'in' && wordAt(utterance, next + 1) === 'the'
      ? next + 2
      : word === 'at' || word === 'this'
        ? next + 1
        : next
  const part = dayParts.get(wordAt(utterance, of))
  if (part === undefined || (of === next && word !== 'tonight' && word !== 'morning')) return clock
  const half = clock.half === '24h' ? clock.half : part
  return { ...clock, half, next: word === 'tonight' ? next : of + 1, isSure: true }
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
