// What the reader is in this organization.
import { usePlace } from './place'
import { useSession } from './session'

export function useRole(): string | undefined {
  const { organizationId } = usePlace()
  return useSession()?.organizations.find(({ id }) => id === organizationId)?.role
}
