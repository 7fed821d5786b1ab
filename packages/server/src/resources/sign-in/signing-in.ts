// What the endpoints of signing in share: the settings of this server, and who is at the door.
import type { ReadInput, Visitor } from '../../http/endpoint.js'
import { unauthorized } from '../../http/gate/authenticate.js'
import type { UserSession } from '../../http/gate/user-sessions.js'
import type { SendMail } from './mail.js'
import type { OpenIdProvider } from './open-id-provider.js'

export interface SigningIn {
  /** How long a session lasts at most. */
  readonly sessionLifetimeMs: number
  /** Where people may sign in instead, where the operator has set that up. */
  readonly openId: OpenIdProvider | undefined
  /** Sends mail, where the operator has set that up. */
  readonly mail: SendMail | undefined
}

/** Endpoints of our own pages are always told who is there. */
export function visitorOf({ visitor }: Pick<ReadInput, 'visitor'>): Visitor {
  if (visitor === undefined) throw new Error('Only an endpoint of our own pages has a visitor')
  return visitor
}

/** The gate lets nobody else in where the scope is `user`. */
export function sessionOf(input: Pick<ReadInput, 'visitor'>): UserSession {
  const { session } = visitorOf(input)
  if (session === undefined) throw unauthorized()
  return session
}

/** Streams of a user whose session ended are closed here at once; other nodes hear of it from the database. */
export const closeStreamsOf = ({ services }: Pick<ReadInput, 'services'>, userId: string): void =>
  services.streams.recheck(({ actor }) => actor.id === userId)

/** Whether the browser reaches us by HTTPS, so that cookies stay on it. */
export const isSecure = (input: Pick<ReadInput, 'services' | 'visitor'>): boolean =>
  visitorOf(input).isSecure || input.services.publicUrl().startsWith('https:')
