// The endpoints of signing in, in the order of the API's table of contents.
import type { Endpoint } from '../../http/endpoint.js'
import { ownSessionEndpoints } from './own-sessions.js'
import { sessionEndpoints } from './session-endpoints.js'
import type { SigningIn } from './signing-in.js'

export const signInEndpoints = (signingIn: SigningIn): Endpoint[] => [
  ...sessionEndpoints(signingIn),
  ...ownSessionEndpoints,
]
