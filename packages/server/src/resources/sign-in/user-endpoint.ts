// The signed-in user: name and e-mail address.
import { sessionDocument, userUpdateBody } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Endpoint, pageEndpoint } from '../../http/endpoint.js'
import { conflict } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { sessionDocumentOf } from './session-document.js'
import { type SigningIn, sessionOf } from './signing-in.js'

export const userEndpoint = (signingIn: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'PATCH',
    path: '/session/user',
    scope: 'user',
    idempotent: false,
    operationId: 'updateUser',
    summary: 'Change the name of the user, or give it an e-mail address',
    description: 'An address is taken while the user has none: whoever set up the server begins without one.',
    tag: 'Signing in',
    body: userUpdateBody,
    returns: { status: 200, schema: sessionDocument },
    async handle(input) {
      const { name = null, email = null } = input.body
      const { database } = input.read
      const session = sessionOf(input)
      const changed = await database
        .query(
          sql`update users set name = coalesce(${name}::text, name), email = coalesce(${email}::text, email)
            where id = ${session.userId} and (${email}::text is null or email is null or email = ${email}::text)
            returning id`,
        )
        .catch((error: { code?: string }) => {
          throw error.code === '23505' ? conflict('email_taken', 'This e-mail address is in use') : error
        })
      if (changed.length === 0)
        throw conflict('email_set', 'You have an e-mail address already; be invited under the new one instead')
      return json(200, await sessionDocumentOf(database, session, signingIn))
    },
  })
