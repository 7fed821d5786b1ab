// What the reader may do here, so that a button knows why it is disabled.
import { usePlace } from '../../api/place'
import { useSession } from '../../api/session'
import { text } from '../../text'

/** Why only an owner may do this; undefined for an owner. */
export function useOwnerOnly(): string | undefined {
  const { organizationId } = usePlace()
  const role = useSession()?.organizations.find(({ id }) => id === organizationId)?.role
  return role === 'owner' ? undefined : text.errors.forbidden
}
