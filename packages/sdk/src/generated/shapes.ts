// The shapes of what is no entity: keys, organization, deliveries, replays, simulations, and the bodies of actions. Generated from the contract by scripts/generate.mjs; do not edit.
import type { ParleyEvent } from '../events.js'
import type { EventType } from './events.js'
import type { Other, RecordRef, RecordRefBody } from './records.js'

export interface ApiKey {
  id: string
  name: string
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  environment: 'sandbox' | 'production' | Other
  prefix: string
  last4: string
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}

/** A key as it is shown once, when it was made. */
export interface MintedApiKey {
  id: string
  name: string
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  environment: 'sandbox' | 'production' | Other
  prefix: string
  last4: string
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  /** The whole key: shown here and never again. */
  key: string
}

/** The settings of one tenant: the sandbox and production have their own. */
export interface OrganizationSettings {
  strictReferences: boolean
  factAutoConfirmThreshold: number | null
  signalFireThreshold: number
  webhookWritesNeedAdmin: boolean
  timezone: string
  /** ISO 4217 code. */
  currency: string
  /** What whoever texts HELP is answered; null where the carrier does that. */
  smsHelpMessage: string | null
  /** ISO 3166-1 alpha-2 code of the country whose national phone numbers are read; null: every number must be E.164. */
  defaultCountry: string | null
  /** What reads transcripts, voicemails and SMS: the built-in rules, the organization’s own model (see the guide on extraction), or nothing. */
  extractor: 'rules' | 'model' | 'off' | Other
}

export interface Organization {
  id: string
  name: string
  environment: 'sandbox' | 'production' | Other
  apiEnabled: boolean
  settings: OrganizationSettings
}

/** Someone who signs in; `people` are those who call. */
export interface User {
  /** Names the user wherever someone acts: `approvedBy`, `assignedToId`, the actor of a history. */
  id: string
  name: string
  email: string | null
  hasPassword: boolean
  identities: {
    issuer: string
    linkedAt: string
  }[]
}

/** Who is signed in, and to which organizations. */
export interface Session {
  /** Null when nobody is signed in. */
  user: User | null
  organizations: {
    id: string
    name: string
    role: 'owner' | 'agent' | 'viewer' | Other
  }[]
  session: {
    id: string
    createdAt: string
    expiresAt: string
  } | null
  signIn: {
    /** The host of the OpenID Connect provider, where one is set. */
    openId: string | null
    /** Whether the server sends mail, so that a forgotten password can be replaced. */
    mail: boolean
  }
}

/** What a one-time link is for, or whom it has signed in. */
export interface ExchangedLink {
  purpose: 'sign_in' | 'invitation' | 'reset' | Other
  /** Of whom a sign-in link has signed in; null for other links. */
  session: Session | null
  link: {
    email: string | null
    organizationName: string | null
    role: 'owner' | 'agent' | 'viewer' | Other | null
    expiresAt: string
  } | null
}

export interface OpenIdStart {
  /** Where the browser goes to sign in. */
  url: string
}

/** Where a user is signed in. */
export interface UserSession {
  id: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  userAgent: string | null
  address: string | null
  isCurrent: boolean
}

/** A user of the organization. */
export interface Member {
  /** The id of the user. */
  id: string
  name: string
  email: string | null
  role: 'owner' | 'agent' | 'viewer' | Other
  joinedAt: string
  /** When the user was last here; null without a session. */
  lastSeenAt: string | null
}

export interface Invitation {
  id: string
  email: string
  role: 'owner' | 'agent' | 'viewer' | Other
  /** The user or the key that invited. */
  invitedById: string | null
  createdAt: string
  expiresAt: string
}

/** An invitation as it is shown once, when it was made. */
export interface MadeInvitation {
  id: string
  email: string
  role: 'owner' | 'agent' | 'viewer' | Other
  /** The user or the key that invited. */
  invitedById: string | null
  createdAt: string
  expiresAt: string
  /** The link to hand on: good once, shown here and never again. */
  url: string
}

export interface ResetLink {
  /** The link to hand on; null where it was mailed to the user instead. */
  url: string | null
  expiresAt: string
}

export interface CalendarFeed {
  id: string
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId: string | null
  createdAt: string
}

/** A feed as it is shown once, when it was made. */
export interface MadeCalendarFeed {
  id: string
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId: string | null
  createdAt: string
  /** The address to subscribe to: shown here and never again. */
  url: string
}

export interface DeletedRecord {
  /** Singular snake case: `work_record`. */
  entityType: string
  id: string
  deletedAt: string
}

/** A subscription as it is shown once, when its secret was made. */
export interface SubscriptionWithSecret {
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
  /** Signs every delivery: shown here and never again. */
  secret: string
}

export interface DeliveryAttempt {
  number: number
  startedAt: string
  durationMs: number
  timings: {
    dns: number | null
    connect: number | null
    tls: number | null
    firstByte: number | null
  }
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  trigger: 'event' | 'retry' | 'replay' | 'test' | Other
}

export interface Delivery {
  id: string
  subscriptionId: string
  eventId: string
  eventType: EventType | Other
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'RETRYING' | 'DEAD_LETTERED' | Other
  attemptCount: number
  replayCount: number
  nextAttemptAt: string | null
  lastAttemptAt: string | null
  lastResponseStatus: number | null
  lastError: string | null
  createdAt: string
  deliveredAt: string | null
  /** What was sent, with `expand=payload`; null where it is no longer kept. */
  payload?: ParleyEvent | null | undefined
  /** Each try, with `expand=attempts`. */
  attempts?: DeliveryAttempt[] | undefined
}

export interface ReplayJob {
  id: string
  subscriptionId: string
  status: 'running' | 'completed' | 'canceled' | Other
  /** Deliveries that fitted when the job was made. */
  matched: number
  /** Deliveries that were put back into the queue so far. */
  queued: number
  since: string
  until: string
  statuses: ('FAILED' | 'DEAD_LETTERED' | 'SUCCEEDED' | Other)[]
  eventTypes: (EventType | Other)[]
  createdAt: string
  finishedAt: string | null
}

export interface InboundEntry {
  id: string
  connectionId: string
  kind: string
  receivedAt: string
  /** What became of it; `pending`: still to be worked on. */
  status: 'pending' | 'processed' | 'ignored' | 'failed' | Other
  /** Why it failed or was ignored, or what the last try met. */
  error: string | null
  attempts: number
  /** Null when nothing is left to do, and while the connection is paused. */
  nextAttemptAt: string | null
  processedAt: string | null
  simulated: boolean
  /** What the provider calls the things it tells of, such as `CallSid`. */
  providerIds: Record<string, unknown>
  /** The records that it made or changed. */
  records: {
    entityType: string
    id: string
  }[]
  /** Without secrets. Shown to ADMIN keys. */
  headers?: Record<string, unknown> | undefined
  /** As it was sent, without secrets. Shown to ADMIN keys. */
  body?: string | undefined
}

export interface InboundSimulation {
  entry: InboundEntry
  /** What the provider would have been answered. */
  answer: {
    status: number
    contentType: string | null
    body: string | null
  }
}

export interface ConnectionCheck {
  ok: boolean
  status: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other
  /** What is wrong and what to do about it, or what the provider answered. */
  message: string
}

/** What a simulation begins with; the rest follows, as events. */
export interface Simulation {
  scenario: 'inbound_call' | 'missed_call' | 'voicemail' | 'inbound_sms' | 'full_intake' | Other
  callId: string | null
  smsId: string | null
  voicemailId: string | null
}

/** What the extractor finds in a conversation. */
export interface ExtractionPreview {
  extractor: string
  fallbackReason: string | null
  mentions: {
    kind: 'date' | 'time' | 'phone' | 'email' | 'address' | 'money' | 'person' | 'number' | 'duration' | Other
    segmentIndex: number
    /** The first character in the text of its segment. */
    start: number
    /** Past the last character. */
    end: number
    quote: string
    value: unknown
  }[]
  /** What would be proposed as facts. */
  facts: {
    key: string
    label: string
    value: unknown
    valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
    confidence: number
    /** How it was found; the guide on extraction lists the rules. */
    rule: string
    evidence: {
      segmentIndex: number
      /** The first character in the text of its segment. */
      start: number
      /** Past the last character. */
      end: number
      quote: string
    }[]
  }[]
  signals: {
    kind: string
    confidence: number
    evidence: {
      segmentIndex: number
      /** The first character in the text of its segment. */
      start: number
      /** Past the last character. */
      end: number
      quote: string
    }[]
  }[]
  draft: {
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
    /** What the draft of a call would say. */
    fields: {
      key: string
      label: string
      value: unknown
      valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
      confidence: number
      /** How it was found; the guide on extraction lists the rules. */
      rule: string
      evidence: {
        segmentIndex: number
        /** The first character in the text of its segment. */
        start: number
        /** Past the last character. */
        end: number
        quote: string
      }[]
    }[]
    missingFields: string[]
    /** Nothing that its kind of work requires is missing. */
    isComplete: boolean
  }
  summary: string | null
}

/** How proposed facts fared in review. */
export interface FactQuality {
  since: string
  until: string
  /** Only the newest 20000 facts were counted. */
  isTruncated: boolean
  groups: {
    /** Null unless grouped by key. */
    key: string | null
    /** Null unless grouped by extractor, and for facts that name none. */
    extractor: string | null
    /** All that were captured from conversations in the period, without those that their extractor replaced itself. */
    proposed: number
    /** Confirmed as they were proposed, by somebody. */
    confirmed: number
    /** Another value of the same call and key was confirmed in its place. */
    edited: number
    rejected: number
    /** Nobody has decided on them; a threshold is nobody. */
    ignored: number
    precision: number | null
    calibration: {
      from: number
      to: number
      /** All that were captured from conversations in the period, without those that their extractor replaced itself. */
      proposed: number
      /** Confirmed as they were proposed, by somebody. */
      confirmed: number
      /** Another value of the same call and key was confirmed in its place. */
      edited: number
      rejected: number
      /** Nobody has decided on them; a threshold is nobody. */
      ignored: number
      /** Confirmed, of those that somebody decided on. */
      precision: number | null
    }[]
    /** The lowest confidence from which on at least 95 % were confirmed, of at least 20 that somebody decided on. */
    suggestedThreshold: number | null
  }[]
}

export interface SchemaField {
  name: string
  type: string
  nullable: boolean
  readOnly: boolean
  required: boolean
  enum?: string[] | undefined
  references?: string | undefined
}

export interface SchemaEntity {
  slug: string
  label: string
  writable: boolean
  methods: ('GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | Other)[]
  scalarFields: SchemaField[]
  searchFields: string[]
  filterFields: string[]
  /** What `sort` takes, also with `-` in front. */
  sortFields: string[]
  /** What `<field>From` and `<field>Before` are there for. */
  rangeFields: string[]
}

/** What a key can reach. */
export interface Schema {
  organization: {
    id: string
    name: string
    environment: 'sandbox' | 'production' | Other
  }
  key: {
    id: string
    scope: 'READ' | 'WRITE' | 'ADMIN' | Other
    environment: 'sandbox' | 'production' | Other
  }
  apiVersion: string
  entities: SchemaEntity[]
  eventTypes: (EventType | Other)[]
  canonicalKinds: {
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
    enabled: boolean
  }[]
  providers: {
    provider: string
    label: string
    /** The `kind` of its connections. */
    connectionKind: string
    /** What it sends, each to the address of that name in `inboundUrls`. */
    inboundKinds: string[]
    /** JSON Schema of `config`. */
    config: Record<string, unknown>
    /** JSON Schema of `credentials`. */
    credentials: Record<string, unknown>
  }[]
  limits: {
    bodyBytes: number
    bodyValues: number
    recordingBytes: number
    inboundBytes: number
    inboundAudioBytes: number
    smsMediaBytes: number
    announcementLength: number
    pageDefault: number
    pageMax: number
    pageBytes: number
    countMax: number
    searchDefault: number
    queryLength: number
    nameLength: number
    textLength: number
    smsLength: number
    smsMediaItems: number
    wordLength: number
    urlLength: number
    freeFormBytes: number
    freeFormDepth: number
    freeFormKeys: number
    fieldSchemaBytes: number
    listItems: number
    externalRefs: number
    segmentLength: number
    segmentsPerRequest: number
    factsPerRequest: number
    hints: number
    qualityFacts: number
    previewSegments: number
    previewCharacters: number
    webhookSubscriptions: number
    openStreams: number
    calendarFeeds: number
    calendarEvents: number
    calendarDaysBack: number
    calendarDaysAhead: number
    idempotencyKeyLength: number
    idempotencyHours: number
    requestIdLength: number
    webhookAttempts: number
    webhookTimeoutSeconds: number
    webhookToleranceSeconds: number
    recordingUrlSeconds: number
    secretPreviewLength: number
    gracePeriodSecondsMax: number
    gracePeriodSecondsDefault: number
    observedAheadSeconds: number
    callSilenceHours: number
    embeddedItems: number
    embeddedTranscriptBytes: number
    eventTranscriptBytes: number
    eventBytes: number
    historyValueBytes: number
    passwordLengthMin: number
    passwordLength: number
    members: number
    invitations: number
    userSessions: number
    retentionDays: number
  }
}

export type Scenario = Simulation['scenario']

export interface ApiKeyCreate {
  name: string
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  expiresAt?: string | Date | null | undefined
}

/** For how long the old key or secret still works. */
export interface Rotation {
  gracePeriodSeconds?: number | undefined
}

export interface OrganizationUpdate {
  /** Changed with a live key only. */
  name?: string | undefined
  settings?:
    | {
        strictReferences?: boolean | undefined
        factAutoConfirmThreshold?: number | null | undefined
        signalFireThreshold?: number | undefined
        webhookWritesNeedAdmin?: boolean | undefined
        timezone?: string | undefined
        /** ISO 4217 code. */
        currency?: string | undefined
        /** What whoever texts HELP is answered; null where the carrier does that. */
        smsHelpMessage?: string | null | undefined
        /** ISO 3166-1 alpha-2 code of the country whose national phone numbers are read; null: every number must be E.164. */
        defaultCountry?: string | null | undefined
        /** What reads transcripts, voicemails and SMS: the built-in rules, the organization’s own model (see the guide on extraction), or nothing. */
        extractor?: 'rules' | 'model' | 'off' | Other | undefined
      }
    | undefined
}

export interface SignIn {
  email: string
  password: string
}

export interface InvitationAcceptance {
  /** What stands after the `#` of a one-time link. */
  token: string
  name?: string | undefined
  /** A new one; where the invited address already has a user, the one of that user. */
  password?: string | undefined
}

export interface PasswordReset {
  /** What stands after the `#` of a one-time link. */
  token: string
  password: string
}

export interface OpenIdRequest {
  /** Of an invitation, to accept it as whom the provider names. */
  token?: string | undefined
  /** Lets the signed-in user sign in this way from now on. */
  link?: boolean | undefined
  /** The path of the page to come back to. */
  returnTo?: string | undefined
}

export interface UserUpdate {
  name?: string | undefined
  /** Taken while the user has none. */
  email?: string | undefined
}

export interface PasswordChange {
  password: string
  /** Needed by a user who has a password. */
  currentPassword?: string | undefined
}

export interface MemberUpdate {
  role: 'owner' | 'agent' | 'viewer' | Other
}

export interface InvitationCreate {
  email: string
  role: 'owner' | 'agent' | 'viewer' | Other
}

export interface CalendarFeedCreate {
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId?: string | null | undefined
}

export interface SubscriptionCreate {
  url: string
  /** The host of the url unless said otherwise. */
  name?: string | undefined
  /** An empty list means the sixteen standard types. */
  eventTypes?: (EventType | Other)[] | undefined
  status?: 'active' | 'paused' | Other | undefined
  description?: string | null | undefined
  throttlePerSecond?: number | null | undefined
}

export interface SubscriptionUpdate {
  url?: string | undefined
  /** The host of the url unless said otherwise. */
  name?: string | undefined
  /** An empty list means the sixteen standard types. */
  eventTypes?: (EventType | Other)[] | undefined
  status?: 'active' | 'paused' | 'disabled' | Other | undefined
  description?: string | null | undefined
  throttlePerSecond?: number | null | undefined
}

export interface WebhookTest {
  eventType?: EventType | Other | undefined
}

export interface DeliveryReplay {
  /** Also sends again what has succeeded. */
  force?: boolean | undefined
}

export interface ReplayRequest {
  since: string | Date
  /** Now, unless said otherwise. */
  until?: string | Date | undefined
  /** FAILED and DEAD_LETTERED unless said otherwise. */
  statuses?: ('FAILED' | 'DEAD_LETTERED' | 'SUCCEEDED' | Other)[] | undefined
  eventTypes?: (EventType | Other)[] | undefined
}

export interface InboundSms {
  /** A number, a short code, a sender name, or null where the carrier shows none. */
  from: string | null
  /** E.164, for example +15550100200. */
  to: string
  /** Needed unless `mediaUrls` or `numMedia` tells of pictures. */
  body?: string | null | undefined
  mediaUrls?: string[] | undefined
  numMedia?: number | undefined
  sentAt?: string | Date | null | undefined
  /** The same one again is answered with the same SMS. */
  providerMessageId?: string | null | undefined
  /** What the carrier took the text for, where it knows words that we do not. */
  optOutType?: 'STOP' | 'START' | 'HELP' | Other | null | undefined
  /** What came with it: fetched in the background and kept here. */
  media?:
    | {
        contentType: string
        url: string
      }[]
    | undefined
}

export interface SmsReceipt {
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | Other
  /** Kept where none is known yet. */
  providerMessageId?: string | null | undefined
  errorCode?: string | null | undefined
  errorMessage?: string | null | undefined
  at?: string | Date | null | undefined
}

export interface DraftApproval {
  /** Merged over the payload of the draft. */
  payload?: Record<string, unknown> | undefined
  customerId?: string | null | undefined
  acceptFactIds?: string[] | undefined
  rejectFactIds?: string[] | undefined
}

export interface DraftRejection {
  reason?: string | null | undefined
}

export interface DraftSynced {
  /** Added to those of the draft. */
  externalRefs?: RecordRefBody[] | undefined
}

/** Where a fact is promoted to; without it the target follows from the definition and the subject. */
export interface FactPromotion {
  targetSubjectType?: 'person' | 'company' | 'customer' | Other | undefined
  targetSubjectId?: string | undefined
}

export interface ExtractionPreviewRequest {
  /** When the conversation began: days are reckoned from here. Now, if absent. */
  startedAt?: string | Date | undefined
  /** IANA name. That of the organization, if absent. */
  timeZone?: string | undefined
  /** At most 100000 characters of text in all. */
  segments: {
    /** `agent`, `ai` and `system` are our side; everybody else is the caller’s. */
    speaker: string
    text: string
  }[]
}

export interface SimulationRequest {
  scenario: 'inbound_call' | 'missed_call' | 'voicemail' | 'inbound_sms' | 'full_intake' | Other
  /** Which conversation is played. */
  script?: 'leaking_sink' | 'legal_matter' | 'tow' | 'clinic_appointment' | Other | undefined
  /** How many times faster than life; 20 unless said otherwise. */
  speed?: number | undefined
}

export interface InboundSimulationRequest {
  kind: string
  headers?: Record<string, unknown> | undefined
  /** A text is taken as it is: a form for Twilio. Anything else is sent as JSON. */
  body: unknown
}

export interface ApiKeyQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in name, scope, prefix and last characters. */
  q?: string | undefined
}

export interface MemberQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in name, e-mail address and role. */
  q?: string | undefined
}

export interface InvitationQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in e-mail address and role. */
  q?: string | undefined
}

export interface CalendarFeedQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in the name. */
  q?: string | undefined
}

export interface DeletedRecordQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in the entity type, the id, and what the record was found by. */
  q?: string | undefined
  /** Only deletions at or after this time. */
  since?: string | Date | undefined
}

export interface SubscriptionQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in name, URL and description. */
  q?: string | undefined
  /** Only subscriptions with this status. */
  status?: 'active' | 'paused' | 'disabled' | Other | undefined
  /** Also those that were revoked. */
  includeRevoked?: boolean | undefined
  /** Only records created at or after this time. */
  createdSince?: string | Date | undefined
  /** Only records created before this time. */
  createdBefore?: string | Date | undefined
  /** Only records changed at or after this time. */
  updatedSince?: string | Date | undefined
  /** By this time, earliest first; with `-` in front latest first. Records without it come last. Newest first unless said otherwise. */
  sort?: 'createdAt' | 'updatedAt' | '-createdAt' | '-updatedAt' | undefined
  /** Only records with createdAt at or after this time. */
  createdAtFrom?: string | Date | undefined
  /** Only records with createdAt before this time. */
  createdAtBefore?: string | Date | undefined
  /** Only records with updatedAt at or after this time. */
  updatedAtFrom?: string | Date | undefined
  /** Only records with updatedAt before this time. */
  updatedAtBefore?: string | Date | undefined
}

export interface ExpandQuery {
  /** A comma list of `payload` (what was sent) and `attempts` (each try with its timings and answer, the last 100 of them). */
  expand?: 'payload' | 'attempts' | Other | readonly ('payload' | 'attempts' | Other)[] | undefined
}

export interface DeliveryQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in event type, event id, status, last error and response status. */
  q?: string | undefined
  /** Only deliveries with one of these statuses, as a comma list. */
  status?:
    | 'PENDING'
    | 'SUCCEEDED'
    | 'FAILED'
    | 'RETRYING'
    | 'DEAD_LETTERED'
    | Other
    | readonly ('PENDING' | 'SUCCEEDED' | 'FAILED' | 'RETRYING' | 'DEAD_LETTERED' | Other)[]
    | undefined
  /** A comma list of `payload` (what was sent) and `attempts` (each try with its timings and answer, the last 100 of them). */
  expand?: 'payload' | 'attempts' | Other | readonly ('payload' | 'attempts' | Other)[] | undefined
}

export interface InboundLogQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in kind, status, error and the ids of the provider. */
  q?: string | undefined
  /** Only requests with this verdict. */
  status?: 'pending' | 'processed' | 'ignored' | 'failed' | Other | undefined
}

export interface EventQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in the type, the event id, and what the record it is about was found by then. */
  q?: string | undefined
  /** Only events of this type, or of these, separated by commas. */
  type?: EventType | Other | readonly (EventType | Other)[] | undefined
  /** Only events about this record. */
  subjectId?: string | undefined
  /** Only events at or after this time. */
  since?: string | Date | undefined
  /** Only events before this time. */
  until?: string | Date | undefined
  /** By this time, earliest first; with `-` in front latest first. Records without it come last. Newest first unless said otherwise. */
  sort?: 'occurredAt' | '-occurredAt' | undefined
  /** Only records with occurredAt at or after this time. */
  occurredAtFrom?: string | Date | undefined
  /** Only records with occurredAt before this time. */
  occurredAtBefore?: string | Date | undefined
  /** The last event that you have seen. */
  after?: string | undefined
}

export interface FactQualityQuery {
  /** By which to tell facts apart: `key`, `extractor`, or both; all together unless said otherwise. */
  groupBy?: 'key' | 'extractor' | Other | readonly ('key' | 'extractor' | Other)[] | undefined
  /** Only facts captured at or after this time; 90 days ago unless said. */
  since?: string | Date | undefined
  /** Only facts captured before this time; now unless said. */
  until?: string | Date | undefined
}
