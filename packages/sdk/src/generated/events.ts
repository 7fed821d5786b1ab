// The data of every event. Generated from the contract by scripts/generate.mjs; do not edit.
import type {
  Appointment,
  Call,
  Customer,
  Draft,
  Fact,
  Note,
  Other,
  Person,
  Signal,
  Sms,
  Task,
  Voicemail,
  WorkflowRun,
  WorkRecord,
} from './records.js'

/** What every event says besides its type and data. Deliveries may come twice: tell them apart by `eventId`. */
export interface EventEnvelope {
  /** A ULID. The same at every attempt: use it to tell repeats. */
  eventId: string
  /** When it happened. */
  occurredAt: string
  /** The organization in which it happened. */
  organizationId: string
  /** The environment in which it happened. */
  environment: 'sandbox' | 'production' | Other
  /** Only in an event that would be larger than 256 KiB: the parts of `data` that were left out. */
  omitted?: string[] | undefined
}

/** A live call ended. */
export interface CallEndedData {
  /** The call. */
  callId: string
  /** `inbound` came to you, `outbound` you made. */
  direction: 'inbound' | 'outbound' | Other
  /** How many seconds were talked. */
  duration: number
  /** Who called; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** Who was called. E.164, for example +15550100200. */
  to: string
  /** What was said and agreed, in a few sentences. */
  summary: string | null
  /** What was said, as `Speaker: text` lines. */
  transcript: string | null
  /** Where your telephony keeps the recording, as it said. */
  recordingUrl: string | null
  /** What was learned. */
  facts: Fact[]
  /** The work that it concerns; set when its draft is approved. */
  workRecordId: string | null
  /** How far it came. A status that ends the call does all that `POST /calls/{id}/end` does. */
  status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other
  /** Why it ended, such as `caller_hangup`, `no_answer`, `busy`, `transferred` or `timeout`. */
  endReason: string | null
  /** When it began to ring. Now, unless you say otherwise. */
  startedAt: string
  /** When it was answered; null while it was not. */
  answeredAt: string | null
  /** When it ended. */
  endedAt: string
  /** Who the other side is. Found by the number, or made, unless you say. */
  personId: string | null
  /** The customer that it concerns. */
  customerId: string | null
  /** The draft that it left behind. */
  draftId: string | null
  /** The same draft, whole. */
  draft: Draft | null
  /** What was noticed. */
  signals: Signal[]
  /** Whether there is a transcript. */
  transcriptStatus: string
  /** Whether `transcript` was cut; `GET /calls/{id}/transcript` has all of it. */
  transcriptTruncated: boolean
}

/** An inbound SMS landed in a thread; once per message. */
export interface SmsReceivedData {
  /** The text. */
  smsId: string
  /** The message in its thread. */
  messageId: string
  /** The conversation that it is part of. */
  threadId: string | null
  /** Who sent it; null when the sender shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** Who it goes to. E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  /** What it says. */
  body: string
  /** When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  sentAt: string
  /** Who the other side is; found by the number. */
  personId: string | null
  /** The whole record. */
  sms: Sms
}

/** The carrier accepted an outbound SMS. */
export interface SmsSentData {
  /** The text. */
  smsId: string
  /** The message in its thread. */
  messageId: string
  /** The conversation that it is part of. */
  threadId: string | null
  /** The number of yours that it left from. E.164, for example +15550100200. */
  from: string
  /** Who it goes to. E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  /** What it says. */
  body: string
  /** When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  sentAt: string
  /** Who the other side is; found by the number. */
  personId: string | null
  /** The whole record. */
  sms: Sms
}

/** A caller left a voicemail. */
export interface VoicemailReceivedData {
  /** The voicemail. */
  voicemailId: string
  /** The call in which it was left. */
  callSessionId: string | null
  /** Who left it; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  callerNumber: string | null
  /** What was said, as well as it could be made out. */
  transcript: string | null
  /** Who left it; found by the number unless you say. */
  personId: string | null
  /** Plays without a key for five minutes; null until the audio is there. */
  recordingUrl: string | null
  /** Redirects to a fresh recordingUrl; needs a key and does not expire. */
  recordingApiUrl: string | null
  /** The whole record. */
  voicemail: Voicemail
}

/** A call rang unanswered with no voicemail. */
export interface CallMissedData {
  /** The call. */
  callId: string
  /** Who called; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** Who was called. E.164, for example +15550100200. */
  to: string
  /** When it began to ring. Now, unless you say otherwise. */
  startedAt: string
  /** When it stopped ringing. */
  endedAt: string
  /** Why nobody answered, such as `no_answer`. */
  reason: string
  /** Who the other side is. Found by the number, or made, unless you say. */
  personId: string | null
  /** The whole record. */
  call: Call
}

/** A person came to be, by call, by hand or by API; once per person. */
export interface PersonCreatedData {
  /** The person. */
  personId: string
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName: string
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Where to write to them; kept in lower case. */
  primaryEmail: string | null
  /** What made them known: a call, a text, a voicemail, a user, a key or an import. */
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  /** The whole record. */
  person: Person
}

/** A work record was created. */
export interface WorkRecordCreatedData {
  /** The work record. */
  workRecordId: string
  /** What kind of work it is. It must be enabled, and never changes. */
  canonicalKind:
    | 'job'
    | 'work_order'
    | 'matter'
    | 'case'
    | 'appointment_encounter'
    | 'permit_record'
    | 'repair_order'
    | 'move'
    | 'claim'
    | 'engagement'
    | 'arrangement'
    | 'ticket_generic'
    | 'service_request'
    | Other
  /** What is to be done, in a line. */
  title: string
  /** Where it stands for every organization alike. Completing, canceling and reopening set the times below. */
  recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other
  /** Where it stands in your own words; the default is that of its kind. */
  status: string
  /** How far it came in your own words; the default is that of its kind. */
  stage: string
  /** The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
  customerId: string
  /** The whole record. */
  workRecord: WorkRecord
}

/** A tracked field of a work record changed. */
export interface WorkRecordUpdatedData {
  /** The work record. */
  workRecordId: string
  /** What kind of work it is. It must be enabled, and never changes. */
  canonicalKind:
    | 'job'
    | 'work_order'
    | 'matter'
    | 'case'
    | 'appointment_encounter'
    | 'permit_record'
    | 'repair_order'
    | 'move'
    | 'claim'
    | 'engagement'
    | 'arrangement'
    | 'ticket_generic'
    | 'service_request'
    | Other
  /** What is to be done, in a line. */
  title: string
  /** Where it stands for every organization alike. Completing, canceling and reopening set the times below. */
  recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other
  /** Where it stands in your own words; the default is that of its kind. */
  status: string
  /** How far it came in your own words; the default is that of its kind. */
  stage: string
  /** The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
  customerId: string
  /** The whole record. */
  workRecord: WorkRecord
  /** The fields that changed. */
  changedFields: string[]
  /** Each changed field with what it was (`from`) and is (`to`); a large value is told in part, with `$omitted`. */
  changes: Record<string, unknown>
}

/** A proposed fact was confirmed, by a threshold or by someone. */
export interface FactConfirmedData {
  /** The fact. */
  factId: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** Whom or what it is about. */
  subjectId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence: number | null
  /** The whole record. */
  fact: Fact
  /** What confirmed it. */
  confirmedVia: string
  /** The older facts that gave way to it. */
  supersededFactIds: string[]
}

/** A fact became a lasting attribute of a person, company or customer. */
export interface FactPromotedData {
  /** The fact. */
  factId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** What it became an attribute of. */
  targetSubjectType: 'person' | 'company' | 'customer' | Other
  /** Whose attribute it became. */
  targetSubjectId: string
  /** What the attribute said before; null where it said nothing. */
  previousValue: unknown
  /** The whole record. */
  fact: Fact
}

/** A post-call draft was approved and is ready to sync. */
export interface DraftApprovedData {
  /** The draft. */
  draftId: string
  /** The call that it comes from. */
  callSessionId: string
  /** The work record that it became. */
  workRecordId: string
  /** The user or key that approved it. */
  approvedBy: string | null
  /** When it was approved. */
  approvedAt: string
  /** What the approval changed, by its path: what was `proposed` and what was `approved`. */
  edits: Record<string, unknown>
  /** The whole record. */
  draft: Draft
  /** The whole record. */
  workRecord: WorkRecord
}

/** A signal fired with enough confidence. */
export interface SignalFiredData {
  /** The signal. */
  signalId: string
  /** What was noticed: the `key` of a signal definition, or a word of your own. */
  kind: string
  /** How sure whoever noticed it is, from 0 to 1. */
  confidence: number
  /** How much it matters, from its definition. */
  severity: 'info' | 'warning' | 'critical' | Other
  /** The call in which it was noticed. */
  callSessionId: string | null
  /** The work that it concerns. */
  workRecordId: string | null
  /** When it fired. */
  firedAt: string
  /** Whatever else was noticed. */
  details: Record<string, unknown>
  /** The whole record. */
  signal: Signal
}

/** A workflow run completed. */
export interface WorkflowFinishedData {
  /** The run. */
  workflowRunId: string
  /** Which workflow ran, in your own word for it. */
  workflowKey: string
  /** What it captured. */
  capturedFields: Record<string, unknown>
  /** When it began. Now, unless you say otherwise. */
  startedAt: string
  /** When it came to its end. */
  finishedAt: string
  /** The whole record. */
  workflowRun: WorkflowRun
}

/** An appointment was made, or a work record got its first scheduled start. */
export interface AppointmentScheduledData {
  /** The appointment; null where the work record itself was scheduled. */
  appointmentId: string | null
  /** The work that it is for. */
  workRecordId: string | null
  /** What is to happen. */
  title: string
  /** When it begins. */
  scheduledStart: string
  /** When it ends. */
  scheduledEnd: string | null
  /** The customer that it is with. */
  customerId: string | null
  /** Whom it is with. */
  personId: string | null
  /** What was scheduled. */
  origin: 'appointment' | 'work_record' | Other
  /** The whole record. */
  appointment?: Appointment | undefined
}

/** A task or follow-up was captured. */
export interface TaskCreatedData {
  /** The task. */
  taskId: string
  /** What kind of record it is about, such as `person`. */
  subjectType: string | null
  /** The record that it is about. */
  subjectId: string | null
  /** The whole record. */
  task: Task
}

/** A note was added to a person, company, customer or work record. */
export interface NoteAddedData {
  /** The note. */
  noteId: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** The record that it is about. */
  subjectId: string
  /** The whole record. */
  note: Note
}

/** A call began to ring or was answered. */
export interface CallStartedData {
  /** The call. */
  callId: string
  /** Who called; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** Who was called. E.164, for example +15550100200. */
  to: string
  /** The whole record. */
  call: Call
}

/** The carrier reported delivery. */
export interface SmsDeliveredData {
  /** The text. */
  smsId: string
  /** The message in its thread. */
  messageId: string
  /** The conversation that it is part of. */
  threadId: string | null
  /** The number of yours that it left from. E.164, for example +15550100200. */
  from: string
  /** Who it goes to. E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  /** What it says. */
  body: string
  /** When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  sentAt: string
  /** Who the other side is; found by the number. */
  personId: string | null
  /** The whole record. */
  sms: Sms
}

/** The carrier refused or could not deliver. */
export interface SmsFailedData {
  /** The text. */
  smsId: string
  /** The message in its thread. */
  messageId: string
  /** The conversation that it is part of. */
  threadId: string | null
  /** The number of yours that it left from. E.164, for example +15550100200. */
  from: string
  /** Who it goes to. E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  /** What it says. */
  body: string
  /** When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  sentAt: string
  /** Who the other side is; found by the number. */
  personId: string | null
  /** The whole record. */
  sms: Sms
}

/** The audio of a voicemail came or could not be fetched, or a field of it changed. */
export interface VoicemailUpdatedData {
  /** The voicemail. */
  voicemailId: string
  /** The call in which it was left. */
  callSessionId: string | null
  /** Who left it; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  callerNumber: string | null
  /** What was said, as well as it could be made out. */
  transcript: string | null
  /** Who left it; found by the number unless you say. */
  personId: string | null
  /** Plays without a key for five minutes; null until the audio is there. */
  recordingUrl: string | null
  /** Redirects to a fresh recordingUrl; needs a key and does not expire. */
  recordingApiUrl: string | null
  /** The whole record. */
  voicemail: Voicemail
  /** The fields that changed. */
  changedFields: string[]
}

/** A fact was captured and waits for confirmation. */
export interface FactProposedData {
  /** The fact. */
  factId: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** Whom or what it is about. */
  subjectId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence: number | null
  /** The whole record. */
  fact: Fact
}

/** A proposed fact was rejected. */
export interface FactRejectedData {
  /** The fact. */
  factId: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** Whom or what it is about. */
  subjectId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence: number | null
  /** The whole record. */
  fact: Fact
}

/** A fact gave way to a fresher one. */
export interface FactSupersededData {
  /** The fact. */
  factId: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** Whom or what it is about. */
  subjectId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence: number | null
  /** The whole record. */
  fact: Fact
  /** The fresher fact. */
  supersededById: string
}

/** A call left a draft behind. */
export interface DraftCreatedData {
  /** The draft. */
  draftId: string
  /** The call that it comes from. */
  callSessionId: string
  /** The whole record. */
  draft: Draft
}

/** A draft was rejected. */
export interface DraftRejectedData {
  /** The draft. */
  draftId: string
  /** The call that it comes from. */
  callSessionId: string
  /** The whole record. */
  draft: Draft
  /** Why, in the words of whoever rejected it. */
  reason: string | null
}

/** An approved draft reached an external system. */
export interface DraftSyncedData {
  /** The draft. */
  draftId: string
  /** The call that it comes from. */
  callSessionId: string
  /** The whole record. */
  draft: Draft
}

/** A field of a person changed. */
export interface PersonUpdatedData {
  /** The person. */
  personId: string
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName: string
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Where to write to them; kept in lower case. */
  primaryEmail: string | null
  /** What made them known: a call, a text, a voicemail, a user, a key or an import. */
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  /** The whole record. */
  person: Person
  /** The fields that changed. */
  changedFields: string[]
  /** Each changed field with what it was (`from`) and is (`to`); a large value is told in part, with `$omitted`. */
  changes: Record<string, unknown>
}

/** Two people turned out to be one. */
export interface PersonMergedData {
  /** Who stayed. */
  personId: string
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName: string
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Where to write to them; kept in lower case. */
  primaryEmail: string | null
  /** What made them known: a call, a text, a voicemail, a user, a key or an import. */
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  /** The whole record. */
  person: Person
  /** Who was merged. The id leads to the one who stayed. */
  mergedPersonId: string
  /** As it was. The whole record. */
  mergedPerson: Person
}

/** A merge of two people was undone. */
export interface PersonUnmergedData {
  /** Who is there again. */
  personId: string
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName: string
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Where to write to them; kept in lower case. */
  primaryEmail: string | null
  /** What made them known: a call, a text, a voicemail, a user, a key or an import. */
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  /** The whole record. */
  person: Person
  /** Whom they had been merged into. */
  mergedIntoId: string
}

/** Two customers turned out to be one. */
export interface CustomerMergedData {
  /** The customer that stayed. */
  customerId: string
  /** What it is called. */
  displayName: string
  /** The whole record. */
  customer: Customer
  /** The customer that was merged. The id leads to the one that stayed. */
  mergedCustomerId: string
  /** As it was. The whole record. */
  mergedCustomer: Customer
}

/** A merge of two customers was undone. */
export interface CustomerUnmergedData {
  /** The customer that is there again. */
  customerId: string
  /** What it is called. */
  displayName: string
  /** The whole record. */
  customer: Customer
  /** The customer that it had been merged into. */
  mergedIntoId: string
}

/** A subscription was disabled because its endpoint is gone or keeps failing. */
export interface WebhookDisabledData {
  /** The subscription. */
  subscriptionId: string
  /** What your people call it. */
  name: string
  /** Where its events were posted. */
  url: string
  /** `gone`: the endpoint answered 410. `failing`: nothing but failures for five days. */
  reason: 'gone' | 'failing' | Other
  /** When it was disabled. */
  disabledAt: string
}

/** The data of each event, by its type. */
export interface EventData {
  'call.ended': CallEndedData
  'sms.received': SmsReceivedData
  'sms.sent': SmsSentData
  'voicemail.received': VoicemailReceivedData
  'call.missed': CallMissedData
  'person.created': PersonCreatedData
  'work_record.created': WorkRecordCreatedData
  'work_record.updated': WorkRecordUpdatedData
  'fact.confirmed': FactConfirmedData
  'fact.promoted': FactPromotedData
  'draft.approved': DraftApprovedData
  'signal.fired': SignalFiredData
  'workflow.finished': WorkflowFinishedData
  'appointment.scheduled': AppointmentScheduledData
  'task.created': TaskCreatedData
  'note.added': NoteAddedData
  'call.started': CallStartedData
  'sms.delivered': SmsDeliveredData
  'sms.failed': SmsFailedData
  'voicemail.updated': VoicemailUpdatedData
  'fact.proposed': FactProposedData
  'fact.rejected': FactRejectedData
  'fact.superseded': FactSupersededData
  'draft.created': DraftCreatedData
  'draft.rejected': DraftRejectedData
  'draft.synced': DraftSyncedData
  'person.updated': PersonUpdatedData
  'person.merged': PersonMergedData
  'person.unmerged': PersonUnmergedData
  'customer.merged': CustomerMergedData
  'customer.unmerged': CustomerUnmergedData
  'webhook.disabled': WebhookDisabledData
}

/** The types that this version knows. */
export type EventType = keyof EventData
