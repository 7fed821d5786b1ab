// Disabling a subscription whose endpoint is gone or has done nothing but fail for days: what the delivery loop calls.
// The tenant's other subscriptions are told.
import { webhookSubscriptions } from '@parley/contract'
import type { DisablingCause } from '../../delivery/worker/delivery-worker.js'
import type { Work } from '../../store/work.js'
import { commitAsSystem, type SystemParts } from '../generic/system-caller.js'
import type { Subscription } from './subscription-rules.js'

export const disabling =
  (parts: SystemParts) =>
  async (tenantId: string, subscriptionId: string, cause: DisablingCause): Promise<void> => {
    await commitAsSystem(parts, tenantId, 'delivery-loop', async (work) => {
      const before = await work.get(webhookSubscriptions, subscriptionId)
      // Someone was quicker, or has paused it meanwhile.
      if (before?.status !== 'active') return
      // An answer that came late is of an endpoint that is no longer in use.
      if (cause.reason === 'gone' && cause.url !== before.url) return
      disable(work, before, cause.reason)
    })
  }

/** Nothing is sent to it until someone makes it active again. */
export function disable(work: Work, subscription: Subscription, reason: DisablingCause['reason']): void {
  const disabledAt = work.now.toISOString()
  const { id, name, url } = work.update(webhookSubscriptions, {
    ...subscription,
    status: 'disabled',
    disabledReason: reason,
    disabledAt,
  })
  work.publish('webhook.disabled', { subscriptionId: id, name, url, reason, disabledAt })
}
