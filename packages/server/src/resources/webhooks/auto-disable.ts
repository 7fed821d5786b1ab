// Disabling a subscription whose endpoint is gone or has done nothing but fail for days: what the delivery loop calls.
// The tenant's other subscriptions are told.
import { webhookSubscriptions } from '@parley/contract'
import type { DisablingCause } from '../../delivery/worker/delivery-worker.js'
import { noContent } from '../../store/response.js'
import { nextVersion } from '../generic/record-values.js'
import { commitAsSystem, type SystemParts } from '../generic/system-caller.js'

export const disabling =
  (parts: SystemParts) =>
  async (tenantId: string, subscriptionId: string, cause: DisablingCause): Promise<void> => {
    await commitAsSystem(parts, tenantId, 'delivery-loop', async ({ read, now }) => {
      const before = await read.get(webhookSubscriptions, subscriptionId)
      // Someone was quicker, or has paused it meanwhile.
      if (before?.status !== 'active') return noContent()
      // An answer that came late is of an endpoint that is no longer in use.
      if (cause.reason === 'gone' && cause.url !== before.url) return noContent()
      const { reason } = cause
      const disabledAt = now.toISOString()
      const record = nextVersion({ ...before, status: 'disabled' as const, disabledReason: reason, disabledAt }, now)
      return noContent()
        .update(webhookSubscriptions, record)
        .publish('webhook.disabled', { subscriptionId, name: record.name, url: record.url, reason, disabledAt })
    })
  }
