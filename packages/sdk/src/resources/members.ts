// The users of the organization, and who is invited.
import type { ApiPromise } from '../api-promise.js'
import type {
  Invitation,
  InvitationCreate,
  InvitationQuery,
  MadeInvitation,
  Member,
  MemberQuery,
  MemberUpdate,
  ResetLink,
} from '../generated/shapes.js'
import type { RequestOptions, Send } from '../transport.js'
import { act, type Creates, type Deletes, type Lists, verbs } from './verbs.js'

export interface Members extends Lists<MemberQuery, Member> {
  /** Gives another role, from the next request on. ConflictError for the last owner. */
  update(id: string, body: MemberUpdate, options?: RequestOptions): ApiPromise<Member>
  /** The user is no member from the next request on. ConflictError for the last owner. */
  remove(id: string, options?: RequestOptions): ApiPromise<void>
  /** A link to a new password, for a member of this organization alone; of others it is mailed to the user. */
  makeResetLink(id: string, options?: RequestOptions): ApiPromise<ResetLink>
}

export function members(send: Send): Members {
  const { list, update, delete: remove } = verbs<MemberQuery, never, MemberUpdate, Member, Member>(send, 'members')
  return { list, update, remove, makeResetLink: (id, options) => act(send, 'members', id, 'reset-link', {}, options) }
}

export interface Invitations
  extends Lists<InvitationQuery, Invitation>,
    Creates<InvitationCreate, MadeInvitation>,
    Deletes {}
