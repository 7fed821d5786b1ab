// What the endpoints of signing in share: the settings of this server, and who is at the door.
import type { Input, Visitor } from '../../http/endpoint.js'
import { unauthorized } from '../../http/gate/authenticate.js'
import type { UserSession } from '../../http/gate/user-sessions.js'

export interface SigningIn {
  /** How long a session lasts at most. */
  readonly sessionLifetimeMs: number
  /** The host of the OpenID Connect provider, for the page to name; null without one. */
  readonly openIdHost: string | null
  readonly mail: undefined
}

/** Endpoints of our own pages are always told who is there. */
export function visitorOf({ visitor }: Pick<Input, 'visitor'>): Visitor {
  if (visitor === undefined) throw new Error('Only an endpoint of our own pages has a visitor')
  return visitor
}

/** The gate lets nobody else in where the scope is `user`. */
export function sessionOf(input: Pick<Input, 'visitor'>): UserSession {
  const { session } = visitorOf(input)
  if (session === undefined) throw unauthorized()
  return session
}

/** Streams of a user whose session ended are closed here at once; other nodes hear of it from the database. */
export const closeStreamsOf = ({ services }: Pick<Input, 'services'>, userId: string): void =>
  services.streams.recheck(({ actor }) => actor.id === userId)
