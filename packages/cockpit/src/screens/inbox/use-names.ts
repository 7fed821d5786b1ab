// Names of people by id, asked for once and shared by every row.
import { useQueries } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { phoneText } from '../../ui/words'

/** The name of each person that is known by now. */
export function useNames(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const { parley, key } = usePlace()
  const wanted = [...new Set(ids)].filter((id) => id !== null).slice(0, 100)
  return useQueries({
    queries: wanted.map((id) => ({
      queryKey: [...key, 'names', id],
      // Who is known by a number alone is called by it as people write it.
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        phoneText((await parley.people.get(id, { signal })).displayName),
      staleTime: 300_000,
      retry: false,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[wanted[index] ?? '', data]]))),
  })
}
