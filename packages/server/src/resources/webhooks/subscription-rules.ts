// What a webhook subscription may be: the rules that its URL, event types and status keep.
import {
  eventTypes,
  isEventType,
  isOneOf,
  type Row,
  type Scope,
  type SubscriptionStatus,
  type SubscriptionUpdate,
  subscriptionStatuses,
  webhookSubscriptions,
} from '@parley/contract'
import { judgeUrl, type Network } from '../../delivery/transport/address-policy.js'
import type { Caller } from '../../http/endpoint.js'
import { badRequest, badRequests, conflict, notFound } from '../../store/api-error.js'
import type { Reader } from '../../store/reader.js'

export type Subscription = Row<typeof webhookSubscriptions>

/** A tenant can keep its webhooks to those who manage the organization. */
export const raisedScope = ({ settings }: Caller): Scope | undefined =>
  settings.webhookWritesNeedAdmin ? 'ADMIN' : undefined

export async function requireSubscription(read: Reader, id: string): Promise<Subscription> {
  const found = await read.get(webhookSubscriptions, id)
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
  if (subscription.status === 'disabled')
    throw conflict('disabled', 'This subscription is disabled; set its status to active first')
}

/** What was sent, with the rules kept and in the form in which it is stored. */
export function requireValid(
  values: SubscriptionUpdate,
  opened: readonly Network[],
): Omit<SubscriptionUpdate, 'status'> & { status?: SubscriptionStatus } {
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
  if (judgement.kind === 'refused')
    throw badRequests([
      { path: 'url', message: judgement.message.replace(/^The url /, '').replace(/\.$/, ''), code: 'url' },
    ])
}

function requireEventTypes(types: readonly string[]): string[] {
  const issues = types.flatMap((type, index) =>
    isEventType(type)
      ? []
      : [{ path: `eventTypes[${index}]`, message: `must be one of: ${eventTypes.join(', ')}`, code: 'enum' }],
  )
  if (issues.length > 0) throw badRequests(issues)
  return [...new Set(types)]
}

function requireStatus(status: string): SubscriptionStatus {
  const meant = status.toLowerCase()
  if (!isOneOf(subscriptionStatuses, meant))
    throw badRequest('status', `must be one of: ${subscriptionStatuses.join(', ')}`, 'enum')
  return meant
}
