// src/generated/platform.ts: the shapes of the platform API that the API of an organization does not have.
import * as contract from '@parley/contract'
import { importOf } from './records.mjs'
import { nameShape, query, shape } from './type-text.mjs'

const answers = [
  ['OrganizationLimits', contract.organizationLimits, 'What an organization may ask; null: as the server is set.'],
  ['PlatformOrganization', contract.platformOrganization, 'An organization, as the platform sees it.'],
  ['UsageCounts', contract.usageCounts, 'What was used.'],
  ['Usage', contract.usage, 'What an organization used, by the day.'],
  ['PlatformWebhook', contract.platformSubscription, 'A subscription to the events of all organizations.'],
  [
    'PlatformWebhookWithSecret',
    contract.platformSubscriptionWithSecret,
    'A subscription as it is shown once, when its secret was made.',
  ],
]

const bodies = [
  ['OrganizationCreate', contract.organizationCreateBody],
  ['PlatformOrganizationUpdate', contract.platformOrganizationBody],
  ['OrganizationKeyCreate', contract.organizationKeyBody],
  ['PlatformWebhookCreate', contract.platformSubscriptionBody],
]

const queries = [
  ['PlatformOrganizationQuery', contract.platformOrganizationParameters],
  ['UsageQuery', contract.usageParameters],
  ['OrganizationKeyQuery', contract.organizationKeyParameters],
  ['PlatformEventQuery', contract.platformEventParameters],
]

export function platformFile() {
  for (const [name, schema] of answers) nameShape(name, schema)
  const answered = answers.map(([name, schema, about]) => shape(name, schema, { about })).join('\n')
  const sent = bodies.map(([name, { schema }, about]) => shape(name, schema, { about, isSent: true })).join('\n')
  const asked = queries.map(([name, parameters]) => query(name, parameters)).join('\n')
  return `// The shapes of the platform API.
import type { EventType } from './events.js'
${importOf(answered + sent + asked)}

${answered}
${sent}
${asked}`
}
