// Webhooks as clients see them: what may be said of a subscription, its deliveries with their attempts, and replays
// of many deliveries. The subscription itself is an entity.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from './body.js'
import { webhookSubscriptions } from './entities/integrations.js'
import { type Fields, fieldsOf, recordSchema } from './entity.js'
import { eventBody, eventTypes } from './events.js'
import {
  described,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  longText,
  nullable,
  number,
  object,
  oneOf,
  optional,
  propertiesOf,
  ruled,
  text,
  uri,
  uuid,
  word,
} from './field.js'
import { limits } from './limits.js'
import { type DeliveryStatus, deliveryStatuses, subscriptionStatuses } from './states.js'

export const subscription = recordSchema(webhookSubscriptions)

/** As it is answered once, when a secret was made. */
export const subscriptionWithSecret = object({
  ...(propertiesOf(subscription) as Fields),
  secret: described(text(), 'Signs every delivery: shown here and never again.'),
})

const settable = {
  name: optional(described(text(), 'The host of the url unless said otherwise.')),
  // What these two may be is checked by a rule, which can say what is allowed.
  eventTypes: optional(
    described(
      list(ruled(line(), { enum: eventTypes }), limits.listItems),
      'An empty list means the sixteen standard types.',
    ),
  ),
  status: optional(ruled(word(), { enum: subscriptionStatuses })),
  description: optional(nullable(longText())),
  throttlePerSecond: optional(nullable(integer({ minimum: 1, maximum: 1000 }))),
}
const setByService = [...Object.keys(fieldsOf(webhookSubscriptions)), 'secret'].filter(
  (name) => name !== 'url' && !Object.hasOwn(settable, name),
)

const url = ruled(uri(), { pattern: '^[Hh][Tt][Tt][Pp][Ss]://' })
/** Disabled is what we do to it. */
const firstStatuses = subscriptionStatuses.filter((status) => status !== 'disabled')
const firstStatus = optional(ruled(word(), { enum: firstStatuses }))

export const subscriptionCreateBody = bodyWith({ url, ...settable, status: firstStatus }, { ignored: setByService })
export const subscriptionUpdateBody = bodyWith({ url: optional(url), ...settable }, { ignored: setByService })
export type SubscriptionUpdate = Sent<typeof subscriptionUpdateBody>

export const webhookTestBody = bodyWith({ eventType: optional(oneOf(eventTypes)) }, { required: false })

const milliseconds = () => nullable(number())

export const deliveryAttempt = object({
  number: integer({ minimum: 1 }),
  startedAt: instant(),
  durationMs: number({ minimum: 0 }),
  timings: object({ dns: milliseconds(), connect: milliseconds(), tls: milliseconds(), firstByte: milliseconds() }),
  responseStatus: nullable(integer()),
  responseBody: nullable(line(2_048)),
  error: nullable(word()),
  trigger: oneOf(['event', 'retry', 'replay', 'test']),
})

/** An event of any type, as it is logged, streamed and sent. */
export const anyEvent = eventBody(freeForm())

/** What is added to a delivery when `expand` asks for it. */
export const deliveryExpansions = ['payload', 'attempts'] as const
export type DeliveryExpansion = (typeof deliveryExpansions)[number]

const deliveryFields = {
  id: uuid(),
  subscriptionId: uuid(),
  eventId: text(26),
  eventType: oneOf(eventTypes),
  status: oneOf(deliveryStatuses),
  attemptCount: integer({ minimum: 0 }),
  replayCount: integer({ minimum: 0 }),
  nextAttemptAt: nullable(instant()),
  lastAttemptAt: nullable(instant()),
  lastResponseStatus: nullable(integer()),
  lastError: nullable(word()),
  createdAt: instant(),
  deliveredAt: nullable(instant()),
}

export const delivery = object({
  ...deliveryFields,
  payload: optional(
    described(nullable(anyEvent), 'What was sent, with `expand=payload`; null where it is no longer kept.'),
  ),
  attempts: optional(described(list(deliveryAttempt, limits.listItems), 'Each try, with `expand=attempts`.')),
})

const bareDelivery = object(deliveryFields)
/** One delivery without what can be expanded. */
export type Delivery = Readonly<Static<typeof bareDelivery>>

export const deliveryReplayBody = bodyWith(
  { force: optional(described(flag(), 'Also sends again what has succeeded.')) },
  { required: false },
)

export const finishedDeliveryStatuses = [
  'FAILED',
  'DEAD_LETTERED',
  'SUCCEEDED',
] as const satisfies readonly DeliveryStatus[]
export const replayStatuses = ['running', 'completed', 'canceled'] as const

export const replay = object({
  id: uuid(),
  subscriptionId: uuid(),
  status: oneOf(replayStatuses),
  matched: described(integer({ minimum: 0 }), 'Deliveries that fitted when the job was made.'),
  queued: described(integer({ minimum: 0 }), 'Deliveries that were put back into the queue so far.'),
  since: instant(),
  until: instant(),
  statuses: list(oneOf(finishedDeliveryStatuses)),
  eventTypes: list(oneOf(eventTypes)),
  createdAt: instant(),
  finishedAt: nullable(instant()),
})
export type Replay = Readonly<Static<typeof replay>>

export const replayBody = bodyWith({
  since: instant(),
  until: optional(described(instant(), 'Now, unless said otherwise.')),
  statuses: optional(
    described(
      list(oneOf(finishedDeliveryStatuses), finishedDeliveryStatuses.length),
      'FAILED and DEAD_LETTERED unless said otherwise.',
    ),
  ),
  eventTypes: optional(list(oneOf(eventTypes), limits.listItems)),
})
export type ReplayRequest = Sent<typeof replayBody>
