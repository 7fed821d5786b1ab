// The shapes of the platform API. Generated from the contract by scripts/generate.mjs; do not edit.
import type { EventType } from './events.js'
import type { Other, RecordRef } from './records.js'

/** What an organization may ask; null: as the server is set. */
export interface OrganizationLimits {
  /** GET and HEAD requests of one environment; null: the setting of the server. */
  read: {
    /** How many come back per second. */
    sustained: number
    /** How many can be made at once. */
    burst: number
  } | null
  /** All other requests of one environment; null: the setting of the server. */
  write: {
    /** How many come back per second. */
    sustained: number
    /** How many can be made at once. */
    burst: number
  } | null
  /** Items of batches of one environment; null: the setting of the server. */
  items: {
    /** How many come back per second. */
    sustained: number
    /** How many can be made at once. */
    burst: number
  } | null
}

/** An organization, as the platform sees it. */
export interface PlatformOrganization {
  /** Made by Parley: `organizationId` of its events. */
  id: string
  /** What it is called. */
  name: string
  /** Whether its keys and members are let in. */
  apiEnabled: boolean
  /** How much it may ask. */
  limits: OrganizationLimits
  /** The sandbox and production, with how they are used. */
  environments: {
    /** Which environment this is about. */
    environment: 'sandbox' | 'production' | Other
    /** API keys that work. */
    activeKeys: number
    /** When a request last came with one of them, to the minute or so. */
    lastUsedAt: string | null
  }[]
  /** When it was made. */
  createdAt: string
}

/** What was used. */
export interface UsageCounts {
  /** Requests with its keys and members, whatever the answer. Each node adds them up every few seconds; a crash loses what it had not added yet. */
  requests: number
  /** SMS sent and received. */
  texts: number
  /** Minutes of answered calls, each call rounded up; the day is that of its start. */
  minutes: number
  /** Webhook deliveries that succeeded. */
  deliveries: number
  /** Bytes of those requests and their answers, headers included; those of a stream count when it ends. */
  bytes: number
}

/** What an organization used, by the day. */
export interface Usage {
  /** Whose use it is. */
  organizationId: string
  /** The beginning of the first day. */
  from: string
  /** The end of the last day. */
  to: string
  /** All days together. */
  totals: UsageCounts
  /** Each day and environment, oldest first, also those on which nothing happened. */
  days: {
    /** The day, in UTC, such as `2026-11-16`. */
    date: string
    /** Whose use it is. */
    environment: 'sandbox' | 'production' | Other
    /** Requests with its keys and members, whatever the answer. Each node adds them up every few seconds; a crash loses what it had not added yet. */
    requests: number
    /** SMS sent and received. */
    texts: number
    /** Minutes of answered calls, each call rounded up; the day is that of its start. */
    minutes: number
    /** Webhook deliveries that succeeded. */
    deliveries: number
    /** Bytes of those requests and their answers, headers included; those of a stream count when it ends. */
    bytes: number
  }[]
}

/** A subscription to the events of all organizations. */
export interface PlatformWebhook {
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
  /** The environment whose events are sent; null: both. It stays as it was made. */
  environment: 'sandbox' | 'production' | Other | null
}

/** A subscription as it is shown once, when its secret was made. */
export interface PlatformWebhookWithSecret {
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
  /** The environment whose events are sent; null: both. It stays as it was made. */
  environment: 'sandbox' | 'production' | Other | null
}

export interface OrganizationCreate {
  /** What it is called. A name that another organization has, whatever its case, is refused. */
  name: string
  /** Whether the name may be that of another organization. */
  allowSameName?: boolean | undefined
}

export interface PlatformOrganizationUpdate {
  /** What it is called. */
  name?: string | undefined
  /** False keeps all of its keys and members out, on every node within a second. */
  apiEnabled?: boolean | undefined
  /** How much it may ask; what is left out stays. */
  limits?:
    | {
        /** GET and HEAD requests; null goes back to the setting of the server. */
        read?:
          | {
              /** How many come back per second. */
              sustained: number
              /** How many can be made at once. */
              burst: number
            }
          | null
          | undefined
        /** All other requests; null goes back to the setting of the server. */
        write?:
          | {
              /** How many come back per second. */
              sustained: number
              /** How many can be made at once. */
              burst: number
            }
          | null
          | undefined
        /** Items of batches; null goes back to the setting of the server. */
        items?:
          | {
              /** How many come back per second. */
              sustained: number
              /** How many can be made at once. */
              burst: number
            }
          | null
          | undefined
      }
    | undefined
}

export interface OrganizationKeyCreate {
  /** What it is for, in your own words. */
  name: string
  /** What it may do; each scope includes the ones before it. */
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  /** When it stops working by itself; null: never. */
  expiresAt?: string | Date | null | undefined
  /** What an agent may do with it at `/mcp`: `propose` facts and drafts for people to decide on, or write `direct`. Elsewhere it changes nothing. */
  agentWrites?: 'propose' | 'direct' | Other | undefined
  /** The environment that the key belongs to. */
  environment?: 'sandbox' | 'production' | Other | undefined
}

export interface PlatformWebhookCreate {
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
  /** The environment whose events are sent; null: both. It stays as it was made. */
  environment?: 'sandbox' | 'production' | Other | null | undefined
}

export interface PlatformOrganizationQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in the name. */
  q?: string | undefined
  /** Only those that are, or are not, let in. */
  apiEnabled?: boolean | undefined
  /** Oldest first, or newest first, which it is unless said otherwise. */
  sort?: 'createdAt' | '-createdAt' | undefined
  /** Only those made at or after this time. */
  createdSince?: string | Date | undefined
  /** Only those made before this time. */
  createdBefore?: string | Date | undefined
}

export interface UsageQuery {
  /** From the day (UTC) that holds this time; 30 days before `to` unless said, 366 at most. */
  from?: string | Date | undefined
  /** To the end of the day (UTC) before this time; now unless said. Both may be days: `2026-11-01`. */
  to?: string | Date | undefined
  /** Only the use of this environment. */
  environment?: 'sandbox' | 'production' | Other | undefined
}

export interface OrganizationKeyQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Whether `pagination` tells how many records the list has, up to 10000; `countIsExact` is false for more. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in name, scope, prefix and last characters. */
  q?: string | undefined
  /** Only keys of this environment. */
  environment?: 'sandbox' | 'production' | Other | undefined
}

export interface PlatformEventQuery {
  /** Rows a page, 50 unless said otherwise; a page of large records may hold fewer. */
  limit?: number | undefined
  /** The `nextCursor` of the page before; leave out for the first page. */
  cursor?: string | undefined
  /** Only events of this type, or of these, separated by commas. */
  type?: EventType | Other | readonly (EventType | Other)[] | undefined
  /** Only events of this environment. */
  environment?: 'sandbox' | 'production' | Other | undefined
  /** Only events of this organization. */
  organizationId?: string | undefined
  /** The last event that you have seen. */
  after?: string | undefined
}
