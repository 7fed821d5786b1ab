// Who is signed in, and to which organizations: what a page asks first.
import type { Role, SessionDocument } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import type { UserSession } from '../../http/gate/user-sessions.js'
import type { SigningIn } from './signing-in.js'

type Found = [string, string | null, boolean, Date, Date, Memberships | null, Identities | null]
type Memberships = { id: string; name: string; role: Role }[]
type Identities = { issuer: string; linkedAt: string }[]

/** Of a session that has ended meanwhile: nobody is signed in. */
export async function sessionDocumentOf(
  database: Database,
  session: UserSession | undefined,
  signingIn: SigningIn,
): Promise<SessionDocument> {
  const signIn = { openId: signingIn.openId?.host ?? null, mail: signingIn.mail !== undefined }
  const [row] = session === undefined ? [] : await find(database, session)
  if (session === undefined || row === undefined) return { user: null, organizations: [], session: null, signIn }
  const [name, email, hasPassword, createdAt, expiresAt, organizations, identities] = row
  const linked = (identities ?? []).map(({ issuer, linkedAt }) => ({
    issuer,
    linkedAt: new Date(linkedAt).toISOString(),
  }))
  return {
    user: { id: session.userId, name, email, hasPassword, identities: linked },
    organizations: organizations ?? [],
    session: { id: session.id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
    signIn,
  }
}

const find = (database: Database, { id, userId }: UserSession): Promise<Found[]> =>
  database.read<Found>(sql`
    select u.name, u.email, u.password is not null, s.created_at, s.expires_at,
      (select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) order by o.name, o.id)
        from memberships m join organizations o on o.id = m.organization_id where m.user_id = u.id),
      (select json_agg(json_build_object('issuer', i.issuer, 'linkedAt', i.linked_at) order by i.linked_at)
        from user_identities i where i.user_id = u.id)
    from user_sessions s join users u on u.id = s.user_id where s.id = ${id} and u.id = ${userId}`)
