// The shapes of what is no entity: keys, organization, deliveries, replays, simulations, and the bodies of actions. Generated from the contract by scripts/generate.mjs; do not edit.
import type { ParleyEvent } from '../events.js'
import type { EventType } from './events.js'
import type { Customer, Other, Person, RecordRef, RecordRefBody } from './records.js'

export interface ApiKey {
  /** Made by Parley. */
  id: string
  /** What it is for, in your own words. */
  name: string
  /** What it may do; each scope includes the ones before it. */
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  /** The environment that it belongs to and reaches. */
  environment: 'sandbox' | 'production' | Other
  /** What an agent may do with it at `/mcp`: `propose` facts and drafts for people to decide on, or write `direct`. Elsewhere it changes nothing. */
  agentWrites: 'propose' | 'direct' | Other
  /** Its first characters, to tell keys apart. */
  prefix: string
  /** Its last characters, to tell keys apart. */
  last4: string
  /** When it was made. */
  createdAt: string
  /** When it stops working by itself; null: never. */
  expiresAt: string | null
  /** When a request last came with it, to the minute or so. */
  lastUsedAt: string | null
  /** When it was revoked. */
  revokedAt: string | null
}

/** A key as it is shown once, when it was made. */
export interface MintedApiKey {
  /** Made by Parley. */
  id: string
  /** What it is for, in your own words. */
  name: string
  /** What it may do; each scope includes the ones before it. */
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  /** The environment that it belongs to and reaches. */
  environment: 'sandbox' | 'production' | Other
  /** What an agent may do with it at `/mcp`: `propose` facts and drafts for people to decide on, or write `direct`. Elsewhere it changes nothing. */
  agentWrites: 'propose' | 'direct' | Other
  /** Its first characters, to tell keys apart. */
  prefix: string
  /** Its last characters, to tell keys apart. */
  last4: string
  /** When it was made. */
  createdAt: string
  /** When it stops working by itself; null: never. */
  expiresAt: string | null
  /** When a request last came with it, to the minute or so. */
  lastUsedAt: string | null
  /** When it was revoked. */
  revokedAt: string | null
  /** The whole key: shown here and never again. */
  key: string
}

/** The settings of one tenant: the sandbox and production have their own. */
export interface OrganizationSettings {
  /** Whether an id that names no record is refused; otherwise records may come in any order. */
  strictReferences: boolean
  /** Facts at least this sure confirm themselves, unless their definition says otherwise; null: none. */
  factAutoConfirmThreshold: number | null
  /** Detections at least this sure fire, unless their definition says otherwise. */
  signalFireThreshold: number
  /** Whether webhooks are changed with scope ADMIN only; otherwise WRITE is enough. */
  webhookWritesNeedAdmin: boolean
  /** The time zone of the business, such as `America/Los_Angeles`. */
  timezone: string
  /** The currency of amounts that name none. ISO 4217 code. */
  currency: string
  /** What whoever texts HELP is answered; null where the carrier does that. */
  smsHelpMessage: string | null
  /** ISO 3166-1 alpha-2 code of the country whose national phone numbers are read; null: every number must be E.164. */
  defaultCountry: string | null
  /** What reads transcripts, voicemails and SMS: the built-in rules, the organization’s own model (see the guide on extraction), or nothing. */
  extractor: 'rules' | 'model' | 'off' | Other
}

export interface Organization {
  /** The same in both environments. */
  id: string
  /** What it is called. */
  name: string
  /** The environment of the key that asks. */
  environment: 'sandbox' | 'production' | Other
  /** Whether its keys are let in; the operator decides. */
  apiEnabled: boolean
  /** How this environment behaves. The sandbox and production have their own. */
  settings: OrganizationSettings
}

/** Someone who signs in; `people` are those who call. */
export interface User {
  /** Names the user wherever someone acts: `approvedBy`, `assignedToId`, the actor of a history. */
  id: string
  /** What the user is called. */
  name: string
  /** Where the user gets mail, and signs in with a password. */
  email: string | null
  /** Whether the user can sign in with a password. */
  hasPassword: boolean
  /** The providers that the user can sign in by. */
  identities: {
    /** The OpenID Connect provider. */
    issuer: string
    /** Since when the user may sign in by it. */
    linkedAt: string
  }[]
}

/** Who is signed in, and to which organizations. */
export interface Session {
  /** Null when nobody is signed in. */
  user: User | null
  /** The organizations that the user is in. */
  organizations: {
    /** The organization. */
    id: string
    /** What it is called. */
    name: string
    /** What the user is in it. */
    role: 'owner' | 'agent' | 'viewer' | Other
  }[]
  /** The session itself; null when nobody is signed in. */
  session: {
    /** The session. */
    id: string
    /** When the user signed in. */
    createdAt: string
    /** When it ends at the latest. Unused for some days, it ends sooner. */
    expiresAt: string
  } | null
  /** The ways in that this server has. */
  signIn: {
    /** The host of the OpenID Connect provider, where one is set. */
    openId: string | null
    /** Whether the server sends mail, so that a forgotten password can be replaced. */
    mail: boolean
  }
}

/** What a one-time link is for, or whom it has signed in. */
export interface ExchangedLink {
  /** What the link is for. */
  purpose: 'sign_in' | 'invitation' | 'reset' | Other
  /** Of whom a sign-in link has signed in; null for other links. */
  session: Session | null
  /** What an invitation or a reset is about; null for a sign-in. */
  link: {
    /** Whom it was made for. */
    email: string | null
    /** The organization that it invites to. */
    organizationName: string | null
    /** What whoever accepts becomes there. */
    role: 'owner' | 'agent' | 'viewer' | Other | null
    /** When it stops working. */
    expiresAt: string
  } | null
}

export interface OpenIdStart {
  /** Where the browser goes to sign in. */
  url: string
}

/** Where a user is signed in. */
export interface UserSession {
  /** The session. */
  id: string
  /** When the user signed in. */
  createdAt: string
  /** When a request last came with it. */
  lastUsedAt: string
  /** When it ends at the latest. Unused for some days, it ends sooner. */
  expiresAt: string
  /** The browser, as it names itself. */
  userAgent: string | null
  /** The IP address that the user signed in from. */
  address: string | null
  /** Whether it is the one that asks. */
  isCurrent: boolean
}

/** A user of the organization. */
export interface Member {
  /** The id of the user. */
  id: string
  /** What the user is called. */
  name: string
  /** Where the user gets mail. */
  email: string | null
  /** What the user may do: an owner everything, an agent the daily work, a viewer nothing but look. */
  role: 'owner' | 'agent' | 'viewer' | Other
  /** When the user came into the organization. */
  joinedAt: string
  /** When the user was last here; null without a session. */
  lastSeenAt: string | null
}

export interface Invitation {
  /** Made by Parley. */
  id: string
  /** Whom it invites. */
  email: string
  /** What whoever accepts becomes. */
  role: 'owner' | 'agent' | 'viewer' | Other
  /** The user or the key that invited. */
  invitedById: string | null
  /** When it was made. */
  createdAt: string
  /** When it stops working. */
  expiresAt: string
}

/** An invitation as it is shown once, when it was made. */
export interface MadeInvitation {
  /** Made by Parley. */
  id: string
  /** Whom it invites. */
  email: string
  /** What whoever accepts becomes. */
  role: 'owner' | 'agent' | 'viewer' | Other
  /** The user or the key that invited. */
  invitedById: string | null
  /** When it was made. */
  createdAt: string
  /** When it stops working. */
  expiresAt: string
  /** The link to hand on: good once, shown here and never again. */
  url: string
}

export interface ResetLink {
  /** The link to hand on; null where it was mailed to the user instead. */
  url: string | null
  /** When it stops working. */
  expiresAt: string
}

/** Something that happened, with its record. */
export interface TimelineItem {
  /** What kind of record it is. */
  type:
    | 'call'
    | 'sms'
    | 'voicemail'
    | 'message'
    | 'draft'
    | 'fact'
    | 'signal'
    | 'note'
    | 'task'
    | 'appointment'
    | 'work_record'
    | 'money_record'
    | 'workflow_run'
    | Other
  /** The record. */
  id: string
  /** When it happened: a call its start, a fact its observation, an appointment its beginning. */
  at: string
  /** The record, as its own endpoint shows it. */
  record: Record<string, unknown>
}

/** Someone who may be the same person, and why. */
export interface DuplicatePerson {
  /** Who may be the same. */
  person: Person
  /** What the two have in common. */
  reasons: ('phone' | 'email' | 'contact_method' | 'name' | Other)[]
  /** How likely they are the same; the list is sorted by it. */
  score: number
}

/** A customer who may be the same, and why. */
export interface DuplicateCustomer {
  /** Which may be the same. */
  customer: Customer
  /** What the two have in common. */
  reasons: ('phone' | 'email' | 'contact_method' | 'name' | Other)[]
  /** How likely they are the same; the list is sorted by it. */
  score: number
}

/** Two records that became one. */
export interface Merge {
  /** Made by Parley. */
  id: string
  /** What was merged. */
  entityType: 'person' | 'customer' | Other
  /** The record that is part of the other now. Its id still leads there. */
  mergedId: string
  /** What the merged record was called; null when it is too late to undo the merge. */
  displayName: string | null
  /** The record that stayed. */
  intoId: string
  /** `moving`: what names the merged record is being moved to the other, in batches. `moving_back`: the merge was undone, and what had moved is on its way back. */
  status: 'moving' | 'done' | 'moving_back' | 'undone' | Other
  /** How many records name the other one now instead of the merged one. */
  moved: number
  /** When it was merged. */
  mergedAt: string
  /** It can be undone until then: 30 days long. */
  unmergeUntil: string
  /** When it was undone. */
  undoneAt: string | null
}

/** What a search over everything found, and the words around it. */
export interface SearchHit {
  /** What kind of record it is. */
  entityType: 'person' | 'customer' | 'work_record' | 'call' | 'message' | 'fact' | Other
  /** The record. */
  id: string
  /** What people call it. */
  title: string
  /** When it happened, or was last changed. */
  at: string
  /** Where it was found. */
  snippet: {
    /** Plain text around what was found; never HTML. */
    text: string
    /** Where the words are, as pairs of start and end, counted in UTF-16 units. */
    marks: number[][]
  }
}

/** Numbers of what happened, each with the list of what was counted. */
export interface Stats {
  /** The beginning of the first interval. */
  from: string
  /** The end of the last interval. */
  to: string
  /** How long each interval is. */
  interval: 'hour' | 'day' | Other
  /** The time zone that intervals begin in. */
  timezone: string
  /** Over the whole time. */
  totals: {
    /** Inbound calls that were answered and are over. */
    callsAnswered: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Inbound calls that nobody answered. */
    callsMissed: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Inbound calls that ended with a voicemail. */
    callsToVoicemail: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Outbound calls that were answered and are over. */
    callsMade: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Texts that came in. */
    textsReceived: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Texts that went out, or wait to. */
    textsSent: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** How long answered inbound calls rang: to the second up to ten, to five up to a minute, to 15 beyond. Null where there is nothing. */
    timeToAnswerMs: {
      /** Half of them took at most so many milliseconds. */
      p50: number
      /** Nine in ten took at most so many milliseconds. */
      p90: number
      /** The list of what was measured, as a path under `/api/v1`. */
      rows: string
    } | null
    /** Drafts that wait for a decision now, up to 10000. */
    draftsWaiting: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** How long they have waited. Null where there is nothing. */
    draftWaitMs: {
      /** Half of them took at most so many milliseconds. */
      p50: number
      /** Nine in ten took at most so many milliseconds. */
      p90: number
      /** The list of what was measured, as a path under `/api/v1`. */
      rows: string
    } | null
    /** What became of facts that were observed in this time, by key; those that were decided on most. */
    facts: {
      /** Which facts. */
      key: string
      /** Confirmed or promoted. */
      accepted: {
        /** How many. */
        value: number
        /** The list of what was counted, as a path under `/api/v1`. */
        rows: string
      }
      /** Rejected. */
      rejected: {
        /** How many. */
        value: number
        /** The list of what was counted, as a path under `/api/v1`. */
        rows: string
      }
    }[]
    /** Each webhook, as it is now. */
    webhooks: {
      /** The subscription. */
      id: string
      /** What your people call it. */
      name: string
      /** Whether it is sent events. */
      status: string
      /** Deliveries that have failed for good, up to 10000. */
      failing: {
        /** How many. */
        value: number
        /** The list of what was counted, as a path under `/api/v1`. */
        rows: string
      }
    }[]
  }
  /** The same by interval. */
  series: {
    /** When the interval begins. */
    at: string
    /** Inbound calls that were answered and are over. */
    callsAnswered: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Inbound calls that nobody answered. */
    callsMissed: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Inbound calls that ended with a voicemail. */
    callsToVoicemail: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Outbound calls that were answered and are over. */
    callsMade: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Texts that came in. */
    textsReceived: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** Texts that went out, or wait to. */
    textsSent: {
      /** How many. */
      value: number
      /** The list of what was counted, as a path under `/api/v1`. */
      rows: string
    }
    /** How long answered inbound calls rang: to the second up to ten, to five up to a minute, to 15 beyond. Null where there is nothing. */
    timeToAnswerMs: {
      /** Half of them took at most so many milliseconds. */
      p50: number
      /** Nine in ten took at most so many milliseconds. */
      p90: number
      /** The list of what was measured, as a path under `/api/v1`. */
      rows: string
    } | null
  }[]
}

export interface CalendarFeed {
  /** Made by Parley. */
  id: string
  /** What calendars call it. */
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId: string | null
  /** When it was made. */
  createdAt: string
}

/** A feed as it is shown once, when it was made. */
export interface MadeCalendarFeed {
  /** Made by Parley. */
  id: string
  /** What calendars call it. */
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId: string | null
  /** When it was made. */
  createdAt: string
  /** The address to subscribe to: shown here and never again. */
  url: string
}

export interface DeletedRecord {
  /** What kind of record it was, such as `work_record`. */
  entityType: string
  /** The id that the record had. */
  id: string
  /** When it was deleted. */
  deletedAt: string
  /** The record that it was merged into: its id leads there now. Null where it was deleted. */
  mergedIntoId: string | null
}

/** A subscription as it is shown once, when its secret was made. */
export interface SubscriptionWithSecret {
  /** Made by Parley; later records have greater ids. */
  id: string
  /** The organization that it belongs to. */
  organizationId: string
  /** What your people call it. */
  name: string
  /** Where events are posted; https only. */
  url: string
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
  /** Which events are sent; an empty list means the sixteen standard types. */
  eventTypes: (EventType | Other)[]
  /** Signs every delivery: shown here and never again. */
  secret: string
}

export interface DeliveryAttempt {
  /** Which attempt it is, from 1. */
  number: number
  /** When it began. */
  startedAt: string
  /** How many milliseconds it took. */
  durationMs: number
  /** Where they went; null for what did not happen, as on a connection that was open already. */
  timings: {
    /** Milliseconds until the name was resolved. */
    dns: number | null
    /** Milliseconds until the connection stood. */
    connect: number | null
    /** Milliseconds until it was encrypted. */
    tls: number | null
    /** Milliseconds until the answer began. */
    firstByte: number | null
  }
  /** What you answered; null where no answer came. */
  responseStatus: number | null
  /** The beginning of your answer. */
  responseBody: string | null
  /** What went wrong, such as `timeout`, `connection_refused` or `http_500`. */
  error: string | null
  /** Why it was made. */
  trigger: 'event' | 'retry' | 'replay' | 'test' | Other
  /** The `X-Service-Signature` that it carried; null where nothing was signed, absent for attempts of before. */
  signature?: string | null | undefined
}

export interface Delivery {
  /** The `X-Service-Delivery-Id` of its requests. */
  id: string
  /** The subscription that it is for. */
  subscriptionId: string
  /** The event that it brings. */
  eventId: string
  /** The type of that event. */
  eventType: EventType | Other
  /** Where it stands. `DEAD_LETTERED`: all attempts failed. `FAILED`: not worth another one. */
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'RETRYING' | 'DEAD_LETTERED' | Other
  /** How many times it was tried, over all replays. */
  attemptCount: number
  /** How often it was sent again on request. */
  replayCount: number
  /** When it is tried next; null when it is not. */
  nextAttemptAt: string | null
  /** When it was last tried. */
  lastAttemptAt: string | null
  /** What you last answered. */
  lastResponseStatus: number | null
  /** What last went wrong, such as `timeout`, `connection_refused` or `http_500`. */
  lastError: string | null
  /** When it was made, together with its event. */
  createdAt: string
  /** When you answered 2xx. */
  deliveredAt: string | null
  /** What was sent, with `expand=payload`; null where it is no longer kept. */
  payload?: ParleyEvent | null | undefined
  /** Each try, with `expand=attempts`. */
  attempts?: DeliveryAttempt[] | undefined
}

export interface ReplayJob {
  /** Made by Parley. */
  id: string
  /** The subscription whose deliveries are sent again. */
  subscriptionId: string
  /** Whether it still runs. */
  status: 'running' | 'completed' | 'canceled' | Other
  /** Deliveries that fitted when the job was made. */
  matched: number
  /** Deliveries that were put back into the queue so far. */
  queued: number
  /** Deliveries made at or after this time. */
  since: string
  /** Deliveries made before this time. */
  until: string
  /** Deliveries that stand so. */
  statuses: ('FAILED' | 'DEAD_LETTERED' | 'SUCCEEDED' | Other)[]
  /** Deliveries of these events; an empty list means all. */
  eventTypes: (EventType | Other)[]
  /** When it was asked for. */
  createdAt: string
  /** When all were put back. */
  finishedAt: string | null
}

export interface InboundEntry {
  /** Made by Parley. */
  id: string
  /** The connection that it came to. */
  connectionId: string
  /** What it tells of, such as `sms`. */
  kind: string
  /** When it came. */
  receivedAt: string
  /** What became of it; `pending`: still to be worked on. */
  status: 'pending' | 'processed' | 'ignored' | 'failed' | Other
  /** Why it failed or was ignored, or what the last try met. */
  error: string | null
  /** How often it was worked on. */
  attempts: number
  /** Null when nothing is left to do, and while the connection is paused. */
  nextAttemptAt: string | null
  /** When all was done. */
  processedAt: string | null
  /** Whether it was sent by the sandbox in place of the provider. */
  simulated: boolean
  /** What the provider calls the things it tells of, such as `CallSid`. */
  providerIds: Record<string, unknown>
  /** The records that it made or changed. */
  records: {
    /** What kind of record it is, such as `call`. */
    entityType: string
    /** The record. */
    id: string
  }[]
  /** Without secrets. Shown to ADMIN keys. */
  headers?: Record<string, unknown> | undefined
  /** As it was sent, without secrets. Shown to ADMIN keys. */
  body?: string | undefined
}

export interface InboundSimulation {
  /** The request as it was logged. */
  entry: InboundEntry
  /** What the provider would have been answered. */
  answer: {
    /** The status of the answer. */
    status: number
    /** Its media type. */
    contentType: string | null
    /** Its body. */
    body: string | null
  }
}

export interface ConnectionCheck {
  /** Whether it works. */
  ok: boolean
  /** The status that the connection has now. */
  status: 'pending' | 'active' | 'paused' | 'error' | 'revoked' | Other
  /** What is wrong and what to do about it, or what the provider answered. */
  message: string
}

/** What a simulation begins with; the rest follows, as events. */
export interface Simulation {
  /** What happens. */
  scenario: 'inbound_call' | 'missed_call' | 'voicemail' | 'inbound_sms' | 'full_intake' | 'webhook_gone' | Other
  /** The call that was begun. */
  callId: string | null
  /** The text that came in. */
  smsId: string | null
  /** The voicemail that was left. */
  voicemailId: string | null
}

/** What the extractor finds in a conversation. */
export interface ExtractionPreview {
  /** What read it: `rules`, or `model:` and the name of the model. */
  extractor: string
  /** Why the rules were used in place of the model. */
  fallbackReason: string | null
  /** What is named in the words: days, numbers, people. */
  mentions: {
    /** What was mentioned. */
    kind: 'date' | 'time' | 'phone' | 'email' | 'address' | 'money' | 'person' | 'number' | 'duration' | Other
    /** Which of the segments it is in, from 0. */
    segmentIndex: number
    /** The first character in the text of its segment. */
    start: number
    /** Past the last character. */
    end: number
    /** The words themselves. */
    quote: string
    /** The same in one form. */
    value: unknown
  }[]
  /** What would be proposed as facts. */
  facts: {
    /** Which field it is. */
    key: string
    /** What people call it. */
    label: string
    /** What was found. */
    value: unknown
    /** The type of what was found. */
    valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
    /** How sure that is, from 0 to 1. */
    confidence: number
    /** How it was found; the guide on extraction lists the rules. */
    rule: string
    /** Where exactly it was said. */
    evidence: {
      /** Which of the segments it is in, from 0. */
      segmentIndex: number
      /** The first character in the text of its segment. */
      start: number
      /** Past the last character. */
      end: number
      /** The words themselves. */
      quote: string
    }[]
  }[]
  /** What would be detected. */
  signals: {
    /** What was noticed. */
    kind: string
    /** How sure that is, from 0 to 1. */
    confidence: number
    /** Where exactly it showed. */
    evidence: {
      /** Which of the segments it is in, from 0. */
      segmentIndex: number
      /** The first character in the text of its segment. */
      start: number
      /** Past the last character. */
      end: number
      /** The words themselves. */
      quote: string
    }[]
  }[]
  /** What would be proposed as work. */
  draft: {
    /** Which kind of work it would be. */
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
    /** What was asked for. */
    summary: string | null
    /** What the draft of a call would say. */
    fields: {
      /** Which field it is. */
      key: string
      /** What people call it. */
      label: string
      /** What was found. */
      value: unknown
      /** The type of what was found. */
      valueType: 'string' | 'number' | 'boolean' | 'enum' | 'date' | 'json' | Other
      /** How sure that is, from 0 to 1. */
      confidence: number
      /** How it was found; the guide on extraction lists the rules. */
      rule: string
      /** Where exactly it was said. */
      evidence: {
        /** Which of the segments it is in, from 0. */
        segmentIndex: number
        /** The first character in the text of its segment. */
        start: number
        /** Past the last character. */
        end: number
        /** The words themselves. */
        quote: string
      }[]
    }[]
    /** What its kind of work requires and nobody said. */
    missingFields: string[]
    /** Nothing that its kind of work requires is missing. */
    isComplete: boolean
  }
  /** What was said, in short. */
  summary: string | null
}

/** A file of rows on its way to become records. */
export interface Import {
  /** Made by Parley. */
  id: string
  /** The slug of an entity that takes batches, such as `people`. */
  entity: string
  /** What the file is. */
  format: 'csv' | 'ndjson' | Other
  /** For each column of the file, or key of its objects, the field it fills; null leaves it out. `customFields.tier` fills a key, `externalRefs.crm` says what the record is called in `crm`. What is not named keeps its own name. */
  mapping: Record<string, unknown>
  /** Which record a row updates; none that matches makes a new one. `externalRefs` unless said otherwise; `phone` and `email` for people. */
  matchBy: 'externalRefs' | 'phone' | 'email' | Other
  /** The country of numbers that name none. That of the organization, if absent. ISO 3166-1 alpha-2 code. */
  defaultCountry: string | null
  /** Whether rows are only tried: nothing is written but the counts and errors. */
  dryRun: boolean
  /** Whether events are logged without being delivered to webhooks. */
  silent: boolean
  /** How far it is; `running` includes that the file is being checked. */
  status: 'awaiting_file' | 'queued' | 'running' | 'completed' | 'failed' | 'canceled' | Other
  /** Why it failed as a whole; nothing was written where the file could not be read. */
  error: string | null
  /** How much of the file is here: go on from there after a break. */
  receivedBytes: number
  /** How many rows the file has; known once it was checked. */
  rows: number | null
  /** How many of them were worked on. */
  done: number
  /** Rows that made a record. */
  created: number
  /** Rows that matched a record. */
  updated: number
  /** Rows that are blank. */
  skipped: number
  /** Rows that were refused; `/imports/{id}/errors` has the first 100000. */
  failed: number
  /** When it was made. */
  createdAt: string
  /** When it ended. */
  finishedAt: string | null
}

/** One request, as the log has it. */
export interface RequestLogEntry {
  /** Later entries have greater ids. */
  id: string
  /** When the request was over. */
  createdAt: string
  /** The method of the request. */
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS' | Other
  /** The path, without the query. */
  path: string
  /** The status of the answer. */
  status: number
  /** Milliseconds from the first header to the end of the answer. */
  ms: number
  /** Who asked. */
  actor: {
    /** Whether it was a key or a member. */
    type: 'key' | 'user' | Other
    /** The key or the user. */
    id: string
  }
  /** The `X-Request-ID` of the answer. */
  requestId: string
  /** Why it was refused; null when it was not. */
  error: {
    /** The `code` of the error. */
    code: string
    /** Its reason, or the rule that the first named field breaks. */
    reason: string | null
    /** The first field that it names. */
    field: string | null
  } | null
}

/** What asking a model cost once. */
export interface ModelCall {
  /** Later calls have greater ids. */
  id: string
  /** The connection whose model was asked. */
  connectionId: string
  /** The name of the model, as `config.model` had it then. */
  model: string
  /** What sort of conversation it was asked about. */
  source: 'call' | 'sms' | 'voicemail' | Other
  /** The record that was read; null where the words belong to none. */
  subject: {
    /** A text or voicemail is named by its message. */
    entityType: 'call' | 'message' | Other
    /** The id of that record. */
    id: string
  } | null
  /** Tokens of the question; null where the endpoint did not count. */
  promptTokens: number | null
  /** Tokens of the answer; null where the endpoint did not count. */
  completionTokens: number | null
  /** In the currency of the endpoint; null where it does not tell. */
  cost: number | null
  /** How long the endpoint took, in milliseconds. */
  durationMs: number
  /** Why the rules stood in for the model; null when its answer was used. */
  failure: string | null
  /** How much of the answer was not used, and why. */
  dropped: {
    /** Values whose quote nobody said. */
    quotes: number
    /** Values of another type than their definition has. */
    types: number
    /** Values of a key that nobody asked for. */
    keys: number
  }
  /** When the answer had come, or was given up. */
  createdAt: string
}

/** How proposed facts fared in review. */
export interface FactQuality {
  /** Facts captured at or after this time. */
  since: string
  /** Facts captured before this time. */
  until: string
  /** Only the newest 20000 facts were counted. */
  isTruncated: boolean
  /** How the facts fared, by what they are told apart. */
  groups: {
    /** Null unless grouped by key. */
    key: string | null
    /** Null unless grouped by extractor, and for facts that name none. */
    extractor: string | null
    /** All that were captured from conversations in the period, without those that their extractor replaced or took back itself. */
    proposed: number
    /** Confirmed as they were proposed, by somebody. */
    confirmed: number
    /** Another value of the same call and key was confirmed in its place. */
    edited: number
    /** Rejected by somebody. */
    rejected: number
    /** Nobody has decided on them; a threshold is nobody. */
    ignored: number
    /** Confirmed, of those that somebody decided on. */
    precision: number | null
    /** The same by how sure the facts were. */
    calibration: {
      /** Facts at least this sure. */
      from: number
      /** Facts less sure than this; where it is 1, those of 1 too. */
      to: number
      /** All that were captured from conversations in the period, without those that their extractor replaced or took back itself. */
      proposed: number
      /** Confirmed as they were proposed, by somebody. */
      confirmed: number
      /** Another value of the same call and key was confirmed in its place. */
      edited: number
      /** Rejected by somebody. */
      rejected: number
      /** Nobody has decided on them; a threshold is nobody. */
      ignored: number
      /** Confirmed, of those that somebody decided on. */
      precision: number | null
    }[]
    /** The lowest confidence from which on at least 95 % were confirmed, of at least 20 that were decided on. */
    suggestedThreshold: number | null
  }[]
}

export interface SchemaField {
  /** Its key in the record. */
  name: string
  /** What it holds, such as `string`, `uuid`, `datetime` or `object`. */
  type: string
  /** Whether it may be null. */
  nullable: boolean
  /** Whether Parley sets it. */
  readOnly: boolean
  /** Whether a creation must say it. */
  required: boolean
  /** The values that it may have. */
  enum?: string[] | undefined
  /** The kind of record that it names. */
  references?: string | undefined
}

export interface SchemaEntity {
  /** Its place in paths: `/{slug}`. */
  slug: string
  /** What people call it. */
  label: string
  /** Whether your key may change it. */
  writable: boolean
  /** What its paths take. */
  methods: ('GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | Other)[]
  /** Its fields. */
  scalarFields: SchemaField[]
  /** The fields that `q` looks at. */
  searchFields: string[]
  /** The query parameters that narrow its list. */
  filterFields: string[]
  /** What `sort` takes, also with `-` in front. */
  sortFields: string[]
  /** What `<field>From` and `<field>Before` are there for. */
  rangeFields: string[]
  /** Whether `/{slug}/batch` and imports take it. */
  batch: boolean
}

/** What a key can reach. */
export interface Schema {
  /** Whose records the key reaches. */
  organization: {
    /** The same in both environments. */
    id: string
    /** What it is called. */
    name: string
    /** The environment of the key. */
    environment: 'sandbox' | 'production' | Other
  }
  /** The key that asks. */
  key: {
    /** The key or user that asks. */
    id: string
    /** What it may do; each scope includes the ones before it. */
    scope: 'READ' | 'WRITE' | 'ADMIN' | Other
    /** The environment that it reaches. */
    environment: 'sandbox' | 'production' | Other
  }
  /** The version in the path. */
  apiVersion: string
  /** Everything that is reachable as `/{entity}`. */
  entities: SchemaEntity[]
  /** Every type of event that there is. */
  eventTypes: (EventType | Other)[]
  /** Those that a subscription gets that names none. */
  standardEventTypes: (EventType | Other)[]
  /** The kinds of work, and which are enabled. */
  canonicalKinds: {
    /** A kind of work. */
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
    /** Whether your organization does such work. */
    enabled: boolean
  }[]
  /** The systems that a connection can be made to. */
  providers: {
    /** The `provider` of its connections. */
    provider: string
    /** What people call it. */
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
  /** The sizes and counts that a caller can run into. */
  limits: {
    /** Body bytes. */
    bodyBytes: number
    /** Body values. */
    bodyValues: number
    /** Batch items. */
    batchItems: number
    /** Import errors. */
    importErrors: number
    /** Open imports. */
    openImports: number
    /** Batch bytes. */
    batchBytes: number
    /** Batch values. */
    batchValues: number
    /** Recording bytes. */
    recordingBytes: number
    /** Inbound bytes. */
    inboundBytes: number
    /** Inbound audio bytes. */
    inboundAudioBytes: number
    /** Sms media bytes. */
    smsMediaBytes: number
    /** Announcement length. */
    announcementLength: number
    /** Page default. */
    pageDefault: number
    /** Page max. */
    pageMax: number
    /** Page bytes. */
    pageBytes: number
    /** Count max. */
    countMax: number
    /** Search default. */
    searchDefault: number
    /** Query length. */
    queryLength: number
    /** Name length. */
    nameLength: number
    /** Text length. */
    textLength: number
    /** Sms length. */
    smsLength: number
    /** Sms media items. */
    smsMediaItems: number
    /** Word length. */
    wordLength: number
    /** Url length. */
    urlLength: number
    /** Free form bytes. */
    freeFormBytes: number
    /** Free form depth. */
    freeFormDepth: number
    /** Free form keys. */
    freeFormKeys: number
    /** Field schema bytes. */
    fieldSchemaBytes: number
    /** List items. */
    listItems: number
    /** External refs. */
    externalRefs: number
    /** Merge at once. */
    mergeAtOnce: number
    /** Unmerge days. */
    unmergeDays: number
    /** Segment length. */
    segmentLength: number
    /** Segments per request. */
    segmentsPerRequest: number
    /** Facts per request. */
    factsPerRequest: number
    /** Hints. */
    hints: number
    /** Quality facts. */
    qualityFacts: number
    /** Preview segments. */
    previewSegments: number
    /** Preview characters. */
    previewCharacters: number
    /** Webhook subscriptions. */
    webhookSubscriptions: number
    /** Open streams. */
    openStreams: number
    /** Calendar feeds. */
    calendarFeeds: number
    /** Calendar events. */
    calendarEvents: number
    /** Calendar days back. */
    calendarDaysBack: number
    /** Calendar days ahead. */
    calendarDaysAhead: number
    /** Idempotency key length. */
    idempotencyKeyLength: number
    /** Idempotency hours. */
    idempotencyHours: number
    /** Request id length. */
    requestIdLength: number
    /** Request log days. */
    requestLogDays: number
    /** Webhook attempts. */
    webhookAttempts: number
    /** Webhook timeout seconds. */
    webhookTimeoutSeconds: number
    /** Webhook tolerance seconds. */
    webhookToleranceSeconds: number
    /** Recording url seconds. */
    recordingUrlSeconds: number
    /** Secret preview length. */
    secretPreviewLength: number
    /** Grace period seconds max. */
    gracePeriodSecondsMax: number
    /** Grace period seconds default. */
    gracePeriodSecondsDefault: number
    /** Observed ahead seconds. */
    observedAheadSeconds: number
    /** Call silence hours. */
    callSilenceHours: number
    /** Embedded items. */
    embeddedItems: number
    /** Embedded transcript bytes. */
    embeddedTranscriptBytes: number
    /** Event transcript bytes. */
    eventTranscriptBytes: number
    /** Event bytes. */
    eventBytes: number
    /** History value bytes. */
    historyValueBytes: number
    /** Password length min. */
    passwordLengthMin: number
    /** Password length. */
    passwordLength: number
    /** Members. */
    members: number
    /** Invitations. */
    invitations: number
    /** User sessions. */
    userSessions: number
    /** Retention days. */
    retentionDays: number
    /** Batch items per second. */
    batchItemsPerSecond: number
    /** Batch items burst. */
    batchItemsBurst: number
  }
}

export type Scenario = Simulation['scenario']

export interface ApiKeyCreate {
  /** What it is for, in your own words. */
  name: string
  /** What it may do; each scope includes the ones before it. */
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  /** When it stops working by itself; null: never. */
  expiresAt?: string | Date | null | undefined
  /** What an agent may do with it at `/mcp`: `propose` facts and drafts for people to decide on, or write `direct`. Elsewhere it changes nothing. */
  agentWrites?: 'propose' | 'direct' | Other | undefined
}

/** For how long the old key or secret still works. */
export interface Rotation {
  /** For how many seconds the old one still works; 0 ends it at once. */
  gracePeriodSeconds?: number | undefined
}

export interface OrganizationUpdate {
  /** What it is called. Changed with a live key only. */
  name?: string | undefined
  /** How this environment behaves; what is left out stays. */
  settings?:
    | {
        /** Whether an id that names no record is refused; otherwise records may come in any order. */
        strictReferences?: boolean | undefined
        /** Facts at least this sure confirm themselves, unless their definition says otherwise; null: none. */
        factAutoConfirmThreshold?: number | null | undefined
        /** Detections at least this sure fire, unless their definition says otherwise. */
        signalFireThreshold?: number | undefined
        /** Whether webhooks are changed with scope ADMIN only; otherwise WRITE is enough. */
        webhookWritesNeedAdmin?: boolean | undefined
        /** The time zone of the business, such as `America/Los_Angeles`. */
        timezone?: string | undefined
        /** The currency of amounts that name none. ISO 4217 code. */
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
  /** The address of the user. */
  email: string
  /** The password of the user. */
  password: string
}

export interface InvitationAcceptance {
  /** What stands after the `#` of a one-time link. */
  token: string
  /** What to call a new user. */
  name?: string | undefined
  /** A new one; where the invited address already has a user, the one of that user. */
  password?: string | undefined
}

export interface PasswordReset {
  /** What stands after the `#` of a one-time link. */
  token: string
  /** The new password. */
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
  /** What to call the user. */
  name?: string | undefined
  /** Taken while the user has none. */
  email?: string | undefined
}

export interface PasswordChange {
  /** The new password. */
  password: string
  /** Needed by a user who has a password. */
  currentPassword?: string | undefined
}

export interface MemberUpdate {
  /** What the user may do from now on. */
  role: 'owner' | 'agent' | 'viewer' | Other
}

export interface InvitationCreate {
  /** Whom it invites. */
  email: string
  /** What whoever accepts becomes. */
  role: 'owner' | 'agent' | 'viewer' | Other
}

export interface CalendarFeedCreate {
  /** What calendars call it. */
  name: string
  /** Only what is assigned to this user; null for everything. */
  assignedToId?: string | null | undefined
}

export interface SubscriptionCreate {
  /** Where events are posted: https, a public host, no credentials in it. */
  url: string
  /** What your people call it; the host of the url unless you say. */
  name?: string | undefined
  /** Which events are sent; an empty list means the sixteen standard types. */
  eventTypes?: (EventType | Other)[] | undefined
  /** `paused` ones are sent nothing until they are active. */
  status?: 'active' | 'paused' | Other | undefined
  /** What it is for. */
  description?: string | null | undefined
  /** At most so many deliveries a second; null: as fast as you answer. */
  throttlePerSecond?: number | null | undefined
}

export interface SubscriptionUpdate {
  /** Where events are posted: https, a public host, no credentials in it. */
  url?: string | undefined
  /** What your people call it; the host of the url unless you say. */
  name?: string | undefined
  /** Which events are sent; an empty list means the sixteen standard types. */
  eventTypes?: (EventType | Other)[] | undefined
  /** What comes while it is not `active` is sent when it is. */
  status?: 'active' | 'paused' | 'disabled' | Other | undefined
  /** What it is for. */
  description?: string | null | undefined
  /** At most so many deliveries a second; null: as fast as you answer. */
  throttlePerSecond?: number | null | undefined
}

export interface WebhookTest {
  /** Which sample is sent; the first of its types unless you say. */
  eventType?: EventType | Other | undefined
}

export interface DeliveryReplay {
  /** Also sends again what has succeeded. */
  force?: boolean | undefined
}

export interface ImportRequest {
  /** The slug of an entity that takes batches, such as `people`. */
  entity: string
  /** What the file is. */
  format: 'csv' | 'ndjson' | Other
  /** For each column of the file, or key of its objects, the field it fills; null leaves it out. `customFields.tier` fills a key, `externalRefs.crm` says what the record is called in `crm`. What is not named keeps its own name. */
  mapping?: Record<string, unknown> | undefined
  /** Which record a row updates; none that matches makes a new one. `externalRefs` unless said otherwise; `phone` and `email` for people. */
  matchBy?: 'externalRefs' | 'phone' | 'email' | Other | undefined
  /** The country of numbers that name none. That of the organization, if absent. ISO 3166-1 alpha-2 code. */
  defaultCountry?: string | undefined
  /** Whether rows are only tried: nothing is written but the counts and errors. */
  dryRun?: boolean | undefined
  /** Whether events are logged without being delivered to webhooks. */
  silent?: boolean | undefined
}

export interface ReplayRequest {
  /** Deliveries made at or after this time. */
  since: string | Date
  /** Deliveries made before this time. Now, unless you say otherwise. */
  until?: string | Date | undefined
  /** Deliveries that stand so; FAILED and DEAD_LETTERED unless you say otherwise. */
  statuses?: ('FAILED' | 'DEAD_LETTERED' | 'SUCCEEDED' | Other)[] | undefined
  /** Deliveries of these events; all, unless you say otherwise. */
  eventTypes?: (EventType | Other)[] | undefined
}

export interface InboundSms {
  /** Who sent it, as the carrier says; null where it shows none. E.164, for example +15550100200, a short code of 3 to 8 digits, or a name of up to 11 letters and digits. */
  from: string | null
  /** The number of yours that it came to. E.164, for example +15550100200. */
  to: string
  /** What it says. Needed unless `mediaUrls` or `numMedia` tells of pictures. */
  body?: string | null | undefined
  /** Where the carrier keeps the pictures that came with it. */
  mediaUrls?: string[] | undefined
  /** How many pictures came with it. */
  numMedia?: number | undefined
  /** When it was sent. Now, unless you say otherwise. */
  sentAt?: string | Date | null | undefined
  /** What the carrier calls it. The same one again is answered with the same SMS. */
  providerMessageId?: string | null | undefined
  /** What the carrier took the text for, where it knows words that we do not. */
  optOutType?: 'STOP' | 'START' | 'HELP' | Other | null | undefined
  /** What came with it: fetched in the background and kept here. */
  media?:
    | {
        /** What it is, such as `image/jpeg`. */
        contentType: string
        /** Where the carrier keeps it. */
        url: string
      }[]
    | undefined
}

export interface SmsReceipt {
  /** How far it came. One that is behind what is known changes nothing. */
  status: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | Other
  /** What the carrier calls it; kept where none is known yet. */
  providerMessageId?: string | null | undefined
  /** The carrier's code for what went wrong. */
  errorCode?: string | null | undefined
  /** The same in words. */
  errorMessage?: string | null | undefined
  /** When that was. Now, unless you say otherwise. */
  at?: string | Date | null | undefined
}

export interface DraftApproval {
  /** Merged over the payload of the draft. */
  payload?: Record<string, unknown> | undefined
  /** The customer that the work is for; that of the draft, the call or the caller unless you say. */
  customerId?: string | null | undefined
  /** Facts that are confirmed with it. */
  acceptFactIds?: string[] | undefined
  /** Facts that are rejected with it. */
  rejectFactIds?: string[] | undefined
}

export interface DraftRejection {
  /** Why, for whoever proposed it. */
  reason?: string | null | undefined
}

export interface DraftSynced {
  /** What it is called where it went; added to those of the draft. */
  externalRefs?: RecordRefBody[] | undefined
}

/** Where a fact is promoted to; without it the target follows from the definition and the subject. */
export interface FactPromotion {
  /** What it becomes an attribute of. Alone it picks among those that the work record names. */
  targetSubjectType?: 'person' | 'company' | 'customer' | Other | undefined
  /** Whose attribute it becomes. */
  targetSubjectId?: string | undefined
}

export interface ExtractionPreviewRequest {
  /** When the conversation began: days are reckoned from here. Now, if absent. */
  startedAt?: string | Date | undefined
  /** IANA name. That of the organization, if absent. */
  timeZone?: string | undefined
  /** At most 50000 characters of text in all. */
  segments: {
    /** `agent`, `ai` and `system` are our side; everybody else is the caller’s. */
    speaker: string
    /** What was said. */
    text: string
  }[]
}

export interface SimulationRequest {
  /** What happens. */
  scenario: 'inbound_call' | 'missed_call' | 'voicemail' | 'inbound_sms' | 'full_intake' | 'webhook_gone' | Other
  /** Which conversation is played. */
  script?: 'leaking_sink' | 'legal_matter' | 'tow' | 'clinic_appointment' | Other | undefined
  /** How many times faster than life; 20 unless said otherwise. */
  speed?: number | undefined
  /** For `webhook_gone`: the subscription whose endpoint answers 410. */
  webhookId?: string | undefined
}

export interface InboundSimulationRequest {
  /** What the provider would tell of, such as `sms`. */
  kind: string
  /** Headers that it would send. */
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

export interface TimelineQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Only these, as a comma list. */
  types?:
    | 'call'
    | 'sms'
    | 'voicemail'
    | 'message'
    | 'draft'
    | 'fact'
    | 'signal'
    | 'note'
    | 'task'
    | 'appointment'
    | 'work_record'
    | 'money_record'
    | 'workflow_run'
    | Other
    | readonly (
        | 'call'
        | 'sms'
        | 'voicemail'
        | 'message'
        | 'draft'
        | 'fact'
        | 'signal'
        | 'note'
        | 'task'
        | 'appointment'
        | 'work_record'
        | 'money_record'
        | 'workflow_run'
        | Other
      )[]
    | undefined
}

export interface SearchQuery {
  /** Every word must match, as a prefix; in calls also what was said. */
  q?: string | undefined
  /** Only these, as a comma list. One alone comes in pages; else there are at most 5 of each. */
  types?:
    | 'person'
    | 'customer'
    | 'work_record'
    | 'call'
    | 'message'
    | 'fact'
    | Other
    | readonly ('person' | 'customer' | 'work_record' | 'call' | 'message' | 'fact' | Other)[]
    | undefined
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
}

export interface StatsQuery {
  /** From the interval that holds this time; seven days before `to` unless said. */
  from?: string | Date | undefined
  /** To the end of the interval before this time; now unless said. */
  to?: string | Date | undefined
  /** In the organization's time zone: `day` unless said, for at most 366 days; `hour` for at most 31. */
  interval?: 'hour' | 'day' | Other | undefined
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

export interface ModelCallQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in model, source and failure. */
  q?: string | undefined
}

export interface ImportQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in entity and status. */
  q?: string | undefined
}

export interface RequestLogQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in method, path, status, request id, the id of who asked, and the error. */
  q?: string | undefined
  /** Only requests that were answered with a status from 400 on. */
  failed?: boolean | undefined
  /** Only requests that were over at or after this time. */
  createdSince?: string | Date | undefined
  /** Only requests that were over before this time. */
  createdBefore?: string | Date | undefined
}

export interface RequestLogFilter {
  /** Only requests that were answered with a status from 400 on. */
  failed?: boolean | undefined
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
