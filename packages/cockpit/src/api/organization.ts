// The organization of a place, with the settings of this environment: zone, country, currency.

import type { Organization } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePlace } from './place'

export function useOrganization(): Organization | undefined {
  const { parley, key } = usePlace()
  return useQuery({
    queryKey: [...key, 'organization'],
    queryFn: ({ signal }) => parley.organization.get({ signal }),
    staleTime: 300_000,
  }).data
}
