// What belongs to the account behind a key: its API keys, the organization with the settings of each tenant,
// calendar feeds, and the list of what was deleted.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from './body.js'
import {
  confidence,
  country,
  currency,
  described,
  flag,
  instant,
  integer,
  line,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  text,
  uri,
  uuid,
  withDefault,
} from './field.js'
import { limits } from './limits.js'
import { environments, scopes } from './scopes.js'

const keyFields = {
  id: uuid(),
  name: text(),
  scope: oneOf(scopes),
  environment: oneOf(environments),
  prefix: text(),
  last4: text(),
  createdAt: instant(),
  expiresAt: nullable(instant()),
  lastUsedAt: nullable(instant()),
  revokedAt: nullable(instant()),
}

export const apiKey = object(keyFields)
export type ApiKey = Static<typeof apiKey>

/** As it is answered once, when the key was made. */
export const mintedApiKey = object({
  ...keyFields,
  key: described(line(), 'The whole key: shown here and never again.'),
})

const sentOfKey = { name: text(), scope: oneOf(scopes), expiresAt: optional(nullable(instant())) }
export const apiKeyCreateBody = bodyWith(sentOfKey, {
  ignored: Object.keys(keyFields).filter((name) => !Object.hasOwn(sentOfKey, name)),
})
export type ApiKeyCreate = Sent<typeof apiKeyCreateBody>

const gracePeriod = withDefault(
  integer({ minimum: 0, maximum: limits.gracePeriodSecondsMax }),
  limits.gracePeriodSecondsDefault,
)

/** For how long the old key or secret still works. */
export const rotationBody = bodyWith({ gracePeriodSeconds: optional(gracePeriod) }, { required: false })

const DEFAULT_COUNTRY =
  'ISO 3166-1 alpha-2 code of the country whose national phone numbers are read; null: every number must be E.164'
const HELP_MESSAGE = 'What whoever texts HELP is answered; null where the carrier does that'

const EXTRACTOR =
  'What reads transcripts, voicemails and SMS: the built-in rules, the organization’s own model (see the guide on ' +
  'extraction), or nothing'

export const extractors = ['rules', 'model', 'off'] as const

const settingFields = {
  strictReferences: flag(),
  factAutoConfirmThreshold: nullable(confidence()),
  signalFireThreshold: withDefault(confidence(), 0.8),
  webhookWritesNeedAdmin: flag(),
  timezone: withDefault(line(64), 'UTC'),
  currency: withDefault(currency(), 'USD'),
  smsHelpMessage: nullable(described(text(limits.smsLength), HELP_MESSAGE)),
  defaultCountry: nullable(described(country(), DEFAULT_COUNTRY)),
  extractor: described(oneOf(extractors, 'rules'), EXTRACTOR),
}

export const tenantSettings = object(settingFields)
export type TenantSettings = Readonly<Static<typeof tenantSettings>>

/** What settings are until someone changes them. */
export const defaultSettings: TenantSettings = {
  strictReferences: false,
  factAutoConfirmThreshold: null,
  signalFireThreshold: 0.8,
  webhookWritesNeedAdmin: false,
  timezone: 'UTC',
  currency: 'USD',
  smsHelpMessage: null,
  defaultCountry: null,
  extractor: 'rules',
}

export const organization = object({
  id: uuid(),
  name: text(),
  environment: oneOf(environments),
  apiEnabled: flag(),
  settings: tenantSettings,
})

export const organizationUpdateBody = bodyWith(
  { name: optional(described(text(), 'Changed with a live key only.')), settings: optional(partial(settingFields)) },
  { ignored: ['id', 'environment', 'apiEnabled'] },
)

const feedFields = {
  id: uuid(),
  name: text(),
  assignedToId: nullable(described(uuid(), 'Only what is assigned to this user; null for everything.')),
  createdAt: instant(),
}

export const calendarFeed = object(feedFields)
export type CalendarFeed = Static<typeof calendarFeed>

/** As it is answered once, when the feed was made. */
export const madeCalendarFeed = object({
  ...feedFields,
  url: described(uri(), 'The address to subscribe to: shown here and never again.'),
})

export const calendarFeedCreateBody = bodyWith(
  { name: feedFields.name, assignedToId: optional(feedFields.assignedToId) },
  { ignored: ['id', 'createdAt'] },
)
export type CalendarFeedCreate = Sent<typeof calendarFeedCreateBody>

/** What was deleted, for those who keep a copy. */
export const deletedRecord = object({
  entityType: described(text(), 'Singular snake case: `work_record`.'),
  id: uuid(),
  deletedAt: instant(),
})
