// A log that is narrowed by status and goes on by itself: what a provider sent, or what a webhook was sent.
import type { Page } from '@parley/sdk'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParam } from '../../api/place'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'

const REFRESH_MS = 2_500

interface PageQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly status?: string
}

interface StatusLogProps<T> {
  readonly title: string
  readonly queryKey: QueryKey
  readonly read: (page: PageQuery, signal: AbortSignal) => PromiseLike<Page<T>>
  /** The empty one stands for all. */
  readonly statuses: readonly string[]
  readonly names: Readonly<Record<string, string>>
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly body: string }
  readonly children: (row: T) => ReactNode
}

export function StatusLog<T extends { readonly id: string }>(props: StatusLogProps<T>) {
  const { title, queryKey, read, statuses, names, empty, children } = props
  const [status, setStatus] = useSearchParam('status')
  const list = useEndless<T>(
    [...queryKey, status],
    (page, signal) => read(status === '' ? page : { ...page, status }, signal),
    REFRESH_MS,
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <div className="flex items-center justify-between gap-4 px-4 py-2 sm:px-6">
        <h3 className="font-semibold">{title}</h3>
        <div className="w-40">
          <ChoiceField
            label={text.developers.status}
            hideLabel
            value={status}
            onChoose={setStatus}
            options={statuses.map((one) => [one, names[one] ?? one])}
          />
        </div>
      </div>
      {list.rows.length === 0 ? (
        <Empty icon={empty.icon} title={empty.title}>
          {empty.body}
        </Empty>
      ) : (
        <Rows
          rows={list.rows}
          rowHeight={40}
          label={title}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
        >
          {children}
        </Rows>
      )}
    </>
  )
}
