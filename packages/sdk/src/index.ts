// The public surface of the client.
export { Parley } from './client.js'
export * from './errors.js'
export type { EventOf, EventType, ParleyEvent, UnknownEvent } from './events.js'
export { Listing, type Page } from './page.js'
export type * from './records.js'
export type { ApiKey, ApiKeyCreate, MintedApiKey } from './resources/api-keys.js'
export type { CalendarFeed, MadeCalendarFeed } from './resources/calendar-feeds.js'
export type { CallMessage, TranscriptQuery } from './resources/calls.js'
export type { DeletedRecord } from './resources/deleted-records.js'
export type { DraftApproval } from './resources/drafts.js'
export type { EventQuery, EventStreamOptions } from './resources/events.js'
export type { FactPromotion } from './resources/facts.js'
export type { Organization, OrganizationSettings, Schema, SchemaEntity, SchemaField } from './resources/organization.js'
export type { PersonUpsert } from './resources/people.js'
export type { AllVerbs, AnyRecord, Verbs } from './resources/records.js'
export type { Scenario, Simulation, SimulationRequest } from './resources/sandbox.js'
export type { InboundSms, SmsReceipt, SmsSend } from './resources/sms.js'
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryQuery,
  ReplayJob,
  ReplayRequest,
  SubscriptionCreate,
  SubscriptionQuery,
  SubscriptionUpdate,
  SubscriptionWithSecret,
} from './resources/webhooks.js'
export type { WorkRecordSearch } from './resources/work-records.js'
export type { StreamOptions } from './stream.js'
export type { Ask, ParleyOptions, RequestOptions } from './transport.js'
export { type RawBody, type Refusal, signForTest, type VerifyOptions, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.js'
