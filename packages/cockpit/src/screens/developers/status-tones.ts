// How the states of webhooks, deliveries, connections and what came over them look.
import type { Tone } from '../../ui/words'

export const subscriptionTones: Readonly<Record<string, Tone>> = {
  active: 'good',
  paused: 'warning',
  disabled: 'danger',
}

export const deliveryTones: Readonly<Record<string, Tone>> = {
  SUCCEEDED: 'good',
  PENDING: 'info',
  RETRYING: 'warning',
  FAILED: 'danger',
  DEAD_LETTERED: 'danger',
}

export const connectionTones: Readonly<Record<string, Tone>> = {
  pending: 'info',
  active: 'good',
  paused: 'warning',
  error: 'danger',
}

export const inboundTones: Readonly<Record<string, Tone>> = {
  processed: 'good',
  pending: 'info',
  failed: 'danger',
}
