// The events Parley publishes: when each fires and the shape of its data. The sixteen standard types go to every
// subscription that names none; the opt-in ones only to those that name them.
import type { Static } from 'typebox'
import { calls, directions, sms, voicemails } from './entities/conversations.js'
import { drafts } from './entities/drafts.js'
import { facts, severities, signals } from './entities/knowledge.js'
import { origins, people } from './entities/people.js'
import { appointments, canonicalKinds, notes, tasks, workflowRuns, workRecords } from './entities/work.js'
import { recordSchema } from './entity.js'
import {
  anyValue,
  callerId,
  confidence,
  described,
  type Field,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  longText,
  nullable,
  type ObjectOf,
  object,
  oneOf,
  optional,
  phone,
  recipient,
  text,
  uri,
  uuid,
  word,
} from './field.js'
import { limits } from './limits.js'
import { isOneOf } from './one-of.js'
import { callStatuses, recordStates } from './states.js'

/** `T` is the data of the event. */
export interface EventDefinition<T = Record<string, unknown>> {
  readonly when: string
  readonly optIn: boolean
  /** The first id of the data: what the event is about. */
  readonly subject: string
  readonly data: Field<T>
}

const event = <S extends Record<string, Field<unknown>>>(
  when: string,
  data: S,
  optIn = false,
): EventDefinition<ObjectOf<S>> => ({
  when,
  optIn,
  subject: Object.keys(data)[0] ?? '',
  data: object(data),
})
const optIn = <S extends Record<string, Field<unknown>>>(when: string, data: S): EventDefinition<ObjectOf<S>> =>
  event(when, data, true)

const smsData = {
  smsId: uuid('sms'),
  messageId: uuid('message'),
  threadId: nullable(uuid('conversation')),
  from: nullable(callerId()),
  to: recipient(),
  body: line(limits.smsLength),
  sentAt: instant(),
  personId: nullable(uuid('person')),
  sms: recordSchema(sms),
}

/** What we send is sent from a number of ours. */
const sentSmsData = { ...smsData, from: phone() }

/** The address is signed when the event is made, and good for five minutes from then. */
const voicemailData = {
  voicemailId: uuid('voicemail'),
  callSessionId: nullable(uuid('call')),
  callerNumber: nullable(callerId()),
  transcript: nullable(longText()),
  recordingUrl: nullable(uri()),
  recordingApiUrl: nullable(uri()),
  personId: nullable(uuid('person')),
  voicemail: recordSchema(voicemails),
}

const workRecordData = {
  workRecordId: uuid('work_record'),
  canonicalKind: oneOf(canonicalKinds),
  title: text(),
  recordState: oneOf(recordStates),
  status: word(),
  stage: word(),
  customerId: uuid('customer'),
  workRecord: recordSchema(workRecords),
}

const personData = {
  personId: uuid('person'),
  displayName: text(),
  primaryPhone: nullable(phone()),
  primaryEmail: nullable(line()),
  createdVia: oneOf(origins),
  person: recordSchema(people),
}

const factData = {
  factId: uuid('fact'),
  subjectType: word(),
  subjectId: uuid(),
  key: text(),
  value: anyValue(),
  confidence: nullable(confidence()),
  fact: recordSchema(facts),
}

const draftData = { draftId: uuid('draft'), callSessionId: uuid('call'), draft: recordSchema(drafts) }
const changes = {
  changedFields: list(word()),
  changes: described(
    freeForm(),
    'Each changed field with what it was (`from`) and is (`to`); a large value is told in part, with `$omitted`.',
  ),
}

export const events = {
  'call.ended': event('A live call ended.', {
    callId: uuid('call'),
    direction: oneOf(directions),
    duration: integer({ minimum: 0 }),
    from: nullable(callerId()),
    to: phone(),
    summary: nullable(longText()),
    transcript: nullable(line(70_000)),
    recordingUrl: nullable(uri()),
    facts: list(recordSchema(facts)),
    workRecordId: nullable(uuid('work_record')),
    status: oneOf(callStatuses),
    endReason: nullable(word()),
    startedAt: instant(),
    answeredAt: nullable(instant()),
    endedAt: instant(),
    personId: nullable(uuid('person')),
    customerId: nullable(uuid('customer')),
    draftId: nullable(uuid('draft')),
    draft: nullable(recordSchema(drafts)),
    signals: list(recordSchema(signals)),
    transcriptStatus: word(),
    transcriptTruncated: flag(),
  }),
  'sms.received': event('An inbound SMS landed in a thread; once per message.', smsData),
  'sms.sent': event('The carrier accepted an outbound SMS.', sentSmsData),
  'voicemail.received': event('A caller left a voicemail.', voicemailData),
  'call.missed': event('A call rang unanswered with no voicemail.', {
    callId: uuid('call'),
    from: nullable(callerId()),
    to: phone(),
    startedAt: instant(),
    endedAt: instant(),
    reason: word(),
    personId: nullable(uuid('person')),
    call: recordSchema(calls),
  }),
  'person.created': event('A person came to be, by call, by hand or by API; once per person.', personData),
  'work_record.created': event('A work record was created.', workRecordData),
  'work_record.updated': event('A tracked field of a work record changed.', { ...workRecordData, ...changes }),
  'fact.confirmed': event('A proposed fact was confirmed, by a threshold or by someone.', {
    ...factData,
    confirmedVia: word(),
    supersededFactIds: list(uuid('fact')),
  }),
  'fact.promoted': event('A fact became a lasting attribute of a person, company or customer.', {
    factId: uuid('fact'),
    key: text(),
    value: anyValue(),
    targetSubjectType: oneOf(['person', 'company', 'customer']),
    targetSubjectId: uuid(),
    previousValue: anyValue(),
    fact: recordSchema(facts),
  }),
  'draft.approved': event('A post-call draft was approved and is ready to sync.', {
    draftId: uuid('draft'),
    callSessionId: uuid('call'),
    workRecordId: uuid('work_record'),
    approvedBy: nullable(uuid()),
    approvedAt: instant(),
    edits: freeForm(),
    draft: recordSchema(drafts),
    workRecord: recordSchema(workRecords),
  }),
  'signal.fired': event('A signal fired with enough confidence.', {
    signalId: uuid('signal'),
    kind: text(),
    confidence: confidence(),
    severity: oneOf(severities),
    callSessionId: nullable(uuid('call')),
    workRecordId: nullable(uuid('work_record')),
    firedAt: instant(),
    details: freeForm(),
    signal: recordSchema(signals),
  }),
  'workflow.finished': event('A workflow run completed.', {
    workflowRunId: uuid('workflow_run'),
    workflowKey: text(),
    capturedFields: freeForm(),
    startedAt: instant(),
    finishedAt: instant(),
    workflowRun: recordSchema(workflowRuns),
  }),
  'appointment.scheduled': event('An appointment was made, or a work record got its first scheduled start.', {
    appointmentId: nullable(uuid('appointment')),
    workRecordId: nullable(uuid('work_record')),
    title: text(),
    scheduledStart: instant(),
    scheduledEnd: nullable(instant()),
    customerId: nullable(uuid('customer')),
    personId: nullable(uuid('person')),
    origin: oneOf(['appointment', 'work_record']),
    appointment: optional(recordSchema(appointments)),
  }),
  'task.created': event('A task or follow-up was captured.', {
    taskId: uuid('task'),
    subjectType: nullable(word()),
    subjectId: nullable(uuid()),
    task: recordSchema(tasks),
  }),
  'note.added': event('A note was added to a person, company, customer or work record.', {
    noteId: uuid('note'),
    subjectType: word(),
    subjectId: uuid(),
    note: recordSchema(notes),
  }),
  'call.started': optIn('A call began to ring or was answered.', {
    callId: uuid('call'),
    from: nullable(callerId()),
    to: phone(),
    call: recordSchema(calls),
  }),
  'sms.delivered': optIn('The carrier reported delivery.', sentSmsData),
  'sms.failed': optIn('The carrier refused or could not deliver.', sentSmsData),
  'voicemail.updated': optIn('The audio of a voicemail came or could not be fetched, or a field of it changed.', {
    ...voicemailData,
    changedFields: list(word()),
  }),
  'fact.proposed': optIn('A fact was captured and waits for confirmation.', factData),
  'fact.rejected': optIn('A proposed fact was rejected.', factData),
  'fact.superseded': optIn('A fact gave way to a fresher one.', { ...factData, supersededById: uuid('fact') }),
  'draft.created': optIn('A call left a draft behind.', draftData),
  'draft.rejected': optIn('A draft was rejected.', { ...draftData, reason: nullable(longText()) }),
  'draft.synced': optIn('An approved draft reached an external system.', draftData),
  'person.updated': optIn('A field of a person changed.', { ...personData, ...changes }),
  'webhook.disabled': optIn('A subscription was disabled because its endpoint is gone or keeps failing.', {
    subscriptionId: uuid(),
    name: text(),
    url: uri(),
    reason: oneOf(['gone', 'failing']),
    disabledAt: instant(),
  }),
} as const satisfies Record<string, EventDefinition>

export type EventType = keyof typeof events
/** What an event of this type tells. */
export type EventData<T extends EventType> = Told<Static<(typeof events)[T]['data']>>
type Told<D> = { readonly [K in keyof D]: D[K] extends readonly (infer Item)[] ? readonly Item[] : D[K] }
export const eventTypes = Object.keys(events) as EventType[]
export const isEventType = (value: unknown): value is EventType => isOneOf(eventTypes, value)
/** What an empty `eventTypes` means. */
export const standardEventTypes = eventTypes.filter((type) => !events[type].optIn)

/** The event that documents show as an example. */
export const exampleEventType: EventType = 'call.ended'

/** The body that is stored once and sent unchanged at every attempt. */
export const eventBody = (data: Field<Record<string, unknown>>) =>
  object({
    eventId: text(26),
    type: word(),
    occurredAt: instant(),
    organizationId: uuid(),
    environment: oneOf(['sandbox', 'production']),
    data,
    omitted: optional(
      described(
        list(text()),
        `Only in an event that would be larger than ${limits.eventBytes / 1024} KiB: the parts of ` +
          '`data` that were left out.',
      ),
    ),
  })
