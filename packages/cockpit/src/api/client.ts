// The clients of this page, by session cookie: one for the signed-in user, and one for each organization and
// environment that is looked at.
import type { Environment } from '@parley/contract/scopes'
import { Parley } from '@parley/sdk'

/** Requests of a page that is being left must outlive it. Noted before anyone who sends something then. */
let isLeaving = false
addEventListener(
  'pagehide',
  () => {
    isLeaving = true
  },
  { capture: true },
)
addEventListener('pageshow', () => {
  isLeaving = false
})

const base = {
  baseUrl: location.origin,
  maxRetries: 1,
  fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, keepalive: isLeaving }),
}

const clients = new Map<string, Parley>()

/** Every request says organization and environment, so that two tabs never mix. */
export function parleyOf(organizationId: string, environment: Environment): Parley {
  const key = `${organizationId} ${environment}`
  const client = clients.get(key) ?? new Parley({ ...base, session: { organizationId, environment } })
  clients.set(key, client)
  return client
}

/** For what belongs to the user rather than to an organization. */
export const ownParley = new Parley({ ...base, session: {} })
