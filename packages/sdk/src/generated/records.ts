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
  system: string
  externalId: string
  url: string | null
}

/** Where something was said. */
export interface Evidence {
  callSessionId: string | null
  segmentId: string | null
  messageId: string | null
  quote: string
  startMs: number | null
  endMs: number | null
  speaker: string | null
  /** Where the quote begins in the text of its segment or message. */
  startChar?: number | undefined
  /** Where it ends; exclusive. */
  endChar?: number | undefined
}

export interface RecordRefBody {
  system: string
  externalId: string
  url?: string | null | undefined
}

export interface EvidenceBody {
  callSessionId?: string | null | undefined
  segmentId?: string | null | undefined
  messageId?: string | null | undefined
  quote: string
  startMs?: number | null | undefined
  endMs?: number | null | undefined
  speaker?: string | null | undefined
  /** Where the quote begins in the text of its segment or message. */
  startChar?: number | undefined
  /** Where it ends; exclusive. */
  endChar?: number | undefined
}

/** One utterance of a call. */
export interface Segment {
  id: string
  callId: string
  sequence: number
  speaker: 'agent' | 'caller' | 'ai' | 'third_party' | 'system' | Other
  text: string
  startMs: number
  endMs: number | null
  confidence: number | null
  isFinal: boolean
}

export interface SegmentBody {
  id?: string | undefined
  callId?: string | undefined
  sequence: number
  speaker: 'agent' | 'caller' | 'ai' | 'third_party' | 'system' | Other
  text: string
  startMs: number
  endMs?: number | null | undefined
  confidence?: number | null | undefined
  isFinal?: boolean | undefined
}

/** A fact of a call; its subject follows from the call when it is left out. */
export interface CapturedFact {
  subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
  subjectId?: string | undefined
  key: string
  value: unknown
  status?: 'proposed' | 'confirmed' | Other | undefined
  confidence?: number | null | undefined
  source?: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other | undefined
  sourceCallSessionId?: string | null | undefined
  sourceMessageId?: string | null | undefined
  observedAt?: string | Date | undefined
  extractor?: string | null | undefined
  evidence?: EvidenceBody[] | undefined
  rationale?: string | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** A draft that is sent with the end of its call. */
export interface CapturedDraft {
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
  title?: string | null | undefined
  summary?: string | null | undefined
  payload?: Record<string, unknown> | undefined
  customerId?: string | null | undefined
  personId?: string | null | undefined
  confidence?: number | null | undefined
  factIds?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface CallEnd {
  endedAt?: string | Date | null | undefined
  duration?: number | null | undefined
  /** How the call went, over everything else that is known of it; kept as the outcome of a call that has none yet. */
  outcome?: 'answered' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other | null | undefined
  endReason?: string | null | undefined
  summary?: string | null | undefined
  transcript?: string | SegmentBody[] | undefined
  recordingUrl?: string | null | undefined
  facts?: CapturedFact[] | undefined
  draft?: CapturedDraft | null | undefined
  signals?: SignalEventCreate[] | undefined
}

/** All there is to see of a call at one moment; `revision` rises with every change of it. */
export interface CallSurface {
  callId: string
  organizationId: string
  asOf: string
  revision: number
  live: boolean
  call: {
    id: string
    direction: 'inbound' | 'outbound' | Other
    status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other
    endReason: string | null
    /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
    from: string | null
    /** E.164, for example +15550100200. */
    to: string
    callerName: string | null
    phoneNumberId: string | null
    personId: string | null
    customerId: string | null
    workRecordId: string | null
    handledBy: {
      type: 'human' | 'ai' | 'none' | Other
      userId: string | null
      agentName: string | null
    }
    startedAt: string
    answeredAt: string | null
    endedAt: string | null
    duration: number
    summary: string | null
    sentiment: string | null
    outcome: string | null
    recordingUrl: string | null
    recordingStatus: 'none' | 'pending' | 'available' | 'failed' | Other
    voicemailId: string | null
    transcriptStatus: 'none' | 'live' | 'available' | Other
    transcriptSegmentCount: number
    provider: string
    providerCallId: string | null
    metadata: Record<string, unknown>
    createdAt: string
    updatedAt: string
    version: number
  }
  person: {
    id: string
    displayName: string
    legalName: string | null
    primaryEmail: string | null
    /** E.164, for example +15550100200. */
    primaryPhone: string | null
    customerId: string | null
    createdAt: string
    version: number
  } | null
  customer: {
    id: string
    displayName: string
    customerType: 'individual' | 'business' | Other
    status: 'active' | 'inactive' | 'prospect' | 'blocked' | Other
    createdAt: string
    version: number
  } | null
  workRecord: {
    id: string
    number: string
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
    priority: 'low' | 'normal' | 'high' | 'urgent' | Other
    customerId: string
    createdAt: string
    version: number
  } | null
  draft: {
    id: string
    callSessionId: string
    status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'synced' | Other
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
    title: string | null
    summary: string | null
    payload: Record<string, unknown>
    missingFields: string[]
    factIds: string[]
    workRecordId: string | null
    createdAt: string
    version: number
  } | null
  draftFields: {
    key: string
    label: string
    value: unknown
    required: boolean
    source: 'draft' | 'fact' | 'none' | Other
    factId: string | null
    confidence: number | null
    state: 'missing' | 'proposed' | 'confirmed' | 'promoted' | 'approved' | Other
  }[]
  facts: {
    id: string
    subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
    subjectId: string
    key: string
    label: string | null
    value: unknown
    valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
    status: 'proposed' | 'confirmed' | 'rejected' | 'promoted' | 'superseded' | Other
    confidence: number | null
    observedAt: string
    evidence: Evidence[]
    createdAt: string
    version: number
  }[]
  signals: {
    id: string
    kind: string
    confidence: number
    severity: 'info' | 'warning' | 'critical' | Other
    firedAt: string
    details: Record<string, unknown>
    evidence: Evidence[]
    createdAt: string
  }[]
  transcript: {
    status: 'none' | 'live' | 'available' | Other
    segmentCount: number
    lastSequence: number | null
    tail: Segment[]
    segmentsUrl: string
    streamUrl: string
  }
  summary: {
    text: string | null
    status: 'none' | 'pending' | 'available' | Other
  }
  recording: {
    status: 'none' | 'pending' | 'available' | Other
    url: string | null
  }
  events: {
    id: string
    type: string
    at: string
    data: Record<string, unknown>
  }[]
}

/** Someone the organization talks to. */
export interface Person {
  id: string
  organizationId: string
  displayName: string
  /** Nobody set `displayName`: it follows the other names, as after null. Sending the stored name back sets nothing. Null in an older record until the upgrade has come to it. */
  displayNameDerived: boolean | null
  legalName: string | null
  firstName: string | null
  lastName: string | null
  primaryEmail: string | null
  /** E.164, for example +15550100200. */
  primaryPhone: string | null
  customerId: string | null
  customFields: Record<string, unknown>
  createdVia: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface PersonCreate {
  displayName?: string | null | undefined
  legalName?: string | null | undefined
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  customerId?: string | null | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface PersonUpdate {
  displayName?: string | null | undefined
  legalName?: string | null | undefined
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  customerId?: string | null | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of people takes. */
export interface PersonQuery extends PageQuery {
  customerId?: string | undefined
  primaryPhone?: string | undefined
  primaryEmail?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A unit of work: a job, a matter, a repair order, a claim. */
export interface WorkRecord {
  id: string
  organizationId: string
  number: string
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
  description: string | null
  recordState: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other
  stateReason: string | null
  status: string
  stage: string
  priority: 'low' | 'normal' | 'high' | 'urgent' | Other
  source: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other
  customerId: string
  primaryPersonId: string | null
  primaryCompanyId: string | null
  primaryLocationId: string | null
  assignedToId: string | null
  sourceCallSessionId: string | null
  draftId: string | null
  structuredFieldsJson: Record<string, unknown>
  tags: string[]
  requestedAt: string | null
  dueAt: string | null
  scheduledStart: string | null
  scheduledEnd: string | null
  completedAt: string | null
  closedAt: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface WorkRecordCreate {
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
  title: string
  description?: string | null | undefined
  recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | undefined
  stateReason?: string | null | undefined
  status?: string | undefined
  stage?: string | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | undefined
  customerId?: string | undefined
  primaryPersonId?: string | null | undefined
  primaryCompanyId?: string | null | undefined
  primaryLocationId?: string | null | undefined
  assignedToId?: string | null | undefined
  sourceCallSessionId?: string | null | undefined
  structuredFieldsJson?: Record<string, unknown> | undefined
  tags?: string[] | undefined
  requestedAt?: string | Date | null | undefined
  dueAt?: string | Date | null | undefined
  scheduledStart?: string | Date | null | undefined
  scheduledEnd?: string | Date | null | undefined
  completedAt?: string | Date | null | undefined
  closedAt?: string | Date | null | undefined
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

export interface WorkRecordUpdate {
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
  title?: string | undefined
  description?: string | null | undefined
  recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | undefined
  stateReason?: string | null | undefined
  status?: string | undefined
  stage?: string | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | undefined
  customerId?: string | undefined
  primaryPersonId?: string | null | undefined
  primaryCompanyId?: string | null | undefined
  primaryLocationId?: string | null | undefined
  assignedToId?: string | null | undefined
  sourceCallSessionId?: string | null | undefined
  structuredFieldsJson?: Record<string, unknown> | undefined
  tags?: string[] | undefined
  requestedAt?: string | Date | null | undefined
  dueAt?: string | Date | null | undefined
  scheduledStart?: string | Date | null | undefined
  scheduledEnd?: string | Date | null | undefined
  completedAt?: string | Date | null | undefined
  closedAt?: string | Date | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of work records takes. */
export interface WorkRecordQuery extends PageQuery {
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
  status?: string | undefined
  stage?: string | undefined
  recordState?: 'draft' | 'active' | 'blocked' | 'completed' | 'canceled' | Other | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  source?: 'call' | 'sms' | 'voicemail' | 'manual' | 'api' | 'import' | Other | undefined
  customerId?: string | undefined
  primaryPersonId?: string | undefined
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
  dueAtFrom?: string | Date | undefined
  dueAtBefore?: string | Date | undefined
  scheduledStartFrom?: string | Date | undefined
  scheduledStartBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A person or organization in some relation to the business: lead, customer, vendor, partner. */
export interface Party {
  id: string
  organizationId: string
  partyType: 'person' | 'organization' | Other
  displayName: string
  /** Nobody set `displayName`: it follows the other names, as after null. Sending the stored name back sets nothing. Null in an older record until the upgrade has come to it. */
  displayNameDerived: boolean | null
  firstName: string | null
  lastName: string | null
  orgName: string | null
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
  personId: string | null
  companyId: string | null
  primaryEmail: string | null
  /** E.164, for example +15550100200. */
  primaryPhone: string | null
  tags: string[]
  customFields: Record<string, unknown>
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface PartyCreate {
  partyType: 'person' | 'organization' | Other
  displayName?: string | null | undefined
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  orgName?: string | null | undefined
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
  personId?: string | null | undefined
  companyId?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  tags?: string[] | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface PartyUpdate {
  partyType?: 'person' | 'organization' | Other | undefined
  displayName?: string | null | undefined
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  orgName?: string | null | undefined
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
  personId?: string | null | undefined
  companyId?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  tags?: string[] | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of parties takes. */
export interface PartyQuery extends PageQuery {
  partyType?: 'person' | 'organization' | Other | undefined
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
  personId?: string | undefined
  companyId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** An account that work is done for. */
export interface Customer {
  id: string
  organizationId: string
  displayName: string
  /** Nobody set `displayName`: it follows the other names, as after null. Sending the stored name back sets nothing. Null in an older record until the upgrade has come to it. */
  displayNameDerived: boolean | null
  customerType: 'individual' | 'business' | Other
  status: 'active' | 'inactive' | 'prospect' | 'blocked' | Other
  customerNumber: string | null
  partyId: string | null
  primaryPersonId: string | null
  primaryCompanyId: string | null
  primaryLocationId: string | null
  primaryEmail: string | null
  /** E.164, for example +15550100200. */
  primaryPhone: string | null
  tags: string[]
  customFields: Record<string, unknown>
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface CustomerCreate {
  displayName?: string | null | undefined
  customerType?: 'individual' | 'business' | Other | undefined
  status?: 'active' | 'inactive' | 'prospect' | 'blocked' | Other | undefined
  customerNumber?: string | null | undefined
  partyId?: string | null | undefined
  primaryPersonId?: string | null | undefined
  primaryCompanyId?: string | null | undefined
  primaryLocationId?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  tags?: string[] | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
  /** Another name of `displayName`. */
  name?: string | undefined
}

export interface CustomerUpdate {
  displayName?: string | null | undefined
  customerType?: 'individual' | 'business' | Other | undefined
  status?: 'active' | 'inactive' | 'prospect' | 'blocked' | Other | undefined
  customerNumber?: string | null | undefined
  partyId?: string | null | undefined
  primaryPersonId?: string | null | undefined
  primaryCompanyId?: string | null | undefined
  primaryLocationId?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  tags?: string[] | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of customers takes. */
export interface CustomerQuery extends PageQuery {
  status?: 'active' | 'inactive' | 'prospect' | 'blocked' | Other | undefined
  customerType?: 'individual' | 'business' | Other | undefined
  customerNumber?: string | undefined
  primaryPersonId?: string | undefined
  primaryCompanyId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A business the organization deals with. */
export interface Company {
  id: string
  organizationId: string
  name: string
  legalName: string | null
  domain: string | null
  industry: string | null
  primaryEmail: string | null
  /** E.164, for example +15550100200. */
  primaryPhone: string | null
  website: string | null
  customerId: string | null
  primaryLocationId: string | null
  customFields: Record<string, unknown>
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface CompanyCreate {
  name?: string | undefined
  legalName?: string | null | undefined
  domain?: string | null | undefined
  industry?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  website?: string | null | undefined
  customerId?: string | null | undefined
  primaryLocationId?: string | null | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
  /** Another name of `name`. */
  displayName?: string | undefined
}

export interface CompanyUpdate {
  name?: string | undefined
  legalName?: string | null | undefined
  domain?: string | null | undefined
  industry?: string | null | undefined
  primaryEmail?: string | null | undefined
  /** E.164, for example +15550100200. */
  primaryPhone?: string | null | undefined
  website?: string | null | undefined
  customerId?: string | null | undefined
  primaryLocationId?: string | null | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of companies takes. */
export interface CompanyQuery extends PageQuery {
  domain?: string | undefined
  customerId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A place where work is done or mail goes. */
export interface Location {
  id: string
  organizationId: string
  label: string | null
  formattedAddress: string | null
  addressLine1: string | null
  addressLine2: string | null
  city: string | null
  region: string | null
  postalCode: string | null
  /** ISO 3166-1 alpha-2 code. */
  country: string | null
  geo: {
    lat: number
    lng: number
  } | null
  timezone: string | null
  locationType: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other
  accessNotes: string | null
  customerId: string | null
  companyId: string | null
  isPrimary: boolean
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface LocationCreate {
  label?: string | null | undefined
  formattedAddress?: string | null | undefined
  addressLine1?: string | null | undefined
  addressLine2?: string | null | undefined
  city?: string | null | undefined
  region?: string | null | undefined
  postalCode?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country?: string | null | undefined
  geo?:
    | {
        lat: number
        lng: number
      }
    | null
    | undefined
  timezone?: string | null | undefined
  locationType?: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other | undefined
  accessNotes?: string | null | undefined
  customerId?: string | null | undefined
  companyId?: string | null | undefined
  isPrimary?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface LocationUpdate {
  label?: string | null | undefined
  formattedAddress?: string | null | undefined
  addressLine1?: string | null | undefined
  addressLine2?: string | null | undefined
  city?: string | null | undefined
  region?: string | null | undefined
  postalCode?: string | null | undefined
  /** ISO 3166-1 alpha-2 code. */
  country?: string | null | undefined
  geo?:
    | {
        lat?: number | undefined
        lng?: number | undefined
      }
    | null
    | undefined
  timezone?: string | null | undefined
  locationType?: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other | undefined
  accessNotes?: string | null | undefined
  customerId?: string | null | undefined
  companyId?: string | null | undefined
  isPrimary?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of locations takes. */
export interface LocationQuery extends PageQuery {
  customerId?: string | undefined
  companyId?: string | undefined
  locationType?: 'service' | 'billing' | 'job_site' | 'branch' | 'mailing' | 'other' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** One way to reach someone, with what they have agreed to. */
export interface ContactMethod {
  id: string
  organizationId: string
  channel: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other
  value: string
  normalizedValue: string
  label: string | null
  isPrimary: boolean
  isVerified: boolean
  ownerType: 'party' | 'person' | 'company' | 'customer' | Other | null
  ownerId: string | null
  optInStatus: 'unknown' | 'opted_in' | 'opted_out' | Other
  doNotCall: boolean
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface ContactMethodCreate {
  channel: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other
  value: string
  label?: string | null | undefined
  isPrimary?: boolean | undefined
  isVerified?: boolean | undefined
  ownerType?: 'party' | 'person' | 'company' | 'customer' | Other | null | undefined
  ownerId?: string | null | undefined
  optInStatus?: 'unknown' | 'opted_in' | 'opted_out' | Other | undefined
  doNotCall?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface ContactMethodUpdate {
  channel?: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other | undefined
  value?: string | undefined
  label?: string | null | undefined
  isPrimary?: boolean | undefined
  isVerified?: boolean | undefined
  ownerType?: 'party' | 'person' | 'company' | 'customer' | Other | null | undefined
  ownerId?: string | null | undefined
  optInStatus?: 'unknown' | 'opted_in' | 'opted_out' | Other | undefined
  doNotCall?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of contact methods takes. */
export interface ContactMethodQuery extends PageQuery {
  channel?: 'phone' | 'email' | 'sms' | 'whatsapp' | 'web' | 'other' | Other | undefined
  normalizedValue?: string | undefined
  ownerType?: 'party' | 'person' | 'company' | 'customer' | Other | undefined
  ownerId?: string | undefined
  optInStatus?: 'unknown' | 'opted_in' | 'opted_out' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** An estimate, invoice, payment or other amount, in minor units. */
export interface MoneyRecord {
  id: string
  organizationId: string
  recordType: 'estimate' | 'quote' | 'invoice' | 'payment' | 'deposit' | 'refund' | 'credit' | 'fee' | 'other' | Other
  amountCents: number
  /** ISO 4217 code. */
  currency: string
  status: 'open' | 'draft' | 'partially_paid' | 'paid' | 'void' | 'uncollectible' | 'refunded' | 'failed' | Other
  number: string | null
  description: string | null
  issuedAt: string | null
  dueAt: string | null
  paidAt: string | null
  customerId: string | null
  workRecordId: string | null
  personId: string | null
  lineItems: {
    description: string
    quantity: number
    unitAmountCents: number
    amountCents: number
  }[]
  customFields: Record<string, unknown>
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface MoneyRecordCreate {
  recordType: 'estimate' | 'quote' | 'invoice' | 'payment' | 'deposit' | 'refund' | 'credit' | 'fee' | 'other' | Other
  amountCents: number
  /** ISO 4217 code. */
  currency?: string | undefined
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
  number?: string | null | undefined
  description?: string | null | undefined
  issuedAt?: string | Date | null | undefined
  dueAt?: string | Date | null | undefined
  paidAt?: string | Date | null | undefined
  customerId?: string | null | undefined
  workRecordId?: string | null | undefined
  personId?: string | null | undefined
  lineItems?:
    | {
        description: string
        quantity: number
        unitAmountCents: number
        amountCents: number
      }[]
    | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface MoneyRecordUpdate {
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
  amountCents?: number | undefined
  /** ISO 4217 code. */
  currency?: string | undefined
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
  number?: string | null | undefined
  description?: string | null | undefined
  issuedAt?: string | Date | null | undefined
  dueAt?: string | Date | null | undefined
  paidAt?: string | Date | null | undefined
  customerId?: string | null | undefined
  workRecordId?: string | null | undefined
  personId?: string | null | undefined
  lineItems?:
    | {
        description: string
        quantity: number
        unitAmountCents: number
        amountCents: number
      }[]
    | undefined
  customFields?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of money records takes. */
export interface MoneyRecordQuery extends PageQuery {
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
  customerId?: string | undefined
  workRecordId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'dueAt' | '-dueAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  dueAtFrom?: string | Date | undefined
  dueAtBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A thread with one participant on one channel. */
export interface Conversation {
  id: string
  organizationId: string
  channel: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other
  direction: 'inbound' | 'outbound' | Other | null
  status: 'open' | 'pending' | 'snoozed' | 'closed' | Other
  subject: string | null
  participantAddress: string | null
  ourAddress: string | null
  phoneNumberId: string | null
  personId: string | null
  customerId: string | null
  workRecordId: string | null
  assignedToId: string | null
  startedAt: string
  lastMessageAt: string | null
  messageCount: number
  lastMessagePreview: string | null
  summary: string | null
  tags: string[]
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface ConversationCreate {
  channel: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other
  direction?: 'inbound' | 'outbound' | Other | null | undefined
  status?: 'open' | 'pending' | 'snoozed' | 'closed' | Other | undefined
  subject?: string | null | undefined
  participantAddress?: string | null | undefined
  ourAddress?: string | null | undefined
  phoneNumberId?: string | null | undefined
  personId?: string | null | undefined
  customerId?: string | null | undefined
  workRecordId?: string | null | undefined
  assignedToId?: string | null | undefined
  startedAt?: string | Date | undefined
  lastMessageAt?: string | Date | null | undefined
  summary?: string | null | undefined
  tags?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface ConversationUpdate {
  channel?: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other | undefined
  direction?: 'inbound' | 'outbound' | Other | null | undefined
  status?: 'open' | 'pending' | 'snoozed' | 'closed' | Other | undefined
  subject?: string | null | undefined
  participantAddress?: string | null | undefined
  ourAddress?: string | null | undefined
  phoneNumberId?: string | null | undefined
  personId?: string | null | undefined
  customerId?: string | null | undefined
  workRecordId?: string | null | undefined
  assignedToId?: string | null | undefined
  startedAt?: string | Date | undefined
  lastMessageAt?: string | Date | null | undefined
  summary?: string | null | undefined
  tags?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of conversations takes. */
export interface ConversationQuery extends PageQuery {
  channel?: 'sms' | 'voice' | 'email' | 'chat' | 'whatsapp' | Other | undefined
  status?: 'open' | 'pending' | 'snoozed' | 'closed' | Other | undefined
  personId?: string | undefined
  customerId?: string | undefined
  assignedToId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A connection to another system. Its credentials are encrypted and never read back. */
export interface IntegrationConnection {
  id: string
  organizationId: string
  /** Whose system it is. For those that `GET /schema` lists under `providers`, config and credentials are checked. */
  provider: string
  name: string
  kind: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other
  status: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other
  config: Record<string, unknown>
  credentialsPreview: string | null
  lastError: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
  /** Addresses to paste into the provider, by kind; empty for a provider that sends nothing. */
  inboundUrls: Record<string, unknown>
}

export interface IntegrationConnectionCreate {
  /** Whose system it is. For those that `GET /schema` lists under `providers`, config and credentials are checked. */
  provider: string
  name: string
  kind?: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other | undefined
  status?: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other | undefined
  config?: Record<string, unknown> | undefined
  credentials?: Record<string, unknown> | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface IntegrationConnectionUpdate {
  /** Whose system it is. For those that `GET /schema` lists under `providers`, config and credentials are checked. */
  provider?: string | undefined
  name?: string | undefined
  kind?: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other | undefined
  status?: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other | undefined
  config?: Record<string, unknown> | undefined
  credentials?: Record<string, unknown> | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of integration connections takes. */
export interface IntegrationConnectionQuery extends PageQuery {
  provider?: string | undefined
  kind?: 'custom' | 'telephony' | 'voice_ai' | 'crm' | 'accounting' | 'calendar' | Other | undefined
  status?: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** What a record is called in another system. */
export interface ExternalRef {
  id: string
  organizationId: string
  entityType: string
  entityId: string
  system: string
  externalId: string
  url: string | null
  isPrimary: boolean
  metadata: Record<string, unknown>
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface ExternalRefCreate {
  entityType: string
  entityId: string
  system: string
  externalId: string
  url?: string | null | undefined
  isPrimary?: boolean | undefined
  metadata?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface ExternalRefUpdate {
  entityType?: string | undefined
  entityId?: string | undefined
  system?: string | undefined
  externalId?: string | undefined
  url?: string | null | undefined
  isPrimary?: boolean | undefined
  metadata?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of external references takes. */
export interface ExternalRefQuery extends PageQuery {
  entityType?: string | undefined
  entityId?: string | undefined
  system?: string | undefined
  externalId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** The persistent value of a custom field on a record, with where it came from. */
export interface FieldValue {
  id: string
  organizationId: string
  entityType: string
  entityId: string
  key: string
  value: unknown
  source: 'api' | 'fact' | 'human' | 'integration' | 'import' | Other
  sourceFactId: string | null
  confidence: number | null
  locked: boolean
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface FieldValueCreate {
  entityType: string
  entityId: string
  key: string
  value: unknown
  source?: 'api' | 'fact' | 'human' | 'integration' | 'import' | Other | undefined
  sourceFactId?: string | null | undefined
  confidence?: number | null | undefined
  locked?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface FieldValueUpdate {
  entityType?: string | undefined
  entityId?: string | undefined
  key?: string | undefined
  value?: unknown | undefined
  source?: 'api' | 'fact' | 'human' | 'integration' | 'import' | Other | undefined
  sourceFactId?: string | null | undefined
  confidence?: number | null | undefined
  locked?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of field values takes. */
export interface FieldValueQuery extends PageQuery {
  entityType?: string | undefined
  entityId?: string | undefined
  key?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** One change of one field: what it was, what it became, who did it. */
export interface FieldHistoryEntry {
  id: string
  organizationId: string
  entityType: string
  entityId: string
  field: string | null
  /** Whole up to 8 KiB. Of a larger object the keys that changed, of a larger text its `start`, with `$omitted`. */
  previousValue: unknown
  /** Whole up to 8 KiB. Of a larger object the keys that changed, of a larger text its `start`, with `$omitted`. */
  newValue: unknown
  changeType: 'create' | 'update' | 'delete' | 'promote' | Other
  source: string
  actor: {
    type: string
    id: string | null
  }
  sourceFactId: string | null
  requestId: string | null
  changedAt: string
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

/** What the list of field history takes. */
export interface FieldHistoryEntryQuery extends PageQuery {
  entityType?: string | undefined
  entityId?: string | undefined
  field?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A kind of signal: how severe it is and how sure we must be before it fires. */
export interface SignalDefinition {
  id: string
  organizationId: string
  key: string
  label: string
  description: string | null
  severity: 'info' | 'warning' | 'critical' | Other
  fireThreshold: number | null
  enabled: boolean
  /** What callers say when it is the case; the extractor fires the signal on any of them that is not negated. */
  phrases: string[]
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface SignalDefinitionCreate {
  key: string
  label?: string | undefined
  description?: string | null | undefined
  severity?: 'info' | 'warning' | 'critical' | Other | undefined
  fireThreshold?: number | null | undefined
  enabled?: boolean | undefined
  /** What callers say when it is the case; the extractor fires the signal on any of them that is not negated. */
  phrases?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface SignalDefinitionUpdate {
  key?: string | undefined
  label?: string | undefined
  description?: string | null | undefined
  severity?: 'info' | 'warning' | 'critical' | Other | undefined
  fireThreshold?: number | null | undefined
  enabled?: boolean | undefined
  /** What callers say when it is the case; the extractor fires the signal on any of them that is not negated. */
  phrases?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of signal definitions takes. */
export interface SignalDefinitionQuery extends PageQuery {
  key?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** Every raw detection of a signal, whether or not it was sure enough to fire. */
export interface SignalEvent {
  id: string
  organizationId: string
  kind: string
  confidence: number
  signalDefinitionId: string | null
  callSessionId: string | null
  messageId: string | null
  personId: string | null
  workRecordId: string | null
  detectedAt: string
  details: Record<string, unknown>
  evidence: Evidence[]
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface SignalEventCreate {
  kind: string
  confidence: number
  signalDefinitionId?: string | null | undefined
  callSessionId?: string | null | undefined
  messageId?: string | null | undefined
  personId?: string | null | undefined
  workRecordId?: string | null | undefined
  detectedAt?: string | Date | undefined
  details?: Record<string, unknown> | undefined
  evidence?: EvidenceBody[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of signal events takes. */
export interface SignalEventQuery extends PageQuery {
  kind?: string | undefined
  callSessionId?: string | undefined
  workRecordId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** Which kinds of work the organization does, with their defaults and fields. */
export interface WorkTypeDefinition {
  id: string
  organizationId: string
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
  label: string
  enabled: boolean
  defaultStatus: string
  defaultStage: string
  statuses: string[]
  stages: string[]
  fieldSchema: Record<string, unknown> | null
  requiredFields: string[]
  /** Words that callers use for work of this kind: the extractor tells the kind of a draft by these and the label. */
  hints: string[]
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface WorkTypeDefinitionCreate {
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
  label?: string | undefined
  enabled?: boolean | undefined
  defaultStatus?: string | undefined
  defaultStage?: string | undefined
  statuses?: string[] | undefined
  stages?: string[] | undefined
  fieldSchema?: Record<string, unknown> | null | undefined
  requiredFields?: string[] | undefined
  /** Words that callers use for work of this kind: the extractor tells the kind of a draft by these and the label. */
  hints?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface WorkTypeDefinitionUpdate {
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
  label?: string | undefined
  enabled?: boolean | undefined
  defaultStatus?: string | undefined
  defaultStage?: string | undefined
  statuses?: string[] | undefined
  stages?: string[] | undefined
  fieldSchema?: Record<string, unknown> | null | undefined
  requiredFields?: string[] | undefined
  /** Words that callers use for work of this kind: the extractor tells the kind of a draft by these and the label. */
  hints?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of work-type definitions takes. */
export interface WorkTypeDefinitionQuery extends PageQuery {
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
  enabled?: boolean | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** Something to do, often promised on a call. */
export interface Task {
  id: string
  organizationId: string
  title: string
  description: string | null
  status: 'open' | 'in_progress' | 'done' | 'canceled' | Other
  dueAt: string | null
  priority: 'low' | 'normal' | 'high' | 'urgent' | Other
  assignedToId: string | null
  subjectType: string | null
  subjectId: string | null
  workRecordId: string | null
  personId: string | null
  customerId: string | null
  sourceCallSessionId: string | null
  source: string
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface TaskCreate {
  title: string
  description?: string | null | undefined
  status?: 'open' | 'in_progress' | 'done' | 'canceled' | Other | undefined
  dueAt?: string | Date | null | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  assignedToId?: string | null | undefined
  subjectType?: string | null | undefined
  subjectId?: string | null | undefined
  workRecordId?: string | null | undefined
  personId?: string | null | undefined
  customerId?: string | null | undefined
  sourceCallSessionId?: string | null | undefined
  source?: string | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface TaskUpdate {
  title?: string | undefined
  description?: string | null | undefined
  status?: 'open' | 'in_progress' | 'done' | 'canceled' | Other | undefined
  dueAt?: string | Date | null | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  assignedToId?: string | null | undefined
  subjectType?: string | null | undefined
  subjectId?: string | null | undefined
  workRecordId?: string | null | undefined
  personId?: string | null | undefined
  customerId?: string | null | undefined
  sourceCallSessionId?: string | null | undefined
  source?: string | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of tasks takes. */
export interface TaskQuery extends PageQuery {
  status?: 'open' | 'in_progress' | 'done' | 'canceled' | Other | undefined
  priority?: 'low' | 'normal' | 'high' | 'urgent' | Other | undefined
  assignedToId?: string | undefined
  workRecordId?: string | undefined
  personId?: string | undefined
  customerId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'dueAt' | '-dueAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  dueAtFrom?: string | Date | undefined
  dueAtBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** Free text about a person, company, customer or work record. */
export interface Note {
  id: string
  organizationId: string
  body: string
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  subjectId: string
  authorId: string | null
  callSessionId: string | null
  pinned: boolean
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface NoteCreate {
  body: string
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  subjectId: string
  authorId?: string | null | undefined
  callSessionId?: string | null | undefined
  pinned?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface NoteUpdate {
  body?: string | undefined
  subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
  subjectId?: string | undefined
  authorId?: string | null | undefined
  callSessionId?: string | null | undefined
  pinned?: boolean | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of notes takes. */
export interface NoteQuery extends PageQuery {
  subjectType?: 'person' | 'company' | 'customer' | 'work_record' | Other | undefined
  subjectId?: string | undefined
  callSessionId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A time at which something was agreed to happen. */
export interface Appointment {
  id: string
  organizationId: string
  title: string
  startAt: string
  endAt: string | null
  timezone: string | null
  status: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other
  workRecordId: string | null
  customerId: string | null
  personId: string | null
  locationId: string | null
  sourceCallSessionId: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface AppointmentCreate {
  title: string
  startAt: string | Date
  endAt?: string | Date | null | undefined
  timezone?: string | null | undefined
  status?: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other | undefined
  workRecordId?: string | null | undefined
  customerId?: string | null | undefined
  personId?: string | null | undefined
  locationId?: string | null | undefined
  sourceCallSessionId?: string | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface AppointmentUpdate {
  title?: string | undefined
  startAt?: string | Date | undefined
  endAt?: string | Date | null | undefined
  timezone?: string | null | undefined
  status?: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other | undefined
  workRecordId?: string | null | undefined
  customerId?: string | null | undefined
  personId?: string | null | undefined
  locationId?: string | null | undefined
  sourceCallSessionId?: string | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of appointments takes. */
export interface AppointmentQuery extends PageQuery {
  status?: 'scheduled' | 'confirmed' | 'completed' | 'canceled' | 'no_show' | Other | undefined
  workRecordId?: string | undefined
  customerId?: string | undefined
  personId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'startAt' | '-startAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  startAtFrom?: string | Date | undefined
  startAtBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** One run of an automated workflow and what it captured. */
export interface WorkflowRun {
  id: string
  organizationId: string
  workflowKey: string
  status: 'running' | 'completed' | 'failed' | 'canceled' | Other
  callSessionId: string | null
  workRecordId: string | null
  personId: string | null
  capturedFields: Record<string, unknown>
  startedAt: string
  finishedAt: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface WorkflowRunCreate {
  workflowKey: string
  status?: 'running' | 'completed' | 'failed' | 'canceled' | Other | undefined
  callSessionId?: string | null | undefined
  workRecordId?: string | null | undefined
  personId?: string | null | undefined
  capturedFields?: Record<string, unknown> | undefined
  startedAt?: string | Date | undefined
  finishedAt?: string | Date | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface WorkflowRunUpdate {
  workflowKey?: string | undefined
  status?: 'running' | 'completed' | 'failed' | 'canceled' | Other | undefined
  callSessionId?: string | null | undefined
  workRecordId?: string | null | undefined
  personId?: string | null | undefined
  capturedFields?: Record<string, unknown> | undefined
  startedAt?: string | Date | undefined
  finishedAt?: string | Date | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of workflow runs takes. */
export interface WorkflowRunQuery extends PageQuery {
  workflowKey?: string | undefined
  status?: 'running' | 'completed' | 'failed' | 'canceled' | Other | undefined
  callSessionId?: string | undefined
  workRecordId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** One call, from ring to end, with what was said and learned. */
export interface Call {
  id: string
  organizationId: string
  direction: 'inbound' | 'outbound' | Other
  status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other
  endReason: string | null
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** The number was withheld. */
  fromWithheld: boolean
  /** E.164, for example +15550100200. */
  to: string
  callerName: string | null
  phoneNumberId: string | null
  personId: string | null
  customerId: string | null
  companyId: string | null
  workRecordId: string | null
  conversationId: string | null
  handledBy: {
    type: 'human' | 'ai' | 'none' | Other
    userId: string | null
    agentName: string | null
  }
  startedAt: string
  answeredAt: string | null
  endedAt: string | null
  duration: number
  language: string | null
  summary: string | null
  sentiment: string | null
  outcome: string | null
  recordingUrl: string | null
  recordingStatus: 'none' | 'pending' | 'available' | 'failed' | Other
  voicemailId: string | null
  provider: string
  providerCallId: string | null
  metadata: Record<string, unknown>
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
  transcriptStatus: 'none' | 'live' | 'available' | Other
  transcriptSegmentCount: number
  transcriptSegments: Segment[]
  drafts: Draft[]
  facts: Fact[]
  signals: Signal[]
}

export interface CallCreate {
  direction: 'inbound' | 'outbound' | Other
  status?: 'ringing' | 'in_progress' | Other | undefined
  endReason?: string | null | undefined
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** E.164, for example +15550100200. */
  to: string
  callerName?: string | null | undefined
  phoneNumberId?: string | null | undefined
  personId?: string | null | undefined
  customerId?: string | null | undefined
  companyId?: string | null | undefined
  workRecordId?: string | null | undefined
  handledBy?:
    | {
        type: 'human' | 'ai' | 'none' | Other
        userId?: string | null | undefined
        agentName?: string | null | undefined
      }
    | undefined
  startedAt?: string | Date | undefined
  answeredAt?: string | Date | null | undefined
  language?: string | null | undefined
  summary?: string | null | undefined
  sentiment?: string | null | undefined
  outcome?: string | null | undefined
  recordingUrl?: string | null | undefined
  provider?: string | undefined
  providerCallId?: string | null | undefined
  metadata?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface CallUpdate {
  status?: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other | undefined
  endReason?: string | null | undefined
  callerName?: string | null | undefined
  phoneNumberId?: string | null | undefined
  personId?: string | null | undefined
  customerId?: string | null | undefined
  companyId?: string | null | undefined
  workRecordId?: string | null | undefined
  handledBy?:
    | {
        type?: 'human' | 'ai' | 'none' | Other | undefined
        userId?: string | null | undefined
        agentName?: string | null | undefined
      }
    | undefined
  answeredAt?: string | Date | null | undefined
  language?: string | null | undefined
  summary?: string | null | undefined
  sentiment?: string | null | undefined
  outcome?: string | null | undefined
  recordingUrl?: string | null | undefined
  metadata?: Record<string, unknown> | undefined
  externalRefs?: RecordRefBody[] | undefined
  /** Talk seconds; taken with a terminal status, ignored once the call has ended. */
  duration?: number | undefined
  /** Taken with a terminal status, ignored once the call has ended. */
  endedAt?: string | Date | null | undefined
}

/** What the list of calls takes. */
export interface CallQuery extends PageQuery {
  direction?: 'inbound' | 'outbound' | Other | undefined
  status?: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'voicemail' | 'canceled' | 'failed' | Other | undefined
  personId?: string | undefined
  customerId?: string | undefined
  workRecordId?: string | undefined
  phoneNumberId?: string | undefined
  since?: string | Date | undefined
  until?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'startedAt' | '-startedAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  startedAtFrom?: string | Date | undefined
  startedAtBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** One text message. */
export interface Sms {
  id: string
  organizationId: string
  direction: 'inbound' | 'outbound' | Other
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  from: string | null
  /** The number was withheld. */
  fromWithheld: boolean
  /** E.164, for example +15550100200, or a short code that has sent a text. */
  to: string
  body: string
  /** How many pictures or other files came with it. */
  numMedia: number
  /** Where the carrier keeps them, as it said; they may need its credentials. */
  mediaUrls: string[]
  /** What came with it, fetched and kept here. */
  media: {
    id: string
    contentType: string
    bytes: number | null
    status: 'pending' | 'available' | 'failed' | Other
    /** Good without a key for five minutes; null until it is available. */
    url: string | null
  }[]
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received' | Other
  threadId: string | null
  personId: string | null
  phoneNumberId: string | null
  providerMessageId: string | null
  errorCode: string | null
  errorMessage: string | null
  sentAt: string
  deliveredAt: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface SmsCreate {
  body: string
  /** Needed unless `personId` is given; wins over the number of the person. */
  to?: string | null | undefined
  personId?: string | null | undefined
  fromPhoneNumberId?: string | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of sms takes. */
export interface SmsQuery extends PageQuery {
  direction?: 'inbound' | 'outbound' | Other | undefined
  threadId?: string | undefined
  personId?: string | undefined
  status?: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received' | Other | undefined
  since?: string | Date | undefined
  until?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'sentAt' | '-sentAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  sentAtFrom?: string | Date | undefined
  sentAtBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** One message of any channel: a text, a call, a voicemail, an e-mail. */
export interface Message {
  id: string
  organizationId: string
  threadId: string
  direction: 'inbound' | 'outbound' | Other
  channel: 'sms' | 'voice' | 'email' | Other
  body: string
  from: string | null
  to: string | null
  personId: string | null
  smsId: string | null
  callSessionId: string | null
  voicemailId: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface MessageCreate {
  threadId?: string | undefined
  direction: 'inbound' | 'outbound' | Other
  channel: 'sms' | 'voice' | 'email' | Other
  body: string
  from?: string | null | undefined
  to?: string | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of messages takes. */
export interface MessageQuery extends PageQuery {
  channel?: 'sms' | 'voice' | 'email' | Other | undefined
  direction?: 'inbound' | 'outbound' | Other | undefined
  threadId?: string | undefined
  personId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A message a caller left, with its transcript and recording. */
export interface Voicemail {
  id: string
  organizationId: string
  callSessionId: string | null
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  callerNumber: string | null
  /** The number was withheld. */
  callerWithheld: boolean
  /** E.164, for example +15550100200. */
  to: string | null
  /** Who left it; found by the number unless said. */
  personId: string | null
  transcript: string | null
  durationSeconds: number | null
  /** When somebody listened to it; null: nobody has yet. */
  listenedAt: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
  /** Plays without a key for five minutes; null until the audio is there. */
  recordingUrl: string | null
  /** Redirects to a fresh recordingUrl; needs a key and does not expire. */
  recordingApiUrl: string | null
  /** pending: it is being fetched; failed: recordingError says why. */
  recordingStatus: 'none' | 'pending' | 'available' | 'failed' | Other
  /** Why the last address that was to be fetched could not be. */
  recordingError: string | null
}

export interface VoicemailCreate {
  callSessionId?: string | null | undefined
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  callerNumber: string | null
  /** E.164, for example +15550100200. */
  to?: string | null | undefined
  /** Who left it; found by the number unless said. */
  personId?: string | null | undefined
  transcript?: string | null | undefined
  durationSeconds?: number | null | undefined
  /** When somebody listened to it; null: nobody has yet. */
  listenedAt?: string | Date | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface VoicemailUpdate {
  callSessionId?: string | null | undefined
  /** E.164, for example +15550100200, a short code of 3 to 8 digits, or a sender name of up to 11 letters and digits. */
  callerNumber?: string | null | undefined
  /** E.164, for example +15550100200. */
  to?: string | null | undefined
  /** Who left it; found by the number unless said. */
  personId?: string | null | undefined
  transcript?: string | null | undefined
  durationSeconds?: number | null | undefined
  /** When somebody listened to it; null: nobody has yet. */
  listenedAt?: string | Date | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of voicemails takes. */
export interface VoicemailQuery extends PageQuery {
  personId?: string | undefined
  since?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A proposed work record from a call, awaiting human approval. */
export interface Draft {
  id: string
  organizationId: string
  callSessionId: string
  status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'synced' | Other
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
  title: string | null
  summary: string | null
  payload: Record<string, unknown>
  customerId: string | null
  personId: string | null
  confidence: number | null
  missingFields: string[]
  factIds: string[]
  workRecordId: string | null
  approvedBy: string | null
  approvedAt: string | null
  rejectedBy: string | null
  rejectedAt: string | null
  rejectedReason: string | null
  /** What Parley’s extractor proposed, with its evidence; null when it had no part. What others said since stands in the fields of the draft itself. */
  extraction: {
    extractor: string
    /** Why the rules were used in place of the model. */
    fallbackReason: string | null
    /** Of the words that were read: a model does not read the same words twice. */
    fingerprint: string
    /** The extractor made the draft; false when it only filled its gaps. */
    isDraftMade: boolean
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
    title: string | null
    summary: string | null
    fields: {
      key: string
      value: unknown
      confidence: number
      evidence: Evidence[]
    }[]
  } | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface DraftCreate {
  callSessionId: string
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
  title?: string | null | undefined
  summary?: string | null | undefined
  payload?: Record<string, unknown> | undefined
  customerId?: string | null | undefined
  personId?: string | null | undefined
  confidence?: number | null | undefined
  factIds?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface DraftUpdate {
  callSessionId?: string | undefined
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
  title?: string | null | undefined
  summary?: string | null | undefined
  payload?: Record<string, unknown> | undefined
  customerId?: string | null | undefined
  personId?: string | null | undefined
  confidence?: number | null | undefined
  factIds?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of drafts takes. */
export interface DraftQuery extends PageQuery {
  status?: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'synced' | Other | undefined
  callSessionId?: string | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** Something learned about a subject, with its evidence and its standing. */
export interface Fact {
  id: string
  organizationId: string
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  subjectId: string
  key: string
  label: string | null
  value: unknown
  valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
  status: 'proposed' | 'confirmed' | 'rejected' | 'promoted' | 'superseded' | Other
  confidence: number | null
  source: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other
  sourceCallSessionId: string | null
  sourceMessageId: string | null
  observedAt: string
  extractor: string | null
  evidence: Evidence[]
  rationale: string | null
  corroborationCount: number
  confirmedAt: string | null
  confirmedBy: string | null
  confirmedVia: 'human' | 'api' | 'threshold' | 'promotion' | 'draft_approval' | Other | null
  rejectedAt: string | null
  rejectedBy: string | null
  promotedSubjectType: 'person' | 'company' | 'customer' | Other | null
  promotedSubjectId: string | null
  promotedAt: string | null
  promotedBy: string | null
  supersededById: string | null
  supersededAt: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface FactCreate {
  subjectType: 'person' | 'company' | 'customer' | 'work_record' | Other
  subjectId: string
  key: string
  value: unknown
  status?: 'proposed' | 'confirmed' | Other | undefined
  confidence?: number | null | undefined
  source?: 'call' | 'sms' | 'voicemail' | 'form' | 'manual' | 'api' | 'import' | Other | undefined
  sourceCallSessionId?: string | null | undefined
  sourceMessageId?: string | null | undefined
  observedAt?: string | Date | undefined
  extractor?: string | null | undefined
  evidence?: EvidenceBody[] | undefined
  rationale?: string | null | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of facts takes. */
export interface FactQuery extends PageQuery {
  subjectType?:
    | 'person'
    | 'company'
    | 'customer'
    | 'work_record'
    | Other
    | readonly ('person' | 'company' | 'customer' | 'work_record' | Other)[]
    | undefined
  subjectId?: string | readonly string[] | undefined
  key?: string | readonly string[] | undefined
  status?:
    | 'proposed'
    | 'confirmed'
    | 'rejected'
    | 'promoted'
    | 'superseded'
    | Other
    | readonly ('proposed' | 'confirmed' | 'rejected' | 'promoted' | 'superseded' | Other)[]
    | undefined
  sourceCallSessionId?: string | undefined
  minConfidence?: number | undefined
  since?: string | Date | undefined
  until?: string | Date | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'observedAt' | '-observedAt' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  observedAtFrom?: string | Date | undefined
  observedAtBefore?: string | Date | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** What a fact key means: its type, its subject, and when it confirms itself. */
export interface FactDefinition {
  id: string
  organizationId: string
  key: string
  label: string
  valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
  subjectScope: 'person' | 'company' | 'customer' | 'work_record' | 'polymorphic' | Other
  description: string | null
  enumValues: string[] | null
  cardinality: 'one' | 'many' | Other
  autoConfirmThreshold: number | null
  /** Other words for it, as callers and agents say them: the extractor finds the field by these too. */
  hints: string[]
  /** Set by Parley: true while nobody has configured the definition that the first fact made. */
  inferred: boolean
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface FactDefinitionCreate {
  key: string
  label?: string | undefined
  valueType?: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other | undefined
  subjectScope?: 'person' | 'company' | 'customer' | 'work_record' | 'polymorphic' | Other | undefined
  description?: string | null | undefined
  enumValues?: string[] | null | undefined
  cardinality?: 'one' | 'many' | Other | undefined
  autoConfirmThreshold?: number | null | undefined
  /** Other words for it, as callers and agents say them: the extractor finds the field by these too. */
  hints?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface FactDefinitionUpdate {
  key?: string | undefined
  label?: string | undefined
  valueType?: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other | undefined
  subjectScope?: 'person' | 'company' | 'customer' | 'work_record' | 'polymorphic' | Other | undefined
  description?: string | null | undefined
  enumValues?: string[] | null | undefined
  cardinality?: 'one' | 'many' | Other | undefined
  autoConfirmThreshold?: number | null | undefined
  /** Other words for it, as callers and agents say them: the extractor finds the field by these too. */
  hints?: string[] | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of fact definitions takes. */
export interface FactDefinitionQuery extends PageQuery {
  key?: string | undefined
  valueType?: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A complaint, an upsell, an escalation: something noticed with confidence. */
export interface Signal {
  id: string
  organizationId: string
  kind: string
  signalKey: string
  confidence: number
  severity: 'info' | 'warning' | 'critical' | Other
  callSessionId: string | null
  workRecordId: string | null
  personId: string | null
  firedAt: string
  details: Record<string, unknown>
  evidence: Evidence[]
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

/** What the list of signals takes. */
export interface SignalQuery extends PageQuery {
  kind?: string | undefined
  callSessionId?: string | undefined
  workRecordId?: string | undefined
  signalKey?: string | undefined
  minConfidence?: number | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A number the organization owns. */
export interface PhoneNumber {
  id: string
  organizationId: string
  /** E.164, for example +15550100200. */
  e164: string
  provider: string
  providerSid: string | null
  status: 'active' | 'released' | 'retired' | Other
  label: string | null
  capabilities: {
    voice: boolean
    sms: boolean
  }
  isDefault: boolean
  integrationConnectionId: string | null
  /** What happens to calls; null: a short announcement and a hang-up. */
  routing: {
    forwardTo: string[]
    ringSeconds: number
    strategy: 'simultaneous' | 'sequential' | Other
    /** When calls are forwarded; null: always. */
    hours: {
      /** Such as America/New_York. */
      timeZone: string
      weekly: {
        day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | Other
        /** Such as 09:00. */
        from: string
        /** Such as 09:00. */
        to: string
      }[]
      closed: string[]
    } | null
    greeting: string | null
    consentMessage: string | null
    record: boolean
    transcribe: boolean
    voicemail: boolean
  } | null
  /** Made because its provider reported a text or a call on it. */
  autoCreated: boolean
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}

export interface PhoneNumberCreate {
  /** E.164, for example +15550100200. */
  e164: string
  provider?: string | undefined
  providerSid?: string | null | undefined
  status?: 'active' | 'released' | 'retired' | Other | undefined
  label?: string | null | undefined
  capabilities?:
    | {
        voice?: boolean | undefined
        sms?: boolean | undefined
      }
    | undefined
  isDefault?: boolean | undefined
  integrationConnectionId?: string | null | undefined
  /** What happens to calls; null: a short announcement and a hang-up. */
  routing?:
    | {
        forwardTo?: string[] | undefined
        ringSeconds?: number | undefined
        strategy?: 'simultaneous' | 'sequential' | Other | undefined
        /** When calls are forwarded; null: always. */
        hours?:
          | {
              /** Such as America/New_York. */
              timeZone: string
              weekly?:
                | {
                    day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | Other
                    /** Such as 09:00. */
                    from: string
                    /** Such as 09:00. */
                    to: string
                  }[]
                | undefined
              closed?: string[] | undefined
            }
          | null
          | undefined
        greeting?: string | null | undefined
        consentMessage?: string | null | undefined
        record?: boolean | undefined
        transcribe?: boolean | undefined
        voicemail?: boolean | undefined
      }
    | null
    | undefined
  externalRefs?: RecordRefBody[] | undefined
}

export interface PhoneNumberUpdate {
  /** E.164, for example +15550100200. */
  e164?: string | undefined
  provider?: string | undefined
  providerSid?: string | null | undefined
  status?: 'active' | 'released' | 'retired' | Other | undefined
  label?: string | null | undefined
  capabilities?:
    | {
        voice?: boolean | undefined
        sms?: boolean | undefined
      }
    | undefined
  isDefault?: boolean | undefined
  integrationConnectionId?: string | null | undefined
  /** What happens to calls; null: a short announcement and a hang-up. */
  routing?:
    | {
        forwardTo?: string[] | undefined
        ringSeconds?: number | undefined
        strategy?: 'simultaneous' | 'sequential' | Other | undefined
        /** When calls are forwarded; null: always. */
        hours?:
          | {
              /** Such as America/New_York. */
              timeZone?: string | undefined
              weekly?:
                | {
                    day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | Other
                    /** Such as 09:00. */
                    from: string
                    /** Such as 09:00. */
                    to: string
                  }[]
                | undefined
              closed?: string[] | undefined
            }
          | null
          | undefined
        greeting?: string | null | undefined
        consentMessage?: string | null | undefined
        record?: boolean | undefined
        transcribe?: boolean | undefined
        voicemail?: boolean | undefined
      }
    | null
    | undefined
  externalRefs?: RecordRefBody[] | undefined
}

/** What the list of phone numbers takes. */
export interface PhoneNumberQuery extends PageQuery {
  status?: 'active' | 'released' | 'retired' | Other | undefined
  /** Earliest first; with `-` latest first. Records without the time come last. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  createdAtFrom?: string | Date | undefined
  createdAtBefore?: string | Date | undefined
  updatedAtFrom?: string | Date | undefined
  updatedAtBefore?: string | Date | undefined
}

/** A URL that events are sent to. */
export interface WebhookSubscription {
  id: string
  organizationId: string
  name: string
  url: string
  eventTypes: string[]
  status: 'active' | 'paused' | 'disabled' | Other
  description: string | null
  signingSecretPreview: string
  throttlePerSecond: number | null
  disabledReason: string | null
  disabledAt: string | null
  revokedAt: string | null
  previousSecretExpiresAt: string | null
  externalRefs: RecordRef[]
  createdAt: string
  updatedAt: string
  version: number
}
