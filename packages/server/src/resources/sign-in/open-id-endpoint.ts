// Beginning to sign in at the operator's OpenID Connect provider. The browser comes back to open-id-callback.ts.
import { openIdBody, openIdStart } from '@parley/contract'
import { type Endpoint, pageEndpoint } from '../../http/endpoint.js'
import { unauthorized } from '../../http/gate/authenticate.js'
import { badRequest, conflict, unavailable } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { requireInvitation } from './accept-invitation.js'
import { CALLBACK_PATH, FLOW_MS, flowCookie, isLocalPath } from './open-id-flow.js'
import { isSecure, type SigningIn, visitorOf } from './signing-in.js'

export const openIdEndpoint = ({ openId }: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'POST',
    path: '/session/open-id',
    scope: 'none',
    isForPages: true,
    idempotent: false,
    operationId: 'beginOpenId',
    summary: 'Begin to sign in at the OpenID Connect provider',
    description:
      'Nobody enters this way who was not invited: an identity signs in once it has accepted an invitation (`token`) or was linked by its user (`link`).',
    tag: 'Signing in',
    body: openIdBody,
    returns: { status: 200, schema: openIdStart },
    async handle(input) {
      const { token, link = false, returnTo = '/' } = input.body
      const { session } = visitorOf(input)
      if (openId === undefined) throw conflict('no_open_id', 'No OpenID Connect provider is set up on this server')
      if (!isLocalPath(returnTo))
        throw badRequest('returnTo', 'must be a path of this server, such as /settings', 'path')
      if (link && session === undefined) throw unauthorized()
      if (token !== undefined) await requireInvitation(input, token)
      const redirectUri = input.services.publicUrl() + CALLBACK_PATH
      const { url, checks } = await openId.begin(redirectUri).catch((error: unknown) => {
        throw Object.assign(unavailable('The identity provider is away; try again', 2), { cause: error })
      })
      const flow = {
        checks,
        token,
        linkUserId: link ? session?.userId : undefined,
        returnTo,
        expiresMs: input.now.getTime() + FLOW_MS,
      }
      return json(200, { url }, { 'set-cookie': flowCookie(input.sealer, flow, isSecure(input)) })
    },
  })
