// The rows behind a number of the overview: exactly what was counted, by the list that `/stats` names for it.
import type { AnyRecord, Delivery } from '@parley/sdk'
import { useRouterState } from '@tanstack/react-router'
import { ArrowLeft, Rows3 } from 'lucide-react'
import { type Place, usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { useExact } from '../../ui/moment'
import { Page } from '../../ui/page'
import { RecordLine } from '../../ui/record-line'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'

/** What each list holds, and when it happened. */
const kinds: Readonly<Record<string, readonly [type: string, at: string]>> = {
  calls: ['call', 'startedAt'],
  sms: ['sms', 'sentAt'],
  facts: ['fact', 'observedAt'],
  drafts: ['draft', 'createdAt'],
  deliveries: ['delivery', 'createdAt'],
}

type Row = AnyRecord | Delivery

/** The same list in the cockpit: `/calls?status=missed` is `overview/calls?status=missed`. */
export const hrefOfRows = ({ at }: Place, rows: string): string => at('overview') + rows

function useRowsBehind() {
  const { parley, key } = usePlace()
  const [, list = '', webhookId] = usePathParts('overview')
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const filter = Object.fromEntries(new URLSearchParams(search))
  const rows = useEndless<Row>([...key, 'calls', 'rows', list, webhookId ?? '', filter], (page, signal) => {
    const asked = { ...filter, ...page, count: true }
    return webhookId === undefined
      ? parley.entity(list).list(asked, { signal })
      : parley.webhooks.deliveries(webhookId, asked, { signal })
  })
  return { rows, filter, kind: webhookId === undefined ? list : 'deliveries' }
}

export function RowsBehind() {
  const { at } = usePlace()
  const exact = useExact()
  const { rows, filter, kind } = useRowsBehind()
  const [type, atField] = kinds[kind] ?? [kind, 'createdAt']
  const first = rows.data?.pages[0]
  const { since, until } = filter
  return (
    <Page
      title={text.overview.rows(text.overview.lists[kind] ?? kind, first?.count, first?.countIsExact)}
      actions={
        <GoLink
          href={at('overview')}
          className="inline-flex h-8 items-center gap-1.5 rounded-md px-3 font-medium text-muted hover:bg-hover max-sm:h-11"
        >
          <ArrowLeft size={14} aria-hidden />
          {text.screens.overview}
        </GoLink>
      }
    >
      <p className="px-4 pb-2 text-muted sm:px-6">
        {[filter['direction'], filter['status'], filter['key']]
          .filter((word) => word !== undefined)
          .map((word) => word.replaceAll(',', ', ').replaceAll('_', ' ').toLowerCase())
          .join(' · ')}
        {since !== undefined && until !== undefined && ` · ${text.overview.span(exact(since), exact(until))}`}
      </p>
      {rows.isPending && <Waiting />}
      {rows.isError && <Failure error={rows.error} onRetry={() => void rows.refetch()} />}
      {rows.isSuccess && rows.rows.length === 0 && (
        <Empty icon={<Rows3 size={20} />} title={text.overview.noRows}>
          {text.overview.noRowsBody}
        </Empty>
      )}
      {rows.rows.length > 0 && (
        <Rows
          rows={rows.rows}
          rowHeight={76}
          label={text.overview.lists[kind] ?? kind}
          hasMore={rows.hasNextPage}
          onMore={() => void rows.fetchNextPage()}
          onTop={rows.onTop}
        >
          {(row) => (
            <div className="max-w-3xl px-4 py-1.5 sm:px-6">
              <RecordLine item={{ type, id: row.id, at: timeOf(row, atField), record: { ...row } }} />
            </div>
          )}
        </Rows>
      )}
    </Page>
  )
}

function timeOf(row: Row, field: string): string {
  const value: unknown = Reflect.get(row, field)
  return typeof value === 'string' ? value : row.createdAt
}
