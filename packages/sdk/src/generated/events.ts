// The data of every event. Generated from the contract by scripts/generate.mjs; do not edit.
import type {
  Appointment,
  Call,
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
  eventId: string
  occurredAt: string
  organizationId: string
  environment: 'sandbox' | 'production' | Other
  /** Only in an event that would be larger than 256 KiB: the parts of `data` that were left out. */
  omitted?: string[] | undefined
}

/** A live call ended. */
export interface CallEndedData {
  callId: string
  direction: 'inbound' | 'outbound' | Other
  duration: number
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** E.164, for example +15550100200. */
  to: string
  summary: string | null
  transcript: string | null
  recordingUrl: string | null
  facts: Fact[]
  workRecordId: string | null
  status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other
  endReason: string | null
  startedAt: string
  answeredAt: string | null
  endedAt: string
  personId: string | null
  customerId: string | null
  draftId: string | null
  draft: Draft | null
  signals: Signal[]
  transcriptStatus: string
  transcriptTruncated: boolean
}

/** An inbound SMS landed in a thread; once per message. */
export interface SmsReceivedData {
  smsId: string
  messageId: string
  threadId: string | null
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  body: string
  sentAt: string
  personId: string | null
  sms: Sms
}

/** The carrier accepted an outbound SMS. */
export interface SmsSentData {
  smsId: string
  messageId: string
  threadId: string | null
  /** E.164, for example +15550100200. */
  from: string
  /** E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  body: string
  sentAt: string
  personId: string | null
  sms: Sms
}

/** A caller left a voicemail. */
export interface VoicemailReceivedData {
  voicemailId: string
  callSessionId: string | null
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  callerNumber: string | null
  transcript: string | null
  recordingUrl: string | null
  recordingApiUrl: string | null
  personId: string | null
  voicemail: Voicemail
}

/** A call rang unanswered with no voicemail. */
export interface CallMissedData {
  callId: string
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** E.164, for example +15550100200. */
  to: string
  startedAt: string
  endedAt: string
  reason: string
  personId: string | null
  call: Call
}

/** A person came to be, by call, by hand or by API; once per person. */
export interface PersonCreatedData {
  personId: string
  displayName: string
  /** E.164, for example +15550100200. */
  primaryPhone: string | null
  primaryEmail: string | null
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  person: Person
}

/** A work record was created. */
export interface WorkRecordCreatedData {
  workRecordId: string
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
  title: string
  recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other
  status: string
  stage: string
  customerId: string
  workRecord: WorkRecord
}

/** A tracked field of a work record changed. */
export interface WorkRecordUpdatedData {
  workRecordId: string
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
  title: string
  recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other
  status: string
  stage: string
  customerId: string
  workRecord: WorkRecord
  changedFields: string[]
  /** Each changed field with what it was (`from`) and is (`to`); a large value is told in part, with `$omitted`. */
  changes: Record<string, unknown>
}

/** A proposed fact was confirmed, by a threshold or by someone. */
export interface FactConfirmedData {
  factId: string
  subjectType: string
  subjectId: string
  key: string
  value: unknown
  confidence: number | null
  fact: Fact
  confirmedVia: string
  supersededFactIds: string[]
}

/** A fact became a lasting attribute of a person, company or customer. */
export interface FactPromotedData {
  factId: string
  key: string
  value: unknown
  targetSubjectType: 'person' | 'company' | 'customer' | Other
  targetSubjectId: string
  previousValue: unknown
  fact: Fact
}

/** A post-call draft was approved and is ready to sync. */
export interface DraftApprovedData {
  draftId: string
  callSessionId: string
  workRecordId: string
  approvedBy: string | null
  approvedAt: string
  edits: Record<string, unknown>
  draft: Draft
  workRecord: WorkRecord
}

/** A signal fired with enough confidence. */
export interface SignalFiredData {
  signalId: string
  kind: string
  confidence: number
  severity: 'info' | 'warning' | 'critical' | Other
  callSessionId: string | null
  workRecordId: string | null
  firedAt: string
  details: Record<string, unknown>
  signal: Signal
}

/** A workflow run completed. */
export interface WorkflowFinishedData {
  workflowRunId: string
  workflowKey: string
  capturedFields: Record<string, unknown>
  startedAt: string
  finishedAt: string
  workflowRun: WorkflowRun
}

/** An appointment was made, or a work record got its first scheduled start. */
export interface AppointmentScheduledData {
  appointmentId: string | null
  workRecordId: string | null
  title: string
  scheduledStart: string
  scheduledEnd: string | null
  customerId: string | null
  personId: string | null
  origin: 'appointment' | 'work_record' | Other
  appointment?: Appointment | undefined
}

/** A task or follow-up was captured. */
export interface TaskCreatedData {
  taskId: string
  subjectType: string | null
  subjectId: string | null
  task: Task
}

/** A note was added to a person, company, customer or work record. */
export interface NoteAddedData {
  noteId: string
  subjectType: string
  subjectId: string
  note: Note
}

/** A call began to ring or was answered. */
export interface CallStartedData {
  callId: string
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** E.164, for example +15550100200. */
  to: string
  call: Call
}

/** The carrier reported delivery. */
export interface SmsDeliveredData {
  smsId: string
  messageId: string
  threadId: string | null
  /** E.164, for example +15550100200. */
  from: string
  /** E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  body: string
  sentAt: string
  personId: string | null
  sms: Sms
}

/** The carrier refused or could not deliver. */
export interface SmsFailedData {
  smsId: string
  messageId: string
  threadId: string | null
  /** E.164, for example +15550100200. */
  from: string
  /** E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  body: string
  sentAt: string
  personId: string | null
  sms: Sms
}

/** The audio of a voicemail came or could not be fetched, or a field of it changed. */
export interface VoicemailUpdatedData {
  voicemailId: string
  callSessionId: string | null
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  callerNumber: string | null
  transcript: string | null
  recordingUrl: string | null
  recordingApiUrl: string | null
  personId: string | null
  voicemail: Voicemail
  changedFields: string[]
}

/** A fact was captured and waits for confirmation. */
export interface FactProposedData {
  factId: string
  subjectType: string
  subjectId: string
  key: string
  value: unknown
  confidence: number | null
  fact: Fact
}

/** A proposed fact was rejected. */
export interface FactRejectedData {
  factId: string
  subjectType: string
  subjectId: string
  key: string
  value: unknown
  confidence: number | null
  fact: Fact
}

/** A fact gave way to a fresher one. */
export interface FactSupersededData {
  factId: string
  subjectType: string
  subjectId: string
  key: string
  value: unknown
  confidence: number | null
  fact: Fact
  supersededById: string
}

/** A call left a draft behind. */
export interface DraftCreatedData {
  draftId: string
  callSessionId: string
  draft: Draft
}

/** A draft was rejected. */
export interface DraftRejectedData {
  draftId: string
  callSessionId: string
  draft: Draft
  reason: string | null
}

/** An approved draft reached an external system. */
export interface DraftSyncedData {
  draftId: string
  callSessionId: string
  draft: Draft
}

/** A field of a person changed. */
export interface PersonUpdatedData {
  personId: string
  displayName: string
  /** E.164, for example +15550100200. */
  primaryPhone: string | null
  primaryEmail: string | null
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  person: Person
  changedFields: string[]
  /** Each changed field with what it was (`from`) and is (`to`); a large value is told in part, with `$omitted`. */
  changes: Record<string, unknown>
}

/** A subscription was disabled because its endpoint is gone or keeps failing. */
export interface WebhookDisabledData {
  subscriptionId: string
  name: string
  url: string
  reason: 'gone' | 'failing' | Other
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
  'webhook.disabled': WebhookDisabledData
}

/** The types that this version knows. */
export type EventType = keyof EventData
