// Units of work and what is planned for them: work records and their types, tasks, notes, appointments.
import { entity, equal } from '../entity.js'
import {
  flag,
  freeForm,
  instant,
  line,
  list,
  longText,
  mergedForm,
  named,
  nullable,
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
export const canonicalKind = () => named('CanonicalWorkKind', oneOf(canonicalKinds))

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
    canonicalKind: required(canonicalKind()),
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
  about: {
    number: 'The number that people quote. It rises; there may be gaps.',
    canonicalKind: 'What kind of work it is. It must be enabled, and never changes.',
    title: 'What is to be done, in a line.',
    description: 'What is to be done, in full.',
    recordState:
      'Where it stands for every organization alike. Completing, canceling and reopening set the times below.',
    stateReason: 'Why it is blocked or canceled.',
    status: 'Where it stands in your own words; the default is that of its kind.',
    stage: 'How far it came in your own words; the default is that of its kind.',
    priority: 'How soon it matters.',
    source: 'What made it. Send `import` to bring in old work in any state, with its times.',
    customerId: 'The customer that it is for. Left out, it is that of the person, who becomes one if need be.',
    primaryPersonId: 'Whom to talk to about it.',
    primaryCompanyId: 'The company that it is for.',
    primaryLocationId: 'Where the work is.',
    assignedToId: 'The user who does it.',
    sourceCallSessionId: 'The call in which it was asked for.',
    draftId: 'The draft whose approval made it.',
    structuredFieldsJson: 'The fields that your organization has for this kind of work; checked by its `fieldSchema`.',
    tags: 'Your own words to find it by.',
    requestedAt: 'When it was asked for.',
    dueAt: 'When it should be done.',
    scheduledStart: 'When the work is to begin.',
    scheduledEnd: 'When the work is to end.',
    completedAt: 'When it was done.',
    closedAt: 'When it was done or canceled.',
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
    canonicalKind: required(canonicalKind()),
    label: text(),
    enabled: flag(true),
    defaultStatus: withDefault(word(), 'new'),
    defaultStage: withDefault(word(), 'intake'),
    statuses: list(word()),
    stages: list(word()),
    fieldSchema: nullable(freeForm()),
    requiredFields: list(word()),
    hints: list(text(), limits.hints),
  },
  about: {
    canonicalKind: 'The kind of work that it defines; one definition for each.',
    label: 'What your people call such work.',
    enabled: 'Whether such work can be made.',
    defaultStatus: 'The `status` that such work begins with.',
    defaultStage: 'The `stage` that such work begins with.',
    statuses: 'The words for `status` that you use. They advise and refuse nothing.',
    stages: 'The words for `stage` that you use, in order. They advise and refuse nothing.',
    fieldSchema:
      'What `structuredFieldsJson` of such work must look like, in a subset of JSON Schema. `title` is what people call ' +
      'a field; forms show fields in the order of `properties`.',
    hints: 'Words that callers use for such work: the extractor tells the kind of a draft by these and the label.',
    requiredFields: 'What must be known before such work can begin; a draft lists what of it is missing.',
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
  about: {
    title: 'What is to be done.',
    description: 'More about it.',
    status: 'Whether it is done.',
    dueAt: 'When it should be done.',
    priority: 'How soon it matters.',
    assignedToId: 'The user who does it.',
    subjectType: 'What kind of record it is about, such as `person`.',
    subjectId: 'The record that it is about.',
    workRecordId: 'The work that it is part of.',
    personId: 'Whom it concerns.',
    customerId: 'The customer that it concerns.',
    sourceCallSessionId: 'The call in which it was promised.',
    source: 'What made it, in a word such as `api`, `call` or `manual`.',
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
  about: {
    body: 'What it says.',
    subjectType: 'What it is about.',
    subjectId: 'The record that it is about.',
    authorId: 'The user who wrote it.',
    callSessionId: 'The call during which it was written.',
    pinned: 'Shown before the others.',
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
  about: {
    title: 'What is to happen.',
    startAt: 'When it begins.',
    endAt: 'When it ends.',
    timezone: 'The time zone in which it was agreed, such as `America/Los_Angeles`.',
    status: 'Whether it will happen, has happened or did not.',
    workRecordId: 'The work that it is for.',
    customerId: 'The customer that it is with.',
    personId: 'Whom it is with.',
    locationId: 'Where it is.',
    sourceCallSessionId: 'The call in which it was agreed.',
  },
  search: ['title'],
  times: ['startAt'],
  filters: ['status', 'workRecordId', 'customerId', 'personId'],
})
