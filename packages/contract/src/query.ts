// What lists take in their query: the page, words and times that every list knows, and what the lists of events,
// deliveries and the like know besides.
import type { TSchema } from 'typebox'
import { webhookSubscriptions } from './entities/integrations.js'
import { beforeParameter, type Entity, fromParameter, timeFields } from './entity.js'
import { eventTypes } from './events.js'
import { instant, integer, line, list, oneOf, uuid } from './field.js'
import { inboundStatuses } from './inbound.js'
import { limits } from './limits.js'
import { deliveryStatuses, subscriptionStatuses } from './states.js'
import { deliveryExpansions } from './webhooks.js'

export interface Parameter {
  /** That of an array takes a comma list. */
  readonly schema: TSchema
  readonly description: string
  /** Other spellings of a value that are accepted. */
  readonly accept?: (text: string) => string
}

export type Parameters = Readonly<Record<string, Parameter>>

export const pageParameters = {
  limit: {
    schema: integer({ minimum: 1, maximum: limits.pageMax }),
    description: `Rows a page, ${limits.pageDefault} unless said otherwise; a page of large records may hold fewer`,
  },
  cursor: { schema: line(512), description: 'The `nextCursor` of the page before; leave out for the first page' },
  count: {
    schema: { type: 'boolean' },
    description: [
      `Whether \`pagination\` tells how many records the list has, up to ${limits.countMax};`,
      '`countIsExact` is false for more',
    ].join(' '),
  },
} satisfies Parameters

/** The parameter `q`, with what it looks at. */
export const searchParameter = (where: string) =>
  ({
    q: { schema: line(limits.queryLength), description: `Every word must match, as a prefix, in ${where}` },
  }) satisfies Parameters

const createdParameters = {
  createdSince: { schema: instant(), description: 'Only records created at or after this time' },
  createdBefore: { schema: instant(), description: 'Only records created before this time' },
  updatedSince: { schema: instant(), description: 'Only records changed at or after this time' },
} satisfies Parameters

/** What the list of any entity takes, besides its own filters and times. */
export const commonParameters = {
  ...pageParameters,
  ...searchParameter('the searchable fields'),
  ...createdParameters,
} satisfies Parameters

/** `sort` by one of the entity's time fields, and the span of each. */
export const timeParameters = (entity: Pick<Entity, 'times'>): Parameters => ({
  ...sortParameter(timeFields(entity)),
  ...spanParameters(timeFields(entity)),
})

const sortParameter = (fields: readonly string[]): Parameters => ({
  sort: {
    schema: oneOf([...fields, ...fields.map((field) => `-${field}`)]),
    description: [
      'By this time, earliest first; with `-` in front latest first. Records without it come last.',
      'Newest first unless said otherwise',
    ].join(' '),
  },
})

const spanParameters = (fields: readonly string[]): Parameters =>
  Object.fromEntries(
    fields.flatMap((field) => [
      [fromParameter(field), { schema: instant(), description: `Only records with ${field} at or after this time` }],
      [beforeParameter(field), { schema: instant(), description: `Only records with ${field} before this time` }],
    ]),
  )

/** Which events: what the log and its stream both take. */
export const eventFilterParameters = {
  type: { schema: list(oneOf(eventTypes)), description: 'Only events of this type, or of these, separated by commas' },
  subjectId: { schema: uuid(), description: 'Only events about this record' },
} satisfies Parameters

export const eventParameters = {
  ...pageParameters,
  ...searchParameter('the type, the event id, and what the record it is about was found by then'),
  ...eventFilterParameters,
  since: { schema: instant(), description: 'Only events at or after this time' },
  until: { schema: instant(), description: 'Only events before this time' },
  ...sortParameter(['occurredAt']),
  ...spanParameters(['occurredAt']),
  after: { schema: line(64), description: 'The last event that you have seen' },
} satisfies Parameters

export const subscriptionParameters = {
  ...pageParameters,
  ...searchParameter('name, URL and description'),
  status: { schema: oneOf(subscriptionStatuses), description: 'Only subscriptions with this status' },
  includeRevoked: { schema: { type: 'boolean' }, description: 'Also those that were revoked' },
  ...createdParameters,
  ...timeParameters(webhookSubscriptions),
} satisfies Parameters

export const expandParameters = {
  expand: {
    schema: list(oneOf(deliveryExpansions)),
    description: [
      'A comma list of `payload` (what was sent) and `attempts`',
      `(each try with its timings and answer, the last ${limits.listItems} of them)`,
    ].join(' '),
  },
} satisfies Parameters

export const deliveryParameters = {
  ...pageParameters,
  ...searchParameter('event type, event id, status, last error and response status'),
  status: {
    schema: list(oneOf(deliveryStatuses)),
    accept: (text: string) => text.toUpperCase(),
    description: 'Only deliveries with one of these statuses, as a comma list',
  },
  ...expandParameters,
} satisfies Parameters

export const apiKeyParameters = {
  ...pageParameters,
  ...searchParameter('name, scope, prefix and last characters'),
} satisfies Parameters

export const calendarFeedParameters = {
  ...pageParameters,
  ...searchParameter('the name'),
} satisfies Parameters

export const deletedRecordParameters = {
  ...pageParameters,
  ...searchParameter('the entity type, the id, and what the record was found by'),
  since: { schema: instant(), description: 'Only deletions at or after this time' },
} satisfies Parameters

export const modelCallParameters = {
  ...pageParameters,
  ...searchParameter('model, source and failure'),
} satisfies Parameters

export const inboundLogParameters = {
  ...pageParameters,
  ...searchParameter('kind, status, error and the ids of the provider'),
  status: { schema: oneOf(inboundStatuses), description: 'Only requests with this verdict' },
} satisfies Parameters
