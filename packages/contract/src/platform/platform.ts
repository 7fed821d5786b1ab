// The platform API: what whoever runs the service, or integrates with all of its organizations, sees of them. Its keys
// belong to no organization.
import type { Static } from 'typebox'
import { apiKeyCreateBody } from '../account.js'
import { bodyWith, type Sent, withProperties } from '../body.js'
import type { Fields } from '../entity.js'
import { eventTypes } from '../events.js'
import {
  described,
  type Field,
  flag,
  instant,
  integer,
  line,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  propertiesOf,
  text,
  uuid,
} from '../field.js'
import { type Parameters, pageParameters, searchParameter } from '../query.js'
import { environments } from '../scopes.js'
import { subscription, subscriptionCreateBody, subscriptionWithSecret } from '../webhooks.js'

/** What a platform key may do; none includes another. */
export const platformScopes = ['read', 'manage', 'keys', 'events'] as const
export type PlatformScope = (typeof platformScopes)[number]

/** What each scope is for. */
export const platformScopeMeanings: Readonly<Record<PlatformScope, string>> = {
  read: 'organizations, their usage, and the request log of the platform',
  manage: 'making organizations and changing them',
  keys: 'API keys of every organization',
  events: 'events of every organization, and webhooks that bring them',
}

const rate = () =>
  named(
    'RateLimit',
    object(
      { sustained: number({ minimum: 0.001, maximum: 1_000_000 }), burst: integer({ minimum: 1, maximum: 1_000_000 }) },
      { sustained: 'How many come back per second.', burst: 'How many can be made at once.' },
    ),
  )

const limitFields = {
  read: described(nullable(rate()), 'GET and HEAD requests of one environment; null: the setting of the server.'),
  write: described(nullable(rate()), 'All other requests of one environment; null: the setting of the server.'),
  items: described(nullable(rate()), 'Items of batches of one environment; null: the setting of the server.'),
}

export const organizationLimits = named('OrganizationLimits', object(limitFields))
export type OrganizationLimits = Static<typeof organizationLimits>

const environmentUse = named(
  'EnvironmentUse',
  object(
    {
      environment: oneOf(environments),
      activeKeys: integer({ minimum: 0 }),
      lastUsedAt: nullable(instant()),
    },
    {
      environment: 'Which environment this is about.',
      activeKeys: 'API keys that work.',
      lastUsedAt: 'When a request last came with one of them, to the minute or so.',
    },
  ),
)

export const platformOrganization = named(
  'PlatformOrganization',
  object(
    {
      id: uuid(),
      name: text(),
      apiEnabled: flag(true),
      limits: organizationLimits,
      environments: list(environmentUse, environments.length),
      createdAt: instant(),
    },
    {
      id: 'Made by Parley: `organizationId` of its events.',
      name: 'What it is called.',
      apiEnabled: 'Whether its keys and members are let in.',
      limits: 'How much it may ask.',
      environments: 'The sandbox and production, with how they are used.',
      createdAt: 'When it was made.',
    },
  ),
)
export type PlatformOrganization = Static<typeof platformOrganization>

export const organizationCreateBody = bodyWith(
  { name: text(), allowSameName: optional(flag()) },
  {
    about: {
      name: 'What it is called. A name that another organization has, whatever its case, is refused.',
      allowSameName: 'Whether the name may be that of another organization.',
    },
  },
)

const rateSent = nullable(rate())
export const platformOrganizationBody = bodyWith({
  name: optional(described(text(), 'What it is called.')),
  apiEnabled: optional(
    described(flag(), 'False keeps all of its keys and members out, on every node within a second.'),
  ),
  limits: optional(
    described(
      object({
        read: optional(described(rateSent, 'GET and HEAD requests; null goes back to the setting of the server.')),
        write: optional(described(rateSent, 'All other requests; null goes back to the setting of the server.')),
        items: optional(described(rateSent, 'Items of batches; null goes back to the setting of the server.')),
      }),
      'How much it may ask; what is left out stays.',
    ),
  ),
})
export type PlatformOrganizationUpdate = Sent<typeof platformOrganizationBody>

const environmentParameter = (what: string) => ({
  environment: { schema: oneOf(environments), description: `Only ${what} of this environment` },
})

export const platformOrganizationParameters = {
  ...pageParameters,
  ...searchParameter('the name'),
  apiEnabled: { schema: { type: 'boolean' }, description: 'Only those that are, or are not, let in' },
  sort: {
    schema: oneOf(['createdAt', '-createdAt']),
    description: 'Oldest first, or newest first, which it is unless said otherwise',
  },
  createdSince: { schema: instant(), description: 'Only those made at or after this time' },
  createdBefore: { schema: instant(), description: 'Only those made before this time' },
} satisfies Parameters

export const usageDaysMax = 366

/** A day stands for its beginning. */
const acceptDay = (written: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(written) ? `${written}T00:00:00.000Z` : written

export const usageParameters = {
  from: {
    schema: instant(),
    accept: acceptDay,
    description: `From the day (UTC) that holds this time; 30 days before \`to\` unless said, ${usageDaysMax} at most`,
  },
  to: {
    schema: instant(),
    accept: acceptDay,
    description: 'To the end of the day (UTC) before this time; now unless said. Both may be days: `2026-11-01`',
  },
  ...environmentParameter('the use'),
} satisfies Parameters

const usageFields = {
  requests: described(
    integer({ minimum: 0 }),
    'Requests with its keys and members, whatever the answer. Each node adds them up every few seconds; a crash ' +
      'loses what it had not added yet.',
  ),
  texts: described(integer({ minimum: 0 }), 'SMS sent and received.'),
  minutes: described(
    integer({ minimum: 0 }),
    'Minutes of answered calls, each call rounded up; the day is that of its start.',
  ),
  deliveries: described(integer({ minimum: 0 }), 'Webhook deliveries that succeeded.'),
  bytes: described(
    integer({ minimum: 0 }),
    'Bytes of those requests and their answers, headers included; those of a stream count when it ends.',
  ),
}

export const usageCounts = named('UsageTotals', object(usageFields))

export const usage = named(
  'Usage',
  object(
    {
      organizationId: uuid(),
      from: instant(),
      to: instant(),
      totals: usageCounts,
      days: list(
        named(
          'UsageDay',
          object({
            date: described(line(10), 'The day, in UTC, such as `2026-11-16`.'),
            environment: described(oneOf(environments), 'Whose use it is.'),
            ...usageFields,
          }),
        ),
        2 * (usageDaysMax + 1),
      ),
    },
    {
      organizationId: 'Whose use it is.',
      from: 'The beginning of the first day.',
      to: 'The end of the last day.',
      totals: 'All days together.',
      days: 'Each day and environment, oldest first, also those on which nothing happened.',
    },
  ),
)
export type Usage = Static<typeof usage>
export type UsageCounts = Static<typeof usageCounts>

export const organizationKeyBody = withProperties(apiKeyCreateBody, {
  environment: described(oneOf(environments), 'The environment that the key belongs to.'),
})

export const organizationKeyParameters = {
  ...pageParameters,
  ...searchParameter('name, scope, prefix and last characters'),
  ...environmentParameter('keys'),
} satisfies Parameters

/** Which events of all organizations: what the log and its stream both take. */
export const platformEventFilterParameters = {
  type: { schema: list(oneOf(eventTypes)), description: 'Only events of this type, or of these, separated by commas' },
  ...environmentParameter('events'),
  organizationId: { schema: uuid(), description: 'Only events of this organization' },
} satisfies Parameters

const { limit, cursor } = pageParameters
export const platformEventParameters = {
  limit,
  cursor,
  ...platformEventFilterParameters,
  after: { schema: line(64), description: 'The last event that you have seen' },
} satisfies Parameters

const chosenEnvironment = described(
  nullable(oneOf(environments)),
  'The environment whose events are sent; null: both. It stays as it was made.',
)

/** A subscription with the environment that it has chosen. */
const withEnvironment = (name: string, schema: Field<unknown>) =>
  named(name, object({ ...(propertiesOf(schema) as Fields), environment: chosenEnvironment }))

export const platformSubscription = withEnvironment('PlatformWebhook', subscription)
export const platformSubscriptionWithSecret = withEnvironment('PlatformWebhookWithSecret', subscriptionWithSecret)
export const platformSubscriptionBody = withProperties(subscriptionCreateBody, {
  environment: optional(chosenEnvironment),
})
