// Days: "March 8th", "next Tuesday", "in two weeks", "3/8". Reckoned from the day on which the conversation began.
import type { Found } from '../mention.js'
import { type Day, isoDate } from './calendar.js'
import {
  readBareOrdinal,
  readDayFirst,
  readMonth,
  readMonthFirst,
  readNumeric,
  readRangeEnd,
} from './calendar-dates.js'
import type { DateContext, DayReader, ReadDay } from './read-day.js'
import { readDistance, readNamedDay, readWeekday } from './relative-days.js'
import { endOf, startOf, type Utterance } from './utterance.js'

/** The first that reads something wins: longer forms come before those that they contain. */
const readers: readonly DayReader[] = [
  readWeekday,
  readMonthFirst,
  readDayFirst,
  readNamedDay,
  readDistance,
  readNumeric,
  readBareOrdinal,
]

/** The days of a segment, and the one spoken of last. */
export function findDates(utterance: Utterance, context: DateContext): { found: Found[]; last: Day | undefined } {
  const found: Found[] = []
  let { last } = context
  for (let index = 0; index < utterance.tokens.length; index++) {
    last = readMonth(utterance, index, context) ?? last
    for (let read = readDay(utterance, index, { ...context, last }); read; ) {
      const { day, next } = read
      found.push({
        kind: 'date',
        start: startOf(utterance, index),
        end: endOf(utterance, next - 1),
        value: isoDate(day),
      })
      last = day
      read = readRangeEnd(utterance, next, day)
      index = read === undefined ? next - 1 : next + 1
    }
  }
  return { found, last }
}

function readDay(utterance: Utterance, index: number, context: DateContext): ReadDay | undefined {
  for (const read of readers) {
    const day = read(utterance, index, context)
    if (day !== undefined) return day
  }
  return undefined
}
