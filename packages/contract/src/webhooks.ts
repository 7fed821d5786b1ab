// Webhooks as clients see them: what may be said of a subscription, its deliveries with their attempts, and replays
// of many deliveries. The subscription itself is an entity.
import type { Static } from 'typebox'
import { bodyWith, type Sent } from './body.js'
import { webhookSubscriptions } from './entities/integrations.js'
import { type Fields, fieldsOf, recordSchema } from './entity.js'
import { eventBody, eventType, eventTypes } from './events.js'
import {
  described,
  describedFields,
  type Field,
  flag,
  freeForm,
  instant,
  integer,
  line,
  list,
  longText,
  named,
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

export const subscription = named('WebhookSubscription', withEventTypes(recordSchema(webhookSubscriptions)))

/** The stored list of types is any text; those that we write are types that we know. */
function withEventTypes<T>(schema: Field<T>): Field<T> {
  const { eventTypes: types, ...properties } = propertiesOf(schema) ?? {}
  const listed = { ...types, items: eventType() }
  return { ...schema, properties: { ...properties, eventTypes: listed } } as Field<T>
}

/** As it is answered once, when a secret was made. */
export const subscriptionWithSecret = named(
  'WebhookSubscriptionWithSecret',
  object({
    ...(propertiesOf(subscription) as Fields),
    secret: described(text(), 'Signs every delivery: shown here and never again.'),
  }),
)

const settable = {
  name: optional(described(text(), 'What your people call it; the host of the url unless you say.')),
  // What these two may be is checked by a rule, which can say what is allowed.
  eventTypes: optional(
    described(
      list(named('WebhookEventType', ruled(line(), { enum: eventTypes })), limits.listItems),
      'Which events are sent; an empty list means the sixteen standard types.',
    ),
  ),
  status: optional(
    described(ruled(word(), { enum: subscriptionStatuses }), 'What comes while it is not `active` is sent when it is.'),
  ),
  description: optional(described(nullable(longText()), 'What it is for.')),
  throttlePerSecond: optional(webhookSubscriptions.fields.throttlePerSecond),
}
const setByService = [...Object.keys(fieldsOf(webhookSubscriptions)), 'secret'].filter(
  (name) => name !== 'url' && !Object.hasOwn(settable, name),
)

const url = described(
  ruled(uri(), { pattern: '^[Hh][Tt][Tt][Pp][Ss]://' }),
  'Where events are posted: https, a public host, no credentials in it.',
)
/** Disabled is what we do to it. */
const firstStatuses = subscriptionStatuses.filter((status) => status !== 'disabled')
const firstStatus = optional(
  described(ruled(word(), { enum: firstStatuses }), '`paused` ones are sent nothing until they are active.'),
)

export const subscriptionCreateBody = bodyWith({ url, ...settable, status: firstStatus }, { ignored: setByService })
export const subscriptionUpdateBody = bodyWith({ url: optional(url), ...settable }, { ignored: setByService })
export type SubscriptionUpdate = Sent<typeof subscriptionUpdateBody>

export const webhookTestBody = bodyWith(
  { eventType: optional(eventType()) },
  { required: false, about: { eventType: 'Which sample is sent; the first of its types unless you say.' } },
)

const milliseconds = () => nullable(number())

const timings = object(
  { dns: milliseconds(), connect: milliseconds(), tls: milliseconds(), firstByte: milliseconds() },
  {
    dns: 'Milliseconds until the name was resolved.',
    connect: 'Milliseconds until the connection stood.',
    tls: 'Milliseconds until it was encrypted.',
    firstByte: 'Milliseconds until the answer began.',
  },
)

export const deliveryAttempt = named(
  'DeliveryAttempt',
  object(
    {
      number: integer({ minimum: 1 }),
      startedAt: instant(),
      durationMs: number({ minimum: 0 }),
      timings,
      responseStatus: nullable(integer()),
      responseBody: nullable(line(2_048)),
      error: nullable(word()),
      trigger: oneOf(['event', 'retry', 'replay', 'test']),
      signature: optional(nullable(line())),
    },
    {
      number: 'Which attempt it is, from 1.',
      startedAt: 'When it began.',
      durationMs: 'How many milliseconds it took.',
      timings: 'Where they went; null for what did not happen, as on a connection that was open already.',
      responseStatus: 'What you answered; null where no answer came.',
      responseBody: 'The beginning of your answer.',
      error: 'What went wrong, such as `timeout`, `connection_refused` or `http_500`.',
      trigger: 'Why it was made.',
      signature:
        'The `X-Service-Signature` that it carried; null where nothing was signed, absent for attempts of before.',
    },
  ),
)

/** An event of any type, as it is logged, streamed and sent. */
export const anyEvent = named('ParleyEvent', eventBody(freeForm()))

/** What is added to a delivery when `expand` asks for it. */
export const deliveryExpansions = ['payload', 'attempts'] as const
export type DeliveryExpansion = (typeof deliveryExpansions)[number]

const deliveryFields = describedFields(
  {
    id: uuid(),
    subscriptionId: uuid(),
    eventId: text(26),
    eventType: eventType(),
    status: oneOf(deliveryStatuses),
    attemptCount: integer({ minimum: 0 }),
    replayCount: integer({ minimum: 0 }),
    nextAttemptAt: nullable(instant()),
    lastAttemptAt: nullable(instant()),
    lastResponseStatus: nullable(integer()),
    lastError: nullable(word()),
    createdAt: instant(),
    deliveredAt: nullable(instant()),
  },
  {
    id: 'The `X-Service-Delivery-Id` of its requests.',
    subscriptionId: 'The subscription that it is for.',
    eventId: 'The event that it brings.',
    eventType: 'The type of that event.',
    status: 'Where it stands. `DEAD_LETTERED`: all attempts failed. `FAILED`: not worth another one.',
    attemptCount: 'How many times it was tried, over all replays.',
    replayCount: 'How often it was sent again on request.',
    nextAttemptAt: 'When it is tried next; null when it is not.',
    lastAttemptAt: 'When it was last tried.',
    lastResponseStatus: 'What you last answered.',
    lastError: 'What last went wrong, such as `timeout`, `connection_refused` or `http_500`.',
    createdAt: 'When it was made, together with its event.',
    deliveredAt: 'When you answered 2xx.',
  },
)

export const delivery = named(
  'WebhookDelivery',
  object({
    ...deliveryFields,
    payload: optional(
      described(nullable(anyEvent), 'What was sent, with `expand=payload`; null where it is no longer kept.'),
    ),
    attempts: optional(described(list(deliveryAttempt, limits.listItems), 'Each try, with `expand=attempts`.')),
  }),
)

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

export const replay = named(
  'WebhookReplay',
  object(
    {
      id: uuid(),
      subscriptionId: uuid(),
      status: oneOf(replayStatuses),
      matched: integer({ minimum: 0 }),
      queued: integer({ minimum: 0 }),
      since: instant(),
      until: instant(),
      statuses: list(oneOf(finishedDeliveryStatuses)),
      eventTypes: list(eventType()),
      createdAt: instant(),
      finishedAt: nullable(instant()),
    },
    {
      id: 'Made by Parley.',
      subscriptionId: 'The subscription whose deliveries are sent again.',
      status: 'Whether it still runs.',
      matched: 'Deliveries that fitted when the job was made.',
      queued: 'Deliveries that were put back into the queue so far.',
      since: 'Deliveries made at or after this time.',
      until: 'Deliveries made before this time.',
      statuses: 'Deliveries that stand so.',
      eventTypes: 'Deliveries of these events; an empty list means all.',
      createdAt: 'When it was asked for.',
      finishedAt: 'When all were put back.',
    },
  ),
)
export type Replay = Readonly<Static<typeof replay>>

export const replayBody = bodyWith(
  {
    since: instant(),
    until: optional(instant()),
    statuses: optional(list(oneOf(finishedDeliveryStatuses), finishedDeliveryStatuses.length)),
    eventTypes: optional(list(eventType(), limits.listItems)),
  },
  {
    about: {
      since: 'Deliveries made at or after this time.',
      until: 'Deliveries made before this time. Now, unless you say otherwise.',
      statuses: 'Deliveries that stand so; FAILED and DEAD_LETTERED unless you say otherwise.',
      eventTypes: 'Deliveries of these events; all, unless you say otherwise.',
    },
  },
)
export type ReplayRequest = Sent<typeof replayBody>
