// Lists that are read anew when something happened. One that was scrolled far is not read from its beginning for every
// event: it is marked as old, and read when its reader is back at the top.
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'

/** More pages than these make a list long. */
const LONG_PAGES = 4

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)

export const isLong = ({ state: { data } }: { readonly state: { readonly data: unknown } }): boolean =>
  isPaged(data) && data.pages.length > LONG_PAGES

/** Everything under the key is old. What is shown is read at once, but for long lists. */
export function reread(queries: QueryClient, queryKey: QueryKey): void {
  void queries.invalidateQueries({ queryKey, predicate: (query) => !isLong(query) })
  void queries.invalidateQueries({ queryKey, predicate: isLong, refetchType: 'none' })
}

/** Forgets all pages of a long list but the first ones, and reads these. */
export function begin(queries: QueryClient, queryKey: QueryKey, pages = 1): void {
  const query = queries.getQueryCache().find({ queryKey, exact: true })
  if (query === undefined || !isLong(query)) return
  queries.setQueryData(queryKey, (data: unknown) =>
    isPaged(data) ? { pages: data.pages.slice(0, pages), pageParams: data.pageParams.slice(0, pages) } : data,
  )
  void queries.invalidateQueries({ queryKey, exact: true })
}

/** Whether a list is long and something happened since it was read. */
export const isLongAndOld = (queries: QueryClient, queryKey: QueryKey): boolean => {
  const query = queries.getQueryCache().find({ queryKey, exact: true })
  return query !== undefined && isLong(query) && query.state.isInvalidated
}
