// Times of day: "half past 11 in the morning", "7:15 pm", "evening 5", "noon", "between 2 and 4". What is said without
// morning or evening is settled by what was said around it, before it, or by the hours at which people are awake.
import type { Found } from '../mention.js'
import { readSmall } from './spoken-numbers.js'
import { endOf, isBoundary, isGlued, isWord, startOf, type Utterance, valueAt, wordAt, writtenAt } from './utterance.js'

/** What makes an hour one of 24: "am", or a part of the day. */
type Half = 'am' | 'pm' | 'night' | '24h'

interface Clock {
  readonly hour: number
  readonly minute: number
  /** The token after it. */
  readonly next: number
  readonly half: Half | undefined
  /** Whether it is a time wherever it stands, or a number that only its surroundings make one. */
  readonly isSure: boolean
}

const dayParts: ReadonlyMap<string, Half> = new Map([
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
/** Words before a bare number that make it an hour, where nothing countable follows. */
const hourCues = new Set([
  'at',
  'by',
  'around',
  'until',
  'till',
  'before',
  'after',
  'about',
  'from',
  'between',
  'since',
])
/** What may follow a bare hour; a noun would make it a count. */
const afterHour = new Set(
  (
    'on today tomorrow tonight this next for please and or to if in works work would is sharp then instead with thanks ' +
    'thank will should be i we as but so because that'
  ).split(' '),
)
const rangeWords = new Set(['to', 'and', 'until', 'till', 'through', '-', '–', 'or'])

/** The times of conversations so far, by what was said of them: `5:30` → `17:30`. */
export type KnownTimes = Map<string, string>

export function findTimes(utterance: Utterance, known: KnownTimes): Found[] {
  const found: Found[] = []
  const around = partAround(utterance)
  for (let index = 0; index < utterance.tokens.length; index++) {
    const clocks = readRange(utterance, index)
    if (clocks.length === 0) continue
    let from = clocks[0]?.from ?? index
    for (const { clock, from: begin } of clocks) {
      from = begin
      found.push({
        kind: 'time',
        start: startOf(utterance, from),
        end: endOf(utterance, clock.next - 1),
        value: settle(clock, around, known),
      })
      index = clock.next - 1
    }
  }
  return found
}

interface Placed {
  readonly clock: Clock
  readonly from: number
}

/** One time, or two that are joined: in "2 to 4 pm" the second tells the half of the first. */
function readRange(utterance: Utterance, index: number): readonly Placed[] {
  const first = readClock(utterance, index)
  if (first === undefined) return []
  const join = first.next
  const second = rangeWords.has(wordAt(utterance, join)) ? readClock(utterance, join + 1) : undefined
  const isAnswer = utterance.asked.has('time') && wordAt(utterance, index) !== 'one'
  const isCued = hourCues.has(wordAt(utterance, index - 1)) || isAnswer
  const isEnd = endsBare(utterance, (second ?? first).next)
  if (second !== undefined && (first.isSure || second.isSure || (isCued && isEnd)) && isSameHalf(first, second)) {
    const half = first.half ?? second.half
    return [
      { clock: { ...first, half: earlierHalf(first, second, half) }, from: index },
      { clock: { ...second, half: second.half ?? half }, from: join + 1 },
    ]
  }
  const stands = first.isSure || (isCued && endsBare(utterance, first.next))
  return stands ? [{ clock: first, from: index }] : []
}

/** "Quarter to five" is not a range of two times. */
const isSameHalf = (first: Clock, second: Clock): boolean => first.hour <= 24 && second.hour <= 24

/** "11 to 2 pm" begins in the morning. */
const earlierHalf = (first: Clock, second: Clock, half: Half | undefined): Half | undefined =>
  first.half === undefined && half === 'pm' && first.hour % 12 > second.hour % 12 ? 'am' : half

const endsBare = (utterance: Utterance, index: number): boolean =>
  isBoundary(utterance, index) || afterHour.has(wordAt(utterance, index))

function readClock(utterance: Utterance, index: number): Clock | undefined {
  const fixed = fixedTimes.get(wordAt(utterance, index))
  if (fixed !== undefined) return { hour: fixed, minute: 0, next: index + 1, half: '24h', isSure: true }
  const part = dayParts.get(wordAt(utterance, index))
  if (part !== undefined) return readAfterPart(utterance, index, part)
  const clock = readAgainstHour(utterance, index) ?? readHour(utterance, index)
  return clock && withHalf(utterance, clock)
}

/** "Evening 5", "morning at 10:30". */
function readAfterPart(utterance: Utterance, index: number, half: Half): Clock | undefined {
  const from = index + 1
  const clock = readAgainstHour(utterance, from) ?? readHour(utterance, from)
  if (clock === undefined || !(clock.isSure || endsBare(utterance, clock.next))) return undefined
  const told = withHalf(utterance, clock)
  return { ...told, half: told.half ?? half, isSure: true }
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
  if (!(isPast || toWords.has(direction)) || (!isNamed && (said < 5 || said % 5 !== 0 || direction !== 'past')))
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
  const { value, next } = hour
  const written = writtenAt(utterance, next + 1)
  if (wordAt(utterance, next) === ':' && /^[0-5]\d$/.test(written)) {
    const half = value > 12 || value === 0 || /^0/.test(writtenAt(utterance, index)) ? '24h' : undefined
    return { hour: value, minute: Number(written), next: skipSeconds(utterance, next + 2), half, isSure: true }
  }
  const afterClock = skipOClock(utterance, next)
  if (afterClock !== undefined) return { hour: value, minute: 0, next: afterClock, half: undefined, isSure: true }
  const minute = readSpokenMinute(utterance, index, next)
  if (minute !== undefined)
    return { hour: value, minute: minute.value, next: minute.next, half: undefined, isSure: false }
  return { hour: value, minute: 0, next, half: value > 12 ? '24h' : undefined, isSure: false }
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

/** The part of the day that the segment speaks of, where it names one only. */
function partAround(utterance: Utterance): Half | undefined {
  const parts = new Set(utterance.tokens.map(({ lower }) => dayParts.get(lower)).filter((part) => part !== undefined))
  return parts.size === 1 ? [...parts][0] : undefined
}

/** As HH:MM of 24 hours; remembers what an open hour was settled to. */
function settle(clock: Clock, around: Half | undefined, known: KnownTimes): string {
  const { hour, minute, half } = clock
  const said = `${hour % 12}:${minute}`
  if (half === undefined && around === undefined) {
    const before = known.get(said)
    if (before !== undefined) return before
  }
  const value = written(hourOfDay(hour, half ?? around), minute)
  if (half !== undefined || around !== undefined) known.set(said, value)
  return value
}

const written = (hour: number, minute: number): string => `${pad(hour % 24)}:${pad(minute)}`
const pad = (value: number): string => String(value).padStart(2, '0')

function hourOfDay(hour: number, half: Half | undefined): number {
  if (half === '24h' || hour > 12) return hour
  const small = hour % 12
  if (half === 'am') return small
  if (half === 'pm') return small + 12
  if (half === 'night') return small >= 1 && small < 5 ? small : hour === 12 ? 0 : small + 12
  return small >= 7 ? small : small + 12
}
