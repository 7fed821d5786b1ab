// Days reckoned from today: "tomorrow", "next Tuesday", "Tuesday next week", "in two weeks", "a week from Friday".
import { type Day, partsOf, weekdayOf } from './calendar.js'
import { readBareOrdinal, readDayFirst, readMonthFirst } from './calendar-dates.js'
import { phrasesOf, readPhrase } from './phrases.js'
import { type DateContext, dated, dayOfMonth, nearestYear, type ReadDay, shiftOf, speaksOfPast } from './read-day.js'
import { countedWords, type ReadNumber, readNumber } from './spoken-numbers.js'
import { phraseEnd, type Utterance, wordAt } from './utterance.js'

const weekdays = new Map([
  ...countedWords('monday tuesday wednesday thursday friday saturday sunday', 1),
  ...countedWords('mon tue wed thu fri sat sun', 1),
  ['tues', 2],
  ['thurs', 4],
  ['thur', 4],
])
/** Too often other words to be a weekday by themselves. */
const shortWeekdays = new Set(['mon', 'wed', 'sat', 'sun'])
const nearWords = new Set(['this', 'coming', 'next', 'last', 'following'])

/** "Next Tuesday", "Tuesday next week", "Tuesday the 5th", "Tuesday, March 5th", "Tuesday". */
export function readWeekday(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const first = wordAt(utterance, index)
  const isNear = nearWords.has(first)
  const at = isNear ? (wordAt(utterance, index + 1) === 'coming' ? index + 2 : index + 1) : index
  const word = wordAt(utterance, at)
  const weekday = weekdays.get(word)
  if (weekday === undefined) return undefined
  const exact = readExact(utterance, at + 1, context)
  if (exact !== undefined) return exact
  const weeks = readWeeks(utterance, at + 1)
  if (weeks !== undefined) return { day: inWeek(context.today, weekday, weeks.value), next: weeks.next }
  if (isNear) return { day: nearWeekday(context.today, weekday, first), next: at + 1 }
  const day = plainWeekday(context.today, weekday, speaksOfPast(utterance, index))
  if (wordAt(utterance, at + 1) === 'week') return { day: day + 7, next: at + 2 }
  return shortWeekdays.has(word) ? undefined : { day, next: at + 1 }
}

/** The date that a weekday only accompanies. */
function readExact(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const from = wordAt(utterance, index) === ',' ? index + 1 : index
  return (
    readMonthFirst(utterance, from, context) ??
    readDayFirst(utterance, from, context) ??
    (wordAt(utterance, from) === 'the' ? readBareOrdinal(utterance, from, context) : undefined)
  )
}

/** "Next week", "of this week" after a weekday. */
function readWeeks(utterance: Utterance, index: number): ReadNumber | undefined {
  const afterNext = phraseEnd(utterance, index, ['after', 'next'])
  if (afterNext !== undefined) return { value: 2, next: afterNext }
  const from = wordAt(utterance, index) === 'of' ? index + 1 : index
  const shift = shiftOf(wordAt(utterance, from))
  return shift !== undefined && wordAt(utterance, from + 1) === 'week' ? { value: shift, next: from + 2 } : undefined
}

/** Weeks begin on Monday. */
const inWeek = (today: Day, weekday: number, weeks: number): Day => today - weekdayOf(today) + weekday + weeks * 7

/** "Next" is in next week; "this" and "coming" the first from today on, "last" the first before today. */
function nearWeekday(today: Day, weekday: number, word: string): Day {
  if (word === 'next') return inWeek(today, weekday, 1)
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  return word === 'last' ? today + (ahead === 0 ? -7 : ahead - 7) : today + ahead
}

/** Today is not called by its weekday. */
function plainWeekday(today: Day, weekday: number, isPast: boolean): Day {
  const ahead = (weekday - weekdayOf(today) + 7) % 7 || 7
  return isPast ? today + ahead - 7 : today + ahead
}

const namedDays = phrasesOf([
  ['day after tomorrow', 2],
  ['day before yesterday', -2],
  ['later today', 0],
  ['today', 0],
  ['tonight', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
])
const fixedDays = phrasesOf([
  ['christmas eve', { month: 12, date: 24 }],
  ['christmas', { month: 12, date: 25 }],
  ['new years eve', { month: 12, date: 31 }],
  ['new years day', { month: 1, date: 1 }],
  ['valentines day', { month: 2, date: 14 }],
  ['halloween', { month: 10, date: 31 }],
])

/** "Tomorrow", "the day after tomorrow", "Christmas Eve". */
export function readNamedDay(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const from = wordAt(utterance, index) === 'the' ? index + 1 : index
  const named = readPhrase(utterance, from, namedDays)
  if (named?.value === 0 && isPleasantry(utterance, from)) return undefined
  if (named !== undefined) return { day: context.today + named.value, next: named.next }
  const fixed = readPhrase(utterance, from, fixedDays)
  if (fixed === undefined) return undefined
  const { month, date } = fixed.value
  return dated(nearestYear(month, date, context.today, speaksOfPast(utterance, from)), fixed.next)
}

const pleasantries = new Set(
  'help helping assist assistance assisting thank thanks else calling hello doing service'.split(' '),
)
const PLEASANTRY_WORDS = 8

/** "Anything else I can help you with today?" names no day that matters. */
function isPleasantry(utterance: Utterance, index: number): boolean {
  for (let at = index - 1; at >= index - PLEASANTRY_WORDS && at >= 0; at--) {
    const word = wordAt(utterance, at)
    if (pleasantries.has(word)) return true
    if (word === '.' || word === '?' || word === '!') return false
  }
  return false
}

const spanDays: ReadonlyMap<string, number> = new Map([
  ['day', 1],
  ['days', 1],
  ['week', 7],
  ['weeks', 7],
  ['fortnight', 14],
])
/** "In 400 days" is nobody's appointment. */
const COUNT_MAX = 400

/** "In two weeks", "three days from now", "two days ago"; but "for two days from Friday" begins on Friday. */
export function readDistance(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const hasIn = wordAt(utterance, index) === 'in'
  const from = hasIn ? index + 1 : index
  const count = wordAt(utterance, from) === 'a' ? { value: 1, next: from + 1 } : readNumber(utterance, from)
  if (count === undefined || !Number.isInteger(count.value) || count.value > COUNT_MAX) return undefined
  const unit = wordAt(utterance, count.next)
  const after = count.next + 1
  const joint = wordAt(utterance, after)
  if (joint === 'ago') return dated(moved(context.today, -count.value, unit), after + 1)
  const isStay = wordAt(utterance, index - 1) === 'for'
  if (!isStay && (joint === 'from' || (joint === 'on' && unit === 'week'))) {
    const base = readBase(utterance, after + 1, context)
    if (base !== undefined) return dated(moved(base.day, count.value, unit), base.next)
  }
  return hasIn ? dated(moved(context.today, count.value, unit), after) : undefined
}

const readBase = (utterance: Utterance, index: number, context: DateContext): ReadDay | undefined =>
  wordAt(utterance, index) === 'now'
    ? { day: context.today, next: index + 1 }
    : (readNamedDay(utterance, index, context) ??
      readWeekday(utterance, index, context) ??
      readMonthFirst(utterance, index, context))

function moved(base: Day, count: number, unit: string): Day | undefined {
  const days = spanDays.get(unit)
  if (days !== undefined) return base + count * days
  if (unit !== 'month' && unit !== 'months') return undefined
  const { year, month, date } = partsOf(base)
  return dayOfMonth(year, month + count, date) ?? dayOfMonth(year, month + count, 28)
}
