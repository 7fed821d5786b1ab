// What this service offers the reader, as it says itself: entities, types of events, providers, limits.
import type { Schema } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePlace } from './place'

export function useSchema(): Schema | undefined {
  const { parley, key } = usePlace()
  return useQuery({
    queryKey: [...key, 'schema'],
    queryFn: ({ signal }) => parley.schema({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}
