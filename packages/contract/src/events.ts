// The events Parley publishes: when each fires and the shape of its data. The sixteen standard types go to every
// subscription that names none; the opt-in ones only to those that name them.
import type { Static } from 'typebox'
import { calls } from './entities/calls.js'
import { drafts } from './entities/drafts.js'
import { facts } from './entities/knowledge.js'
import { signals } from './entities/signals.js'
import { appointments, notes, tasks, workRecords } from './entities/work.js'
import { workflowRuns } from './entities/workflow-runs.js'
import { pick, recordSchema } from './entity.js'
import {
  changedFields,
  changes,
  draftData,
  factData,
  linked,
  mergedCustomerData,
  mergedPersonData,
  personData,
  recordOf,
  sentSmsData,
  smsData,
  unmergedCustomerData,
  unmergedPersonData,
  voicemailData,
  workRecordData,
} from './event-data.js'
import {
  type About,
  anyValue,
  type Field,
  flag,
  freeForm,
  instant,
  line,
  list,
  longText,
  named,
  nullable,
  type ObjectOf,
  object,
  oneOf,
  optional,
  text,
  uri,
  uuid,
  word,
} from './field.js'
import { limits } from './limits.js'
import { isOneOf } from './one-of.js'

/** `T` is the data of the event. */
export interface EventDefinition<T = Record<string, unknown>> {
  readonly when: string
  readonly optIn: boolean
  /** The first id of the data: what the event is about. */
  readonly subject: string
  readonly data: Field<T>
}

type Data = Record<string, Field<unknown>>

const event = <S extends Data>(
  when: string,
  data: S,
  about: About<NoInfer<S>> = {},
  isOptIn = false,
): EventDefinition<ObjectOf<S>> => ({
  when,
  optIn: isOptIn,
  subject: Object.keys(data)[0] ?? '',
  data: object(data, about),
})
const optIn = <S extends Data>(when: string, data: S, about: About<NoInfer<S>> = {}): EventDefinition<ObjectOf<S>> =>
  event(when, data, about, true)

export const events = {
  'call.ended': event(
    'A live call ended.',
    {
      callId: uuid('call'),
      ...pick(calls.fields, 'direction', 'duration', 'from', 'to', 'summary'),
      transcript: nullable(line(70_000)),
      ...pick(calls.fields, 'recordingUrl'),
      facts: list(recordSchema(facts)),
      ...pick(calls.fields, 'workRecordId', 'status', 'endReason', 'startedAt', 'answeredAt'),
      endedAt: instant(),
      ...pick(calls.fields, 'personId', 'customerId'),
      draftId: nullable(uuid('draft')),
      draft: nullable(recordSchema(drafts)),
      signals: list(recordSchema(signals)),
      transcriptStatus: word(),
      transcriptTruncated: flag(),
    },
    {
      callId: 'The call.',
      transcript: 'What was said, as `Speaker: text` lines.',
      facts: 'What was learned.',
      endedAt: 'When it ended.',
      draftId: 'The draft that it left behind.',
      draft: 'The same draft, whole.',
      signals: 'What was noticed.',
      transcriptStatus: 'Whether there is a transcript.',
      transcriptTruncated: 'Whether `transcript` was cut; `GET /calls/{id}/transcript` has all of it.',
    },
  ),
  'sms.received': event('An inbound SMS landed in a thread; once per message.', smsData),
  'sms.sent': event('The carrier accepted an outbound SMS.', sentSmsData),
  'voicemail.received': event('A caller left a voicemail.', voicemailData),
  'call.missed': event(
    'A call rang unanswered with no voicemail.',
    {
      callId: uuid('call'),
      ...pick(calls.fields, 'from', 'to', 'startedAt'),
      endedAt: instant(),
      reason: word(),
      ...pick(calls.fields, 'personId'),
      call: recordOf(calls),
    },
    { callId: 'The call.', endedAt: 'When it stopped ringing.', reason: 'Why nobody answered, such as `no_answer`.' },
  ),
  'person.created': event('A person came to be, by call, by hand or by API; once per person.', personData),
  'work_record.created': event('A work record was created.', workRecordData),
  'work_record.updated': event('A tracked field of a work record changed.', { ...workRecordData, ...changes }),
  'fact.confirmed': event(
    'A proposed fact was confirmed, by a threshold or by someone.',
    { ...factData, confirmedVia: word(), supersededFactIds: list(uuid('fact')) },
    { confirmedVia: 'What confirmed it.', supersededFactIds: 'The older facts that gave way to it.' },
  ),
  'fact.promoted': event(
    'A fact became a lasting attribute of a person, company or customer.',
    {
      factId: uuid('fact'),
      ...pick(facts.fields, 'key', 'value'),
      targetSubjectType: oneOf(['person', 'company', 'customer']),
      targetSubjectId: uuid(),
      previousValue: anyValue(),
      fact: recordOf(facts),
    },
    {
      factId: 'The fact.',
      targetSubjectType: 'What it became an attribute of.',
      targetSubjectId: 'Whose attribute it became.',
      previousValue: 'What the attribute said before; null where it said nothing.',
    },
  ),
  'draft.approved': event(
    'A post-call draft was approved and is ready to sync.',
    {
      draftId: uuid('draft'),
      ...pick(drafts.fields, 'callSessionId'),
      workRecordId: uuid('work_record'),
      ...pick(drafts.fields, 'approvedBy'),
      approvedAt: instant(),
      edits: freeForm(),
      draft: recordOf(drafts),
      workRecord: recordOf(workRecords),
    },
    {
      draftId: 'The draft.',
      workRecordId: 'The work record that it became.',
      approvedAt: 'When it was approved.',
      edits: 'What the approval changed, by its path: what was `proposed` and what was `approved`.',
    },
  ),
  'signal.fired': event(
    'A signal fired with enough confidence.',
    {
      signalId: uuid('signal'),
      ...pick(signals.fields, 'kind', 'confidence', 'severity', 'callSessionId', 'workRecordId', 'firedAt', 'details'),
      signal: recordOf(signals),
    },
    { signalId: 'The signal.' },
  ),
  'workflow.finished': event(
    'A workflow run completed.',
    {
      workflowRunId: uuid('workflow_run'),
      ...pick(workflowRuns.fields, 'workflowKey', 'capturedFields', 'startedAt'),
      finishedAt: instant(),
      workflowRun: recordOf(workflowRuns),
    },
    { workflowRunId: 'The run.', finishedAt: 'When it came to its end.' },
  ),
  'appointment.scheduled': event(
    'An appointment was made, or a work record got its first scheduled start.',
    {
      appointmentId: nullable(uuid('appointment')),
      ...pick(linked, 'workRecordId'),
      title: text(),
      scheduledStart: instant(),
      scheduledEnd: nullable(instant()),
      ...pick(linked, 'customerId', 'personId'),
      origin: oneOf(['appointment', 'work_record']),
      appointment: optional(recordOf(appointments)),
    },
    {
      appointmentId: 'The appointment; null where the work record itself was scheduled.',
      title: 'What is to happen.',
      scheduledStart: 'When it begins.',
      scheduledEnd: 'When it ends.',
      origin: 'What was scheduled.',
    },
  ),
  'task.created': event(
    'A task or follow-up was captured.',
    { taskId: uuid('task'), ...pick(tasks.fields, 'subjectType', 'subjectId'), task: recordOf(tasks) },
    { taskId: 'The task.' },
  ),
  'note.added': event(
    'A note was added to a person, company, customer or work record.',
    { noteId: uuid('note'), ...pick(notes.fields, 'subjectType', 'subjectId'), note: recordOf(notes) },
    { noteId: 'The note.' },
  ),
  'call.started': optIn(
    'A call began to ring or was answered.',
    { callId: uuid('call'), ...pick(calls.fields, 'from', 'to'), call: recordOf(calls) },
    { callId: 'The call.' },
  ),
  'sms.delivered': optIn('The carrier reported delivery.', sentSmsData),
  'sms.failed': optIn('The carrier refused or could not deliver.', sentSmsData),
  'voicemail.updated': optIn('The audio of a voicemail came or could not be fetched, or a field of it changed.', {
    ...voicemailData,
    ...changedFields,
  }),
  'fact.proposed': optIn('A fact was captured and waits for confirmation.', factData),
  'fact.rejected': optIn('A proposed fact was rejected.', factData),
  'fact.superseded': optIn(
    'A fact gave way to a fresher one.',
    { ...factData, supersededById: uuid('fact') },
    { supersededById: 'The fresher fact.' },
  ),
  'draft.created': optIn('A call left a draft behind.', draftData),
  'draft.rejected': optIn(
    'A draft was rejected.',
    { ...draftData, reason: nullable(longText()) },
    { reason: 'Why, in the words of whoever rejected it.' },
  ),
  'draft.synced': optIn('An approved draft reached an external system.', draftData),
  'person.updated': optIn('A field of a person changed.', { ...personData, ...changes }),
  'person.merged': optIn('Two people turned out to be one.', mergedPersonData),
  'person.unmerged': optIn('A merge of two people was undone.', unmergedPersonData),
  'customer.merged': optIn('Two customers turned out to be one.', mergedCustomerData),
  'customer.unmerged': optIn('A merge of two customers was undone.', unmergedCustomerData),
  'webhook.disabled': optIn(
    'A subscription was disabled because its endpoint is gone or keeps failing.',
    { subscriptionId: uuid(), name: text(), url: uri(), reason: oneOf(['gone', 'failing']), disabledAt: instant() },
    {
      subscriptionId: 'The subscription.',
      name: 'What your people call it.',
      url: 'Where its events were posted.',
      reason: '`gone`: the endpoint answered 410. `failing`: nothing but failures for five days.',
      disabledAt: 'When it was disabled.',
    },
  ),
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

export const eventType = () => named('WebhookEventType', oneOf(eventTypes))

/** The body that is stored once and sent unchanged at every attempt. */
export const eventBody = (data: Field<Record<string, unknown>>) =>
  object(
    {
      eventId: text(26),
      type: eventType(),
      occurredAt: instant(),
      organizationId: uuid(),
      environment: oneOf(['sandbox', 'production']),
      data,
      omitted: optional(list(text())),
    },
    {
      eventId: 'A ULID. The same at every attempt: use it to tell repeats.',
      type: 'What happened.',
      occurredAt: 'When it happened.',
      organizationId: 'The organization in which it happened.',
      environment: 'The environment in which it happened.',
      data: 'What there is to tell of it; its shape depends on `type`.',
      omitted:
        `Only in an event that would be larger than ${limits.eventBytes / 1024} KiB: the parts of ` +
        '`data` that were left out.',
    },
  )
