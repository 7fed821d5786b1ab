// Long lists: pages by cursor as one scrolls, and only the rows in sight are drawn.
import type { Page } from '@parley/sdk'
import { hashKey, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { begin, isLong, isLongAndOld } from '../api/reread'

const FIRST_PAGE = 50
/** Who scrolls wants more at a time. */
const PAGE = 100

/** All pages that were asked for so far, as one list. */
export function useEndless<T>(
  queryKey: QueryKey,
  read: (page: { limit: number; cursor?: string | undefined }, signal: AbortSignal) => PromiseLike<Page<T>>,
  refreshMs?: number,
) {
  const queries = useQueryClient()
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Page<T>> =>
      read({ limit: pageParam === undefined ? FIRST_PAGE : PAGE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchOnWindowFocus: (shown) => !isLong(shown),
    refetchOnReconnect: (shown) => !isLong(shown),
    refetchInterval: (shown) => (isLong(shown) ? false : (refreshMs ?? false)),
  })
  const latest = useRef(queryKey)
  useEffect(() => {
    latest.current = queryKey
  })
  const isAtTop = useRef(true)
  const hash = hashKey(queryKey)
  useEffect(() => {
    const beginAnew = () => isAtTop.current && isLongAndOld(queries, latest.current) && begin(queries, latest.current)
    const stop = queries.getQueryCache().subscribe((told) => {
      if (told.type === 'updated' && told.action.type === 'invalidate' && told.query.queryHash === hash) beginAnew()
    })
    return () => {
      stop()
      // Who comes back to a list begins at its top.
      begin(queries, latest.current)
    }
  }, [queries, hash])
  const onTop = (is: boolean) => {
    isAtTop.current = is
    if (is && isLongAndOld(queries, queryKey)) begin(queries, queryKey)
  }
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  // The next page waits for what is being read anew, instead of ending that.
  const fetchNextPage = () => query.fetchNextPage({ cancelRefetch: false })
  return { ...query, rows, onTop, fetchNextPage }
}

interface RowsProps<T> {
  readonly rows: readonly T[]
  readonly rowHeight: number
  readonly label: string
  readonly hasMore: boolean
  readonly onMore: () => void
  /** Told as one scrolls: whether the beginning is in sight. */
  readonly onTop?: (isAtTop: boolean) => void
  /** Kept in sight. */
  readonly chosen?: number
  readonly children: (row: T, index: number) => ReactNode
}

export function Rows<T extends { id: string }>(props: RowsProps<T>) {
  const { rows, rowHeight, label, hasMore, onMore, onTop, chosen, children } = props
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= rows.length - FIRST_PAGE / 2) onMore()
  }, [hasMore, last, rows.length, onMore])
  useEffect(() => {
    if (chosen !== undefined && chosen >= 0) virtual.scrollToIndex(chosen, { align: 'auto' })
  }, [chosen, virtual])
  return (
    <div
      ref={box}
      role="list"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget }) => onTop?.(currentTarget.scrollTop === 0)}
      className="scroll-quiet min-h-0 flex-1 overflow-auto"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index]
          return (
            row && (
              <div
                key={key}
                role="listitem"
                className="absolute inset-x-0 top-0"
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                {children(row, index)}
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
