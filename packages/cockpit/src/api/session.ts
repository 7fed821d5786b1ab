// Who is signed in. One answer tells all: no request has to fail for it.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ownParley } from './client'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ownParley.session.get({ signal }),
  staleTime: 60_000,
})

export const useSession = () => useQuery(sessionQuery).data
