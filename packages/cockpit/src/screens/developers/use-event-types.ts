// The types of events that this service knows, as it says itself.
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'

export function useEventTypes(): readonly string[] {
  const { parley, key } = usePlace()
  const { data } = useQuery({
    queryKey: [...key, 'schema'],
    queryFn: ({ signal }) => parley.schema({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.eventTypes ?? none
}

const none: readonly string[] = []
