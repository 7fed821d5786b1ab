// What a webhook subscription may be: the shapes of its bodies and the rules that its URL, event types and status keep.
import {
  bodyWith,
  eventTypes,
  type Fields,
  fieldsOf,
  instant,
  integer,
  isEventType,
  isOneOf,
  limits,
  line,
  list,
  longText,
  nullable,
  object,
  oneOf,
  optional,
  type Row,
  recordSchema,
  ruled,
  type Scope,
  type SubscriptionStatus,
  subscriptionStatuses,
  text,
  uri,
  webhookSubscriptions,
  word,
} from '@parley/contract'
import { judgeUrl, type Network } from '../../delivery/transport/address-policy.js'
import type { Caller, Input } from '../../http/endpoint.js'
import { badRequest, badRequests, conflict, notFound } from '../../store/api-error.js'
import { timeParameters } from '../generic/list.js'

export type Subscription = Row<typeof webhookSubscriptions>

export const subscriptionSchema = recordSchema(webhookSubscriptions)
/** As it is answered once, when a secret was made. */
export const subscriptionWithSecret = object({ ...(subscriptionSchema as unknown as { properties: Fields }).properties, secret: text() })

/** Disabled is what we do to it. */
const firstStatuses = subscriptionStatuses.filter((status) => status !== 'disabled')

const settable = {
  name: optional(text()),
  // What it may be is checked by a rule, which can say what is allowed.
  eventTypes: optional(list(ruled(line(), { enum: eventTypes }), limits.listItems)),
  status: optional(ruled(word(), { enum: subscriptionStatuses })),
  description: optional(nullable(longText())),
  throttlePerSecond: optional(nullable(integer({ minimum: 1, maximum: 1000 }))),
}
const ignored = [...Object.keys(fieldsOf(webhookSubscriptions)), 'secret'].filter((name) => name !== 'url' && !Object.hasOwn(settable, name))

const url = ruled(uri(), { pattern: '^[Hh][Tt][Tt][Pp][Ss]://' })
const firstStatus = optional(ruled(word(), { enum: firstStatuses }))
export const creating = { ...bodyWith({ url, ...settable, status: firstStatus }), ignored }
export const changing = { ...bodyWith({ url: optional(url), ...settable }), ignored }

export type SubscriptionValues = {
  name?: string
  url?: string
  eventTypes?: string[]
  status?: string
  description?: string | null
  throttlePerSecond?: number | null
}

/** A side can keep its webhooks to those who manage the organization. */
export const raisedScope = ({ settings }: Caller): Scope | undefined => (settings.webhookWritesNeedAdmin ? 'ADMIN' : undefined)

export async function requireSubscription({ read, params }: Pick<Input, 'read' | 'params'>): Promise<Subscription> {
  const found = await read.get(webhookSubscriptions, params['id'] ?? '')
  if (found === undefined) throw notFound()
  return found
}

/** Revoking is final: whoever wants the endpoint back makes a new subscription. */
export function refuseRevoked({ revokedAt }: Subscription): void {
  if (revokedAt !== null) throw conflict('revoked', 'This subscription was revoked; create a new one', { revokedAt })
}

/** Nothing goes out for these, so nothing may be queued for them by hand. */
export function refuseStopped(subscription: Subscription): void {
  refuseRevoked(subscription)
  if (subscription.status === 'disabled') throw conflict('disabled', 'This subscription is disabled; set its status to active first')
}

/** What was sent, with the rules kept and in the form in which it is stored. */
export function requireValid(values: SubscriptionValues, opened: readonly Network[]): Omit<SubscriptionValues, 'status'> & { status?: SubscriptionStatus } {
  if (values.url !== undefined) requireUrl(values.url, opened)
  const { eventTypes: types, status, ...rest } = values
  return {
    ...rest,
    ...(types !== undefined && { eventTypes: requireEventTypes(types) }),
    ...(status !== undefined && { status: requireStatus(status) }),
  }
}

function requireUrl(url: string, opened: readonly Network[]): void {
  const judgement = judgeUrl(url, opened)
  if (judgement.kind === 'refused') throw badRequests([{ path: 'url', message: judgement.message.replace(/^The url /, '').replace(/\.$/, ''), code: 'url' }])
}

function requireEventTypes(types: readonly string[]): string[] {
  const issues = types.flatMap((type, index) =>
    isEventType(type) ? [] : [{ path: `eventTypes[${index}]`, message: `must be one of: ${eventTypes.join(', ')}`, code: 'enum' }],
  )
  if (issues.length > 0) throw badRequests(issues)
  return [...new Set(types)]
}

function requireStatus(status: string): SubscriptionStatus {
  const meant = status.toLowerCase()
  if (!isOneOf(subscriptionStatuses, meant)) throw badRequest('status', `must be one of: ${subscriptionStatuses.join(', ')}`, 'enum')
  return meant
}

export const listParameters = {
  status: { schema: oneOf(subscriptionStatuses), description: 'Only subscriptions with this status' },
  includeRevoked: { schema: { type: 'boolean' }, description: 'Also those that were revoked' },
  createdSince: { schema: instant(), description: 'Only records created at or after this time' },
  createdBefore: { schema: instant(), description: 'Only records created before this time' },
  updatedSince: { schema: instant(), description: 'Only records changed at or after this time' },
  ...timeParameters(webhookSubscriptions),
}
