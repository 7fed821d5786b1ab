// Whether the clock of this machine agrees with the service's. A receiver refuses webhooks that are more than five
// minutes away.
import { type Account, addressOf } from './session.js'

const toleranceMs = 300_000

/** How far this machine is ahead, in milliseconds, to a second; undefined when the service does not say. */
export async function clockSkewMs(account: Account, signal: AbortSignal): Promise<number | undefined> {
  const response = await fetch(addressOf(account, '/healthz'), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
  }).catch(() => undefined)
  const theirs = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(theirs) ? undefined : Date.now() - theirs
}

/** What is wrong with the clock; undefined when nothing is. */
export function clockTrouble(skewMs: number | undefined): { message: string; nextStep: string } | undefined {
  if (skewMs === undefined || Math.abs(skewMs) <= toleranceMs) return undefined
  const minutes = Math.round(Math.abs(skewMs) / 60_000)
  const message =
    `The clock of this machine is ${minutes} minutes ${skewMs > 0 ? 'ahead of' : 'behind'} the ` +
    `service's: signatures would be refused as stale.`
  return { message, nextStep: 'Set the clock, for example with `timedatectl set-ntp true`, and try again.' }
}
