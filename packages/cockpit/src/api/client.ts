// The clients of this page: one for signing in, and one for each organization and side that is looked at.
import { Parley } from '@parley/sdk'

export const sides = ['sandbox', 'production'] as const
export type Side = (typeof sides)[number]

/** Requests of a page that is being left must outlive it. */
let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
addEventListener('pageshow', () => {
  isLeaving = false
})

function fetchAs(own: Record<string, string>): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('authorization')
    for (const [name, value] of Object.entries(own)) headers.set(name, value)
    return fetch(input, { ...init, headers, credentials: 'same-origin', keepalive: isLeaving })
  }
}

const clients = new Map<string, Parley>()

/** A client by session cookie. Every request says organization and side, so that two tabs never mix. */
export function parleyOf(organizationId: string, side: Side): Parley {
  const key = `${organizationId} ${side}`
  const own = { 'x-parley-organization': organizationId, 'x-parley-environment': side }
  const client =
    clients.get(key) ?? new Parley({ apiKey: 'cookie', baseUrl: location.origin, maxRetries: 1, fetch: fetchAs(own) })
  clients.set(key, client)
  return client
}

/** For what belongs to the person rather than to an organization. */
export const ownParley = new Parley({ apiKey: 'cookie', baseUrl: location.origin, maxRetries: 1, fetch: fetchAs({}) })
