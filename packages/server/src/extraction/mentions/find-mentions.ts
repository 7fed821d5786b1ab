// Finds dates, times, phone numbers and so on in a conversation, segment by segment. A finder keeps what later
// segments need of earlier ones, so that each costs the same however long the call is.
import type { Found, Mention, SpeechContext, SpokenSegment } from '../mention.js'
import { findAddresses } from './addresses.js'
import { localDay } from './calendar.js'
import { findCounts } from './counts.js'
import { findDates } from './dates.js'
import { findDurations } from './durations.js'
import { findEmails } from './emails.js'
import { findMoney } from './money.js'
import { findPersons } from './persons.js'
import { findPhones } from './phones.js'
import { topicsAsked } from './questions.js'
import type { DateContext } from './read-day.js'
import { findTimes, type KnownTimes } from './times.js'
import { readUtterance, type Topic, type Utterance } from './utterance.js'

/** Where 3/4 is the 4th of March. */
const monthFirstCountries = new Set(['US', 'PH', 'CA'])

/** What a finder knows of the conversation. */
interface Conversation {
  readonly country: string
  dates: DateContext
  readonly times: KnownTimes
}

/** In this order: what an earlier kind has taken, a later one cannot have. */
const finders: readonly ((utterance: Utterance, conversation: Conversation) => Found[])[] = [
  findEmails,
  (utterance, { country }) => findPhones(utterance, country),
  findAddresses,
  (utterance, { country }) => findMoney(utterance, country),
  findDatesAfter,
  (utterance, { times }) => findTimes(utterance, times),
  findDurations,
  findPersons,
  findCounts,
]

function findDatesAfter(utterance: Utterance, conversation: Conversation): Found[] {
  const { found, last } = findDates(utterance, conversation.dates)
  conversation.dates = { ...conversation.dates, last }
  return found
}

export interface MentionFinder {
  /** The mentions of the next segment of the conversation, in their order. */
  add(segment: SpokenSegment): Mention[]
}

export function createMentionFinder(context: SpeechContext): MentionFinder {
  const conversation: Conversation = {
    country: context.country,
    dates: {
      today: localDay(context.startedAt, context.timeZone),
      isDayFirst: !monthFirstCountries.has(context.country),
      last: undefined,
    },
    times: new Map(),
  }
  let segmentIndex = 0
  let last: { speaker: string; topics: ReadonlySet<Topic> } | undefined
  return {
    add({ speaker, text }) {
      const asked = last !== undefined && last.speaker !== speaker ? last.topics : undefined
      last = { speaker, topics: topicsAsked(text) }
      const index = segmentIndex++
      return findInUtterance(readUtterance(text, asked), conversation).map((found) => ({
        ...found,
        segmentIndex: index,
        quote: text.slice(found.start, found.end),
      }))
    },
  }
}

export function findMentions(segments: readonly SpokenSegment[], context: SpeechContext): Mention[] {
  const finder = createMentionFinder(context)
  return segments.flatMap((segment) => finder.add(segment))
}

function findInUtterance(utterance: Utterance, conversation: Conversation): Found[] {
  const kept: Found[] = []
  for (const find of finders) {
    const free = find(utterance, conversation).filter((found) => !kept.some((taken) => overlaps(taken, found)))
    kept.push(...free)
  }
  return kept.sort((a, b) => a.start - b.start)
}

const overlaps = (a: Found, b: Found): boolean => a.start < b.end && a.end > b.start
