// What the reader may do here, so that a button knows why it is disabled.
import { includesScope, roles, type Scope, scopeOfRole } from '@parley/contract/scopes'
import { text } from '../text'
import { usePlace } from './place'
import { useSession } from './session'

/** Why the reader's role is not enough for what needs this scope; undefined where it is. */
function useScope(needed: Scope): string | undefined {
  const { organizationId } = usePlace()
  const held = useSession()?.organizations.find(({ id }) => id === organizationId)?.role
  const role = roles.find((one) => one === held)
  return role !== undefined && includesScope(scopeOfRole[role], needed) ? undefined : text.errors.forbidden
}

/** Why only an owner may do this; undefined for an owner. */
export const useOwnerOnly = (): string | undefined => useScope('ADMIN')

/** Why a viewer may not do this; undefined for agents and owners. */
export const useWritersOnly = (): string | undefined => useScope('WRITE')
