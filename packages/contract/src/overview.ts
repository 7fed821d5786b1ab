// What shows many records at once: timelines, search over everything, and numbers of what happened.
import type { Static } from 'typebox'
import { customers, people } from './entities/people.js'
import { recordSchema } from './entity.js'
import {
  confidence,
  described,
  freeForm,
  instant,
  integer,
  line,
  list,
  named,
  nullable,
  object,
  oneOf,
  uuid,
} from './field.js'
import { limits } from './limits.js'
import { type Parameters, pageParameters } from './query.js'

/** What a timeline holds, by the singular name of its entity. */
export const timelineTypes = [
  'call',
  'sms',
  'voicemail',
  'message',
  'draft',
  'fact',
  'signal',
  'note',
  'task',
  'appointment',
  'work_record',
  'money_record',
  'workflow_run',
] as const
export type TimelineType = (typeof timelineTypes)[number]

export const timelineItem = named(
  'TimelineItem',
  object({
    type: described(oneOf(timelineTypes), 'What kind of record it is.'),
    id: described(uuid(), 'The record.'),
    at: described(
      instant(),
      'When it happened: a call its start, a fact its observation, an appointment its beginning.',
    ),
    record: described(freeForm(), 'The record, as its own endpoint shows it.'),
  }),
)
export type TimelineItem = Static<typeof timelineItem>

const { limit, cursor } = pageParameters

export const timelineParameters = {
  limit,
  cursor,
  types: { schema: list(oneOf(timelineTypes)), description: 'Only these, as a comma list' },
} satisfies Parameters

/** What is searched at once. */
export const searchedTypes = ['person', 'customer', 'work_record', 'call', 'message', 'fact'] as const
export type SearchedType = (typeof searchedTypes)[number]

export const searchHit = named(
  'SearchHit',
  object({
    entityType: described(oneOf(searchedTypes), 'What kind of record it is.'),
    id: described(uuid(), 'The record.'),
    title: described(line(), 'What people call it.'),
    at: described(instant(), 'When it happened, or was last changed.'),
    snippet: described(
      object({
        text: described(line(limits.textLength), 'Plain text around what was found; never HTML.'),
        marks: described(
          list(list(integer({ minimum: 0 }), 2)),
          'Where the words are, as pairs of start and end, counted in UTF-16 units.',
        ),
      }),
      'Where it was found.',
    ),
  }),
)
export type SearchHit = Static<typeof searchHit>

/** Of each type, unless one is asked for. */
export const SEARCH_HITS = 5

export const searchEverythingParameters = {
  q: {
    schema: line(limits.queryLength),
    required: true,
    description: 'Every word must match, as a prefix; in calls also what was said',
  },
  types: {
    schema: list(oneOf(searchedTypes)),
    description: `Only these, as a comma list. One alone comes in pages; else there are at most ${SEARCH_HITS} of each`,
  },
  limit,
  cursor,
} as const satisfies Readonly<Record<string, Parameters[string] & { required?: true }>>

export const statsIntervals = ['hour', 'day'] as const

const rows = () => line(limits.urlLength)
const count = named(
  'StatsCount',
  object({
    value: described(integer({ minimum: 0 }), 'How many.'),
    rows: described(rows(), 'The list of what was counted, as a path under `/api/v1`.'),
  }),
)
const counted = (about: string) => described(count, about)
const milliseconds = () => integer({ minimum: 0 })
const percentiles = named(
  'StatsPercentiles',
  object(
    { p50: milliseconds(), p90: milliseconds(), rows: rows() },
    {
      p50: 'Half of them took at most so many milliseconds.',
      p90: 'Nine in ten took at most so many milliseconds.',
      rows: 'The list of what was measured, as a path under `/api/v1`.',
    },
  ),
)
const spread = (about: string) => nullable(described(percentiles, `${about} Null where there is nothing.`))

const happened = {
  callsAnswered: counted('Inbound calls that were answered and are over.'),
  callsMissed: counted('Inbound calls that nobody answered.'),
  callsToVoicemail: counted('Inbound calls that ended with a voicemail.'),
  callsMade: counted('Outbound calls that were answered and are over.'),
  textsReceived: counted('Texts that came in.'),
  textsSent: counted('Texts that went out, or wait to.'),
  timeToAnswerMs: spread(
    'How long answered inbound calls rang: to the second up to ten, to five up to a minute, to 15 beyond.',
  ),
}

export const stats = named(
  'Stats',
  object({
    from: described(instant(), 'The beginning of the first interval.'),
    to: described(instant(), 'The end of the last interval.'),
    interval: described(oneOf(statsIntervals), 'How long each interval is.'),
    timezone: described(line(64), 'The time zone that intervals begin in.'),
    totals: described(
      object({
        ...happened,
        draftsWaiting: counted(`Drafts that wait for a decision now, up to ${limits.countMax}.`),
        draftWaitMs: spread('How long they have waited.'),
        facts: described(
          list(
            object({
              key: described(line(), 'Which facts.'),
              accepted: counted('Confirmed or promoted.'),
              rejected: counted('Rejected.'),
            }),
          ),
          'What became of facts that were observed in this time, by key; those that were decided on most.',
        ),
        webhooks: described(
          list(
            object({
              id: described(uuid(), 'The subscription.'),
              name: described(line(), 'What your people call it.'),
              status: described(line(64), 'Whether it is sent events.'),
              failing: counted(`Deliveries that have failed for good, up to ${limits.countMax}.`),
            }),
            limits.webhookSubscriptions,
          ),
          'Each webhook, as it is now.',
        ),
      }),
      'Over the whole time.',
    ),
    series: described(
      list(named('StatsPeriod', object({ at: described(instant(), 'When the interval begins.'), ...happened })), 1_000),
      'The same by interval.',
    ),
  }),
)
export type Stats = Static<typeof stats>

/** The longest time that is counted by each interval. */
export const statsDaysMax = { hour: 31, day: 366 } as const

export const statsParameters = {
  from: {
    schema: instant(),
    description: 'From the interval that holds this time; seven days before `to` unless said',
  },
  to: { schema: instant(), description: 'To the end of the interval before this time; now unless said' },
  interval: {
    schema: oneOf(statsIntervals),
    description:
      `In the organization's time zone: \`day\` unless said, for at most ${statsDaysMax.day} days; ` +
      `\`hour\` for at most ${statsDaysMax.hour}`,
  },
} satisfies Parameters

export const duplicateReasons = ['phone', 'email', 'contact_method', 'name'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

const alike = {
  reasons: described(list(oneOf(duplicateReasons)), 'What the two have in common.'),
  score: described(confidence(), 'How likely they are the same; the list is sorted by it.'),
}
export const duplicatePerson = named(
  'DuplicatePerson',
  object({ person: recordSchema(people), ...alike }, { person: 'Who may be the same.' }),
)
export const duplicateCustomer = named(
  'DuplicateCustomer',
  object({ customer: recordSchema(customers), ...alike }, { customer: 'Which may be the same.' }),
)
