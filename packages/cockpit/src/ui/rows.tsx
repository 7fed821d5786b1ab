// Long lists: pages by cursor as one scrolls, and only the rows in sight are drawn.
import type { Page } from '@parley/sdk'
import { type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { begin, isLong, isLongAndOld } from '../api/reread'

const PAGE = 50

/** All pages that were asked for so far, as one list. */
export function useEndless<T>(
  queryKey: QueryKey,
  read: (page: { limit: number; cursor?: string | undefined }, signal: AbortSignal) => PromiseLike<Page<T>>,
  refreshMs?: number,
) {
  const queries = useQueryClient()
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Page<T>> => read({ limit: PAGE, cursor: pageParam }, signal),
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
  const name = JSON.stringify(queryKey)
  // Who comes back to a list begins at its top.
  useEffect(() => () => begin(queries, latest.current), [queries, name])
  const onTop = () => {
    if (isLongAndOld(queries, queryKey)) begin(queries, queryKey)
  }
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  return { ...query, rows, onTop }
}

interface RowsProps<T> {
  readonly rows: readonly T[]
  readonly rowHeight: number
  readonly label: string
  readonly hasMore: boolean
  readonly onMore: () => void
  /** The reader is back at the beginning. */
  readonly onTop?: () => void
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
    if (hasMore && last >= rows.length - PAGE / 2) onMore()
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
      onScroll={({ currentTarget }) => currentTarget.scrollTop === 0 && onTop?.()}
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
