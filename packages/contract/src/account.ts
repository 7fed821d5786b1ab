// What belongs to the account behind a key: its API keys, the organization with the settings of each tenant,
// calendar feeds, and the list of what was deleted.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from './body.js'
import {
  confidence,
  country,
  currency,
  described,
  describedFields,
  flag,
  instant,
  integer,
  line,
  named,
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

/** What an agent may do with a key at `/mcp`. */
export const agentWriteModes = ['propose', 'direct'] as const
export type AgentWrites = (typeof agentWriteModes)[number]

const keyFields = describedFields(
  {
    id: uuid(),
    name: text(),
    scope: oneOf(scopes),
    environment: oneOf(environments),
    agentWrites: oneOf(agentWriteModes, 'propose'),
    prefix: text(),
    last4: text(),
    createdAt: instant(),
    expiresAt: nullable(instant()),
    lastUsedAt: nullable(instant()),
    revokedAt: nullable(instant()),
  },
  {
    id: 'Made by Parley.',
    name: 'What it is for, in your own words.',
    scope: 'What it may do; each scope includes the ones before it.',
    environment: 'The environment that it belongs to and reaches.',
    agentWrites:
      'What an agent may do with it at `/mcp`: `propose` facts and drafts for people to decide on, or write ' +
      '`direct`. Elsewhere it changes nothing.',
    prefix: 'Its first characters, to tell keys apart.',
    last4: 'Its last characters, to tell keys apart.',
    createdAt: 'When it was made.',
    expiresAt: 'When it stops working by itself; null: never.',
    lastUsedAt: 'When a request last came with it, to the minute or so.',
    revokedAt: 'When it was revoked.',
  },
)

export const apiKey = named('ApiKey', object(keyFields))
export type ApiKey = Static<typeof apiKey>

/** As it is answered once, when the key was made. */
export const mintedApiKey = named(
  'MintedApiKey',
  object({ ...keyFields, key: described(line(), 'The whole key: shown here and never again.') }),
)

const sentOfKey = {
  name: keyFields.name,
  scope: keyFields.scope,
  expiresAt: optional(keyFields.expiresAt),
  agentWrites: optional(keyFields.agentWrites),
}
export const apiKeyCreateBody = bodyWith(sentOfKey, {
  ignored: Object.keys(keyFields).filter((name) => !Object.hasOwn(sentOfKey, name)),
})
export type ApiKeyCreate = Sent<typeof apiKeyCreateBody>

const gracePeriod = withDefault(
  integer({ minimum: 0, maximum: limits.gracePeriodSecondsMax }),
  limits.gracePeriodSecondsDefault,
)

/** For how long the old key or secret still works. */
export const rotationBody = bodyWith(
  { gracePeriodSeconds: optional(gracePeriod) },
  {
    required: false,
    about: { gracePeriodSeconds: 'For how many seconds the old one still works; 0 ends it at once.' },
  },
)

const DEFAULT_COUNTRY =
  'ISO 3166-1 alpha-2 code of the country whose national phone numbers are read; null: every number must be E.164.'
const HELP_MESSAGE = 'What whoever texts HELP is answered; null where the carrier does that.'

const EXTRACTOR =
  'What reads transcripts, voicemails and SMS: the built-in rules, the organization’s own model (see the guide on ' +
  'extraction), or nothing.'

export const extractors = ['rules', 'model', 'off'] as const

const settingFields = describedFields(
  {
    strictReferences: flag(),
    factAutoConfirmThreshold: nullable(confidence()),
    signalFireThreshold: withDefault(confidence(), 0.8),
    webhookWritesNeedAdmin: flag(),
    timezone: withDefault(line(64), 'UTC'),
    currency: withDefault(currency(), 'USD'),
    smsHelpMessage: nullable(described(text(limits.smsLength), HELP_MESSAGE)),
    defaultCountry: nullable(described(country(), DEFAULT_COUNTRY)),
    extractor: described(oneOf(extractors, 'rules'), EXTRACTOR),
  },
  {
    strictReferences: 'Whether an id that names no record is refused; otherwise records may come in any order.',
    factAutoConfirmThreshold:
      'Facts at least this sure confirm themselves, unless their definition says otherwise; null: none.',
    signalFireThreshold: 'Detections at least this sure fire, unless their definition says otherwise.',
    webhookWritesNeedAdmin: 'Whether webhooks are changed with scope ADMIN only; otherwise WRITE is enough.',
    timezone: 'The time zone of the business, such as `America/Los_Angeles`.',
    currency: 'The currency of amounts that name none.',
  },
)

export const tenantSettings = named('OrganizationSettings', object(settingFields))
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

export const organization = named(
  'Organization',
  object(
    {
      id: uuid(),
      name: text(),
      environment: oneOf(environments),
      apiEnabled: flag(),
      settings: tenantSettings,
    },
    {
      id: 'The same in both environments.',
      name: 'What it is called.',
      environment: 'The environment of the key that asks.',
      apiEnabled: 'Whether its keys are let in; the operator decides.',
      settings: 'How this environment behaves. The sandbox and production have their own.',
    },
  ),
)

export const organizationUpdateBody = bodyWith(
  {
    name: optional(described(text(), 'What it is called. Changed with a live key only.')),
    settings: optional(described(partial(settingFields), 'How this environment behaves; what is left out stays.')),
  },
  { ignored: ['id', 'environment', 'apiEnabled'] },
)

const feedFields = describedFields(
  {
    id: uuid(),
    name: text(),
    assignedToId: nullable(uuid()),
    createdAt: instant(),
  },
  {
    id: 'Made by Parley.',
    name: 'What calendars call it.',
    assignedToId: 'Only what is assigned to this user; null for everything.',
    createdAt: 'When it was made.',
  },
)

export const calendarFeed = named('CalendarFeed', object(feedFields))
export type CalendarFeed = Static<typeof calendarFeed>

/** As it is answered once, when the feed was made. */
export const madeCalendarFeed = named(
  'MadeCalendarFeed',
  object({
    ...feedFields,
    url: described(uri(), 'The address to subscribe to: shown here and never again.'),
  }),
)

export const calendarFeedCreateBody = bodyWith(
  { name: feedFields.name, assignedToId: optional(feedFields.assignedToId) },
  { ignored: ['id', 'createdAt'] },
)
export type CalendarFeedCreate = Sent<typeof calendarFeedCreateBody>

/** What was deleted, for those who keep a copy. */
export const deletedRecord = named(
  'DeletedRecord',
  object(
    { entityType: text(), id: uuid(), deletedAt: instant(), mergedIntoId: nullable(uuid()) },
    {
      entityType: 'What kind of record it was, such as `work_record`.',
      id: 'The id that the record had.',
      deletedAt: 'When it was deleted.',
      mergedIntoId: 'The record that it was merged into: its id leads there now. Null where it was deleted.',
    },
  ),
)
