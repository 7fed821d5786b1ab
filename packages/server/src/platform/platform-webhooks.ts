// `/webhooks` of the platform: subscriptions to the events of all organizations. They are kept, signed, retried, listed
// and replayed like those of an organization; only who may ask, and which events come, is different.
import {
  platformSubscription,
  platformSubscriptionBody,
  platformSubscriptionWithSecret,
  type SubscriptionUpdate,
} from '@parley/contract'
import type { Network } from '../delivery/transport/address-policy.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { pageSchema } from '../resources/generic/list.js'
import { deliveryEndpoints } from '../resources/webhooks/deliveries.js'
import { replayEndpoints } from '../resources/webhooks/replays.js'
import { subscribe, webhookEndpoints } from '../resources/webhooks/subscriptions.js'

const common = { scope: 'any', platformScope: 'events', tag: 'Webhooks' } as const

/** `opened` are the networks that webhooks may reach besides public addresses. */
export const platformWebhookEndpoints = (opened: readonly Network[]): Endpoint[] => [
  ...webhookEndpoints(opened).map((one) =>
    one.operationId === 'createWebhook' ? createPlatformWebhook(opened) : ofPlatform(one),
  ),
  ...[...deliveryEndpoints, ...replayEndpoints].map(ofPlatform),
]

const createPlatformWebhook = (opened: readonly Network[]): Endpoint =>
  endpoint({
    ...common,
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    summary: 'Subscribe a URL to the events of all organizations',
    description:
      'The signing secret is in this answer and nowhere else. An empty `eventTypes` means the sixteen standard ' +
      'types. Each event says its `organizationId` and `environment`.',
    body: platformSubscriptionBody,
    returns: { status: 201, schema: platformSubscriptionWithSecret },
    async handle({ body: { environment = null, ...body }, ...input }) {
      const sent: SubscriptionUpdate = body
      return subscribe({ ...input, body: sent }, opened, { environment })
    },
  })

/** The endpoint of an organization, for the platform: it finds what is kept of the platform by who asks. */
function ofPlatform(endpointOfOne: Endpoint): Endpoint {
  const { raisedScope: _, returns, ...one } = endpointOfOne
  const schema = shown[one.operationId]
  return { ...one, ...common, returns: schema ? { ...returns, schema } : returns }
}

/** What is answered otherwise. */
const shown: Readonly<Record<string, Endpoint['returns']['schema']>> = {
  listWebhooks: pageSchema(platformSubscription),
  getWebhook: platformSubscription,
  updateWebhook: platformSubscription,
  rotateWebhookSecret: platformSubscriptionWithSecret,
}
