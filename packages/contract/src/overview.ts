// What shows many records at once: timelines, search over everything, and numbers of what happened.
import type { Static } from 'typebox'
import { described, freeForm, instant, list, object, oneOf, uuid } from './field.js'
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
