// What every reader of dates shares: where the reckoning starts, what a reader returns, and when a sentence speaks of
// the past.
import { type Day, partsOf, validDay } from './calendar.js'
import { type Utterance, wordAt } from './utterance.js'

export interface DateContext {
  readonly today: Day
  /** Whether 3/4 is the 3rd of April. */
  readonly isDayFirst: boolean
  /** The day that was spoken of last: "the 9th" is in its month. */
  readonly last: Day | undefined
}

/** A day and the token after it. */
export interface ReadDay {
  readonly day: Day
  readonly next: number
}

export type DayReader = (utterance: Utterance, index: number, context: DateContext) => ReadDay | undefined

export const dated = (day: Day | undefined, next: number): ReadDay | undefined =>
  day === undefined ? undefined : { day, next }

/** Months before January and after December belong to the years around. */
export const dayOfMonth = (year: number, month: number, date: number): Day | undefined =>
  validDay(year + Math.floor((month - 1) / 12), ((((month - 1) % 12) + 12) % 12) + 1, date)

const pastWords = new Set('was were since happened'.split(' '))
/** Only right before the day: "I called to book Monday" is about the future. */
const pastVerbs = new Set(
  'called came spoke paid bought received visited born met arrived started left went'.split(' '),
)
const WORDS_BEFORE = 5

/** "It was on Tuesday", "since March 3rd", "I called Monday". */
export function speaksOfPast(utterance: Utterance, index: number): boolean {
  if (pastVerbs.has(wordAt(utterance, wordAt(utterance, index - 1) === 'on' ? index - 2 : index - 1))) return true
  for (let at = index - 1; at >= index - WORDS_BEFORE; at--) {
    const word = wordAt(utterance, at)
    if (pastWords.has(word)) return true
    if (word === '.' || word === '?' || word === '!') return false
  }
  return false
}

/** The next day of that name; a past one only where it is spoken of and nearer. */
export function nearestYear(month: number, date: number, today: Day, isPast: boolean): Day | undefined {
  const { year } = partsOf(today)
  const days = [year - 1, year, year + 1, year + 2, year + 3, year + 4]
    .map((one) => validDay(one, month, date))
    .filter((day) => day !== undefined)
  const ahead = days.find((day) => day >= today)
  const behind = days.findLast((day) => day <= today)
  if (!isPast || behind === undefined) return ahead
  return ahead === undefined || today - behind < ahead - today ? behind : ahead
}

const monthShifts: ReadonlyMap<string, number> = new Map([
  ['this', 0],
  ['the', 0],
  ['current', 0],
  ['next', 1],
  ['following', 1],
  ['last', -1],
])

/** How far "this", "next" and "last" lie before "week" or "month". */
export const shiftOf = (word: string): number | undefined => monthShifts.get(word)
