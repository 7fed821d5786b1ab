// The public surface of the client.
export { ApiPromise, type WithResponse } from './api-promise.js'
export { Parley } from './client.js'
export * from './errors.js'
export type { EventOf, ParleyEvent, UnknownEvent } from './events.js'
export type * from './generated/entities.js'
export type * from './generated/events.js'
export type * from './generated/records.js'
export type * from './generated/shapes.js'
export type { Logger, LogLevel } from './log.js'
export type { ParleyOptions, SessionPlace } from './options.js'
export { Listing, type Page } from './page.js'
export type { ApiKeys } from './resources/api-keys.js'
export type { Batches, BatchItem, BatchOptions, BatchResult } from './resources/batch.js'
export type { CalendarFeeds } from './resources/calendar-feeds.js'
export type { CallMessage, Calls, TranscriptQuery } from './resources/calls.js'
export type { Drafts } from './resources/drafts.js'
export type { EventStreamOptions, Events } from './resources/events.js'
export type { ExportQuery, Exports } from './resources/exports.js'
export type { Extractions, Quality } from './resources/extractions.js'
export type { Facts } from './resources/facts.js'
export type { Imports } from './resources/imports.js'
export type { IntegrationConnections } from './resources/integration-connections.js'
export type { Invitations, Members } from './resources/members.js'
export type { CanBeMerged } from './resources/merging.js'
export type { OrganizationOfKey } from './resources/organization.js'
export type { Customers, HasDuplicates, HasTimeline } from './resources/overview.js'
export type { People, PersonUpsert } from './resources/people.js'
export type { RequestLog, RequestLogStreamOptions } from './resources/request-log.js'
export type { Sandbox } from './resources/sandbox.js'
export type { SessionOfPage, Sessions } from './resources/session.js'
export type { SmsMessages } from './resources/sms.js'
export type { AnyRecord, AnyVerbs, Creates, Deletes, Gets, Lists, Replaces, Updates } from './resources/verbs.js'
export type { Audio, Voicemails } from './resources/voicemails.js'
export type { Webhooks } from './resources/webhooks.js'
export type { WorkRecordSearch, WorkRecords } from './resources/work-records.js'
export type { StreamOptions } from './stream.js'
export type { Ask, RequestOptions } from './transport.js'
export {
  type RawBody,
  type Refusal,
  signForTest,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks.js'
