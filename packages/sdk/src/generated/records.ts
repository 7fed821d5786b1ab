// Records, bodies and filters of every entity. Generated from the contract by scripts/generate.mjs; do not edit.

/** A value that this version of the client does not know yet. Known values still complete in an editor. */
export type Other = string & {}

/** What every list takes. */
export interface PageQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in the searchable fields. */
  q?: string | undefined
  /** Only records created at or after this time. */
  createdSince?: string | Date | undefined
  /** Only records created before this time. */
  createdBefore?: string | Date | undefined
  /** Only records changed at or after this time. */
  updatedSince?: string | Date | undefined
}

/** What a record is called in another system. */
export interface RecordRef {
  /** The other system, in your own word for it. No two records of one kind share `system` and `externalId`. */
  system: string
  /** What the record is called there. */
  externalId: string
  /** Where people find it there. */
  url: string | null
}

/** Where something was said. */
export interface Evidence {
  /** The call in which it was said. */
  callSessionId: string | null
  /** The segment of its transcript. */
  segmentId: string | null
  /** The message in which it was written. */
  messageId: string | null
  /** The words themselves. */
  quote: string
  /** When they began, in milliseconds from the start of the call. */
  startMs: number | null
  /** When they ended, in milliseconds from the start of the call. */
  endMs: number | null
  /** Who said them. */
  speaker: string | null
  /** Where the quote begins in the text of its segment or message. */
  startChar?: number | undefined
  /** Where it ends there; exclusive. */
  endChar?: number | undefined
}

export interface RecordRefBody {
  /** The other system, in your own word for it. No two records of one kind share `system` and `externalId`. */
  system: string
  /** What the record is called there. */
  externalId: string
  /** Where people find it there. */
  url?: string | null | undefined
}

export interface EvidenceBody {
  /** The call in which it was said. */
  callSessionId?: string | null | undefined
  /** The segment of its transcript. */
  segmentId?: string | null | undefined
  /** The message in which it was written. */
  messageId?: string | null | undefined
  /** The words themselves. */
  quote: string
  /** When they began, in milliseconds from the start of the call. */
  startMs?: number | null | undefined
  /** When they ended, in milliseconds from the start of the call. */
  endMs?: number | null | undefined
  /** Who said them. */
  speaker?: string | null | undefined
  /** Where the quote begins in the text of its segment or message. */
  startChar?: number | undefined
  /** Where it ends there; exclusive. */
  endChar?: number | undefined
}

/** One utterance of a call. */
export interface Segment {
  /** Made by Parley; it stays when an interim segment becomes final. */
  id: string
  /** The call in which it was said. */
  callId: string
  /** Its place in the transcript, from 0; yours to number. */
  sequence: number
  /** Who said it. */
  speaker: 'agent' | 'caller' | 'ai' | 'third_party' | 'system' | Other
  /** What was said. */
  text: string
  /** When it began, in milliseconds from the start of the call. */
  startMs: number
  /** When it ended, in milliseconds from the start of the call. */
  endMs: number | null
  /** How sure the recogniser is, from 0 to 1. */
  confidence: number | null
  /** False while the recogniser may still revise it. */
  isFinal: boolean
}

export interface SegmentBody {
  /** Set by Parley; accepted and ignored. */
  id?: string | undefined
  /** Set by Parley; accepted and ignored. */
  callId?: string | undefined
  /** Its place in the transcript, from 0; yours to number. */
  sequence: number
  /** Who said it. */
  speaker: 'agent' | 'caller' | 'ai' | 'third_party' | 'system' | Other
  /** What was said. */
  text: string
  /** When it began, in milliseconds from the start of the call. */
  startMs: number
  /** When it ended, in milliseconds from the start of the call. */
  endMs?: number | null | undefined
  /** How sure the recogniser is, from 0 to 1. */
  confidence?: number | null | undefined
  /** False while the recogniser may still revise it. */
  isFinal?: boolean | undefined
}

/** A fact of a call; its subject follows from the call when it is left out. */
export interface CapturedFact {
  /** What it is about. */
  subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
  /** Whom or what it is about. */
  subjectId?: string | undefined
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** Send `confirmed` with what needs no decision. */
  status?: 'proposed' | 'confirmed' | Other | undefined
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence?: number | null | undefined
  /** Where it was learned. */
  source?: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other | undefined
  /** The call in which it was said. */
  sourceCallSessionId?: string | null | undefined
  /** The message in which it was written. */
  sourceMessageId?: string | null | undefined
  /** When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
  observedAt?: string | Date | undefined
  /** What captured it, such as the name of a model. */
  extractor?: string | null | undefined
  /** Where exactly it was said. */
  evidence?: EvidenceBody[] | undefined
  /** Why whoever captured it thinks so. */
  rationale?: string | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** A draft that is sent with the end of its call. */
export interface CapturedDraft {
  /** Which kind of work is proposed. */
  canonicalKind?:
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
    | null
    | undefined
  /** What the work would be called. */
  title?: string | null | undefined
  /** What was asked for; it becomes the description of the work record. */
  summary?: string | null | undefined
  /** What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`. */
  payload?: Record<string, unknown> | undefined
  /** The customer that the work is for. */
  customerId?: string | null | undefined
  /** Who asked for it. */
  personId?: string | null | undefined
  /** How sure whoever proposed it is, from 0 to 1. */
  confidence?: number | null | undefined
  /** The facts that it rests on. */
  factIds?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

export interface CallEnd {
  /** When it ended. Now, unless you say otherwise. */
  endedAt?: string | Date | null | undefined
  /** How many seconds were talked; reckoned from `answeredAt` unless you say. */
  duration?: number | null | undefined
  /** How the call went, over everything else that is known of it; kept as the outcome of a call that has none yet. */
  outcome?: 'answered' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other | null | undefined
  /** Why it ended, such as `caller_hangup`, `no_answer` or `busy`. */
  endReason?: string | null | undefined
  /** What was said and agreed, in a few sentences. */
  summary?: string | null | undefined
  /** All that was said: one text of `Speaker: text` lines, taken if no segments came, or segments. */
  transcript?: string | SegmentBody[] | undefined
  /** Where your telephony keeps the recording. */
  recordingUrl?: string | null | undefined
  /** What was learned. The subject is the work record of the call, else its person, unless a fact names another. */
  facts?:
    | {
        /** What it is about. */
        subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
        /** Whom or what it is about. */
        subjectId?: string | undefined
        /** What was learned, such as `preferred_time`. A new key makes its own definition. */
        key: string
        /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
        value: unknown
        /** Send `confirmed` with what needs no decision. */
        status?: 'proposed' | 'confirmed' | Other | undefined
        /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
        confidence?: number | null | undefined
        /** Where it was learned. */
        source?: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other | undefined
        /** The call in which it was said. */
        sourceCallSessionId?: string | null | undefined
        /** The message in which it was written. */
        sourceMessageId?: string | null | undefined
        /** When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
        observedAt?: string | Date | undefined
        /** What captured it, such as the name of a model. */
        extractor?: string | null | undefined
        /** Where exactly it was said. */
        evidence?: EvidenceBody[] | undefined
        /** Why whoever captured it thinks so. */
        rationale?: string | null | undefined
        /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
        externalRefs?: RecordRefBody[] | undefined
      }[]
    | undefined
  /** The work that was asked for; it goes to review at once. */
  draft?:
    | {
        /** Which kind of work is proposed. */
        canonicalKind?:
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
          | null
          | undefined
        /** What the work would be called. */
        title?: string | null | undefined
        /** What was asked for; it becomes the description of the work record. */
        summary?: string | null | undefined
        /** What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`. */
        payload?: Record<string, unknown> | undefined
        /** The customer that the work is for. */
        customerId?: string | null | undefined
        /** Who asked for it. */
        personId?: string | null | undefined
        /** How sure whoever proposed it is, from 0 to 1. */
        confidence?: number | null | undefined
        /** The facts that it rests on. */
        factIds?: string[] | undefined
        /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
        externalRefs?: RecordRefBody[] | undefined
      }
    | null
    | undefined
  /** What was noticed. */
  signals?:
    | {
        /** What was detected: the `key` of a signal definition, or a word of your own. */
        kind: string
        /** How sure the detection is, from 0 to 1. At or over the threshold it fires a signal. */
        confidence: number
        /** The definition of its kind, where there is one. */
        signalDefinitionId?: string | null | undefined
        /** The call in which it was detected. */
        callSessionId?: string | null | undefined
        /** The message in which it was detected. */
        messageId?: string | null | undefined
        /** Whom it concerns. */
        personId?: string | null | undefined
        /** The work that it concerns. */
        workRecordId?: string | null | undefined
        /** When it was detected. Now, unless you say otherwise. */
        detectedAt?: string | Date | undefined
        /** Whatever else was detected. */
        details?: Record<string, unknown> | undefined
        /** Where exactly it showed. */
        evidence?: EvidenceBody[] | undefined
        /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
        externalRefs?: RecordRefBody[] | undefined
      }[]
    | undefined
}

/** All there is to see of a call at one moment; `revision` rises with every change of it. */
export interface CallSurface {
  /** The call that it shows. */
  callId: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The moment that it shows. */
  asOf: string
  /** Rises with every change of the call or of what hangs on it; also the `ETag`. */
  revision: number
  /** Whether the call still runs. */
  live: boolean
  /** The call itself. */
  call: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** `inbound` came to you, `outbound` you made. */
    direction: 'inbound' | 'outbound' | Other
    /** How far it came. A status that ends the call does all that `POST /calls/{id}/end` does. */
    status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other
    /** Why it ended, such as `caller_hangup`, `no_answer`, `busy`, `transferred` or `timeout`. */
    endReason: string | null
    /** Who called; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
    from: string | null
    /** Who was called. E.164, for example +15550100200. */
    to: string
    /** The name that the carrier or the caller gave. */
    callerName: string | null
    /** The number of yours that it came to or left from. */
    phoneNumberId: string | null
    /** Who the other side is. Found by the number, or made, unless you say. */
    personId: string | null
    /** The customer that it concerns. */
    customerId: string | null
    /** The work that it concerns; set when its draft is approved. */
    workRecordId: string | null
    /** Who talks on your side; `none` until somebody does. */
    handledBy: {
      /** Whether a person or a machine talks. */
      type: 'human' | 'ai' | 'none' | Other
      /** The user who talks. */
      userId: string | null
      /** What whoever talks is called. */
      agentName: string | null
    }
    /** When it began to ring. Now, unless you say otherwise. */
    startedAt: string
    /** When it was answered; null while it was not. */
    answeredAt: string | null
    /** When it ended; null while it runs. */
    endedAt: string | null
    /** How many seconds were talked. */
    duration: number
    /** What was said and agreed, in a few sentences. */
    summary: string | null
    /** The mood of the caller, in a word of your own such as `neutral`. */
    sentiment: string | null
    /** What came of it, in a word of your own such as `booked`. */
    outcome: string | null
    /** Where your telephony keeps the recording, as it said. */
    recordingUrl: string | null
    /** Whether there is a recording; where one could not be fetched, `metadata.recordingError` says why. */
    recordingStatus: 'none' | 'pending' | 'available' | Other
    /** The voicemail that was left instead of a talk. */
    voicemailId: string | null
    /** Whether there is a transcript, or one is growing. */
    transcriptStatus: 'none' | 'live' | 'available' | Other
    /** How many segments the whole transcript has. */
    transcriptSegmentCount: number
    /** Your telephony, in your own word for it. */
    provider: string
    /** What your telephony calls it. A second report with the same one updates this call. */
    providerCallId: string | null
    /** Whatever else your systems want to keep with it. */
    metadata: Record<string, unknown>
    /** When Parley first stored it. */
    createdAt: string
    /** When it last changed. */
    updatedAt: string
    /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
    version: number
  }
  /** Who the other side is. */
  person: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
    displayName: string
    /** The name in their papers. */
    legalName: string | null
    /** Where to write to them; kept in lower case. */
    primaryEmail: string | null
    /** Where to call and text them. E.164, for example +15550100200. */
    primaryPhone: string | null
    /** The customer that they belong to. */
    customerId: string | null
    /** When Parley first stored it. */
    createdAt: string
    /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
    version: number
  } | null
  /** The customer that it concerns. */
  customer: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** What to call it. Made from its person or company until somebody sets it. */
    displayName: string
    /** Whether it is somebody or a business. */
    customerType: 'individual' | 'business' | Other
    /** How it stands with you. Yours to set; nothing follows from it. */
    status: 'active' | 'inactive' | 'prospect' | 'blocked' | Other
    /** When Parley first stored it. */
    createdAt: string
    /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
    version: number
  } | null
  /** The work that it concerns. */
  workRecord: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** The number that people quote. It rises; there may be gaps. */
    number: string
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
    /** How soon it matters. */
    priority: 'low' | 'normal' | 'high' | 'urgent' | Other
    /** The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
    customerId: string
    /** When Parley first stored it. */
    createdAt: string
    /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
    version: number
  } | null
  /** The work that is being asked for. */
  draft: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** The call that it comes from. */
    callSessionId: string
    /** Where it stands. The actions `submit`, `approve`, `reject`, `reopen` and `synced` move it. */
    status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'synced' | Other
    /** Which kind of work is proposed. */
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
      | null
    /** What the work would be called. */
    title: string | null
    /** What was asked for; it becomes the description of the work record. */
    summary: string | null
    /** What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`. */
    payload: Record<string, unknown>
    /** Which of the required fields of this kind of work nothing says yet. It advises and refuses nothing. */
    missingFields: string[]
    /** The facts that it rests on. */
    factIds: string[]
    /** The work record that its approval made. */
    workRecordId: string | null
    /** When Parley first stored it. */
    createdAt: string
    /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
    version: number
  } | null
  /** What that work needs to know, and what is known of it. */
  draftFields: {
    /** Which field it is. */
    key: string
    /** What people call it. */
    label: string
    /** What it says; null where nothing is known. */
    value: unknown
    /** Whether work of this kind needs it. */
    required: boolean
    /** What says it: the draft itself or a fact. */
    source: 'draft' | 'fact' | 'none' | Other
    /** The fact that says it. */
    factId: string | null
    /** How sure that is, from 0 to 1. */
    confidence: number | null
    /** How settled it is. */
    state: 'missing' | 'proposed' | 'confirmed' | 'promoted' | 'approved' | Other
  }[]
  /** What was learned, newest first. */
  facts: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** What it is about. */
    subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
    /** Whom or what it is about. */
    subjectId: string
    /** What was learned, such as `preferred_time`. A new key makes its own definition. */
    key: string
    /** What the key is called among people, from its definition. */
    label: string | null
    /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
    value: unknown
    /** The type that the value had when it was captured. */
    valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
    /** Whether it counts. Send `confirmed` with what needs no decision; the actions move it later. */
    status: 'proposed' | 'confirmed' | 'rejected' | 'promoted' | 'superseded' | Other
    /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
    confidence: number | null
    /** When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
    observedAt: string
    /** Where exactly it was said. */
    evidence: Evidence[]
    /** When Parley first stored it. */
    createdAt: string
    /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
    version: number
  }[]
  /** What was noticed, newest first. */
  signals: {
    /** Made by Parley; later records have greater ids. */
    id: string
    /** What was noticed: the `key` of a signal definition, or a word of your own. */
    kind: string
    /** How sure whoever noticed it is, from 0 to 1. */
    confidence: number
    /** How much it matters, from its definition. */
    severity: 'info' | 'warning' | 'critical' | Other
    /** When it fired. */
    firedAt: string
    /** Whatever else was noticed. */
    details: Record<string, unknown>
    /** Where exactly it showed. */
    evidence: Evidence[]
    /** When Parley first stored it. */
    createdAt: string
  }[]
  /** What is being said. */
  transcript: {
    /** Whether there is a transcript, or one is growing. */
    status: 'none' | 'live' | 'available' | Other
    /** How many segments it has. */
    segmentCount: number
    /** The `sequence` of the last one. */
    lastSequence: number | null
    /** The last segments. */
    tail: Segment[]
    /** Where all of it is read. */
    segmentsUrl: string
    /** Where it is followed. */
    streamUrl: string
  }
  /** What was said, in short. */
  summary: {
    /** What was said and agreed, in a few sentences. */
    text: string | null
    /** Whether it is there; `pending` while the call runs. */
    status: 'none' | 'pending' | 'available' | Other
  }
  /** The recording of the call. */
  recording: {
    /** Whether it is there. */
    status: 'none' | 'pending' | 'available' | Other
    /** Where it is played. */
    url: string | null
  }
  /** What has happened in the call, oldest first. */
  events: {
    /** The `eventId` of the event. */
    id: string
    /** Its type. */
    type: string
    /** When it happened. */
    at: string
    /** What it tells, as in a webhook. */
    data: Record<string, unknown>
  }[]
}

/** Someone the organization talks to. */
export interface Person {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName: string
  /** Nobody set `displayName`: it follows the other names, as after null. Sending the stored name back sets nothing. Null in an older record until the upgrade has come to it. */
  displayNameDerived: boolean | null
  /** The name in their papers. */
  legalName: string | null
  /** Their given name. */
  firstName: string | null
  /** Their family name. */
  lastName: string | null
  /** Where to write to them; kept in lower case. */
  primaryEmail: string | null
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** The customer that they belong to. */
  customerId: string | null
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields: Record<string, unknown>
  /** What made them known: a call, a text, a voicemail, a user, a key or an import. */
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new person. */
export interface PersonCreate {
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName?: string | null | undefined
  /** The name in their papers. */
  legalName?: string | null | undefined
  /** Their given name. */
  firstName?: string | null | undefined
  /** Their family name. */
  lastName?: string | null | undefined
  /** Where to write to them; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** The customer that they belong to. */
  customerId?: string | null | undefined
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a person may say: what is left out stays as it is. */
export interface PersonUpdate {
  /** What to call them. Made from the other names, the e-mail address or the number until somebody sets it. */
  displayName?: string | null | undefined
  /** The name in their papers. */
  legalName?: string | null | undefined
  /** Their given name. */
  firstName?: string | null | undefined
  /** Their family name. */
  lastName?: string | null | undefined
  /** Where to write to them; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call and text them. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** The customer that they belong to. */
  customerId?: string | null | undefined
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of people takes. */
export interface PersonQuery extends PageQuery {
  /** Only records with this `customerId`. The customer that they belong to. */
  customerId?: string | undefined
  /** Only records with this `primaryPhone`. Where to call and text them. E.164, for example +15550100200. */
  primaryPhone?: string | undefined
  /** Only records with this `primaryEmail`. Where to write to them; kept in lower case. */
  primaryEmail?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A unit of work: a job, a matter, a repair order, a claim. */
export interface WorkRecord {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The number that people quote. It rises; there may be gaps. */
  number: string
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
  /** What is to be done, in full. */
  description: string | null
  /** Where it stands for every organization alike. Completing, canceling and reopening set the times below. */
  recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other
  /** Why it is blocked or canceled. */
  stateReason: string | null
  /** Where it stands in your own words; the default is that of its kind. */
  status: string
  /** How far it came in your own words; the default is that of its kind. */
  stage: string
  /** How soon it matters. */
  priority: 'low' | 'normal' | 'high' | 'urgent' | Other
  /** What made it. Send `import` to bring in old work in any state, with its times. */
  source: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  /** The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
  customerId: string
  /** Whom to talk to about it. */
  primaryPersonId: string | null
  /** The company that it is for. */
  primaryCompanyId: string | null
  /** Where the work is. */
  primaryLocationId: string | null
  /** The user who does it. */
  assignedToId: string | null
  /** The call in which it was asked for. */
  sourceCallSessionId: string | null
  /** The draft whose approval made it. */
  draftId: string | null
  /** The fields that your organization has for this kind of work; checked by its `fieldSchema`. */
  structuredFieldsJson: Record<string, unknown>
  /** Your own words to find it by. */
  tags: string[]
  /** When it was asked for. */
  requestedAt: string | null
  /** When it should be done. */
  dueAt: string | null
  /** When the work is to begin. */
  scheduledStart: string | null
  /** When the work is to end. */
  scheduledEnd: string | null
  /** When it was done. */
  completedAt: string | null
  /** When it was done or canceled. */
  closedAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new work record. */
export interface WorkRecordCreate {
  /** What kind of work it is. It must be enabled, and never changes. */
  canonicalKind?:
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
    | undefined
  /** What is to be done, in a line. */
  title: string
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** Where it stands for every organization alike. Completing, canceling and reopening set the times below. */
  recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | undefined
  /** Why it is blocked or canceled. */
  stateReason?: string | null | undefined
  /** Where it stands in your own words; the default is that of its kind. */
  status?: string | undefined
  /** How far it came in your own words; the default is that of its kind. */
  stage?: string | undefined
  /** How soon it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  /** What made it. Send `import` to bring in old work in any state, with its times. */
  source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | undefined
  /** The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
  customerId?: string | undefined
  /** Whom to talk to about it. */
  primaryPersonId?: string | null | undefined
  /** The company that it is for. */
  primaryCompanyId?: string | null | undefined
  /** Where the work is. */
  primaryLocationId?: string | null | undefined
  /** The user who does it. */
  assignedToId?: string | null | undefined
  /** The call in which it was asked for. */
  sourceCallSessionId?: string | null | undefined
  /** The fields that your organization has for this kind of work; checked by its `fieldSchema`. */
  structuredFieldsJson?: Record<string, unknown> | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** When it was asked for. */
  requestedAt?: string | Date | null | undefined
  /** When it should be done. */
  dueAt?: string | Date | null | undefined
  /** When the work is to begin. */
  scheduledStart?: string | Date | null | undefined
  /** When the work is to end. */
  scheduledEnd?: string | Date | null | undefined
  /** When it was done. */
  completedAt?: string | Date | null | undefined
  /** When it was done or canceled. */
  closedAt?: string | Date | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
  /** Another name of `canonicalKind`. */
  kind?:
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
    | undefined
  /** Another name of `primaryPersonId`. */
  personId?: string | null | undefined
}

/** What a change of a work record may say: what is left out stays as it is. */
export interface WorkRecordUpdate {
  /** What kind of work it is. It must be enabled, and never changes. */
  canonicalKind?:
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
    | undefined
  /** What is to be done, in a line. */
  title?: string | undefined
  /** What is to be done, in full. */
  description?: string | null | undefined
  /** Where it stands for every organization alike. Completing, canceling and reopening set the times below. */
  recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | undefined
  /** Why it is blocked or canceled. */
  stateReason?: string | null | undefined
  /** Where it stands in your own words; the default is that of its kind. */
  status?: string | undefined
  /** How far it came in your own words; the default is that of its kind. */
  stage?: string | undefined
  /** How soon it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  /** What made it. Send `import` to bring in old work in any state, with its times. */
  source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | undefined
  /** The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
  customerId?: string | undefined
  /** Whom to talk to about it. */
  primaryPersonId?: string | null | undefined
  /** The company that it is for. */
  primaryCompanyId?: string | null | undefined
  /** Where the work is. */
  primaryLocationId?: string | null | undefined
  /** The user who does it. */
  assignedToId?: string | null | undefined
  /** The call in which it was asked for. */
  sourceCallSessionId?: string | null | undefined
  /** The fields that your organization has for this kind of work; checked by its `fieldSchema`. */
  structuredFieldsJson?: Record<string, unknown> | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** When it was asked for. */
  requestedAt?: string | Date | null | undefined
  /** When it should be done. */
  dueAt?: string | Date | null | undefined
  /** When the work is to begin. */
  scheduledStart?: string | Date | null | undefined
  /** When the work is to end. */
  scheduledEnd?: string | Date | null | undefined
  /** When it was done. */
  completedAt?: string | Date | null | undefined
  /** When it was done or canceled. */
  closedAt?: string | Date | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of work records takes. */
export interface WorkRecordQuery extends PageQuery {
  /** Only records with this `kind`. What kind of work it is. It must be enabled, and never changes. */
  kind?:
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
    | undefined
  /** Only records with this `status`. Where it stands in your own words; the default is that of its kind. */
  status?: string | undefined
  /** Only records with this `stage`. How far it came in your own words; the default is that of its kind. */
  stage?: string | undefined
  /** Only records with this `recordState`. Where it stands for every organization alike. Completing, canceling and reopening set the times below. */
  recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | undefined
  /** Only records with this `priority`. How soon it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  /** Only records with this `source`. What made it. Send `import` to bring in old work in any state, with its times. */
  source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | undefined
  /** Only records with this `customerId`. The customer that it is for. Left out, it is that of the person, who becomes one if need be. */
  customerId?: string | undefined
  /** Only records with this `primaryPersonId`. Whom to talk to about it. */
  primaryPersonId?: string | undefined
  /** Only records with this `assignedToId`. The user who does it. */
  assignedToId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?:
    | 'dueAt'
    | '-dueAt'
    | 'scheduledStart'
    | '-scheduledStart'
    | 'createdAt'
    | '-createdAt'
    | 'updatedAt'
    | '-updatedAt'
    | undefined
  /** Only records with `dueAt` at or after this time. */
  dueAtFrom?: string | Date | undefined
  /** Only records with `dueAt` before this time. */
  dueAtBefore?: string | Date | undefined
  /** Only records with `scheduledStart` at or after this time. */
  scheduledStartFrom?: string | Date | undefined
  /** Only records with `scheduledStart` before this time. */
  scheduledStartBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A person or organization in some relation to the business: lead, customer, vendor, partner. */
export interface Party {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** Whether it is somebody or an organization. */
  partyType: 'person' | 'organization' | Other
  /** What to call it. Made from the other names until somebody sets it; one of them is needed. */
  displayName: string
  /** Nobody set `displayName`: it follows the other names, as after null. Sending the stored name back sets nothing. Null in an older record until the upgrade has come to it. */
  displayNameDerived: boolean | null
  /** Given name of a person. */
  firstName: string | null
  /** Family name of a person. */
  lastName: string | null
  /** Name of an organization. */
  orgName: string | null
  /** How it stands to the business. */
  lifecycleStage:
    | 'lead'
    | 'prospect'
    | 'customer'
    | 'former_customer'
    | 'vendor'
    | 'partner'
    | 'employee'
    | 'other'
    | Other
  /** The person that it is. */
  personId: string | null
  /** The company that it is. */
  companyId: string | null
  /** Where to write to it; kept in lower case. */
  primaryEmail: string | null
  /** Where to call and text it. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Your own words to find it by. */
  tags: string[]
  /** Your own fields. */
  customFields: Record<string, unknown>
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new party. */
export interface PartyCreate {
  /** Whether it is somebody or an organization. */
  partyType: 'person' | 'organization' | Other
  /** What to call it. Made from the other names until somebody sets it; one of them is needed. */
  displayName?: string | null | undefined
  /** Given name of a person. */
  firstName?: string | null | undefined
  /** Family name of a person. */
  lastName?: string | null | undefined
  /** Name of an organization. */
  orgName?: string | null | undefined
  /** How it stands to the business. */
  lifecycleStage?:
    | 'lead'
    | 'prospect'
    | 'customer'
    | 'former_customer'
    | 'vendor'
    | 'partner'
    | 'employee'
    | 'other'
    | Other
    | undefined
  /** The person that it is. */
  personId?: string | null | undefined
  /** The company that it is. */
  companyId?: string | null | undefined
  /** Where to write to it; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call and text it. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** Your own fields. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a party may say: what is left out stays as it is. */
export interface PartyUpdate {
  /** Whether it is somebody or an organization. */
  partyType?: 'person' | 'organization' | Other | undefined
  /** What to call it. Made from the other names until somebody sets it; one of them is needed. */
  displayName?: string | null | undefined
  /** Given name of a person. */
  firstName?: string | null | undefined
  /** Family name of a person. */
  lastName?: string | null | undefined
  /** Name of an organization. */
  orgName?: string | null | undefined
  /** How it stands to the business. */
  lifecycleStage?:
    | 'lead'
    | 'prospect'
    | 'customer'
    | 'former_customer'
    | 'vendor'
    | 'partner'
    | 'employee'
    | 'other'
    | Other
    | undefined
  /** The person that it is. */
  personId?: string | null | undefined
  /** The company that it is. */
  companyId?: string | null | undefined
  /** Where to write to it; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call and text it. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** Your own fields. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of parties takes. */
export interface PartyQuery extends PageQuery {
  /** Only records with this `partyType`. Whether it is somebody or an organization. */
  partyType?: 'person' | 'organization' | Other | undefined
  /** Only records with this `lifecycleStage`. How it stands to the business. */
  lifecycleStage?:
    | 'lead'
    | 'prospect'
    | 'customer'
    | 'former_customer'
    | 'vendor'
    | 'partner'
    | 'employee'
    | 'other'
    | Other
    | undefined
  /** Only records with this `personId`. The person that it is. */
  personId?: string | undefined
  /** Only records with this `companyId`. The company that it is. */
  companyId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** An account that work is done for. */
export interface Customer {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What to call it. Made from its person or company until somebody sets it. */
  displayName: string
  /** Nobody set `displayName`: it follows the other names, as after null. Sending the stored name back sets nothing. Null in an older record until the upgrade has come to it. */
  displayNameDerived: boolean | null
  /** Whether it is somebody or a business. */
  customerType: 'individual' | 'business' | Other
  /** How it stands with you. Yours to set; nothing follows from it. */
  status: 'active' | 'inactive' | 'prospect' | 'blocked' | Other
  /** Its number in your books. No two customers share one. */
  customerNumber: string | null
  /** The party that it is. */
  partyId: string | null
  /** Whom to talk to. */
  primaryPersonId: string | null
  /** The company behind it. */
  primaryCompanyId: string | null
  /** Where the work usually is. */
  primaryLocationId: string | null
  /** Where to write to it; kept in lower case. */
  primaryEmail: string | null
  /** Where to call and text it. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Your own words to find it by. */
  tags: string[]
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields: Record<string, unknown>
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new customer. */
export interface CustomerCreate {
  /** What to call it. Made from its person or company until somebody sets it. */
  displayName?: string | null | undefined
  /** Whether it is somebody or a business. */
  customerType?: 'individual' | 'business' | Other | undefined
  /** How it stands with you. Yours to set; nothing follows from it. */
  status?: 'active' | 'inactive' | 'prospect' | 'blocked' | Other | undefined
  /** Its number in your books. No two customers share one. */
  customerNumber?: string | null | undefined
  /** The party that it is. */
  partyId?: string | null | undefined
  /** Whom to talk to. */
  primaryPersonId?: string | null | undefined
  /** The company behind it. */
  primaryCompanyId?: string | null | undefined
  /** Where the work usually is. */
  primaryLocationId?: string | null | undefined
  /** Where to write to it; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call and text it. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
  /** Another name of `displayName`. */
  name?: string | undefined
}

/** What a change of a customer may say: what is left out stays as it is. */
export interface CustomerUpdate {
  /** What to call it. Made from its person or company until somebody sets it. */
  displayName?: string | null | undefined
  /** Whether it is somebody or a business. */
  customerType?: 'individual' | 'business' | Other | undefined
  /** How it stands with you. Yours to set; nothing follows from it. */
  status?: 'active' | 'inactive' | 'prospect' | 'blocked' | Other | undefined
  /** Its number in your books. No two customers share one. */
  customerNumber?: string | null | undefined
  /** The party that it is. */
  partyId?: string | null | undefined
  /** Whom to talk to. */
  primaryPersonId?: string | null | undefined
  /** The company behind it. */
  primaryCompanyId?: string | null | undefined
  /** Where the work usually is. */
  primaryLocationId?: string | null | undefined
  /** Where to write to it; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call and text it. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of customers takes. */
export interface CustomerQuery extends PageQuery {
  /** Only records with this `status`. How it stands with you. Yours to set; nothing follows from it. */
  status?: 'active' | 'inactive' | 'prospect' | 'blocked' | Other | undefined
  /** Only records with this `customerType`. Whether it is somebody or a business. */
  customerType?: 'individual' | 'business' | Other | undefined
  /** Only records with this `customerNumber`. Its number in your books. No two customers share one. */
  customerNumber?: string | undefined
  /** Only records with this `primaryPersonId`. Whom to talk to. */
  primaryPersonId?: string | undefined
  /** Only records with this `primaryCompanyId`. The company behind it. */
  primaryCompanyId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A business the organization deals with. */
export interface Company {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What it is called. */
  name: string
  /** The name in its papers. */
  legalName: string | null
  /** Its domain, such as `example.com`. */
  domain: string | null
  /** What it does. */
  industry: string | null
  /** Where to write to it; kept in lower case. */
  primaryEmail: string | null
  /** Where to call it. E.164, for example +15550100200. */
  primaryPhone: string | null
  /** Its web site. */
  website: string | null
  /** The customer that it belongs to. */
  customerId: string | null
  /** Where it is. */
  primaryLocationId: string | null
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields: Record<string, unknown>
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new company. */
export interface CompanyCreate {
  /** What it is called. */
  name?: string | undefined
  /** The name in its papers. */
  legalName?: string | null | undefined
  /** Its domain, such as `example.com`. */
  domain?: string | null | undefined
  /** What it does. */
  industry?: string | null | undefined
  /** Where to write to it; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call it. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** Its web site. */
  website?: string | null | undefined
  /** The customer that it belongs to. */
  customerId?: string | null | undefined
  /** Where it is. */
  primaryLocationId?: string | null | undefined
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
  /** Another name of `name`. */
  displayName?: string | undefined
}

/** What a change of a company may say: what is left out stays as it is. */
export interface CompanyUpdate {
  /** What it is called. */
  name?: string | undefined
  /** The name in its papers. */
  legalName?: string | null | undefined
  /** Its domain, such as `example.com`. */
  domain?: string | null | undefined
  /** What it does. */
  industry?: string | null | undefined
  /** Where to write to it; kept in lower case. */
  primaryEmail?: string | null | undefined
  /** Where to call it. E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  /** Its web site. */
  website?: string | null | undefined
  /** The customer that it belongs to. */
  customerId?: string | null | undefined
  /** Where it is. */
  primaryLocationId?: string | null | undefined
  /** Your own fields. Facts that are promoted are kept here too. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of companies takes. */
export interface CompanyQuery extends PageQuery {
  /** Only records with this `domain`. Its domain, such as `example.com`. */
  domain?: string | undefined
  /** Only records with this `customerId`. The customer that it belongs to. */
  customerId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A place where work is done or mail goes. */
export interface Location {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What people call the place. */
  label: string | null
  /** The whole address in one text. This, `addressLine1` or `geo` is needed. */
  formattedAddress: string | null
  /** Street and number. */
  addressLine1: string | null
  /** Floor, flat, or whatever else belongs to the address. */
  addressLine2: string | null
  /** City or town. */
  city: string | null
  /** State, province or county. */
  region: string | null
  /** Postal or ZIP code. */
  postalCode: string | null
  /** Which country it is in. ISO 3166-1 alpha-2 code. */
  country: string | null
  /** Where it is on the map. */
  geo: {
    /** Degrees north. */
    lat: number
    /** Degrees east. */
    lng: number
  } | null
  /** Its time zone, such as `America/Los_Angeles`. */
  timezone: string | null
  /** What happens there. */
  locationType: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other
  /** How to get in: gate codes, dogs, where to park. */
  accessNotes: string | null
  /** The customer whose place it is. */
  customerId: string | null
  /** The company whose place it is. */
  companyId: string | null
  /** The one to use unless another is named. */
  isPrimary: boolean
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new location. */
export interface LocationCreate {
  /** What people call the place. */
  label?: string | null | undefined
  /** The whole address in one text. This, `addressLine1` or `geo` is needed. */
  formattedAddress?: string | null | undefined
  /** Street and number. */
  addressLine1?: string | null | undefined
  /** Floor, flat, or whatever else belongs to the address. */
  addressLine2?: string | null | undefined
  /** City or town. */
  city?: string | null | undefined
  /** State, province or county. */
  region?: string | null | undefined
  /** Postal or ZIP code. */
  postalCode?: string | null | undefined
  /** Which country it is in. ISO 3166-1 alpha-2 code. */
  country?: string | null | undefined
  /** Where it is on the map. */
  geo?:
    | {
        /** Degrees north. */
        lat: number
        /** Degrees east. */
        lng: number
      }
    | null
    | undefined
  /** Its time zone, such as `America/Los_Angeles`. */
  timezone?: string | null | undefined
  /** What happens there. */
  locationType?: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other | undefined
  /** How to get in: gate codes, dogs, where to park. */
  accessNotes?: string | null | undefined
  /** The customer whose place it is. */
  customerId?: string | null | undefined
  /** The company whose place it is. */
  companyId?: string | null | undefined
  /** The one to use unless another is named. */
  isPrimary?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a location may say: what is left out stays as it is. */
export interface LocationUpdate {
  /** What people call the place. */
  label?: string | null | undefined
  /** The whole address in one text. This, `addressLine1` or `geo` is needed. */
  formattedAddress?: string | null | undefined
  /** Street and number. */
  addressLine1?: string | null | undefined
  /** Floor, flat, or whatever else belongs to the address. */
  addressLine2?: string | null | undefined
  /** City or town. */
  city?: string | null | undefined
  /** State, province or county. */
  region?: string | null | undefined
  /** Postal or ZIP code. */
  postalCode?: string | null | undefined
  /** Which country it is in. ISO 3166-1 alpha-2 code. */
  country?: string | null | undefined
  /** Where it is on the map. */
  geo?:
    | {
        /** Degrees north. */
        lat?: number | undefined
        /** Degrees east. */
        lng?: number | undefined
      }
    | null
    | undefined
  /** Its time zone, such as `America/Los_Angeles`. */
  timezone?: string | null | undefined
  /** What happens there. */
  locationType?: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other | undefined
  /** How to get in: gate codes, dogs, where to park. */
  accessNotes?: string | null | undefined
  /** The customer whose place it is. */
  customerId?: string | null | undefined
  /** The company whose place it is. */
  companyId?: string | null | undefined
  /** The one to use unless another is named. */
  isPrimary?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of locations takes. */
export interface LocationQuery extends PageQuery {
  /** Only records with this `customerId`. The customer whose place it is. */
  customerId?: string | undefined
  /** Only records with this `companyId`. The company whose place it is. */
  companyId?: string | undefined
  /** Only records with this `locationType`. What happens there. */
  locationType?: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** One way to reach someone, with what they have agreed to. */
export interface ContactMethod {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** How they are reached. */
  channel: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other
  /** The number, address or handle, as people write it. */
  value: string
  /** The same in the form that look-ups use: E.164, or lower case. */
  normalizedValue: string
  /** Which one it is, such as `Mobile` or `Office`. */
  label: string | null
  /** The one to try first. */
  isPrimary: boolean
  /** Somebody has checked that it works. */
  isVerified: boolean
  /** What kind of record it belongs to. */
  ownerType: 'party' | 'person' | 'company' | 'customer' | Other | null
  /** Whose it is. */
  ownerId: string | null
  /** Whether they agreed to texts. STOP and START set it; nothing is sent to who has opted out. */
  optInStatus: 'unknown' | 'opted_in' | 'opted_out' | Other
  /** They asked not to be called. Yours to honour; Parley calls nobody. */
  doNotCall: boolean
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new contact method. */
export interface ContactMethodCreate {
  /** How they are reached. */
  channel: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other
  /** The number, address or handle, as people write it. */
  value: string
  /** Which one it is, such as `Mobile` or `Office`. */
  label?: string | null | undefined
  /** The one to try first. */
  isPrimary?: boolean | undefined
  /** Somebody has checked that it works. */
  isVerified?: boolean | undefined
  /** What kind of record it belongs to. */
  ownerType?: 'party' | 'person' | 'company' | 'customer' | Other | null | undefined
  /** Whose it is. */
  ownerId?: string | null | undefined
  /** Whether they agreed to texts. STOP and START set it; nothing is sent to who has opted out. */
  optInStatus?: 'unknown' | 'opted_in' | 'opted_out' | Other | undefined
  /** They asked not to be called. Yours to honour; Parley calls nobody. */
  doNotCall?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a contact method may say: what is left out stays as it is. */
export interface ContactMethodUpdate {
  /** How they are reached. */
  channel?: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other | undefined
  /** The number, address or handle, as people write it. */
  value?: string | undefined
  /** Which one it is, such as `Mobile` or `Office`. */
  label?: string | null | undefined
  /** The one to try first. */
  isPrimary?: boolean | undefined
  /** Somebody has checked that it works. */
  isVerified?: boolean | undefined
  /** What kind of record it belongs to. */
  ownerType?: 'party' | 'person' | 'company' | 'customer' | Other | null | undefined
  /** Whose it is. */
  ownerId?: string | null | undefined
  /** Whether they agreed to texts. STOP and START set it; nothing is sent to who has opted out. */
  optInStatus?: 'unknown' | 'opted_in' | 'opted_out' | Other | undefined
  /** They asked not to be called. Yours to honour; Parley calls nobody. */
  doNotCall?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of contact methods takes. */
export interface ContactMethodQuery extends PageQuery {
  /** Only records with this `channel`. How they are reached. */
  channel?: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other | undefined
  /** Only records with this `normalizedValue`. The same in the form that look-ups use: E.164, or lower case. */
  normalizedValue?: string | undefined
  /** Only records with this `ownerType`. What kind of record it belongs to. */
  ownerType?: 'party' | 'person' | 'company' | 'customer' | Other | undefined
  /** Only records with this `ownerId`. Whose it is. */
  ownerId?: string | undefined
  /** Only records with this `optInStatus`. Whether they agreed to texts. STOP and START set it; nothing is sent to who has opted out. */
  optInStatus?: 'unknown' | 'opted_in' | 'opted_out' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** An estimate, invoice, payment or other amount, in minor units. */
export interface MoneyRecord {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What kind of amount it is. */
  recordType: 'estimate' | 'quote' | 'invoice' | 'payment' | 'deposit' | 'refund' | 'credit' | 'fee' | 'other' | Other
  /** The amount in minor units: 18500 is 185.00 dollars. */
  amountCents: number
  /** Its currency; the organization's `settings.currency` unless you say. ISO 4217 code. */
  currency: string
  /** Whether it was paid. */
  status: 'open' | 'draft' | 'partially_paid' | 'paid' | 'void' | 'uncollectible' | 'refunded' | 'failed' | Other
  /** Its number in your books. */
  number: string | null
  /** What it is for. */
  description: string | null
  /** When it was issued. */
  issuedAt: string | null
  /** When it is to be paid. */
  dueAt: string | null
  /** When it was paid. */
  paidAt: string | null
  /** The customer who pays or is paid. */
  customerId: string | null
  /** The work that it is for. */
  workRecordId: string | null
  /** Whom to talk to about it. */
  personId: string | null
  /** What it is made of. Parley does not add it up. */
  lineItems: {
    /** What was done or sold. */
    description: string
    /** How much of it. */
    quantity: number
    /** What one of it costs, in minor units. */
    unitAmountCents: number
    /** What all of it costs, in minor units. */
    amountCents: number
  }[]
  /** Your own fields. */
  customFields: Record<string, unknown>
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new money record. */
export interface MoneyRecordCreate {
  /** What kind of amount it is. */
  recordType: 'estimate' | 'quote' | 'invoice' | 'payment' | 'deposit' | 'refund' | 'credit' | 'fee' | 'other' | Other
  /** The amount in minor units: 18500 is 185.00 dollars. */
  amountCents: number
  /** Its currency; the organization's `settings.currency` unless you say. ISO 4217 code. */
  currency?: string | undefined
  /** Whether it was paid. */
  status?:
    | 'open'
    | 'draft'
    | 'partially_paid'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | 'refunded'
    | 'failed'
    | Other
    | undefined
  /** Its number in your books. */
  number?: string | null | undefined
  /** What it is for. */
  description?: string | null | undefined
  /** When it was issued. */
  issuedAt?: string | Date | null | undefined
  /** When it is to be paid. */
  dueAt?: string | Date | null | undefined
  /** When it was paid. */
  paidAt?: string | Date | null | undefined
  /** The customer who pays or is paid. */
  customerId?: string | null | undefined
  /** The work that it is for. */
  workRecordId?: string | null | undefined
  /** Whom to talk to about it. */
  personId?: string | null | undefined
  /** What it is made of. Parley does not add it up. */
  lineItems?:
    | {
        /** What was done or sold. */
        description: string
        /** How much of it. */
        quantity: number
        /** What one of it costs, in minor units. */
        unitAmountCents: number
        /** What all of it costs, in minor units. */
        amountCents: number
      }[]
    | undefined
  /** Your own fields. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a money record may say: what is left out stays as it is. */
export interface MoneyRecordUpdate {
  /** What kind of amount it is. */
  recordType?:
    | 'estimate'
    | 'quote'
    | 'invoice'
    | 'payment'
    | 'deposit'
    | 'refund'
    | 'credit'
    | 'fee'
    | 'other'
    | Other
    | undefined
  /** The amount in minor units: 18500 is 185.00 dollars. */
  amountCents?: number | undefined
  /** Its currency; the organization's `settings.currency` unless you say. ISO 4217 code. */
  currency?: string | undefined
  /** Whether it was paid. */
  status?:
    | 'open'
    | 'draft'
    | 'partially_paid'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | 'refunded'
    | 'failed'
    | Other
    | undefined
  /** Its number in your books. */
  number?: string | null | undefined
  /** What it is for. */
  description?: string | null | undefined
  /** When it was issued. */
  issuedAt?: string | Date | null | undefined
  /** When it is to be paid. */
  dueAt?: string | Date | null | undefined
  /** When it was paid. */
  paidAt?: string | Date | null | undefined
  /** The customer who pays or is paid. */
  customerId?: string | null | undefined
  /** The work that it is for. */
  workRecordId?: string | null | undefined
  /** Whom to talk to about it. */
  personId?: string | null | undefined
  /** What it is made of. Parley does not add it up. */
  lineItems?:
    | {
        /** What was done or sold. */
        description: string
        /** How much of it. */
        quantity: number
        /** What one of it costs, in minor units. */
        unitAmountCents: number
        /** What all of it costs, in minor units. */
        amountCents: number
      }[]
    | undefined
  /** Your own fields. */
  customFields?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of money records takes. */
export interface MoneyRecordQuery extends PageQuery {
  /** Only records with this `recordType`. What kind of amount it is. */
  recordType?:
    | 'estimate'
    | 'quote'
    | 'invoice'
    | 'payment'
    | 'deposit'
    | 'refund'
    | 'credit'
    | 'fee'
    | 'other'
    | Other
    | undefined
  /** Only records with this `status`. Whether it was paid. */
  status?:
    | 'open'
    | 'draft'
    | 'partially_paid'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | 'refunded'
    | 'failed'
    | Other
    | undefined
  /** Only records with this `customerId`. The customer who pays or is paid. */
  customerId?: string | undefined
  /** Only records with this `workRecordId`. The work that it is for. */
  workRecordId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'dueAt' | '-dueAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `dueAt` at or after this time. */
  dueAtFrom?: string | Date | undefined
  /** Only records with `dueAt` before this time. */
  dueAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A thread with one participant on one channel. */
export interface Conversation {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** Where the talk runs. */
  channel: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other
  /** Who began it: `inbound` is the other side. */
  direction: 'inbound' | 'outbound' | Other | null
  /** Whether it still needs somebody. An inbound message opens it again. */
  status: 'open' | 'pending' | 'snoozed' | 'closed' | Other
  /** What it is about, such as the subject of the mail. */
  subject: string | null
  /** The other side: a phone number or an e-mail address. */
  participantAddress: string | null
  /** Your side: the number or address that they wrote to or called. */
  ourAddress: string | null
  /** The number of yours that it runs over. */
  phoneNumberId: string | null
  /** Who the other side is. */
  personId: string | null
  /** The customer that it concerns. */
  customerId: string | null
  /** The work that it concerns. */
  workRecordId: string | null
  /** The user who takes care of it. */
  assignedToId: string | null
  /** When it began. Now, unless you say otherwise. */
  startedAt: string
  /** When the latest message came or went. */
  lastMessageAt: string | null
  /** How many messages it has. */
  messageCount: number
  /** The beginning of the latest message. */
  lastMessagePreview: string | null
  /** What was said so far, in a few sentences. */
  summary: string | null
  /** Your own words to find it by. */
  tags: string[]
  /** Texts and mails that came in and nobody of your organization has read; calls and voicemails do not count. Send 0 when they were read, with `If-Match` so that none is missed that came meanwhile. */
  unreadCount: number
  /** Whether there are any. */
  isUnread: boolean
  /** When somebody read the last of them. */
  lastReadAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new conversation. */
export interface ConversationCreate {
  /** Where the talk runs. */
  channel: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other
  /** Who began it: `inbound` is the other side. */
  direction?: 'inbound' | 'outbound' | Other | null | undefined
  /** Whether it still needs somebody. An inbound message opens it again. */
  status?: 'open' | 'pending' | 'snoozed' | 'closed' | Other | undefined
  /** What it is about, such as the subject of the mail. */
  subject?: string | null | undefined
  /** The other side: a phone number or an e-mail address. */
  participantAddress?: string | null | undefined
  /** Your side: the number or address that they wrote to or called. */
  ourAddress?: string | null | undefined
  /** The number of yours that it runs over. */
  phoneNumberId?: string | null | undefined
  /** Who the other side is. */
  personId?: string | null | undefined
  /** The customer that it concerns. */
  customerId?: string | null | undefined
  /** The work that it concerns. */
  workRecordId?: string | null | undefined
  /** The user who takes care of it. */
  assignedToId?: string | null | undefined
  /** When it began. Now, unless you say otherwise. */
  startedAt?: string | Date | undefined
  /** When the latest message came or went. */
  lastMessageAt?: string | Date | null | undefined
  /** What was said so far, in a few sentences. */
  summary?: string | null | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** Texts and mails that came in and nobody of your organization has read; calls and voicemails do not count. Send 0 when they were read, with `If-Match` so that none is missed that came meanwhile. */
  unreadCount?: number | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a conversation may say: what is left out stays as it is. */
export interface ConversationUpdate {
  /** Where the talk runs. */
  channel?: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other | undefined
  /** Who began it: `inbound` is the other side. */
  direction?: 'inbound' | 'outbound' | Other | null | undefined
  /** Whether it still needs somebody. An inbound message opens it again. */
  status?: 'open' | 'pending' | 'snoozed' | 'closed' | Other | undefined
  /** What it is about, such as the subject of the mail. */
  subject?: string | null | undefined
  /** The other side: a phone number or an e-mail address. */
  participantAddress?: string | null | undefined
  /** Your side: the number or address that they wrote to or called. */
  ourAddress?: string | null | undefined
  /** The number of yours that it runs over. */
  phoneNumberId?: string | null | undefined
  /** Who the other side is. */
  personId?: string | null | undefined
  /** The customer that it concerns. */
  customerId?: string | null | undefined
  /** The work that it concerns. */
  workRecordId?: string | null | undefined
  /** The user who takes care of it. */
  assignedToId?: string | null | undefined
  /** When it began. Now, unless you say otherwise. */
  startedAt?: string | Date | undefined
  /** When the latest message came or went. */
  lastMessageAt?: string | Date | null | undefined
  /** What was said so far, in a few sentences. */
  summary?: string | null | undefined
  /** Your own words to find it by. */
  tags?: string[] | undefined
  /** Texts and mails that came in and nobody of your organization has read; calls and voicemails do not count. Send 0 when they were read, with `If-Match` so that none is missed that came meanwhile. */
  unreadCount?: number | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of conversations takes. */
export interface ConversationQuery extends PageQuery {
  /** Only records with this `channel`. Where the talk runs. */
  channel?: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other | undefined
  /** Only records with this `status`. Whether it still needs somebody. An inbound message opens it again. */
  status?: 'open' | 'pending' | 'snoozed' | 'closed' | Other | undefined
  /** Only records with this `personId`. Who the other side is. */
  personId?: string | undefined
  /** Only records with this `customerId`. The customer that it concerns. */
  customerId?: string | undefined
  /** Only records with this `assignedToId`. The user who takes care of it. */
  assignedToId?: string | undefined
  /** Only records with this `isUnread`. Whether there are any. */
  isUnread?: boolean | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'lastMessageAt' | '-lastMessageAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `lastMessageAt` at or after this time. */
  lastMessageAtFrom?: string | Date | undefined
  /** Only records with `lastMessageAt` before this time. */
  lastMessageAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A connection to another system. Its credentials are encrypted and never read back. */
export interface IntegrationConnection {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** Whose system it is. For the `providers` of `GET /schema`, config and credentials are checked. */
  provider: string
  /** What your people call it. */
  name: string
  /** What it is used for. Texts go out over an `active` one of kind `telephony`. */
  kind: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other
  /** Whether it is used. Yours to set; a check makes it `active` or `error`, unless it is paused or revoked. */
  status: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other
  /** Settings that are no secret. */
  config: Record<string, unknown>
  /** Which credentials are stored, with their last characters. */
  credentialsPreview: string | null
  /** What last went wrong with it. */
  lastError: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
  /** Addresses to paste into the provider, by kind; empty for a provider that sends nothing. */
  inboundUrls: Record<string, unknown>
}

/** What makes a new integration connection. */
export interface IntegrationConnectionCreate {
  /** Whose system it is. For the `providers` of `GET /schema`, config and credentials are checked. */
  provider: string
  /** What your people call it. */
  name: string
  /** What it is used for. Texts go out over an `active` one of kind `telephony`. */
  kind?: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other | undefined
  /** Whether it is used. Yours to set; a check makes it `active` or `error`, unless it is paused or revoked. */
  status?: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other | undefined
  /** Settings that are no secret. */
  config?: Record<string, unknown> | undefined
  /** Keys and passwords. Encrypted, and never read back. */
  credentials?: Record<string, unknown> | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a integration connection may say: what is left out stays as it is. */
export interface IntegrationConnectionUpdate {
  /** Whose system it is. For the `providers` of `GET /schema`, config and credentials are checked. */
  provider?: string | undefined
  /** What your people call it. */
  name?: string | undefined
  /** What it is used for. Texts go out over an `active` one of kind `telephony`. */
  kind?: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other | undefined
  /** Whether it is used. Yours to set; a check makes it `active` or `error`, unless it is paused or revoked. */
  status?: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other | undefined
  /** Settings that are no secret. */
  config?: Record<string, unknown> | undefined
  /** Keys and passwords. Encrypted, and never read back. */
  credentials?: Record<string, unknown> | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of integration connections takes. */
export interface IntegrationConnectionQuery extends PageQuery {
  /** Only records with this `provider`. Whose system it is. For the `providers` of `GET /schema`, config and credentials are checked. */
  provider?: string | undefined
  /** Only records with this `kind`. What it is used for. Texts go out over an `active` one of kind `telephony`. */
  kind?: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other | undefined
  /** Only records with this `status`. Whether it is used. Yours to set; a check makes it `active` or `error`, unless it is paused or revoked. */
  status?: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** What a record is called in another system. */
export interface ExternalRef {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What kind of record it names, such as `person`. */
  entityType: string
  /** The record that it names. */
  entityId: string
  /** The other system, in your own word for it. No two records of one kind share `system` and `externalId`. */
  system: string
  /** What the record is called there. */
  externalId: string
  /** Where people find it there. */
  url: string | null
  /** The one to show first. */
  isPrimary: boolean
  /** Whatever else your systems want to keep with it. */
  metadata: Record<string, unknown>
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new external ref. */
export interface ExternalRefCreate {
  /** What kind of record it names, such as `person`. */
  entityType: string
  /** The record that it names. */
  entityId: string
  /** The other system, in your own word for it. No two records of one kind share `system` and `externalId`. */
  system: string
  /** What the record is called there. */
  externalId: string
  /** Where people find it there. */
  url?: string | null | undefined
  /** The one to show first. */
  isPrimary?: boolean | undefined
  /** Whatever else your systems want to keep with it. */
  metadata?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a external ref may say: what is left out stays as it is. */
export interface ExternalRefUpdate {
  /** What kind of record it names, such as `person`. */
  entityType?: string | undefined
  /** The record that it names. */
  entityId?: string | undefined
  /** The other system, in your own word for it. No two records of one kind share `system` and `externalId`. */
  system?: string | undefined
  /** What the record is called there. */
  externalId?: string | undefined
  /** Where people find it there. */
  url?: string | null | undefined
  /** The one to show first. */
  isPrimary?: boolean | undefined
  /** Whatever else your systems want to keep with it. */
  metadata?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of external references takes. */
export interface ExternalRefQuery extends PageQuery {
  /** Only records with this `entityType`. What kind of record it names, such as `person`. */
  entityType?: string | undefined
  /** Only records with this `entityId`. The record that it names. */
  entityId?: string | undefined
  /** Only records with this `system`. The other system, in your own word for it. No two records of one kind share `system` and `externalId`. */
  system?: string | undefined
  /** Only records with this `externalId`. What the record is called there. */
  externalId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** The persistent value of a custom field on a record, with where it came from. */
export interface FieldValue {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What kind of record it belongs to, such as `person`. */
  entityType: string
  /** The record that it belongs to. */
  entityId: string
  /** Which field it is. */
  key: string
  /** What the field says, in any JSON. */
  value: unknown
  /** Where the value came from. */
  source: 'api' | 'fact' | 'human' | 'integration' | 'import' | Other
  /** The fact that was promoted to it. */
  sourceFactId: string | null
  /** How sure its source is, from 0 to 1. */
  confidence: number | null
  /** No fact may be promoted over it. */
  locked: boolean
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new field value. */
export interface FieldValueCreate {
  /** What kind of record it belongs to, such as `person`. */
  entityType: string
  /** The record that it belongs to. */
  entityId: string
  /** Which field it is. */
  key: string
  /** What the field says, in any JSON. */
  value: unknown
  /** Where the value came from. */
  source?: 'api' | 'fact' | 'human' | 'integration' | 'import' | Other | undefined
  /** The fact that was promoted to it. */
  sourceFactId?: string | null | undefined
  /** How sure its source is, from 0 to 1. */
  confidence?: number | null | undefined
  /** No fact may be promoted over it. */
  locked?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a field value may say: what is left out stays as it is. */
export interface FieldValueUpdate {
  /** What kind of record it belongs to, such as `person`. */
  entityType?: string | undefined
  /** The record that it belongs to. */
  entityId?: string | undefined
  /** Which field it is. */
  key?: string | undefined
  /** What the field says, in any JSON. */
  value?: unknown | undefined
  /** Where the value came from. */
  source?: 'api' | 'fact' | 'human' | 'integration' | 'import' | Other | undefined
  /** The fact that was promoted to it. */
  sourceFactId?: string | null | undefined
  /** How sure its source is, from 0 to 1. */
  confidence?: number | null | undefined
  /** No fact may be promoted over it. */
  locked?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of field values takes. */
export interface FieldValueQuery extends PageQuery {
  /** Only records with this `entityType`. What kind of record it belongs to, such as `person`. */
  entityType?: string | undefined
  /** Only records with this `entityId`. The record that it belongs to. */
  entityId?: string | undefined
  /** Only records with this `key`. Which field it is. */
  key?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** One change of one field: what it was, what it became, who did it. */
export interface FieldHistoryEntry {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What kind of record changed. */
  entityType: string
  /** The record that changed. */
  entityId: string
  /** The field that changed; null where the whole record was made or deleted. */
  field: string | null
  /** What it said before. Whole up to 8 KiB. Of a larger object the keys that changed, of a larger text its `start`, with `$omitted`. */
  previousValue: unknown
  /** What it said then. Whole up to 8 KiB. Of a larger object the keys that changed, of a larger text its `start`, with `$omitted`. */
  newValue: unknown
  /** What happened to it. At a `merge`, `previousValue` is what the record that was merged said where the two differed. */
  changeType: 'create' | 'update' | 'delete' | 'promote' | 'merge' | 'unmerge' | Other
  /** What brought the change, such as `api` or `fact`. */
  source: string
  /** Who changed it. */
  actor: {
    /** `key`, `user` or `system`. */
    type: string
    /** The key or the user. */
    id: string | null
  }
  /** The fact that was promoted. */
  sourceFactId: string | null
  /** The `x-request-id` of the request that changed it. */
  requestId: string | null
  /** When it changed. */
  changedAt: string
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What the list of field history takes. */
export interface FieldHistoryEntryQuery extends PageQuery {
  /** Only records with this `entityType`. What kind of record changed. */
  entityType?: string | undefined
  /** Only records with this `entityId`. The record that changed. */
  entityId?: string | undefined
  /** Only records with this `field`. The field that changed; null where the whole record was made or deleted. */
  field?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A kind of signal: how severe it is and how sure we must be before it fires. */
export interface SignalDefinition {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The `kind` of its signals. Posting a known key updates its definition. */
  key: string
  /** What people call it. Made from the key unless you say. */
  label: string
  /** When it is meant to fire, for people and models that detect it. */
  description: string | null
  /** How much such a signal matters. */
  severity: 'info' | 'warning' | 'critical' | Other
  /** Detections at least this sure fire; null: as `settings.signalFireThreshold` says. */
  fireThreshold: number | null
  /** False: detections are kept, and nothing fires. */
  enabled: boolean
  /** What callers say when it is the case; the extractor fires it on any of them that is not negated. */
  phrases: string[]
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new signal definition. */
export interface SignalDefinitionCreate {
  /** The `kind` of its signals. Posting a known key updates its definition. */
  key: string
  /** What people call it. Made from the key unless you say. */
  label?: string | undefined
  /** When it is meant to fire, for people and models that detect it. */
  description?: string | null | undefined
  /** How much such a signal matters. */
  severity?: 'info' | 'warning' | 'critical' | Other | undefined
  /** Detections at least this sure fire; null: as `settings.signalFireThreshold` says. */
  fireThreshold?: number | null | undefined
  /** False: detections are kept, and nothing fires. */
  enabled?: boolean | undefined
  /** What callers say when it is the case; the extractor fires it on any of them that is not negated. */
  phrases?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a signal definition may say: what is left out stays as it is. */
export interface SignalDefinitionUpdate {
  /** The `kind` of its signals. Posting a known key updates its definition. */
  key?: string | undefined
  /** What people call it. Made from the key unless you say. */
  label?: string | undefined
  /** When it is meant to fire, for people and models that detect it. */
  description?: string | null | undefined
  /** How much such a signal matters. */
  severity?: 'info' | 'warning' | 'critical' | Other | undefined
  /** Detections at least this sure fire; null: as `settings.signalFireThreshold` says. */
  fireThreshold?: number | null | undefined
  /** False: detections are kept, and nothing fires. */
  enabled?: boolean | undefined
  /** What callers say when it is the case; the extractor fires it on any of them that is not negated. */
  phrases?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of signal definitions takes. */
export interface SignalDefinitionQuery extends PageQuery {
  /** Only records with this `key`. The `kind` of its signals. Posting a known key updates its definition. */
  key?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** Every raw detection of a signal, whether or not it was sure enough to fire. */
export interface SignalEvent {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What was detected: the `key` of a signal definition, or a word of your own. */
  kind: string
  /** How sure the detection is, from 0 to 1. At or over the threshold it fires a signal. */
  confidence: number
  /** The definition of its kind, where there is one. */
  signalDefinitionId: string | null
  /** The call in which it was detected. */
  callSessionId: string | null
  /** The message in which it was detected. */
  messageId: string | null
  /** Whom it concerns. */
  personId: string | null
  /** The work that it concerns. */
  workRecordId: string | null
  /** When it was detected. Now, unless you say otherwise. */
  detectedAt: string
  /** Whatever else was detected. */
  details: Record<string, unknown>
  /** Where exactly it showed. */
  evidence: Evidence[]
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new signal event. */
export interface SignalEventCreate {
  /** What was detected: the `key` of a signal definition, or a word of your own. */
  kind: string
  /** How sure the detection is, from 0 to 1. At or over the threshold it fires a signal. */
  confidence: number
  /** The definition of its kind, where there is one. */
  signalDefinitionId?: string | null | undefined
  /** The call in which it was detected. */
  callSessionId?: string | null | undefined
  /** The message in which it was detected. */
  messageId?: string | null | undefined
  /** Whom it concerns. */
  personId?: string | null | undefined
  /** The work that it concerns. */
  workRecordId?: string | null | undefined
  /** When it was detected. Now, unless you say otherwise. */
  detectedAt?: string | Date | undefined
  /** Whatever else was detected. */
  details?: Record<string, unknown> | undefined
  /** Where exactly it showed. */
  evidence?: EvidenceBody[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of signal events takes. */
export interface SignalEventQuery extends PageQuery {
  /** Only records with this `kind`. What was detected: the `key` of a signal definition, or a word of your own. */
  kind?: string | undefined
  /** Only records with this `callSessionId`. The call in which it was detected. */
  callSessionId?: string | undefined
  /** Only records with this `workRecordId`. The work that it concerns. */
  workRecordId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** Which kinds of work the organization does, with their defaults and fields. */
export interface WorkTypeDefinition {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The kind of work that it defines; one definition for each. */
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
  /** What your people call such work. */
  label: string
  /** Whether such work can be made. */
  enabled: boolean
  /** The `status` that such work begins with. */
  defaultStatus: string
  /** The `stage` that such work begins with. */
  defaultStage: string
  /** The words for `status` that you use. They advise and refuse nothing. */
  statuses: string[]
  /** The words for `stage` that you use, in order. They advise and refuse nothing. */
  stages: string[]
  /** What `structuredFieldsJson` of such work must look like, in a subset of JSON Schema. `title` is what people call a field; forms show fields in the order of `properties`. */
  fieldSchema: Record<string, unknown> | null
  /** What must be known before such work can begin; a draft lists what of it is missing. */
  requiredFields: string[]
  /** Words that callers use for such work: the extractor tells the kind of a draft by these and the label. */
  hints: string[]
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new work type definition. */
export interface WorkTypeDefinitionCreate {
  /** The kind of work that it defines; one definition for each. */
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
  /** What your people call such work. */
  label?: string | undefined
  /** Whether such work can be made. */
  enabled?: boolean | undefined
  /** The `status` that such work begins with. */
  defaultStatus?: string | undefined
  /** The `stage` that such work begins with. */
  defaultStage?: string | undefined
  /** The words for `status` that you use. They advise and refuse nothing. */
  statuses?: string[] | undefined
  /** The words for `stage` that you use, in order. They advise and refuse nothing. */
  stages?: string[] | undefined
  /** What `structuredFieldsJson` of such work must look like, in a subset of JSON Schema. `title` is what people call a field; forms show fields in the order of `properties`. */
  fieldSchema?: Record<string, unknown> | null | undefined
  /** What must be known before such work can begin; a draft lists what of it is missing. */
  requiredFields?: string[] | undefined
  /** Words that callers use for such work: the extractor tells the kind of a draft by these and the label. */
  hints?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a work type definition may say: what is left out stays as it is. */
export interface WorkTypeDefinitionUpdate {
  /** The kind of work that it defines; one definition for each. */
  canonicalKind?:
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
    | undefined
  /** What your people call such work. */
  label?: string | undefined
  /** Whether such work can be made. */
  enabled?: boolean | undefined
  /** The `status` that such work begins with. */
  defaultStatus?: string | undefined
  /** The `stage` that such work begins with. */
  defaultStage?: string | undefined
  /** The words for `status` that you use. They advise and refuse nothing. */
  statuses?: string[] | undefined
  /** The words for `stage` that you use, in order. They advise and refuse nothing. */
  stages?: string[] | undefined
  /** What `structuredFieldsJson` of such work must look like, in a subset of JSON Schema. `title` is what people call a field; forms show fields in the order of `properties`. */
  fieldSchema?: Record<string, unknown> | null | undefined
  /** What must be known before such work can begin; a draft lists what of it is missing. */
  requiredFields?: string[] | undefined
  /** Words that callers use for such work: the extractor tells the kind of a draft by these and the label. */
  hints?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of work-type definitions takes. */
export interface WorkTypeDefinitionQuery extends PageQuery {
  /** Only records with this `canonicalKind`. The kind of work that it defines; one definition for each. */
  canonicalKind?:
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
    | undefined
  /** Only records with this `enabled`. Whether such work can be made. */
  enabled?: boolean | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** Something to do, often promised on a call. */
export interface Task {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What is to be done. */
  title: string
  /** More about it. */
  description: string | null
  /** Whether it is done. */
  status: 'open' | 'in_progress' | 'done' | 'canceled' | Other
  /** When it should be done. */
  dueAt: string | null
  /** How soon it matters. */
  priority: 'low' | 'normal' | 'high' | 'urgent' | Other
  /** The user who does it. */
  assignedToId: string | null
  /** What kind of record it is about, such as `person`. */
  subjectType: string | null
  /** The record that it is about. */
  subjectId: string | null
  /** The work that it is part of. */
  workRecordId: string | null
  /** Whom it concerns. */
  personId: string | null
  /** The customer that it concerns. */
  customerId: string | null
  /** The call in which it was promised. */
  sourceCallSessionId: string | null
  /** What made it, in a word such as `api`, `call` or `manual`. */
  source: string
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new task. */
export interface TaskCreate {
  /** What is to be done. */
  title: string
  /** More about it. */
  description?: string | null | undefined
  /** Whether it is done. */
  status?: 'open' | 'in_progress' | 'done' | 'canceled' | Other | undefined
  /** When it should be done. */
  dueAt?: string | Date | null | undefined
  /** How soon it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  /** The user who does it. */
  assignedToId?: string | null | undefined
  /** What kind of record it is about, such as `person`. */
  subjectType?: string | null | undefined
  /** The record that it is about. */
  subjectId?: string | null | undefined
  /** The work that it is part of. */
  workRecordId?: string | null | undefined
  /** Whom it concerns. */
  personId?: string | null | undefined
  /** The customer that it concerns. */
  customerId?: string | null | undefined
  /** The call in which it was promised. */
  sourceCallSessionId?: string | null | undefined
  /** What made it, in a word such as `api`, `call` or `manual`. */
  source?: string | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a task may say: what is left out stays as it is. */
export interface TaskUpdate {
  /** What is to be done. */
  title?: string | undefined
  /** More about it. */
  description?: string | null | undefined
  /** Whether it is done. */
  status?: 'open' | 'in_progress' | 'done' | 'canceled' | Other | undefined
  /** When it should be done. */
  dueAt?: string | Date | null | undefined
  /** How soon it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  /** The user who does it. */
  assignedToId?: string | null | undefined
  /** What kind of record it is about, such as `person`. */
  subjectType?: string | null | undefined
  /** The record that it is about. */
  subjectId?: string | null | undefined
  /** The work that it is part of. */
  workRecordId?: string | null | undefined
  /** Whom it concerns. */
  personId?: string | null | undefined
  /** The customer that it concerns. */
  customerId?: string | null | undefined
  /** The call in which it was promised. */
  sourceCallSessionId?: string | null | undefined
  /** What made it, in a word such as `api`, `call` or `manual`. */
  source?: string | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of tasks takes. */
export interface TaskQuery extends PageQuery {
  /** Only records with this `status`. Whether it is done. */
  status?: 'open' | 'in_progress' | 'done' | 'canceled' | Other | undefined
  /** Only records with this `priority`. How soon it matters. */
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  /** Only records with this `assignedToId`. The user who does it. */
  assignedToId?: string | undefined
  /** Only records with this `workRecordId`. The work that it is part of. */
  workRecordId?: string | undefined
  /** Only records with this `personId`. Whom it concerns. */
  personId?: string | undefined
  /** Only records with this `customerId`. The customer that it concerns. */
  customerId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'dueAt' | '-dueAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `dueAt` at or after this time. */
  dueAtFrom?: string | Date | undefined
  /** Only records with `dueAt` before this time. */
  dueAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** Free text about a person, company, customer or work record. */
export interface Note {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What it says. */
  body: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** The record that it is about. */
  subjectId: string
  /** The user who wrote it. */
  authorId: string | null
  /** The call during which it was written. */
  callSessionId: string | null
  /** Shown before the others. */
  pinned: boolean
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new note. */
export interface NoteCreate {
  /** What it says. */
  body: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** The record that it is about. */
  subjectId: string
  /** The user who wrote it. */
  authorId?: string | null | undefined
  /** The call during which it was written. */
  callSessionId?: string | null | undefined
  /** Shown before the others. */
  pinned?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a note may say: what is left out stays as it is. */
export interface NoteUpdate {
  /** What it says. */
  body?: string | undefined
  /** What it is about. */
  subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
  /** The record that it is about. */
  subjectId?: string | undefined
  /** The user who wrote it. */
  authorId?: string | null | undefined
  /** The call during which it was written. */
  callSessionId?: string | null | undefined
  /** Shown before the others. */
  pinned?: boolean | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of notes takes. */
export interface NoteQuery extends PageQuery {
  /** Only records with this `subjectType`. What it is about. */
  subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
  /** Only records with this `subjectId`. The record that it is about. */
  subjectId?: string | undefined
  /** Only records with this `callSessionId`. The call during which it was written. */
  callSessionId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A time at which something was agreed to happen. */
export interface Appointment {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What is to happen. */
  title: string
  /** When it begins. */
  startAt: string
  /** When it ends. */
  endAt: string | null
  /** The time zone in which it was agreed, such as `America/Los_Angeles`. */
  timezone: string | null
  /** Whether it will happen, has happened or did not. */
  status: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other
  /** The work that it is for. */
  workRecordId: string | null
  /** The customer that it is with. */
  customerId: string | null
  /** Whom it is with. */
  personId: string | null
  /** Where it is. */
  locationId: string | null
  /** The call in which it was agreed. */
  sourceCallSessionId: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new appointment. */
export interface AppointmentCreate {
  /** What is to happen. */
  title: string
  /** When it begins. */
  startAt: string | Date
  /** When it ends. */
  endAt?: string | Date | null | undefined
  /** The time zone in which it was agreed, such as `America/Los_Angeles`. */
  timezone?: string | null | undefined
  /** Whether it will happen, has happened or did not. */
  status?: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other | undefined
  /** The work that it is for. */
  workRecordId?: string | null | undefined
  /** The customer that it is with. */
  customerId?: string | null | undefined
  /** Whom it is with. */
  personId?: string | null | undefined
  /** Where it is. */
  locationId?: string | null | undefined
  /** The call in which it was agreed. */
  sourceCallSessionId?: string | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a appointment may say: what is left out stays as it is. */
export interface AppointmentUpdate {
  /** What is to happen. */
  title?: string | undefined
  /** When it begins. */
  startAt?: string | Date | undefined
  /** When it ends. */
  endAt?: string | Date | null | undefined
  /** The time zone in which it was agreed, such as `America/Los_Angeles`. */
  timezone?: string | null | undefined
  /** Whether it will happen, has happened or did not. */
  status?: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other | undefined
  /** The work that it is for. */
  workRecordId?: string | null | undefined
  /** The customer that it is with. */
  customerId?: string | null | undefined
  /** Whom it is with. */
  personId?: string | null | undefined
  /** Where it is. */
  locationId?: string | null | undefined
  /** The call in which it was agreed. */
  sourceCallSessionId?: string | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of appointments takes. */
export interface AppointmentQuery extends PageQuery {
  /** Only records with this `status`. Whether it will happen, has happened or did not. */
  status?: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other | undefined
  /** Only records with this `workRecordId`. The work that it is for. */
  workRecordId?: string | undefined
  /** Only records with this `customerId`. The customer that it is with. */
  customerId?: string | undefined
  /** Only records with this `personId`. Whom it is with. */
  personId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'startAt' | '-startAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `startAt` at or after this time. */
  startAtFrom?: string | Date | undefined
  /** Only records with `startAt` before this time. */
  startAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** One run of an automated workflow and what it captured. */
export interface WorkflowRun {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** Which workflow ran, in your own word for it. */
  workflowKey: string
  /** How it went. `completed` fires `workflow.finished`. */
  status: 'running' | 'completed' | 'failed' | 'canceled' | Other
  /** The call that it ran for. */
  callSessionId: string | null
  /** The work that it ran for. */
  workRecordId: string | null
  /** Whom it ran for. */
  personId: string | null
  /** What it captured. */
  capturedFields: Record<string, unknown>
  /** When it began. Now, unless you say otherwise. */
  startedAt: string
  /** When it came to its end. */
  finishedAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new workflow run. */
export interface WorkflowRunCreate {
  /** Which workflow ran, in your own word for it. */
  workflowKey: string
  /** How it went. `completed` fires `workflow.finished`. */
  status?: 'running' | 'completed' | 'failed' | 'canceled' | Other | undefined
  /** The call that it ran for. */
  callSessionId?: string | null | undefined
  /** The work that it ran for. */
  workRecordId?: string | null | undefined
  /** Whom it ran for. */
  personId?: string | null | undefined
  /** What it captured. */
  capturedFields?: Record<string, unknown> | undefined
  /** When it began. Now, unless you say otherwise. */
  startedAt?: string | Date | undefined
  /** When it came to its end. */
  finishedAt?: string | Date | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a workflow run may say: what is left out stays as it is. */
export interface WorkflowRunUpdate {
  /** Which workflow ran, in your own word for it. */
  workflowKey?: string | undefined
  /** How it went. `completed` fires `workflow.finished`. */
  status?: 'running' | 'completed' | 'failed' | 'canceled' | Other | undefined
  /** The call that it ran for. */
  callSessionId?: string | null | undefined
  /** The work that it ran for. */
  workRecordId?: string | null | undefined
  /** Whom it ran for. */
  personId?: string | null | undefined
  /** What it captured. */
  capturedFields?: Record<string, unknown> | undefined
  /** When it began. Now, unless you say otherwise. */
  startedAt?: string | Date | undefined
  /** When it came to its end. */
  finishedAt?: string | Date | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of workflow runs takes. */
export interface WorkflowRunQuery extends PageQuery {
  /** Only records with this `workflowKey`. Which workflow ran, in your own word for it. */
  workflowKey?: string | undefined
  /** Only records with this `status`. How it went. `completed` fires `workflow.finished`. */
  status?: 'running' | 'completed' | 'failed' | 'canceled' | Other | undefined
  /** Only records with this `callSessionId`. The call that it ran for. */
  callSessionId?: string | undefined
  /** Only records with this `workRecordId`. The work that it ran for. */
  workRecordId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** One call, from ring to end, with what was said and learned. */
export interface Call {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** `inbound` came to you, `outbound` you made. */
  direction: 'inbound' | 'outbound' | Other
  /** How far it came. A status that ends the call does all that `POST /calls/{id}/end` does. */
  status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other
  /** Why it ended, such as `caller_hangup`, `no_answer`, `busy`, `transferred` or `timeout`. */
  endReason: string | null
  /** Who called; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** The caller shows no number. */
  fromWithheld: boolean
  /** Who was called. E.164, for example +15550100200. */
  to: string
  /** The name that the carrier or the caller gave. */
  callerName: string | null
  /** The number of yours that it came to or left from. */
  phoneNumberId: string | null
  /** Who the other side is. Found by the number, or made, unless you say. */
  personId: string | null
  /** The customer that it concerns. */
  customerId: string | null
  /** The company that it concerns. */
  companyId: string | null
  /** The work that it concerns; set when its draft is approved. */
  workRecordId: string | null
  /** The thread that its message is part of. */
  conversationId: string | null
  /** Who talks on your side; `none` until somebody does. */
  handledBy: {
    /** Whether a person or a machine talks. */
    type: 'human' | 'ai' | 'none' | Other
    /** The user who talks. */
    userId: string | null
    /** What whoever talks is called. */
    agentName: string | null
  }
  /** When it began to ring. Now, unless you say otherwise. */
  startedAt: string
  /** When it was answered; null while it was not. */
  answeredAt: string | null
  /** When it ended; null while it runs. */
  endedAt: string | null
  /** How many seconds were talked. */
  duration: number
  /** The language that is spoken, such as `en` or `es-MX`. */
  language: string | null
  /** What was said and agreed, in a few sentences. */
  summary: string | null
  /** The mood of the caller, in a word of your own such as `neutral`. */
  sentiment: string | null
  /** What came of it, in a word of your own such as `booked`. */
  outcome: string | null
  /** Where your telephony keeps the recording, as it said. */
  recordingUrl: string | null
  /** Whether there is a recording; where one could not be fetched, `metadata.recordingError` says why. */
  recordingStatus: 'none' | 'pending' | 'available' | Other
  /** The voicemail that was left instead of a talk. */
  voicemailId: string | null
  /** Your telephony, in your own word for it. */
  provider: string
  /** What your telephony calls it. A second report with the same one updates this call. */
  providerCallId: string | null
  /** Whatever else your systems want to keep with it. */
  metadata: Record<string, unknown>
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
  /** Whether there is a transcript, or one is growing. */
  transcriptStatus: 'none' | 'live' | 'available' | Other
  /** How many segments the whole transcript has. */
  transcriptSegmentCount: number
  /** The beginning of the transcript; `GET /calls/{id}/transcript` has all of it. */
  transcriptSegments: Segment[]
  /** The work that was asked for, up to 50. */
  drafts: Draft[]
  /** What was learned, up to 50. */
  facts: Fact[]
  /** What was noticed, up to 50. */
  signals: Signal[]
}

/** What makes a new call. */
export interface CallCreate {
  /** `inbound` came to you, `outbound` you made. */
  direction: 'inbound' | 'outbound' | Other
  /** Whether it rings or is being talked on; `ringing` unless you say. */
  status?: 'ringing' | 'in_progress' | Other | undefined
  /** Why it ended, such as `caller_hangup`, `no_answer`, `busy`, `transferred` or `timeout`. */
  endReason?: string | null | undefined
  /** Who called; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** Who was called. E.164, for example +15550100200. */
  to: string
  /** The name that the carrier or the caller gave. */
  callerName?: string | null | undefined
  /** The number of yours that it came to or left from. */
  phoneNumberId?: string | null | undefined
  /** Who the other side is. Found by the number, or made, unless you say. */
  personId?: string | null | undefined
  /** The customer that it concerns. */
  customerId?: string | null | undefined
  /** The company that it concerns. */
  companyId?: string | null | undefined
  /** The work that it concerns; set when its draft is approved. */
  workRecordId?: string | null | undefined
  /** Who talks on your side; `none` until somebody does. */
  handledBy?:
    | {
        /** Whether a person or a machine talks. */
        type: 'human' | 'ai' | 'none' | Other
        /** The user who talks. */
        userId?: string | null | undefined
        /** What whoever talks is called. */
        agentName?: string | null | undefined
      }
    | undefined
  /** When it began to ring. Now, unless you say otherwise. */
  startedAt?: string | Date | undefined
  /** When it was answered; null while it was not. */
  answeredAt?: string | Date | null | undefined
  /** The language that is spoken, such as `en` or `es-MX`. */
  language?: string | null | undefined
  /** What was said and agreed, in a few sentences. */
  summary?: string | null | undefined
  /** The mood of the caller, in a word of your own such as `neutral`. */
  sentiment?: string | null | undefined
  /** What came of it, in a word of your own such as `booked`. */
  outcome?: string | null | undefined
  /** Where your telephony keeps the recording, as it said. */
  recordingUrl?: string | null | undefined
  /** Your telephony, in your own word for it. */
  provider?: string | undefined
  /** What your telephony calls it. A second report with the same one updates this call. */
  providerCallId?: string | null | undefined
  /** Whatever else your systems want to keep with it. */
  metadata?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a call may say: what is left out stays as it is. */
export interface CallUpdate {
  /** How far it came. A status that ends the call does all that `POST /calls/{id}/end` does. */
  status?: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other | undefined
  /** Why it ended, such as `caller_hangup`, `no_answer`, `busy`, `transferred` or `timeout`. */
  endReason?: string | null | undefined
  /** The name that the carrier or the caller gave. */
  callerName?: string | null | undefined
  /** The number of yours that it came to or left from. */
  phoneNumberId?: string | null | undefined
  /** Who the other side is. Found by the number, or made, unless you say. */
  personId?: string | null | undefined
  /** The customer that it concerns. */
  customerId?: string | null | undefined
  /** The company that it concerns. */
  companyId?: string | null | undefined
  /** The work that it concerns; set when its draft is approved. */
  workRecordId?: string | null | undefined
  /** Who talks on your side; `none` until somebody does. */
  handledBy?:
    | {
        /** Whether a person or a machine talks. */
        type?: 'human' | 'ai' | 'none' | Other | undefined
        /** The user who talks. */
        userId?: string | null | undefined
        /** What whoever talks is called. */
        agentName?: string | null | undefined
      }
    | undefined
  /** When it was answered; null while it was not. */
  answeredAt?: string | Date | null | undefined
  /** The language that is spoken, such as `en` or `es-MX`. */
  language?: string | null | undefined
  /** What was said and agreed, in a few sentences. */
  summary?: string | null | undefined
  /** The mood of the caller, in a word of your own such as `neutral`. */
  sentiment?: string | null | undefined
  /** What came of it, in a word of your own such as `booked`. */
  outcome?: string | null | undefined
  /** Where your telephony keeps the recording, as it said. */
  recordingUrl?: string | null | undefined
  /** Whatever else your systems want to keep with it. */
  metadata?: Record<string, unknown> | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
  /** How many seconds were talked; taken with a terminal status, ignored once the call has ended. */
  duration?: number | undefined
  /** When it ended; taken with a terminal status, ignored once the call has ended. */
  endedAt?: string | Date | null | undefined
}

/** What the list of calls takes. */
export interface CallQuery extends PageQuery {
  /** Only records with this `direction`. `inbound` came to you, `outbound` you made. */
  direction?: 'inbound' | 'outbound' | Other | undefined
  /** Only records with this `status`. How far it came. A status that ends the call does all that `POST /calls/{id}/end` does. */
  status?: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other | undefined
  /** Only records with this `personId`. Who the other side is. Found by the number, or made, unless you say. */
  personId?: string | undefined
  /** Only records with this `customerId`. The customer that it concerns. */
  customerId?: string | undefined
  /** Only records with this `workRecordId`. The work that it concerns; set when its draft is approved. */
  workRecordId?: string | undefined
  /** Only records with this `phoneNumberId`. The number of yours that it came to or left from. */
  phoneNumberId?: string | undefined
  /** Only records with this `since`. When it began to ring. Now, unless you say otherwise. */
  since?: string | Date | undefined
  /** Only records with this `until`. When it began to ring. Now, unless you say otherwise. */
  until?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'startedAt' | '-startedAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `startedAt` at or after this time. */
  startedAtFrom?: string | Date | undefined
  /** Only records with `startedAt` before this time. */
  startedAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** One text message. */
export interface Sms {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** `inbound` came to you, `outbound` went out. */
  direction: 'inbound' | 'outbound' | Other
  /** Who sent it; null when the sender shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** The sender shows no number. */
  fromWithheld: boolean
  /** Who it goes to. E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  /** What it says. */
  body: string
  /** How many pictures or other files came with it. */
  numMedia: number
  /** Where the carrier keeps them, as it said; they may need its credentials. */
  mediaUrls: string[]
  /** What came with it, fetched and kept here. */
  media: {
    /** Made by Parley. */
    id: string
    /** What it is, such as `image/jpeg`. */
    contentType: string
    /** How large it is; null until it was fetched. */
    bytes: number | null
    /** Whether it is here. */
    status: 'pending' | 'available' | 'failed' | Other
    /** Good without a key for five minutes; null until it is available. */
    url: string | null
  }[]
  /** How far it came. `received` is inbound; the others tell of an outbound one. */
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received' | Other
  /** The conversation that it is part of. */
  threadId: string | null
  /** Who the other side is; found by the number. */
  personId: string | null
  /** The number of yours that it came to or left from. */
  phoneNumberId: string | null
  /** What the carrier calls it. */
  providerMessageId: string | null
  /** Why it could not be sent or delivered: the carrier's code, or ours such as `recipient_opted_out`. */
  errorCode: string | null
  /** The same in words. */
  errorMessage: string | null
  /** When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  sentAt: string
  /** When the carrier reported that it arrived. */
  deliveredAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new sms. */
export interface SmsCreate {
  /** What it says. */
  body: string
  /** Who it goes to. Needed unless `personId` is given; wins over the number of the person. E.164, for example +15550100200, or a short code that has sent a text. */
  to?: string | null | undefined
  /** The person it goes to, at their primary phone. */
  personId?: string | null | undefined
  /** The number of yours that it leaves from; that of the thread, else the default one, unless said. */
  fromPhoneNumberId?: string | null | undefined
  /** What it is called in other systems. One that is known answers with the text that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of sms takes. */
export interface SmsQuery extends PageQuery {
  /** Only records with this `direction`. `inbound` came to you, `outbound` went out. */
  direction?: 'inbound' | 'outbound' | Other | undefined
  /** Only records with this `threadId`. The conversation that it is part of. */
  threadId?: string | undefined
  /** Only records with this `personId`. Who the other side is; found by the number. */
  personId?: string | undefined
  /** Only records with this `status`. How far it came. `received` is inbound; the others tell of an outbound one. */
  status?: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received' | Other | undefined
  /** Only records with this `since`. When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  since?: string | Date | undefined
  /** Only records with this `until`. When Parley accepted it; of an inbound one when it was sent, as the carrier says. It never changes. */
  until?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'sentAt' | '-sentAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `sentAt` at or after this time. */
  sentAtFrom?: string | Date | undefined
  /** Only records with `sentAt` before this time. */
  sentAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** One message of any channel: a text, a call, a voicemail, an e-mail. */
export interface Message {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The conversation that it is part of. Found or made by the two addresses unless you name one. */
  threadId: string
  /** `inbound` came to you, `outbound` went out. */
  direction: 'inbound' | 'outbound' | Other
  /** How it came or went. POST records `email` only; Parley makes the others of texts, calls and voicemails. */
  channel: 'sms' | 'voice' | 'email' | Other
  /** What was said: the text, the mail, the summary of the call or the transcript of the voicemail. */
  body: string
  /** Who sent it: a phone number or an e-mail address. */
  from: string | null
  /** Who it went to. */
  to: string | null
  /** Who the other side is. */
  personId: string | null
  /** The text that it is. */
  smsId: string | null
  /** The call that it tells of. */
  callSessionId: string | null
  /** The voicemail that it tells of. */
  voicemailId: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new message. */
export interface MessageCreate {
  /** The conversation that it is part of. Found or made by the two addresses unless you name one. */
  threadId?: string | undefined
  /** `inbound` came to you, `outbound` went out. */
  direction: 'inbound' | 'outbound' | Other
  /** How it came or went. POST records `email` only; Parley makes the others of texts, calls and voicemails. */
  channel: 'sms' | 'voice' | 'email' | Other
  /** What was said: the text, the mail, the summary of the call or the transcript of the voicemail. */
  body: string
  /** Who sent it: a phone number or an e-mail address. */
  from?: string | null | undefined
  /** Who it went to. */
  to?: string | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of messages takes. */
export interface MessageQuery extends PageQuery {
  /** Only records with this `channel`. How it came or went. POST records `email` only; Parley makes the others of texts, calls and voicemails. */
  channel?: 'sms' | 'voice' | 'email' | Other | undefined
  /** Only records with this `direction`. `inbound` came to you, `outbound` went out. */
  direction?: 'inbound' | 'outbound' | Other | undefined
  /** Only records with this `threadId`. The conversation that it is part of. Found or made by the two addresses unless you name one. */
  threadId?: string | undefined
  /** Only records with this `personId`. Who the other side is. */
  personId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A message a caller left, with its transcript and recording. */
export interface Voicemail {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The call in which it was left. */
  callSessionId: string | null
  /** Who left it; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  callerNumber: string | null
  /** The caller shows no number. */
  callerWithheld: boolean
  /** The number of yours that was called. E.164, for example +15550100200. */
  to: string | null
  /** Who left it; found by the number unless you say. */
  personId: string | null
  /** What was said, as well as it could be made out. */
  transcript: string | null
  /** How long it is. */
  durationSeconds: number | null
  /** When somebody listened to it; null while nobody has. */
  listenedAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
  /** Plays without a key for five minutes; null until the audio is there. */
  recordingUrl: string | null
  /** Redirects to a fresh recordingUrl; needs a key and does not expire. */
  recordingApiUrl: string | null
  /** Whether it can be heard. `pending`: it is being fetched. `failed`: `recordingError` says why. */
  recordingStatus: 'none' | 'pending' | 'available' | 'failed' | Other
  /** Why the last address that was to be fetched could not be. */
  recordingError: string | null
}

/** What makes a new voicemail. */
export interface VoicemailCreate {
  /** The call in which it was left. */
  callSessionId?: string | null | undefined
  /** Who left it; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  callerNumber: string | null
  /** The number of yours that was called. E.164, for example +15550100200. */
  to?: string | null | undefined
  /** Who left it; found by the number unless you say. */
  personId?: string | null | undefined
  /** What was said, as well as it could be made out. */
  transcript?: string | null | undefined
  /** How long it is. */
  durationSeconds?: number | null | undefined
  /** When somebody listened to it; null while nobody has. */
  listenedAt?: string | Date | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a voicemail may say: what is left out stays as it is. */
export interface VoicemailUpdate {
  /** The call in which it was left. */
  callSessionId?: string | null | undefined
  /** Who left it; null when the caller shows no number. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  callerNumber?: string | null | undefined
  /** The number of yours that was called. E.164, for example +15550100200. */
  to?: string | null | undefined
  /** Who left it; found by the number unless you say. */
  personId?: string | null | undefined
  /** What was said, as well as it could be made out. */
  transcript?: string | null | undefined
  /** How long it is. */
  durationSeconds?: number | null | undefined
  /** When somebody listened to it; null while nobody has. */
  listenedAt?: string | Date | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of voicemails takes. */
export interface VoicemailQuery extends PageQuery {
  /** Only records with this `personId`. Who left it; found by the number unless you say. */
  personId?: string | undefined
  /** Only records with this `since`. When Parley first stored it. */
  since?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A proposed work record from a call, awaiting human approval. */
export interface Draft {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The call that it comes from. */
  callSessionId: string
  /** Where it stands. The actions `submit`, `approve`, `reject`, `reopen` and `synced` move it. */
  status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'synced' | Other
  /** Which kind of work is proposed. */
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
    | null
  /** What the work would be called. */
  title: string | null
  /** What was asked for; it becomes the description of the work record. */
  summary: string | null
  /** What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`. */
  payload: Record<string, unknown>
  /** The customer that the work is for. */
  customerId: string | null
  /** Who asked for it. */
  personId: string | null
  /** How sure whoever proposed it is, from 0 to 1. */
  confidence: number | null
  /** Which of the required fields of this kind of work nothing says yet. It advises and refuses nothing. */
  missingFields: string[]
  /** The facts that it rests on. */
  factIds: string[]
  /** The work record that its approval made. */
  workRecordId: string | null
  /** The user or key that approved it. */
  approvedBy: string | null
  /** When it was approved. */
  approvedAt: string | null
  /** The user or key that rejected it. */
  rejectedBy: string | null
  /** When it was rejected. */
  rejectedAt: string | null
  /** Why it was rejected, in the words of whoever did. */
  rejectedReason: string | null
  /** What Parley’s extractor proposed, with its evidence; null when it had no part. What others said since stands in the fields of the draft itself. */
  extraction: {
    /** What read it: `rules`, or `model:` and the name of the model. */
    extractor: string
    /** Why the rules were used in place of the model. */
    fallbackReason: string | null
    /** Of the words that were read: a model does not read the same words twice. */
    fingerprint: string
    /** The extractor made the draft; false when it only filled its gaps. */
    isDraftMade: boolean
    /** Which kind of work it proposed. */
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
      | null
    /** What it would call the work. */
    title: string | null
    /** What was asked for, as it read it. */
    summary: string | null
    /** What it read for each field. */
    fields: {
      /** Which field it is. */
      key: string
      /** What was read for it. */
      value: unknown
      /** How sure that is, from 0 to 1. */
      confidence: number
      /** Where exactly it was said. */
      evidence: Evidence[]
    }[]
  } | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new draft. */
export interface DraftCreate {
  /** The call that it comes from. */
  callSessionId: string
  /** Which kind of work is proposed. */
  canonicalKind?:
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
    | null
    | undefined
  /** What the work would be called. */
  title?: string | null | undefined
  /** What was asked for; it becomes the description of the work record. */
  summary?: string | null | undefined
  /** What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`. */
  payload?: Record<string, unknown> | undefined
  /** The customer that the work is for. */
  customerId?: string | null | undefined
  /** Who asked for it. */
  personId?: string | null | undefined
  /** How sure whoever proposed it is, from 0 to 1. */
  confidence?: number | null | undefined
  /** The facts that it rests on. */
  factIds?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a draft may say: what is left out stays as it is. */
export interface DraftUpdate {
  /** The call that it comes from. */
  callSessionId?: string | undefined
  /** Which kind of work is proposed. */
  canonicalKind?:
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
    | null
    | undefined
  /** What the work would be called. */
  title?: string | null | undefined
  /** What was asked for; it becomes the description of the work record. */
  summary?: string | null | undefined
  /** What the work record would say. Keys of a work record become its fields, others its `structuredFieldsJson`. */
  payload?: Record<string, unknown> | undefined
  /** The customer that the work is for. */
  customerId?: string | null | undefined
  /** Who asked for it. */
  personId?: string | null | undefined
  /** How sure whoever proposed it is, from 0 to 1. */
  confidence?: number | null | undefined
  /** The facts that it rests on. */
  factIds?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of drafts takes. */
export interface DraftQuery extends PageQuery {
  /** Only records with this `status`. Where it stands. The actions `submit`, `approve`, `reject`, `reopen` and `synced` move it. */
  status?: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'synced' | Other | undefined
  /** Only records with this `callSessionId`. The call that it comes from. */
  callSessionId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** Something learned about a subject, with its evidence and its standing. */
export interface Fact {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** Whom or what it is about. */
  subjectId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What the key is called among people, from its definition. */
  label: string | null
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** The type that the value had when it was captured. */
  valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
  /** Whether it counts. Send `confirmed` with what needs no decision; the actions move it later. */
  status: 'proposed' | 'confirmed' | 'rejected' | 'promoted' | 'superseded' | Other
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence: number | null
  /** Where it was learned. */
  source: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other
  /** The call in which it was said. */
  sourceCallSessionId: string | null
  /** The message in which it was written. */
  sourceMessageId: string | null
  /** When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
  observedAt: string
  /** What captured it, such as the name of a model. */
  extractor: string | null
  /** Where exactly it was said. */
  evidence: Evidence[]
  /** Why whoever captured it thinks so. */
  rationale: string | null
  /** How often the same was heard again in the same call. */
  corroborationCount: number
  /** When it was confirmed. */
  confirmedAt: string | null
  /** The user or key that confirmed it; null where a threshold did. */
  confirmedBy: string | null
  /** What confirmed it: a person, a key, the threshold, its promotion or the approval of its draft. */
  confirmedVia: 'human' | 'api' | 'threshold' | 'promotion' | 'draft_approval' | Other | null
  /** When it was rejected. */
  rejectedAt: string | null
  /** The user or key that rejected it. */
  rejectedBy: string | null
  /** What it became an attribute of. */
  promotedSubjectType: 'person' | 'company' | 'customer' | Other | null
  /** Whose attribute it became. */
  promotedSubjectId: string | null
  /** When it was promoted. */
  promotedAt: string | null
  /** The user or key that promoted it. */
  promotedBy: string | null
  /** The fresher fact that took its place. */
  supersededById: string | null
  /** When a fresher one took its place. */
  supersededAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new fact. */
export interface FactCreate {
  /** What it is about. */
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  /** Whom or what it is about. */
  subjectId: string
  /** What was learned, such as `preferred_time`. A new key makes its own definition. */
  key: string
  /** What was learned. Its type is the `valueType` of the definition; nothing is converted. */
  value: unknown
  /** Send `confirmed` with what needs no decision. */
  status?: 'proposed' | 'confirmed' | Other | undefined
  /** How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  confidence?: number | null | undefined
  /** Where it was learned. */
  source?: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other | undefined
  /** The call in which it was said. */
  sourceCallSessionId?: string | null | undefined
  /** The message in which it was written. */
  sourceMessageId?: string | null | undefined
  /** When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
  observedAt?: string | Date | undefined
  /** What captured it, such as the name of a model. */
  extractor?: string | null | undefined
  /** Where exactly it was said. */
  evidence?: EvidenceBody[] | undefined
  /** Why whoever captured it thinks so. */
  rationale?: string | null | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of facts takes. */
export interface FactQuery extends PageQuery {
  /** Only records with one of these for `subjectType`. What it is about. */
  subjectType?:
    | 'person'
    | 'company'
    | 'customer'
    | 'work_record'
    | Other
    | readonly ('person' | 'company' | 'customer' | 'work_record' | Other)[]
    | undefined
  /** Only records with one of these for `subjectId`. Whom or what it is about. */
  subjectId?: string | readonly string[] | undefined
  /** Only records with one of these for `key`. What was learned, such as `preferred_time`. A new key makes its own definition. */
  key?: string | readonly string[] | undefined
  /** Only records with one of these for `status`. Whether it counts. Send `confirmed` with what needs no decision; the actions move it later. */
  status?:
    | 'proposed'
    | 'confirmed'
    | 'rejected'
    | 'promoted'
    | 'superseded'
    | Other
    | readonly ('proposed' | 'confirmed' | 'rejected' | 'promoted' | 'superseded' | Other)[]
    | undefined
  /** Only records with this `sourceCallSessionId`. The call in which it was said. */
  sourceCallSessionId?: string | undefined
  /** Only records with this `minConfidence`. How sure whoever captured it is, from 0 to 1. Over the threshold of its definition it confirms itself. */
  minConfidence?: number | undefined
  /** Only records with this `since`. When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
  since?: string | Date | undefined
  /** Only records with this `until`. When it was said. Now, unless you say otherwise. Of two facts the later one is the fresher. */
  until?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'observedAt' | '-observedAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `observedAt` at or after this time. */
  observedAtFrom?: string | Date | undefined
  /** Only records with `observedAt` before this time. */
  observedAtBefore?: string | Date | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** What a fact key means: its type, its subject, and when it confirms itself. */
export interface FactDefinition {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The key of its facts. It never changes. */
  key: string
  /** What people call it. Made from the key unless you say. */
  label: string
  /** Which values its facts may have. Fixed once there are facts. */
  valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
  /** What its facts may be about; `polymorphic` is anything. Fixed once there are facts. */
  subjectScope: 'person' | 'company' | 'customer' | 'work_record' | 'polymorphic' | Other
  /** What it means, for people and models that capture it. */
  description: string | null
  /** The values that an `enum` may have. */
  enumValues: string[] | null
  /** `one`: a newer fact takes the place of the older. `many`: they stand side by side. */
  cardinality: 'one' | 'many' | Other
  /** Facts at least this sure confirm themselves; null: as `settings.factAutoConfirmThreshold` says. */
  autoConfirmThreshold: number | null
  /** Other words for it, as callers and agents say them: the extractor finds the field by these too. */
  hints: string[]
  /** Set by Parley: true while nobody has configured the definition that the first fact made. */
  inferred: boolean
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new fact definition. */
export interface FactDefinitionCreate {
  /** The key of its facts. It never changes. */
  key: string
  /** What people call it. Made from the key unless you say. */
  label?: string | undefined
  /** Which values its facts may have. Fixed once there are facts. */
  valueType?: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other | undefined
  /** What its facts may be about; `polymorphic` is anything. Fixed once there are facts. */
  subjectScope?: 'person' | 'company' | 'customer' | 'work_record' | 'polymorphic' | Other | undefined
  /** What it means, for people and models that capture it. */
  description?: string | null | undefined
  /** The values that an `enum` may have. */
  enumValues?: string[] | null | undefined
  /** `one`: a newer fact takes the place of the older. `many`: they stand side by side. */
  cardinality?: 'one' | 'many' | Other | undefined
  /** Facts at least this sure confirm themselves; null: as `settings.factAutoConfirmThreshold` says. */
  autoConfirmThreshold?: number | null | undefined
  /** Other words for it, as callers and agents say them: the extractor finds the field by these too. */
  hints?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a fact definition may say: what is left out stays as it is. */
export interface FactDefinitionUpdate {
  /** The key of its facts. It never changes. */
  key?: string | undefined
  /** What people call it. Made from the key unless you say. */
  label?: string | undefined
  /** Which values its facts may have. Fixed once there are facts. */
  valueType?: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other | undefined
  /** What its facts may be about; `polymorphic` is anything. Fixed once there are facts. */
  subjectScope?: 'person' | 'company' | 'customer' | 'work_record' | 'polymorphic' | Other | undefined
  /** What it means, for people and models that capture it. */
  description?: string | null | undefined
  /** The values that an `enum` may have. */
  enumValues?: string[] | null | undefined
  /** `one`: a newer fact takes the place of the older. `many`: they stand side by side. */
  cardinality?: 'one' | 'many' | Other | undefined
  /** Facts at least this sure confirm themselves; null: as `settings.factAutoConfirmThreshold` says. */
  autoConfirmThreshold?: number | null | undefined
  /** Other words for it, as callers and agents say them: the extractor finds the field by these too. */
  hints?: string[] | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of fact definitions takes. */
export interface FactDefinitionQuery extends PageQuery {
  /** Only records with this `key`. The key of its facts. It never changes. */
  key?: string | undefined
  /** Only records with this `valueType`. Which values its facts may have. Fixed once there are facts. */
  valueType?: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A complaint, an upsell, an escalation: something noticed with confidence. */
export interface Signal {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What was noticed: the `key` of a signal definition, or a word of your own. */
  kind: string
  /** The same as `kind`. */
  signalKey: string
  /** How sure whoever noticed it is, from 0 to 1. */
  confidence: number
  /** How much it matters, from its definition. */
  severity: 'info' | 'warning' | 'critical' | Other
  /** The call in which it was noticed. */
  callSessionId: string | null
  /** The work that it concerns. */
  workRecordId: string | null
  /** Whom it concerns. */
  personId: string | null
  /** When it fired. */
  firedAt: string
  /** Whatever else was noticed. */
  details: Record<string, unknown>
  /** Where exactly it showed. */
  evidence: Evidence[]
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What the list of signals takes. */
export interface SignalQuery extends PageQuery {
  /** Only records with this `kind`. What was noticed: the `key` of a signal definition, or a word of your own. */
  kind?: string | undefined
  /** Only records with this `callSessionId`. The call in which it was noticed. */
  callSessionId?: string | undefined
  /** Only records with this `workRecordId`. The work that it concerns. */
  workRecordId?: string | undefined
  /** Only records with this `signalKey`. What was noticed: the `key` of a signal definition, or a word of your own. */
  signalKey?: string | undefined
  /** Only records with this `minConfidence`. How sure whoever noticed it is, from 0 to 1. */
  minConfidence?: number | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A number the organization owns. */
export interface PhoneNumber {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** The number itself. E.164, for example +15550100200. */
  e164: string
  /** The carrier that it is rented from. */
  provider: string
  /** What the carrier calls it. */
  providerSid: string | null
  /** Texts go out from an `active` number only. `retired` is final. */
  status: 'active' | 'released' | 'retired' | Other
  /** What your people call it. */
  label: string | null
  /** What it can be used for. */
  capabilities: {
    /** It can be called from and to. */
    voice: boolean
    /** It can be texted from and to. */
    sms: boolean
  }
  /** Texts go out from it when neither the request nor the thread names another. One number is. */
  isDefault: boolean
  /** The connection to the carrier that it runs over. */
  integrationConnectionId: string | null
  /** What happens to calls; null: a short announcement and a hang-up. */
  routing: {
    /** The numbers that are rung. */
    forwardTo: string[]
    /** How many seconds a number rings before it counts as not answered. */
    ringSeconds: number
    /** Whether they ring all at once or one after the other. */
    strategy: 'simultaneous' | 'sequential' | Other
    /** When the numbers are rung; null: always. */
    hours: {
      /** Whose clock it is, such as `America/New_York`. */
      timeZone: string
      /** The hours of each day. */
      weekly: {
        /** The day of the week. */
        day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | Other
        /** When it opens. A time such as 09:00. */
        from: string
        /** When it closes. A time such as 09:00. */
        to: string
      }[]
      /** Days on which it stays closed, such as 2026-12-25. */
      closed: string[]
    } | null
    /** What the caller hears before the numbers ring. */
    greeting: string | null
    /** What the caller hears first of all, before anything is recorded or transcribed. */
    consentMessage: string | null
    /** Whether answered calls are recorded. Voicemails always are. */
    record: boolean
    /** Whether what is said in calls and voicemails is transcribed. */
    transcribe: boolean
    /** Whether callers may leave a message when nobody answers or it is closed. */
    voicemail: boolean
  } | null
  /** Made because its provider reported a text or a call on it. */
  autoCreated: boolean
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new phone number. */
export interface PhoneNumberCreate {
  /** The number itself. E.164, for example +15550100200. */
  e164: string
  /** The carrier that it is rented from. */
  provider?: string | undefined
  /** What the carrier calls it. */
  providerSid?: string | null | undefined
  /** Texts go out from an `active` number only. `retired` is final. */
  status?: 'active' | 'released' | 'retired' | Other | undefined
  /** What your people call it. */
  label?: string | null | undefined
  /** What it can be used for. */
  capabilities?:
    | {
        /** It can be called from and to. */
        voice?: boolean | undefined
        /** It can be texted from and to. */
        sms?: boolean | undefined
      }
    | undefined
  /** Texts go out from it when neither the request nor the thread names another. One number is. */
  isDefault?: boolean | undefined
  /** The connection to the carrier that it runs over. */
  integrationConnectionId?: string | null | undefined
  /** What happens to calls; null: a short announcement and a hang-up. */
  routing?:
    | {
        /** The numbers that are rung. */
        forwardTo?: string[] | undefined
        /** How many seconds a number rings before it counts as not answered. */
        ringSeconds?: number | undefined
        /** Whether they ring all at once or one after the other. */
        strategy?: 'simultaneous' | 'sequential' | Other | undefined
        /** When the numbers are rung; null: always. */
        hours?:
          | {
              /** Whose clock it is, such as `America/New_York`. */
              timeZone: string
              /** The hours of each day. */
              weekly?:
                | {
                    /** The day of the week. */
                    day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | Other
                    /** When it opens. A time such as 09:00. */
                    from: string
                    /** When it closes. A time such as 09:00. */
                    to: string
                  }[]
                | undefined
              /** Days on which it stays closed, such as 2026-12-25. */
              closed?: string[] | undefined
            }
          | null
          | undefined
        /** What the caller hears before the numbers ring. */
        greeting?: string | null | undefined
        /** What the caller hears first of all, before anything is recorded or transcribed. */
        consentMessage?: string | null | undefined
        /** Whether answered calls are recorded. Voicemails always are. */
        record?: boolean | undefined
        /** Whether what is said in calls and voicemails is transcribed. */
        transcribe?: boolean | undefined
        /** Whether callers may leave a message when nobody answers or it is closed. */
        voicemail?: boolean | undefined
      }
    | null
    | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a phone number may say: what is left out stays as it is. */
export interface PhoneNumberUpdate {
  /** The number itself. E.164, for example +15550100200. */
  e164?: string | undefined
  /** The carrier that it is rented from. */
  provider?: string | undefined
  /** What the carrier calls it. */
  providerSid?: string | null | undefined
  /** Texts go out from an `active` number only. `retired` is final. */
  status?: 'active' | 'released' | 'retired' | Other | undefined
  /** What your people call it. */
  label?: string | null | undefined
  /** What it can be used for. */
  capabilities?:
    | {
        /** It can be called from and to. */
        voice?: boolean | undefined
        /** It can be texted from and to. */
        sms?: boolean | undefined
      }
    | undefined
  /** Texts go out from it when neither the request nor the thread names another. One number is. */
  isDefault?: boolean | undefined
  /** The connection to the carrier that it runs over. */
  integrationConnectionId?: string | null | undefined
  /** What happens to calls; null: a short announcement and a hang-up. */
  routing?:
    | {
        /** The numbers that are rung. */
        forwardTo?: string[] | undefined
        /** How many seconds a number rings before it counts as not answered. */
        ringSeconds?: number | undefined
        /** Whether they ring all at once or one after the other. */
        strategy?: 'simultaneous' | 'sequential' | Other | undefined
        /** When the numbers are rung; null: always. */
        hours?:
          | {
              /** Whose clock it is, such as `America/New_York`. */
              timeZone?: string | undefined
              /** The hours of each day. */
              weekly?:
                | {
                    /** The day of the week. */
                    day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | Other
                    /** When it opens. A time such as 09:00. */
                    from: string
                    /** When it closes. A time such as 09:00. */
                    to: string
                  }[]
                | undefined
              /** Days on which it stays closed, such as 2026-12-25. */
              closed?: string[] | undefined
            }
          | null
          | undefined
        /** What the caller hears before the numbers ring. */
        greeting?: string | null | undefined
        /** What the caller hears first of all, before anything is recorded or transcribed. */
        consentMessage?: string | null | undefined
        /** Whether answered calls are recorded. Voicemails always are. */
        record?: boolean | undefined
        /** Whether what is said in calls and voicemails is transcribed. */
        transcribe?: boolean | undefined
        /** Whether callers may leave a message when nobody answers or it is closed. */
        voicemail?: boolean | undefined
      }
    | null
    | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of phone numbers takes. */
export interface PhoneNumberQuery extends PageQuery {
  /** Only records with this `status`. Texts go out from an `active` number only. `retired` is final. */
  status?: 'active' | 'released' | 'retired' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** Filters of work under a name. Everybody in the organization sees the same ones. */
export interface SavedView {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What people call it. */
  name: string
  /** How the work is shown. */
  layout: 'table' | 'board' | Other
  /** Query parameters of `GET /work-records`. What is null is left open. */
  filters: {
    /** Words that are searched for. */
    q: string | null
    /** The `canonicalKind` of the work. */
    kind:
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
      | null
    /** Where the work stands in your own words. */
    status: string | null
    /** How far it came in your own words. */
    stage: string | null
    /** Where it stands for every organization alike. */
    recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | null
    /** How soon it matters. */
    priority: 'low' | 'normal' | 'high' | 'urgent' | Other | null
    /** What made it. */
    source: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | null
    /** The customer that it is for. */
    customerId: string | null
    /** Whom to talk to about it. */
    primaryPersonId: string | null
    /** The user who does it. */
    assignedToId: string | null
  }
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}

/** What makes a new saved view. */
export interface SavedViewCreate {
  /** What people call it. */
  name: string
  /** How the work is shown. */
  layout?: 'table' | 'board' | Other | undefined
  /** Query parameters of `GET /work-records`. What is null is left open. */
  filters?:
    | {
        /** Words that are searched for. */
        q?: string | null | undefined
        /** The `canonicalKind` of the work. */
        kind?:
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
          | null
          | undefined
        /** Where the work stands in your own words. */
        status?: string | null | undefined
        /** How far it came in your own words. */
        stage?: string | null | undefined
        /** Where it stands for every organization alike. */
        recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | null | undefined
        /** How soon it matters. */
        priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | null | undefined
        /** What made it. */
        source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | null | undefined
        /** The customer that it is for. */
        customerId?: string | null | undefined
        /** Whom to talk to about it. */
        primaryPersonId?: string | null | undefined
        /** The user who does it. */
        assignedToId?: string | null | undefined
      }
    | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What a change of a saved view may say: what is left out stays as it is. */
export interface SavedViewUpdate {
  /** What people call it. */
  name?: string | undefined
  /** How the work is shown. */
  layout?: 'table' | 'board' | Other | undefined
  /** Query parameters of `GET /work-records`. What is null is left open. */
  filters?:
    | {
        /** Words that are searched for. */
        q?: string | null | undefined
        /** The `canonicalKind` of the work. */
        kind?:
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
          | null
          | undefined
        /** Where the work stands in your own words. */
        status?: string | null | undefined
        /** How far it came in your own words. */
        stage?: string | null | undefined
        /** Where it stands for every organization alike. */
        recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | null | undefined
        /** How soon it matters. */
        priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | null | undefined
        /** What made it. */
        source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | null | undefined
        /** The customer that it is for. */
        customerId?: string | null | undefined
        /** Whom to talk to about it. */
        primaryPersonId?: string | null | undefined
        /** The user who does it. */
        assignedToId?: string | null | undefined
      }
    | undefined
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of saved views takes. */
export interface SavedViewQuery extends PageQuery {
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  /** Only records with `createdAt` at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with `createdAt` before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with `updatedAt` at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with `updatedAt` before this time. */
  updatedAtBefore?: string | Date | undefined
}

/** A URL that events are sent to. */
export interface WebhookSubscription {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What your people call it. */
  name: string
  /** Where events are posted; https only. */
  url: string
  /** Which events are sent; an empty list means the sixteen standard types. */
  eventTypes: string[]
  /** `paused` and `disabled` ones are sent nothing; what comes meanwhile is sent when they are active again. */
  status: 'active' | 'paused' | 'disabled' | Other
  /** What it is for. */
  description: string | null
  /** The first characters of the secret that signs its deliveries. */
  signingSecretPreview: string
  /** At most so many deliveries a second; null: as fast as you answer. */
  throttlePerSecond: number | null
  /** Why it was disabled: `gone`, `failing` or `revoked`. */
  disabledReason: string | null
  /** When it was disabled. */
  disabledAt: string | null
  /** When it was deleted. */
  revokedAt: string | null
  /** Until when the secret before signs too. */
  previousSecretExpiresAt: string | null
  /** What it is called in other systems. Creating with a reference that is known updates the record that has it. */
  externalRefs: RecordRef[]
  /** When Parley first stored it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Rises by one with every change; send it in `If-Match` to change only what you have seen. */
  version: number
}
