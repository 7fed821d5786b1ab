// Signing in with e-mail address and password, and choosing a new password. Neither answer nor time tells whether an
// address has a user.
import {
  forgottenPasswordBody,
  object,
  passwordBody,
  passwordResetBody,
  sessionDocument,
  signInBody,
} from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Endpoint, pageEndpoint, type ReadInput } from '../../http/endpoint.js'
import { ApiError, badRequest, conflict } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { beginSession, begunAnswer } from './begin-session.js'
import { countGuess, forgiveGuesses } from './guessing-limits.js'
import { resetMail } from './mail.js'
import { isGood, linkLifetimesMs, linkSpent, makeLink } from './one-time-links.js'
import { hashPassword, isPassword } from './passwords.js'
import { type SigningIn, sessionOf, visitorOf } from './signing-in.js'

export const wrongPassword = (): ApiError => new ApiError('unauthorized', 'The e-mail address or the password is wrong')

/** The other sessions of whoever is admitted end, and open reset links are void. */
const endOthers = sql`others as (delete from user_sessions s using admitted a where s.user_id = a.user_id),
  resets as (delete from one_time_links l using admitted a where l.user_id = a.user_id and l.purpose = 'reset'
    and l.used_at is null)`

interface KnownUser extends Record<string, unknown> {
  readonly id: string
  readonly email: string | null
  readonly password: string | null
}

export async function userByEmail({ read }: Pick<ReadInput, 'read'>, email: string): Promise<KnownUser | undefined> {
  const [user] = await read.database.query<KnownUser>(sql`select id, email, password from users where email = ${email}`)
  return user
}

/** The user whose password this is; counted as a guess. */
export async function requirePassword(
  input: Pick<ReadInput, 'read' | 'visitor' | 'now'>,
  target: string,
  user: KnownUser | undefined,
  password: string,
): Promise<KnownUser> {
  const guess = { target, address: visitorOf(input).address }
  await countGuess(input.read.database, guess, input.now)
  const isRight = await isPassword(password, user?.password)
  if (user === undefined || !isRight) throw wrongPassword()
  await forgiveGuesses(input.read.database, guess)
  return user
}

const signIn = (signingIn: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'POST',
    path: '/session',
    scope: 'none',
    isForPages: true,
    idempotent: false,
    operationId: 'signIn',
    summary: 'Sign in with e-mail address and password',
    description: '401 when either is wrong, and never which. Guesses are limited: 429.',
    tag: 'Signing in',
    body: signInBody,
    returns: { status: 200, schema: sessionDocument },
    async handle(input) {
      const { email, password } = input.body
      const user = await requirePassword(input, email, await userByEmail(input, email), password)
      const begun = await beginSession(
        input,
        signingIn,
        sql`admitted as (select id as user_id from users where id = ${user.id} and password = ${user.password})`,
      )
      if (begun === undefined) throw wrongPassword()
      return begunAnswer(begun)
    },
  })

const resetPassword = (signingIn: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'POST',
    path: '/session/reset',
    scope: 'none',
    isForPages: true,
    idempotent: false,
    operationId: 'resetPassword',
    summary: 'Choose a new password by a reset link, and sign in',
    description: 'All other sessions of the user end.',
    tag: 'Signing in',
    body: passwordResetBody,
    returns: { status: 200, schema: sessionDocument },
    async handle(input) {
      const { token, password } = input.body
      // Worth its time only for a link that is good, and checked again when it is taken.
      const [found] = await input.read.database.query(sql`select 1 as one from ${goodReset(token, input.now)}`)
      if (found === undefined) throw linkSpent()
      const hash = await hashPassword(password)
      const begun = await beginSession(
        input,
        signingIn,
        sql`link as (update one_time_links set used_at = ${input.now}
            where used_at is null and id in (select l.id from ${goodReset(token, input.now)}) returning user_id),
          admitted as (update users u set password = ${hash} from link where u.id = link.user_id
            returning u.id as user_id), ${endOthers}`,
      )
      if (begun === undefined) throw linkSpent()
      return begunAnswer(begun)
    },
  })

/** A link that an owner made is good while the user belongs to that organization alone. */
const goodReset = (token: string, now: Date) =>
  sql`one_time_links l where ${isGood(token, now)} and l.purpose = 'reset'
    and (l.organization_id is null or not exists (
    select from memberships m where m.user_id = l.user_id and m.organization_id <> l.organization_id))`

const forgotPassword = (signingIn: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'POST',
    path: '/session/forgot',
    scope: 'none',
    isForPages: true,
    idempotent: false,
    operationId: 'forgotPassword',
    summary: 'Ask for a reset link by mail',
    description: 'The answer is the same for an address that has no user. 409 `no_mail` where the server sends none.',
    tag: 'Signing in',
    body: forgottenPasswordBody,
    returns: { status: 202, schema: object({}) },
    async handle(input) {
      const { email } = input.body
      if (signingIn.mail === undefined)
        throw conflict('no_mail', 'This server sends no mail; ask an owner or the operator for a link')
      const guess = { target: `forgot ${email}`, address: visitorOf(input).address }
      await countGuess(input.read.database, guess, input.now)
      // Nobody waits for it, so that the time does not tell either.
      void mailReset(input, signingIn, email).catch(() => undefined)
      return json(202, {})
    },
  })

async function mailReset(input: ReadInput, { mail }: SigningIn, email: string): Promise<void> {
  const user = await userByEmail(input, email)
  if (user === undefined) return
  const parts = { purpose: 'reset', lifetimeMs: linkLifetimesMs.reset, userId: user.id } as const
  const link = makeLink(input.services.publicUrl(), parts, input.now)
  await input.read.database.query(link.insert())
  mail?.(resetMail(email, link.url))
}

const changePassword = (signingIn: SigningIn): Endpoint =>
  pageEndpoint({
    method: 'PUT',
    path: '/session/password',
    scope: 'user',
    idempotent: false,
    operationId: 'changePassword',
    summary: 'Choose a new password',
    description: 'All other sessions of the user end, and this one gets a new cookie.',
    tag: 'Signing in',
    body: passwordBody,
    returns: { status: 200, schema: sessionDocument },
    async handle(input) {
      const { password, currentPassword } = input.body
      const { userId } = sessionOf(input)
      const [user] = await input.read.database.query<KnownUser>(
        sql`select id, email, password from users where id = ${userId}`,
      )
      if (user?.password) {
        if (currentPassword === undefined) throw badRequest('currentPassword', 'is required', 'required')
        await requirePassword(input, user.email ?? userId, user, currentPassword)
      }
      const hash = await hashPassword(password)
      const begun = await beginSession(
        input,
        signingIn,
        sql`admitted as (update users set password = ${hash}
          where id = ${userId} and password is not distinct from ${user?.password ?? null} returning id as user_id),
          ${endOthers}`,
      )
      if (begun === undefined) throw wrongPassword()
      return begunAnswer(begun)
    },
  })

export const passwordEndpoints = (signingIn: SigningIn): Endpoint[] => [
  signIn(signingIn),
  resetPassword(signingIn),
  forgotPassword(signingIn),
  changePassword(signingIn),
]
