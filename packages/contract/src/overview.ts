// What shows many records at once: timelines, search over everything, and numbers of what happened.
import type { Static } from 'typebox'
import { described, freeForm, instant, integer, line, list, object, oneOf, uuid } from './field.js'
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

export const timelineItem = object({
  type: oneOf(timelineTypes),
  id: uuid(),
  at: described(instant(), 'When it happened: a call its start, a fact its observation, an appointment its beginning.'),
  record: described(freeForm(), 'The record, as its own endpoint shows it.'),
})
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

export const searchHit = object({
  entityType: oneOf(searchedTypes),
  id: uuid(),
  title: line(),
  at: described(instant(), 'When it happened, or was last changed.'),
  snippet: object({
    text: described(line(limits.textLength), 'Plain text around what was found; never HTML.'),
    marks: described(
      list(list(integer({ minimum: 0 }), 2)),
      'Where the words are, as pairs of start and end, counted in UTF-16 units.',
    ),
  }),
})
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
