// The session of a browser: who is signed in, signing in by a one-time link, and signing out.
import { exchangeBody, exchangedLink, type LinkPurpose, type Role, sessionDocument } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Endpoint, pageEndpoint, type ReadInput } from '../../http/endpoint.js'
import { json } from '../../store/response.js'
import { beginSession, clearedCookie } from './begin-session.js'
import { isGood, linkSpent } from './one-time-links.js'
import { sessionDocumentOf } from './session-document.js'
import { closeStreamsOf, type SigningIn, visitorOf } from './signing-in.js'

export const sessionEndpoints = (signingIn: SigningIn): Endpoint[] => [
  pageEndpoint({
    method: 'GET',
    path: '/session',
    scope: 'none',
    isForPages: true,
    operationId: 'getSession',
    summary: 'Who is signed in',
    description: 'By the `__session` cookie. Answers 200 with nulls when nobody is.',
    tag: 'Signing in',
    returns: { status: 200, schema: sessionDocument },
    handle: async (input) =>
      json(200, await sessionDocumentOf(input.read.database, visitorOf(input).session, signingIn)),
  }),
  pageEndpoint({
    method: 'DELETE',
    path: '/session',
    scope: 'none',
    isForPages: true,
    operationId: 'endSession',
    summary: 'Sign out',
    description: 'Also where nobody is signed in.',
    tag: 'Signing in',
    returns: { status: 204, schema: null },
    async handle(input) {
      const { session } = visitorOf(input)
      if (session) {
        await input.read.database.query(sql`delete from user_sessions where id = ${session.id}`)
        closeStreamsOf(input, session.userId)
      }
      return { status: 204, body: null, headers: { 'set-cookie': clearedCookie(input) } }
    },
  }),
  pageEndpoint({
    method: 'POST',
    path: '/session/exchange',
    scope: 'none',
    isForPages: true,
    idempotent: false,
    operationId: 'exchangeLink',
    summary: 'Take a one-time link',
    description:
      'A sign-in link signs in at once and is spent. An invitation and a reset are only described: what is to be done with them is another request. A link that is no good is 422 `link_spent`.',
    tag: 'Signing in',
    body: exchangeBody,
    returns: { status: 200, schema: exchangedLink },
    async handle(input) {
      const { token } = input.body
      const begun = await beginSession(
        input,
        signingIn,
        sql`admitted as (update one_time_links l set used_at = ${input.now}
          where ${isGood(token, input.now)} and l.purpose = 'sign_in' returning l.user_id)`,
      )
      if (begun) {
        const told = { purpose: 'sign_in' as const, session: await begun.document(), link: null }
        return json(200, told, { 'set-cookie': begun.cookie })
      }
      return describeLink(input, token)
    },
  }),
]

type LinkRow = [LinkPurpose, string | null, string | null, Role | null, Date]

/** The same for an address that has a user and for one that has none. */
async function describeLink({ read, now }: Pick<ReadInput, 'read' | 'now'>, token: string) {
  const [row] = await read.database.read<LinkRow>(sql`
    select l.purpose, coalesce(l.email, u.email), o.name, l.role, l.expires_at from one_time_links l
    left join users u on u.id = l.user_id left join organizations o on o.id = l.organization_id
    where ${isGood(token, now)} and l.purpose <> 'sign_in'`)
  if (row === undefined) throw linkSpent()
  const [purpose, email, organizationName, role, expiresAt] = row
  const link = { email, organizationName, role, expiresAt: expiresAt.toISOString() }
  return json(200, { purpose, session: null, link })
}
