// Accepting an invitation: as the signed-in user, as the user that the invited address has, or as a new one. An address
// that has a user is joined by that user alone, and whoever invited cannot tell which it was.
import { invitationAcceptBody, type Role, type SessionDocument, sessionDocument } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type Endpoint, pageEndpoint, type ReadInput } from '../../http/endpoint.js'
import { badRequest, conflict, unavailable } from '../../store/api-error.js'
import { newId } from '../../store/id.js'
import { type Answer, json } from '../../store/response.js'
import { beginSession, begunAnswer } from './begin-session.js'
import { countGuess } from './guessing-limits.js'
import { isGood, linkSpent } from './one-time-links.js'
import { requirePassword, userByEmail } from './password-endpoints.js'
import { hashPassword } from './passwords.js'
import { sessionDocumentOf } from './session-document.js'
import { type SigningIn, visitorOf } from './signing-in.js'

interface Invited extends Record<string, unknown> {
  readonly email: string
  readonly role: Role
}

/** The invitation of a token that is still good. */
export async function requireInvitation(
  { read, now }: Pick<ReadInput, 'read' | 'now'>,
  token: string,
): Promise<Invited> {
  const [found] = await read.database.query<Invited>(
    sql`select l.email, l.role from one_time_links l where ${isGood(token, now)} and l.purpose = 'invitation'`,
  )
  if (found === undefined) throw linkSpent()
  return found
}

/**
 * Spends the invitation, where `also` holds, and makes `user` a member: an expression with the column `user_id`, which
 * may read `link`. The role of who is a member already stays.
 */
export const joining = (token: string, now: Date, user: Sql, also: Sql = raw('')): Sql =>
  sql`link as (update one_time_links l set used_at = ${now}
      where ${isGood(token, now)} and l.purpose = 'invitation' ${also} returning l.organization_id, l.role, l.email),
    newcomer as (${user}),
    joined as (insert into memberships (organization_id, user_id, role, joined_at)
      select link.organization_id, newcomer.user_id, link.role, ${now}::timestamptz from link, newcomer
      on conflict (organization_id, user_id) do nothing),
    admitted as (select newcomer.user_id from link, newcomer)`

export const invitationAcceptEndpoint = (signingIn: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'POST',
    path: '/session/invitation',
    scope: 'none',
    isForPages: true,
    idempotent: false,
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'As the signed-in user where that has the invited address; else `password` is that of the user who has the address, or of the new user that is made.',
    tag: 'Signing in',
    body: invitationAcceptBody,
    returns: { status: 200, schema: sessionDocument },
    async handle(input) {
      const { token, name, password } = input.body
      const { email } = await requireInvitation(input, token)
      if (visitorOf(input).session) return acceptSignedIn(input, signingIn, token, email)
      if (password === undefined) throw badRequest('password', 'is required unless you are signed in', 'required')
      const known = await userByEmail(input, email)
      return known
        ? acceptAs(input, signingIn, token, (await requirePassword(input, email, known, password)).id)
        : acceptAnew(input, signingIn, token, { email, name: name ?? email.replace(/@.*/, ''), password })
    },
  })

/** Somebody who is signed in joins without signing in anew. */
async function acceptSignedIn(
  input: ReadInput,
  signingIn: SigningIn,
  token: string,
  email: string,
): Promise<Answer<SessionDocument>> {
  const { session } = visitorOf(input)
  const userId = session?.userId
  const [accepted] = await input.read.database.query(
    sql`with ${joining(
      token,
      input.now,
      sql`select ${userId}::uuid as user_id`,
      sql`and exists (select from users u where u.id = ${userId} and u.email = l.email)`,
    )} select user_id from admitted`,
  )
  if (accepted === undefined) {
    await requireInvitation(input, token)
    throw otherUser(email)
  }
  return json(200, await sessionDocumentOf(input.read.database, session, signingIn))
}

const otherUser = (email: string) =>
  conflict('other_user', `This invitation is for ${email}, and somebody else is signed in; sign out first`)

async function acceptAs(
  input: ReadInput,
  signingIn: SigningIn,
  token: string,
  userId: string,
): Promise<Answer<SessionDocument>> {
  const begun = await beginSession(input, signingIn, joining(token, input.now, sql`select ${userId}::uuid as user_id`))
  if (begun === undefined) throw linkSpent()
  return begunAnswer(begun)
}

interface NewUser {
  readonly email: string
  readonly name: string
  readonly password: string
}

async function acceptAnew(
  input: ReadInput,
  signingIn: SigningIn,
  token: string,
  user: NewUser,
): Promise<Answer<SessionDocument>> {
  const { now, read } = input
  // As for a user who is known, so that the limits do not tell one from the other.
  await countGuess(read.database, { target: user.email, address: visitorOf(input).address }, now)
  const hash = await hashPassword(user.password)
  const made = sql`insert into users (id, name, email, password, created_at)
    select ${newId(now)}::uuid, ${user.name}, link.email, ${hash}, ${now}::timestamptz from link
    returning id as user_id`
  const begun = await beginSession(input, signingIn, joining(token, now, made)).catch((error: unknown) => {
    // The address got its user at this very moment: this password is then a guess at that of the other.
    throw (error as { code?: string }).code === '23505' ? unavailable('Someone else was quicker; try again') : error
  })
  if (begun === undefined) throw linkSpent()
  return begunAnswer(begun)
}
