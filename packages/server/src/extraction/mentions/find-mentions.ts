// Finds dates, times, phone numbers and so on in a conversation, segment by segment. A finder keeps what later
// segments need of earlier ones, so that each costs the same however long the call is.
import type { Found, Mention, SpeechContext, SpokenSegment } from '../mention.js'
import { findAddresses } from './addresses.js'
import { localDay } from './calendar.js'
import { findCounts } from './counts.js'
import { findDates } from './dates.js'
import { findDurations } from './durations.js'
import { findEmails } from './emails.js'
import { findBareMoney, findMoney } from './money.js'
import { findPersons } from './persons.js'
import { findPhones, type KnownPhones } from './phones.js'
import { topicsAsked } from './questions.js'
import type { DateContext } from './read-day.js'
import { findTimes, type KnownTimes, noTimes } from './times.js'
import { readUtterance, type Topic, type Utterance } from './utterance.js'

/** Where 3/4 is the 4th of March. */
const monthFirstCountries = new Set(['US', 'PH', 'CA'])

/** What a finder knows of the conversation. */
interface Conversation {
  readonly country: string
  dates: DateContext
  readonly times: KnownTimes
  readonly phones: KnownPhones
  /** Names of places that look like addresses. */
  readonly places: Set<string>
}

/** `isTaken` tells whether an earlier finder has read what stands at a place. */
type Finder = (utterance: Utterance, conversation: Conversation, isTaken: (at: number) => boolean) => Found[]

/** In this order: what an earlier kind has taken, a later one cannot have. */
const finders: readonly Finder[] = [
  findEmails,
  (utterance, { phones }) => findPhones(utterance, phones),
  (utterance, { places }) => findAddresses(utterance, places),
  (utterance, { country }) => findMoney(utterance, country),
  findDatesAfter,
  (utterance, { times }) => findTimes(utterance, times),
  findDurations,
  (utterance, { country }, isTaken) => findBareMoney(utterance, country, isTaken),
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
    times: noTimes(),
    phones: { country: context.country, areaCode: undefined },
    places: new Set(),
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
  const taken = new Uint8Array(utterance.text.length)
  const isTaken = (at: number): boolean => taken[at] === 1
  for (const find of finders) {
    for (const found of find(utterance, conversation, isTaken)) {
      if (taken.subarray(found.start, found.end).includes(1)) continue
      taken.fill(1, found.start, found.end)
      kept.push(found)
    }
  }
  return kept.sort((a, b) => a.start - b.start)
}
