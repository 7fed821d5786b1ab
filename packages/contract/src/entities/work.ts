// Units of work and what hangs on them: work records and their types, tasks, notes, appointments, money, workflow runs.
import { entity, equal } from '../entity.js'
import {
  anyValue,
  currency,
  described,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  longText,
  mergedForm,
  nullable,
  number,
  object,
  oneOf,
  readOnly,
  required,
  stateField,
  tags,
  text,
  uuid,
  withDefault,
  word,
} from '../field.js'
import { limits } from '../limits.js'
import { recordStates } from '../states.js'
import { origins } from './people.js'

export const canonicalKinds = [
  'job',
  'work_order',
  'matter',
  'case',
  'appointment_encounter',
  'permit_record',
  'repair_order',
  'move',
  'claim',
  'engagement',
  'arrangement',
  'ticket_generic',
  'service_request',
] as const
export type CanonicalKind = (typeof canonicalKinds)[number]

const kindNames: Readonly<Record<string, CanonicalKind>> = { APPOINTMENT: 'appointment_encounter', DELIVERY: 'move' }

/** The upper-case spellings that some descriptions use; anything else is left for validation to refuse. */
export function acceptKind(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const kind = kindNames[value] ?? (value === value.toUpperCase() ? value.toLowerCase() : value)
  return (canonicalKinds as readonly string[]).includes(kind) ? kind : value
}

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
const subjectTypes = ['person', 'company', 'customer', 'work_record'] as const

export const workRecords = entity({
  slug: 'work-records',
  name: 'work_record',
  label: 'Work records',
  description: 'A unit of work: a job, a matter, a repair order, a claim.',
  verbs: 'LGCPUD',
  tracked: true,
  fields: {
    number: readOnly(text()),
    canonicalKind: required(oneOf(canonicalKinds)),
    title: required(text()),
    description: nullable(longText()),
    recordState: stateField(oneOf(recordStates, 'active')),
    stateReason: nullable(line()),
    status: word(),
    stage: word(),
    priority: oneOf(priorities, 'normal'),
    source: stateField(oneOf(origins, 'api')),
    customerId: uuid('customer'),
    primaryPersonId: nullable(uuid('person')),
    primaryCompanyId: nullable(uuid('company')),
    primaryLocationId: nullable(uuid('location')),
    assignedToId: nullable(uuid()),
    sourceCallSessionId: nullable(uuid('call')),
    draftId: readOnly(nullable(uuid('draft'))),
    structuredFieldsJson: mergedForm(),
    tags: tags(),
    requestedAt: nullable(instant()),
    dueAt: nullable(instant()),
    scheduledStart: nullable(instant()),
    scheduledEnd: nullable(instant()),
    completedAt: nullable(instant()),
    closedAt: nullable(instant()),
  },
  search: ['number', 'title', 'description'],
  times: ['dueAt', 'scheduledStart'],
  filters: {
    kind: { field: 'canonicalKind', op: '=', accept: (value) => acceptKind(value) as string },
    ...equal('status', 'stage', 'recordState', 'priority', 'source', 'customerId', 'primaryPersonId', 'assignedToId'),
  },
  unique: [['number']],
  aliases: { kind: { field: 'canonicalKind', accept: acceptKind }, personId: { field: 'primaryPersonId' } },
})

export const workTypeDefinitions = entity({
  slug: 'work-type-definitions',
  name: 'work_type_definition',
  label: 'Work-type definitions',
  description: 'Which kinds of work the organization does, with their defaults and fields.',
  verbs: 'LGCPD',
  writeScope: 'ADMIN',
  fields: {
    canonicalKind: required(oneOf(canonicalKinds)),
    label: text(),
    enabled: flag(true),
    defaultStatus: withDefault(word(), 'new'),
    defaultStage: withDefault(word(), 'intake'),
    statuses: list(word()),
    stages: list(word()),
    fieldSchema: nullable(freeForm()),
    requiredFields: list(word()),
    hints: described(
      list(text(), limits.hints),
      'Words that callers use for work of this kind: the extractor tells the kind of a draft by these and the label.',
    ),
  },
  search: ['label'],
  filters: ['canonicalKind', 'enabled'],
  unique: [['canonicalKind']],
})

export const tasks = entity({
  slug: 'tasks',
  name: 'task',
  label: 'Tasks',
  description: 'Something to do, often promised on a call.',
  verbs: 'LGCPUD',
  fields: {
    title: required(text()),
    description: nullable(longText()),
    status: oneOf(['open', 'in_progress', 'done', 'canceled'], 'open'),
    dueAt: nullable(instant()),
    priority: oneOf(priorities, 'normal'),
    assignedToId: nullable(uuid()),
    subjectType: nullable(word()),
    subjectId: nullable(uuid('@subjectType')),
    workRecordId: nullable(uuid('work_record')),
    personId: nullable(uuid('person')),
    customerId: nullable(uuid('customer')),
    sourceCallSessionId: nullable(uuid('call')),
    source: withDefault(word(), 'api'),
  },
  search: ['title', 'description'],
  times: ['dueAt'],
  filters: ['status', 'priority', 'assignedToId', 'workRecordId', 'personId', 'customerId'],
})

export const notes = entity({
  slug: 'notes',
  name: 'note',
  label: 'Notes',
  description: 'Free text about a person, company, customer or work record.',
  verbs: 'LGCPD',
  fields: {
    body: required(text(20_000)),
    subjectType: required(oneOf(subjectTypes)),
    subjectId: required(uuid('@subjectType')),
    authorId: nullable(uuid()),
    callSessionId: nullable(uuid('call')),
    pinned: flag(),
  },
  search: ['body'],
  filters: ['subjectType', 'subjectId', 'callSessionId'],
})

export const appointments = entity({
  slug: 'appointments',
  name: 'appointment',
  label: 'Appointments',
  description: 'A time at which something was agreed to happen.',
  verbs: 'LGCPUD',
  fields: {
    title: required(text()),
    startAt: required(instant()),
    endAt: nullable(instant()),
    timezone: nullable(line(64)),
    status: oneOf(['scheduled', 'confirmed', 'completed', 'canceled', 'no_show'], 'scheduled'),
    workRecordId: nullable(uuid('work_record')),
    customerId: nullable(uuid('customer')),
    personId: nullable(uuid('person')),
    locationId: nullable(uuid('location')),
    sourceCallSessionId: nullable(uuid('call')),
  },
  search: ['title'],
  times: ['startAt'],
  filters: ['status', 'workRecordId', 'customerId', 'personId'],
})

export const moneyRecords = entity({
  slug: 'money-records',
  name: 'money_record',
  label: 'Money records',
  description: 'An estimate, invoice, payment or other amount, in minor units.',
  verbs: 'LGCPUD',
  fields: {
    recordType: required(
      oneOf(['estimate', 'quote', 'invoice', 'payment', 'deposit', 'refund', 'credit', 'fee', 'other']),
    ),
    amountCents: required(integer()),
    currency: currency(),
    status: oneOf(['open', 'draft', 'partially_paid', 'paid', 'void', 'uncollectible', 'refunded', 'failed'], 'open'),
    number: nullable(line()),
    description: nullable(longText()),
    issuedAt: nullable(instant()),
    dueAt: nullable(instant()),
    paidAt: nullable(instant()),
    customerId: nullable(uuid('customer')),
    workRecordId: nullable(uuid('work_record')),
    personId: nullable(uuid('person')),
    lineItems: list(
      object({ description: line(20_000), quantity: number(), unitAmountCents: integer(), amountCents: integer() }),
    ),
    customFields: mergedForm(),
  },
  search: ['number', 'description'],
  times: ['dueAt'],
  filters: ['recordType', 'status', 'customerId', 'workRecordId'],
})

export const workflowRuns = entity({
  slug: 'workflow-runs',
  name: 'workflow_run',
  label: 'Workflow runs',
  description: 'One run of an automated workflow and what it captured.',
  verbs: 'LGCP',
  fields: {
    workflowKey: required(text()),
    status: oneOf(['running', 'completed', 'failed', 'canceled'], 'running'),
    callSessionId: nullable(uuid('call')),
    workRecordId: nullable(uuid('work_record')),
    personId: nullable(uuid('person')),
    capturedFields: mergedForm(),
    startedAt: instant(),
    finishedAt: nullable(instant()),
  },
  search: ['workflowKey'],
  filters: ['workflowKey', 'status', 'callSessionId', 'workRecordId'],
})

export const fieldValues = entity({
  slug: 'field-values',
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
    changeType: oneOf(['create', 'update', 'delete', 'promote']),
    source: word(),
    actor: object({ type: word(), id: nullable(uuid()) }),
    sourceFactId: nullable(uuid('fact')),
    requestId: nullable(text(128)),
    changedAt: instant(),
  },
  search: ['field'],
  filters: ['entityType', 'entityId', 'field'],
})
