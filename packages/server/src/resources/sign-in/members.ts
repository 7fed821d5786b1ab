// The members of the caller's organization: who they are, their roles, and links to a new password. What changes a
// membership holds from the next request on, on every node, and closes the member's streams.
import { limits, type Member, member, memberParameters, memberUpdateBody, type Role, resetLink } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type Input, type ReadInput } from '../../http/endpoint.js'
import { AUTH_CHANGED } from '../../http/gate/authenticate.js'
import { conflict, notFound } from '../../store/api-error.js'
import type { Caller } from '../../store/caller.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { json, withSecret } from '../../store/response.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'
import { MAIL_DUE, resetMail } from './mail.js'
import { linkLifetimesMs, makeLink } from './one-time-links.js'
import type { SigningIn } from './signing-in.js'

type MemberRow = [string, string, string | null, Role, Date, Date | null]

async function findMembers({ database }: Reader, caller: Caller, where: Sql): Promise<Member[]> {
  const rows = await database.read<MemberRow>(sql`
    select u.id, u.name, u.email, m.role, m.joined_at,
      (select max(s.last_used_at) from user_sessions s where s.user_id = u.id)
    from memberships m join users u on u.id = m.user_id where m.organization_id = ${caller.organizationId} ${where}`)
  return rows.map(([id, name, email, role, joinedAt, lastSeenAt]) => ({
    id,
    name,
    email,
    role,
    joinedAt: joinedAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }))
}

async function requireMember(input: Input): Promise<Member> {
  const [found] = await findMembers(input.work, input.caller, sql`and m.user_id = ${input.params['id']}`)
  if (found === undefined) throw notFound()
  return found
}

function listMembers(input: ReadInput) {
  const { read, caller } = input
  const { q } = askedFor(input)
  const newest = (below: string | undefined, rows: number) =>
    findMembers(
      read,
      caller,
      sql`${below ? sql`and m.user_id < ${below}` : raw('')} order by m.user_id desc limit ${rows}::int`,
    )
  const all = {
    find: newest,
    count: () => countRows(read.database, sql`from memberships where organization_id = ${caller.organizationId}`),
  }
  const searchedValues = ({ name, email, role }: Member) => [name, email ?? '', role]
  const finding = { ...(q === undefined ? all : scan(q, searchedValues, newest)), idOf: ({ id }: Member) => id }
  return typedPage(input, 'members', finding, (one) => one)
}

/** The database refuses it too, for two who leave at once. */
async function refuseLastOwner({ work, caller }: Input, { id, role }: Member): Promise<void> {
  if (role !== 'owner') return
  const others = await work.database.query(sql`select 1 as one from memberships
    where organization_id = ${caller.organizationId} and role = 'owner' and user_id <> ${id} limit 1`)
  if (others.length === 0)
    throw conflict('last_owner', 'An organization keeps at least one owner: make someone else an owner first')
}

const authChange = ({ caller }: Input, { id }: Member) => ({ organizationId: caller.organizationId, keyId: id })

async function updateMember(input: Input<{ role: Role }>) {
  const { work } = input
  const found = await requireMember(input)
  const { role } = input.body
  if (role === found.role) return json(200, found)
  if (role !== 'owner') await refuseLastOwner(input, found)
  work.addStatement(
    sql`update memberships m set role = ${role} from not_a_replay
      where m.organization_id = ${work.caller.organizationId}
        and m.user_id = ${found.id} and m.role = ${found.role} returning 1`,
    1,
  )
  work.announce(AUTH_CHANGED, authChange(input, found))
  return json(200, { ...found, role })
}

async function removeMember(input: Input) {
  const { work } = input
  const found = await requireMember(input)
  await refuseLastOwner(input, found)
  work.addStatement(
    sql`delete from memberships m using not_a_replay where m.organization_id = ${work.caller.organizationId}
      and m.user_id = ${found.id} and m.role = ${found.role} returning 1`,
    1,
  )
  work.announce(AUTH_CHANGED, authChange(input, found))
  return work.respond(204)
}

/**
 * An owner gets the link to the password of someone who belongs to this organization alone. Of anyone else it opens
 * other organizations too, so it goes to the user's own address or is left to the operator.
 */
async function makeResetLink(input: Input, { mail }: SigningIn) {
  const { caller, now, work, services } = input
  const { id: userId, email } = await requireMember(input)
  const others = await work.database.query(sql`select 1 as one from memberships
    where user_id = ${userId} and organization_id <> ${caller.organizationId} limit 1`)
  const isOurs = others.length === 0
  const lifetimeMs = linkLifetimesMs.reset
  const parts = { purpose: 'reset', lifetimeMs, userId, createdBy: caller.actor.id } as const
  const own = isOurs ? { organizationId: caller.organizationId } : {}
  const link = makeLink(services.publicUrl(), { ...parts, ...own }, now)
  const expiresAt = link.expiresAt.toISOString()
  const insert = link.insert(raw('from not_a_replay'))
  if (!isOurs && (mail === undefined || email === null))
    throw conflict(
      'several_organizations',
      'This user belongs to other organizations too: they ask for a link themselves, or the operator makes one',
    )
  work.addStatement(insert, 1)
  if (isOurs) return withSecret(json(201, { url: link.url, expiresAt }))
  work.announce(MAIL_DUE, resetMail(email ?? '', link.url))
  return json(202, { url: null, expiresAt })
}

const about = { tag: 'Members', isOfAccounts: true, isOrganizationWide: true } as const

export const memberEndpoints = (signingIn: SigningIn): Endpoint[] => [
  endpoint({
    ...about,
    method: 'GET',
    path: '/members',
    scope: 'READ',
    operationId: 'listMembers',
    summary: 'List the users of the organization',
    description: `They belong to the organization, not to one of its tenants. At most ${limits.members}. ${scanNote}`,
    query: memberParameters,
    returns: { status: 200, schema: pageSchema(member) },
    handle: listMembers,
  }),
  endpoint({
    ...about,
    method: 'PATCH',
    path: '/members/{id}',
    scope: 'ADMIN',
    operationId: 'updateMember',
    summary: 'Give a member another role',
    description: 'Holds from the next request on. The last owner stays one: 409 `last_owner`.',
    body: memberUpdateBody,
    returns: { status: 200, schema: member },
    handle: updateMember,
  }),
  endpoint({
    ...about,
    method: 'DELETE',
    path: '/members/{id}',
    scope: 'ADMIN',
    operationId: 'removeMember',
    summary: 'Remove a member',
    description: 'Holds from the next request on. The last owner stays: 409 `last_owner`.',
    returns: { status: 204, schema: null },
    handle: removeMember,
  }),
  endpoint({
    ...about,
    method: 'POST',
    path: '/members/{id}/reset-link',
    scope: 'ADMIN',
    operationId: 'makeResetLink',
    summary: 'Make a link to a new password',
    description:
      '201 with the link for a member of this organization alone; 202 where it was mailed to the ' +
      'user instead; 409 `several_organizations` where neither can be.',
    returns: { status: [201, 202], schema: resetLink },
    handle: (input) => makeResetLink(input, signingIn),
  }),
]
