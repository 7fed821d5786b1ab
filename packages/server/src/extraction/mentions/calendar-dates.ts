// Dates that name a day of a month: "March 8th", "the 8th of this month", "3/8/2019", "the 11th".
import { type Day, partsOf, validDay } from './calendar.js'
import { type DateContext, dated, dayOfMonth, nearestYear, type ReadDay, shiftOf, speaksOfPast } from './read-day.js'
import { countedWords, type ReadNumber, readNumber, readOrdinal, readSmall } from './spoken-numbers.js'
import { isBoundary, isCapitalized, isGlued, startOf, type Utterance, valueAt, wordAt, writtenAt } from './utterance.js'

const months = new Map([
  ...countedWords('january february march april may june july august september october november december', 1),
  ...countedWords('jan feb mar apr may jun jul aug sep oct nov dec', 1),
  ['sept', 9],
])

/** "March 8th", "March the eighth, 2019". */
export function readMonthFirst(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const month = months.get(wordAt(utterance, index))
  if (month === undefined) return undefined
  let from = wordAt(utterance, index + 1) === '.' ? index + 2 : index + 1
  if (wordAt(utterance, from) === 'the') from++
  const date = readDate(utterance, from)
  const isOrdinal = readOrdinal(utterance, from) !== undefined
  return date && (isOrdinal || !isVerb(utterance, index)) ? withYear(utterance, index, month, date, context) : undefined
}

const pronouns = new Set(['i', 'you', 'we', 'they', 'he', 'she'])
/** "You may", "we march". */
const isVerb = (utterance: Utterance, index: number): boolean =>
  /^(may|march)$/.test(wordAt(utterance, index)) && pronouns.has(wordAt(utterance, index - 1))

/** "8th of March", "the 8th of this month", "8 March 2019". */
export function readDayFirst(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const date = readDate(utterance, wordAt(utterance, index) === 'the' ? index + 1 : index)
  if (date === undefined) return undefined
  const hasOf = wordAt(utterance, date.next) === 'of'
  const at = hasOf ? date.next + 1 : date.next
  const month = months.get(wordAt(utterance, at))
  if (month !== undefined) return withYear(utterance, index, month, { value: date.value, next: at + 1 }, context)
  const shift = wordAt(utterance, at + 1) === 'month' ? shiftOf(wordAt(utterance, at)) : undefined
  if (!hasOf || shift === undefined) return undefined
  const { year, month: now } = partsOf(context.today)
  return dated(dayOfMonth(year, now + shift, date.value), at + 2)
}

/** "May" without one of these is a verb. */
const monthCues = new Set('in this next for during by until till since from early late mid'.split(' '))

/** The middle of a month that is only named, so that "the 3rd" after it is in it: "in April", "next month". */
export function readMonth(utterance: Utterance, index: number, { today }: DateContext): Day | undefined {
  const { year, month: now } = partsOf(today)
  if (wordAt(utterance, index) === 'month') {
    const shift = shiftOf(wordAt(utterance, index - 1))
    return shift === undefined || shift < 0 ? undefined : dayOfMonth(year, now + shift, 15)
  }
  const month = monthCues.has(wordAt(utterance, index - 1)) ? months.get(wordAt(utterance, index)) : undefined
  return month === undefined ? undefined : dayOfMonth(month < now ? year + 1 : year, month, 15)
}

/** A day of the month: an ordinal, or a number that is no hour. */
function readDate(utterance: Utterance, index: number): ReadNumber | undefined {
  const date = readOrdinal(utterance, index) ?? readPlainDate(utterance, index)
  return date && date.value >= 1 && date.value <= 31 ? date : undefined
}

function readPlainDate(utterance: Utterance, index: number): ReadNumber | undefined {
  const digits = valueAt(utterance, index)
  const number = digits === undefined ? readSmall(utterance, index) : { value: digits, next: index + 1 }
  if (number === undefined || (digits !== undefined && !/^\d{1,2}$/.test(writtenAt(utterance, index)))) return undefined
  return /^(:|am|pm|oclock)$/.test(wordAt(utterance, number.next)) ? undefined : number
}

function withYear(utterance: Utterance, index: number, month: number, date: ReadNumber, context: DateContext) {
  const { value, next } = date
  const year = readYear(utterance, /^(,|of)$/.test(wordAt(utterance, next)) ? next + 1 : next)
  if (year !== undefined) return dated(validDay(year.value, month, value), year.next)
  return dated(nearestYear(month, value, context.today, speaksOfPast(utterance, index)), next)
}

/** Four digits, "two thousand nineteen" or "twenty nineteen". */
function readYear(utterance: Utterance, index: number): ReadNumber | undefined {
  const written = writtenAt(utterance, index)
  if (/^(19|20)\d\d$/.test(written)) return { value: Number(written), next: index + 1 }
  if (valueAt(utterance, index) !== undefined) return undefined
  const century = wordAt(utterance, index) === 'twenty' ? 20 : wordAt(utterance, index) === 'nineteen' ? 19 : undefined
  const rest = century && readSmall(utterance, index + 1)
  if (century && rest && rest.value >= 10) return { value: century * 100 + rest.value, next: rest.next }
  const whole = readNumber(utterance, index)
  return whole && whole.value >= 1900 && whole.value < 2100 ? whole : undefined
}

const numeric = /^(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})([/.-])(\d{1,2})(?:\5(\d{4}|\d\d))?)(?![\d/]|[.-]\d)/

/** 2019-03-08, 3/8/2019, 08.03.2019, 3/8. */
export function readNumeric(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  if (valueAt(utterance, index) === undefined || isGlued(utterance, index)) return undefined
  const start = startOf(utterance, index)
  const match = numeric.exec(utterance.text.slice(start, start + 12))
  if (match === null) return undefined
  let next = index + 1
  while (next < utterance.tokens.length && startOf(utterance, next) < start + match[0].length) next++
  const [, year, month, date, first, separator, second, end] = match
  if (year !== undefined) return dated(validDay(Number(year), Number(month), Number(date)), next)
  if (end === undefined && (separator !== '/' || !isExpected(utterance, index))) return undefined
  return dated(orderedDay(Number(first), Number(second), end, context), next)
}

/** The country says which of the two is the month, unless only one can be. */
function orderedDay(first: number, second: number, year: string | undefined, context: DateContext): Day | undefined {
  const isDayFirst = (context.isDayFirst && second <= 12) || first > 12
  const [month, date] = isDayFirst ? [second, first] : [first, second]
  if (year === undefined) return nearestYear(month, date, context.today, false)
  return validDay(year.length === 2 ? 2000 + Number(year) : Number(year), month, date)
}

const dateCues = new Set('on the for by until till from before after to through and between is or'.split(' '))
/** What may follow a day; a noun would make it something else: "the 2nd floor". */
const afterDate = new Set(
  (
    'at on in for to and or if would works work please through until till then instead is so but because as with ' +
    'from around will should thanks thank i we you that okay ok does be can could morning afternoon evening night'
  ).split(' '),
)
const endsDate = (utterance: Utterance, index: number): boolean =>
  isBoundary(utterance, index) || afterDate.has(wordAt(utterance, index)) || wordAt(utterance, index) === '-'

const countedOff = new Set(
  (
    'floor street avenue ave st road time grade one person birthday anniversary option century edition place attempt ' +
    'room bedroom row quarter period season step level item line question generation district ward hour day week'
  ).split(' '),
)
/** "The 2nd floor", "the 9th Circuit". */
const isCountedOff = (utterance: Utterance, index: number): boolean =>
  countedOff.has(wordAt(utterance, index)) || (isCapitalized(utterance, index) && wordAt(utterance, index) !== 'i')

/** 3/4 may be three quarters. */
const isExpected = (utterance: Utterance, index: number): boolean =>
  utterance.asked.has('date') || isBoundary(utterance, index - 1) || dateCues.has(wordAt(utterance, index - 1))

/** "The 11th", "on the eleventh": near the day last spoken of, else the next such day. */
export function readBareOrdinal(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  const hasThe = wordAt(utterance, index) === 'the'
  const from = hasThe ? index + 1 : index
  const date = readOrdinal(utterance, from)
  const isCued = dateCues.has(wordAt(utterance, index - 1)) || context.last !== undefined
  const isMonthsOwn = months.has(wordAt(utterance, index - 1))
  if (date === undefined || date.value > 31 || isMonthsOwn || !(hasThe || isCued)) return undefined
  const isWritten = valueAt(utterance, from) !== undefined && !isCountedOff(utterance, date.next)
  const isSaid = hasThe && (date.value > 3 || dateCues.has(wordAt(utterance, index - 1)))
  if (!(isWritten && hasThe) && !((isWritten || isSaid) && endsDate(utterance, date.next))) return undefined
  const end = rangeWords.has(wordAt(utterance, date.next)) ? readDayFirst(utterance, date.next + 1, context) : undefined
  return dated(nearLast(date.value, end === undefined ? context : { ...context, last: end.day }), date.next)
}

const rangeWords = new Set(['to', 'through', 'thru', 'until', 'till', 'and', 'or', '-', '–'])

/** The end of "March 3 to 5" and "March 3rd and 4th". */
export function readRangeEnd(utterance: Utterance, index: number, from: Day): ReadDay | undefined {
  if (!rangeWords.has(wordAt(utterance, index))) return undefined
  const date = readDate(utterance, index + 1)
  if (date === undefined || !endsDate(utterance, date.next) || /^(at|for)$/.test(wordAt(utterance, index)))
    return undefined
  const { year, month, date: begin } = partsOf(from)
  return date.value > begin ? dated(dayOfMonth(year, month, date.value), date.next) : undefined
}

/** The day of this number that is nearest to the last one and not over yet. */
function nearLast(date: number, { today, last }: DateContext): Day | undefined {
  const base = last === undefined || last < today ? today : last
  const { year, month } = partsOf(base)
  return [month - 1, month, month + 1, month + 2]
    .map((one) => dayOfMonth(year, one, date))
    .filter((day) => day !== undefined && day >= today)
    .toSorted((a = 0, b = 0) => Math.abs(a - base) - Math.abs(b - base))[0]
}
