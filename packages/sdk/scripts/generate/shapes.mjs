// src/generated/shapes.ts: the shapes of everything that is no entity, such as keys, deliveries, settings and the
// bodies of actions.
import * as contract from '@parley/contract'
import { importOf } from './records.mjs'
import { nameEnum, nameShape, query, shape } from './type-text.mjs'

const answers = [
  ['ApiKey', contract.apiKey],
  ['MintedApiKey', contract.mintedApiKey, 'A key as it is shown once, when it was made.'],
  [
    'OrganizationSettings',
    contract.tenantSettings,
    'The settings of one tenant: the sandbox and production have their own.',
  ],
  ['Organization', contract.organization],
  ['User', contract.user, 'Someone who signs in; `people` are those who call.'],
  ['Session', contract.sessionDocument, 'Who is signed in, and to which organizations.'],
  ['ExchangedLink', contract.exchangedLink, 'What a one-time link is for, or whom it has signed in.'],
  ['OpenIdStart', contract.openIdStart],
  ['UserSession', contract.userSession, 'Where a user is signed in.'],
  ['Member', contract.member, 'A user of the organization.'],
  ['Invitation', contract.invitation],
  ['MadeInvitation', contract.madeInvitation, 'An invitation as it is shown once, when it was made.'],
  ['ResetLink', contract.resetLink],
  ['TimelineItem', contract.timelineItem, 'Something that happened, with its record.'],
  ['DuplicatePerson', contract.duplicatePerson, 'Someone who may be the same person, and why.'],
  ['DuplicateCustomer', contract.duplicateCustomer, 'A customer who may be the same, and why.'],
  ['Merge', contract.merge, 'Two records that became one.'],
  ['SearchHit', contract.searchHit, 'What a search over everything found, and the words around it.'],
  ['Stats', contract.stats, 'Numbers of what happened, each with the list of what was counted.'],
  ['CalendarFeed', contract.calendarFeed],
  ['MadeCalendarFeed', contract.madeCalendarFeed, 'A feed as it is shown once, when it was made.'],
  ['DeletedRecord', contract.deletedRecord],
  [
    'SubscriptionWithSecret',
    contract.subscriptionWithSecret,
    'A subscription as it is shown once, when its secret was made.',
  ],
  ['DeliveryAttempt', contract.deliveryAttempt],
  ['Delivery', contract.delivery],
  ['ReplayJob', contract.replay],
  ['InboundEntry', contract.inboundEntry],
  ['InboundSimulation', contract.inboundSimulation],
  ['ConnectionCheck', contract.connectionCheck],
  ['Simulation', contract.simulation, 'What a simulation begins with; the rest follows, as events.'],
  ['ExtractionPreview', contract.extractionPreview, 'What the extractor finds in a conversation.'],
  ['Import', contract.importJob, 'A file of rows on its way to become records.'],
  ['RequestLogEntry', contract.requestLogEntry, 'One request, as the log has it.'],
  ['ModelCall', contract.modelCall, 'What asking a model cost once.'],
  ['FactQuality', contract.factQuality, 'How proposed facts fared in review.'],
  ['SchemaField', contract.schemaField],
  ['SchemaEntity', contract.schemaEntity],
  ['Schema', contract.schemaDocument, 'What a key can reach.'],
]

const bodies = [
  ['ApiKeyCreate', contract.apiKeyCreateBody],
  ['Rotation', contract.rotationBody, 'For how long the old key or secret still works.'],
  ['OrganizationUpdate', contract.organizationUpdateBody],
  ['SignIn', contract.signInBody],
  ['InvitationAcceptance', contract.invitationAcceptBody],
  ['PasswordReset', contract.passwordResetBody],
  ['OpenIdRequest', contract.openIdBody],
  ['UserUpdate', contract.userUpdateBody],
  ['PasswordChange', contract.passwordBody],
  ['MemberUpdate', contract.memberUpdateBody],
  ['InvitationCreate', contract.invitationCreateBody],
  ['CalendarFeedCreate', contract.calendarFeedCreateBody],
  ['SubscriptionCreate', contract.subscriptionCreateBody],
  ['SubscriptionUpdate', contract.subscriptionUpdateBody],
  ['WebhookTest', contract.webhookTestBody],
  ['DeliveryReplay', contract.deliveryReplayBody],
  ['ImportRequest', contract.importBody],
  ['ReplayRequest', contract.replayBody],
  ['InboundSms', contract.inboundSmsBody],
  ['SmsReceipt', contract.smsReceiptBody],
  ['DraftApproval', contract.draftApprovalBody],
  ['DraftRejection', contract.draftRejectionBody],
  ['DraftSynced', contract.draftSyncedBody],
  [
    'FactPromotion',
    contract.factPromotionBody,
    'Where a fact is promoted to; without it the target follows from the definition and the subject.',
  ],
  ['ExtractionPreviewRequest', contract.extractionPreviewBody],
  ['SimulationRequest', contract.simulationBody],
  ['InboundSimulationRequest', contract.inboundSimulationBody],
]

const queries = [
  ['ApiKeyQuery', contract.apiKeyParameters],
  ['MemberQuery', contract.memberParameters],
  ['InvitationQuery', contract.invitationParameters],
  ['TimelineQuery', contract.timelineParameters],
  ['SearchQuery', contract.searchEverythingParameters],
  ['StatsQuery', contract.statsParameters],
  ['CalendarFeedQuery', contract.calendarFeedParameters],
  ['DeletedRecordQuery', contract.deletedRecordParameters],
  ['SubscriptionQuery', contract.subscriptionParameters],
  ['ExpandQuery', contract.expandParameters],
  ['DeliveryQuery', contract.deliveryParameters],
  ['InboundLogQuery', contract.inboundLogParameters],
  ['ModelCallQuery', contract.modelCallParameters],
  ['ImportQuery', contract.importParameters],
  ['RequestLogQuery', contract.requestLogParameters],
  ['RequestLogFilter', contract.requestLogFilterParameters],
  ['EventQuery', contract.eventParameters],
  ['FactQualityQuery', contract.factQualityParameters],
]

nameEnum('EventType', contract.eventTypes)
nameShape('ParleyEvent', contract.anyEvent)
for (const [name, schema] of answers) nameShape(name, schema)

export function shapesFile() {
  const answered = answers.map(([name, schema, about]) => shape(name, schema, { about })).join('\n')
  const sent = bodies.map(([name, { schema }, about]) => shape(name, schema, { about, isSent: true })).join('\n')
  const asked = queries.map(([name, parameters]) => query(name, parameters)).join('\n')
  return `// The shapes of what is no entity: keys, organization, deliveries, replays, simulations, and the bodies of actions.
import type { ParleyEvent } from '../events.js'
import type { EventType } from './events.js'
${importOf(answered + sent + asked)}

${answered}
export type Scenario = Simulation['scenario']

${sent}
${asked}`
}
