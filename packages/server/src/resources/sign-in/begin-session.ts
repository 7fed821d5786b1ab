// Beginning a session: a new random value at every sign-in, its row, and its cookie. The row is one part of a larger
// statement, so that whatever let the user in is spent together with it.
import { limits, type SessionDocument } from '@parley/contract'
import { type Sql, sql } from '../../database/sql.js'
import type { ReadInput } from '../../http/endpoint.js'
import { SESSION_COOKIE } from '../../http/gate/session.js'
import { mintSecret } from '../../http/gate/user-sessions.js'
import { newId } from '../../store/id.js'
import { type Answer, json } from '../../store/response.js'
import { sessionDocumentOf } from './session-document.js'
import { closeStreamsOf, isSecure, type SigningIn, visitorOf } from './signing-in.js'

/**
 * Signs in whom `admitted` names: one of the common table expressions given, with the column `user_id` and one row or
 * none. The session that the browser had before ends. Undefined when nobody was admitted.
 */
export async function beginSession(
  input: Pick<ReadInput, 'read' | 'visitor' | 'now' | 'services'>,
  signingIn: SigningIn,
  expressions: Sql,
): Promise<Begun | undefined> {
  const { now, read } = input
  const visitor = visitorOf(input)
  const { value, hash } = mintSecret()
  const id = newId(now)
  const expiresAt = new Date(now.getTime() + signingIn.sessionLifetimeMs)
  const [row] = await read.database.query<{ user_id: string }>(sql`with ${expressions},
    begun as (insert into user_sessions (hash, id, user_id, created_at, last_used_at, expires_at, user_agent, address)
      select ${hash}, ${id}::uuid, user_id, ${now}::timestamptz, ${now}::timestamptz, ${expiresAt}::timestamptz,
        ${visitor.userAgent?.slice(0, limits.nameLength) ?? null}, ${visitor.address} from admitted),
    ended as (delete from user_sessions s using admitted a
      where s.id = ${visitor.session?.id ?? null}::uuid
        or s.id in (select o.id from user_sessions o where o.user_id = a.user_id
          order by o.last_used_at desc offset ${limits.userSessions - 1}))
    select user_id from admitted`)
  if (row === undefined) return undefined
  const userId = row.user_id
  for (const gone of new Set([userId, visitor.session?.userId])) if (gone) closeStreamsOf(input, gone)
  const cookie = cookieOf(input, value, signingIn.sessionLifetimeMs)
  return {
    cookie,
    document: () => sessionDocumentOf(read.database, { id, userId }, signingIn),
  }
}

export interface Begun {
  readonly cookie: string
  readonly document: () => Promise<SessionDocument>
}

/** What a page that signed in is told. */
export const begunAnswer = async ({ cookie, document }: Begun): Promise<Answer<SessionDocument>> =>
  json(200, await document(), { 'set-cookie': cookie })

const cookieOf = (input: Pick<ReadInput, 'services' | 'visitor'>, value: string, lifetimeMs: number): string => {
  const secure = isSecure(input) ? '; Secure' : ''
  const seconds = Math.floor(lifetimeMs / 1_000)
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Makes the browser forget its session. */
export const clearedCookie = (input: Pick<ReadInput, 'services' | 'visitor'>): string => cookieOf(input, '', 0)
