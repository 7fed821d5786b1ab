// Webhook subscriptions, their deliveries, and replays.
import type { ApiPromise } from '../api-promise.js'
import type { WebhookSubscription } from '../generated/records.js'
import type {
  Delivery,
  DeliveryQuery,
  DeliveryReplay,
  ExpandQuery,
  ReplayJob,
  ReplayRequest,
  Rotation,
  SubscriptionCreate,
  SubscriptionQuery,
  SubscriptionUpdate,
  SubscriptionWithSecret,
  WebhookTest,
} from '../generated/shapes.js'
import { type Listing, listing } from '../page.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { act, type Gets, type Lists, type Updates, verbs } from './verbs.js'

export interface Webhooks
  extends Lists<SubscriptionQuery, WebhookSubscription>,
    Gets<WebhookSubscription>,
    Updates<SubscriptionUpdate, WebhookSubscription> {
  /** Subscribes a URL. The secret is in this answer and nowhere else. */
  create(body: SubscriptionCreate, options?: RequestOptions): ApiPromise<SubscriptionWithSecret>
  /** Revokes a subscription: nothing is sent to it once this has answered. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** A new secret; the old one signs as well until the grace period ends. */
  rotateSecret(id: string, body?: Rotation, options?: RequestOptions): ApiPromise<SubscriptionWithSecret>
  /** Sends a signed sample. */
  test(id: string, body?: WebhookTest, options?: RequestOptions): ApiPromise<Delivery>
  /** What was sent or is waiting to be, newest first. */
  deliveries(id: string, query?: DeliveryQuery, options?: RequestOptions): Listing<Delivery>
  /** One delivery, with its payload and attempts where `expand` asks for them. */
  delivery(id: string, deliveryId: string, query?: ExpandQuery, options?: RequestOptions): ApiPromise<Delivery>
  /** Queues one delivery again; one that succeeded needs `force`. */
  replayDelivery(id: string, deliveryId: string, body?: DeliveryReplay, options?: RequestOptions): ApiPromise<Delivery>
  /** Queues all deliveries of a time again; follow it with `replayJob`. */
  replay(id: string, body: ReplayRequest, options?: RequestOptions): ApiPromise<ReplayJob>
  /** How far a replay has come. */
  replayJob(id: string, jobId: string, options?: RequestOptions): ApiPromise<ReplayJob>
}

type Plain = Pick<Webhooks, 'list' | 'get' | 'create' | 'update' | 'delete'>

export function webhooks(send: Send): Webhooks {
  const get = <T>(at: string, query?: object, options?: RequestOptions): ApiPromise<T> =>
    ask(send, { method: 'GET', path: at, query, options })
  const plain: Plain = verbs(send, 'webhooks')
  return {
    ...plain,
    rotateSecret: (id, body = {}, options) => act(send, 'webhooks', id, 'rotate-secret', body, options),
    test: (id, body = {}, options) => act(send, 'webhooks', id, 'test', body, options),
    deliveries: (id, query = {}, options) => listing(send, path`/webhooks/${id}/deliveries`, query, options),
    delivery: (id, deliveryId, query = {}, options) =>
      get(path`/webhooks/${id}/deliveries/${deliveryId}`, query, options),
    replayDelivery: (id, deliveryId, body = {}, options) =>
      ask(send, { method: 'POST', path: path`/webhooks/${id}/deliveries/${deliveryId}/replay`, body, options }),
    replay: (id, body, options) => act(send, 'webhooks', id, 'replay', body, options),
    replayJob: (id, jobId, options) => get(path`/webhooks/${id}/replays/${jobId}`, undefined, options),
  }
}
