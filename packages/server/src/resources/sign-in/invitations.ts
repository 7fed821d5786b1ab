// Invitations to the caller's organization. Whether the address has a user already is told to nobody: the answer is the
// same, and only that user can accept.
import {
  type Invitation,
  invitation,
  invitationCreateBody,
  invitationParameters,
  limits,
  madeInvitation,
  type Role,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type Input, type ReadInput } from '../../http/endpoint.js'
import { notFound, unprocessable } from '../../store/api-error.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { json, withSecret } from '../../store/response.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'
import { invitationMail, MAIL_DUE } from './mail.js'
import { linkLifetimesMs, makeLink } from './one-time-links.js'
import type { SigningIn } from './signing-in.js'

type InvitationRow = [string, string, Role, string | null, Date, Date]

type Asked = Pick<Input, 'caller' | 'now'>

const openOnes = ({ caller, now }: Asked): Sql =>
  sql`from one_time_links l where l.organization_id = ${caller.organizationId} and l.purpose = 'invitation'
    and l.used_at is null and l.expires_at > ${now}::timestamptz`

async function findInvitations({ database }: Reader, input: Asked, where: Sql): Promise<Invitation[]> {
  const rows = await database.read<InvitationRow>(
    sql`select l.id, l.email, l.role, l.created_by, l.created_at, l.expires_at ${openOnes(input)} ${where}`,
  )
  return rows.map(([id, email, role, invitedById, createdAt, expiresAt]) => ({
    id,
    email,
    role,
    invitedById,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}

function listInvitations(input: ReadInput) {
  const { q } = askedFor(input)
  const newest = (below: string | undefined, rows: number) =>
    findInvitations(
      input.read,
      input,
      sql`${below ? sql`and l.id < ${below}` : raw('')} order by l.id desc limit ${rows}::int`,
    )
  const all = { find: newest, count: () => countRows(input.read.database, openOnes(input)) }
  const searchedValues = ({ email, role }: Invitation) => [email, role]
  const finding = { ...(q === undefined ? all : scan(q, searchedValues, newest)), idOf: ({ id }: Invitation) => id }
  return typedPage(input, 'invitations', finding, (one) => one)
}

/** Inviting an address again voids the invitation before. */
async function createInvitation(input: Input<{ email: string; role: Role }>, { mail }: SigningIn) {
  const { caller, now, work, services } = input
  const { email, role } = input.body
  await requireRoom(input)
  const { organizationId, organizationName } = caller
  const parts = { purpose: 'invitation', lifetimeMs: linkLifetimesMs.invitation, email, role, organizationId } as const
  const { id, url, expiresAt, insert } = makeLink(services.publicUrl(), { ...parts, createdBy: caller.actor.id }, now)
  const shown: Invitation = {
    id,
    email,
    role,
    invitedById: caller.actor.id,
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
  work.addStatement(
    sql`delete from one_time_links l using not_a_replay where l.organization_id = ${organizationId}
      and l.purpose = 'invitation' and l.email = ${email} and l.used_at is null returning 1`,
  )
  work.addStatement(insert(raw('from not_a_replay')), 1)
  if (mail) work.announce(MAIL_DUE, invitationMail(email, organizationName, role, url))
  return withSecret(json(201, { ...shown, url }))
}

async function requireRoom(input: Input<{ email: string; role: Role }>): Promise<void> {
  const { database } = input.work
  const [open, members] = await Promise.all([
    countRows(database, openOnes(input)),
    countRows(database, sql`from memberships where organization_id = ${input.caller.organizationId}`),
  ])
  if (open >= limits.invitations || members >= limits.members)
    throw unprocessable(
      'member_limit',
      `At most ${limits.invitations} invitations may be open and ${limits.members} users be members; withdraw some`,
    )
}

const about = { tag: 'Members', isOfAccounts: true, isOrganizationWide: true, scope: 'ADMIN' } as const

export const invitationEndpoints = (signingIn: SigningIn): Endpoint[] => [
  endpoint({
    ...about,
    method: 'GET',
    path: '/invitations',
    operationId: 'listInvitations',
    summary: 'List the invitations that are open',
    description: scanNote,
    query: invitationParameters,
    returns: { status: 200, schema: pageSchema(invitation) },
    handle: listInvitations,
  }),
  endpoint({
    ...about,
    method: 'POST',
    path: '/invitations',
    operationId: 'createInvitation',
    summary: 'Invite someone to the organization',
    description:
      'The link is in this answer and nowhere else; it is good once, for 7 days. It is mailed as ' +
      'well where the server sends mail. Inviting an address again voids the invitation before.',
    body: invitationCreateBody,
    returns: { status: 201, schema: madeInvitation },
    handle: (input) => createInvitation(input, signingIn),
  }),
  endpoint({
    ...about,
    method: 'DELETE',
    path: '/invitations/{id}',
    operationId: 'deleteInvitation',
    summary: 'Withdraw an invitation',
    returns: { status: 204, schema: null },
    async handle(input) {
      const { work } = input
      const [found] = await findInvitations(work, input, sql`and l.id = ${input.params.id}`)
      if (found === undefined) throw notFound()
      work.addStatement(
        sql`delete from one_time_links l using not_a_replay where l.id = ${found.id} and l.used_at is null returning 1`,
        1,
      )
      return work.respond(204)
    },
  }),
]
