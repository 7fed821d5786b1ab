// The webhooks section of the OpenAPI document: what subscribers get, one entry for each type of event, standard and
// opt-in.
import {
  type EventDefinition,
  type EventType,
  eventBody,
  events,
  eventTypes,
  exampleEventType,
  limits,
  propertiesOf,
  sampleEvent,
  webhookHeaders,
} from '@parley/contract'
import type { TSchema } from 'typebox'
import { pascalCase } from './openapi-names.js'
import { type Json, refTo, type Schemas } from './openapi-schemas.js'

export const webhookTag = 'Webhook events'

export function webhooksOf(schemas: Schemas): { webhooks: Json; parameters: Json } {
  return {
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: webhook(type, schemas) }])),
    parameters: headerParameters,
  }
}

/** The body of an event of this type alone. */
function bodySchema(type: EventType): TSchema {
  const schema = eventBody(events[type].data)
  const known = { type: 'string', const: type, description: 'What happened.', examples: [type] }
  return { ...schema, properties: { ...propertiesOf(schema), type: known } } as TSchema
}

function webhook(type: EventType, schemas: Schemas): Json {
  const { when, optIn }: EventDefinition = events[type]
  return {
    operationId: `on${pascalCase(type)}`,
    summary: when.replace(/\.$/, ''),
    description: optIn
      ? 'Opt-in: sent only to subscriptions that name this type.'
      : 'Sent to every subscription that names this type or none.',
    tags: [webhookTag],
    ...(optIn && { 'x-opt-in': true }),
    security: [],
    parameters: Object.keys(headerParameters).map((name) => refTo('parameters', name)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.of(bodySchema(type), 'event', { suggested: `${pascalCase(type)}Event` }),
          example: sampleEvent(type),
        },
      },
    },
    responses: {
      '2XX': { description: `Received. Answer within ${limits.webhookTimeoutSeconds} seconds; the body is not used.` },
      '410': { description: 'Gone for good: the subscription is disabled.' },
      default: { description: `Anything else is tried again, ${limits.webhookAttempts} times in all.` },
    },
  }
}

const parameter = (name: string, description: string, schema: Json, example: unknown): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
})

const text = { type: 'string' }
const { signature, event, eventId, deliveryId, attempt, standardId, standardTimestamp, standardSignature } =
  webhookHeaders
const sampleEventId = sampleEvent(exampleEventType)['eventId']

const headerParameters: Readonly<Record<string, Json>> = {
  WebhookSignature: parameter(
    signature,
    '`t=<Unix seconds>,v1=<hex>`: HMAC-SHA-256 over `<t>.<raw body>`, keyed with the whole ' +
      'signing secret. There are two `v1` while a secret is rotated. Refuse a time more than ' +
      `${limits.webhookToleranceSeconds} seconds away.`,
    text,
    `t=1772463845,v1=${'5c'.repeat(32)}`,
  ),
  WebhookEventType: parameter(event, 'The type of the event.', text, exampleEventType),
  WebhookEventId: parameter(eventId, 'The id of the event, as in the body.', text, sampleEventId),
  WebhookDeliveryId: parameter(
    deliveryId,
    'The id of this delivery, as in the delivery log.',
    { type: 'string', format: 'uuid' },
    '019caf13-e9c8-7c11-8d5e-6f2a9b0c4d11',
  ),
  WebhookAttempt: parameter(attempt, 'Which attempt this is, from 1.', { type: 'integer', minimum: 1 }, 1),
  StandardWebhookId: parameter(
    standardId,
    'The id of the event, for libraries of Standard Webhooks.',
    text,
    sampleEventId,
  ),
  StandardWebhookTimestamp: parameter(
    standardTimestamp,
    'When this attempt was signed, in Unix seconds.',
    { type: 'integer' },
    1772463845,
  ),
  StandardWebhookSignature: parameter(
    standardSignature,
    '`v1,<base64>` of the same body, as Standard Webhooks define it, keyed with the decoded part ' +
      'of the secret after `whsec_`.',
    text,
    `v1,${'A'.repeat(43)}=`,
  ),
}
