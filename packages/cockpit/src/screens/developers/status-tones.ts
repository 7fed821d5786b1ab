// How the states of webhooks and deliveries look.
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
