// Where the organization's other systems meet this one: connections, references to foreign ids, webhook subscriptions.
import { entity } from '../entity.js'
import {
  described,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  longText,
  mergedForm,
  nullable,
  oneOf,
  readOnly,
  required,
  text,
  uri,
  uuid,
  word,
} from '../field.js'
import { subscriptionStatuses } from '../states.js'

export const connectionStatuses = ['pending', 'active', 'paused', 'error', 'revoked'] as const

export const integrationConnections = entity({
  slug: 'integration-connections',
  name: 'integration_connection',
  label: 'Integration connections',
  description: 'A connection to another system. Its credentials are encrypted and never read back.',
  verbs: 'LGCPUD',
  writeScope: 'ADMIN',
  sealed: 'credentials',
  fields: {
    provider: required(text()),
    name: required(text()),
    kind: oneOf(['custom', 'telephony', 'voice_ai', 'crm', 'accounting', 'calendar'], 'custom'),
    status: oneOf(connectionStatuses, 'pending'),
    config: mergedForm(),
    credentials: nullable(freeForm()),
    credentialsPreview: readOnly(nullable(line())),
    lastError: readOnly(nullable(longText())),
  },
  about: {
    provider: 'Whose system it is. For the `providers` of `GET /schema`, config and credentials are checked.',
    name: 'What your people call it.',
    kind: 'What it is used for. Texts go out over an `active` one of kind `telephony`.',
    status: 'Whether it is used. Yours to set; a check makes it `active` or `error`, unless it is paused or revoked.',
    config: 'Settings that are no secret.',
    credentials: 'Keys and passwords. Encrypted, and never read back.',
    credentialsPreview: 'Which credentials are stored, with their last characters.',
    lastError: 'What last went wrong with it.',
  },
  search: ['name', 'provider'],
  filters: ['provider', 'kind', 'status'],
  /** Made anew at each read: they begin with the address under which the service is reached. */
  embedded: {
    inboundUrls: described(
      readOnly(freeForm()),
      'Addresses to paste into the provider, by kind; empty for a provider that sends nothing.',
    ),
  },
})

export const externalRefs = entity({
  slug: 'external-refs',
  batch: true,
  name: 'external_ref',
  label: 'External references',
  description: 'What a record is called in another system.',
  verbs: 'LGCPD',
  fields: {
    entityType: required(word()),
    entityId: required(uuid('@entityType')),
    system: required(word()),
    externalId: required(text()),
    url: nullable(uri()),
    isPrimary: flag(),
    metadata: mergedForm(),
  },
  about: {
    entityType: 'What kind of record it names, such as `person`.',
    entityId: 'The record that it names.',
    system: 'The other system, in your own word for it. No two records of one kind share `system` and `externalId`.',
    externalId: 'What the record is called there.',
    url: 'Where people find it there.',
    isPrimary: 'The one to show first.',
    metadata: 'Whatever else your systems want to keep with it.',
  },
  search: ['system', 'externalId'],
  filters: ['entityType', 'entityId', 'system', 'externalId'],
  unique: [['entityType', 'system', 'externalId']],
})

/** Not a generic entity: all of its endpoints are its own. Its secrets are sealed beside the record. */
export const webhookSubscriptions = entity({
  slug: 'webhook-subscriptions',
  name: 'webhook_subscription',
  label: 'Webhook subscriptions',
  description: 'A URL that events are sent to.',
  verbs: '',
  sealed: 'secrets',
  fields: {
    name: text(),
    url: required(uri()),
    eventTypes: list(word()),
    status: oneOf(subscriptionStatuses, 'active'),
    description: nullable(longText()),
    signingSecretPreview: readOnly(text()),
    throttlePerSecond: nullable(integer({ minimum: 1, maximum: 1000 })),
    disabledReason: readOnly(nullable(word())),
    disabledAt: readOnly(nullable(instant())),
    revokedAt: readOnly(nullable(instant())),
    previousSecretExpiresAt: readOnly(nullable(instant())),
  },
  about: {
    name: 'What your people call it.',
    url: 'Where events are posted; https only.',
    eventTypes: 'Which events are sent; an empty list means the sixteen standard types.',
    status: '`paused` and `disabled` ones are sent nothing; what comes meanwhile is sent when they are active again.',
    description: 'What it is for.',
    signingSecretPreview: 'The first characters of the secret that signs its deliveries.',
    throttlePerSecond: 'At most so many deliveries a second; null: as fast as you answer.',
    disabledReason: 'Why it was disabled: `gone`, `failing` or `revoked`.',
    disabledAt: 'When it was disabled.',
    revokedAt: 'When it was deleted.',
    previousSecretExpiresAt: 'Until when the secret before signs too.',
  },
  search: ['name', 'url', 'description'],
  filters: ['status', 'revokedAt'],
  lookups: ['eventTypes'],
})
