// The endpoints of signing in, in the order of the API's table of contents.
import type { Endpoint } from '../../http/endpoint.js'
import { invitationAcceptEndpoint } from './accept-invitation.js'
import { invitationEndpoints } from './invitations.js'
import { memberEndpoints } from './members.js'
import { openIdEndpoint } from './open-id-endpoint.js'
import { ownSessionEndpoints } from './own-sessions.js'
import { passwordEndpoints } from './password-endpoints.js'
import { sessionEndpoints } from './session-endpoints.js'
import type { SigningIn } from './signing-in.js'
import { userEndpoint } from './user-endpoint.js'

export const signInEndpoints = (signingIn: SigningIn): Endpoint[] => [
  ...memberEndpoints(signingIn),
  ...invitationEndpoints(signingIn),
  ...sessionEndpoints(signingIn),
  ...passwordEndpoints(signingIn),
  invitationAcceptEndpoint(signingIn),
  openIdEndpoint(signingIn),
  userEndpoint(signingIn),
  ...ownSessionEndpoints,
]
