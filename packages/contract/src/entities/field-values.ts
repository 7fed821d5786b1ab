// Custom fields of records and the history of every tracked field.
import { entity } from '../entity.js'
import {
  anyValue,
  described,
  flag,
  instant,
  nullable,
  number,
  object,
  oneOf,
  required,
  text,
  uuid,
  word,
} from '../field.js'
import { limits } from '../limits.js'

export const fieldValues = entity({
  slug: 'field-values',
  batch: true,
  name: 'field_value',
  label: 'Field values',
  description: 'The persistent value of a custom field on a record, with where it came from.',
  verbs: 'LGCPD',
  fields: {
    entityType: required(word()),
    entityId: required(uuid('@entityType')),
    key: required(text()),
    value: required(anyValue()),
    source: oneOf(['api', 'fact', 'human', 'integration', 'import'], 'api'),
    sourceFactId: nullable(uuid('fact')),
    confidence: nullable(number({ minimum: 0, maximum: 1 })),
    locked: flag(),
  },
  about: {
    entityType: 'What kind of record it belongs to, such as `person`.',
    entityId: 'The record that it belongs to.',
    key: 'Which field it is.',
    value: 'What the field says, in any JSON.',
    source: 'Where the value came from.',
    sourceFactId: 'The fact that was promoted to it.',
    confidence: 'How sure its source is, from 0 to 1.',
    locked: 'No fact may be promoted over it.',
  },
  search: ['key'],
  filters: ['entityType', 'entityId', 'key'],
  unique: [['entityType', 'entityId', 'key']],
})

const toldInPart =
  `Whole up to ${limits.historyValueBytes / 1024} KiB. Of a larger object the keys that changed, ` +
  'of a larger text its `start`, with `$omitted`.'

export const fieldHistoryEntries = entity({
  slug: 'field-history-entries',
  name: 'field_history_entry',
  label: 'Field history',
  description: 'One change of one field: what it was, what it became, who did it.',
  verbs: 'LG',
  fields: {
    entityType: word(),
    entityId: uuid(),
    field: nullable(text()),
    previousValue: described(anyValue(), toldInPart),
    newValue: described(anyValue(), toldInPart),
    changeType: oneOf(['create', 'update', 'delete', 'promote', 'merge', 'unmerge']),
    source: word(),
    actor: object(
      { type: word(), id: nullable(uuid()) },
      { type: '`key`, `user` or `system`.', id: 'The key or the user.' },
    ),
    sourceFactId: nullable(uuid('fact')),
    requestId: nullable(text(128)),
    changedAt: instant(),
  },
  about: {
    entityType: 'What kind of record changed.',
    entityId: 'The record that changed.',
    field: 'The field that changed; null where the whole record was made or deleted.',
    previousValue: 'What it said before.',
    newValue: 'What it said then.',
    changeType:
      'What happened to it. At a `merge`, `previousValue` is what the record that was merged said where the two ' +
      'differed.',
    source: 'What brought the change, such as `api` or `fact`.',
    actor: 'Who changed it.',
    sourceFactId: 'The fact that was promoted.',
    requestId: 'The `x-request-id` of the request that changed it.',
    changedAt: 'When it changed.',
  },
  search: ['field'],
  filters: ['entityType', 'entityId', 'field'],
})
