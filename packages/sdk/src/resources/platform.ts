// All organizations of a service over one connection: what they are, what they use, their keys, and what happens in
// them.
import type { ApiPromise } from '../api-promise.js'
import { ParleyError } from '../errors.js'
import type { ParleyEvent } from '../events.js'
import type {
  OrganizationCreate,
  OrganizationKeyCreate,
  OrganizationKeyQuery,
  PlatformEventQuery,
  PlatformOrganization,
  PlatformOrganizationQuery,
  PlatformOrganizationUpdate,
  PlatformWebhook,
  PlatformWebhookCreate,
  PlatformWebhookWithSecret,
  Usage,
  UsageQuery,
} from '../generated/platform.js'
import type { ApiKey, MintedApiKey, Rotation, SubscriptionQuery, SubscriptionUpdate } from '../generated/shapes.js'
import { credentialsOf, type ParleyOptions, rootOf, variable } from '../options.js'
import { type Listing, listing } from '../page.js'
import type { StreamOptions } from '../stream.js'
import { ask, createSend, path, type RequestOptions, type Send } from '../transport.js'
import { streamEvents } from './events.js'
import { type RequestLog, requestLog } from './request-log.js'
import { act, type Gets, type Lists, type Updates, verbs } from './verbs.js'
import { type Webhooks, webhooks } from './webhooks.js'

export interface PlatformOptions extends Omit<ParleyOptions, 'apiKey' | 'session'> {
  /** `pk_…`; `PARLEY_PLATFORM_KEY` of the environment unless said. */
  readonly platformKey?: string | undefined
}

export interface PlatformOrganizations
  extends Lists<PlatformOrganizationQuery, PlatformOrganization>,
    Gets<PlatformOrganization>,
    Updates<PlatformOrganizationUpdate, PlatformOrganization> {
  /** Makes an organization, with its sandbox and production. */
  create(body: OrganizationCreate, options?: RequestOptions): ApiPromise<PlatformOrganization>
  /** What it used, by the day. */
  usage(id: string, query?: UsageQuery, options?: RequestOptions): ApiPromise<Usage>
  /** Its API keys, newest first. */
  apiKeys(id: string, query?: OrganizationKeyQuery, options?: RequestOptions): Listing<ApiKey>
  /** One of its API keys; NotFoundError where there is none. */
  apiKey(id: string, keyId: string, options?: RequestOptions): ApiPromise<ApiKey>
  /** Mints a key. The whole key is in this answer and nowhere else. */
  createApiKey(id: string, body: OrganizationKeyCreate, options?: RequestOptions): ApiPromise<MintedApiKey>
  /** A new key; the old one works until the grace period ends, a day unless said otherwise. */
  rotateApiKey(id: string, keyId: string, body?: Rotation, options?: RequestOptions): ApiPromise<MintedApiKey>
  /** The key stops working at once. */
  revokeApiKey(id: string, keyId: string, options?: RequestOptions): ApiPromise<void>
}

export interface PlatformEventStreamOptions
  extends StreamOptions,
    Pick<PlatformEventQuery, 'type' | 'environment' | 'organizationId'> {}

export interface PlatformEvents extends Lists<PlatformEventQuery, ParleyEvent> {
  /** One event by its id; NotFoundError where it is not kept. */
  get(eventId: string, options?: RequestOptions): ApiPromise<ParleyEvent>
  /** Events of all organizations as they happen, each once, across breaks of the connection. */
  stream(options?: PlatformEventStreamOptions): AsyncGenerator<ParleyEvent, void, undefined>
}

export interface PlatformWebhooks
  extends Omit<Webhooks, 'list' | 'get' | 'create' | 'update' | 'rotateSecret'>,
    Lists<SubscriptionQuery, PlatformWebhook>,
    Gets<PlatformWebhook>,
    Updates<SubscriptionUpdate, PlatformWebhook> {
  /** Subscribes a URL to the events of all organizations. The secret is in this answer and nowhere else. */
  create(body: PlatformWebhookCreate, options?: RequestOptions): ApiPromise<PlatformWebhookWithSecret>
  /** A new secret; the old one signs as well until the grace period ends. */
  rotateSecret(id: string, body?: Rotation, options?: RequestOptions): ApiPromise<PlatformWebhookWithSecret>
}

/** The platform API. Nothing is sent before a method is called. */
export class ParleyPlatform {
  readonly #send: Send

  /** Key and address come from `PARLEY_PLATFORM_KEY` and `PARLEY_BASE_URL` unless you say. */
  constructor(options: PlatformOptions = {}) {
    const apiKey = options.platformKey ?? variable('PARLEY_PLATFORM_KEY')
    if (!apiKey)
      throw new ParleyError('No platformKey: set PARLEY_PLATFORM_KEY, or pass new ParleyPlatform({ platformKey })')
    const base = rootOf(options).replace(/\/api\/v1$/, '/platform/v1')
    this.#send = createSend(options, { credentials: credentialsOf({ apiKey }), base })
  }

  /** Organizations, what they use, and their API keys. */
  get organizations(): PlatformOrganizations {
    return organizations(this.#send)
  }
  /** What happened in all organizations, and what happens. */
  get events(): PlatformEvents {
    return platformEvents(this.#send)
  }
  /** Subscriptions to the events of all organizations, their deliveries, and replays. */
  get webhooks(): PlatformWebhooks {
    return platformWebhooks(this.#send)
  }
  /** What came in with platform keys and how it was answered. */
  get requestLog(): RequestLog {
    return requestLog(this.#send)
  }
  /** The document of this API. */
  openapi(options?: RequestOptions): ApiPromise<Record<string, unknown>> {
    return ask(this.#send, { method: 'GET', path: '/openapi.json', options })
  }
}

function organizations(send: Send): PlatformOrganizations {
  const { list, get, create, update } = verbs<
    PlatformOrganizationQuery,
    OrganizationCreate,
    PlatformOrganizationUpdate,
    PlatformOrganization,
    PlatformOrganization
  >(send, 'organizations')
  const keyPath = (id: string, keyId: string) => path`/organizations/${id}/api-keys/${keyId}`
  return {
    list,
    get,
    create,
    update,
    usage: (id, query = {}, options) =>
      ask(send, { method: 'GET', path: path`/organizations/${id}/usage`, query, options }),
    apiKeys: (id, query = {}, options) => listing(send, path`/organizations/${id}/api-keys`, query, options),
    apiKey: (id, keyId, options) => ask(send, { method: 'GET', path: keyPath(id, keyId), options }),
    createApiKey: (id, body, options) => act(send, 'organizations', id, 'api-keys', body, options),
    rotateApiKey: (id, keyId, body = {}, options) =>
      ask(send, { method: 'POST', path: `${keyPath(id, keyId)}/rotate`, body, options }),
    revokeApiKey: (id, keyId, options) => ask(send, { method: 'DELETE', path: keyPath(id, keyId), options }),
  }
}

function platformEvents(send: Send): PlatformEvents {
  const { list, get }: Pick<PlatformEvents, 'list' | 'get'> = verbs(send, 'events')
  return {
    list,
    get,
    stream: ({ type, environment, organizationId, ...options } = {}) =>
      streamEvents(send, list, { type, environment, organizationId }, options),
  }
}

type Plain = Pick<PlatformWebhooks, 'list' | 'get' | 'create' | 'update' | 'delete'>

function platformWebhooks(send: Send): PlatformWebhooks {
  const plain: Plain = verbs(send, 'webhooks')
  return {
    ...webhooks(send),
    ...plain,
    rotateSecret: (id, body = {}, options) => act(send, 'webhooks', id, 'rotate-secret', body, options),
  }
}
