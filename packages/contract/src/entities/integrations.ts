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
    provider: required(
      described(
        text(),
        'Whose system it is. For those that `GET /schema` lists under `providers`, config and credentials are checked',
      ),
    ),
    name: required(text()),
    kind: oneOf(['custom', 'telephony', 'voice_ai', 'crm', 'accounting', 'calendar'], 'custom'),
    status: oneOf(connectionStatuses, 'pending'),
    config: mergedForm(),
    credentials: nullable(freeForm()),
    credentialsPreview: readOnly(nullable(line())),
    lastError: readOnly(nullable(longText())),
  },
  search: ['name', 'provider'],
  filters: ['provider', 'kind', 'status'],
  /** Made anew at each read: they begin with the address under which the service is reached. */
  embedded: {
    inboundUrls: described(
      readOnly(freeForm()),
      'Addresses to paste into the provider, by kind; empty for a provider that sends nothing',
    ),
  },
})

export const externalRefs = entity({
  slug: 'external-refs',
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
  search: ['name', 'url', 'description'],
  filters: ['status', 'revokedAt'],
  lookups: ['eventTypes'],
})
