// Merging of records that turned out to be one: what is asked for, and the job that brings together what names them.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from '../body.js'
import { instant, integer, line, named, nullable, object, oneOf, uuid } from '../field.js'
import { limits } from '../limits.js'

export const mergeStatuses = ['moving', 'done', 'moving_back', 'undone'] as const

export const merge = named(
  'Merge',
  object(
    {
      id: uuid(),
      entityType: oneOf(['person', 'customer']),
      mergedId: uuid(),
      displayName: nullable(line()),
      intoId: uuid(),
      status: oneOf(mergeStatuses),
      moved: integer({ minimum: 0 }),
      mergedAt: instant(),
      unmergeUntil: instant(),
      undoneAt: nullable(instant()),
    },
    {
      id: 'Made by Parley.',
      entityType: 'What was merged.',
      mergedId: 'The record that is part of the other now. Its id still leads there.',
      displayName: 'What the merged record was called; null when it is too late to undo the merge.',
      intoId: 'The record that stayed.',
      status:
        '`moving`: what names the merged record is being moved to the other, in batches. `moving_back`: the merge ' +
        'was undone, and what had moved is on its way back.',
      moved: 'How many records name the other one now instead of the merged one.',
      mergedAt: 'When it was merged.',
      unmergeUntil: `It can be undone until then: ${limits.unmergeDays} days long.`,
      undoneAt: 'When it was undone.',
    },
  ),
)
export type Merge = Readonly<Static<typeof merge>>

export const mergeBody = bodyWith({ intoId: uuid() }, { about: { intoId: 'The record that stays. Its values win.' } })
export type MergeRequest = Sent<typeof mergeBody>
