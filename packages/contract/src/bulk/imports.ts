// Imports: a file of rows that becomes records of one entity, in the background.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from '../body.js'
import { entities } from '../entities/index.js'
import {
  country,
  flag,
  instant,
  integer,
  longText,
  named,
  nullable,
  object,
  oneOf,
  openForm,
  optional,
  uuid,
} from '../field.js'
import { limits } from '../limits.js'
import { type Parameters, pageParameters, searchParameter } from '../query.js'

export const importFormats = ['csv', 'ndjson'] as const
export const importMatches = ['externalRefs', 'phone', 'email'] as const
export const importStatuses = ['awaiting_file', 'queued', 'running', 'completed', 'failed', 'canceled'] as const

/** What can be written in batches can be imported. */
const importable = entities.filter(({ batch }) => batch).map(({ slug }) => slug)

const asked = {
  entity: oneOf(importable),
  format: oneOf(importFormats),
  mapping: openForm(),
  matchBy: oneOf(importMatches),
  defaultCountry: country(),
  dryRun: flag(),
  silent: flag(),
}
const about = {
  entity: 'The slug of an entity that takes batches, such as `people`.',
  format: 'What the file is.',
  mapping:
    'For each column of the file, or key of its objects, the field it fills; null leaves it out. `customFields.tier` ' +
    'fills a key, `externalRefs.crm` says what the record is called in `crm`. What is not named keeps its own name.',
  matchBy:
    'Which record a row updates; none that matches makes a new one. `externalRefs` unless said otherwise; `phone` ' +
    'and `email` for people.',
  defaultCountry: 'The country of numbers that name none. That of the organization, if absent.',
  dryRun: 'Whether rows are only tried: nothing is written but the counts and errors.',
  silent: 'Whether events are logged without being delivered to webhooks.',
}

export const importBody = bodyWith(
  {
    entity: asked.entity,
    format: asked.format,
    mapping: optional(asked.mapping),
    matchBy: optional(asked.matchBy),
    defaultCountry: optional(asked.defaultCountry),
    dryRun: optional(asked.dryRun),
    silent: optional(asked.silent),
  },
  { about },
)
export type ImportRequest = Sent<typeof importBody>

const count = () => integer({ minimum: 0 })

export const importJob = named(
  'Import',
  object(
    {
      id: uuid(),
      ...asked,
      defaultCountry: nullable(asked.defaultCountry),
      status: oneOf(importStatuses),
      error: nullable(longText()),
      receivedBytes: count(),
      rows: nullable(count()),
      done: count(),
      created: count(),
      updated: count(),
      skipped: count(),
      failed: count(),
      createdAt: instant(),
      finishedAt: nullable(instant()),
    },
    {
      id: 'Made by Parley.',
      ...about,
      status: 'How far it is; `running` includes that the file is being checked.',
      error: 'Why it failed as a whole; nothing was written where the file could not be read.',
      receivedBytes: 'How much of the file is here: go on from there after a break.',
      rows: 'How many rows the file has; known once it was checked.',
      done: 'How many of them were worked on.',
      created: 'Rows that made a record.',
      updated: 'Rows that matched a record.',
      skipped: 'Rows that are blank.',
      failed: `Rows that were refused; \`/imports/{id}/errors\` has the first ${limits.importErrors}.`,
      createdAt: 'When it was made.',
      finishedAt: 'When it ended.',
    },
  ),
)
export type ImportJob = Static<typeof importJob>

export const importParameters = {
  ...pageParameters,
  ...searchParameter('entity and status'),
} satisfies Parameters
