// The client: one property per entity, from src/generated, and here those that can do more than the plain verbs.
// All go over one `send`.
import type { ApiPromise } from './api-promise.js'
import { Entities } from './generated/entities.js'
import type {
  DeletedRecord,
  DeletedRecordQuery,
  Schema,
  SearchHit,
  SearchQuery,
  Stats,
  StatsQuery,
} from './generated/shapes.js'
import type { ParleyOptions } from './options.js'
import type { Listing } from './page.js'
import { type ApiKeys, apiKeys } from './resources/api-keys.js'
import type { CalendarFeeds } from './resources/calendar-feeds.js'
import { type Calls, calls } from './resources/calls.js'
import { type Drafts, drafts } from './resources/drafts.js'
import { type Events, events } from './resources/events.js'
import { type Extractions, extractions, type Quality, quality } from './resources/extractions.js'
import { type Facts, facts } from './resources/facts.js'
import { type Imports, imports } from './resources/imports.js'
import { type IntegrationConnections, integrationConnections } from './resources/integration-connections.js'
import { type Invitations, type Members, members } from './resources/members.js'
import { type OrganizationOfKey, organization } from './resources/organization.js'
import { type Customers, customers, search, stats } from './resources/overview.js'
import { type People, people } from './resources/people.js'
import { type RequestLog, requestLog } from './resources/request-log.js'
import { type Sandbox, sandbox } from './resources/sandbox.js'
import { type SessionOfPage, type Sessions, session, sessions } from './resources/session.js'
import { type SmsMessages, sms } from './resources/sms.js'
import { type AnyVerbs, type Lists, verbs } from './resources/verbs.js'
import { type Voicemails, voicemails } from './resources/voicemails.js'
import { type Webhooks, webhooks } from './resources/webhooks.js'
import { type WorkRecords, workRecords } from './resources/work-records.js'
import { type Ask, ask, createSend, type RequestOptions, type Send } from './transport.js'

/** Everything that the service offers. Nothing is sent before a method is called. */
export class Parley extends Entities {
  readonly #send: Send

  /** Key and address come from `PARLEY_API_KEY` and `PARLEY_BASE_URL` unless you say. */
  constructor(options: ParleyOptions = {}) {
    const send = createSend(options)
    super(send)
    this.#send = send
  }

  /** Units of work, and a search among them. */
  override get workRecords(): WorkRecords {
    return workRecords(this.#send)
  }
  /** People, by id and by number. */
  override get people(): People {
    return people(this.#send)
  }
  /** Customers, and what happened with them. */
  override get customers(): Customers {
    return customers(this.#send)
  }
  /** SMS: send them, and record what came in and what became of them. */
  override get sms(): SmsMessages {
    return sms(this.#send)
  }
  /** Voicemails and their audio. */
  override get voicemails(): Voicemails {
    return voicemails(this.#send)
  }
  /** Calls: while they last, and afterwards. */
  override get calls(): Calls {
    return calls(this.#send)
  }
  /** What was learned, and whether it is true. */
  override get facts(): Facts {
    return facts(this.#send)
  }
  /** What calls propose, and what is decided on it. */
  override get drafts(): Drafts {
    return drafts(this.#send)
  }
  /** Connections to other systems, and what these sent. */
  override get integrationConnections(): IntegrationConnections {
    return integrationConnections(this.#send)
  }
  /** Webhook subscriptions, their deliveries, and replays. */
  get webhooks(): Webhooks {
    return webhooks(this.#send)
  }
  /** What happened, and what happens. */
  get events(): Events {
    return events(this.#send)
  }
  /** Files of rows that become records. */
  get imports(): Imports {
    return imports(this.#send)
  }
  /** What came in and how it was answered. Needs an ADMIN key. */
  get requestLog(): RequestLog {
    return requestLog(this.#send)
  }
  /** The keys of this tenant. Needs an ADMIN key. */
  get apiKeys(): ApiKeys {
    return apiKeys(this.#send)
  }
  /** Addresses for calendar programs. Needs an ADMIN key. */
  get calendarFeeds(): CalendarFeeds {
    return verbs(this.#send, 'calendar-feeds')
  }
  /** The organization behind the key, and its settings. */
  get organization(): OrganizationOfKey {
    return organization(this.#send)
  }
  /** The users of the organization. Changes need an owner, or a live ADMIN key. */
  get members(): Members {
    return members(this.#send)
  }
  /** Invitations that are open. Needs an owner, or an ADMIN key; to invite, a live one. */
  get invitations(): Invitations {
    return verbs(this.#send, 'invitations')
  }
  /** Who is signed in, for pages of the service. */
  get session(): SessionOfPage {
    return session(this.#send)
  }
  /** Where the signed-in user is signed in. */
  get sessions(): Sessions {
    return sessions(this.#send)
  }
  /** What was deleted, for clients that keep a copy. */
  get deletedRecords(): Lists<DeletedRecordQuery, DeletedRecord> {
    return verbs(this.#send, 'deleted-records')
  }
  /** What the extractor finds in a conversation. */
  get extractions(): Extractions {
    return extractions(this.#send)
  }
  /** How proposals fared in review. */
  get quality(): Quality {
    return quality(this.#send)
  }
  /** Plays conversations, in the sandbox only. */
  get sandbox(): Sandbox {
    return sandbox(this.#send)
  }

  /**
   * An entity by its slug, for those that this version does not know and for programs that learn the slug as they run;
   * `schema()` lists them.
   */
  entity(slug: string): AnyVerbs {
    return verbs(this.#send, slug)
  }

  /** Searches people, customers, work, calls, messages and facts; with one of `types` in pages, else five of each. */
  search(query: SearchQuery, options?: RequestOptions): Listing<SearchHit> {
    return search(this.#send, query, options)
  }

  /** Numbers of what happened, by the hour or the day, each with the list of what was counted. */
  stats(query: StatsQuery = {}, options?: RequestOptions): ApiPromise<Stats> {
    return stats(this.#send, query, options)
  }

  /** What this key can reach. The quickest way to try a key. */
  schema(options?: RequestOptions): ApiPromise<Schema> {
    return ask(this.#send, { method: 'GET', path: '/schema', options })
  }

  /** The OpenAPI description of the service: 3.1, or 3.0 for tools that read no other. */
  openapi(options?: RequestOptions & { version?: '3.0' | '3.1' }): ApiPromise<Record<string, unknown>> {
    const path = options?.version === '3.0' ? '/openapi-3.0.json' : '/openapi.json'
    return ask(this.#send, { method: 'GET', path, options })
  }

  /** Any request, for paths that this version of the client does not know. */
  request<T = unknown>(request: Ask): ApiPromise<T> {
    return ask<T>(this.#send, request)
  }

  /** Any request, with the answer as it came: for what is no JSON. Its body can be read while it arrives. */
  fetch(request: Ask): Promise<Response> {
    return this.#send({ isStream: true, ...request })
  }
}
