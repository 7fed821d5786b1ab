// Times of day, alone or as ranges. What is said without morning or evening is settled by what was said around it,
// earlier in the conversation, in the question, or by the hours at which people do business.
import type { Found } from '../mention.js'
import { type Clock, dayParts, endsBare, type Half, readClock } from './clock.js'
import { endOf, startOf, type Utterance, wordAt } from './utterance.js'

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
  'tonight',
])
const rangeWords = new Set(['to', 'and', 'until', 'till', 'through', '-', '–', 'or'])

/** After these, "10 to 11" is two times. */
const dayWords = new Set(['on', 'tomorrow', 'today', 'tonight'])

/** What is known of times from earlier segments. */
export interface KnownTimes {
  /** The half of the day in which a time was settled, by hour and by hour and minute: `5`, `5:30`. */
  readonly halves: Map<string, Half>
  /** The part of the day that the segment before spoke of. */
  part: Half | undefined
}

export const noTimes = (): KnownTimes => ({ halves: new Map(), part: undefined })

export function findTimes(utterance: Utterance, known: KnownTimes): Found[] {
  const found: Found[] = []
  const around = partAround(utterance)
  for (let index = 0; index < utterance.tokens.length; index++) {
    for (const { clock, from } of readRange(utterance, index)) {
      const value = settle(clock, around, known)
      found.push({ kind: 'time', start: startOf(utterance, from), end: endOf(utterance, clock.next - 1), value })
      index = clock.next - 1
    }
  }
  known.part = around
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
  const from = first.next + 1
  const second = rangeWords.has(wordAt(utterance, first.next)) ? readClock(utterance, from) : undefined
  const isCued = hourCues.has(wordAt(utterance, index - 1)) || isAnswer(utterance, index)
  const alone = first.isSure || (isCued && second === undefined && endsBare(utterance, first.next))
  if (second === undefined || !isRange(utterance, first, second, isCued)) {
    return alone ? [{ clock: first, from: index }] : []
  }
  return [
    { clock: { ...first, half: first.half ?? halfBefore(first, second) }, from: index },
    { clock: { ...second, half: second.half ?? first.half }, from },
  ]
}

/** A bare number answers "what time?", unless it may answer "how many?". */
const isAnswer = (utterance: Utterance, index: number): boolean =>
  utterance.asked.has('time') &&
  wordAt(utterance, index) !== 'one' &&
  !(utterance.asked.has('count') && wordAt(utterance, index - 1) === 'for')

/** "For 2 and 7 pm" is no range: with "and" both must be times by themselves. */
function isRange(utterance: Utterance, first: Clock, second: Clock, isCued: boolean): boolean {
  const joint = wordAt(utterance, first.next)
  const ends = endsBare(utterance, second.next)
  const isDated = dayWords.has(wordAt(utterance, second.next)) && second.hour !== first.hour
  if (joint === 'and' || joint === 'or') return (first.isSure || isCued) && (second.isSure || ends)
  const isPlain = isCued || isDated
  return first.isSure ? second.isSure || ends : second.isSure || (isPlain && ends)
}

/** "11 to 2 pm" begins in the morning. */
const halfBefore = (first: Clock, second: Clock): Half | undefined => {
  if (second.half === '24h') return undefined
  return second.half === 'pm' && first.hour % 12 > second.hour % 12 ? 'am' : second.half
}

/** "Good morning", "have a nice evening". */
const greetings = new Set(['good', 'great', 'nice', 'lovely', 'wonderful', 'pleasant'])

/** The part of the day that the segment speaks of, where it names one only. */
function partAround(utterance: Utterance): Half | undefined {
  const parts = new Set<Half>()
  utterance.tokens.forEach(({ lower }, index) => {
    const part = dayParts.get(lower)
    if (part !== undefined && !greetings.has(wordAt(utterance, index - 1))) parts.add(part)
  })
  return parts.size === 1 ? [...parts][0] : undefined
}

/** As HH:MM of 24 hours; remembers in which half of the day it was. */
function settle(clock: Clock, around: Half | undefined, known: KnownTimes): string {
  const { hour, minute } = clock
  const keys = [`${hour % 12}:${minute}`, `${hour % 12}`]
  const told = clock.half ?? around
  const half = told ?? keys.map((key) => known.halves.get(key)).find((one) => one !== undefined) ?? known.part
  const inDay = hourOfDay(hour, half) % 24
  if (told !== undefined) for (const key of keys) known.halves.set(key, inDay < 12 ? 'am' : 'pm')
  return `${pad(inDay)}:${pad(minute)}`
}

const pad = (value: number): string => String(value).padStart(2, '0')

function hourOfDay(hour: number, half: Half | undefined): number {
  if (half === '24h' || hour > 12) return hour
  const small = hour % 12
  if (half === 'am') return small
  if (half === 'pm') return small + 12
  if (half === 'night') return small >= 1 && small < 5 ? small : hour === 12 ? 0 : small + 12
  return small >= 7 ? small : small + 12
}
