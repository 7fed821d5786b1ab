// Webhook subscriptions, their deliveries, and replays.
import type { EventType, ParleyEvent } from '../events.js'
import { type Listing, listing } from '../page.js'
import type { Other, WebhookSubscription } from '../records.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

export interface SubscriptionCreate {
  /** https only. */
  url: string
  /** The url's host unless said otherwise. */
  name?: string | undefined
  /** An empty list means the sixteen standard ones. */
  eventTypes?: (EventType | Other)[] | undefined
  description?: string | null | undefined
  throttlePerSecond?: number | null | undefined
}

export interface SubscriptionUpdate extends Partial<SubscriptionCreate> {
  status?: WebhookSubscription['status'] | undefined
}

/** `secret` is shown here and never again. */
export interface SubscriptionWithSecret extends WebhookSubscription {
  secret: string
}

export interface DeliveryAttempt {
  number: number
  startedAt: string
  durationMs: number
  timings: { dns: number | null; connect: number | null; tls: number | null; firstByte: number | null }
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  trigger: 'event' | 'retry' | 'replay' | 'test' | Other
}

export interface Delivery {
  id: string
  subscriptionId: string
  eventId: string
  eventType: EventType | Other
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'RETRYING' | 'DEAD_LETTERED' | Other
  attemptCount: number
  replayCount: number
  lastResponseStatus: number | null
  lastError: string | null
  lastAttemptAt: string | null
  nextAttemptAt: string | null
  createdAt: string
  deliveredAt: string | null
  /** With `expand: 'payload'`. */
  payload?: ParleyEvent
  /** With `expand: 'attempts'`. */
  attempts?: DeliveryAttempt[]
}

type Expand = 'payload' | 'attempts' | readonly ('payload' | 'attempts')[]

export interface SubscriptionQuery {
  /** Words of the name, URL and description. */
  q?: string | undefined
  includeRevoked?: boolean | undefined
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | undefined
  limit?: number | undefined
  cursor?: string | undefined
  count?: boolean | undefined
}

export interface DeliveryQuery {
  status?: Delivery['status'] | readonly Delivery['status'][] | undefined
  /** Words of the event type, event id, status, last error and response status. A page may be short while more follow. */
  q?: string | undefined
  expand?: Expand | undefined
  count?: boolean | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export interface ReplayRequest {
  since: string | Date
  until?: string | Date | undefined
  statuses?: Delivery['status'][] | undefined
  eventTypes?: (EventType | Other)[] | undefined
}

export interface ReplayJob {
  id: string
  subscriptionId: string
  status: 'running' | 'completed' | 'canceled' | Other
  /** Deliveries that fitted when the job was made. */
  matched: number
  /** Deliveries that were queued again so far. */
  queued: number
  since: string
  until: string
  statuses: string[]
  eventTypes: string[]
  createdAt: string
  finishedAt: string | null
}

export const webhooks = (send: Send) => {
  const post = <T>(at: string, body?: unknown, options?: RequestOptions): Promise<T> => ask(send, { method: 'POST', path: at, body, options })
  const get = <T>(at: string, query?: object, options?: RequestOptions): Promise<T> => ask(send, { method: 'GET', path: at, query, options })
  return {
    list: (query: SubscriptionQuery = {}, options?: RequestOptions): Listing<WebhookSubscription> => listing(send, '/webhooks', query, options),
    get: (id: string, options?: RequestOptions) => get<WebhookSubscription>(path`/webhooks/${id}`, undefined, options),
    create: (body: SubscriptionCreate, options?: RequestOptions) => post<SubscriptionWithSecret>('/webhooks', body, options),
    update: (id: string, body: SubscriptionUpdate, options?: RequestOptions): Promise<WebhookSubscription> =>
      ask(send, { method: 'PATCH', path: path`/webhooks/${id}`, body, options }),
    /** Nothing is sent to it once this has answered. */
    delete: (id: string, options?: RequestOptions): Promise<void> => ask(send, { method: 'DELETE', path: path`/webhooks/${id}`, options }),
    /** A new secret; the old one signs as well until the grace period ends. */
    rotateSecret: (id: string, body: { gracePeriodSeconds?: number } = {}, options?: RequestOptions) =>
      post<SubscriptionWithSecret>(path`/webhooks/${id}/rotate-secret`, body, options),
    /** Sends a signed sample. */
    test: (id: string, body: { eventType?: EventType | Other } = {}, options?: RequestOptions) => post<Delivery>(path`/webhooks/${id}/test`, body, options),
    deliveries: (id: string, query: DeliveryQuery = {}, options?: RequestOptions): Listing<Delivery> =>
      listing(send, path`/webhooks/${id}/deliveries`, query, options),
    delivery: (id: string, deliveryId: string, query: { expand?: Expand } = {}, options?: RequestOptions) =>
      get<Delivery>(path`/webhooks/${id}/deliveries/${deliveryId}`, query, options),
    /** Queues one delivery again; one that succeeded needs `force`. */
    replayDelivery: (id: string, deliveryId: string, body: { force?: boolean } = {}, options?: RequestOptions) =>
      post<Delivery>(path`/webhooks/${id}/deliveries/${deliveryId}/replay`, body, options),
    /** Queues all deliveries of a time again; follow it with `replayJob`. */
    replay: (id: string, body: ReplayRequest, options?: RequestOptions) => post<ReplayJob>(path`/webhooks/${id}/replay`, body, options),
    replayJob: (id: string, jobId: string, options?: RequestOptions) => get<ReplayJob>(path`/webhooks/${id}/replays/${jobId}`, undefined, options),
  }
}
